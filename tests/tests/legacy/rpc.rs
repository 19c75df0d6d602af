//! JSON-RPC.

use super::*;

#[tokio::test]
async fn a_message_is_answered_with_the_whole_task() {
    let server = server().await;
    let task = result(&server, "message/send", &params("echo", "hi")).await;
    assert_eq!(task["kind"], "task");
    assert_eq!(task["status"]["state"], "completed");
    assert!(task["status"]["timestamp"].as_str().unwrap().ends_with('Z'));
    assert_eq!(task["artifacts"][0]["parts"], json!([{ "kind": "text", "text": "hi" }]));
    let asked = &task["history"][0];
    assert_eq!((&asked["kind"], &asked["role"]), (&json!("message"), &json!("user")));
    assert_eq!(asked["parts"], json!([{ "kind": "text", "text": "hi" }]));
    assert_eq!((&asked["taskId"], &asked["contextId"]), (&task["id"], &task["contextId"]));
    assert_eq!(result(&server, "tasks/get", &json!({ "id": task["id"] })).await, task);
    let none = result(&server, "tasks/get", &json!({ "id": task["id"], "historyLength": 0 })).await;
    assert_eq!(none.get("history"), None, "zero is none here");
}

#[tokio::test]
async fn a_direct_answer_is_a_message() {
    let server = server().await;
    let answer = result(&server, "message/send", &params("direct", "hi")).await;
    assert_eq!((&answer["kind"], &answer["role"]), (&json!("message"), &json!("agent")));
    assert_eq!(answer["parts"], json!([{ "kind": "text", "text": "hi" }]));
    let events = stream(&server, "message/stream", &params("direct", "hi")).await;
    assert_eq!(events.iter().map(line).collect::<Vec<_>>(), ["message hi"]);
}

#[tokio::test]
async fn parts_of_every_kind_go_through() {
    let server = server().await;
    let mut params = params("mirror", "");
    let parts = json!([
        { "kind": "text", "text": "hi", "metadata": { "k": 1 } },
        { "kind": "file", "file": { "bytes": "AAF0Y2s=", "mimeType": "text/plain", "name": "in.bin" } },
        { "kind": "file", "file": { "uri": "https://example.com/in.txt", "mimeType": "text/plain", "name": "in.txt" } },
        { "kind": "data", "data": { "a": [1, 2.5, null, true], "b": { "c": "d" } } },
        { "kind": "data", "data": { "value": [1] }, "metadata": { "data_part_compat": true } },
    ]);
    params["message"]["parts"] = parts.clone();
    let task = result(&server, "message/send", &params).await;
    assert_eq!(task["artifacts"][0]["parts"], parts);
    let kept = server.call("GetTask", json!({ "id": task["id"] })).await["result"].clone();
    assert_eq!(kept["artifacts"][0]["parts"][4], json!({ "data": [1] }), "1.0 sees the value itself");
}

#[tokio::test]
async fn a_conversation_goes_on_and_is_canceled() {
    let server = server().await;
    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    assert_eq!(asked["status"]["state"], "input-required");
    assert_eq!(asked["status"]["message"]["kind"], "message");
    let mut more = params("ask", "done");
    more["message"]["taskId"] = asked["id"].clone();
    let done = result(&server, "message/send", &more).await;
    assert_eq!((&done["id"], &done["status"]["state"]), (&asked["id"], &json!("completed")));

    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    let canceled = result(&server, "tasks/cancel", &json!({ "id": asked["id"] })).await;
    assert_eq!((&canceled["kind"], &canceled["status"]["state"]), (&json!("task"), &json!("canceled")));
    assert_eq!(error(&server, "tasks/cancel", &json!({ "id": asked["id"] })).await.0, -32002);
    more["message"]["taskId"] = asked["id"].clone();
    assert_eq!(error(&server, "message/send", &more).await.0, -32004);
}

#[tokio::test]
async fn a_send_waits_unless_it_says_that_it_does_not() {
    let server = server().await;
    let mut request = params("wait", "");
    request["configuration"] = json!({ "blocking": false });
    let task = result(&server, "message/send", &request).await;
    assert!(["submitted", "working"].contains(&task["status"]["state"].as_str().unwrap()), "{task}");
    let cancel = json!({ "id": task["id"], "metadata": { "reason": "too slow" } });
    let canceled = result(&server, "tasks/cancel", &cancel).await;
    assert_eq!(canceled["status"]["state"], "canceled");
    assert_eq!(canceled["artifacts"][0]["parts"][0]["text"], "too slow", "what is said with it arrives");
    // Without a word about it, also where other things are said.
    let mut request = params("ask", "hi");
    request["configuration"] = json!({ "acceptedOutputModes": ["text/plain"], "historyLength": 0 });
    let asked = result(&server, "message/send", &request).await;
    assert_eq!((&asked["status"]["state"], asked.get("history")), (&json!("input-required"), None));
}

