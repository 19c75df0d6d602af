//! Configurations, and which of them are refused.

use crate::*;

#[tokio::test]
async fn a_configuration_is_kept_read_listed_and_deleted() {
    let server = serve(guarded()).await;
    let task = started(&server, to("ask")).await;
    let config = json!({ "taskId": task, "id": "mine", "url": "https://8.8.8.8:9/x", "token": "t",
        "authentication": { "scheme": "Bearer", "credentials": "s" } });
    assert_eq!(rpc(&server, CREATE, config.clone()).await, Ok(config.clone()));
    let id = json!({ "taskId": task, "id": "mine" });
    assert_eq!(rpc(&server, GET, id.clone()).await, Ok(config.clone()));
    let list = rpc(&server, LIST, json!({ "taskId": task })).await.unwrap();
    assert_eq!(list["configs"], json!([config]));
    for _ in 0..2 {
        assert_eq!(rpc(&server, DELETE, id.clone()).await, Ok(json!({})));
    }
    assert_eq!(rpc(&server, GET, id).await.unwrap_err().reason, "TASK_NOT_FOUND");
    let list = rpc(&server, LIST, json!({ "taskId": task })).await.unwrap();
    assert_eq!(list["configs"].get(0), None);
}

#[tokio::test]
async fn a_configuration_without_an_id_gets_one_and_one_of_the_same_id_is_replaced() {
    let server = serve(guarded()).await;
    let task = started(&server, to("ask")).await;
    let mut ids = Vec::new();
    for id in [json!(null), json!(""), json!(null)] {
        let config = json!({ "taskId": task, "id": id, "url": "https://8.8.8.8:9/" });
        let created = rpc(&server, CREATE, config).await.unwrap();
        ids.push(created["id"].as_str().unwrap().to_owned());
    }
    ids.sort();
    ids.dedup();
    assert!(ids.len() == 3 && ids.iter().all(|id| !id.is_empty() && *id != task), "{ids:?}");
    for url in ["https://8.8.8.8:9/1", "https://8.8.8.8:9/2"] {
        let config = json!({ "taskId": task, "id": ids[1], "url": url });
        rpc(&server, CREATE, config).await.unwrap();
    }
    let list = rpc(&server, LIST, json!({ "taskId": task })).await.unwrap();
    assert_eq!(list["configs"].as_array().unwrap().len(), 3);
    let replaced = rpc(&server, GET, json!({ "taskId": task, "id": ids[1] })).await.unwrap();
    assert_eq!(replaced["url"], "https://8.8.8.8:9/2");
}

#[tokio::test]
async fn a_list_of_configurations_is_walked_page_by_page() {
    let server = serve(guarded()).await;
    let task = started(&server, to("ask")).await;
    for id in ["a", "b", "c", "d", "e"] {
        let config = json!({ "taskId": task, "id": id, "url": "https://8.8.8.8:9/", "token": "same" });
        rpc(&server, CREATE, config).await.unwrap();
    }
    let (mut token, mut pages) = (json!(""), Vec::new());
    loop {
        let page = json!({ "taskId": task, "pageSize": 2, "pageToken": token });
        let page = rpc(&server, LIST, page).await.unwrap();
        let ids = page["configs"].as_array().unwrap().iter().map(|config| config["id"].as_str().unwrap());
        pages.push(ids.collect::<String>());
        token = page["nextPageToken"].clone();
        if token.as_str().unwrap_or_default().is_empty() {
            break;
        }
    }
    assert_eq!(pages, ["ab", "cd", "e"]);
    for (name, value) in [("pageSize", json!(-1)), ("pageSize", json!(101)), ("pageToken", json!("zzz"))] {
        let mut page = json!({ "taskId": task });
        page[name] = value;
        let refused = rpc(&server, LIST, page).await.unwrap_err();
        assert_eq!((&*refused.reason, &*refused.field), ("INVALID_PARAMS", name));
    }
}

#[tokio::test]
async fn a_task_has_no_more_than_a_hundred_configurations() {
    let server = serve(guarded()).await;
    let task = started(&server, to("ask")).await;
    let config = |id: usize| json!({ "taskId": task, "id": id.to_string(), "url": "https://8.8.8.8:9/" });
    for id in 0..100 {
        rpc(&server, CREATE, config(id)).await.unwrap();
    }
    let refused = rpc(&server, CREATE, config(100)).await.unwrap_err();
    assert_eq!((&*refused.reason, refused.code), ("INVALID_PARAMS", -32602));
    assert!(refused.message.contains("100"), "{}", refused.message);
    rpc(&server, CREATE, config(7)).await.unwrap();
    rpc(&server, DELETE, json!({ "taskId": task, "id": "7" })).await.unwrap();
    rpc(&server, CREATE, config(100)).await.unwrap();
}

