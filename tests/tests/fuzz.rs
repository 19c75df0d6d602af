//! Requests that nobody means: whatever comes, the answer is well formed, and the server still answers.
#![allow(clippy::unwrap_used, reason = "tests")]

mod three;

use a2a_sdk::protocol::Message;
use a2a_sdk::{Context, Reply, SkillError, WebhookPolicy};
use a2a_tests::http::{Response, Server, request, serve};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::{Map, Value, json};
use std::time::Duration;
use three::{Binding, METHODS, V1, call, message};
use tokio::runtime::Runtime;

/// Says it back.
#[a2a_sdk::agent]
async fn echo(message: Message) -> Reply {
    Reply::parts(message.parts)
}

/// Asks.
#[a2a_sdk::skill]
async fn ask(_ctx: Context) -> Result<Reply, SkillError> {
    Ok(Reply::ask("?"))
}

/// Every code that a well-behaved agent answers a bad request with: not one of them says that something broke.
const CODES: [i64; 13] =
    [-32001, -32002, -32003, -32004, -32005, -32007, -32008, -32009, -32700, -32600, -32601, -32602, -32006];

/// A served agent that has a task that is done and one that waits.
struct World {
    runtime: Runtime,
    server: Server,
    done: String,
    waits: String,
}

impl World {
    fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let agent = echo::agent().push_notifications(WebhookPolicy::new()).body_limit(100_000);
        let (server, done, waits) = runtime.block_on(async {
            let server = serve(agent).await;
            let done = sent(&server, "echo").await;
            let waits = sent(&server, "ask").await;
            (server, done, waits)
        });
        Self { runtime, server, done, waits }
    }

    /// A good request of every kind.
    fn seeds(&self) -> Vec<(&'static str, Value)> {
        let mut full = message("hi");
        full["contextId"] = json!("c");
        full["metadata"] = json!({ "skill": "echo", "n": [1, { "deep": null }] });
        full["extensions"] = json!(["urn:example:one"]);
        full["referenceTaskIds"] = json!([self.done]);
        full["parts"] = json!([
            { "text": "a", "mediaType": "text/plain", "metadata": { "k": 1 } },
            { "raw": "AAAA", "filename": "f" },
            { "url": "https://example.com/" },
            { "data": { "x": [1.5, true, null, "y"] } }
        ]);
        let config = json!({ "url": "https://8.8.8.8:9/", "id": "c", "token": "t",
            "authentication": { "scheme": "Bearer", "credentials": "s" } });
        let configuration = json!({ "acceptedOutputModes": ["text/plain"], "historyLength": 1,
            "returnImmediately": true, "taskPushNotificationConfig": config });
        let send =
            json!({ "tenant": "", "message": full, "configuration": configuration, "metadata": { "a": 1 } });
        let mut more = message("more");
        more["taskId"] = json!(self.waits);
        let mut create = config.clone();
        create["taskId"] = json!(self.waits);
        vec![
            ("SendMessage", send.clone()),
            ("SendMessage", json!({ "message": message("hi") })),
            ("SendMessage", json!({ "message": more })),
            ("SendStreamingMessage", send),
            ("GetTask", json!({ "id": self.done, "historyLength": 1, "tenant": "" })),
            (
                "ListTasks",
                json!({ "contextId": "c", "status": "TASK_STATE_COMPLETED", "pageSize": 2, "pageToken": "",
                    "historyLength": 0, "statusTimestampAfter": "2020-01-01T00:00:00Z", "includeArtifacts": true }),
            ),
            ("CancelTask", json!({ "id": self.done, "metadata": { "why": "x" } })),
            ("SubscribeToTask", json!({ "id": self.done })),
            ("CreateTaskPushNotificationConfig", create),
            ("GetTaskPushNotificationConfig", json!({ "taskId": self.waits, "id": "c" })),
            (
                "ListTaskPushNotificationConfigs",
                json!({ "taskId": self.waits, "pageSize": 1, "pageToken": "c" }),
            ),
            ("DeleteTaskPushNotificationConfig", json!({ "taskId": self.waits, "id": "c" })),
            ("GetExtendedAgentCard", json!({})),
        ]
    }

    /// Runs the test for so many cases, and sees to it that the server still answers.
    ///
    /// The cases are the same each time. `FUZZ=10` runs ten times as many, and others each time.
    fn run<S: Strategy>(
        &self,
        cases: u32,
        strategy: &S,
        test: impl AsyncFn(S::Value) -> Result<(), TestCaseError>,
    ) {
        let more = std::env::var("FUZZ").ok().map(|times| times.parse::<u32>().unwrap());
        let cases = cases * more.unwrap_or(1);
        let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
        let mut runner = match more {
            None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
            Some(_) => TestRunner::new(config),
        };
        let ran = runner.run(strategy, |input| self.runtime.block_on(soon(test(input))));
        assert!(ran.is_ok(), "{}", ran.unwrap_err());
        self.runtime.block_on(async {
            sent(&self.server, "echo").await;
            let get = json!({ "id": self.done });
            assert!(call(self.server.address, Binding::JsonRpc, V1, "GetTask", &get).await.is_ok());
        });
    }
}

