//! Messages, events, configurations and errors, shape by shape.

use super::*;
use crate::protocol::{
    Artifact, ErrorKind, Metadata, Part, PushConfig, Task as CoreTask, TaskArtifactUpdateEvent,
    TaskPushNotificationConfig, TaskState, TaskStatus, TaskStatusUpdateEvent, Wire,
};
use serde_json::{Value, json};

fn send(parts: &Value, form: Form) -> Result<Vec<Part>, A2aError> {
    let (role, name) = if form == Form::Kind { ("user", "parts") } else { ("ROLE_USER", "content") };
    let body = json!({ "message": { "messageId": "m", "role": role, name: parts } });
    read::<Send>(body.to_string().as_bytes(), form).map(|(request, _)| request.message.parts)
}

#[test]
fn a_part_is_read_in_every_shape_that_peers_send() {
    let data = Part::data(json!({ "a": 1 }));
    let file = Part::raw("hi").with_media_type("text/plain").with_filename("f");
    let at = Part::url("https://x.example/f").with_media_type("text/plain");
    for (form, part, expected) in [
        (Form::Kind, json!({ "kind": "text", "text": "hi" }), Part::text("hi")),
        // Clients of 0.2 leave it out, or put it last.
        (Form::Kind, json!({ "text": "hi" }), Part::text("hi")),
        (Form::Kind, json!({ "text": "hi", "data": null, "file": null, "kind": "text" }), Part::text("hi")),
        (
            Form::Kind,
            json!({ "kind": "file", "file": { "bytes": "aGk=", "mimeType": "text/plain", "name": "f" } }),
            file.clone(),
        ),
        (
            Form::Kind,
            json!({ "kind": "file", "file": { "fileWithBytes": "aGk", "mimeType": "text/plain", "name": "f" } }),
            file.clone(),
        ),
        (
            Form::Kind,
            json!({ "kind": "file", "file": { "uri": "https://x.example/f", "mimeType": "text/plain" } }),
            at.clone(),
        ),
        (
            Form::Kind,
            json!({ "file": { "fileWithUri": "https://x.example/f", "mimeType": "text/plain" } }),
            at.clone(),
        ),
        // As it was called before 0.2.
        (Form::Kind, json!({ "type": "text", "text": "hi" }), Part::text("hi")),
        (Form::Kind, json!({ "type": "other", "kind": "text", "text": "hi" }), Part::text("hi")),
        (Form::Kind, json!({ "kind": "data", "data": { "a": 1.0 } }), data.clone()),
        (
            Form::Kind,
            json!({ "kind": "data", "data": { "value": [1] }, "metadata": { "data_part_compat": true, "k": 1 } }),
            Part::data(json!([1])).with_metadata([("k", 1)]),
        ),
        // An object that happens to be named as the wrapper is not one.
        (Form::Kind, json!({ "kind": "data", "data": { "value": 1 } }), Part::data(json!({ "value": 1 }))),
        (PROTO, json!({ "text": "hi" }), Part::text("hi")),
        (PROTO, json!({ "data": { "data": { "a": 1 } } }), data.clone()),
        // Base64 of base64, as the reference has it.
        (
            PROTO,
            json!({ "file": { "file_with_bytes": "YUdrPQ==", "mime_type": "text/plain", "name": "f" } }),
            file.clone(),
        ),
        // Base64 of bytes that are none.
        (
            PROTO,
            json!({ "file": { "fileWithBytes": "AAE=", "mimeType": "text/plain" } }),
            Part::raw(vec![0, 1]).with_media_type("text/plain"),
        ),
        (PROTO, json!({ "file": { "fileWithUri": "https://x.example/f", "mimeType": "text/plain" } }), at),
        (Form::Proto(Bytes::Plain), json!({ "file": { "fileWithBytes": "YUdrPQ==" } }), Part::raw("aGk=")),
    ] {
        assert_eq!(send(&json!([part]), form).unwrap(), [expected], "{part}");
    }
}

