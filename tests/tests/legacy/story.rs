//! One task, seen by callers of both generations.

use super::*;

#[tokio::test]
async fn a_task_of_one_generation_is_seen_by_the_other() {
    let server = server().await;
    let older = result(&server, "message/send", &params("echo", "hi")).await;
    let seen = server.call("GetTask", json!({ "id": older["id"] })).await["result"].clone();
    assert_eq!((&seen["id"], &seen["status"]["state"]), (&older["id"], &json!("TASK_STATE_COMPLETED")));
    assert_eq!(seen["artifacts"][0]["parts"], json!([{ "text": "hi" }]));
    assert_eq!(seen["history"][0]["parts"], json!([{ "text": "hi" }]));

    let message = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "data": [1, 2] }],
        "metadata": { SKILLS_EXTENSION: { "skill": "mirror" } } });
    let modern = server.call("SendMessage", json!({ "message": message })).await["result"]["task"].clone();
    let seen = result(&server, "tasks/get", &json!({ "id": modern["id"] })).await;
    assert_eq!((&seen["kind"], &seen["contextId"]), (&json!("task"), &modern["contextId"]));
    let wrapped =
        json!([{ "kind": "data", "data": { "value": [1, 2] }, "metadata": { "data_part_compat": true } }]);
    assert_eq!(seen["artifacts"][0]["parts"], wrapped);
}

#[tokio::test]
async fn a_conversation_begun_in_one_generation_goes_on_in_the_other() {
    let server = server().await;
    let asked = result(&server, "message/send", &params("ask", "hi")).await;
    let more = json!({ "message": { "messageId": "2", "role": "ROLE_USER", "parts": [{ "text": "done" }], "taskId": asked["id"] } });
    let done = server.call("SendMessage", more).await["result"]["task"].clone();
    assert_eq!((&done["id"], &done["status"]["state"]), (&asked["id"], &json!("TASK_STATE_COMPLETED")));
    let seen = result(&server, "tasks/get", &json!({ "id": asked["id"] })).await;
    let said: Vec<&Value> =
        seen["history"].as_array().unwrap().iter().map(|message| &message["parts"][0]["text"]).collect();
    assert_eq!(said, ["hi", "what else?", "done"]);
}

#[tokio::test]
async fn subscribers_of_each_generation_get_the_same_story() {
    let gate = Gate::default();
    let server = serve(agent(&gate)).await;
    let mut request = params("chunks", "");
    request["configuration"] = json!({ "blocking": false });
    let task = result(&server, "message/send", &request).await;
    gate.reached().await;
    let id = json!({ "id": task["id"] });
    let path = format!("/v1/tasks/{}:subscribe", task["id"].as_str().unwrap());
    let mut older = post(&server, "", "tasks/resubscribe", &id).await;
    let mut proto = http::request(server.address, "GET", &path, "", b"").await;
    let mut modern = server.stream("SubscribeToTask", id, "").await;
    for stream in [&mut older, &mut proto, &mut modern] {
        stream.event().await.unwrap();
    }
    gate.open();
    let ids = |events: &[http::Event]| events.iter().map(|event| event.id.clone()).collect::<Vec<_>>();
    let (older, proto, modern) = (older.events().await, proto.events().await, modern.events().await);
    assert_eq!((ids(&older), ids(&proto)), (ids(&modern), ids(&modern)), "event for event");
    let lines: Vec<String> = older.iter().map(|event| line(&event.data["result"])).collect();
    assert_eq!(lines, ["one ", "+two last", "completed final"]);
    let texts: Vec<&Value> = modern
        .iter()
        .map(|event| &event.data["result"]["artifactUpdate"]["artifact"]["parts"][0]["text"])
        .collect();
    assert_eq!(texts, [&json!("one "), &json!("two"), &Value::Null]);
    let parts: Vec<&Value> =
        proto.iter().map(|event| &event.data["artifactUpdate"]["artifact"]["parts"][0]["text"]).collect();
    assert_eq!(parts, texts);
}
