//! What goes through 0.3 and comes back, and what does not.
#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::protocol::{
    AgentCard, Artifact, AuthenticationInfo, ErrorKind, Message, Metadata, Part, PartContent, PushConfig,
    Role, SendMessageConfiguration, SendMessageRequest, StreamResponse, Task as CoreTask,
    TaskArtifactUpdateEvent, TaskPushNotificationConfig, TaskState, TaskStatus, TaskStatusUpdateEvent,
    Timestamp, Wire,
};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

const PROTO: Form = Form::Proto(Bytes::Encoded);
const FORMS: [Form; 3] = [Form::Kind, PROTO, Form::Proto(Bytes::Plain)];

fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 äß\"\\\\]{1,12}"
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1_000_000_i64..1_000_000).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map(text(), inner, 0..3).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn metadata() -> impl Strategy<Value = Metadata> {
    btree_map(text(), json_value(), 0..3).prop_map(|map| map.into_iter().collect())
}

fn part() -> impl Strategy<Value = Part> {
    let content = prop_oneof![
        ".{0,12}".prop_map(PartContent::Text),
        vec(any::<u8>(), 0..9).prop_map(|bytes| PartContent::Raw(bytes.into())),
        text().prop_map(PartContent::Url),
        json_value().prop_map(PartContent::Data),
    ];
    (content, metadata(), option::of(text()), option::of(text())).prop_map(
        |(content, metadata, filename, media_type)| Part { content, metadata, filename, media_type },
    )
}

fn message() -> impl Strategy<Value = Message> {
    let ids = (text(), option::of(text()), option::of(text()), any::<bool>());
    let rest = (vec(part(), 1..4), metadata(), vec(text(), 0..3), vec(text(), 0..3));
    (ids, rest).prop_map(
        |((message_id, context_id, task_id, user), (parts, metadata, extensions, reference_task_ids))| {
            Message {
                message_id,
                context_id,
                task_id,
                role: if user { Role::User } else { Role::Agent },
                parts,
                metadata,
                extensions,
                reference_task_ids,
            }
        },
    )
}

fn status() -> impl Strategy<Value = TaskStatus> {
    let state = (1..TaskState::ALL.len()).prop_map(|number| TaskState::ALL[number]);
    (state, option::of(message()), option::of(0_i64..4_000_000_000_000)).prop_map(
        |(state, message, millis)| TaskStatus {
            state,
            message: message.map(Box::new),
            timestamp: millis.map(Timestamp::from_unix_millis),
        },
    )
}

fn artifact() -> impl Strategy<Value = Artifact> {
    (text(), option::of(text()), option::of(text()), vec(part(), 0..3), metadata(), vec(text(), 0..2))
        .prop_map(|(artifact_id, name, description, parts, metadata, extensions)| Artifact {
            artifact_id,
            name,
            description,
            parts,
            metadata,
            extensions,
        })
}

fn task() -> impl Strategy<Value = CoreTask> {
    (text(), text(), status(), vec(artifact(), 0..3), vec(message(), 0..3), metadata()).prop_map(
        |(id, context_id, status, artifacts, history, metadata)| CoreTask {
            id,
            context_id,
            status,
            artifacts,
            history,
            metadata,
        },
    )
}

fn event() -> impl Strategy<Value = StreamResponse> {
    prop_oneof![
        task().prop_map(StreamResponse::Task),
        message().prop_map(StreamResponse::Message),
        (text(), text(), status(), metadata()).prop_map(|(task_id, context_id, status, metadata)| {
            StreamResponse::StatusUpdate(TaskStatusUpdateEvent { task_id, context_id, status, metadata })
        }),
        (text(), text(), artifact(), any::<bool>(), any::<bool>(), metadata()).prop_map(
            |(task_id, context_id, artifact, append, last_chunk, metadata)| {
                StreamResponse::ArtifactUpdate(TaskArtifactUpdateEvent {
                    task_id,
                    context_id,
                    artifact,
                    append,
                    last_chunk,
                    metadata,
                })
            }
        ),
    ]
}

/// What is left of a part: all of it, but for what text and data have no place for.
fn kept_of_part(part: &mut Part) {
    if !matches!(part.content, PartContent::Raw(_) | PartContent::Url(_)) {
        (part.filename, part.media_type) = (None, None);
    }
}