#[tokio::test]
async fn a_stream_tells_which_event_is_its_last() {
    let gate = Gate::default();
    gate.open();
    let server = serve(agent(&gate)).await;
    let events = stream(&server, "message/stream", &params("chunks", "")).await;
    assert_eq!(
        events.iter().map(line).collect::<Vec<_>>(),
        ["task submitted", "working", "one ", "+two last", "completed final"]
    );
    // A send closes where the task waits for its caller.
    let events = stream(&server, "message/stream", &params("ask", "hi")).await;
    assert_eq!(line(events.last().unwrap()), "input-required final");
    let events = stream(&server, "message/stream", &params("fail", "")).await;
    assert_eq!(line(events.last().unwrap()), "failed final");
    assert!(!events.last().unwrap().to_string().contains("secret"));
}

#[tokio::test]
async fn a_subscription_stays_open_where_a_send_closes() {
    let server = server().await;
    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    let mut following = post(&server, "", "tasks/resubscribe", &json!({ "id": asked["id"] })).await;
    let first = following.event().await.unwrap();
    assert_eq!(line(&first.data["result"]), "task input-required");
    let mut more = params("ask", "again");
    more["message"]["taskId"] = asked["id"].clone();
    result(&server, "message/send", &more).await;
    more["message"]["parts"][0]["text"] = json!("done");
    result(&server, "message/send", &more).await;
    let rest = following.events().await;
    let lines: Vec<String> = rest.iter().map(|event| line(&event.data["result"])).collect();
    assert_eq!(lines, ["working", "input-required", "working", "thanks", "completed final"]);
}

#[tokio::test]
async fn a_stream_that_broke_goes_on_behind_the_last_event_that_was_seen() {
    let gate = Gate::default();
    let server = serve(agent(&gate)).await;
    let mut broken = post(&server, "", "message/stream", &params("chunks", "")).await;
    let task = broken.event().await.unwrap().data["result"].clone();
    let working = broken.event().await.unwrap();
    drop(broken);
    gate.open();
    let headers = format!("Last-Event-ID: {}\r\n", working.id);
    let response = post(&server, &headers, "tasks/resubscribe", &json!({ "id": task["id"] })).await;
    let lines: Vec<String> =
        response.events().await.iter().map(|event| line(&event.data["result"])).collect();
    assert_eq!(lines, ["one ", "+two last", "completed final"]);
}

#[tokio::test]
async fn an_error_of_a_stream_is_its_one_event() {
    let server = server().await;
    for (method, params, code) in [
        ("tasks/resubscribe", json!({ "id": "no-such" }), -32001),
        ("message/stream", json!({ "message": { "messageId": "m", "role": "user", "parts": [] } }), -32602),
        ("message/stream", json!({}), -32602),
    ] {
        let response = post(&server, "", method, &params).await;
        assert_eq!(
            (response.status, response.header("content-type")),
            (200, "text/event-stream"),
            "{method}"
        );
        let events = response.events().await;
        assert_eq!(events.len(), 1, "{method}");
        assert_eq!(events[0].data["id"], 1);
        assert_eq!(refused(&events[0].data["error"]).0, code, "{method}");
    }
    let done = result(&server, "message/send", &params("echo", "hi")).await;
    let events = stream(&server, "tasks/resubscribe", &json!({ "id": done["id"] })).await;
    assert_eq!(events.iter().map(|event| refused(event).0).collect::<Vec<_>>(), [-32004]);
}

