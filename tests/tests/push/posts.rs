//! What is posted, when, and how.

use crate::*;

#[tokio::test]
async fn a_configuration_that_comes_with_a_message_sees_the_task_from_its_first_update_on() {
    let (agent, _) = local();
    let server = serve(agent).await;
    for binding in BINDINGS {
        for method in ["SendMessage", "SendStreamingMessage"] {
            for at_once in [false, true] {
                let mut receiver = Receiver::new().await;
                let mut request = inline("echo", json!({ "id": "mine", "url": receiver.url() }));
                request["configuration"]["returnImmediately"] = json!(at_once);
                let sending = {
                    let request = request.clone();
                    let address = server.address;
                    tokio::spawn(async move { call(address, binding, V1, method, &request).await })
                };
                let posted = receiver.all().await;
                assert_eq!(posted, ["hi", "COMPLETED"], "{binding:?} {method}");
                assert!(sending.await.unwrap().is_ok());
            }
        }
    }
}

#[tokio::test]
async fn a_post_has_the_headers_that_receivers_look_for() {
    let (agent, _) = local();
    let server = serve(agent).await;
    let mut receiver = Receiver::new().await;
    let config = json!({ "id": "mine", "url": receiver.url(), "token": "to-ken",
        "authentication": { "scheme": "Bearer", "credentials": "cre-dentials" } });
    started(&server, inline("echo", config)).await;
    let mut ids = Vec::new();
    loop {
        let post = receiver.next().await;
        for (name, value) in [
            ("content-type", "application/a2a+json"),
            ("authorization", "Bearer cre-dentials"),
            ("x-a2a-notification-token", "to-ken"),
            ("a2a-notification-token", "to-ken"),
            ("a2a-version", "1.0"),
        ] {
            assert_eq!(post.header(name), value, "{name}");
        }
        let id = post.header("a2a-notification-id").to_owned();
        assert!(id.starts_with("mine:"), "{id}");
        assert!(!ids.contains(&id), "each has an id of its own");
        ids.push(id);
        if line(&post.answer(StatusCode::OK)) == "COMPLETED" {
            break;
        }
    }
}

#[tokio::test]
async fn a_post_without_credentials_has_no_header_for_them() {
    let (agent, _) = local();
    let server = serve(agent).await;
    for (authentication, sent) in [
        (json!(null), ""),
        (json!({ "scheme": "Bearer" }), "Bearer"),
        (json!({ "scheme": "Custom", "credentials": "a b=c" }), "Custom a b=c"),
    ] {
        let mut receiver = Receiver::new().await;
        let config = json!({ "url": receiver.url(), "authentication": authentication });
        started(&server, inline("echo", config)).await;
        let post = receiver.next().await;
        assert_eq!(post.header("authorization"), sent);
        assert!(!post.headers.contains_key("x-a2a-notification-token"));
        post.answer(StatusCode::OK);
    }
}

#[tokio::test]
async fn every_configuration_of_a_task_gets_everything() {
    let (agent, gate) = local();
    let server = serve(agent).await;
    let (mut one, mut two, mut three) = (Receiver::new().await, Receiver::new().await, Receiver::new().await);
    let task = started(&server, inline("gated", json!({ "id": "1", "url": one.url() }))).await;
    assert_eq!(line(&one.taken().await), "WORKING");
    gate.reached().await;
    for (id, url) in [("2", two.url()), ("3", three.url())] {
        rpc(&server, CREATE, json!({ "taskId": task, "id": id, "url": url })).await.unwrap();
    }
    gate.open();
    for receiver in [&mut one, &mut two, &mut three] {
        assert_eq!(receiver.all().await, ["done", "COMPLETED"]);
    }
}

