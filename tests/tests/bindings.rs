//! One table of requests over the three bindings: the same results, and the same errors, each in its binding's code.
#![allow(clippy::unwrap_used, reason = "tests")]

mod three;

use a2a_sdk::protocol::Message;
use a2a_sdk::{Agent, Context, Reply, SKILLS_EXTENSION, SkillError, WebhookPolicy};
use a2a_tests::http::{Server, serve};
use serde_json::{Value, json};
use three::{BINDINGS, Binding, Outcome, V1, call, message, plain};

/// Says it back.
#[a2a_sdk::agent]
async fn echo(message: Message) -> Reply {
    Reply::parts(message.parts)
}

/// Asks.
#[a2a_sdk::skill]
async fn ask(ctx: Context) -> Result<String, SkillError> {
    Ok(ctx.ask("?").await?.text())
}

/// Answers without a task.
#[a2a_sdk::skill]
async fn direct(text: String) -> Message {
    Message::agent(text)
}

/// Fails.
#[a2a_sdk::skill]
async fn fails() -> Result<String, SkillError> {
    Err(SkillError::rejected("not today"))
}

/// Fails before it has said anything.
#[a2a_sdk::skill]
async fn errs() -> Result<String, std::io::Error> {
    Err(std::io::Error::other("a secret"))
}

/// Breaks, where no task could tell it.
#[a2a_sdk::skill]
async fn breaks(text: String) -> Result<Message, std::io::Error> {
    if text == "panic" {
        panic!("a secret");
    }
    Err(std::io::Error::other("a secret"))
}

/// Writes two chunks.
#[a2a_sdk::skill]
async fn chunks(ctx: Context) -> Result<Reply, SkillError> {
    let mut artifact = ctx.artifact("a");
    artifact.write("1").await?;
    artifact.finish_with("2").await?;
    Ok(Reply::parts([]))
}

fn agent() -> Agent {
    echo::agent().push_notifications(WebhookPolicy::new())
}

/// The codes of an error: of JSON-RPC, HTTP, gRPC.
fn codes(reason: &str) -> [i64; 3] {
    match reason {
        "TASK_NOT_FOUND" => [-32001, 404, 5],
        "TASK_NOT_CANCELABLE" => [-32002, 400, 9],
        "PUSH_NOTIFICATION_NOT_SUPPORTED" => [-32003, 400, 9],
        "UNSUPPORTED_OPERATION" => [-32004, 400, 9],
        "CONTENT_TYPE_NOT_SUPPORTED" => [-32005, 400, 3],
        "EXTENSION_SUPPORT_REQUIRED" => [-32008, 400, 9],
        "VERSION_NOT_SUPPORTED" => [-32009, 400, 9],
        "INVALID_PARAMS" => [-32602, 400, 3],
        "INTERNAL" => [-32603, 500, 13],
        "UNAUTHENTICATED" => [-32600, 401, 16],
        other => panic!("no codes for {other}"),
    }
}

/// The same value without what is made anew each time.
fn masked(mut value: Value) -> Value {
    fn mask(value: &mut Value) {
        match value {
            Value::Array(list) => list.iter_mut().for_each(mask),
            Value::Object(object) => {
                for (name, value) in object {
                    match name.as_str() {
                        "id" | "taskId" | "contextId" | "messageId" | "artifactId" | "timestamp"
                        | "nextPageToken" => *value = json!("*"),
                        _ => mask(value),
                    }
                }
            }
            _ => {}
        }
    }
    mask(&mut value);
    value
}

/// The call over every binding, masked; what is refused is `Err` of the reason and the field.
async fn alike(server: &Server, method: &str, params: &Value) -> Result<Value, (String, String)> {
    let mut told = Vec::new();
    for (at, binding) in BINDINGS.into_iter().enumerate() {
        let outcome: Outcome = call(server.address, binding, V1, method, params).await;
        told.push(match outcome {
            Ok(result) => Ok(masked(plain(method, &result))),
            Err(refused) => {
                assert_eq!(refused.code, codes(&refused.reason)[at], "{binding:?} {method} {params}");
                assert!(!refused.message.is_empty());
                Err((refused.reason, refused.field))
            }
        });
    }
    assert_eq!(told[0], told[1], "JSON-RPC and HTTP+JSON: {method} {params}");
    assert_eq!(told[0], told[2], "JSON-RPC and gRPC: {method} {params}");
    told.swap_remove(0)
}

