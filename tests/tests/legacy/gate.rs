//! The gate is the same: versions, callers, extensions, limits.

use super::*;
use a2a_sdk::protocol::AgentExtension;

#[tokio::test]
async fn a_call_whose_version_is_of_the_other_generation_is_told_which_to_use() {
    let server = server().await;
    let served =
        ["", "A2A-Version: 0.3\r\n", "A2A-Version: 0.3.0\r\n", "A2A-Version: 0.2.6\r\n", "A2A-Version:\r\n"];
    for headers in served {
        let answer = post(&server, headers, "message/send", &params("echo", "hi")).await.json().await;
        assert_eq!(answer["result"]["status"]["state"], "completed", "{headers}");
    }
    for (headers, told) in [
        ("A2A-Version: 1.0\r\n", "`SendMessage`"),
        ("A2A-Version: 0.5\r\n", "0.5"),
        ("A2A-Version: 2.0\r\n", "2.0"),
        ("A2A-Version: junk\r\n", "junk"),
    ] {
        let answer = post(&server, headers, "message/send", &params("echo", "hi")).await.json().await;
        // Who names a version knows of versions, and is told as 1.0 has it.
        assert_eq!(answer["error"]["code"], -32009, "{headers}");
        assert_eq!(answer["error"]["data"][0]["metadata"]["supportedVersions"], "1.0, 0.3");
        let text = answer["error"]["message"].as_str().unwrap();
        assert!(text.contains(told), "{text}");
        let stream = post(&server, headers, "message/stream", &params("echo", "hi")).await.json().await;
        assert_eq!(stream["error"], answer["error"]);
    }
    let modern = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "hi" }] } });
    for (headers, told) in [("A2A-Version: 0.3\r\n", "`message/send`"), ("", "A2A-Version: 1.0")] {
        let answer = post(&server, headers, "SendMessage", &modern).await.json().await;
        assert_eq!(answer["error"]["code"], -32009, "{headers}");
        let text = answer["error"]["message"].as_str().unwrap();
        assert!(text.contains(told), "{text}");
    }
    let response = http::request(server.address, "GET", "/v1/tasks/x", "A2A-Version: 1.0\r\n", b"").await;
    let status = response.status;
    let answer = response.json().await;
    assert_eq!((status, &answer["error"]["details"][0]["reason"]), (400, &json!("VERSION_NOT_SUPPORTED")));
    assert_eq!(server.call("ListTasks", json!({})).await["result"]["totalSize"], served.len());
}

