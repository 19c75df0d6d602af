//! The eleven calls.

use crate::{MEETING, at_once, client, desk, sent, serve, state, text, to};
use a2a_sdk::grpc::v1::{self, TaskState};
use a2a_sdk::protocol::AgentExtension;
use a2a_sdk::{BearerTokens, Principal, WebhookPolicy};
use tonic::Code;
use tonic::{Request, metadata::MetadataValue};

#[tokio::test]
async fn a_message_is_answered_with_its_task() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let task = sent(&mut client, to("echo", "Hi")).await;
    assert_eq!(state(&task), TaskState::Completed);
    assert_eq!(text(&task.artifacts[0].parts[0]), "Hi");
    assert_eq!(text(&task.history[0].parts[0]), "Hi");
    assert!(!task.id.is_empty() && !task.context_id.is_empty());
    assert!(task.status.unwrap().timestamp.unwrap().seconds > 1_700_000_000);

    let read =
        client.get_task(v1::GetTaskRequest { id: task.id.clone(), ..Default::default() }).await.unwrap();
    assert_eq!(read.into_inner().artifacts, task.artifacts);
}

#[tokio::test]
async fn a_message_can_be_answered_with_a_message() {
    let server = serve(desk()).await;
    let answer = client(&server).await.send_message(to("direct", "Hi")).await.unwrap().into_inner();
    let Some(v1::send_message_response::Payload::Message(message)) = answer.payload else { panic!() };
    assert_eq!(message.role(), v1::Role::Agent);
    assert_eq!(text(&message.parts[0]), "Hi");
}

#[tokio::test]
async fn no_history_and_all_of_it_are_two_wishes() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let task = sent(&mut client, to("echo", "Hi")).await;
    for (length, messages) in [(None, 1), (Some(0), 0), (Some(1), 1), (Some(9), 1)] {
        let request =
            v1::GetTaskRequest { id: task.id.clone(), history_length: length, ..Default::default() };
        let read = client.get_task(request).await.unwrap().into_inner();
        assert_eq!(read.history.len(), messages, "{length:?}");

        let mut request = to("echo", "Hi");
        request.configuration =
            Some(v1::SendMessageConfiguration { history_length: length, ..Default::default() });
        assert_eq!(sent(&mut client, request).await.history.len(), messages, "{length:?}");
    }
    let request = v1::GetTaskRequest { id: task.id, history_length: Some(-1), ..Default::default() };
    assert_eq!(client.get_task(request).await.unwrap_err().code(), Code::InvalidArgument);
}

#[tokio::test]
async fn tasks_are_listed_page_by_page() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    for text in ["1", "2", "3"] {
        sent(&mut client, to("echo", text)).await;
    }
    let mut seen = Vec::new();
    let mut token = String::new();
    loop {
        let request = v1::ListTasksRequest { page_size: Some(2), page_token: token, ..Default::default() };
        let page = client.list_tasks(request).await.unwrap().into_inner();
        assert_eq!((page.page_size, page.total_size), (2, 3));
        assert!(page.tasks.iter().all(|task| task.artifacts.is_empty()));
        seen.extend(page.tasks.iter().map(|task| text(&task.history[0].parts[0]).to_owned()));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, ["3", "2", "1"]);

    let request = v1::ListTasksRequest { include_artifacts: Some(true), ..Default::default() };
    let page = client.list_tasks(request).await.unwrap().into_inner();
    assert!(page.tasks.iter().all(|task| task.artifacts.len() == 1));
    let request = v1::ListTasksRequest { status: TaskState::Failed.into(), ..Default::default() };
    assert_eq!(client.list_tasks(request).await.unwrap().into_inner().total_size, 0);
    for size in [0, 101, -1] {
        let request = v1::ListTasksRequest { page_size: Some(size), ..Default::default() };
        assert_eq!(client.list_tasks(request).await.unwrap_err().code(), Code::InvalidArgument, "{size}");
    }
}

#[tokio::test]
async fn a_task_is_canceled_once() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let task = sent(&mut client, at_once(to("wait", "for it"))).await;
    let cancel = v1::CancelTaskRequest { id: task.id, ..Default::default() };
    let canceled = client.cancel_task(cancel.clone()).await.unwrap().into_inner();
    assert_eq!(state(&canceled), TaskState::Canceled);
    assert_eq!(client.cancel_task(cancel).await.unwrap_err().code(), Code::FailedPrecondition);
}