#[tokio::test]
async fn a_configuration_that_comes_with_a_message_is_one_like_the_others() {
    let (agent, _) = local();
    let server = serve(agent).await;
    let config = json!({ "id": "mine", "url": "http://127.0.0.1:9/" });
    let task = started(&server, inline("ask", config)).await;
    let kept = rpc(&server, GET, json!({ "taskId": task, "id": "mine" })).await.unwrap();
    assert_eq!(kept, json!({ "taskId": task, "id": "mine", "url": "http://127.0.0.1:9/" }));

    let task = started(&server, to("ask")).await;
    let list = rpc(&server, LIST, json!({ "taskId": task })).await.unwrap();
    assert_eq!(list["configs"].get(0), None, "without one nothing is kept");
    let mut more = inline("ask", json!({ "id": "later", "url": "http://127.0.0.1:9/" }));
    more["message"]["taskId"] = json!(task);
    rpc(&server, "SendMessage", more).await.unwrap();
    assert!(rpc(&server, GET, json!({ "taskId": task, "id": "later" })).await.is_ok());
}

#[tokio::test]
async fn an_address_that_is_not_of_the_public_internet_is_refused_wherever_it_comes() {
    let server = serve(guarded()).await;
    let task = started(&server, to("ask")).await;
    for url in FORBIDDEN {
        for binding in BINDINGS {
            let config = json!({ "taskId": task, "id": "c", "url": url });
            let refused = call(server.address, binding, V1, CREATE, &config).await.unwrap_err();
            assert_eq!((&*refused.reason, &*refused.field), ("INVALID_PARAMS", "url"), "{binding:?} {url}");
            for method in ["SendMessage", "SendStreamingMessage"] {
                let request = inline("echo", json!({ "url": url }));
                let refused = call(server.address, binding, V1, method, &request).await.unwrap_err();
                let field = "configuration.taskPushNotificationConfig.url";
                assert_eq!((&*refused.reason, &*refused.field), ("INVALID_PARAMS", field), "{url}");
            }
        }
    }
    assert_eq!(rpc(&server, "ListTasks", json!({})).await.unwrap()["totalSize"], 1, "nothing ran");
    let list = rpc(&server, LIST, json!({ "taskId": task })).await.unwrap();
    assert_eq!(list["configs"].get(0), None);
}

#[tokio::test]
async fn allowing_this_machine_allows_no_other() {
    let (agent, _) = local();
    let server = serve(agent).await;
    let task = started(&server, to("ask")).await;
    for (url, allowed) in [
        ("http://127.0.0.1:9/", true),
        ("http://localhost:9/", true),
        ("https://[::1]:9/", true),
        ("http://8.8.8.8/", false),
        ("https://10.0.0.1/", false),
        ("http://169.254.169.254/", false),
        ("http://user@127.0.0.1/", false),
    ] {
        let config = json!({ "taskId": task, "url": url });
        assert_eq!(rpc(&server, CREATE, config).await.is_ok(), allowed, "{url}");
    }
}

#[tokio::test]
async fn what_would_break_a_header_is_refused() {
    let server = serve(guarded()).await;
    let task = started(&server, to("ask")).await;
    for (name, field, value) in [
        ("token", "token", json!("a\r\nX: y")),
        ("token", "token", json!("a\u{0}b")),
        ("token", "token", json!("é")),
        ("id", "id", json!("a\nb")),
        (
            "authentication",
            "authentication.credentials",
            json!({ "scheme": "Bearer", "credentials": "x\r\nX-Evil: 1" }),
        ),
        ("authentication", "authentication.scheme", json!({ "scheme": "Bea\nrer", "credentials": "x" })),
        ("authentication", "authentication.scheme", json!({ "credentials": "x" })),
    ] {
        let mut config = json!({ "url": "https://8.8.8.8:9/" });
        config[name] = value;
        for binding in BINDINGS {
            let request = inline("echo", config.clone());
            let refused = call(server.address, binding, V1, "SendMessage", &request).await.unwrap_err();
            let path = format!("configuration.taskPushNotificationConfig.{field}");
            assert_eq!((&*refused.reason, refused.field), ("INVALID_PARAMS", path), "{binding:?}");
            let mut config = config.clone();
            config["taskId"] = json!(task);
            let refused = call(server.address, binding, V1, CREATE, &config).await.unwrap_err();
            assert_eq!((&*refused.reason, &*refused.field), ("INVALID_PARAMS", field), "{binding:?}");
        }
    }
}

#[tokio::test]
async fn a_skill_that_makes_no_task_takes_no_configuration() {
    let server = serve(guarded()).await;
    for binding in BINDINGS {
        for method in ["SendMessage", "SendStreamingMessage"] {
            let request = inline("direct", json!({ "url": "https://8.8.8.8:9/" }));
            let refused = call(server.address, binding, V1, method, &request).await.unwrap_err();
            assert_eq!(refused.reason, "UNSUPPORTED_OPERATION", "{binding:?} {method} {refused:?}");
        }
    }
}

