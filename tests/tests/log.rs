//! What the log tells and callers are not told.
#![allow(clippy::unwrap_used, reason = "tests")]

mod three;

use a2a_sdk::protocol::{Message, TaskState};
use a2a_sdk::{Agent, SkillError};
use a2a_tests::http::serve;
use a2a_tests::store::{Op, SECRET, Tested};
use a2a_tests::to;
use serde_json::{Value, json};
use std::error::Error;
use std::fmt::{self, Write};
use std::sync::{Arc, Mutex};
use three::{BINDINGS, V1, call, message};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Fails.
#[a2a_sdk::agent]
struct Failing;

/// An error with a cause.
#[derive(Debug)]
struct Caused(&'static str, Box<dyn Error + Send + Sync>);

impl fmt::Display for Caused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Caused {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.1)
    }
}

fn cause() -> Caused {
    Caused("the plan has no end", Box::new(Caused("the table is gone", SECRET.into())))
}

/// Fails as a task.
#[a2a_sdk::skill]
async fn errs() -> Result<String, SkillError> {
    Err(cause())?
}

/// Panics as a task.
#[a2a_sdk::skill]
async fn panics(text: String) -> String {
    panic!("{text}: the plan has no end: the table is gone: {SECRET}")
}

/// Fails without a task.
#[a2a_sdk::skill]
async fn direct() -> Result<Message, Caused> {
    Err(cause())
}

/// Collects the log, each event in a line. Only what is as serious as an error.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

struct Line<'a>(&'a mut String);

impl Visit for Line<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        write!(self.0, " {}=", field.name()).unwrap();
        let mut next = Some(value);
        while let Some(error) = next {
            write!(self.0, "{error}: ").unwrap();
            next = error.source();
        }
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == tracing::Level::ERROR
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = String::new();
        event.record(&mut Line(&mut line));
        self.0.lock().unwrap().push(line);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl Log {
    /// The one line with that text.
    fn line(&self, text: &str) -> String {
        let lines = self.0.lock().unwrap();
        let found: Vec<&String> = lines.iter().filter(|line| line.contains(text)).collect();
        assert_eq!(found.len(), 1, "{text} in {lines:?}");
        found[0].clone()
    }
}

fn agent() -> Agent {
    Failing::agent()
}

#[tokio::test]
async fn the_incident_that_a_caller_is_told_leads_to_the_whole_chain_of_causes() {
    let log = Log::default();
    let _heard = tracing::subscriber::set_default(log.clone());
    let client = agent().client().unwrap();
    for skill in ["errs", "panics"] {
        let task = client.send_message(to(skill, "oh")).await.unwrap().into_task().unwrap();
        assert_eq!(task.status.state, TaskState::Failed);
        let told = task.status.message.as_ref().unwrap();
        let incident = told.metadata["incidentId"].as_str().unwrap();
        assert!(told.text().contains(incident));
        let line = log.line(incident);
        let chain = format!("the plan has no end: the table is gone: {SECRET}");
        assert!(line.contains(&chain) && line.contains(skill) && line.contains(&task.id), "{line}");
        assert!(!serde_json::to_string(&task).unwrap().contains("table"), "{task:?}");
    }
}

#[tokio::test]
async fn an_internal_error_over_every_binding_has_its_line_in_the_log() {
    let log = Log::default();
    let _heard = tracing::subscriber::set_default(log.clone());
    let (store, faults) = Tested::new();
    let server = serve(agent().store(store)).await;
    for (skill, breaks) in [("direct", false), ("errs", true)] {
        if breaks {
            faults.set(|op| op == Op::Create);
        }
        for binding in BINDINGS {
            let mut message: Value = message("hi");
            message["metadata"] = json!({ "skill": skill });
            let params = json!({ "message": message });
            let refused = call(server.address, binding, V1, "SendMessage", &params).await.unwrap_err();
            let incident = refused.message.strip_prefix("internal error, incident ").unwrap();
            assert!(log.line(incident).contains(SECRET), "{binding:?}");
            assert!(!format!("{refused:?}").contains(SECRET), "{binding:?}");
        }
    }
}