async fn sent(server: &Server, skill: &str) -> String {
    let mut message = message("hi");
    message["metadata"] = json!({ "skill": skill });
    let params = json!({ "message": message });
    let answer = call(server.address, Binding::JsonRpc, V1, "SendMessage", &params).await.unwrap();
    answer["task"]["id"].as_str().unwrap().to_owned()
}

/// A hang is a failure.
async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(10), future).await.expect("an answer in time")
}

/// What is done to a request.
#[derive(Clone, Debug)]
enum Change {
    /// Takes a member or an entry away.
    Drop(usize),
    /// Puts something else in its place.
    Put(usize, Value),
    /// Gives an object one more member.
    Add(usize, String, Value),
    /// Spells a member as protocol buffers do.
    Snake(usize),
}

/// What is done to the text of a request.
#[derive(Clone, Debug)]
enum Damage {
    None,
    /// Says a member twice.
    Twice(usize),
    Cut(usize),
    Byte(usize, u8),
    Insert(usize, Vec<u8>),
}

fn any_json() -> impl Strategy<Value = Value> {
    let odd = select(vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(""),
        json!("TASK_STATE_WORKING"),
        json!("9999-99-99T99:99:99Z"),
        json!("2020-01-01T00:00:00+25:00"),
        json!("+275760-09-13T00:00:00Z"),
        json!("\u{0}\u{feff}\u{10ffff}"),
        json!("=="),
        json!([]),
        json!({}),
        json!([[]]),
        json!([null]),
        json!({ "": null }),
    ]);
    let leaf = prop_oneof![odd, any::<i32>().prop_map(Value::from), ".{0,8}".prop_map(Value::from)];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((".{0,6}", inner), 0..4)
                .prop_map(|members| members.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

fn change() -> impl Strategy<Value = Change> {
    let name = prop_oneof![
        select(vec!["id", "taskId", "task_id", "tenant", "text", "data", "url", "parts", "message", "kind"])
            .prop_map(str::to_owned),
        ".{0,6}",
    ];
    prop_oneof![
        any::<usize>().prop_map(Change::Drop),
        (any::<usize>(), any_json()).prop_map(|(at, value)| Change::Put(at, value)),
        (any::<usize>(), name, any_json()).prop_map(|(at, name, value)| Change::Add(at, name, value)),
        any::<usize>().prop_map(Change::Snake),
    ]
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => Just(Damage::None),
        1 => any::<usize>().prop_map(Damage::Twice),
        1 => any::<usize>().prop_map(Damage::Cut),
        1 => any::<(usize, u8)>().prop_map(|(at, byte)| Damage::Byte(at, byte)),
        1 => (any::<usize>(), vec(any::<u8>(), 1..8)).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
    ]
}

/// How many values there are in it, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(count).sum(),
        Value::Object(object) => object.values().map(count).sum(),
        _ => 0,
    }
}