#[tokio::test]
async fn a_finished_task_may_have_configurations() {
    let server = serve(guarded()).await;
    let answer = rpc(&server, "SendMessage", to("echo")).await.unwrap();
    let config = json!({ "taskId": answer["task"]["id"], "id": "c", "url": "https://8.8.8.8:9/" });
    assert_eq!(rpc(&server, CREATE, config.clone()).await, Ok(config));
}

#[tokio::test]
async fn a_message_whose_configuration_cannot_be_kept_changes_nothing() {
    let server = serve(guarded()).await;
    let task = started(&server, to("ask")).await;
    for id in 0..100 {
        let config = json!({ "taskId": task, "id": id.to_string(), "url": "https://8.8.8.8:9/" });
        rpc(&server, CREATE, config).await.unwrap();
    }
    let before = rpc(&server, "GetTask", json!({ "id": task })).await.unwrap();
    let mut answer = inline("ask", json!({ "url": "https://8.8.8.8:9/" }));
    answer["message"]["taskId"] = json!(task);
    let refused = rpc(&server, "SendMessage", answer.clone()).await.unwrap_err();
    assert_eq!(refused.code, -32602);
    assert_eq!(rpc(&server, "GetTask", json!({ "id": task })).await.unwrap(), before);
    // One that is there already may be given again.
    answer["configuration"]["taskPushNotificationConfig"]["id"] = json!("7");
    let done = rpc(&server, "SendMessage", answer).await.unwrap();
    assert_eq!(done["task"]["status"]["state"], "TASK_STATE_COMPLETED");
}

#[tokio::test]
async fn a_configuration_is_of_the_tenant_that_was_spoken_to() {
    let server = serve(guarded()).await;
    for binding in BINDINGS {
        let mut request = inline("ask", json!({ "id": "1", "url": "https://8.8.8.8:9/", "tenant": "south" }));
        request["tenant"] = json!("north");
        let sent = call(server.address, binding, V1, "SendMessage", &request).await.unwrap();
        let task = &sent["task"]["id"];
        let at = |method: &'static str, mut params: Value| {
            params["taskId"] = task.clone();
            async move { call(server.address, binding, V1, method, &params).await }
        };
        let create = json!({ "tenant": "north", "id": "2", "url": "https://8.8.8.8:9/" });
        let created = at(CREATE, create).await.unwrap();
        assert_eq!(created["tenant"], "north", "{binding:?}");
        let listed = at(LIST, json!({ "tenant": "north" })).await.unwrap();
        for config in listed["configs"].as_array().unwrap() {
            assert_eq!(config["tenant"], "north", "{binding:?} {config}");
        }
        assert_eq!(listed["configs"].as_array().unwrap().len(), 2, "{binding:?}");
        for (method, params) in [
            (LIST, json!({ "tenant": "south" })),
            (GET, json!({ "tenant": "south", "id": "1" })),
            (CREATE, json!({ "tenant": "south", "url": "https://8.8.8.8:9/" })),
            (LIST, json!({})),
        ] {
            let refused = at(method, params).await.unwrap_err();
            assert_eq!(refused.reason, "TASK_NOT_FOUND", "{binding:?} {method}");
        }
    }
    // The path counts more than the body: it is what proxies see.
    let request = json!({ "tenant": "north", "message": to("ask")["message"] });
    let sent = call(server.address, Binding::Rest, V1, "SendMessage", &request).await.unwrap();
    let path = format!("/north/tasks/{}/pushNotificationConfigs", sent["task"]["id"].as_str().unwrap());
    let body = r#"{"tenant":"south","url":"https://8.8.8.8:9/"}"#;
    let created = http::request(server.address, "POST", &path, V1, body.as_bytes()).await.json().await;
    assert_eq!(created["tenant"], "north", "{created}");
}

#[tokio::test]
async fn a_configuration_in_the_form_of_drafts_is_read() {
    let (agent, _) = local();
    let server = serve(agent).await;
    let id = started(&server, to("ask")).await;
    let nested = json!({ "taskId": id, "pushNotificationConfig": { "id": "c", "url": "http://127.0.0.1:9/", "token": "t" } });
    let kept = rpc(&server, CREATE, nested).await.unwrap();
    assert_eq!(kept, json!({ "id": "c", "taskId": id, "url": "http://127.0.0.1:9/", "token": "t" }));
    let refused =
        rpc(&server, CREATE, json!({ "taskId": id, "pushNotificationConfig": {} })).await.unwrap_err();
    assert_eq!(refused.field, "pushNotificationConfig.url");
}