fn to(skill: &str) -> Value {
    with("metadata", json!({ SKILLS_EXTENSION: { "skill": skill } }))
}

fn with(name: &str, value: Value) -> Value {
    let mut message = message("hi");
    message[name] = value;
    json!({ "message": message })
}

fn configured(name: &str, value: Value) -> Value {
    let mut request = json!({ "message": message("hi") });
    request["configuration"][name] = value;
    request
}

fn inline(config: Value) -> Value {
    configured("taskPushNotificationConfig", config)
}

/// The id of a task that such a message makes.
async fn sent(server: &Server, request: &Value) -> String {
    let answer = call(server.address, Binding::JsonRpc, V1, "SendMessage", request).await.unwrap();
    answer["task"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn what_is_asked_well_is_answered_alike() {
    let server = serve(agent()).await;
    let done = sent(&server, &json!({ "message": message("hi") })).await;
    let asked = sent(&server, &to("ask")).await;
    let config = json!({ "taskId": asked, "id": "c", "url": "https://8.8.8.8:9/x", "token": "t",
        "authentication": { "scheme": "Bearer", "credentials": "s" } });
    let table = [
        ("SendMessage", json!({ "message": message("hi") })),
        ("SendMessage", with("contextId", json!("mine"))),
        (
            "SendMessage",
            with("metadata", json!({ "n": 1, "half": 0.5, "none": null, "list": [{ "a": "" }] })),
        ),
        ("SendMessage", with("parts", json!([{ "data": { "n": 1, "none": null } }, { "data": [1, "x"] }]))),
        (
            "SendMessage",
            with("parts", json!([{ "raw": "+/8=", "filename": "a", "mediaType": "text/plain" }])),
        ),
        ("SendMessage", with("parts", json!([{ "url": "https://example.com/", "metadata": { "a": "é" } }]))),
        ("SendMessage", with("referenceTaskIds", json!(["a", "b"]))),
        ("SendMessage", configured("historyLength", json!(0))),
        ("SendMessage", configured("acceptedOutputModes", json!(["text/plain"]))),
        ("SendMessage", inline(json!({ "id": "c", "url": "https://8.8.8.8:9/" }))),
        ("SendMessage", to("direct")),
        ("SendMessage", to("fails")),
        ("SendMessage", to("ask")),
        ("SendStreamingMessage", json!({ "message": message("hi") })),
        ("SendStreamingMessage", to("direct")),
        ("SendStreamingMessage", to("fails")),
        ("SendStreamingMessage", to("chunks")),
        ("SendStreamingMessage", to("ask")),
        ("GetTask", json!({ "id": done })),
        ("GetTask", json!({ "id": asked, "historyLength": 0 })),
        ("GetTask", json!({ "id": asked, "historyLength": 1 })),
        ("ListTasks", json!({ "contextId": "mine" })),
        ("ListTasks", json!({ "contextId": "mine", "includeArtifacts": true, "pageSize": 2 })),
        ("ListTasks", json!({ "contextId": "mine", "status": "TASK_STATE_COMPLETED", "historyLength": 0 })),
        ("ListTasks", json!({ "statusTimestampAfter": "9999-01-01T00:00:00Z" })),
        ("ListTasks", json!({ "tenant": "nobody's" })),
        ("CreateTaskPushNotificationConfig", config.clone()),
        ("GetTaskPushNotificationConfig", json!({ "taskId": asked, "id": "c" })),
        ("ListTaskPushNotificationConfigs", json!({ "taskId": asked, "pageSize": 10 })),
        ("DeleteTaskPushNotificationConfig", json!({ "taskId": asked, "id": "c" })),
        ("DeleteTaskPushNotificationConfig", json!({ "taskId": asked, "id": "never" })),
    ];
    for (method, params) in table {
        let answer = alike(&server, method, &params).await;
        assert!(answer.is_ok(), "{method} {params}: {answer:?}");
    }
}

#[tokio::test]
async fn what_is_asked_badly_is_refused_alike() {
    let server = serve(agent()).await;
    let done = sent(&server, &json!({ "message": message("hi") })).await;
    let asked = sent(&server, &to("ask")).await;
    let elsewhere = {
        let mut request = with("taskId", json!(asked));
        request["message"]["contextId"] = json!("elsewhere");
        request
    };
    let mut image = to("direct");
    image["message"]["parts"] = json!([{ "text": "a", "mediaType": "image/png" }]);
    let mut panicking = to("breaks");
    panicking["message"]["parts"] = json!([{ "text": "panic" }]);
    let push = "configuration.taskPushNotificationConfig.url";
    let invalid = "INVALID_PARAMS";
    let table = [
        ("SendMessage", json!({}), invalid, "message"),
        ("SendMessage", with("messageId", json!("")), invalid, "message.messageId"),
        ("SendMessage", with("role", json!("ROLE_UNSPECIFIED")), invalid, "message.role"),
        ("SendMessage", with("parts", json!([])), invalid, "message.parts"),
        ("SendMessage", with("parts", json!([{ "text": "a" }, {}])), invalid, "message.parts[1]"),
        ("SendMessage", with("taskId", json!("none")), "TASK_NOT_FOUND", ""),
        ("SendMessage", with("taskId", json!(done)), "UNSUPPORTED_OPERATION", ""),
        ("SendMessage", elsewhere, invalid, "message.contextId"),
        ("SendMessage", configured("historyLength", json!(-1)), invalid, "configuration.historyLength"),
        ("SendMessage", inline(json!({ "url": "http://example.com/" })), invalid, push),
        ("SendMessage", inline(json!({ "url": "https://127.0.0.1/" })), invalid, push),
        ("SendMessage", inline(json!({})), invalid, push),
        ("SendMessage", image, "CONTENT_TYPE_NOT_SUPPORTED", ""),
        ("SendMessage", to("breaks"), "INTERNAL", ""),
        ("SendMessage", panicking.clone(), "INTERNAL", ""),
        ("SendStreamingMessage", to("breaks"), "INTERNAL", ""),
        ("SendStreamingMessage", panicking, "INTERNAL", ""),
        ("SendStreamingMessage", json!({}), invalid, "message"),
        ("SendStreamingMessage", with("taskId", json!(done)), "UNSUPPORTED_OPERATION", ""),
        ("SendStreamingMessage", with("taskId", json!("none")), "TASK_NOT_FOUND", ""),
        ("GetTask", json!({ "id": "none" }), "TASK_NOT_FOUND", ""),
        ("GetTask", json!({ "id": done, "tenant": "north" }), "TASK_NOT_FOUND", ""),
        ("GetTask", json!({ "id": done, "historyLength": -1 }), invalid, "historyLength"),
        ("ListTasks", json!({ "pageSize": 0 }), invalid, "pageSize"),
        ("ListTasks", json!({ "pageSize": 101 }), invalid, "pageSize"),
        ("ListTasks", json!({ "pageToken": "forged" }), invalid, "pageToken"),
        ("ListTasks", json!({ "historyLength": -1 }), invalid, "historyLength"),
        ("ListTasks", json!({ "status": 99 }), invalid, "status"),
        ("CancelTask", json!({ "id": "none" }), "TASK_NOT_FOUND", ""),
        ("CancelTask", json!({ "id": done }), "TASK_NOT_CANCELABLE", ""),
        ("SubscribeToTask", json!({ "id": "none" }), "TASK_NOT_FOUND", ""),
        ("SubscribeToTask", json!({ "id": done }), "UNSUPPORTED_OPERATION", ""),
        (
            "CreateTaskPushNotificationConfig",
            json!({ "taskId": "none", "url": "https://8.8.8.8/" }),
            "TASK_NOT_FOUND",
            "",
        ),
        ("CreateTaskPushNotificationConfig", json!({ "taskId": asked }), invalid, "url"),
        (
            "CreateTaskPushNotificationConfig",
            json!({ "taskId": asked, "url": "ftp://8.8.8.8/" }),
            invalid,
            "url",
        ),
        ("GetTaskPushNotificationConfig", json!({ "taskId": asked, "id": "none" }), "TASK_NOT_FOUND", ""),
        ("GetTaskPushNotificationConfig", json!({ "taskId": "none", "id": "c" }), "TASK_NOT_FOUND", ""),
        ("ListTaskPushNotificationConfigs", json!({ "taskId": "none" }), "TASK_NOT_FOUND", ""),
        ("ListTaskPushNotificationConfigs", json!({ "taskId": asked, "pageSize": -1 }), invalid, "pageSize"),
        (
            "ListTaskPushNotificationConfigs",
            json!({ "taskId": asked, "pageToken": "forged" }),
            invalid,
            "pageToken",
        ),
        ("DeleteTaskPushNotificationConfig", json!({ "taskId": "none", "id": "c" }), "TASK_NOT_FOUND", ""),
        ("GetExtendedAgentCard", json!({}), "UNSUPPORTED_OPERATION", ""),
    ];
    for (method, params, reason, field) in table {
        let answer = alike(&server, method, &params).await;
        assert_eq!(answer, Err((reason.to_owned(), field.to_owned())), "{method} {params}");
    }
    let list = alike(&server, "ListTasks", &json!({})).await.unwrap();
    assert_eq!(list["totalSize"], 2, "nothing that is refused makes a task");
}

#[tokio::test]
async fn a_request_that_only_json_can_spell_is_refused_alike_where_there_is_json() {
    let server = serve(agent()).await;
    for (method, params, field) in [
        ("SendMessage", with("role", json!("ROLE_NOBODY")), "message.role"),
        ("SendMessage", with("parts", json!([{ "text": "a", "url": "b" }])), "message.parts[0]"),
        ("SendMessage", with("parts", json!([{ "raw": "%" }])), "message.parts[0].raw"),
        ("SendMessage", with("parts", json!({})), "message.parts"),
        ("SendMessage", json!({ "message": [] }), "message"),
        ("SendMessage", configured("returnImmediately", json!("perhaps")), "configuration.returnImmediately"),
        ("ListTasks", json!({ "status": "NO_SUCH" }), "status"),
        ("ListTasks", json!({ "statusTimestampAfter": "x" }), "statusTimestampAfter"),
        ("ListTasks", json!({ "pageSize": "many" }), "pageSize"),
    ] {
        for (at, binding) in [Binding::JsonRpc, Binding::Rest].into_iter().enumerate() {
            let refused = call(server.address, binding, V1, method, &params).await.unwrap_err();
            assert_eq!(
                (&*refused.reason, &*refused.field),
                ("INVALID_PARAMS", field),
                "{binding:?} {params}"
            );
            assert_eq!(refused.code, codes("INVALID_PARAMS")[at]);
        }
    }
}

#[tokio::test]
async fn a_failure_without_a_task_tells_its_incident_and_nothing_else() {
    let server = serve(agent()).await;
    let mut incidents = Vec::new();
    for binding in BINDINGS {
        for method in ["SendMessage", "SendStreamingMessage"] {
            let refused = call(server.address, binding, V1, method, &to("breaks")).await.unwrap_err();
            let incident = refused.message.strip_prefix("internal error, incident ").unwrap();
            assert_eq!(incident.len(), 36, "{refused:?}");
            incidents.push(incident.to_owned());
        }
    }
    incidents.sort();
    incidents.dedup();
    assert_eq!(incidents.len(), 6, "each has its own");
}

#[tokio::test]
async fn a_task_that_fails_at_once_streams_as_submitted_and_then_failed() {
    let server = serve(agent()).await;
    for binding in BINDINGS {
        let told = call(server.address, binding, V1, "SendStreamingMessage", &to("errs")).await.unwrap();
        let [first, last] = told.as_array().unwrap().as_slice() else { panic!("{binding:?} {told}") };
        assert_eq!(first["task"]["status"]["state"], "TASK_STATE_SUBMITTED", "{binding:?}");
        let update = &last["statusUpdate"];
        assert_eq!(update["status"]["state"], "TASK_STATE_FAILED", "{binding:?}");
        assert_eq!(update["taskId"], first["task"]["id"], "{binding:?}");
        assert_eq!(update["contextId"], first["task"]["contextId"], "{binding:?}");
        assert!(!told.to_string().contains("secret"), "{binding:?}");
    }
}
