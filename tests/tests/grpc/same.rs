//! The same requests over gRPC and over JSON-RPC, to one server: the answers are the same, and so are the errors.

use crate::{Server, client, desk, serve};
use a2a_sdk::grpc::{error_of, v1};
use a2a_sdk::protocol::*;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic::Status;

/// What comes back: the result as JSON, or the reason and the field at fault.
type Outcome = Result<Value, (String, Option<String>)>;

async fn over_json_rpc(server: &Server, method: &str, params: &Value) -> Outcome {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let mut connection = TcpStream::connect(server.address).await.unwrap();
    let head = format!(
        "POST / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nA2A-Version: 1.0\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        server.address,
        body.len()
    );
    connection.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let answer: Value = serde_json::from_str(body).unwrap();
    match answer.get("result") {
        Some(result) => Ok(result.clone()),
        None => {
            let details = &answer["error"]["data"];
            let field = details[1]["fieldViolations"][0]["field"].as_str().map(str::to_owned);
            Err((details[0]["reason"].as_str().unwrap().to_owned(), field))
        }
    }
}

/// An answer of gRPC as the JSON of the same message.
fn answered<T, P>(answer: Result<tonic::Response<P>, Status>) -> Outcome
where
    T: TryFrom<P, Error = A2aError> + serde::Serialize,
{
    match answer {
        Ok(answer) => Ok(serde_json::to_value(T::try_from(answer.into_inner()).unwrap()).unwrap()),
        Err(status) => {
            let error = error_of(&status);
            assert_eq!(status.code() as i32, error.kind.grpc_code(), "{status:?}");
            let field = error.violations().first().map(|violation| violation.field.clone());
            Err((error.kind.reason().to_owned(), field))
        }
    }
}

async fn over_grpc(server: &Server, request: Params) -> Outcome {
    let mut client = client(server).await;
    match request {
        Params::Send(request) => answered::<SendMessageResponse, _>(client.send_message(*request).await),
        Params::Get(request) => answered::<Task, _>(client.get_task(request).await),
        Params::List(request) => answered::<ListTasksResponse, _>(client.list_tasks(request).await),
        Params::Cancel(request) => answered::<Task, _>(client.cancel_task(request).await),
        Params::Card(request) => answered::<AgentCard, _>(client.get_extended_agent_card(request).await),
    }
}

enum Params {
    Send(Box<v1::SendMessageRequest>),
    Get(v1::GetTaskRequest),
    List(v1::ListTasksRequest),
    Cancel(v1::CancelTaskRequest),
    Card(v1::GetExtendedAgentCardRequest),
}

fn part(text: &str) -> v1::Part {
    v1::Part { content: Some(v1::part::Content::Text(text.to_owned())), ..Default::default() }
}

fn message(id: &str, role: i32, parts: Vec<v1::Part>, task_id: &str, context_id: &str) -> Params {
    let message = v1::Message {
        message_id: id.to_owned(),
        role,
        parts,
        task_id: task_id.to_owned(),
        context_id: context_id.to_owned(),
        ..Default::default()
    };
    Params::Send(Box::new(v1::SendMessageRequest { message: Some(message), ..Default::default() }))
}

fn list(change: impl FnOnce(&mut v1::ListTasksRequest)) -> Params {
    let mut request = v1::ListTasksRequest::default();
    change(&mut request);
    Params::List(request)
}

