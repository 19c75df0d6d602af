//! The three bindings behind one function: a call is a method and its parameters as JSON, whatever carries it.
//!
//! gRPC is spoken with messages made of the descriptors, which share nothing with what the server uses.
#![allow(dead_code, reason = "each test uses some of it")]

use a2a_tests::http;
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::{Map, Value, json};
use std::net::SocketAddr;
use std::sync::LazyLock;
use std::time::Duration;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use tonic_types::StatusExt as _;

/// The version, as most calls tell it.
pub(crate) const V1: &str = "A2A-Version: 1.0\r\n";

/// Every method.
pub(crate) const METHODS: [&str; 11] = [
    "SendMessage",
    "SendStreamingMessage",
    "GetTask",
    "ListTasks",
    "CancelTask",
    "SubscribeToTask",
    "CreateTaskPushNotificationConfig",
    "GetTaskPushNotificationConfig",
    "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig",
    "GetExtendedAgentCard",
];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Binding {
    JsonRpc,
    Rest,
    Grpc,
}

pub(crate) const BINDINGS: [Binding; 3] = [Binding::JsonRpc, Binding::Rest, Binding::Grpc];

/// What comes back: the result, for a stream all events; or what is wrong.
pub(crate) type Outcome = Result<Value, Refused>;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Refused {
    /// The reason of the `ErrorInfo`; empty where there is none.
    pub(crate) reason: String,
    /// The code of JSON-RPC or, where HTTP refused, the status; the code of gRPC.
    pub(crate) code: i64,
    /// The first field at fault; empty where there is none.
    pub(crate) field: String,
    pub(crate) message: String,
}

/// The parameters that every method needs, for a task that may not be there.
pub(crate) fn params_of(method: &str, task: &str) -> Value {
    match method {
        "SendMessage" | "SendStreamingMessage" => json!({ "message": message("hi") }),
        "GetTask" | "CancelTask" | "SubscribeToTask" => json!({ "id": task }),
        "CreateTaskPushNotificationConfig" => {
            json!({ "taskId": task, "id": "c", "url": "https://8.8.8.8:9/" })
        }
        "GetTaskPushNotificationConfig" | "DeleteTaskPushNotificationConfig" => {
            json!({ "taskId": task, "id": "c" })
        }
        "ListTaskPushNotificationConfigs" => json!({ "taskId": task }),
        _ => json!({}),
    }
}

/// A message as JSON.
pub(crate) fn message(text: &str) -> Value {
    json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": text }] })
}

/// Calls a method; `headers` are lines, each with its end.
pub(crate) async fn call(
    address: SocketAddr,
    binding: Binding,
    headers: &str,
    method: &str,
    params: &Value,
) -> Outcome {
    let calling = async {
        match binding {
            Binding::JsonRpc => json_rpc(address, headers, method, params).await,
            Binding::Rest => rest(address, headers, method, params).await,
            Binding::Grpc => grpc(address, headers, method, params).await,
        }
    };
    tokio::time::timeout(Duration::from_secs(20), calling).await.unwrap()
}

fn refused(code: i64, error: &Value, details: &Value) -> Refused {
    Refused {
        reason: details[0]["reason"].as_str().unwrap_or_default().to_owned(),
        code,
        field: details[1]["fieldViolations"][0]["field"].as_str().unwrap_or_default().to_owned(),
        message: error["message"].as_str().unwrap_or_default().to_owned(),
    }
}

async fn json_rpc(address: SocketAddr, headers: &str, method: &str, params: &Value) -> Outcome {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let headers = format!("Content-Type: application/json\r\n{headers}");
    let response = http::request(address, "POST", "/", &headers, body.as_bytes()).await;
    let status = response.status;
    if status != 200 && response.header("content-type") != "application/json" {
        return Err(Refused { code: status.into(), ..Refused::default() });
    }
    if response.header("content-type") == "text/event-stream" {
        let events = response.events().await;
        return Ok(events.into_iter().map(|event| event.data["result"].clone()).collect());
    }
    let answer = response.json().await;
    assert_eq!(answer["id"], 1, "{answer}");
    match answer.get("error") {
        None => Ok(answer["result"].clone()),
        // Who is calling is a matter of HTTP, which has a status for it.
        Some(error) if status != 200 => Err(refused(status.into(), error, &error["data"])),
        Some(error) => Err(refused(error["code"].as_i64().unwrap(), error, &error["data"])),
    }
}