#[test]
fn a_part_that_is_none_of_0_3_is_refused_where_it_stands() {
    for (part, told) in [
        (json!({}), "holds none of `text`, `file`, `data`"),
        (json!({ "kind": "image", "text": "x" }), "`image` is no kind of part"),
        (json!({ "type": "image", "text": "x" }), "`image` is no kind of part"),
        (json!({ "type": "file", "text": "x" }), "is of kind `file`, and holds `text`"),
        (json!({ "kind": "text", "data": {} }), "is of kind `text`, and holds `data`"),
        (json!({ "kind": "text", "text": "x", "data": {} }), "holds both `text` and `data`"),
        (json!({ "kind": "file", "raw": "aGk=" }), "holds `raw`, which is of protocol 1.0"),
        (json!({ "kind": "text", "text": "x", "url": "u" }), "holds `url`, which is of protocol 1.0"),
        (json!({ "kind": "data", "data": [1] }), "`data` must be an object"),
        (json!({ "kind": "file", "file": {} }), "holds none of `bytes`, `uri`"),
        (json!({ "kind": "file", "file": { "bytes": "aGk=", "uri": "u" } }), "holds both `bytes` and `uri`"),
        (json!({ "kind": "file", "file": { "bytes": "?" } }), "is not base64"),
    ] {
        let error = send(&json!([{ "kind": "text", "text": "first" }, part]), Form::Kind).unwrap_err();
        let violation = &error.violations()[0];
        assert!(violation.field.starts_with("message.parts[1]"), "{part}: {}", violation.field);
        assert!(violation.description.contains(told), "{part}: {}", violation.description);
    }
}

#[test]
fn a_message_of_another_form_is_refused() {
    let read = |message: Value| {
        let error =
            read::<Send>(json!({ "message": message }).to_string().as_bytes(), Form::Kind).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidParams);
        error.violations()[0].field.clone()
    };
    let part = json!([{ "kind": "text", "text": "x" }]);
    assert_eq!(
        read(json!({ "kind": "message", "messageId": "m", "role": "ROLE_USER", "parts": part })),
        "message.role"
    );
    assert_eq!(
        read(json!({ "kind": "task", "messageId": "m", "role": "user", "parts": part })),
        "message.kind"
    );
    assert_eq!(read(json!({ "messageId": "m", "role": "user", "parts": [] })), "message.parts");
    assert_eq!(read(json!({ "role": "user", "parts": part })), "message.messageId");
    assert_eq!(read(json!({ "messageId": "m", "role": "unknown", "parts": part })), "message.role");
    assert_eq!(read(json!({ "messageId": "m", "role": "user" })), "message.parts");
}

#[test]
fn how_long_a_send_waits_depends_on_the_form() {
    let at_once = |configuration: Option<Value>, form: Form| {
        let (role, name) = if form == Form::Kind { ("user", "parts") } else { ("ROLE_USER", "content") };
        let mut body = json!({ "message": { "messageId": "m", "role": role, name: [{ "text": "x" }] } });
        if let Some(configuration) = configuration {
            body["configuration"] = configuration;
        }
        read::<Send>(body.to_string().as_bytes(), form).unwrap().0.configuration.return_immediately
    };
    for form in FORMS {
        assert!(!at_once(None, form), "{form:?}");
        assert!(!at_once(Some(json!({ "blocking": true })), form), "{form:?}");
        assert!(at_once(Some(json!({ "blocking": false })), form), "{form:?}");
        // There, nothing said is false.
        assert_eq!(at_once(Some(json!({})), form), form != Form::Kind, "{form:?}");
    }
}

