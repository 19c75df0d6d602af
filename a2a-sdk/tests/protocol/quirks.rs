//! The corners of ProtoJSON that the table does not show.

use a2a_sdk::protocol::*;
use serde_json::{Value, json};

fn part(json: &str) -> Result<Part, A2aError> {
    from_json(json.as_bytes())
}

fn written(part: &Part) -> String {
    serde_json::to_string(part).unwrap()
}

#[test]
fn null_is_a_value_of_data_and_of_nothing_else() {
    assert_eq!(part(r#"{"data":null}"#), Ok(Part::data(Value::Null)));
    assert_eq!(written(&Part::data(Value::Null)), r#"{"data":null}"#);
    assert_eq!(part(r#"{"url":null,"text":"a","raw":null,"metadata":null,"filename":null}"#), Ok("a".into()));
    assert!(part(r#"{"text":"a","data":null}"#).is_err());
    for json in ["{}", r#"{"text":null}"#, r#"{"metadata":{"a":1}}"#, "null", "[]", r#""a""#] {
        assert!(part(json).is_err(), "{json}");
    }
}

#[test]
fn the_members_of_a_part_come_in_any_order() {
    let expected = Part::raw(vec![1]).with_media_type("a/b").with_filename("c").with_metadata([("d", 1)]);
    let members = [
        r#""raw":"AQ=="#.to_owned() + "\"",
        r#""mediaType":"a/b""#.into(),
        r#""filename":"c""#.into(),
        r#""metadata":{"d":1}"#.into(),
    ];
    for turn in 0..members.len() {
        let mut turned = members.clone();
        turned.rotate_left(turn);
        assert_eq!(part(&format!("{{{}}}", turned.join(","))), Ok(expected.clone()));
        turned.reverse();
        assert_eq!(part(&format!("{{{}}}", turned.join(","))), Ok(expected.clone()));
    }
}

#[test]
fn content_may_be_empty() {
    assert_eq!(part(r#"{"text":""}"#), Ok(Part::text("")));
    assert_eq!(written(&Part::text("")), r#"{"text":""}"#);
    assert_eq!(part(r#"{"raw":""}"#), Ok(Part::raw(vec![])));
    assert_eq!(part(r#"{"filename":"","text":"a","mediaType":""}"#), Ok(Part::text("a")));
    assert!(part(r#"{"text":"","data":{}}"#).is_err());
}

#[test]
fn base64_is_read_in_either_alphabet_and_written_in_the_standard_one() {
    let bytes = Part::raw(vec![0xfb, 0xff, 0xfe, 0x01]);
    for text in ["+//+AQ==", "+//+AQ", "+//+AQ=", "-__-AQ==", "-__-AQ", "+//+AR"] {
        assert_eq!(part(&json!({"raw": text}).to_string()), Ok(bytes.clone()), "{text}");
    }
    assert_eq!(written(&bytes), r#"{"raw":"+//+AQ=="}"#);
    for text in ["a", "a b=", "é", "=", "+_//"] {
        assert!(part(&json!({"raw": text}).to_string()).is_err(), "{text}");
    }
}

#[test]
fn whole_numbers_are_integers() {
    let json = r#"{"data":{"big":18446744073709551615,"small":-9223372036854775808,"whole":5}}"#;
    assert_eq!(written(&part(json).unwrap()), json);
    for (sent, kept) in [
        ("5.0", "5"),
        ("-1e3", "-1000"),
        ("0.0", "0"),
        ("-0.0", "-0.0"),
        ("2.5", "2.5"),
        ("9007199254740992.0", "9007199254740992"),
        ("1e300", "1e+300"),
    ] {
        let json = format!(r#"{{"data":[{{"n":{sent}}}],"metadata":{{"n":[{sent}]}}}}"#);
        let expected = format!(r#"{{"data":[{{"n":{kept}}}],"metadata":{{"n":[{kept}]}}}}"#);
        assert_eq!(written(&part(&json).unwrap()), expected);
    }
}

#[test]
fn text_is_written_as_it_is() {
    let text = Part::text("<b>&amp; 漢字 \u{1F600}");
    assert_eq!(written(&text), "{\"text\":\"<b>&amp; 漢字 \u{1F600}\"}");
    assert_eq!(part(r#"{"te\u0078t":"\u6f22\ud83d\ude00"}"#), Ok(Part::text("漢\u{1F600}")));
}

#[test]
fn integers_are_read_in_every_spelling() {
    let length = |spelling: &str| {
        from_json::<GetTaskRequest>(format!(r#"{{"id":"a","historyLength":{spelling}}}"#).as_bytes())
            .map(|request| request.history_length)
    };
    for spelling in ["10", r#""10""#, "10.0", "1e1", r#""1e1""#, r#""10.0""#] {
        assert_eq!(length(spelling), Ok(Some(10)), "{spelling}");
    }
    for (spelling, expected) in
        [("null", None), ("0", Some(0)), ("-2147483648", Some(i32::MIN)), ("2147483647.0", Some(i32::MAX))]
    {
        assert_eq!(length(spelling), Ok(expected), "{spelling}");
    }
    for spelling in
        ["2147483648", "-2147483649", "1.5", r#""""#, r#""ten""#, r#""NaN""#, r#"" 1""#, "true", "[]", "1e30"]
    {
        assert!(length(spelling).is_err(), "{spelling}");
    }
}

#[test]
fn blocking_is_the_opposite_of_return_immediately_and_yields_to_it() {
    for (json, expected) in [
        ("{}", false),
        (r#"{"blocking":true}"#, false),
        (r#"{"blocking":false}"#, true),
        (r#"{"blocking":null}"#, false),
        (r#"{"blocking":false,"returnImmediately":null}"#, true),
        (r#"{"blocking":false,"returnImmediately":false}"#, false),
        (r#"{"blocking":true,"return_immediately":true}"#, true),
    ] {
        let read: SendMessageConfiguration = from_json(json.as_bytes()).unwrap();
        assert_eq!(read.return_immediately, expected, "{json}");
        let again = serde_json::to_value(&read).unwrap();
        assert_eq!(again, if expected { json!({"returnImmediately": true}) } else { json!({}) }, "{json}");
    }
}

#[test]
fn a_configuration_that_says_nothing_is_omitted() {
    let request = SendMessageRequest::new(Message::user("a").with_message_id("m"));
    let json = r#"{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"a"}]}}"#;
    assert_eq!(serde_json::to_string(&request).unwrap(), json);
    for configuration in ["null", "{}"] {
        let json = format!(r#"{},"configuration":{configuration}}}"#, json.strip_suffix('}').unwrap());
        assert_eq!(from_json(json.as_bytes()), Ok(request.clone()));
    }
}

#[test]
fn what_is_required_is_written_even_when_it_is_empty() {
    assert_eq!(
        serde_json::to_value(AgentCard { skills: vec![AgentSkill::default()], ..AgentCard::default() })
            .unwrap(),
        json!({
            "name": "", "description": "", "version": "", "capabilities": {}, "supportedInterfaces": [],
            "defaultInputModes": [], "defaultOutputModes": [],
            "skills": [{"id": "", "name": "", "description": "", "tags": []}],
        })
    );
    assert_eq!(
        serde_json::to_value(ListTasksResponse::default()).unwrap(),
        json!({"tasks": [], "nextPageToken": "", "pageSize": 0, "totalSize": 0})
    );
}

#[test]
fn a_secret_is_sent_and_not_shown() {
    let config: TaskPushNotificationConfig =
        from_json(br#"{"url":"https://a.example","token":"hush","authentication":{"scheme":"Bearer","credentials":""}}"#)
            .unwrap();
    assert_eq!(config.token.as_ref().unwrap().expose(), "hush");
    assert_eq!(config.authentication.as_ref().unwrap().credentials, None);
    assert!(!format!("{config:?}").contains("hush"));
    assert!(serde_json::to_string(&config).unwrap().contains("hush"));
}

#[test]
fn messages_are_made_from_what_is_at_hand() {
    let text = Message::from("a");
    assert_eq!((text.role, text.text()), (Role::Agent, "a".to_owned()));
    assert_ne!(text.message_id, Message::from("a").message_id);
    let parts =
        Message::user(vec![Part::text("a"), Part::data(json!({"b": 1}))]).with_part("c").with_task_id("t");
    assert_eq!((parts.role, parts.text()), (Role::User, "a\nc".to_owned()));
    assert_eq!(parts.data(), Some(&json!({"b": 1})));
    let kept = Message::user(parts.clone());
    assert_eq!(kept, parts);
}

#[test]
fn only_what_nothing_follows_is_final() {
    for state in TaskState::ALL.iter().copied() {
        let status = TaskStatus { state, ..TaskStatus::default() };
        let update = TaskStatusUpdateEvent {
            task_id: "t".to_owned(),
            context_id: "c".to_owned(),
            status: status.clone(),
            metadata: Metadata::default(),
        };
        assert_eq!(StreamResponse::from(update).is_final(), state.is_terminal(), "{state}");
        assert_eq!(StreamResponse::from(Task { status, ..Task::default() }).is_final(), state.is_terminal());
        assert!(!(state.is_terminal() && state.is_interrupted()));
    }
    assert!(StreamResponse::from(Message::agent("a")).is_final());
    assert_eq!(TaskState::ALL.iter().filter(|state| state.is_terminal()).count(), 4);
    assert_eq!(TaskState::ALL.iter().filter(|state| state.is_interrupted()).count(), 2);
}

#[test]
fn the_types_that_are_held_in_numbers_stay_small() {
    assert!(size_of::<Part>() <= 120, "{}", size_of::<Part>());
    assert!(size_of::<Message>() <= 232, "{}", size_of::<Message>());
    assert!(size_of::<Artifact>() <= 168, "{}", size_of::<Artifact>());
}

#[test]
fn two_members_of_a_part_are_refused_with_both_named_though_one_says_nothing() {
    for (json, one, other) in [
        (r#"{"text":"","data":{"a":1}}"#, "`text`", "`data`"),
        (r#"{"data":{"a":1},"text":""}"#, "`text`", "`data`"),
        (r#"{"text":"a","url":""}"#, "`text`", "`url`"),
        (r#"{"raw":"","url":"https://a.example"}"#, "`raw`", "`url`"),
        (r#"{"text":"a","data":null}"#, "`text`", "`data`"),
    ] {
        let error = part(json).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidParams, "{json}");
        assert!(error.message.contains(one) && error.message.contains(other), "{json}: {error}");
    }
}
