//! Push notifications: configurations, what is posted and how, and what no caller can make the server call.
#![allow(clippy::unwrap_used, reason = "tests")]

mod three;

use a2a_sdk::protocol::{Message, Timestamp};
use a2a_sdk::{Agent, BearerTokens, Clock, Context, Principal, Reply, SkillError, State, WebhookPolicy};
use a2a_tests::Gate;
use a2a_tests::http::{Server, serve};
use axum::body::Body;
use axum::http::{HeaderMap, Response, StatusCode};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use three::{BINDINGS, Binding, Outcome, V1, call, message};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

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

/// Tells that it works, waits at the gate, and ends.
#[a2a_sdk::skill]
async fn gated(ctx: Context, State(gate): State<Gate>) -> Result<&'static str, SkillError> {
    ctx.progress("working").await?;
    gate.pass().await;
    Ok("done")
}

/// Tells that it works, waits at the gate, and writes 50 chunks.
#[a2a_sdk::skill]
async fn burst(ctx: Context, State(gate): State<Gate>) -> Result<Reply, SkillError> {
    ctx.progress("working").await?;
    gate.pass().await;
    let mut artifact = ctx.artifact("a");
    for n in 0..49 {
        artifact.write(format!("{n} ")).await?;
    }
    artifact.finish_with("49").await?;
    Ok(Reply::parts([]))
}

/// An agent that may call this machine.
fn local() -> (Agent, Gate) {
    let gate = Gate::default();
    let policy = WebhookPolicy::new().allow_loopback();
    (echo::agent().state(gate.clone()).push_notifications(policy), gate)
}

/// An agent that keeps to the rules that hold where nobody says otherwise.
fn guarded() -> Agent {
    echo::agent().state(Gate::default()).push_notifications(WebhookPolicy::new())
}

/// Takes what is posted; the test says what is answered.
struct Receiver {
    address: SocketAddr,
    posts: mpsc::UnboundedReceiver<Post>,
}

struct Post {
    headers: HeaderMap,
    body: Value,
    reply: oneshot::Sender<Response<Body>>,
}

impl Post {
    fn answer(self, status: StatusCode) -> Value {
        self.answer_with(Response::builder().status(status).body(Body::empty()).unwrap())
    }

    fn answer_with(self, response: Response<Body>) -> Value {
        self.reply.send(response).unwrap();
        self.body
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Receiver {
    async fn new() -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").await.unwrap())
    }

    fn on(listener: TcpListener) -> Self {
        let address = listener.local_addr().unwrap();
        let (sender, posts) = mpsc::unbounded_channel();
        let take = async move |headers: HeaderMap, body: String| {
            let (reply, answer) = oneshot::channel();
            let body = serde_json::from_str(&body).unwrap();
            drop(sender.send(Post { headers, body, reply }));
            // A test that says nothing leaves it hanging.
            match answer.await {
                Ok(answer) => answer,
                Err(_) => std::future::pending().await,
            }
        };
        let routes = axum::Router::new().fallback(take);
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { address, posts }
    }

    fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    async fn next(&mut self) -> Post {
        tokio::time::timeout(Duration::from_secs(20), self.posts.recv()).await.unwrap().unwrap()
    }

    /// Takes the next one.
    async fn taken(&mut self) -> Value {
        self.next().await.answer(StatusCode::OK)
    }

    /// Takes everything until the task has ended, and tells each in a few words.
    async fn all(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        loop {
            let body = self.taken().await;
            told.push(line(&body));
            if ["COMPLETED", "FAILED", "CANCELED"].contains(&told.last().unwrap().as_str()) {
                return told;
            }
        }
    }
}

/// What is posted, in a few words.
fn line(body: &Value) -> String {
    let members: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(members.len(), 1, "one member of a StreamResponse: {body}");
    let state =
        |status: &Value| status["state"].as_str().unwrap().trim_start_matches("TASK_STATE_").to_owned();
    match members[0].as_str() {
        "task" => format!("task {}", state(&body["task"]["status"])),
        "statusUpdate" => state(&body["statusUpdate"]["status"]),
        "artifactUpdate" => {
            let parts = body["artifactUpdate"]["artifact"]["parts"].as_array().unwrap();
            parts.iter().map(|part| part["text"].as_str().unwrap()).collect()
        }
        other => panic!("{other}: {body}"),
    }
}

fn to(skill: &str) -> Value {
    let mut message = message("hi");
    message["metadata"] = json!({ "skill": skill });
    json!({ "message": message })
}

/// A message to that skill, with a configuration of its own.
fn inline(skill: &str, config: Value) -> Value {
    let mut request = to(skill);
    request["configuration"]["taskPushNotificationConfig"] = config;
    request
}

async fn rpc(server: &Server, method: &str, params: Value) -> Outcome {
    call(server.address, Binding::JsonRpc, V1, method, &params).await
}

/// The id of the task that such a message makes, without waiting for its end.
async fn started(server: &Server, mut request: Value) -> String {
    request["configuration"]["returnImmediately"] = json!(true);
    let answer = rpc(server, "SendMessage", request).await.unwrap();
    answer["task"]["id"].as_str().unwrap().to_owned()
}

const CREATE: &str = "CreateTaskPushNotificationConfig";
const GET: &str = "GetTaskPushNotificationConfig";
const LIST: &str = "ListTaskPushNotificationConfigs";
const DELETE: &str = "DeleteTaskPushNotificationConfig";

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

/// Addresses that a server must not be made to call.
const FORBIDDEN: [&str; 31] = [
    "http://example.com/",
    "http://8.8.8.8/",
    "ftp://8.8.8.8/",
    "file:///etc/passwd",
    "gopher://8.8.8.8/",
    "/hook",
    "hook",
    "https://",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://0x7f.0.0.1/",
    "https://2130706433/",
    "https://0177.0.0.1/",
    "https://0/",
    "https://localhost/",
    "https://LOCALHOST:8443/",
    "https://localhost./",
    "https://a.localhost/",
    "https://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://100.64.0.1/",
    "https://[::1]/",
    "https://[::]/",
    "https://[fe80::1]/",
    "https://[fd00::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://user:password@8.8.8.8/",
    "https://\u{ff11}27.0.0.1/",
];

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
