//! Bad input over the wire: each has its error, changes nothing, and the server still answers.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::{Agent, Context, Json, Reply, SkillError};
use a2a_tests::http::{Server, request, serve};
use a2a_tests::to;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Takes input.
#[a2a_sdk::agent]
async fn echo(text: String) -> String {
    text
}

#[derive(Deserialize, JsonSchema)]
struct Trip {
    nights: u8,
}

/// Takes data.
#[a2a_sdk::skill]
async fn trip(Json(trip): Json<Trip>) -> String {
    trip.nights.to_string()
}

/// Asks.
#[a2a_sdk::skill]
async fn ask(_ctx: Context) -> Result<Reply, SkillError> {
    Ok(Reply::ask("?"))
}

async fn server() -> Server {
    serve(agent()).await
}

fn agent() -> Agent {
    echo::agent()
}

fn params(text: &str) -> Value {
    json!({ "message": { "messageId": "1", "role": "ROLE_USER", "parts": [{ "text": text }] } })
}

fn call(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

/// An error of that code and reason, in an envelope that is whole.
fn assert_error(answer: &Value, code: i64, reason: &str) {
    assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
    assert!(answer.get("id").is_some() && answer.get("result").is_none(), "{answer}");
    let error = &answer["error"];
    assert_eq!((&error["code"], &error["data"][0]["reason"]), (&json!(code), &json!(reason)), "{answer}");
    assert_eq!(error["data"][0]["@type"], "type.googleapis.com/google.rpc.ErrorInfo");
    assert_eq!(error["data"][0]["domain"], "a2a-protocol.org");
    assert!(!error["message"].as_str().unwrap().is_empty());
}

async fn assert_untouched(server: &Server) {
    assert_eq!(server.call("ListTasks", json!({})).await["result"]["totalSize"], 0);
    let answer = server.call("SendMessage", params("hi")).await;
    assert_eq!(answer["result"]["task"]["artifacts"][0]["parts"][0]["text"], "hi");
}

#[tokio::test]
async fn what_is_no_json_is_a_parse_error() {
    let server = server().await;
    let not_utf8 =
        [&br#"{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"contextId":""#[..], b"\xff\"}}"]
            .concat();
    for body in [&b""[..], b"nonsense", b"{\"jsonrpc\":\"2.0\"", b"{} {}", b"\xff\xfe", &not_utf8] {
        let response = server.post(body).await;
        assert_eq!((response.status, response.header("content-type")), (200, "application/json"));
        let answer = response.json().await;
        assert_error(&answer, -32700, "PARSE_ERROR");
        assert_eq!(answer["id"], Value::Null);
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn json_that_is_no_request_is_an_invalid_request() {
    let server = server().await;
    for body in [
        "[]",
        "null",
        "\"SendMessage\"",
        "{}",
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ListTasks"}"#,
        r#"{"id":1,"method":"ListTasks"}"#,
        r#"[{"jsonrpc":"2.0","id":1,"method":"ListTasks"}]"#,
    ] {
        assert_error(&server.post(body).await.json().await, -32600, "INVALID_REQUEST");
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn an_id_is_a_text_a_whole_number_or_null_and_is_echoed() {
    let server = server().await;
    for id in ["1.5", "{}", "[1]", "true", "1e2"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ListTasks"}}"#);
        let answer = server.post(body).await.json().await;
        assert_error(&answer, -32600, "INVALID_REQUEST");
        assert_eq!(answer["id"], Value::Null, "{id}");
    }
    for id in [json!("a \"b\""), json!(-7), json!(9_007_199_254_740_993_i64), Value::Null, json!("")] {
        for method in ["ListTasks", "NoSuch"] {
            let body = json!({ "jsonrpc": "2.0", "id": id, "method": method }).to_string();
            assert_eq!(server.post(body).await.json().await["id"], id);
        }
    }
}

#[tokio::test]
async fn an_unknown_method_is_not_found() {
    let server = server().await;
    for method in ["NoSuch", "sendMessage", "sendmessage", ""] {
        let answer = server.post(call(method, &json!({}))).await.json().await;
        assert_error(&answer, -32601, "METHOD_NOT_FOUND");
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn bad_parameters_are_told_by_the_path_of_the_field() {
    let server = server().await;
    let message = |change: fn(&mut Value)| {
        let mut params = params("hi");
        change(&mut params);
        params
    };
    let cases = [
        ("GetTask", json!({}), "id"),
        ("GetTask", json!({ "id": 7 }), "id"),
        ("GetTask", json!({ "id": "x", "historyLength": "many" }), "historyLength"),
        ("GetTask", json!({ "id": "x", "historyLength": -1 }), "historyLength"),
        ("CancelTask", json!({}), "id"),
        ("SubscribeToTask", json!({}), "id"),
        ("ListTasks", json!({ "pageSize": 0 }), "pageSize"),
        ("ListTasks", json!({ "status": "NO_SUCH" }), "status"),
        ("ListTasks", json!({ "statusTimestampAfter": "yesterday" }), "statusTimestampAfter"),
        ("SendMessage", json!({}), "message"),
        ("SendMessage", json!({ "message": null }), "message"),
        ("SendMessage", json!({ "message": "hi" }), "message"),
        ("SendMessage", message(|p| p["message"]["messageId"] = json!(null)), "message.messageId"),
        ("SendMessage", message(|p| p["message"]["role"] = json!("ROLE_NOBODY")), "message.role"),
        ("SendMessage", message(|p| p["message"]["parts"] = json!([{ "text": 1 }])), "message.parts[0].text"),
        ("SendMessage", message(|p| p["message"]["parts"] = json!([{ "raw": "%" }])), "message.parts[0].raw"),
        (
            "SendMessage",
            message(|p| p["message"]["parts"] = json!([{ "text": "a", "url": "b" }])),
            "message.parts[0]",
        ),
        ("SendMessage", message(|p| p["message"]["metadata"] = json!([])), "message.metadata"),
        (
            "SendStreamingMessage",
            message(|p| p["configuration"] = json!({ "historyLength": -1 })),
            "configuration.historyLength",
        ),
    ];
    for (method, params, field) in cases {
        let answer = server.post(call(method, &params)).await.json().await;
        assert_error(&answer, -32602, "INVALID_PARAMS");
        let details = &answer["error"]["data"][1];
        assert_eq!(details["@type"], "type.googleapis.com/google.rpc.BadRequest");
        let told = details["fieldViolations"][0]["field"].as_str().unwrap_or_default();
        assert!(told.starts_with(field), "{method} {params}: {told} is not {field}");
    }
    for params in ["[]", "7", "\"x\""] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{params}}}"#);
        assert_error(&server.post(body).await.json().await, -32602, "INVALID_PARAMS");
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn a_message_that_does_not_fit_the_skill_is_told_by_the_path_within_its_data() {
    let server = server().await;
    for (part, field) in [
        (json!({ "data": { "nights": "two" } }), "message.parts[0].data.nights"),
        (json!({ "data": { "nights": 300 } }), "message.parts[0].data.nights"),
        (json!({ "text": "{\"nights\": -1}" }), "message.parts[0].text.nights"),
        (json!({ "url": "https://example.com/" }), "message.parts"),
    ] {
        let mut message = serde_json::to_value(to("trip", "x")).unwrap();
        message["parts"] = json!([part]);
        let answer = server.call("SendMessage", json!({ "message": message })).await;
        assert_error(&answer, -32602, "INVALID_PARAMS");
        assert_eq!(answer["error"]["data"][1]["fieldViolations"][0]["field"], field);
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn tasks_that_are_not_there_or_finished_have_their_errors() {
    let server = server().await;
    let with_task = |id: &Value| {
        let mut params = params("hi");
        params["message"]["taskId"] = id.clone();
        params
    };
    for (method, params) in [
        ("GetTask", json!({ "id": "no-such" })),
        ("CancelTask", json!({ "id": "no-such" })),
        ("SubscribeToTask", json!({ "id": "no-such" })),
        ("SendMessage", with_task(&json!("no-such"))),
        ("SendStreamingMessage", with_task(&json!("no-such"))),
    ] {
        assert_error(&server.call(method, params).await, -32001, "TASK_NOT_FOUND");
    }
    assert_eq!(server.call("ListTasks", json!({})).await["result"]["totalSize"], 0);

    let done = server.call("SendMessage", params("hi")).await["result"]["task"].clone();
    for (method, params, code, reason) in [
        ("SendMessage", with_task(&done["id"]), -32004, "UNSUPPORTED_OPERATION"),
        ("SendStreamingMessage", with_task(&done["id"]), -32004, "UNSUPPORTED_OPERATION"),
        ("SubscribeToTask", json!({ "id": done["id"] }), -32004, "UNSUPPORTED_OPERATION"),
        ("CancelTask", json!({ "id": done["id"] }), -32002, "TASK_NOT_CANCELABLE"),
    ] {
        assert_error(&server.call(method, params).await, code, reason);
    }
    assert_eq!(server.call("GetTask", json!({ "id": done["id"] })).await["result"], done);

    let message = serde_json::to_value(to("ask", "x")).unwrap();
    let waits = server.call("SendMessage", json!({ "message": message })).await["result"]["task"].clone();
    let mut elsewhere = with_task(&waits["id"]);
    elsewhere["message"]["contextId"] = json!("elsewhere");
    assert_error(&server.call("SendMessage", elsewhere).await, -32602, "INVALID_PARAMS");
    assert_eq!(server.call("GetTask", json!({ "id": waits["id"] })).await["result"], waits);
}

#[tokio::test]
async fn what_the_agent_does_not_offer_says_so() {
    let server = server().await;
    let config = json!({ "taskId": "t", "id": "c", "url": "https://example.com/" });
    for (method, params) in [
        ("CreateTaskPushNotificationConfig", config.clone()),
        ("GetTaskPushNotificationConfig", config.clone()),
        ("ListTaskPushNotificationConfigs", config.clone()),
        ("DeleteTaskPushNotificationConfig", config.clone()),
    ] {
        assert_error(&server.call(method, params).await, -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED");
    }
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard","params":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard","params":{}}"#,
    ] {
        assert_error(&server.post(body).await.json().await, -32004, "UNSUPPORTED_OPERATION");
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn the_version_is_checked_and_a_missing_one_is_not_1_0() {
    let server = server().await;
    let body = call("ListTasks", &json!({}));
    for version in
        ["", "A2A-Version:\r\n", "A2A-Version: 0.3\r\n", "A2A-Version: 2.0\r\n", "A2A-Version: x\r\n"]
    {
        let headers = format!("Content-Type: application/json\r\n{version}");
        let answer = request(server.address, "POST", "/", &headers, body.as_bytes()).await.json().await;
        assert_error(&answer, -32009, "VERSION_NOT_SUPPORTED");
        assert_eq!(answer["id"], 1);
    }
    for (path, headers) in
        [("/", "a2a-version: 1.0\r\n"), ("/", "A2A-VERSION: 1.0.3\r\n"), ("/?A2A-Version=1.0", "")]
    {
        let answer = request(server.address, "POST", path, headers, body.as_bytes()).await.json().await;
        assert_eq!(answer["result"]["totalSize"], 0, "{path} {headers}");
    }
}

#[tokio::test]
async fn a_lenient_agent_takes_a_missing_version_and_no_wrong_one() {
    let server = serve(agent().lenient_version(true)).await;
    let body = call("ListTasks", &json!({}));
    let answer = request(server.address, "POST", "/", "", body.as_bytes()).await.json().await;
    assert_eq!(answer["result"]["totalSize"], 0);
    let answer =
        request(server.address, "POST", "/", "A2A-Version: 9.0\r\n", body.as_bytes()).await.json().await;
    assert_error(&answer, -32009, "VERSION_NOT_SUPPORTED");
}

#[tokio::test]
async fn a_content_type_that_is_not_json_is_refused_in_the_envelope() {
    let server = server().await;
    let body = call("SendMessage", &params("hi"));
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/xml"] {
        let headers = format!("Content-Type: {kind}\r\nA2A-Version: 1.0\r\n");
        let answer = request(server.address, "POST", "/", &headers, body.as_bytes()).await.json().await;
        assert_error(&answer, -32005, "CONTENT_TYPE_NOT_SUPPORTED");
    }
    for kind in ["application/json; charset=utf-8", "application/a2a+json"] {
        let headers = format!("Content-Type: {kind}\r\nA2A-Version: 1.0\r\n");
        let body = call("ListTasks", &json!({}));
        let answer = request(server.address, "POST", "/", &headers, body.as_bytes()).await.json().await;
        assert_eq!(answer["result"]["totalSize"], 0);
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_whether_or_not_it_says_its_size() {
    let server = serve(agent().body_limit(1000)).await;
    let body = call("SendMessage", &params(&"x".repeat(1000)));
    let response = server.post(&body).await;
    assert_eq!(response.status, 413);
    assert_error(&response.json().await, -32600, "INVALID_REQUEST");

    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let headers = "Transfer-Encoding: chunked\r\nA2A-Version: 1.0\r\nX-Unused: content-length:\r\n";
    let response = request(server.address, "POST", "/", headers, chunked.as_bytes()).await;
    assert_eq!(response.status, 413);
    assert_untouched(&server).await;
}

#[tokio::test]
async fn a_body_of_megabytes_is_within_the_limit_where_nothing_is_said() {
    let server = server().await;
    let text = "x".repeat(3 * 1024 * 1024);
    let answer = server.call("SendMessage", params(&text)).await;
    assert_eq!(
        answer["result"]["task"]["artifacts"][0]["parts"][0]["text"].as_str().unwrap().len(),
        text.len()
    );
}

#[tokio::test]
async fn what_is_nested_too_deeply_is_refused() {
    let server = server().await;
    for depth in [129, 1000, 200_000] {
        let deep = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        let place = [
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{{"message":{{"messageId":"1","role":"ROLE_USER","parts":[{{"data":{deep}}}]}}}}}}"#
            ),
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{{"unknown":{deep}}}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ListTasks","unknown":{deep}}}"#),
        ];
        // Also in a member that nobody reads.
        for body in &place {
            let answer = server.post(body).await.json().await;
            assert_error(&answer, -32700, "PARSE_ERROR");
            assert_eq!(answer["id"], 1);
        }
    }
    assert_untouched(&server).await;
}

#[tokio::test]
async fn what_proto_json_allows_is_accepted() {
    let server = server().await;
    for params in [
        json!({ "message": { "message_id": "1", "role": 1, "parts": [{ "text": "hi" }] } }),
        json!({ "message": { "messageId": "1", "role": "ROLE_USER", "contextId": null, "taskId": "", "metadata": null, "extensions": null, "parts": [{ "text": "hi", "unknown": 1 }], "unknown": {} }, "configuration": null, "unknown": [] }),
        json!({ "message": { "messageId": "1", "role": "ROLE_USER", "parts": [{ "text": "hi", "url": null }] }, "configuration": { "return_immediately": false } }),
    ] {
        let answer = server.call("SendMessage", params).await;
        assert_eq!(answer["result"]["task"]["artifacts"][0]["parts"][0]["text"], "hi", "{answer}");
    }
}

#[tokio::test]
async fn unknown_paths_and_methods_of_http_are_refused() {
    let server = server().await;
    assert_eq!(server.get("/no-such", "").await.status, 404);
    assert_eq!(request(server.address, "POST", "/no-such", "", b"{}").await.status, 404);
    assert_eq!(server.get("/", "").await.status, 405);
    assert_eq!(request(server.address, "POST", "/.well-known/agent-card.json", "", b"").await.status, 405);
    assert_untouched(&server).await;
}

#[tokio::test]
async fn an_answer_that_is_cut_off_by_its_sender_harms_nobody() {
    use tokio::io::AsyncWriteExt;
    let server = server().await;
    for head in [
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"jsonrpc\"",
        "POST / HT",
        "\r\n\r\n",
        "nonsense\r\n\r\n",
    ] {
        let mut connection = tokio::net::TcpStream::connect(server.address).await.unwrap();
        connection.write_all(head.as_bytes()).await.unwrap();
        drop(connection);
    }
    assert_untouched(&server).await;
}
