//! An agent that is sound passes its check, and each fault is found as what it is.
#![allow(clippy::unwrap_used, reason = "tests")]

use a2a_sdk::protocol::{AgentExtension, HttpAuthSecurityScheme, Message, SecurityScheme};
use a2a_sdk::testing::{Report, check};
use a2a_sdk::{
    Agent, BearerTokens, Binding, Clock, Context, Principal, Reply, Request, Run, SkillEntry, SkillError,
    WebhookPolicy,
};
use axum::extract::Request as HttpRequest;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, stream};
use std::time::Duration;

/// Says things back in several ways.
#[a2a_sdk::agent(url = "https://agents.example")]
async fn echo(text: String) -> String {
    text
}

/// Answers without a task.
#[a2a_sdk::skill]
async fn direct(text: String) -> Message {
    Message::agent(text)
}

/// Says it word by word.
#[a2a_sdk::skill]
async fn words(text: String) -> impl Stream<Item = String> {
    stream::iter(text.split(' ').map(str::to_owned).collect::<Vec<_>>())
}

/// Writes two artifacts in chunks.
#[a2a_sdk::skill]
async fn pages(ctx: Context) -> Result<(), SkillError> {
    let (mut one, mut two) = (ctx.artifact("one"), ctx.artifact("two"));
    one.write("1").await?;
    two.write("2").await?;
    one.finish_with("1").await?;
    two.finish().await
}

/// Asks something back.
#[a2a_sdk::skill]
async fn asks() -> Reply {
    Reply::ask("what?")
}

/// Wants to be authorized.
#[a2a_sdk::skill]
async fn wants(ctx: Context) -> Result<(), SkillError> {
    ctx.require_auth("grant it").await.map(drop)
}

/// Fails at what it does.
#[a2a_sdk::skill]
async fn fails() -> Result<String, SkillError> {
    Err(SkillError::failed("it broke"))
}

/// Never comes to an end.
#[a2a_sdk::skill]
async fn hangs(ctx: Context) -> Result<(), SkillError> {
    ctx.progress("for ever").await?;
    std::future::pending().await
}

const SKILLS: [&str; 7] = ["echo", "direct", "words", "pages", "asks", "wants", "fails"];

fn found(report: &Report) -> Vec<(String, &str, String)> {
    let binding = |binding: Option<Binding>| binding.map_or_else(String::new, |binding| binding.to_string());
    report.findings.iter().map(|one| (binding(one.binding), one.section, one.text.clone())).collect()
}

/// The same finding over each of the bindings.
fn everywhere(section: &'static str, text: &str) -> Vec<(String, &'static str, String)> {
    Binding::ALL.iter().map(|binding| (binding.to_string(), section, text.to_owned())).collect()
}

#[tokio::test]
async fn a_sound_agent_has_nothing_to_mend_whatever_its_skills_do() {
    let mut checking = check(echo::agent());
    for skill in SKILLS {
        checking = checking.calling(skill, "hello there");
    }
    let report = checking.await;
    report.assert_ok();
    assert_eq!((report.is_ok(), report.to_string()), (true, String::new()));
}

#[tokio::test]
async fn an_agent_is_sound_however_it_is_configured() {
    let required =
        AgentExtension { uri: "urn:x-needed".to_owned(), required: true, ..AgentExtension::default() };
    let bearer = SecurityScheme::HttpAuth(HttpAuthSecurityScheme {
        scheme: "bearer".to_owned(),
        ..Default::default()
    });
    let tokens = || BearerTokens::new([("secret", Principal::new("ada"))]);
    let guarded = || echo::agent().security("token", bearer.clone()).layer(tokens());
    for (what, agent) in [
        ("no streams", echo::agent().streaming(false)),
        ("lenient", echo::agent().lenient_version(true)),
        ("1.0 alone", echo::agent().legacy(false)),
        ("one binding", echo::agent().bindings([Binding::HttpJson])),
        ("an extension", echo::agent().extension(required)),
        ("push", echo::agent().push_notifications(WebhookPolicy::new())),
        ("guarded", guarded()),
        ("extended", guarded().extended_card(|_, card| Some(card))),
        ("extended for others", guarded().extended_card(|_, _| None)),
    ] {
        let mut checking = check(agent).header("authorization", "Bearer secret");
        for skill in SKILLS {
            checking = checking.calling(skill, "hello there");
        }
        assert_eq!(found(&checking.await), [], "{what}");
    }
}

#[tokio::test]
async fn an_agent_that_reads_nothing_of_a_message_is_sound() {
    mod silent {
        /// Tells the time of day.
        #[a2a_sdk::agent(url = "https://agents.example")]
        pub(super) async fn time() -> &'static str {
            "noon"
        }
    }
    check(silent::time::agent()).calling("time", "hello").await.assert_ok();
}