/// Calls with the value of that number, in the order of the text, and with what holds it.
fn at(value: &mut Value, number: &mut usize, change: &mut dyn FnMut(&mut Value, Option<&str>)) -> bool {
    let keys: Vec<String> = match value {
        Value::Array(list) => (0..list.len()).map(|at| at.to_string()).collect(),
        Value::Object(object) => object.keys().cloned().collect(),
        _ => Vec::new(),
    };
    for key in keys {
        if *number == 0 {
            change(value, Some(&key));
            return true;
        }
        *number -= 1;
        let inner = match &mut *value {
            Value::Array(list) => &mut list[key.parse::<usize>().unwrap()],
            other => &mut other[&*key],
        };
        if at(inner, number, change) {
            return true;
        }
    }
    false
}

fn snake(name: &str) -> String {
    name.chars()
        .flat_map(|c| if c.is_uppercase() { vec!['_', c.to_ascii_lowercase()] } else { vec![c] })
        .collect()
}

fn changed(mut value: Value, changes: &[Change]) -> Value {
    for change in changes {
        let inner = count(&value) - 1;
        let (Change::Drop(number) | Change::Put(number, _) | Change::Add(number, ..) | Change::Snake(number)) =
            change;
        if inner == 0 {
            if let Change::Put(_, with) = change {
                value = with.clone();
            }
            continue;
        }
        let mut number = number % inner;
        at(&mut value, &mut number, &mut |holder, key| {
            let key = key.unwrap();
            match (holder, change) {
                (Value::Object(object), Change::Drop(_)) => drop(object.remove(key)),
                (Value::Object(object), Change::Put(_, with)) => {
                    drop(object.insert(key.to_owned(), with.clone()))
                }
                (Value::Object(object), Change::Add(_, name, with)) => {
                    object.insert(name.clone(), with.clone());
                }
                (Value::Object(object), Change::Snake(_)) => {
                    let moved = object.remove(key).unwrap();
                    object.insert(snake(key), moved);
                }
                (Value::Array(list), Change::Drop(_)) => drop(list.remove(key.parse().unwrap())),
                (Value::Array(list), Change::Put(_, with)) => {
                    list[key.parse::<usize>().unwrap()] = with.clone()
                }
                (Value::Array(list), Change::Add(_, _, with)) => list.push(with.clone()),
                _ => {}
            }
        });
    }
    value
}

fn damaged(text: String, damage: &Damage) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    let length = bytes.len().max(1);
    match damage {
        Damage::None => {}
        Damage::Cut(at) => bytes.truncate(at % length),
        Damage::Byte(at, byte) => {
            if let Some(place) = bytes.get_mut(at % length) {
                *place = *byte;
            }
        }
        Damage::Insert(at, more) => drop(bytes.splice(at % length..at % length, more.iter().copied())),
        Damage::Twice(at) => {
            let opened: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'{').collect();
            if let Some(place) = opened.get(at % opened.len().max(1)) {
                // The member that follows, said again with another value; in an empty object it is one too many.
                let rest = String::from_utf8_lossy(&bytes[place + 1..]).into_owned();
                if let Some(key) = rest.strip_prefix('"').and_then(|rest| rest.split('"').next()) {
                    let more = format!("\"{key}\":7,");
                    bytes.splice(place + 1..place + 1, more.into_bytes());
                }
            }
        }
    }
    bytes
}

/// An answer of JSON-RPC that is whole: an envelope, or a stream of envelopes.
async fn assert_envelope(response: Response) -> Result<(), TestCaseError> {
    prop_assert!([200, 413].contains(&response.status), "{}", response.status);
    let answers: Vec<Value> = match response.header("content-type") {
        "text/event-stream" => response.events().await.into_iter().map(|event| event.data).collect(),
        "application/json" => vec![response.json().await],
        other => return Err(TestCaseError::fail(format!("content type `{other}`"))),
    };
    for answer in answers {
        prop_assert_eq!(&answer["jsonrpc"], "2.0");
        prop_assert!(answer.get("id").is_some(), "{}", answer);
        prop_assert!(answer.get("result").is_some() != answer.get("error").is_some(), "{}", answer);
        if let Some(error) = answer.get("error") {
            let code = error["code"].as_i64().unwrap_or_default();
            prop_assert!(CODES.contains(&code), "{}", answer);
            prop_assert!(error["message"].is_string() && error["data"].is_array(), "{}", answer);
        }
    }
    Ok(())
}

