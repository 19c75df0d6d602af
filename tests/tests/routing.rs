//! Which skill gets a message.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::SKILLS_EXTENSION;
use a2a_sdk::protocol::{ErrorKind, ListTasksRequest, Message, SendMessageRequest};
use a2a_sdk::{Agent, Client, ClientError};
use a2a_tests::to;
use serde_json::{Value, json};

mod fronted {
    /// Answers in front.
    #[a2a_sdk::agent]
    pub(super) async fn front() -> &'static str {
        "front"
    }

    /// Answers behind.
    #[a2a_sdk::skill]
    pub(super) async fn back() -> &'static str {
        "back"
    }

    /// Asks.
    #[a2a_sdk::skill]
    pub(super) async fn asking() -> a2a_sdk::Reply {
        a2a_sdk::Reply::ask("?")
    }
}

mod frontless {
    /// Has two skills and no front.
    #[a2a_sdk::agent]
    pub(super) struct Frontless;

    /// The one.
    #[a2a_sdk::skill]
    pub(super) async fn one() -> &'static str {
        "one"
    }

    /// The other.
    #[a2a_sdk::skill]
    pub(super) async fn two() -> &'static str {
        "two"
    }
}

mod single {
    /// Has one skill.
    #[a2a_sdk::agent]
    pub(super) struct Single;

    /// The only one.
    #[a2a_sdk::skill]
    pub(super) async fn only() -> &'static str {
        "only"
    }
}

fn client(agent: Agent) -> Client {
    agent.client().unwrap()
}

fn hinted(key: &str, value: Value) -> Message {
    let mut message = Message::user("x");
    message.metadata.insert(key.to_owned(), value);
    message
}

async fn routed(agent: Agent, request: impl Into<SendMessageRequest>) -> String {
    client(agent).send_message(request).await.unwrap().text()
}

async fn refused(agent: Agent, message: Message) -> ClientError {
    let client = client(agent);
    let error = client.send_message(message).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
    assert!(error.violations()[0].field.contains(SKILLS_EXTENSION), "{error:?}");
    assert_eq!(client.list_tasks(ListTasksRequest::default()).await.unwrap().total_size, 0);
    error
}

#[tokio::test]
async fn a_message_that_names_a_skill_by_the_extension_goes_there() {
    assert_eq!(routed(fronted::front::agent(), to("back", "x")).await, "back");
    assert_eq!(routed(fronted::front::agent(), to("front", "x")).await, "front");
    assert_eq!(routed(frontless::Frontless::agent(), to("two", "x")).await, "two");
}

#[tokio::test]
async fn an_unknown_skill_is_refused_with_the_ids_there_are() {
    let error = refused(fronted::front::agent(), to("nobody", "x")).await;
    for id in ["nobody", "front", "back", "asking"] {
        assert!(error.to_string().contains(id), "{error}");
    }
    refused(single::Single::agent(), to("nobody", "x")).await;
}

#[tokio::test]
async fn a_malformed_extension_is_refused() {
    for value in [json!("back"), json!({}), json!({ "skill": 1 }), json!({ "skill": null }), json!([])] {
        refused(fronted::front::agent(), hinted(SKILLS_EXTENSION, value)).await;
    }
}

#[tokio::test]
async fn a_hint_counts_only_where_it_is_the_id_of_a_skill() {
    for key in ["skillId", "skill_id", "skill"] {
        assert_eq!(routed(fronted::front::agent(), hinted(key, json!("back"))).await, "back", "{key}");
        assert_eq!(routed(fronted::front::agent(), hinted(key, json!("nobody"))).await, "front", "{key}");
        assert_eq!(routed(fronted::front::agent(), hinted(key, json!(7))).await, "front", "{key}");
    }
    assert_eq!(routed(fronted::front::agent(), hinted("Skill", json!("back"))).await, "front");
}

#[tokio::test]
async fn a_hint_may_stand_on_the_request_and_that_on_the_message_comes_first() {
    let mut request = SendMessageRequest::new(Message::user("x"));
    request.metadata.insert("skillId".to_owned(), json!("back"));
    assert_eq!(routed(fronted::front::agent(), request.clone()).await, "back");
    request.message = hinted("skill", json!("front"));
    assert_eq!(routed(fronted::front::agent(), request.clone()).await, "front");
    request.message = to("front", "x");
    request.message.metadata.insert("skill".to_owned(), json!("back"));
    assert_eq!(routed(fronted::front::agent(), request).await, "front", "the extension comes before hints");
}

#[tokio::test]
async fn the_only_skill_gets_what_names_none() {
    assert_eq!(routed(single::Single::agent(), Message::user("x")).await, "only");
}

#[tokio::test]
async fn the_front_gets_what_names_none() {
    assert_eq!(
        routed(fronted::front::agent(), Message::user("back")).await,
        "front",
        "text is not looked at"
    );
}

#[tokio::test]
async fn without_a_front_a_message_that_names_none_is_refused_with_the_ids_there_are() {
    let error = refused(frontless::Frontless::agent(), Message::user("one")).await;
    assert!(error.to_string().contains("one") && error.to_string().contains("two"), "{error}");
}

#[tokio::test]
async fn a_later_message_goes_to_the_skill_of_its_task() {
    let client = client(fronted::front::agent());
    let task = client.send_message(to("asking", "x")).await.unwrap().into_task().unwrap();
    assert_eq!(task.metadata[SKILLS_EXTENSION], json!({ "skill": "asking" }));
    for message in [Message::user("y"), to("asking", "y"), hinted("skill", json!("back"))] {
        let task = client.send_message(message.with_task_id(&task.id)).await.unwrap().into_task().unwrap();
        assert_eq!(task.status.message.unwrap().text(), "?");
    }
    let error = client.send_message(to("back", "y").with_task_id(&task.id)).await.unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::InvalidParams));
}

#[tokio::test]
async fn the_card_declares_how_a_skill_is_named_and_does_not_require_it() {
    let card = fronted::front::agent().card().unwrap();
    let [extension] = &card.capabilities.extensions[..] else { panic!("one extension") };
    assert_eq!((&*extension.uri, extension.required), (SKILLS_EXTENSION, false));
    for id in ["front", "back", "asking"] {
        assert!(extension.params["skills"].get(id).is_some(), "{id}");
    }
}
