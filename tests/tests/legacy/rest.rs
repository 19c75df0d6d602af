//! HTTP+JSON, under `/v1`.

use super::*;

async fn send(server: &Server, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let response = http::request(server.address, method, path, "", body.as_bytes()).await;
    assert_eq!(response.header("content-type"), "application/json", "{path}");
    (response.status, response.json().await)
}

/// A message in the form of the package `a2a.v1`.
fn proto(skill: &str, text: &str) -> Value {
    json!({
        "messageId": "m", "role": "ROLE_USER", "content": [{ "text": text }],
        "metadata": { SKILLS_EXTENSION: { "skill": skill } },
    })
}

/// Waits for the task.
fn blocking(message: &Value) -> Value {
    json!({ "message": message, "configuration": { "blocking": true } })
}

#[tokio::test]
async fn a_message_is_answered_in_the_json_of_protobuf() {
    let server = server().await;
    let (status, answer) = send(&server, "POST", "/v1/message:send", &blocking(&proto("echo", "hi"))).await;
    assert_eq!(status, 200, "{answer}");
    let task = &answer["task"];
    assert_eq!(task.get("kind"), None);
    assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED");
    assert_eq!(task["artifacts"][0]["parts"], json!([{ "text": "hi" }]));
    assert_eq!(task["history"][0]["content"], json!([{ "text": "hi" }]));
    assert_eq!(task["history"][0]["role"], "ROLE_USER");
    let path = format!("/v1/tasks/{}", task["id"].as_str().unwrap());
    assert_eq!(send(&server, "GET", &path, &Value::Null).await, (200, task.clone()));
    // Zero cannot be told from nothing in that package.
    assert_eq!(send(&server, "GET", &format!("{path}?historyLength=0"), &Value::Null).await.1, *task);
    let (_, answer) = send(&server, "POST", "/v1/message:send", &blocking(&proto("direct", "hi"))).await;
    assert_eq!(answer["message"]["content"], json!([{ "text": "hi" }]));
}