/// What is left of a message.
fn kept_of_message(form: Form, message: &mut Message) {
    message.parts.iter_mut().for_each(kept_of_part);
    if form != Form::Kind {
        message.reference_task_ids.clear();
    }
}

fn kept_of_status(form: Form, status: &mut TaskStatus) {
    if let Some(message) = &mut status.message {
        kept_of_message(form, message);
    }
}

/// What is left of an event: the list of everything that 0.3 cannot carry.
fn kept(form: Form, event: &mut StreamResponse) {
    match event {
        StreamResponse::Task(task) => {
            kept_of_status(form, &mut task.status);
            task.history.iter_mut().for_each(|message| kept_of_message(form, message));
            task.artifacts.iter_mut().flat_map(|artifact| &mut artifact.parts).for_each(kept_of_part);
        }
        StreamResponse::Message(message) => kept_of_message(form, message),
        StreamResponse::StatusUpdate(update) => kept_of_status(form, &mut update.status),
        StreamResponse::ArtifactUpdate(update) => update.artifact.parts.iter_mut().for_each(kept_of_part),
    }
}

fn borrowed(event: &StreamResponse) -> Event<'_> {
    match event {
        StreamResponse::Task(task) => Event::Task(task),
        StreamResponse::Message(message) => Event::Message(message),
        StreamResponse::StatusUpdate(update) => Event::StatusUpdate(update, false),
        StreamResponse::ArtifactUpdate(update) => Event::ArtifactUpdate(update),
    }
}