async fn post(server: &Server, body: &[u8]) -> Response {
    server.post(body).await
}

/// An answer of HTTP+JSON that is whole.
async fn assert_answer(response: Response) -> Result<(), TestCaseError> {
    let status = response.status;
    prop_assert!(status < 500, "{}", status);
    match response.header("content-type") {
        "text/event-stream" => {
            for event in response.events().await {
                prop_assert_eq!(event.data.as_object().unwrap().len(), 1);
            }
        }
        "application/json" => {
            let answer = response.json().await;
            match answer.get("error") {
                Some(error) => {
                    prop_assert_eq!(&error["code"], &json!(status));
                    prop_assert!(error["details"][0]["reason"].is_string(), "{}", answer);
                }
                // As protocol 0.3 has it, under `/v1`.
                None if status != 200 => {
                    prop_assert!(answer["code"].is_i64() && answer["message"].is_string(), "{}", answer);
                }
                None => {}
            }
        }
        // What is no HTTP is refused below us.
        "" if status == 400 => {}
        other => return Err(TestCaseError::fail(format!("{status} with content type `{other}`"))),
    }
    Ok(())
}

#[test]
fn a_request_with_changes_is_answered_in_an_envelope() {
    let world = World::new();
    let strategy = (select(world.seeds()), vec(change(), 0..4), damage());
    world.run(500, &strategy, async |((method, params), changes, damage)| {
        let params = changed(params, &changes);
        let envelope = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        assert_envelope(post(&world.server, &damaged(envelope.to_string(), &damage)).await).await
    });
}

#[test]
fn an_envelope_with_changes_is_answered_in_an_envelope() {
    let world = World::new();
    let strategy = (select(METHODS.to_vec()), any_json(), vec(change(), 1..4), damage());
    world.run(300, &strategy, async |(method, params, changes, damage)| {
        let envelope = json!({ "jsonrpc": "2.0", "id": "é", "method": method, "params": params });
        let envelope = changed(envelope, &changes);
        assert_envelope(post(&world.server, &damaged(envelope.to_string(), &damage)).await).await
    });
}

#[test]
fn bytes_that_are_no_request_are_answered_in_an_envelope() {
    let world = World::new();
    let json_like = vec(select(b"{}[]\",:\\ u0eE+-.1tfn\"\"\xff\xc3\xa9".to_vec()), 0..60);
    let strategy =
        prop_oneof![vec(any::<u8>(), 0..80), json_like, any_json().prop_map(|json| json.to_string().into())];
    world.run(300, &strategy, async |bytes| assert_envelope(post(&world.server, &bytes).await).await);
}

#[test]
fn a_body_with_changes_is_answered_in_http() {
    let world = World::new();
    let path = |method: &str, waits: &str| match method {
        "SendMessage" => "/message:send".to_owned(),
        "SendStreamingMessage" => "/message:stream".to_owned(),
        "CancelTask" => "/tasks/none:cancel".to_owned(),
        "CreateTaskPushNotificationConfig" => format!("/tasks/{waits}/pushNotificationConfigs"),
        _ => "/north/message:send".to_owned(),
    };
    let strategy = (select(world.seeds()), vec(change(), 0..4), damage());
    world.run(300, &strategy, async |((method, params), changes, damage)| {
        let body = damaged(changed(params, &changes).to_string(), &damage);
        let path = path(method, &world.waits);
        assert_answer(request(world.server.address, "POST", &path, V1, &body).await).await
    });
}