#[tokio::test]
async fn a_request_is_answered_alike() {
    let server = serve(desk()).await;
    let hello = json!({"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "Hi"}]});
    let sent = over_json_rpc(&server, "SendMessage", &json!({"message": hello})).await.unwrap();
    let task = &sent["task"];
    let (id, context) = (task["id"].as_str().unwrap(), task["contextId"].as_str().unwrap());
    let get = |id: &str, history_length| {
        Params::Get(v1::GetTaskRequest { id: id.to_owned(), history_length, ..Default::default() })
    };
    let cancel = |id: &str| Params::Cancel(v1::CancelTaskRequest { id: id.to_owned(), ..Default::default() });
    let more = |task: &str, context: &str| {
        let mut message = hello.clone();
        message["taskId"] = json!(task);
        message["contextId"] = json!(context);
        json!({ "message": message })
    };
    let odd = |key: &str, value: Value| {
        let mut message = hello.clone();
        message[key] = value;
        json!({ "message": message })
    };
    let table = [
        ("GetTask", json!({"id": id}), get(id, None)),
        ("GetTask", json!({"id": id, "historyLength": 0}), get(id, Some(0))),
        ("GetTask", json!({"id": id, "historyLength": -1}), get(id, Some(-1))),
        ("GetTask", json!({"id": "none"}), get("none", None)),
        ("GetTask", json!({}), get("", None)),
        ("ListTasks", json!({}), list(|_| {})),
        ("ListTasks", json!({"includeArtifacts": true}), list(|list| list.include_artifacts = Some(true))),
        ("ListTasks", json!({"pageSize": 1}), list(|list| list.page_size = Some(1))),
        ("ListTasks", json!({"pageSize": 0}), list(|list| list.page_size = Some(0))),
        ("ListTasks", json!({"pageSize": 101}), list(|list| list.page_size = Some(101))),
        ("ListTasks", json!({"pageToken": "forged"}), list(|list| list.page_token = "forged".into())),
        ("ListTasks", json!({"contextId": context}), list(|list| list.context_id = context.to_owned())),
        ("ListTasks", json!({"status": 9}), list(|list| list.status = 9)),
        (
            "ListTasks",
            json!({"statusTimestampAfter": "9999-01-01T00:00:00Z"}),
            list(|list| {
                list.status_timestamp_after = Some("9999-01-01T00:00:00Z".parse().unwrap());
            }),
        ),
        ("CancelTask", json!({"id": id}), cancel(id)),
        ("CancelTask", json!({"id": "none"}), cancel("none")),
        ("CancelTask", json!({}), cancel("")),
        ("GetExtendedAgentCard", json!({}), Params::Card(v1::GetExtendedAgentCardRequest::default())),
        ("SendMessage", json!({}), Params::Send(Box::default())),
        ("SendMessage", odd("messageId", json!("")), message("", 1, vec![part("Hi")], "", "")),
        ("SendMessage", odd("role", json!(0)), message("m", 0, vec![part("Hi")], "", "")),
        ("SendMessage", odd("role", json!(7)), message("m", 7, vec![part("Hi")], "", "")),
        ("SendMessage", odd("parts", json!([])), message("m", 1, vec![], "", "")),
        (
            "SendMessage",
            odd("parts", json!([{"text": "a"}, {}])),
            message("m", 1, vec![part("a"), v1::Part::default()], "", ""),
        ),
        ("SendMessage", more(id, context), message("m", 1, vec![part("Hi")], id, context)),
        ("SendMessage", more(id, "other"), message("m", 1, vec![part("Hi")], id, "other")),
        ("SendMessage", more("none", context), message("m", 1, vec![part("Hi")], "none", context)),
    ];
    for (method, params, request) in table {
        let expected = over_json_rpc(&server, method, &params).await;
        assert_eq!(over_grpc(&server, request).await, expected, "{method} {params}");
    }
}

#[tokio::test]
async fn a_task_of_every_kind_of_content_reads_alike() {
    let server = serve(desk()).await;
    let mut sent = crate::to("echo", "Hi");
    let data = json!({"n": 5, "half": 0.5, "list": [null, true, {"a": ""}], "none": null});
    let parts = [
        Part::data(data.clone()),
        Part::data(Value::Null),
        Part::raw(vec![0xfb, 0xff]).with_filename("a.bin"),
        Part::url("https://example.com/a").with_metadata([("k", 1)]),
    ];
    sent.message.as_mut().unwrap().parts.extend(parts.iter().map(Into::into));
    let task = crate::sent(&mut client(&server).await, sent).await;
    let read = over_json_rpc(&server, "GetTask", &json!({"id": task.id})).await.unwrap();
    assert_eq!(read["history"][0]["parts"][1]["data"], data);
    assert_eq!(read, serde_json::to_value(Task::try_from(task).unwrap()).unwrap());
}