#[tokio::test]
async fn a_slow_receiver_gets_everything_in_order_and_what_waits_together() {
    let (agent, gate) = local();
    let server = serve(agent).await;
    let mut receiver = Receiver::new().await;
    let task = started(&server, inline("burst", json!({ "url": receiver.url() }))).await;
    let held = receiver.next().await;
    gate.open();
    // The task ends though nobody has taken the first one yet.
    let get = json!({ "id": task });
    while rpc(&server, "GetTask", get.clone()).await.unwrap()["status"]["state"] != "TASK_STATE_COMPLETED" {
        tokio::task::yield_now().await;
    }
    assert_eq!(line(&held.answer(StatusCode::OK)), "WORKING");
    let posted = receiver.all().await;
    assert!(posted.len() < 20, "chunks that wait are posted together: {posted:?}");
    let text: String = posted.iter().filter(|line| *line != "COMPLETED").cloned().collect();
    assert_eq!(text, (0..50).map(|n| n.to_string()).collect::<Vec<_>>().join(" "));
    assert_eq!(posted.last().unwrap(), "COMPLETED");
}

#[tokio::test]
async fn a_post_that_is_not_taken_is_tried_again_under_the_same_id() {
    let (agent, _) = local();
    let server = serve(agent).await;
    for status in [500, 503, 429, 404] {
        let mut receiver = Receiver::new().await;
        started(&server, inline("echo", json!({ "url": receiver.url() }))).await;
        let first = receiver.next().await;
        let id = first.header("a2a-notification-id").to_owned();
        let first = first.answer(StatusCode::from_u16(status).unwrap());
        let again = receiver.next().await;
        assert_eq!(again.header("a2a-notification-id"), id);
        assert_eq!(again.answer(StatusCode::NO_CONTENT), first);
        assert_eq!(receiver.all().await, ["COMPLETED"]);
    }
}

#[tokio::test]
async fn a_connection_that_breaks_is_made_again() {
    let (agent, _) = local();
    let server = serve(agent).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    started(&server, inline("echo", json!({ "url": url }))).await;
    drop(listener.accept().await.unwrap());
    let mut receiver = Receiver::on(listener);
    assert_eq!(receiver.all().await, ["hi", "COMPLETED"]);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (agent, _) = local();
    let server = serve(agent).await;
    for status in [301, 302, 303, 307, 308] {
        let (mut receiver, mut target) = (Receiver::new().await, Receiver::new().await);
        started(&server, inline("echo", json!({ "url": receiver.url() }))).await;
        let moved = Response::builder().status(status).header("location", target.url());
        receiver.next().await.answer_with(moved.body(Body::empty()).unwrap());
        // It comes again to where it was sent first, as after any other answer that is no success.
        assert_eq!(receiver.all().await.last().unwrap(), "COMPLETED");
        assert!(target.posts.try_recv().is_err(), "{status}");
    }
}

#[tokio::test]
async fn a_receiver_that_hangs_and_one_that_is_gone_disturb_nobody() {
    let (agent, gate) = local();
    let server = serve(agent).await;
    let (mut hanging, mut good) = (Receiver::new().await, Receiver::new().await);
    let gone = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}/", listener.local_addr().unwrap())
    };
    let task = started(&server, inline("gated", json!({ "id": "1", "url": hanging.url() }))).await;
    gate.reached().await;
    for (id, url) in [("2", gone), ("3", "http://no-such-name.localhost:1/".to_owned()), ("4", good.url())] {
        rpc(&server, CREATE, json!({ "taskId": task, "id": id, "url": url })).await.unwrap();
    }
    let held = hanging.next().await;
    gate.open();
    assert_eq!(good.all().await, ["done", "COMPLETED"]);
    let task = rpc(&server, "GetTask", json!({ "id": task })).await.unwrap();
    assert_eq!(task["status"]["state"], "TASK_STATE_COMPLETED");
    drop(held);
}