#[test]
fn states_have_the_names_of_their_form() {
    let names = |form: Form| {
        let name = |state: &TaskState| {
            let task = CoreTask {
                status: TaskStatus { state: *state, ..TaskStatus::default() },
                ..CoreTask::default()
            };
            serde_json::to_value(As03(form, &task)).unwrap()["status"]["state"].as_str().unwrap().to_owned()
        };
        TaskState::ALL.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(
        names(Form::Kind),
        [
            "unknown",
            "submitted",
            "working",
            "completed",
            "failed",
            "canceled",
            "input-required",
            "rejected",
            "auth-required"
        ]
    );
    assert_eq!(names(PROTO)[5], "TASK_STATE_CANCELLED");
    assert_eq!(names(PROTO)[3], "TASK_STATE_COMPLETED");
    let read = |state: Value| {
        let task = json!({ "id": "t", "contextId": "c", "status": { "state": state } });
        read::<Task>(task.to_string().as_bytes(), PROTO).map(|task| task.status.state)
    };
    for spelled in [
        json!("canceled"),
        json!("cancelled"),
        json!("TASK_STATE_CANCELLED"),
        json!("TASK_STATE_CANCELED"),
        json!(5),
    ] {
        assert_eq!(read(spelled.clone()), Ok(TaskState::Canceled), "{spelled}");
    }
    assert!(read(json!("done")).is_err() && read(json!(9)).is_err());
}

#[test]
fn a_moment_without_an_offset_is_one_of_utc() {
    let at = |text: &str| {
        let task = json!({ "id": "t", "status": { "state": "working", "timestamp": text } });
        read::<Task>(task.to_string().as_bytes(), Form::Kind)
            .map(|task| task.status.timestamp.unwrap().to_string())
    };
    for text in ["2026-03-01T12:00:00.5", "2026-03-01T12:00:00.5Z", "2026-03-01T14:00:00.500000+02:00"] {
        assert_eq!(at(text).unwrap(), "2026-03-01T12:00:00.500Z", "{text}");
    }
    assert!(at("yesterday").is_err());
}

#[test]
fn a_configuration_keeps_the_schemes_it_came_with_and_uses_one() {
    for (schemes, used) in [
        (vec!["Digest", "basic", "Bearer"], "Bearer"),
        (vec!["Digest", "Basic"], "Basic"),
        (vec!["Digest", "Custom"], "Digest"),
    ] {
        let body = json!({ "taskId": "t", "pushNotificationConfig": { "url": "https://x.example/", "token": "t",
            "authentication": { "schemes": schemes, "credentials": "c" } } });
        let kept = read::<ConfigSet>(body.to_string().as_bytes(), Form::Kind).unwrap();
        assert_eq!(kept.config.authentication.as_ref().unwrap().scheme, used);
        assert_eq!(serde_json::to_value(As03(Form::Kind, &kept)).unwrap(), body);
    }
    for authentication in [json!({}), json!({ "schemes": [] })] {
        let body = json!({ "taskId": "t", "pushNotificationConfig": { "url": "u", "authentication": authentication } });
        let kept = read::<ConfigSet>(body.to_string().as_bytes(), Form::Kind).unwrap();
        assert_eq!(kept.config.authentication, None);
    }
}

#[test]
fn a_configuration_is_made_of_any_body_that_clients_send() {
    let inner = json!({ "id": "c", "url": "u" });
    let named = json!({ "name": "tasks/t/pushNotificationConfigs/c", "pushNotificationConfig": inner });
    for body in [
        json!({ "parent": "tasks/t", "config_id": "c", "config": { "push_notification_config": { "url": "u" } } }),
        json!({ "parent": "tasks/t", "configId": "c", "config": named }),
        named.clone(),
        json!({ "name": "tasks/t/pushNotificationConfigs/c", "pushNotificationConfig": { "url": "u" } }),
        json!({ "taskId": "t", "pushNotificationConfig": inner }),
    ] {
        let kept = read::<ConfigBody>(body.to_string().as_bytes(), PROTO).unwrap();
        assert_eq!((kept.config.id.as_deref(), kept.config.url.as_str()), (Some("c"), "u"), "{body}");
        assert_eq!(kept.wire, Wire::V03 { schemes: Vec::new() });
    }
    let neither = read::<ConfigBody>(b"{}", PROTO).unwrap_err();
    assert_eq!(neither.kind, ErrorKind::InvalidParams);
}

#[test]
fn a_configuration_is_written_under_its_name_in_the_form_of_protobuf() {
    let config = TaskPushNotificationConfig {
        id: Some("c".into()),
        task_id: Some("t".into()),
        url: "u".into(),
        ..Default::default()
    };
    let json = serde_json::to_value(As03(PROTO, &PushConfig::from(config))).unwrap();
    let expected = json!({ "name": "tasks/t/pushNotificationConfigs/c", "pushNotificationConfig": { "id": "c", "url": "u" } });
    assert_eq!(json, expected);
}

#[test]
fn what_is_false_or_empty_is_not_written_but_for_the_end_of_a_stream() {
    let update = TaskStatusUpdateEvent {
        task_id: "t".into(),
        context_id: "c".into(),
        status: TaskStatus { state: TaskState::Working, ..TaskStatus::default() },
        metadata: Metadata::default(),
    };
    let status = |form, last| serde_json::to_value(As03(form, &Event::StatusUpdate(&update, last))).unwrap();
    assert_eq!(
        status(Form::Kind, false),
        json!({ "kind": "status-update", "taskId": "t", "contextId": "c", "status": { "state": "working" },
            "final": false })
    );
    assert_eq!(
        status(PROTO, false),
        json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": { "state": "TASK_STATE_WORKING" } } })
    );
    assert_eq!(status(PROTO, true)["statusUpdate"]["final"], true);
    let chunk = TaskArtifactUpdateEvent {
        task_id: "t".into(),
        context_id: "c".into(),
        artifact: Artifact { artifact_id: "a".into(), parts: vec![Part::text("x")], ..Artifact::default() },
        append: false,
        last_chunk: true,
        metadata: Metadata::default(),
    };
    assert_eq!(
        serde_json::to_value(As03(Form::Kind, &Event::ArtifactUpdate(&chunk))).unwrap(),
        json!({ "kind": "artifact-update", "taskId": "t", "contextId": "c", "lastChunk": true,
            "artifact": { "artifactId": "a", "parts": [{ "kind": "text", "text": "x" }] } })
    );
}

#[test]
fn errors_have_the_codes_and_statuses_that_0_3_knows() {
    for (kind, code, status) in [
        (ErrorKind::TaskNotFound, -32001, 404),
        (ErrorKind::TaskNotCancelable, -32002, 409),
        (ErrorKind::PushNotificationNotSupported, -32003, 501),
        (ErrorKind::UnsupportedOperation, -32004, 501),
        (ErrorKind::ContentTypeNotSupported, -32005, 415),
        (ErrorKind::InvalidAgentResponse, -32006, 502),
        (ErrorKind::ExtendedAgentCardNotConfigured, -32007, 404),
        (ErrorKind::ExtensionSupportRequired, -32004, 501),
        (ErrorKind::ParseError, -32700, 400),
        (ErrorKind::InvalidRequest, -32600, 400),
        (ErrorKind::MethodNotFound, -32601, 404),
        (ErrorKind::InvalidParams, -32602, 422),
        (ErrorKind::Internal, -32603, 500),
    ] {
        let error = A2aError::new(kind, "no");
        let older = ErrorOf03(&error);
        assert_eq!((older.code(), older.http_status()), (code, status), "{kind:?}");
        assert_eq!(serde_json::to_value(&older).unwrap(), json!({ "code": code, "message": "no" }));
    }
}

#[cfg(feature = "grpc")]
#[test]
fn a_status_of_grpc_begins_with_the_name_of_its_error() {
    use tonic::Code;

    for (kind, code, name) in [
        (ErrorKind::TaskNotFound, Code::NotFound, "TaskNotFoundError"),
        (ErrorKind::TaskNotCancelable, Code::Unimplemented, "TaskNotCancelableError"),
        (ErrorKind::UnsupportedOperation, Code::Unimplemented, "UnsupportedOperationError"),
        (ErrorKind::InvalidParams, Code::InvalidArgument, "InvalidParamsError"),
        (ErrorKind::Internal, Code::Internal, "InternalError"),
    ] {
        let status = grpc::status_of(&A2aError::new(kind, "no"));
        assert_eq!((status.code(), status.message()), (code, format!("{name}: no").as_str()));
        let bare = tonic::Status::new(status.code(), status.message());
        assert_eq!(crate::grpc::error_of(&grpc::named(bare)).kind, kind);
    }
}
