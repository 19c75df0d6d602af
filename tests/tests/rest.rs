//! HTTP+JSON as clients see it: paths, parameters, media types, errors and streams.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::Message;
use a2a_sdk::{Agent, Cancel, Context, Principal, SkillError, WebhookPolicy};
use a2a_tests::http::{Response, Server, request, serve};
use a2a_tests::to;
use serde_json::{Value, json};

/// Says it back.
#[a2a_sdk::agent]
async fn echo(text: String) -> String {
    text
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

/// Waits until it is told to stop, and says by what.
#[a2a_sdk::skill]
async fn wait(cancel: Cancel) -> String {
    cancel.requested().await;
    let why = cancel.metadata().and_then(|metadata| metadata.get("why")?.as_str());
    why.unwrap_or("nothing").to_owned()
}

fn agent() -> Agent {
    echo::agent().push_notifications(WebhookPolicy::new())
}

async fn server() -> Server {
    serve(agent()).await
}

async fn call(server: &Server, method: &str, path: &str, headers: &str, body: &str) -> Response {
    let headers = format!("A2A-Version: 1.0\r\n{headers}");
    request(server.address, method, path, &headers, body.as_bytes()).await
}

async fn get(server: &Server, path: &str) -> (u16, Value) {
    let response = call(server, "GET", path, "", "").await;
    (response.status, response.json().await)
}

async fn post(server: &Server, path: &str, body: &Value) -> (u16, Value) {
    let headers = "Content-Type: application/json\r\n";
    let response = call(server, "POST", path, headers, &body.to_string()).await;
    (response.status, response.json().await)
}

fn message(skill: &str, text: &str) -> Value {
    json!({ "message": serde_json::to_value(to(skill, text)).unwrap() })
}

/// The task that a message makes.
async fn sent(server: &Server, prefix: &str, skill: &str) -> Value {
    let mut request = message(skill, "hi");
    request["configuration"] = json!({ "returnImmediately": skill == "wait" });
    let (status, answer) = post(server, &format!("{prefix}/message:send"), &request).await;
    assert_eq!(status, 200, "{answer}");
    answer["task"].clone()
}

fn id(task: &Value) -> &str {
    task["id"].as_str().unwrap()
}

/// An error in the form of AIP-193: the statuses agree, and the reason is in the first detail.
fn assert_error((status, body): &(u16, Value), expected: u16, name: &str, reason: &str) {
    let error = &body["error"];
    assert_eq!((*status, &error["code"]), (expected, &json!(expected)), "{body}");
    assert_eq!((&error["status"], &error["details"][0]["reason"]), (&json!(name), &json!(reason)), "{body}");
    assert_eq!(error["details"][0]["@type"], "type.googleapis.com/google.rpc.ErrorInfo");
    assert_eq!(error["details"][0]["domain"], "a2a-protocol.org");
    assert!(!error["message"].as_str().unwrap().is_empty());
    assert!(body.get("jsonrpc").is_none());
}

fn assert_invalid(answer: &(u16, Value), field: &str) {
    assert_error(answer, 400, "INVALID_ARGUMENT", "INVALID_PARAMS");
    let details = &answer.1["error"]["details"][1];
    assert_eq!(details["@type"], "type.googleapis.com/google.rpc.BadRequest");
    assert_eq!(details["fieldViolations"][0]["field"], field, "{}", answer.1);
}

#[tokio::test]
async fn every_operation_has_its_route_with_and_without_a_tenant() {
    let server = serve(agent().extended_card(|_, card| Some(card))).await;
    for prefix in ["", "/north", "/north%20east"] {
        let done = sent(&server, prefix, "echo").await;
        assert_eq!(done["artifacts"][0]["parts"][0]["text"], "hi");
        let asked = sent(&server, prefix, "ask").await;

        let path = format!("{prefix}/tasks/{}", id(&done));
        assert_eq!(get(&server, &path).await, (200, done.clone()));
        let (status, list) = get(&server, &format!("{prefix}/tasks")).await;
        assert_eq!((status, &list["totalSize"], &list["nextPageToken"]), (200, &json!(2), &json!("")));

        let configs = format!("{prefix}/tasks/{}/pushNotificationConfigs", id(&asked));
        let config = json!({ "id": "c", "url": "https://192.0.2.1/" });
        let refused = post(&server, &configs, &config).await;
        assert_invalid(&refused, "url");
        let config = json!({ "id": "c", "url": "https://8.8.8.8:9/", "taskId": "of the path" });
        let (status, created) = post(&server, &configs, &config).await;
        assert_eq!((status, &created["id"], &created["taskId"]), (200, &json!("c"), &asked["id"]));
        assert_eq!(get(&server, &format!("{configs}/c")).await, (200, created.clone()));
        let (status, list) = get(&server, &configs).await;
        assert_eq!((status, &list["configs"]), (200, &json!([created])));
        for _ in 0..2 {
            let gone = call(&server, "DELETE", &format!("{configs}/c"), "", "").await;
            assert_eq!((gone.status, gone.header("content-type")), (200, "application/json"));
            assert_eq!(gone.json().await, json!({}));
        }
        assert_error(&get(&server, &format!("{configs}/c")).await, 404, "NOT_FOUND", "TASK_NOT_FOUND");

        let cancel = call(&server, "POST", &format!("{prefix}/tasks/{}:cancel", id(&asked)), "", "").await;
        assert_eq!(cancel.status, 200);
        assert_eq!(cancel.json().await["status"]["state"], "TASK_STATE_CANCELED");

        let stream = format!("{prefix}/message:stream");
        let events = call(&server, "POST", &stream, "", &message("echo", "hi").to_string()).await;
        assert_eq!((events.status, events.header("content-type")), (200, "text/event-stream"));
        assert_eq!(
            events.events().await.last().unwrap().data["statusUpdate"]["status"]["state"],
            "TASK_STATE_COMPLETED"
        );

        let card = get(&server, &format!("{prefix}/extendedAgentCard")).await;
        assert_error(&card, 401, "UNAUTHENTICATED", "UNAUTHENTICATED");
    }
    let (_, list) = get(&server, "/tasks").await;
    assert_eq!(list["totalSize"], 3, "tenants are apart");
}

#[tokio::test]
async fn a_tenant_of_the_path_cannot_be_changed_by_what_else_the_request_says() {
    let server = server().await;
    let north = sent(&server, "/north", "ask").await;
    for prefix in ["", "/south"] {
        let path = format!("{prefix}/tasks/{}", id(&north));
        assert_error(&get(&server, &path).await, 404, "NOT_FOUND", "TASK_NOT_FOUND");
    }
    let path = format!("/south/tasks/{}?tenant=north", id(&north));
    assert_error(&get(&server, &path).await, 404, "NOT_FOUND", "TASK_NOT_FOUND");
    let (_, list) = get(&server, "/south/tasks?tenant=north").await;
    assert_eq!(list["totalSize"], 0);
    let mut request = message("echo", "hi");
    request["tenant"] = json!("north");
    assert_eq!(post(&server, "/south/message:send", &request).await.0, 200);
    assert_eq!(get(&server, "/north/tasks").await.1["totalSize"], 1);
    assert_eq!(get(&server, "/south/tasks").await.1["totalSize"], 1);
}

#[tokio::test]
async fn a_task_of_the_path_cannot_be_changed_by_the_query() {
    let server = server().await;
    let one = sent(&server, "", "ask").await;
    let other = sent(&server, "", "ask").await;
    let (status, task) = get(&server, &format!("/tasks/{}?id={}", id(&one), id(&other))).await;
    assert_eq!((status, &task["id"]), (200, &one["id"]));
    let config = json!({ "id": "c", "url": "https://8.8.8.8:9/" });
    let path = format!("/tasks/{}/pushNotificationConfigs", id(&other));
    assert_eq!(post(&server, &path, &config).await.0, 200);
    for name in ["taskId", "task_id"] {
        let path = format!("/tasks/{}/pushNotificationConfigs?{name}={}", id(&one), id(&other));
        let (status, list) = get(&server, &path).await;
        assert_eq!((status, list["configs"].get(0)), (200, None), "{name}");
    }
}

#[tokio::test]
async fn both_media_types_are_read_and_the_one_that_is_asked_for_is_answered() {
    let server = server().await;
    let body = message("echo", "hi").to_string();
    for kind in ["application/json", "application/a2a+json", "application/json; charset=utf-8"] {
        let headers = format!("Content-Type: {kind}\r\n");
        assert_eq!(call(&server, "POST", "/message:send", &headers, &body).await.status, 200, "{kind}");
    }
    assert_eq!(call(&server, "POST", "/message:send", "", &body).await.status, 200);
    for (accept, answered) in [
        ("", "application/json"),
        ("Accept: */*\r\n", "application/json"),
        ("Accept: application/json\r\n", "application/json"),
        ("Accept: application/a2a+json\r\n", "application/a2a+json"),
        ("Accept: application/a2a+json, application/json\r\n", "application/a2a+json"),
        ("Accept: text/html\r\nAccept: application/a2a+json\r\n", "application/a2a+json"),
    ] {
        for path in ["/tasks", "/tasks/no-such"] {
            let response = call(&server, "GET", path, accept, "").await;
            assert_eq!(response.header("content-type"), answered, "{path} {accept}");
        }
    }
}

#[tokio::test]
async fn another_media_type_is_refused_before_anything_runs() {
    let server = server().await;
    let body = message("echo", "hi").to_string();
    for kind in ["text/plain", "application/xml", "application/x-www-form-urlencoded"] {
        let headers = format!("Content-Type: {kind}\r\n");
        let response = call(&server, "POST", "/message:send", &headers, &body).await;
        let answer = (response.status, response.json().await);
        assert_error(&answer, 415, "INVALID_ARGUMENT", "CONTENT_TYPE_NOT_SUPPORTED");
    }
    assert_eq!(get(&server, "/tasks").await.1["totalSize"], 0);
}

#[tokio::test]
async fn the_media_type_of_a_body_that_is_not_there_does_not_matter() {
    let server = server().await;
    let asked = sent(&server, "", "ask").await;
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        let headers = format!("Content-Type: {kind}\r\n");
        for (method, path, status) in [
            ("GET", format!("/tasks/{}", id(&asked)), 200),
            ("GET", "/tasks".to_owned(), 200),
            ("DELETE", format!("/tasks/{}/pushNotificationConfigs/c", id(&asked)), 200),
            ("POST", "/tasks/none:cancel".to_owned(), 404),
            ("POST", "/tasks/none:subscribe".to_owned(), 404),
        ] {
            let response = call(&server, method, &path, &headers, "").await;
            assert_eq!(response.status, status, "{method} {path} {kind}");
        }
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let server = serve(agent().body_limit(1000)).await;
    for path in ["/message:send", "/message:stream"] {
        let answer = post(&server, path, &message("echo", &"x".repeat(1000))).await;
        assert_error(&answer, 413, "INVALID_ARGUMENT", "INVALID_REQUEST");
    }
    assert_eq!(get(&server, "/tasks").await.1["totalSize"], 0);
}

#[tokio::test]
async fn a_cancellation_may_have_no_body_or_an_empty_one_or_metadata() {
    let server = server().await;
    for (headers, body, said) in [
        ("", "", "nothing"),
        ("Content-Type: application/json\r\n", "", "nothing"),
        ("", "null", "nothing"),
        ("", "{}", "nothing"),
        ("", r#"{"metadata":null}"#, "nothing"),
        ("", r#"{"id":"other","metadata":{"why":"enough"}}"#, "enough"),
    ] {
        let task = sent(&server, "", "wait").await;
        let path = format!("/tasks/{}", id(&task));
        let canceled = call(&server, "POST", &format!("{path}:cancel"), headers, body).await;
        assert_eq!(canceled.status, 200, "{body}");
        let mut task = canceled.json().await;
        assert_eq!(task["status"]["state"], "TASK_STATE_CANCELED");
        // What the skill still says comes after the answer.
        while task["artifacts"][0].is_null() {
            tokio::task::yield_now().await;
            task = get(&server, &path).await.1;
        }
        assert_eq!(task["artifacts"][0]["parts"][0]["text"], said, "{body}");
    }
}

#[tokio::test]
async fn a_cancellation_whose_body_is_no_object_is_refused() {
    let server = server().await;
    let task = sent(&server, "", "wait").await;
    let path = format!("/tasks/{}:cancel", id(&task));
    for body in ["[]", r#"[{"why":"x"}]"#, "7", "\"x\"", r#"{"metadata":[]}"#, r#"{"metadata":7}"#] {
        let response = call(&server, "POST", &path, "", body).await;
        assert_eq!(response.status, 400, "{body}");
        assert_eq!(response.json().await["error"]["details"][0]["reason"], "INVALID_PARAMS");
    }
    let response = call(&server, "POST", &path, "", "{").await;
    assert_eq!(response.status, 400);
    assert_ne!(
        get(&server, &format!("/tasks/{}", id(&task))).await.1["status"]["state"],
        "TASK_STATE_CANCELED"
    );
    let response = call(&server, "POST", &path, "", "").await;
    assert_eq!(response.status, 200);
}

#[tokio::test]
async fn a_subscription_is_taken_over_get_and_post_and_begins_with_the_task() {
    let server = server().await;
    for method in ["GET", "POST"] {
        let asked = sent(&server, "", "ask").await;
        let path = format!("/tasks/{}:subscribe", id(&asked));
        let mut stream = call(&server, method, &path, "", "").await;
        assert_eq!((stream.status, stream.header("content-type")), (200, "text/event-stream"));
        assert_eq!(stream.header("cache-control"), "no-cache, no-transform");
        assert_eq!(stream.header("x-accel-buffering"), "no");
        let first = stream.event().await.unwrap();
        assert_eq!(first.data["task"]["id"], asked["id"]);
        assert!(first.data.get("jsonrpc").is_none() && first.data.get("result").is_none());
        assert!(first.id.starts_with(id(&asked)), "{}", first.id);

        let mut answer = message("ask", "yes");
        answer["message"]["taskId"] = asked["id"].clone();
        assert_eq!(post(&server, "/message:send", &answer).await.0, 200);
        let rest = stream.events().await;
        assert!(rest.iter().all(|event| event.data.as_object().unwrap().len() == 1), "one member each");
        assert_eq!(rest.last().unwrap().data["statusUpdate"]["status"]["state"], "TASK_STATE_COMPLETED");
    }
}

#[tokio::test]
async fn an_error_before_a_stream_opens_is_json() {
    let server = server().await;
    let done = sent(&server, "", "echo").await;
    let mut more = message("echo", "hi");
    more["message"]["taskId"] = done["id"].clone();
    let subscribe = |id: &str| format!("/tasks/{id}:subscribe");
    for (method, path, body, status, reason) in [
        ("POST", "/message:stream".to_owned(), "{}".to_owned(), 400, "INVALID_PARAMS"),
        ("POST", "/message:stream".to_owned(), "{".to_owned(), 400, "PARSE_ERROR"),
        ("POST", "/message:stream".to_owned(), more.to_string(), 400, "UNSUPPORTED_OPERATION"),
        ("GET", subscribe(id(&done)), String::new(), 400, "UNSUPPORTED_OPERATION"),
        ("POST", subscribe(id(&done)), String::new(), 400, "UNSUPPORTED_OPERATION"),
        ("GET", subscribe("no-such"), String::new(), 404, "TASK_NOT_FOUND"),
    ] {
        let response = call(&server, method, &path, "Accept: text/event-stream\r\n", &body).await;
        assert_eq!(
            (response.status, response.header("content-type")),
            (status, "application/json"),
            "{path}"
        );
        assert_eq!(response.json().await["error"]["details"][0]["reason"], reason);
    }
}

#[tokio::test]
async fn a_direct_message_is_wrapped_and_is_the_only_event_of_a_stream() {
    let server = server().await;
    let (status, answer) = post(&server, "/message:send", &message("direct", "hi")).await;
    assert_eq!((status, &answer["message"]["parts"][0]["text"]), (200, &json!("hi")));
    let body = message("direct", "hi").to_string();
    let events = call(&server, "POST", "/message:stream", "", &body).await.events().await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].data["message"]["parts"][0]["text"], "hi");
}

#[tokio::test]
async fn parameters_are_read_in_every_spelling() {
    let server = server().await;
    let mut request = message("echo", "hi");
    request["message"]["contextId"] = json!("a b+c&d=é");
    let (_, sent) = post(&server, "/message:send", &request).await;
    let time = sent["task"]["status"]["timestamp"].as_str().unwrap().replace(':', "%3A");
    let asked = message("ask", "hi");
    post(&server, "/message:send", &asked).await;
    for (query, total) in [
        ("", 2),
        ("?", 2),
        ("?&", 2),
        ("?unknown=1&unknown=2", 2),
        ("?status=TASK_STATE_COMPLETED", 1),
        ("?status=TASK_STATE_INPUT_REQUIRED", 1),
        ("?status=TASK_STATE_FAILED", 0),
        ("?contextId=a%20b%2Bc%26d%3D%C3%A9", 1),
        ("?context_id=a+b%2Bc%26d%3D%C3%A9", 1),
        ("?contextId=a+b+c", 0),
        ("?statusTimestampAfter=2020-01-01T00:00:00Z", 2),
        ("?status_timestamp_after=9999-01-01T00%3A00%3A00Z", 0),
        ("?pageSize=1", 2),
        ("?page_size=1&history_length=0&include_artifacts=true", 2),
        ("?A2A-Version=1.0", 2),
    ] {
        let (status, list) = get(&server, &format!("/tasks{query}")).await;
        assert_eq!((status, &list["totalSize"]), (200, &json!(total)), "{query} {list}");
    }
    let (_, list) = get(&server, &format!("/tasks?statusTimestampAfter={time}")).await;
    assert!(list["totalSize"].as_i64().unwrap() >= 1, "at or after: {list}");
    let with = |list: &Value| {
        let tasks = list["tasks"].as_array().unwrap();
        let task = tasks.iter().find(|task| task["id"] == sent["task"]["id"]).unwrap();
        task["artifacts"][0]["parts"][0]["text"] == "hi"
    };
    assert!(with(&get(&server, "/tasks?includeArtifacts=true").await.1));
    assert!(!with(&get(&server, "/tasks?includeArtifacts=false").await.1));
    assert!(!with(&get(&server, "/tasks").await.1));
    let task = sent["task"]["id"].as_str().unwrap();
    let (_, short) = get(&server, &format!("/tasks/{task}?historyLength=0")).await;
    assert!(short.get("history").is_none_or(|history| *history == json!([])), "{short}");
}

#[tokio::test]
async fn pages_are_walked_by_their_tokens() {
    let server = server().await;
    for _ in 0..3 {
        sent(&server, "", "echo").await;
    }
    let (mut token, mut seen) = (String::new(), Vec::new());
    loop {
        let (status, page) = get(&server, &format!("/tasks?pageSize=2&pageToken={token}")).await;
        assert_eq!(status, 200, "{page}");
        seen.extend(page["tasks"].as_array().unwrap().iter().map(|task| id(task).to_owned()));
        token = page["nextPageToken"].as_str().unwrap().to_owned();
        if token.is_empty() {
            break;
        }
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 3);
}

#[tokio::test]
async fn bad_parameters_are_told_by_name() {
    let server = server().await;
    for (query, field) in [
        ("status=NO_SUCH", "status"),
        ("status=99", "status"),
        ("pageSize=0", "pageSize"),
        ("pageSize=101", "pageSize"),
        ("pageSize=many", "pageSize"),
        ("historyLength=-1", "historyLength"),
        ("includeArtifacts=maybe", "includeArtifacts"),
        ("statusTimestampAfter=yesterday", "statusTimestampAfter"),
        ("pageToken=forged", "pageToken"),
    ] {
        assert_invalid(&get(&server, &format!("/tasks?{query}")).await, field);
    }
    assert_invalid(&get(&server, "/tasks/x?historyLength=x").await, "historyLength");
    // A parameter that is one value and comes twice says two things.
    assert_eq!(get(&server, "/tasks?pageSize=1&pageSize=2").await.0, 400);
    assert_invalid(&post(&server, "/message:send", &json!({})).await, "message");
}

#[tokio::test]
async fn errors_have_the_statuses_of_1_0_1() {
    let server = server().await;
    let done = sent(&server, "", "echo").await;
    let cancel = |id: &str| format!("/tasks/{id}:cancel");
    let answer = post(&server, &cancel(id(&done)), &json!({})).await;
    assert_error(&answer, 400, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE");
    let answer = post(&server, &cancel("no-such"), &json!({})).await;
    assert_error(&answer, 404, "NOT_FOUND", "TASK_NOT_FOUND");
    assert_eq!(answer.1["error"]["details"][0]["metadata"]["taskId"], "no-such");
    let answer = get(&server, "/extendedAgentCard").await;
    assert_error(&answer, 400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION");
    let mut other = message("echo", "hi");
    other["message"]["parts"][0]["mediaType"] = json!("image/png");
    let answer = post(&server, "/message:send", &other).await;
    assert_error(&answer, 400, "INVALID_ARGUMENT", "CONTENT_TYPE_NOT_SUPPORTED");
    let mut more = message("echo", "hi");
    more["message"]["taskId"] = done["id"].clone();
    let answer = post(&server, "/message:send", &more).await;
    assert_error(&answer, 400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION");
    for body in ["{", "nonsense", "\u{0}"] {
        let response = call(&server, "POST", "/message:send", "", body).await;
        let answer = (response.status, response.json().await);
        assert_error(&answer, 400, "INVALID_ARGUMENT", "PARSE_ERROR");
    }
    let deep = format!(r#"{{"unknown":{}1{}}}"#, "[".repeat(300), "]".repeat(300));
    let response = call(&server, "POST", "/message:send", "", &deep).await;
    assert_error(&(response.status, response.json().await), 400, "INVALID_ARGUMENT", "PARSE_ERROR");
    for body in ["[]", "7", "\"x\"", "true"] {
        let response = call(&server, "POST", "/message:send", "", body).await;
        let answer = (response.status, response.json().await);
        assert_error(&answer, 400, "INVALID_ARGUMENT", "INVALID_PARAMS");
    }
}

#[tokio::test]
async fn a_path_that_is_not_there_and_a_method_that_a_path_does_not_take_are_told_apart() {
    let server = server().await;
    for (method, path) in [
        ("GET", "/no-such"),
        ("GET", "/a/b/c/d/e/f"),
        ("GET", "/tasks/"),
        ("GET", "/tasks//"),
        ("POST", "/messages:send"),
        ("GET", "/v1/tasks"),
        ("POST", "/v1/message:send"),
        ("GET", "/tasks/%ff"),
    ] {
        let response = call(&server, method, path, "", "").await;
        let answer = (response.status, response.json().await);
        assert_error(&answer, 404, "UNIMPLEMENTED", "METHOD_NOT_FOUND");
    }
    for (method, path, allow) in [
        ("GET", "/message:send", "POST"),
        ("PUT", "/message:stream", "POST"),
        ("POST", "/tasks", "GET"),
        ("DELETE", "/tasks/x", "GET"),
        ("GET", "/tasks/x:cancel", "POST"),
        ("DELETE", "/tasks/x:subscribe", "GET, POST"),
        ("PUT", "/tasks/x/pushNotificationConfigs", "GET, POST"),
        ("POST", "/tasks/x/pushNotificationConfigs/c", "DELETE, GET"),
        ("POST", "/extendedAgentCard", "GET"),
        ("GET", "/north/message:send", "POST"),
    ] {
        let response = call(&server, method, path, "", "").await;
        assert_eq!((response.status, response.header("allow")), (405, allow), "{method} {path}");
        assert_eq!(response.json().await["error"]["code"], 405);
    }
}

#[tokio::test]
async fn ids_are_opaque_whatever_is_in_them() {
    let server = server().await;
    for (path, told) in [
        ("/tasks/urn:uuid:1", "urn:uuid:1"),
        ("/tasks/a%2Fb", "a/b"),
        ("/tasks/a%252Fb", "a%2Fb"),
        ("/tasks/%2e%2e", ".."),
        ("/tasks/a%20b+c", "a b+c"),
        ("/tasks/x:other", "x:other"),
    ] {
        let answer = get(&server, path).await;
        assert_error(&answer, 404, "NOT_FOUND", "TASK_NOT_FOUND");
        assert_eq!(answer.1["error"]["details"][0]["metadata"]["taskId"], told);
    }
    let answer = post(&server, "/tasks/urn:uuid:1:cancel", &json!({})).await;
    assert_eq!(answer.1["error"]["details"][0]["metadata"]["taskId"], "urn:uuid:1");

    let task = sent(&server, "", "ask").await;
    let configs = format!("/tasks/{}/pushNotificationConfigs", id(&task));
    let config = json!({ "id": "a/b:c d", "url": "https://8.8.8.8:9/" });
    assert_eq!(post(&server, &configs, &config).await.1["id"], "a/b:c d");
    assert_eq!(get(&server, &format!("{configs}/a%2Fb:c%20d")).await.0, 200);
    let encoded = id(&task).replace('-', "%2D");
    assert_eq!(get(&server, &format!("/tasks/{encoded}")).await.0, 200);
}

#[tokio::test]
async fn a_method_of_http_that_nobody_knows_harms_nobody() {
    let server = server().await;
    for method in ["HEAD", "OPTIONS", "PATCH", "BREW"] {
        let response = call(&server, method, "/tasks", "", "").await;
        assert_eq!(response.status, 405, "{method}");
    }
    assert_eq!(get(&server, "/tasks").await.0, 200);
}

#[tokio::test]
async fn an_extended_card_is_read_by_get() {
    let layer = axum::middleware::from_fn(
        async |mut request: axum::extract::Request, next: axum::middleware::Next| {
            request.extensions_mut().insert(Principal::new("ada"));
            next.run(request).await
        },
    );
    let agent = agent().layer(layer).extended_card(|who, mut card| {
        card.description = format!("for {}", who.id().unwrap_or_default());
        Some(card)
    });
    let server = serve(agent).await;
    let (status, card) = get(&server, "/extendedAgentCard").await;
    assert_eq!((status, &card["description"]), (200, &json!("for ada")));
}

#[tokio::test]
async fn the_routes_work_under_a_prefix_of_a_host() {
    let agent = agent().url("https://agents.example/api/agent/").build().unwrap();
    let routes = axum::Router::new().nest_service("/api/agent", agent.router());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(async move { axum::serve(listener, routes).await });
    let at = async |method: &str, path: &str, body: &Value| {
        let path = format!("/api/agent{path}");
        let headers = "A2A-Version: 1.0\r\n";
        let response = request(address, method, &path, headers, body.to_string().as_bytes()).await;
        (response.status, response.json().await)
    };
    let envelope =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": message("echo", "hi") });
    for path in ["", "/"] {
        let (status, answer) = at("POST", path, &envelope).await;
        assert_eq!((status, answer.get("error")), (200, None), "{path}");
    }
    let (status, answer) = at("POST", "/message:send", &message("echo", "hi")).await;
    assert_eq!(status, 200, "{answer}");
    let path = format!("/tasks/{}", id(&answer["task"]));
    assert_eq!(at("GET", &path, &json!({})).await, (200, answer["task"].clone()));
    assert_error(&at("GET", &format!("/north{path}"), &json!({})).await, 404, "NOT_FOUND", "TASK_NOT_FOUND");
    assert_eq!(at("GET", "/tasks", &json!({})).await.1["totalSize"], 3);
    assert_eq!(at("GET", "/no-such", &json!({})).await.0, 404);
    let (_, card) = at("GET", "/.well-known/agent-card.json", &json!({})).await;
    let urls: Vec<&Value> =
        card["supportedInterfaces"].as_array().unwrap().iter().map(|interface| &interface["url"]).collect();
    // gRPC has no prefixes.
    assert_eq!(urls, ["https://agents.example/api/agent"; 2]);
    serving.abort();
}

#[tokio::test]
async fn a_subscription_goes_on_after_the_last_event_that_was_seen() {
    let server = server().await;
    let asked = sent(&server, "", "ask").await;
    let path = format!("/tasks/{}:subscribe", id(&asked));
    let mut stream = call(&server, "GET", &path, "", "").await;
    let seen = stream.event().await.unwrap().id;
    drop(stream);
    let mut answer = message("ask", "yes");
    answer["message"]["taskId"] = asked["id"].clone();
    assert_eq!(post(&server, "/message:send", &answer).await.0, 200);

    let headers = format!("Last-Event-ID: {seen}\r\n");
    let stream = call(&server, "GET", &path, &headers, "").await;
    assert_eq!(stream.status, 200, "also where the task has ended meanwhile");
    let rest = stream.events().await;
    assert!(rest.iter().all(|event| event.data.get("task").is_none()), "{rest:?}");
    assert_eq!(rest.last().unwrap().data["statusUpdate"]["status"]["state"], "TASK_STATE_COMPLETED");
    let last = rest.last().unwrap().id.clone();
    let stream = call(&server, "GET", &path, &format!("Last-Event-ID: {last}\r\n"), "").await;
    assert_eq!((stream.status, stream.events().await.len()), (200, 0));
    for forged in ["x", "other:1", &format!("{}:999999", id(&asked)), &format!("{}:-1", id(&asked))] {
        let response = call(&server, "GET", &path, &format!("Last-Event-ID: {forged}\r\n"), "").await;
        assert_eq!(response.status, 400, "{forged}: as if it named none");
    }
}

#[tokio::test]
async fn a_body_that_does_not_say_its_size_is_limited_too() {
    let server = serve(agent().body_limit(1000)).await;
    let body = message("echo", &"x".repeat(2000)).to_string();
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let headers = "Transfer-Encoding: chunked\r\nX-Unused: content-length:\r\n";
    let response = call(&server, "POST", "/message:send", headers, &chunked).await;
    assert_eq!(response.status, 413);
    assert_eq!(response.json().await["error"]["code"], 413);
    assert_eq!(get(&server, "/tasks").await.1["totalSize"], 0);
}

#[tokio::test]
async fn a_tenant_may_stand_in_the_query_or_in_the_body_of_every_operation() {
    let server = server().await;
    let task = sent(&server, "/north", "ask").await;
    let path = format!("/tasks/{}", id(&task));
    let configs = format!("{path}/pushNotificationConfigs");
    let config = json!({ "id": "c", "url": "https://8.8.8.8:9/", "tenant": "north" });
    assert_eq!(post(&server, &configs, &config).await.0, 200);
    for (method, path) in [
        ("GET", path.clone()),
        ("GET", configs.clone()),
        ("GET", format!("{configs}/c")),
        ("DELETE", format!("{configs}/c")),
        ("GET", format!("{path}:subscribe")),
        ("POST", format!("{path}:subscribe")),
    ] {
        for (query, status) in [("?tenant=north", 200), ("?tenant=south", 404), ("?tenant=", 404), ("", 404)]
        {
            let response = call(&server, method, &format!("{path}{query}"), "", "").await;
            assert_eq!(response.status, status, "{method} {path}{query}");
        }
    }
    for (tenant, status) in [("south", 404), ("", 404), ("north", 200)] {
        let body = json!({ "tenant": tenant });
        assert_eq!(post(&server, &format!("{path}:cancel"), &body).await.0, status, "{tenant}");
    }
}

#[tokio::test]
async fn an_array_is_not_read_as_the_members_of_an_envelope() {
    let server = server().await;
    for body in [r#"["2.0",1,"ListTasks",{}]"#, r#" ["2.0",1,"ListTasks",null]"#] {
        let answer = server.post(body).await.json().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)), "{answer}");
    }
}
