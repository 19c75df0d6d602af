//! Whatever the core holds, through each form and back.

use super::*;
use crate::protocol::{
    Artifact, AuthenticationInfo, ErrorKind, Message, Metadata, Part, PartContent, Role,
    SendMessageConfiguration, SendMessageRequest, StreamResponse, Task as CoreTask, TaskArtifactUpdateEvent,
    TaskPushNotificationConfig, TaskState, TaskStatus, TaskStatusUpdateEvent, Timestamp,
};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

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
