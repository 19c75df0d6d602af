//! What goes in comes out: parts and metadata as they were sent.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{Message, Part};
use a2a_tests::http::{Server, serve};
use serde_json::{Value, json};

/// Gives back what it gets.
#[a2a_sdk::agent]
async fn mirror(message: Message) -> Vec<Part> {
    message.parts
}

async fn parts(server: &Server, parts: Value) -> Value {
    let message = json!({ "messageId": "1", "role": "ROLE_USER", "parts": parts });
    let answer = server.call("SendMessage", json!({ "message": message })).await;
    assert!(answer["error"].is_null(), "{answer}");
    answer["result"]["task"]["artifacts"][0]["parts"].clone()
}

#[tokio::test]
async fn data_may_be_any_json() {
    let server = serve(mirror::agent()).await;
    for data in [
        json!(null),
        json!(5),
        json!(false),
        json!("text"),
        json!([1, 2]),
        json!([]),
        json!({}),
        json!({ "revision": 1, "null": null, "deep": [{ "a": [null] }] }),
    ] {
        let sent = json!([{ "data": data }]);
        assert_eq!(parts(&server, sent.clone()).await, sent);
    }
}

#[tokio::test]
async fn whole_numbers_stay_integers() {
    let server = serve(mirror::agent()).await;
    let text =
        parts(&server, json!([{ "data": { "n": 1.0, "m": 9_007_199_254_740_991_i64 } }])).await.to_string();
    assert_eq!(text, r#"[{"data":{"m":9007199254740991,"n":1}}]"#);
}

#[tokio::test]
async fn bytes_come_in_both_alphabets_with_any_padding_and_go_out_in_the_standard_one() {
    let server = serve(mirror::agent()).await;
    for raw in ["+/8=", "-_8=", "+/8", "-_8"] {
        assert_eq!(parts(&server, json!([{ "raw": raw }])).await, json!([{ "raw": "+/8=" }]), "{raw}");
    }
}

#[tokio::test]
async fn a_part_keeps_its_members_and_an_empty_text_is_a_text() {
    let server = serve(mirror::agent()).await;
    let sent = json!([
        { "text": "" },
        { "url": "https://example.com/a b", "filename": "a", "mediaType": "x/y", "metadata": { "k": [1] } },
    ]);
    assert_eq!(parts(&server, sent.clone()).await, sent);
}

#[tokio::test]
async fn a_placeholder_beside_the_filled_member_of_a_part_does_not_win() {
    let server = serve(mirror::agent()).await;
    let sent = json!([{ "text": null, "data": { "a": 1 }, "raw": null }]);
    assert_eq!(parts(&server, sent).await, json!([{ "data": { "a": 1 } }]));
}

#[tokio::test]
async fn an_answer_is_json_and_says_so() {
    let server = serve(mirror::agent()).await;
    let response = server.post(r#"{"jsonrpc":"2.0","id":1,"method":"ListTasks"}"#).await;
    assert_eq!(response.header("content-type"), "application/json");
}

#[tokio::test]
async fn a_task_has_its_required_members_and_no_empty_ones() {
    let server = serve(mirror::agent()).await;
    let message =
        json!({ "messageId": "1", "role": "ROLE_USER", "parts": [{ "text": "x" }], "contextId": "c" });
    let answer = server.call("SendMessage", json!({ "message": message })).await;
    let task = answer["result"]["task"].as_object().unwrap();
    let members: Vec<_> = task.keys().map(String::as_str).collect();
    assert_eq!(members, ["artifacts", "contextId", "history", "id", "metadata", "status"]);
    assert_eq!(task["contextId"], "c");
    let status = task["status"].as_object().unwrap();
    assert_eq!(status.keys().collect::<Vec<_>>(), ["state", "timestamp"]);
    let time = status["timestamp"].as_str().unwrap();
    assert!(time.ends_with('Z') && time.contains('T'), "{time}");
}
