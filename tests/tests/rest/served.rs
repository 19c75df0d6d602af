//! What is answered, and in which form.

use crate::*;

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
    assert_eq!(urls, ["https://agents.example/api/agent"; 4]);
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