#[tokio::test]
async fn a_layer_that_takes_the_version_away_is_found_over_each_binding() {
    async fn takes(mut request: HttpRequest, next: Next) -> Response {
        request.headers_mut().remove("a2a-version");
        next.run(request).await
    }
    let report = check(echo::agent().layer(from_fn(takes))).calling("echo", "hello").await;
    assert_eq!(
        found(&report),
        everywhere("3.6.2", "a call of version 1.0 is answered as one of another version")
    );
    assert_eq!(
        report.findings[0].to_string(),
        "JSONRPC: a call of version 1.0 is answered as one of another version (spec 3.6.2; help: pass the header \
         `A2A-Version` on: a layer of the agent takes it away or changes it)"
    );
}

#[tokio::test]
async fn a_layer_that_sets_the_version_is_found_by_the_versions_that_are_served_and_are_not() {
    async fn sets(mut request: HttpRequest, next: Next) -> Response {
        request.headers_mut().insert("a2a-version", "1.0".parse().unwrap());
        next.run(request).await
    }
    let report = check(echo::agent().layer(from_fn(sets))).await;
    let expected: Vec<_> = [("JSONRPC", -32009, -32001), ("HTTP+JSON", 400, 404), ("GRPC", 9, 5)]
        .iter()
        .flat_map(|(binding, wanted, got)| {
            ["a call of version 99.0", "a call that names no version, which means 0.3,"].map(|what| {
                let text = format!(
                    "{what} is to be refused with {wanted}, VERSION_NOT_SUPPORTED; \
                     it gets error {got}, TASK_NOT_FOUND: task `no-such-task` not found"
                );
                (binding.to_string(), "3.6.2", text)
            })
        })
        .collect();
    assert_eq!(found(&report), expected);
}

#[tokio::test]
async fn a_layer_that_takes_extensions_away_is_found() {
    async fn takes(mut request: HttpRequest, next: Next) -> Response {
        request.headers_mut().remove("a2a-extensions");
        next.run(request).await
    }
    let required =
        AgentExtension { uri: "urn:x-needed".to_owned(), required: true, ..AgentExtension::default() };
    let agent = echo::agent().extension(required).layer(from_fn(takes)).bindings([Binding::JsonRpc]);
    let report = check(agent).await;
    let [one] = &report.findings[..] else { panic!("{report}") };
    assert_eq!((one.binding, one.section), (Some(Binding::JsonRpc), "3.1.3"));
    assert!(one.text.contains("it gets error -32008, EXTENSION_SUPPORT_REQUIRED"), "{report}");
}

#[tokio::test]
async fn a_layer_that_answers_errors_in_its_own_words_is_found() {
    async fn pages(request: HttpRequest, next: Next) -> Response {
        let path = request.uri().path().to_owned();
        let response = next.run(request).await;
        if path.contains("no-such-task:cancel") { "<h1>not here</h1>".into_response() } else { response }
    }
    let report = check(echo::agent().layer(from_fn(pages))).await;
    let text = "CancelTask for a task that there is not is to be refused with 404, TASK_NOT_FOUND; it gets HTTP 200 with \
                `text/plain; charset=utf-8`, which is no JSON";
    assert_eq!(found(&report), [("HTTP+JSON".to_owned(), "3.1.5", text.to_owned())]);
}

#[tokio::test]
async fn a_card_that_helps_little_is_found() {
    let handler = |request: &Request| Ok(Run::new(std::future::ready(request.extract::<String>()?)));
    let entry = SkillEntry::new("copy", handler)
        .description("Copy.")
        .tags([""])
        .argument::<String>()
        .reply::<String, _>();
    let agent = Agent::builder("copies").description("Copies what it is told.").version("1.0.0").skill(entry);
    let report = check(agent.url("https://agents.example")).calling("copy", "hello").await;
    let texts = ["its description says no more than its name: `Copy.`", "one of its tags is empty"];
    let expected = texts.map(|text| (String::new(), "4.4.5", format!("skill `copy`: {text}")));
    assert_eq!(found(&report), expected);
}

#[tokio::test(start_paused = true)]
async fn a_skill_that_never_ends_is_given_up_and_tried_over_one_binding() {
    let begun = tokio::time::Instant::now();
    let report = check(echo::agent()).calling("hangs", "hello").calling("echo", "hello").await;
    let expected =
        [("JSONRPC".to_owned(), "3.1.2", "skill `hangs`: its call has not ended in time".to_owned())];
    assert_eq!(found(&report), expected);
    assert_eq!(begun.elapsed().as_secs(), 10);

    let begun = tokio::time::Instant::now();
    let agent = echo::agent().streaming(false);
    let report = check(agent).calling("hangs", "hello").time_limit(Duration::from_secs(60)).await;
    let expected =
        [("JSONRPC".to_owned(), "3.1.1", "skill `hangs`: its call has not ended in time".to_owned())];
    assert_eq!(found(&report), expected);
    assert_eq!(begun.elapsed().as_secs(), 60);
}

