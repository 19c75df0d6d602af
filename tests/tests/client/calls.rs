//! The operations that have one answer, over each binding.

use crate::{BINDINGS, at_once, client, desk, serve, to};
use a2a_sdk::protocol::{
    DeleteTaskPushNotificationConfigRequest, ErrorKind, GetTaskPushNotificationConfigRequest, GetTaskRequest,
    ListTaskPushNotificationConfigsRequest, ListTasksRequest, TaskPushNotificationConfig, TaskState,
};
use a2a_sdk::{BearerTokens, Principal};

#[tokio::test]
async fn every_operation_gives_the_same_over_every_binding() {
    for binding in BINDINGS {
        let server = serve(desk()).await;
        let client = client(&server, binding).await;

        let answer = client.send_message("Ada").await.unwrap();
        assert_eq!(answer.text(), "Ada", "{binding:?}");
        let done = answer.into_task().unwrap();
        let direct = client.send_message(to("direct", "Hi")).await.unwrap();
        assert_eq!(direct.message().unwrap().text(), "Hi");

        let task = client.get_task(&done.id).await.unwrap();
        assert_eq!((&task, task.history.len()), (&done, 1));
        let bare = GetTaskRequest { history_length: Some(0), ..GetTaskRequest::from(&done.id) };
        assert!(client.get_task(bare).await.unwrap().history.is_empty(), "{binding:?}");

        let waiting = client.send_message(at_once(to("wait", ""))).await.unwrap().into_task().unwrap();
        let list = ListTasksRequest { include_artifacts: Some(true), ..ListTasksRequest::default() };
        let page = client.list_tasks(list).await.unwrap();
        assert_eq!((page.total_size, page.tasks[1].text()), (2, "Ada".to_owned()));
        let working = ListTasksRequest { status: TaskState::Completed, ..ListTasksRequest::default() };
        assert_eq!(client.list_tasks(working).await.unwrap().total_size, 1);

        let cancelled = client.cancel_task(&waiting.id).await.unwrap();
        assert_eq!(cancelled.status.state, TaskState::Canceled);
        let error = client.cancel_task(&waiting.id).await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::TaskNotCancelable), "{binding:?}");
        let error = client.subscribe_to_task(&waiting.id).await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::UnsupportedOperation), "{binding:?}");
    }
}

#[tokio::test]
async fn errors_are_the_same_over_every_binding_and_in_process() {
    let local = desk().client().unwrap();
    let server = serve(desk()).await;
    let mut clients = vec![local];
    for binding in BINDINGS {
        clients.push(client(&server, binding).await);
    }
    for client in clients {
        let error = client.get_task("no/such \u{e9}").await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::TaskNotFound), "{client:?}");
        assert_eq!(error.a2a().unwrap().metadata()["taskId"], "no/such \u{e9}");
        assert!(!error.is_retryable());
        let wrong = ListTasksRequest { page_size: Some(101), ..ListTasksRequest::default() };
        let error = client.list_tasks(wrong).await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::InvalidParams), "{client:?}");
        assert_eq!(error.violations()[0].field, "pageSize");
        assert!(client.get_extended_agent_card().await.is_err());
    }
}

#[tokio::test]
async fn push_configurations_are_kept_listed_and_deleted_over_every_binding() {
    for binding in BINDINGS {
        let server = serve(desk()).await;
        let client = client(&server, binding).await;
        let task = client.send_message(at_once(to("wait", ""))).await.unwrap().into_task().unwrap();
        let config = TaskPushNotificationConfig {
            task_id: Some(task.id.clone()),
            id: Some("mine".to_owned()),
            url: "http://127.0.0.1:9/hook".to_owned(),
            ..TaskPushNotificationConfig::default()
        };
        let made = client.create_task_push_notification_config(config).await.unwrap();
        assert_eq!(made.id.as_deref(), Some("mine"), "{binding:?}");

        let get = GetTaskPushNotificationConfigRequest {
            task_id: task.id.clone(),
            id: "mine".to_owned(),
            ..Default::default()
        };
        assert_eq!(client.get_task_push_notification_config(get.clone()).await.unwrap().url, made.url);
        let list = ListTaskPushNotificationConfigsRequest { task_id: task.id.clone(), ..Default::default() };
        assert_eq!(client.list_task_push_notification_configs(list).await.unwrap().configs.len(), 1);

        let delete = DeleteTaskPushNotificationConfigRequest {
            task_id: task.id.clone(),
            id: "mine".to_owned(),
            ..Default::default()
        };
        client.delete_task_push_notification_config(delete.clone()).await.unwrap();
        client.delete_task_push_notification_config(delete).await.unwrap();
        assert!(client.get_task_push_notification_config(get).await.is_err(), "{binding:?}");
        client.cancel_task(&task.id).await.unwrap();
    }
}

#[tokio::test]
async fn the_extended_card_is_for_callers_with_a_token_over_every_binding() {
    for binding in BINDINGS {
        let tokens = BearerTokens::new([("secret", Principal::new("ada"))]);
        let agent = desk().layer(tokens).extended_card(|_, mut card| {
            card.description = "for you alone".to_owned();
            Some(card)
        });
        let server = serve(agent).await;
        let client =
            crate::builder().bindings([binding]).bearer("secret").connect(&server.url()).await.unwrap();
        assert_eq!(client.get_extended_agent_card().await.unwrap().description, "for you alone");
        let stranger =
            crate::builder().bindings([binding]).bearer("wrong").connect(&server.url()).await.unwrap();
        let error = stranger.send_message("Hi").await.unwrap_err();
        assert_eq!(error.kind(), Some(ErrorKind::Unauthenticated), "{binding:?}");
    }
}