#[tokio::test]
async fn every_shape_that_clients_send_is_read() {
    let server = server().await;
    let snake = json!({
        "message_id": "m", "role": "ROLE_USER", "content": [{ "text": "hi" }],
        "metadata": { SKILLS_EXTENSION: { "skill": "echo" } },
    });
    for body in [
        json!({ "request": snake, "configuration": { "blocking": true } }),
        blocking(&proto("echo", "hi")),
        json!({ "message": proto("echo", "hi") }),
        // What JSON-RPC carries: its objects come back in the wrapper of this binding.
        json!({ "message": message("echo", "hi"), "configuration": {} }),
    ] {
        let (status, answer) = send(&server, "POST", "/v1/message:send", &body).await;
        assert_eq!(status, 200, "{body}: {answer}");
        let task = &answer["task"];
        let (state, part) = match body["message"].get("kind") {
            Some(_) => ("completed", json!({ "kind": "text", "text": "hi" })),
            None => ("TASK_STATE_COMPLETED", json!({ "text": "hi" })),
        };
        assert_eq!(
            (&task["status"]["state"], &task["artifacts"][0]["parts"][0]),
            (&json!(state), &part),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_configuration_without_blocking_does_not_wait() {
    let server = server().await;
    let body = json!({ "message": proto("wait", ""), "configuration": {} });
    let (_, answer) = send(&server, "POST", "/v1/message:send", &body).await;
    let state = answer["task"]["status"]["state"].as_str().unwrap();
    assert!(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"].contains(&state), "{state}");
    let path = format!("/v1/tasks/{}:cancel", answer["task"]["id"].as_str().unwrap());
    let (status, canceled) = send(&server, "POST", &path, &Value::Null).await;
    assert_eq!((status, &canceled["status"]["state"]), (200, &json!("TASK_STATE_CANCELLED")));
    let (status, refusal) = send(&server, "POST", &path, &json!({})).await;
    assert_eq!((status, refused(&refusal).0), (409, -32002));
}

#[tokio::test]
async fn a_stream_says_final_where_it_ends_and_nothing_where_it_does_not() {
    let gate = Gate::default();
    gate.open();
    let server = serve(agent(&gate)).await;
    let body = json!({ "message": proto("chunks", "") }).to_string();
    let response = http::request(server.address, "POST", "/v1/message:stream", "", body.as_bytes()).await;
    assert_eq!(response.header("content-type"), "text/event-stream");
    let events: Vec<Value> = response.events().await.into_iter().map(|event| event.data).collect();
    assert_eq!(events[0]["task"]["status"]["state"], "TASK_STATE_SUBMITTED");
    assert_eq!(events[1]["statusUpdate"]["status"]["state"], "TASK_STATE_WORKING");
    assert_eq!(events[1]["statusUpdate"].get("final"), None);
    assert_eq!(events[2]["artifactUpdate"]["artifact"]["parts"], json!([{ "text": "one " }]));
    assert_eq!(events[2]["artifactUpdate"].get("append"), None);
    assert_eq!(
        (&events[3]["artifactUpdate"]["append"], &events[3]["artifactUpdate"]["lastChunk"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(events[4]["statusUpdate"]["status"]["state"], "TASK_STATE_COMPLETED");
    assert_eq!((&events[4]["statusUpdate"]["final"], events.len()), (&json!(true), 5));
}

#[tokio::test]
async fn a_task_is_followed_by_get_and_by_post() {
    for method in ["GET", "POST"] {
        let server = server().await;
        let (_, answer) = send(&server, "POST", "/v1/message:send", &blocking(&proto("ask", "hi"))).await;
        let id = answer["task"]["id"].as_str().unwrap();
        let path = format!("/v1/tasks/{id}:subscribe");
        let mut following = http::request(server.address, method, &path, "", b"").await;
        assert_eq!(following.event().await.unwrap().data["task"]["id"], id);
        let mut more = proto("ask", "done");
        more["taskId"] = json!(id);
        send(&server, "POST", "/v1/message:send", &blocking(&more)).await;
        let last = following.events().await.pop().unwrap().data;
        assert_eq!(last["statusUpdate"]["final"], true, "{method}");
        let (status, refusal) = send(&server, method, &path, &Value::Null).await;
        assert_eq!((status, refused(&refusal).0), (501, -32004), "a finished task is not followed");
    }
}

#[tokio::test]
async fn bytes_travel_as_their_base64_unless_set_otherwise() {
    let file =
        |bytes: &str| json!({ "file": { "fileWithBytes": bytes, "mimeType": "text/plain", "name": "f" } });
    let mirrored = async |server: &Server, part: &Value| {
        let mut message = proto("mirror", "");
        message["content"] = json!([part]);
        let (status, answer) = send(server, "POST", "/v1/message:send", &blocking(&message)).await;
        assert_eq!(status, 200, "{answer}");
        let kept = server.call("GetTask", json!({ "id": answer["task"]["id"] })).await;
        (
            answer["task"]["artifacts"][0]["parts"][0].clone(),
            kept["result"]["artifacts"][0]["parts"][0]["raw"].clone(),
        )
    };
    let server = server().await;
    // `tck` in base64 is `dGNr`, and that in base64 again is `ZEdOcg==`.
    assert_eq!(mirrored(&server, &file("ZEdOcg==")).await, (file("ZEdOcg=="), json!("dGNr")));
    // A peer that does not encode: its bytes are no base64, so they are what they are, and come back encoded.
    assert_eq!(mirrored(&server, &file("AAE=")).await, (file("QUFFPQ=="), json!("AAE=")));
    let plain = serve(agent(&Gate::default()).legacy_plain_bytes(true)).await;
    assert_eq!(mirrored(&plain, &file("ZEdOcg==")).await, (file("ZEdOcg=="), json!("ZEdOcg==")));
}

#[tokio::test]
async fn errors_have_the_statuses_of_0_3_and_a_code() {
    let server = server().await;
    for (method, path, body, status, code) in [
        ("GET", "/v1/tasks/no-such", Value::Null, 404, -32001),
        ("POST", "/v1/tasks/no-such:cancel", Value::Null, 404, -32001),
        ("POST", "/v1/message:send", json!({}), 422, -32602),
        (
            "POST",
            "/v1/message:send",
            json!({ "message": { "messageId": "m", "role": "ROLE_USER", "content": [] } }),
            422,
            -32602,
        ),
        ("POST", "/v1/message:send", json!([]), 422, -32602),
        ("GET", "/v1/tasks/x?historyLength=-1", Value::Null, 422, -32602),
        ("GET", "/v1/card", Value::Null, 404, -32007),
        // There was no list of tasks, and nothing else has moved.
        ("GET", "/v1/tasks", Value::Null, 404, -32601),
        ("GET", "/v1/extendedAgentCard", Value::Null, 404, -32601),
        ("GET", "/v1/acme/tasks/x", Value::Null, 404, -32601),
        ("GET", "/v1", Value::Null, 404, -32601),
        ("GET", "/v1/message:send", Value::Null, 405, -32601),
        ("POST", "/agent/authenticatedExtendedCard", json!({}), 405, -32601),
    ] {
        let (found, answer) = send(&server, method, path, &body).await;
        assert_eq!((found, refused(&answer).0), (status, code), "{method} {path}");
    }
    let response = http::request(server.address, "POST", "/v1/message:send", "", b"{").await;
    assert_eq!((response.status, refused(&response.json().await).0), (400, -32700));
    let headers = "Content-Type: text/plain\r\n";
    let response = http::request(server.address, "POST", "/v1/message:send", headers, b"{}").await;
    assert_eq!(response.status, 415);
}

#[tokio::test]
async fn configurations_come_in_every_shape_that_clients_send() {
    let server = server().await;
    let (_, answer) = send(&server, "POST", "/v1/message:send", &blocking(&proto("ask", "hi"))).await;
    let task = answer["task"]["id"].as_str().unwrap();
    let configs = format!("/v1/tasks/{task}/pushNotificationConfigs");
    let name = |id: &str| format!("tasks/{task}/pushNotificationConfigs/{id}");
    let kept = |id: &str| json!({ "name": name(id), "pushNotificationConfig": { "id": id, "url": "http://127.0.0.1:9/", "token": "t" } });
    let inner = json!({ "url": "http://127.0.0.1:9/", "token": "t" });
    for (id, body) in [
        (
            "a",
            json!({ "parent": format!("tasks/{task}"), "config_id": "a", "config": { "push_notification_config": inner } }),
        ),
        ("b", json!({ "name": name("b"), "pushNotificationConfig": inner })),
        // The path tells the task, whatever the body does.
        (
            "c",
            json!({ "parent": "tasks/other", "configId": "c", "config": { "name": "tasks/other", "pushNotificationConfig": inner } }),
        ),
        (task, json!({ "pushNotificationConfig": inner })),
    ] {
        assert_eq!(send(&server, "POST", &configs, &body).await, (200, kept(id)), "{body}");
        assert_eq!(send(&server, "GET", &format!("{configs}/{id}"), &Value::Null).await, (200, kept(id)));
    }
    let all = json!({ "configs": [kept("a"), kept("b"), kept("c"), kept(task)] });
    assert_eq!(send(&server, "GET", &configs, &Value::Null).await, (200, all));
    let (_, page) = send(&server, "GET", &format!("{configs}?pageSize=3"), &Value::Null).await;
    assert_eq!((page["configs"].as_array().unwrap().len(), &page["nextPageToken"]), (3, &json!("c")));
    for body in
        [json!({}), json!({ "config": { "pushNotificationConfig": inner }, "pushNotificationConfig": inner })]
    {
        let (status, refusal) = send(&server, "POST", &configs, &body).await;
        assert_eq!((status, refused(&refusal).0), (422, -32602), "{body}");
    }
    for _ in 0..2 {
        assert_eq!(send(&server, "DELETE", &format!("{configs}/a"), &Value::Null).await.0, 200);
    }
    assert_eq!(send(&server, "GET", &format!("{configs}/a"), &Value::Null).await.0, 404);
}

#[tokio::test]
async fn both_media_types_are_read_and_the_plain_one_is_answered() {
    let server = server().await;
    let headers = "Content-Type: application/a2a+json; charset=utf-8\r\nAccept: application/a2a+json\r\n";
    for body in [blocking(&proto("echo", "hi")), json!({})] {
        let body = body.to_string();
        let response =
            http::request(server.address, "POST", "/v1/message:send", headers, body.as_bytes()).await;
        assert_eq!(response.header("content-type"), "application/json");
        assert!([200, 422].contains(&response.status));
    }
    let answer =
        post(&server, "Accept: application/a2a+json\r\n", "message/send", &params("echo", "hi")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
}
