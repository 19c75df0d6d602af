//! The rules that hold for every agent, whatever its skills do.

use super::wire::{Operation, Terms, Told, Wire, code_of};
use super::{Check, Finding, Report, calling, card, json};
use crate::Binding;
use crate::protocol::{AgentCard, ErrorKind, Message, SendMessageRequest};
use http::Method;

/// The id of a task that there is not.
pub(super) const NO_TASK: &str = "no-such-task";

/// A layer is the only thing between the SDK and the wire that can do such a thing.
pub(super) const LAYERS: &str =
    "look at the agent's layers: they are to pass requests and answers on as they are";

/// An agent that is being checked.
pub(super) struct Checking {
    pub(super) wire: Wire,
    pub(super) card: AgentCard,
    pub(super) report: Report,
}

/// Runs a check.
pub(super) async fn run(check: Check) -> Report {
    let Check { agent, headers, calls, limit } = check;
    let (bindings, lenient) = (agent.bindings.clone(), agent.settings.lenient_version);
    let mut report = Report::default();
    let built = match agent.build() {
        Ok(built) => built,
        Err(error) => {
            report.add(None, "", error.to_string(), "mend what it says");
            return report;
        }
    };
    let mut wire = Wire::new(built.router(), headers, limit);
    let Some(card) = card::read(&wire, &mut report).await else { return report };
    let required = card.capabilities.extensions.iter().filter(|extension| extension.required);
    wire.required = required.map(|extension| extension.uri.clone()).collect();
    let mut checking = Checking { wire, card, report };
    card::check(&checking.card, &mut checking.report);
    let mut sound = Vec::new();
    for binding in bindings {
        checking.guard(binding).await;
        if checking.probe(binding).await {
            checking.tasks(binding).await;
            checking.versions(binding, lenient).await;
            checking.extensions(binding).await;
            checking.capabilities(binding).await;
            checking.malformed(binding).await;
            sound.push(binding);
        }
    }
    for (skill, message) in calls {
        calling::call(&mut checking, &sound, &skill, &message).await;
    }
    checking.report
}

impl Report {
    pub(super) fn add(
        &mut self,
        binding: Option<Binding>,
        section: &'static str,
        text: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.findings.push(Finding { binding, section, text: text.into(), help: help.into() });
    }
}