/// Text that HTTP lets through in a path, with whatever bytes behind percent signs.
fn path_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<u8>().prop_map(|byte| format!("%{byte:02X}")),
        select(vec![
            "tasks",
            "/",
            "/",
            "/",
            ":",
            ":cancel",
            ":subscribe",
            "message:send",
            "message:stream",
            "north",
            "pushNotificationConfigs",
            "extendedAgentCard",
            ".well-known",
            "agent-card.json",
            "v1",
            "..",
            "%",
            "%2",
            "%zz",
            "%00",
            "+",
            "a",
            "0",
            "~",
            "@",
            ";",
            "=",
            "lf.a2a.v1.A2AService",
            "SendMessage",
        ])
        .prop_map(str::to_owned),
    ];
    vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn query_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<u8>().prop_map(|byte| format!("%{byte:02x}")),
        select(vec![
            "pageSize=",
            "page_size=",
            "status=",
            "historyLength=",
            "includeArtifacts=",
            "statusTimestampAfter=",
            "pageToken=",
            "contextId=",
            "tenant=",
            "A2A-Version=",
            "id=",
            "taskId=",
            "&",
            "&",
            "=",
            "1",
            "-1",
            "true",
            "TASK_STATE_WORKING",
            "2020-01-01T00:00:00Z",
            "99999999999999999999",
            "+",
            "%",
            "\"",
            "}",
            "{",
            "\\",
            "?",
        ])
        .prop_map(str::to_owned),
    ];
    vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

#[test]
fn a_path_and_a_query_of_whatever_bytes_are_answered_in_http() {
    let world = World::new();
    let methods = select(vec!["GET", "POST", "DELETE", "PUT", "PATCH"]);
    let known = select(vec!["/tasks", "/tasks/none", "/north/tasks", "/tasks/none/pushNotificationConfigs"]);
    let path = prop_oneof![path_text().prop_map(|path| format!("/{path}")), known.prop_map(str::to_owned)];
    let strategy = (methods, path, query_text());
    world.run(600, &strategy, async |(method, path, query)| {
        // The root, the card and gRPC are not of this binding.
        if path == "/" || path.starts_with("/.well-known/agent-card.json") || path.contains("A2AService") {
            return Ok(());
        }
        // Under it is protocol 0.3, whose errors have another form.
        let older = path == "/v1" || path.starts_with("/v1/");
        let path = format!("{path}?{query}");
        let response = request(world.server.address, method, &path, V1, b"").await;
        if older {
            prop_assert!(response.status < 500, "{}", response.status);
            return Ok(());
        }
        assert_answer(response).await
    });
}

#[test]
fn headers_of_whatever_bytes_are_answered() {
    let world = World::new();
    let names = select(vec![
        "A2A-Version",
        "A2A-Extensions",
        "Content-Type",
        "Accept",
        "Last-Event-ID",
        "Authorization",
    ]);
    let header =
        (names, vec(any::<u8>().prop_filter("a line", |byte| ![b'\r', b'\n', 0].contains(byte)), 0..20));
    world.run(200, &vec(header, 1..4), async |headers| {
        let mut head = Vec::new();
        for (name, value) in headers {
            // Only what HTTP takes as a value; the rest is refused below us.
            let value: String = value
                .iter()
                .map(|byte| if (32..127).contains(byte) { char::from(*byte) } else { 'é' })
                .collect();
            head.push(format!("{name}: {value}\r\n"));
        }
        let response = request(world.server.address, "GET", "/tasks", &head.concat(), b"").await;
        prop_assert!(response.status < 500);
        Ok(())
    });
}

#[test]
fn json_rpc_and_grpc_agree_on_every_request_that_both_can_say() {
    let world = World::new();
    let seeds =
        world.seeds().into_iter().filter(|(method, _)| *method != "SubscribeToTask").collect::<Vec<_>>();
    let strategy = (select(seeds), vec(change(), 0..3));
    world.run(300, &strategy, async |((method, params), changes)| {
        let params = changed(params, &changes);
        if !three::can_say(method, &params) {
            return Ok(());
        }
        let reason = async |binding| {
            let outcome = call(world.server.address, binding, V1, method, &params).await;
            // Of several things that are wrong each may tell another.
            outcome.map_or_else(|refused| refused.reason, |_| "none".to_owned())
        };
        let (one, other) = (reason(Binding::JsonRpc).await, reason(Binding::Grpc).await);
        prop_assert_eq!(one, other, "{} {}", method, params);
        Ok(())
    });
}