#[tokio::test]
async fn what_tells_nothing_of_its_generation_is_refused_as_its_version_has_it() {
    let server = server().await;
    let json = "Content-Type: application/json\r\n";
    let cases = [
        (json, r#"{"jsonrpc":"2.0","id":1,"method":"Nothing"}"#, -32601),
        (json, r#"{"jsonrpc":"2.0","id":1,"method":""}"#, -32601),
        (json, r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (json, "{", -32700),
        (json, "[]", -32600),
        ("Content-Type: text/plain\r\n", "{}", -32005),
    ];
    for (headers, body, code) in cases {
        for version in ["", "A2A-Version: 0.3\r\n", "A2A-Version: 2.0\r\n", "A2A-Version:\r\n"] {
            let headers = format!("{headers}{version}");
            let response = http::request(server.address, "POST", "/", &headers, body.as_bytes()).await;
            assert_eq!(refused(&response.json().await["error"]).0, code, "{body} {version}");
        }
        for version in ["1.0", "1.0.1", "1.1", "1.0, 1.0"] {
            let headers = format!("{headers}A2A-Version: {version}\r\n");
            let response = http::request(server.address, "POST", "/", &headers, body.as_bytes()).await;
            let error = response.json().await["error"].clone();
            assert_eq!((&error["code"], error["data"].is_array()), (&json!(code), true), "{body} {version}");
        }
    }
    // What another version named so long ago is of another model.
    for method in ["tasks/send", "tasks/sendSubscribe", "tasks/pushNotification/set", "tasks/list"] {
        assert_eq!(error(&server, method, &json!({ "id": "x" })).await.0, -32601, "{method}");
    }
}

#[tokio::test]
async fn callers_are_known_and_see_their_own_tasks() {
    let server = serve(agent(&Gate::default()).layer(tokens())).await;
    let as_ = |name: &str| format!("Authorization: Bearer {name}\r\n");
    let response = post(&server, "", "message/send", &params("echo", "hi")).await;
    assert_eq!((response.status, response.header("www-authenticate")), (401, "Bearer"));
    let response = http::request(server.address, "POST", "/v1/message:send", "", b"{}").await;
    assert_eq!(response.status, 401);
    let response = http::request(server.address, "GET", "/agent/authenticatedExtendedCard", "", b"").await;
    assert_eq!(response.status, 401);
    assert_eq!(server.get("/.well-known/agent.json", "").await.status, 200, "the card is public");

    let mine = post(&server, &as_("a"), "message/send", &params("ask", "hi")).await.json().await;
    let id = mine["result"]["id"].as_str().unwrap();
    let read =
        async |name: &str| post(&server, &as_(name), "tasks/get", &json!({ "id": id })).await.json().await;
    assert_eq!(read("a").await["result"]["id"], id);
    let foreign = read("b").await;
    let missing = post(&server, &as_("b"), "tasks/get", &json!({ "id": "none" })).await.json().await;
    assert_eq!(foreign.to_string().replace(id, "none"), missing.to_string(), "foreign looks as missing does");
    let path = format!("/v1/tasks/{id}");
    assert_eq!(http::request(server.address, "GET", &path, &as_("b"), b"").await.status, 404);
    assert_eq!(http::request(server.address, "GET", &path, &as_("a"), b"").await.status, 200);
}

#[tokio::test]
async fn extensions_are_negotiated_under_the_name_of_their_generation() {
    let extension =
        |required| AgentExtension { uri: "urn:x".to_owned(), required, ..AgentExtension::default() };
    let server = serve(agent(&Gate::default()).extension(extension(false))).await;
    let said = ["X-A2A-Extensions: urn:other, urn:x\r\n", "A2A-Extensions: urn:x\r\n"];
    for headers in said {
        let response = post(&server, headers, "message/send", &params("echo", "hi")).await;
        assert_eq!(response.header("x-a2a-extensions"), "urn:x", "{headers}");
        assert_eq!(response.header("a2a-extensions"), "");
        let response = http::request(server.address, "GET", "/v1/tasks/x", headers, b"").await;
        assert_eq!(response.header("x-a2a-extensions"), "urn:x", "{headers}");
    }
    let server = serve(agent(&Gate::default()).extension(extension(true))).await;
    let (code, text) = error(&server, "message/send", &params("echo", "hi")).await;
    assert_eq!(code, -32004);
    assert!(text.contains("urn:x"), "{text}");
    let answer = post(&server, said[0], "message/send", &params("echo", "hi")).await.json().await;
    assert_eq!(answer["result"]["status"]["state"], "completed");
}

#[tokio::test]
async fn limits_hold() {
    let server = serve(agent(&Gate::default()).body_limit(2_000)).await;
    let long = params("echo", &"x".repeat(2_000));
    let response = post(&server, "", "message/send", &long).await;
    assert_eq!((response.status, refused(&response.json().await["error"]).0), (413, -32600));
    let response =
        http::request(server.address, "POST", "/v1/message:send", "", long.to_string().as_bytes()).await;
    assert_eq!((response.status, refused(&response.json().await).0), (413, -32600));
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"message/send","params":{deep}}}"#);
    let response = http::request(server.address, "POST", "/", "", body.as_bytes()).await;
    assert_eq!(refused(&response.json().await["error"]).0, -32700);
}

#[tokio::test]
async fn an_agent_that_does_not_stream_or_post_says_so() {
    let server = serve(echo::agent().state(Gate::default()).streaming(false)).await;
    let answer = stream(&server, "message/stream", &params("echo", "hi")).await;
    assert_eq!(refused(&answer[0]).0, -32004);
    let config = json!({ "taskId": "x", "pushNotificationConfig": { "url": "https://x.example/" } });
    assert_eq!(error(&server, "tasks/pushNotificationConfig/set", &config).await.0, -32003);
}

/// The task, and whether there is one of that id, must be told to nobody else: not by any call.
#[tokio::test]
async fn a_foreign_task_looks_as_a_missing_one_does_to_every_call() {
    let server = serve(agent(&Gate::default()).layer(tokens())).await;
    let (mine, other) = ("Authorization: Bearer a\r\n", "Authorization: Bearer b\r\n");
    let asked = post(&server, mine, "message/send", &params("ask", "hi")).await.json().await;
    let task = asked["result"]["id"].as_str().unwrap();
    let config = json!({ "id": "c", "url": "http://127.0.0.1:9/" });
    let set = json!({ "taskId": task, "pushNotificationConfig": config });
    let kept = post(&server, mine, "tasks/pushNotificationConfig/set", &set).await.json().await;
    assert_eq!(kept["result"], set);

    let calls = |id: &str| {
        let mut more = params("ask", "done");
        more["message"]["taskId"] = json!(id);
        let named = json!({ "id": id, "pushNotificationConfigId": "c" });
        [
            ("tasks/get", json!({ "id": id })),
            ("tasks/cancel", json!({ "id": id })),
            ("tasks/resubscribe", json!({ "id": id })),
            ("message/send", more.clone()),
            ("message/stream", more),
            ("tasks/pushNotificationConfig/set", json!({ "taskId": id, "pushNotificationConfig": config })),
            ("tasks/pushNotificationConfig/get", named.clone()),
            ("tasks/pushNotificationConfig/get", json!({ "id": id })),
            ("tasks/pushNotificationConfig/list", json!({ "id": id })),
            ("tasks/pushNotificationConfig/delete", named),
        ]
    };
    for ((method, foreign), (_, missing)) in calls(task).into_iter().zip(calls("none")) {
        let foreign = post(&server, other, method, &foreign).await.text().await;
        let missing = post(&server, other, method, &missing).await.text().await;
        assert!(missing.contains("-32001"), "{method}: {missing}");
        assert_eq!(foreign.replace(task, "none"), missing, "{method}");
    }
    let message = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "content": [{ "text": "done" }], "taskId": task } });
    let set = json!({ "pushNotificationConfig": config });
    for (method, path, body) in [
        ("GET", format!("/v1/tasks/{task}"), Value::Null),
        ("POST", format!("/v1/tasks/{task}:cancel"), Value::Null),
        ("GET", format!("/v1/tasks/{task}:subscribe"), Value::Null),
        ("POST", "/v1/message:send".to_owned(), message.clone()),
        ("POST", "/v1/message:stream".to_owned(), message),
        ("POST", format!("/v1/tasks/{task}/pushNotificationConfigs"), set),
        ("GET", format!("/v1/tasks/{task}/pushNotificationConfigs"), Value::Null),
        ("GET", format!("/v1/tasks/{task}/pushNotificationConfigs/c"), Value::Null),
        ("DELETE", format!("/v1/tasks/{task}/pushNotificationConfigs/c"), Value::Null),
    ] {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let ask = async |path: &str, body: &str| {
            let response = http::request(server.address, method, path, other, body.as_bytes()).await;
            (response.status, response.text().await)
        };
        let foreign = ask(&path, &body).await;
        let missing = ask(&path.replace(task, "none"), &body.replace(task, "none")).await;
        assert_eq!(missing.0, 404, "{method} {path}");
        assert_eq!((foreign.0, foreign.1.replace(task, "none")), missing, "{method} {path}");
    }
    // Nothing has come of all that.
    let list = json!({ "id": task });
    let kept = post(&server, mine, "tasks/pushNotificationConfig/list", &list).await.json().await;
    assert_eq!(kept["result"].as_array().unwrap().len(), 1);
    let seen = post(&server, mine, "tasks/get", &list).await.json().await;
    assert_eq!(seen["result"]["status"], asked["result"]["status"]);
}

#[tokio::test]
async fn a_task_of_a_tenant_is_none_of_0_3() {
    let server = server().await;
    let body = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "hi" }] } })
        .to_string();
    let version = "A2A-Version: 1.0\r\n";
    let response =
        http::request(server.address, "POST", "/acme/message:send", version, body.as_bytes()).await;
    let id = response.json().await["task"]["id"].as_str().unwrap().to_owned();
    let path = |before: &str| format!("{before}/tasks/{id}");
    assert_eq!(server.get(&path("/acme"), version).await.status, 200);
    for told in [json!({ "id": id }), json!({ "id": id, "tenant": "acme" })] {
        assert_eq!(error(&server, "tasks/get", &told).await.0, -32001);
    }
    for path in [path("/v1"), path("/v1") + "?tenant=acme", path("/v1/acme"), path("/acme/v1")] {
        assert_eq!(server.get(&path, "A2A-Version: 0.3\r\n").await.status / 100, 4, "{path}");
    }
}