#[tokio::test]
async fn a_configuration_that_is_deleted_or_replaced_is_posted_nothing_more() {
    let (agent, gate) = local();
    let server = serve(agent).await;
    let (mut deleted, mut replaced) = (Receiver::new().await, Receiver::new().await);
    let (mut instead, mut witness) = (Receiver::new().await, Receiver::new().await);
    let task = started(&server, inline("gated", json!({ "id": "1", "url": deleted.url() }))).await;
    gate.reached().await;
    rpc(&server, CREATE, json!({ "taskId": task, "id": "2", "url": replaced.url() })).await.unwrap();
    rpc(&server, CREATE, json!({ "taskId": task, "id": "3", "url": witness.url() })).await.unwrap();
    assert_eq!(line(&deleted.taken().await), "WORKING");
    rpc(&server, DELETE, json!({ "taskId": task, "id": "1" })).await.unwrap();
    rpc(&server, CREATE, json!({ "taskId": task, "id": "2", "url": instead.url() })).await.unwrap();
    gate.open();
    for receiver in [&mut witness, &mut instead] {
        assert_eq!(receiver.all().await, ["done", "COMPLETED"]);
    }
    assert!(deleted.posts.try_recv().is_err() && replaced.posts.try_recv().is_err());
}

#[tokio::test]
async fn the_tasks_of_known_callers_are_posted_too() {
    let (agent, _) = local();
    let tokens = BearerTokens::new([("a", Principal::new("ada")), ("b", Principal::new("bob"))]);
    let server = serve(agent.layer(tokens)).await;
    for (token, tenant) in [("a", ""), ("b", ""), ("a", "north")] {
        let mut receiver = Receiver::new().await;
        let mut request = inline("echo", json!({ "url": receiver.url() }));
        request["tenant"] = json!(tenant);
        let headers = format!("{V1}Authorization: Bearer {token}\r\n");
        call(server.address, Binding::JsonRpc, &headers, "SendMessage", &request).await.unwrap();
        assert_eq!(receiver.all().await.last().unwrap(), "COMPLETED");
    }
}

#[tokio::test]
async fn a_canceled_task_is_posted_as_canceled() {
    let (agent, gate) = local();
    let server = serve(agent).await;
    let mut receiver = Receiver::new().await;
    let task = started(&server, inline("gated", json!({ "url": receiver.url() }))).await;
    gate.reached().await;
    rpc(&server, "CancelTask", json!({ "id": task })).await.unwrap();
    assert_eq!(receiver.all().await, ["WORKING", "CANCELED"]);
}

#[tokio::test]
async fn a_receiver_that_comes_back_when_the_log_is_gone_gets_the_task_as_it_is() {
    let (agent, gate) = local();
    let clock = Clock::virtual_from(Timestamp::from_unix_millis(1_700_000_000_000));
    let server = serve(agent.clock(clock)).await;
    let mut receiver = Receiver::new().await;
    let task = started(&server, inline("gated", json!({ "url": receiver.url() }))).await;
    gate.reached().await;
    let held = receiver.next().await;
    gate.open();
    let get = json!({ "id": task });
    while rpc(&server, "GetTask", get.clone()).await.unwrap()["status"]["state"] != "TASK_STATE_COMPLETED" {
        tokio::task::yield_now().await;
    }
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(120)).await;
    tokio::time::resume();
    drop(held);
    assert_eq!(line(&receiver.taken().await), "WORKING", "what it has not taken comes again");
    let last = receiver.taken().await;
    assert_eq!(line(&last), "task COMPLETED");
    assert_eq!(last["task"]["artifacts"][0]["parts"][0]["text"], "done");
}

#[tokio::test]
async fn a_server_that_stops_waits_for_no_receiver() {
    let (agent, _) = local();
    let mut server = serve(agent).await;
    let mut receiver = Receiver::new().await;
    let request = inline("echo", json!({ "url": receiver.url() }));
    rpc(&server, "SendMessage", request).await.unwrap();
    let held = receiver.next().await;
    server.stop();
    tokio::time::timeout(Duration::from_secs(5), server.stopped()).await.unwrap();
    drop(held);
}