#[tokio::test]
async fn a_question_is_answered_in_the_next_message() {
    let server = serve(desk()).await;
    let mut client = client(&server).await;
    let task = sent(&mut client, to("hello", "Hi")).await;
    assert_eq!(state(&task), TaskState::InputRequired);
    assert_eq!(text(&task.status.unwrap().message.unwrap().parts[0]), "Who are you?");

    let mut answer = to("hello", "Ada");
    answer.message.as_mut().unwrap().task_id = task.id.clone();
    let answered = sent(&mut client, answer).await;
    assert_eq!((&answered.id, state(&answered)), (&task.id, TaskState::Completed));
    assert_eq!(text(&answered.artifacts[0].parts[0]), "Hello, Ada!");
}

#[tokio::test]
async fn calls_on_one_channel_run_side_by_side() {
    let server = serve(desk()).await;
    let client = client(&server).await;
    let calls: Vec<_> = (0..MEETING)
        .map(|_| {
            let mut client = client.clone();
            tokio::spawn(async move { sent(&mut client, to("meet", "")).await })
        })
        .collect();
    for call in calls {
        assert_eq!(state(&call.await.unwrap()), TaskState::Completed);
    }
}

#[tokio::test]
async fn the_extended_card_is_for_those_who_are_known() {
    let tokens = BearerTokens::new([("a-secret", Principal::new("ada"))]);
    let agent = desk().layer(tokens).extended_card(|principal, mut card| {
        card.name = format!("for {}", principal.id().unwrap_or_default());
        Some(card)
    });
    let server = serve(agent).await;
    let mut client = client(&server).await;
    let request = || Request::new(v1::GetExtendedAgentCardRequest::default());
    let refused = client.get_extended_agent_card(request()).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);

    let mut known = request();
    known.metadata_mut().insert("authorization", MetadataValue::from_static("Bearer a-secret"));
    let card = client.get_extended_agent_card(known).await.unwrap().into_inner();
    assert_eq!(card.name, "for ada");
    assert_eq!(card.capabilities.unwrap().extended_agent_card, Some(true));
    let grpc =
        card.supported_interfaces.iter().find(|interface| interface.protocol_binding == "GRPC").unwrap();
    assert_eq!((grpc.url.as_str(), grpc.protocol_version.as_str()), (&*server.address.to_string(), "1.0"));
}

#[tokio::test]
async fn extensions_are_negotiated() {
    let required = AgentExtension { uri: "urn:needed".into(), required: true, ..AgentExtension::default() };
    let server = serve(desk().extension(required)).await;
    let mut client = client(&server).await;
    let refused = client.send_message(to("echo", "Hi")).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);

    let mut request = Request::new(to("echo", "Hi"));
    request.metadata_mut().insert("a2a-extensions", MetadataValue::from_static("urn:other, urn:needed"));
    let answer = client.send_message(request).await.unwrap();
    assert_eq!(answer.metadata().get("a2a-extensions").unwrap(), "urn:needed");
}

#[tokio::test]
async fn webhooks_of_a_task_are_made_read_and_removed() {
    let policy = WebhookPolicy::new().allow_http().allow_loopback();
    let server = serve(desk().push_notifications(policy)).await;
    let mut client = client(&server).await;
    let task_id = sent(&mut client, at_once(to("wait", ""))).await.id;
    let config = v1::TaskPushNotificationConfig {
        id: "mine".into(),
        task_id: task_id.clone(),
        url: "http://127.0.0.1:9/hook".into(),
        token: "a-token".into(),
        authentication: Some(v1::AuthenticationInfo {
            scheme: "Bearer".into(),
            credentials: "a-secret".into(),
        }),
        ..Default::default()
    };
    let made = client.create_task_push_notification_config(config.clone()).await.unwrap().into_inner();
    assert_eq!((&made.id, &made.task_id, &made.url), (&config.id, &config.task_id, &config.url));

    let one = v1::GetTaskPushNotificationConfigRequest {
        task_id: task_id.clone(),
        id: "mine".into(),
        ..Default::default()
    };
    assert_eq!(client.get_task_push_notification_config(one.clone()).await.unwrap().into_inner(), made);
    let every = v1::ListTaskPushNotificationConfigsRequest { task_id: task_id.clone(), ..Default::default() };
    let list = client.list_task_push_notification_configs(every.clone()).await.unwrap().into_inner();
    assert_eq!((list.configs, list.next_page_token.as_str()), (vec![made], ""));

    let delete =
        v1::DeleteTaskPushNotificationConfigRequest { task_id, id: "mine".into(), ..Default::default() };
    for _ in 0..2 {
        client.delete_task_push_notification_config(delete.clone()).await.unwrap();
    }
    assert!(client.get_task_push_notification_config(one).await.is_err());
    let list = client.list_task_push_notification_configs(every).await.unwrap().into_inner();
    assert_eq!(list.configs, []);
}