impl Checking {
    /// Calls, and finds fault with whatever is not that error.
    async fn refuses(
        &mut self,
        binding: Binding,
        terms: Option<Terms<'_>>,
        (section, what): (&'static str, &str),
        operation: Operation<'_>,
        kind: ErrorKind,
    ) {
        let told = self.wire.call(binding, terms.unwrap_or_else(|| self.wire.terms()), operation).await;
        self.expect(binding, (section, what), &told, kind);
    }

    pub(super) fn expect(
        &mut self,
        binding: Binding,
        (section, what): (&'static str, &str),
        told: &Told,
        kind: ErrorKind,
    ) {
        let wanted = code_of(binding, kind);
        // The protocol has reasons for its own errors alone.
        let own = (-32099..=-32001).contains(&kind.json_rpc_code());
        if let Told::Refused { code, reason, .. } = told
            && *code == wanted
            && (!own || reason.as_deref() == Some(kind.reason()))
        {
            return;
        }
        let text = format!("{what} is to be refused with {wanted}, {}; it gets {told}", kind.reason());
        self.report.add(Some(binding), section, text, LAYERS);
    }

    /// A card that declares security is to be believed (spec 7.4).
    async fn guard(&mut self, binding: Binding) {
        if self.card.security_requirements.is_empty() {
            return;
        }
        let terms = Terms { credentials: false, ..self.wire.terms() };
        let told = self.wire.call(binding, terms, Operation::GetTask(NO_TASK)).await;
        if !matches!(told, Told::Denied(_)) {
            let text = format!("the card declares security, and a call without credentials gets {told}");
            self.report.add(
                Some(binding),
                "7.4",
                text,
                "refuse callers that nobody knows: `.layer(BearerTokens::new(..))`",
            );
        }
    }

    /// Whether ordinary calls come through at all; else nothing more can be learned.
    async fn probe(&mut self, binding: Binding) -> bool {
        let before = self.report.findings.len();
        let told = self.wire.call(binding, self.wire.terms(), Operation::GetTask(NO_TASK)).await;
        match &told {
            Told::Denied(how) => {
                let help = "give credentials with `.header(..)`, or look at the agent's layers";
                self.report.add(Some(binding), "", format!("every call is refused, with {how}"), help);
            }
            Told::Refused { reason: Some(reason), .. }
                if reason == ErrorKind::VersionNotSupported.reason() =>
            {
                let text = "a call of version 1.0 is answered as one of another version";
                let help =
                    "pass the header `A2A-Version` on: a layer of the agent takes it away or changes it";
                self.report.add(Some(binding), "3.6.2", text, help);
            }
            told => self.expect(
                binding,
                ("3.1.3", "GetTask for a task that there is not"),
                told,
                ErrorKind::TaskNotFound,
            ),
        }
        self.report.findings.len() == before
    }

    /// Tasks that there are not, and a message without content.
    async fn tasks(&mut self, binding: Binding) {
        let (cancel, send) =
            ("CancelTask for a task that there is not", "a message to a task that there is not");
        let not_found = ErrorKind::TaskNotFound;
        self.refuses(binding, None, ("3.1.5", cancel), Operation::CancelTask(NO_TASK), not_found).await;
        let mut request = SendMessageRequest::new(Message::user("hello").with_task_id(NO_TASK));
        self.refuses(binding, None, ("3.4.2", send), Operation::SendMessage(&request), not_found).await;
        request.message = Message::user(Vec::new());
        let (what, kind) = ("a message without parts", ErrorKind::InvalidParams);
        self.refuses(binding, None, ("4.1.4", what), Operation::SendMessage(&request), kind).await;
    }

    /// spec 3.6.2
    async fn versions(&mut self, binding: Binding, lenient: bool) {
        let versions =
            [("99.0", "a call of version 99.0"), ("", "a call that names no version, which means 0.3,")];
        for (version, what) in versions.into_iter().take(if lenient { 1 } else { 2 }) {
            let required = self.wire.required.clone();
            let terms = Terms { version, extensions: &required, credentials: true };
            let kind = ErrorKind::VersionNotSupported;
            self.refuses(binding, Some(terms), ("3.6.2", what), Operation::GetTask(NO_TASK), kind).await;
        }
    }

    /// An extension that nobody knows is passed over (spec 3.2.6); one that is required must be named (spec 3.3.4).
    async fn extensions(&mut self, binding: Binding) {
        let required = self.wire.required.clone();
        let more: Vec<_> = required.iter().cloned().chain(["urn:x-no-such-extension".to_owned()]).collect();
        let terms = Terms { version: "1.0", extensions: &more, credentials: true };
        let (what, kind) = ("GetTask with an extension that nobody knows", ErrorKind::TaskNotFound);
        self.refuses(binding, Some(terms), ("3.2.6", what), Operation::GetTask(NO_TASK), kind).await;
        if !required.is_empty() {
            let terms = Terms { extensions: &[], ..terms };
            let (what, kind) =
                ("a call without the required extensions", ErrorKind::ExtensionSupportRequired);
            self.refuses(binding, Some(terms), ("3.3.4", what), Operation::GetTask(NO_TASK), kind).await;
        }
    }

    /// What the card does not declare is refused (spec 3.3.4), what it does is there.
    async fn capabilities(&mut self, binding: Binding) {
        let request = SendMessageRequest::new(Message::user("hello"));
        let capabilities = &self.card.capabilities;
        let declared = |capability: Option<bool>| capability.unwrap_or_default();
        let (streams, extended) =
            (declared(capabilities.streaming), declared(capabilities.extended_agent_card));
        let pushes = declared(capabilities.push_notifications);
        let subscribe = Operation::SubscribeToTask(NO_TASK);
        let unsupported = ErrorKind::UnsupportedOperation;
        if streams {
            let what = "SubscribeToTask for a task that there is not";
            self.refuses(binding, None, ("3.1.6", what), subscribe, ErrorKind::TaskNotFound).await;
        } else {
            let stream = Operation::SendStreamingMessage(&request);
            for (what, operation) in [("SendStreamingMessage", stream), ("SubscribeToTask", subscribe)] {
                let what = format!("{what}, which the card does not declare,");
                self.refuses(binding, None, ("3.3.4", &what), operation, unsupported).await;
            }
        }
        let push = Operation::CreateTaskPushNotificationConfig;
        if !pushes {
            let (what, kind) = (
                "a push configuration, which the card does not declare,",
                ErrorKind::PushNotificationNotSupported,
            );
            self.refuses(binding, None, ("3.3.4", what), push, kind).await;
        }
        let told = self.wire.call(binding, self.wire.terms(), Operation::GetExtendedAgentCard).await;
        match &told {
            told if !extended => {
                let what = "GetExtendedAgentCard, which the card does not declare,";
                self.expect(binding, ("3.3.4", what), told, unsupported);
            }
            // Whom it is given to is the agent's to say.
            Told::Card | Told::Denied(_) => {}
            told => {
                let text = format!("the card declares an extended card, and a call for it gets {told}");
                self.report.add(
                    Some(binding),
                    "3.1.11",
                    text,
                    "look at `.extended_card(..)`, and at the agent's layers",
                );
            }
        }
    }

    /// Bodies, methods and paths that are none.
    async fn malformed(&mut self, binding: Binding) {
        match binding {
            Binding::JsonRpc => {
                for (body, what, kind) in [
                    ("{", "a body that is no JSON", ErrorKind::ParseError),
                    (r#"{"jsonrpc":"2.0","id":1}"#, "a request without a method", ErrorKind::InvalidRequest),
                    (
                        r#"{"jsonrpc":"2.0","id":1,"method":"NoSuch"}"#,
                        "an unknown method",
                        ErrorKind::MethodNotFound,
                    ),
                    (
                        r#"{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":{}}}"#,
                        "a parameter of another type",
                        ErrorKind::InvalidParams,
                    ),
                ] {
                    let calling = json::rpc_body(&self.wire, self.wire.terms(), body, None);
                    let told = self.wire.within(calling).await;
                    self.expect(binding, ("9.5", what), &told, kind);
                }
            }
            Binding::HttpJson => {
                for (section, method, path, body, what, kind) in [
                    (
                        "11.6",
                        Method::POST,
                        "/message:send",
                        "{",
                        "a body that is no JSON",
                        ErrorKind::ParseError,
                    ),
                    ("11.3", Method::GET, "/no/such/path", "", "an unknown path", ErrorKind::MethodNotFound),
                ] {
                    let calling = json::rest_body(&self.wire, self.wire.terms(), method, path, body, None);
                    let told = self.wire.within(calling).await;
                    self.expect(binding, (section, what), &told, kind);
                }
            }
            #[cfg(feature = "grpc")]
            Binding::Grpc => {
                let told = self.wire.within(super::grpc::unknown_method(&self.wire)).await;
                self.expect(binding, ("10.6", "an unknown method"), &told, ErrorKind::MethodNotFound);
            }
            #[cfg(not(feature = "grpc"))]
            Binding::Grpc => {}
        }
    }
}
