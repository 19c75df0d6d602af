//! What is refused, and with which status.

use crate::*;

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
        ("GET", "/v2/no-such"),
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
async fn an_array_is_not_read_as_the_members_of_an_envelope() {
    let server = server().await;
    for body in [r#"["2.0",1,"ListTasks",{}]"#, r#" ["2.0",1,"ListTasks",null]"#] {
        let answer = server.post(body).await.json().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)), "{answer}");
    }
}
