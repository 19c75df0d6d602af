//! What a skill sees of the request beside the content.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::SendMessageRequest;
use a2a_sdk::{Message, Principal, Request};
use serde_json::json;

/// Tells what it was asked with.
#[a2a_sdk::agent]
async fn tell(request: Request) -> String {
    let message = request.message();
    format!(
        "{} | {} | {} | {} | {}",
        request.accepted_output_modes().join(","),
        message.reference_task_ids.join(","),
        request.tenant().unwrap_or("none"),
        request.principal().id().unwrap_or("nobody"),
        request.metadata().get("trace").and_then(|trace| trace.as_str()).unwrap_or("no trace"),
    )
}

#[tokio::test]
async fn a_skill_sees_accepted_modes_references_tenant_caller_and_metadata() {
    let mut request = SendMessageRequest::new(Message::user("hi"));
    request.configuration.accepted_output_modes = vec!["text/plain".to_owned(), "image/png".to_owned()];
    request.message.reference_task_ids = vec!["t1".to_owned(), "t2".to_owned()];
    request.tenant = Some("acme".to_owned());
    request.metadata.insert("trace".to_owned(), json!("abc"));
    let client = tell::agent().client().unwrap().with_principal(Principal::new("alice"));
    let answer = client.send_message(request).await.unwrap();
    assert_eq!(answer.text(), "text/plain,image/png | t1,t2 | acme | alice | abc");
    assert_eq!(client.send_message("hi").await.unwrap().text(), " |  | none | alice | no trace");
}

#[tokio::test]
async fn a_message_that_says_nothing_is_refused_in_process_too() {
    use a2a_sdk::protocol::{ErrorKind, Message};

    /// Says it back.
    #[a2a_sdk::agent]
    async fn mirror(message: Message) -> Message {
        message
    }

    let client = mirror::agent().client().unwrap();
    for (message, field) in [
        (Message::user(vec![]), "message.parts"),
        (Message::user("hi").with_message_id(""), "message.messageId"),
    ] {
        let error = client.send_message(message).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.violations()[0].field.as_str()),
            (Some(ErrorKind::InvalidParams), field)
        );
    }
}