/// Bytes that were not encoded and look as if they were are taken for encoded: the price of the custom.
fn is_clear(part: &Part) -> bool {
    part.as_raw().is_none_or(|raw| super::part::decoded(raw.clone(), PROTO) == *raw)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_event_comes_back_but_for_what_the_form_cannot_carry(event in event()) {
        for form in FORMS {
            let json = serde_json::to_vec(&As03(form, &borrowed(&event))).unwrap();
            let mut expected = event.clone();
            kept(form, &mut expected);
            let back = read::<StreamEvent>(&json, form);
            prop_assert_eq!(back, Ok(expected), "{:?} {}", form, String::from_utf8_lossy(&json));
        }
    }

    #[cfg(feature = "grpc")]
    #[test]
    fn an_event_comes_back_from_protocol_buffers_too(event in event()) {
        let proto = grpc::write_event(borrowed(&event), Bytes::Encoded);
        let mut expected = event.clone();
        kept(PROTO, &mut expected);
        prop_assert_eq!(grpc::read_event(proto), Ok(expected));
    }

    #[test]
    fn a_request_comes_back_but_for_what_the_form_cannot_carry(
        message in message(),
        metadata in metadata(),
        (modes, length, at_once, url) in (vec(text(), 0..3), option::of(0_i32..9), any::<bool>(), option::of(text())),
    ) {
        let push = url.map(|url| TaskPushNotificationConfig {
            id: Some("c".to_owned()),
            url,
            token: Some("t".into()),
            authentication: Some(AuthenticationInfo { scheme: "Bearer".into(), credentials: Some("x".into()) }),
            ..TaskPushNotificationConfig::default()
        });
        let request = SendMessageRequest {
            tenant: None,
            message,
            configuration: SendMessageConfiguration {
                accepted_output_modes: modes,
                task_push_notification_config: push,
                history_length: length,
                return_immediately: at_once,
            },
            metadata,
        };
        for form in FORMS {
            let json = serde_json::to_vec(&As03(form, &request)).unwrap();
            let mut expected = request.clone();
            kept_of_message(form, &mut expected.message);
            if form != Form::Kind && length == Some(0) {
                // Zero cannot be told from nothing.
                expected.configuration.history_length = None;
            }
            prop_assert_eq!(read::<Send>(&json, form).map(|read| read.0), Ok(expected), "{:?}", form);
        }
    }

    #[test]
    fn any_json_is_read_or_refused(value in json_value(), cut in any::<usize>()) {
        let message = json!({ "message": { "messageId": "m", "role": "user", "parts": [value] } }).to_string();
        let end = cut % message.len();
        for json in [message.as_bytes(), &message.as_bytes()[..end], value.to_string().as_bytes()] {
            for form in FORMS {
                for error in [
                    read::<Send>(json, form).err(),
                    read::<ConfigSet>(json, form).err(),
                    read::<ConfigBody>(json, form).err(),
                    read::<StreamEvent>(json, form).err(),
                ].into_iter().flatten() {
                    prop_assert!(matches!(error.kind, ErrorKind::InvalidParams | ErrorKind::ParseError));
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_base64_are_taken_as_they_are(part in part()) {
        prop_assume!(is_clear(&part));
        // A peer that does not encode them.
        let json = serde_json::to_vec(&As03(Form::Proto(Bytes::Plain), &vec![part.clone()])).unwrap();
        let mut expected = part;
        kept_of_part(&mut expected);
        let body = json!({ "message": { "messageId": "m", "role": "ROLE_USER",
            "content": serde_json::from_slice::<Value>(&json).unwrap() } });
        let (request, _) = read::<Send>(body.to_string().as_bytes(), PROTO).unwrap();
        prop_assert_eq!(&request.message.parts, &[expected]);
    }
}

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

fn security_card() -> AgentCard {
    let json = json!({
        "name": "a", "description": "d", "version": "1", "capabilities": { "extendedAgentCard": true },
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
        "supportedInterfaces": [
            { "url": "https://x.example/a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0" },
            { "url": "https://x.example/a", "protocolBinding": "JSONRPC", "protocolVersion": "0.3" },
            { "url": "x.example:443", "protocolBinding": "GRPC", "protocolVersion": "0.3" }
        ],
        "securitySchemes": {
            "key": { "apiKeySecurityScheme": { "location": "header", "name": "x-key" } },
            "http": { "httpAuthSecurityScheme": { "scheme": "Bearer", "bearerFormat": "JWT" } },
            "oauth": { "oauth2SecurityScheme": { "flows": { "authorizationCode": {
                "authorizationUrl": "https://a", "tokenUrl": "https://t", "pkceRequired": true, "scopes": { "r": "read" } } } } },
            "oidc": { "openIdConnectSecurityScheme": { "openIdConnectUrl": "https://o" } },
            "tls": { "mtlsSecurityScheme": {} },
            "device": { "oauth2SecurityScheme": { "flows": { "deviceCode": {
                "deviceAuthorizationUrl": "https://d", "tokenUrl": "https://t", "scopes": {} } } } }
        },
        "securityRequirements": [
            { "schemes": { "oauth": { "list": ["r"] } } }, { "schemes": { "device": {} } }, { "schemes": { "key": {}, "tls": {} } }
        ],
        "skills": [{ "id": "s", "name": "S", "description": "d", "tags": ["t"],
            "securityRequirements": [{ "schemes": { "http": {} } }] }]
    });
    from_json(json.to_string().as_bytes()).unwrap()
}

#[test]
fn a_card_of_both_generations_says_all_in_the_words_of_each() {
    let card = security_card();
    let json = hybrid(&card);
    assert_eq!(from_json::<AgentCard>(json.to_string().as_bytes()).unwrap(), card, "1.0 reads it as it was");
    assert_eq!(json["url"], "https://x.example/a");
    assert_eq!((&json["preferredTransport"], &json["protocolVersion"]), (&json!("JSONRPC"), &json!("0.3.0")));
    assert_eq!(
        json["additionalInterfaces"],
        json!([{ "url": "x.example:443", "transport": "GRPC" }, { "url": "https://x.example/a", "transport": "JSONRPC" }])
    );
    assert_eq!(json["supportsAuthenticatedExtendedCard"], true);
    let schemes = &json["securitySchemes"];
    assert_eq!((&schemes["key"]["type"], &schemes["key"]["in"]), (&json!("apiKey"), &json!("header")));
    assert_eq!(schemes["key"]["name"], "x-key");
    assert_eq!((&schemes["http"]["type"], &schemes["http"]["scheme"]), (&json!("http"), &json!("Bearer")));
    assert_eq!(schemes["oauth"]["type"], "oauth2");
    assert_eq!(
        schemes["oauth"]["flows"],
        json!({ "authorizationCode": { "authorizationUrl": "https://a", "tokenUrl": "https://t", "scopes": { "r": "read" } } })
    );
    assert_eq!(schemes["oidc"]["type"], "openIdConnect");
    assert_eq!(schemes["tls"]["type"], "mutualTLS");
    assert_eq!(schemes["device"].get("type"), None, "0.3 has no such flow");
    assert_eq!(json["security"], json!([{ "oauth": ["r"] }, { "key": [], "tls": [] }]));
    assert_eq!(json["skills"][0]["security"], json!([{ "http": [] }]));
}

#[test]
fn a_card_of_1_0_alone_has_no_member_of_0_3() {
    let mut card = security_card();
    card.supported_interfaces.truncate(1);
    assert_eq!(hybrid(&card), serde_json::to_value(&card).unwrap());
}

#[test]
fn a_card_of_0_3_is_read_as_one_of_1_0() {
    let mut json = hybrid(&security_card());
    let members = json.as_object_mut().unwrap();
    for modern in ["supportedInterfaces", "securityRequirements"] {
        members.remove(modern);
    }
    members["capabilities"].as_object_mut().unwrap().remove("extendedAgentCard");
    for scheme in members["securitySchemes"].as_object_mut().unwrap().values_mut() {
        scheme.as_object_mut().unwrap().retain(|name, _| !name.ends_with("SecurityScheme"));
    }
    members["skills"][0].as_object_mut().unwrap().remove("securityRequirements");
    let mut expected = security_card();
    expected.supported_interfaces.remove(0);
    expected.security_schemes.remove("device");
    expected.security_requirements.remove(1);
    if let Some(crate::protocol::SecurityScheme::OAuth2(oauth)) = expected.security_schemes.get_mut("oauth")
        && let crate::protocol::OAuthFlows::AuthorizationCode(flow) = &mut oauth.flows
    {
        flow.pkce_required = false;
    }
    assert_eq!(read_card(json.to_string().as_bytes()).unwrap(), expected);
}

#[test]
fn a_card_of_0_2_has_one_interface_of_json_rpc() {
    let json = json!({ "name": "a", "description": "d", "url": "https://x.example/", "version": "1",
        "capabilities": { "streaming": true, "stateTransitionHistory": true }, "defaultInputModes": ["text"],
        "defaultOutputModes": ["text"], "skills": [] });
    let card = read_card(json.to_string().as_bytes()).unwrap();
    let [interface] = card.supported_interfaces.as_slice() else { panic!("{card:?}") };
    assert_eq!(
        (interface.url.as_str(), interface.protocol_binding.as_str(), interface.protocol_version.as_str()),
        ("https://x.example/", "JSONRPC", "0.3")
    );
    assert!(read_card(b"[]").is_err() && read_card(b"{").is_err());
}

#[test]
fn a_scheme_that_cannot_be_read_costs_no_more_than_itself() {
    let flow = json!({ "tokenUrl": "https://t", "scopes": {} });
    let json = json!({ "name": "a", "description": "d", "url": "https://x.example/", "version": "1",
        "capabilities": {}, "defaultInputModes": ["text"], "defaultOutputModes": ["text"], "skills": [], "security": null,
        "additionalInterfaces": null, "supportsAuthenticatedExtendedCard": null, "protocolVersion": null,
        "securitySchemes": {
            "nulls": { "type": "oauth2", "flows": { "authorizationCode": null, "clientCredentials": flow }, "description": null },
            "none": { "type": "oauth2", "flows": {} }, "flowless": { "type": "oauth2" },
            "key": { "type": "apiKey" }, "new": { "type": "newer" }, "text": "x", "null": null } });
    let card = read_card(json.to_string().as_bytes()).unwrap();
    let names: Vec<&String> = card.security_schemes.keys().collect();
    assert_eq!(names, ["nulls"]);
}

#[cfg(feature = "grpc")]
#[test]
fn a_card_goes_through_protocol_buffers_but_for_what_0_3_cannot_say() {
    let mut expected = security_card();
    expected.supported_interfaces.remove(0);
    expected.security_schemes.remove("device");
    expected.security_requirements.remove(1);
    expected.capabilities.streaming = Some(false);
    expected.capabilities.push_notifications = Some(false);
    if let Some(crate::protocol::SecurityScheme::OAuth2(oauth)) = expected.security_schemes.get_mut("oauth")
        && let crate::protocol::OAuthFlows::AuthorizationCode(flow) = &mut oauth.flows
    {
        flow.pkce_required = false;
    }
    assert_eq!(grpc::read_card(grpc::write_card(&security_card())).unwrap(), expected);
}