#[tokio::test]
async fn a_configuration_that_comes_with_an_answer_sees_what_the_answer_sets_going() {
    let (agent, _) = local();
    let server = serve(agent).await;
    let mut receiver = Receiver::new().await;
    let asked = rpc(&server, "SendMessage", to("ask")).await.unwrap();
    let mut answer = inline("ask", json!({ "url": receiver.url() }));
    answer["message"]["taskId"] = asked["task"]["id"].clone();
    answer["configuration"]["returnImmediately"] = json!(true);
    rpc(&server, "SendMessage", answer).await.unwrap();
    assert_eq!(receiver.all().await, ["WORKING", "hi", "COMPLETED"]);
}

#[tokio::test]
async fn what_was_not_taken_goes_to_the_address_that_replaces_the_old_one() {
    let (agent, gate) = local();
    let server = serve(agent).await;
    let (mut old, mut new) = (Receiver::new().await, Receiver::new().await);
    let task = started(&server, inline("gated", json!({ "id": "1", "url": old.url() }))).await;
    gate.reached().await;
    let held = old.next().await;
    assert_eq!(line(&held.body), "WORKING");
    let mut replaced = json!({ "taskId": task, "id": "1", "url": new.url() });
    rpc(&server, CREATE, replaced.clone()).await.unwrap();
    assert_eq!(line(&new.taken().await), "WORKING", "the old receiver has not taken it");
    gate.open();
    let second = new.next().await;
    assert_eq!(line(&second.body), "done");
    // The task has ended, and there is still something to deliver.
    let get = json!({ "id": task });
    while rpc(&server, "GetTask", get.clone()).await.unwrap()["status"]["state"] != "TASK_STATE_COMPLETED" {
        tokio::task::yield_now().await;
    }
    let mut last = Receiver::new().await;
    replaced["url"] = json!(last.url());
    rpc(&server, CREATE, replaced).await.unwrap();
    assert_eq!(last.all().await, ["done", "COMPLETED"]);
    assert!(new.posts.try_recv().is_err() && old.posts.try_recv().is_err());
    drop((held, second));
}

#[tokio::test]
async fn an_answer_without_end_is_not_read() {
    let (agent, gate) = local();
    let server = serve(agent).await;
    let mut receiver = Receiver::new().await;
    let begun = std::time::Instant::now();
    started(&server, inline("gated", json!({ "url": receiver.url() }))).await;
    gate.open();
    let mut told = Vec::new();
    let sent = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    for _ in 0..3 {
        let sent = std::sync::Arc::clone(&sent);
        let endless = futures_util::stream::repeat_with(move || {
            sent.fetch_add(64 * 1024, std::sync::atomic::Ordering::Relaxed);
            Ok::<_, std::convert::Infallible>(bytes::Bytes::from_static(&[b'x'; 64 * 1024]))
        });
        let post = receiver.next().await;
        told.push(line(&post.answer_with(Response::new(Body::from_stream(endless)))));
    }
    assert_eq!(told, ["WORKING", "done", "COMPLETED"]);
    // The status is all that counts: none of the three was waited for, or taken in.
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    let sent = sent.load(std::sync::atomic::Ordering::Relaxed);
    assert!(sent < 64 * 1024 * 1024, "{sent} bytes were taken in");
}

#[tokio::test]
async fn a_task_that_makes_room_for_another_is_posted_as_failed() {
    let (agent, _) = local();
    let retention = a2a_sdk::store::Retention::default().max_unfinished(1);
    let server = serve(agent.retention(retention)).await;
    let mut receiver = Receiver::new().await;
    rpc(&server, "SendMessage", inline("ask", json!({ "url": receiver.url() }))).await.unwrap();
    assert_eq!(line(&receiver.taken().await), "INPUT_REQUIRED");
    rpc(&server, "SendMessage", to("echo")).await.unwrap();
    let last = receiver.taken().await;
    assert_eq!(line(&last), "FAILED");
    let told = &last["statusUpdate"]["status"]["message"]["parts"][0]["text"];
    assert!(told.as_str().unwrap().starts_with("no answer came"), "{last}");
}