#[tokio::test]
async fn bad_parameters_are_refused_and_change_nothing() {
    let server = server().await;
    let message = |change: fn(&mut Value)| {
        let mut params = params("echo", "hi");
        change(&mut params["message"]);
        params
    };
    for (method, params, told) in [
        ("message/send", json!({}), "`message`"),
        ("message/send", json!([]), ""),
        (
            "message/send",
            message(|message| message["parts"] = json!([])),
            "`message.parts`: must not be empty",
        ),
        ("message/send", message(|message| message["parts"] = json!(null)), "`message.parts`"),
        (
            "message/send",
            message(|message| message["parts"][0]["kind"] = json!("image")),
            "`message.parts[0]`: `image` is no kind of part",
        ),
        (
            "message/send",
            message(|message| message["parts"] = json!([{ "type": "image", "text": "hi" }])),
            "`message.parts[0]`: `image` is no kind of part",
        ),
        (
            "message/send",
            message(|message| message["parts"] = json!([{ "kind": "file", "raw": "aGk=" }])),
            "`message.parts[0]`: holds `raw`, which is of protocol 1.0",
        ),
        (
            "message/send",
            message(|message| message["role"] = json!("ROLE_USER")),
            "`message.role`: expected `user`",
        ),
        ("message/send", message(|message| message["role"] = json!("robot")), "`message.role`"),
        (
            "message/send",
            message(|message| drop(message.as_object_mut().unwrap().remove("messageId"))),
            "messageId",
        ),
        ("tasks/get", json!({}), "`id`: is required"),
        ("tasks/get", json!({ "id": "x", "historyLength": -1 }), "`historyLength`: expected 0 or more"),
        ("tasks/cancel", json!({ "id": 7 }), "`id`"),
        (
            "tasks/pushNotificationConfig/set",
            json!({ "taskId": "x" }),
            "`pushNotificationConfig`: is required",
        ),
        (
            "tasks/pushNotificationConfig/delete",
            json!({ "id": "x" }),
            "`pushNotificationConfigId`: is required",
        ),
    ] {
        let (code, text) = error(&server, method, &params).await;
        assert_eq!(code, -32602, "{method} {params}: {text}");
        assert!(text.contains(told), "{method} {params}: {text}");
    }
    let mut negative = params("echo", "hi");
    negative["configuration"] = json!({ "historyLength": -1 });
    assert_eq!(error(&server, "message/send", &negative).await.0, -32602);
    assert_eq!(server.call("ListTasks", json!({})).await["result"]["totalSize"], 0, "no task was made");
    assert_eq!(result(&server, "message/send", &params("echo", "hi")).await["status"]["state"], "completed");
}

#[tokio::test]
async fn a_method_that_there_is_not_is_told_in_the_form_of_its_generation() {
    let server = server().await;
    // Those of 0.1 have another model altogether, and no generation has a list of that name.
    for method in
        ["tasks/send", "tasks/sendSubscribe", "tasks/pushNotification/set", "tasks/list", "a/b", "/"]
    {
        let (code, text) = error(&server, method, &json!({})).await;
        assert_eq!(code, -32601, "{method}");
        assert!(text.contains(method), "{text}");
    }
    // Without a slash and without a version, nothing tells 1.0 from 0.3; by the specification it is 0.3.
    for body in ["{", "[]", "{}", r#"{"jsonrpc":"2.0","id":1}"#] {
        let response = http::request(server.address, "POST", "/", "", body.as_bytes()).await;
        assert_eq!(response.status, 200);
        refused(&response.json().await["error"]);
        let modern = server.post(body).await.json().await;
        assert_eq!(modern["error"]["data"][0]["domain"], "a2a-protocol.org", "{body}");
    }
}

#[tokio::test]
async fn a_request_of_0_2_without_an_id_is_answered() {
    let server = server().await;
    let body =
        json!({ "jsonrpc": "2.0", "method": "message/send", "params": params("echo", "hi") }).to_string();
    let response = http::request(server.address, "POST", "/", "", body.as_bytes()).await;
    let answer = response.json().await;
    assert_eq!((&answer["id"], &answer["result"]["status"]["state"]), (&Value::Null, &json!("completed")));
}

#[tokio::test]
async fn an_agent_that_does_not_serve_it_says_what_to_call() {
    let server = serve(echo::agent().state(Gate::default()).legacy(false)).await;
    let answer = server.call("message/send", params("echo", "hi")).await;
    assert_eq!(answer["error"]["code"], -32601);
    let text = answer["error"]["message"].as_str().unwrap();
    assert!(text.contains("protocol 0.3") && text.contains("SendMessage"), "{text}");
    assert_eq!(server.get("/.well-known/agent.json", "").await.status, 404);
    let response =
        http::request(server.address, "POST", "/v1/message:send", "A2A-Version: 1.0\r\n", b"{}").await;
    assert_eq!(response.status, 404);
}