#[tokio::test]
async fn a_guarded_agent_is_to_be_given_credentials_and_to_ask_for_them() {
    let tokens = || BearerTokens::new([("secret", Principal::new("ada"))]);
    let report = check(echo::agent().layer(tokens())).await;
    let expected = [
        ("JSONRPC", "every call is refused, with HTTP 401"),
        ("HTTP+JSON", "every call is refused, with HTTP 401"),
        ("GRPC", "every call is refused, with status Unauthenticated"),
    ]
    .map(|(binding, text)| (binding.to_owned(), "", text.to_owned()));
    assert_eq!(found(&report), expected);
    assert!(
        report.to_string().contains("with HTTP 401 (help: give credentials with `.header(..)`"),
        "{report}"
    );

    async fn lets_all_in(request: HttpRequest, next: Next) -> Response {
        next.run(request).await
    }
    let bearer = SecurityScheme::HttpAuth(HttpAuthSecurityScheme {
        scheme: "bearer".to_owned(),
        ..Default::default()
    });
    let report = check(echo::agent().security("token", bearer).layer(from_fn(lets_all_in))).await;
    let sections: Vec<_> = report.findings.iter().map(|one| (one.binding, one.section)).collect();
    assert_eq!(sections, Binding::ALL.iter().map(|binding| (Some(*binding), "7.4")).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_call_that_the_agent_cannot_take_and_an_agent_that_cannot_be_built_are_found() {
    let report = check(echo::agent()).calling("no-such-skill", "hello").await;
    let [(binding, section, text)] = &found(&report)[..] else { panic!("{report}") };
    assert_eq!((&**binding, *section), ("JSONRPC", "3.1.1"));
    assert!(
        text.starts_with("skill `no-such-skill`: the message gets error -32602, INVALID_PARAMS: "),
        "{text}"
    );

    let report = check(Agent::builder("empty")).await;
    let [(binding, section, text)] = &found(&report)[..] else { panic!("{report}") };
    assert_eq!((&**binding, *section), ("", ""));
    assert!(text.contains("it has no skills"), "{text}");
}

#[tokio::test]
async fn a_layer_that_breaks_a_stream_is_found() {
    async fn cuts(request: HttpRequest, next: Next) -> Response {
        let is_stream = request.uri().path() == "/message:stream";
        let response = next.run(request).await;
        if !is_stream {
            return response;
        }
        // The first event is lost, and the last.
        let (parts, body) = response.into_parts();
        let text = String::from_utf8(axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap();
        let records: Vec<_> = text.split("\n\n").filter(|record| record.contains("data:")).collect();
        let kept = records[usize::from(records.len() > 3)..records.len() - 1].join("\n\n");
        Response::from_parts(parts, axum::body::Body::from(kept))
    }
    let report =
        check(echo::agent().layer(from_fn(cuts))).calling("words", "one two").calling("echo", "hello").await;
    let expected = [
        ("3.1.2", "skill `words`: its stream begins with neither a task nor a message"),
        ("3.1.2", "skill `echo`: its stream ends while the task is TASK_STATE_SUBMITTED"),
        (
            "3.1.3",
            "skill `echo`: its task ended as TASK_STATE_SUBMITTED, and GetTask gives a task in TASK_STATE_COMPLETED",
        ),
    ];
    let seen = found(&report);
    for (section, text) in expected {
        assert!(seen.contains(&("HTTP+JSON".to_owned(), section, text.to_owned())), "{text}: {report}");
    }
    assert!(seen.iter().all(|(binding, ..)| binding == "HTTP+JSON"), "{report}");
}

#[tokio::test(start_paused = true)]
async fn a_check_follows_the_clock_of_the_test() {
    let clock = Clock::virtual_from(a2a_sdk::protocol::Timestamp::from_unix_millis(0));
    check(echo::agent().clock(clock)).calling("echo", "hello").await.assert_ok();
}

#[tokio::test]
#[should_panic(expected = "the agent breaks the protocol\n  - agent `empty` cannot be built")]
async fn what_was_found_fails_a_test() {
    check(Agent::builder("empty")).await.assert_ok();
}

#[test]
#[should_panic(expected = "no header of HTTP: `a b: c`")]
fn a_header_is_one() {
    drop(check(echo::agent()).header("a b", "c"));
}