async fn rest(address: SocketAddr, headers: &str, method: &str, params: &Value) -> Outcome {
    let mut left = params.as_object().cloned().unwrap_or_default();
    let mut take = |name: &str| match left.remove(name) {
        Some(Value::String(text)) => encoded(&text),
        _ => String::new(),
    };
    let (verb, path) = match method {
        "SendMessage" => ("POST", "/message:send".to_owned()),
        "SendStreamingMessage" => ("POST", "/message:stream".to_owned()),
        "GetTask" => ("GET", format!("/tasks/{}", take("id"))),
        "ListTasks" => ("GET", "/tasks".to_owned()),
        "CancelTask" => ("POST", format!("/tasks/{}:cancel", take("id"))),
        "SubscribeToTask" => ("POST", format!("/tasks/{}:subscribe", take("id"))),
        "CreateTaskPushNotificationConfig" => {
            ("POST", format!("/tasks/{}/pushNotificationConfigs", take("taskId")))
        }
        "GetTaskPushNotificationConfig" => {
            ("GET", format!("/tasks/{}/pushNotificationConfigs/{}", take("taskId"), take("id")))
        }
        "ListTaskPushNotificationConfigs" => {
            ("GET", format!("/tasks/{}/pushNotificationConfigs", take("taskId")))
        }
        "DeleteTaskPushNotificationConfig" => {
            ("DELETE", format!("/tasks/{}/pushNotificationConfigs/{}", take("taskId"), take("id")))
        }
        "GetExtendedAgentCard" => ("GET", "/extendedAgentCard".to_owned()),
        other => panic!("no method {other}"),
    };
    let path = match take("tenant") {
        tenant if tenant.is_empty() => path,
        tenant => format!("/{tenant}{path}"),
    };
    let (path, body) = match verb {
        "POST" => (path, Value::Object(left).to_string()),
        _ => (format!("{path}?{}", query(&left)), String::new()),
    };
    let response = http::request(address, verb, &path, headers, body.as_bytes()).await;
    let status = response.status;
    match response.header("content-type") {
        "text/event-stream" => Ok(response.events().await.into_iter().map(|event| event.data).collect()),
        "application/json" => {
            let answer = response.json().await;
            match status {
                200 => Ok(answer),
                _ => Err(refused(status.into(), &answer["error"], &answer["error"]["details"])),
            }
        }
        _ => Err(Refused { code: status.into(), ..Refused::default() }),
    }
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(
            |byte| {
                if byte.is_ascii_alphanumeric() {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            },
        )
        .collect()
}

fn query(params: &Map<String, Value>) -> String {
    let pairs = params.iter().map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{}={}", encoded(name), encoded(&text))
    });
    pairs.collect::<Vec<_>>().join("&")
}

static POOL: LazyLock<DescriptorPool> =
    LazyLock::new(|| DescriptorPool::decode(a2a_sdk::grpc::DESCRIPTORS).unwrap());

/// A message of the descriptors, as JSON; members that say nothing are left out.
fn to_json(message: &DynamicMessage) -> Value {
    serde_json::to_value(message).unwrap()
}

/// What a method answers, read with the descriptors and written again: the same whatever the binding leaves out.
pub(crate) fn plain(method: &str, result: &Value) -> Value {
    let (_, output, streams) = descriptors(method);
    let read = |value: &Value| to_json(&DynamicMessage::deserialize(output.clone(), value.clone()).unwrap());
    match result {
        Value::Array(events) if streams => events.iter().map(read).collect(),
        result => read(result),
    }
}

fn descriptors(method: &str) -> (MessageDescriptor, MessageDescriptor, bool) {
    let service = POOL.get_service_by_name("lf.a2a.v1.A2AService").unwrap();
    let method = service.methods().find(|known| known.name() == method).unwrap();
    (method.input(), method.output(), method.is_server_streaming())
}

async fn grpc(address: SocketAddr, headers: &str, method: &str, params: &Value) -> Outcome {
    let (input, output, streams) = descriptors(method);
    let message = DynamicMessage::deserialize(input, params.clone()).unwrap();
    let mut request = Request::new(message);
    for line in headers.lines() {
        let (name, value) = line.split_once(':').unwrap();
        let name: tonic::metadata::AsciiMetadataKey = name.to_ascii_lowercase().parse().unwrap();
        request.metadata_mut().append(name, value.trim().parse().unwrap());
    }
    let mut client = tonic::client::Grpc::new(channel(address).await);
    client.ready().await.unwrap();
    let path = format!("/lf.a2a.v1.A2AService/{method}").parse().unwrap();
    let answer = if streams {
        match client.server_streaming(request, path, Dynamic(output)).await {
            Err(status) => Err(status),
            Ok(stream) => {
                let mut stream = stream.into_inner();
                let mut events = Vec::new();
                loop {
                    match stream.message().await {
                        Ok(Some(event)) => events.push(to_json(&event)),
                        Ok(None) => break Ok(Value::Array(events)),
                        Err(status) => break Err(status),
                    }
                }
            }
        }
    } else {
        client.unary(request, path, Dynamic(output)).await.map(|answer| to_json(answer.get_ref()))
    };
    answer.map_err(|status| of_status(&status))
}

pub(crate) async fn channel(address: SocketAddr) -> Channel {
    Endpoint::new(format!("http://{address}")).unwrap().connect().await.unwrap()
}

fn of_status(status: &Status) -> Refused {
    let details = status.get_error_details();
    let field = details.bad_request().and_then(|bad| bad.field_violations.first());
    Refused {
        reason: details.error_info().map(|info| info.reason.clone()).unwrap_or_default(),
        code: (status.code() as i32).into(),
        field: field.map(|violation| violation.field.clone()).unwrap_or_default(),
        message: status.message().to_owned(),
    }
}

/// Carries messages of the descriptors.
struct Dynamic(MessageDescriptor);

impl Codec for Dynamic {
    type Encode = DynamicMessage;
    type Decode = DynamicMessage;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self(self.0.clone())
    }

    fn decoder(&mut self) -> Self {
        Self(self.0.clone())
    }
}

impl Encoder for Dynamic {
    type Item = DynamicMessage;
    type Error = Status;

    fn encode(&mut self, message: DynamicMessage, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        message.encode(buffer).map_err(|error| Status::internal(error.to_string()))
    }
}

impl Decoder for Dynamic {
    type Item = DynamicMessage;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<DynamicMessage>, Status> {
        let message = DynamicMessage::decode(self.0.clone(), buffer);
        message.map(Some).map_err(|error| Status::internal(error.to_string()))
    }
}

/// Whether protocol buffers can say these parameters.
pub(crate) fn can_say(method: &str, params: &Value) -> bool {
    DynamicMessage::deserialize(descriptors(method).0, params.clone()).is_ok()
}
