//! A skill as the agent holds it.

use super::definition::{Argument, Definition, Outcome, SchemaFn};
use super::{Answer, FromRequest, IntoReply, Modes, Reply, Request, SkillError};
use crate::protocol::{AgentSkill, SecurityRequirement, StringList};
use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

/// A call of a skill: a future that ends with its reply.
pub struct Run(Pin<Box<dyn Future<Output = Reply> + Send>>);

impl Run {
    /// The call that this future is.
    pub fn new<F, M>(future: F) -> Self
    where
        F: Future + Send + 'static,
        F::Output: IntoReply<M>,
    {
        Self::then(future, F::Output::into_reply)
    }

    /// The call that this future is; what it gives is made a reply by that fn.
    pub fn then<F>(future: F, reply: fn(F::Output) -> Reply) -> Self
    where
        F: Future + Send + 'static,
    {
        Self(Box::pin(async move { reply(future.await) }))
    }
}

impl Future for Run {
    type Output = Reply;

    fn poll(mut self: Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> std::task::Poll<Reply> {
        self.0.as_mut().poll(cx)
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Run")
    }
}

/// Where in the source a skill or an agent stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// What the arguments of a skill need from the agent.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    pub(crate) states: Vec<(TypeId, &'static str)>,
    pub(crate) extensions: Vec<&'static str>,
    pub(crate) context: bool,
    pub(crate) cancel: bool,
}

type Handler = Arc<dyn Fn(&Request) -> Result<Run, SkillError> + Send + Sync>;

/// A skill: what the card says of it, and how it is called.
///
/// `#[skill]` makes one; code can make one as well, for skills that are known only when the agent starts.
///
/// ```
/// use a2a_sdk::{Request, Run, SkillEntry};
///
/// async fn shout(text: String) -> String {
///     text.to_uppercase()
/// }
///
/// let entry = SkillEntry::new("shout", |request: &Request| Ok(Run::new(shout(request.extract()?))))
///     .description("Says it louder.")
///     .tags(["text"])
///     .argument::<String>()
///     .reply::<String, _>();
/// let card = entry.card();
/// assert_eq!(card.name, "Shout");
/// assert_eq!(card.input_modes, ["text/plain"]);
/// ```
#[derive(Clone)]
pub struct SkillEntry {
    pub(crate) id: Cow<'static, str>,
    pub(crate) name: Option<String>,
    pub(crate) description: String,
    pub(crate) tags: Vec<String>,
    pub(crate) examples: Vec<String>,
    pub(crate) input_modes: Vec<String>,
    pub(crate) output_modes: Vec<String>,
    pub(crate) security_requirements: Vec<SecurityRequirement>,
    /// Whether an attribute set the modes, so that the types' no longer count.
    pub(crate) modes_given: (bool, bool),
    pub(crate) input_schemas: Vec<SchemaFn>,
    pub(crate) output_schema: Option<SchemaFn>,
    pub(crate) answer: Answer,
    pub(crate) needs: Needs,
    /// What its arguments can be read from.
    reads: Vec<Modes>,
    pub(crate) location: Option<Location>,
    pub(crate) handler: Handler,
}

impl fmt::Debug for SkillEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SkillEntry")
            .field("id", &self.id)
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

impl SkillEntry {
    /// A skill of that id, called with each message that is for it.
    ///
    /// The handler takes its arguments out of the request and gives the call, not yet begun: an error here is
    /// the caller's mistake (-32602), and no task is made.
    pub fn new(
        id: impl Into<Cow<'static, str>>,
        handler: impl Fn(&Request) -> Result<Run, SkillError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            id: id.into(),
            name: None,
            description: String::new(),
            tags: Vec::new(),
            examples: Vec::new(),
            input_modes: Vec::new(),
            output_modes: Vec::new(),
            security_requirements: Vec::new(),
            modes_given: (false, false),
            input_schemas: Vec::new(),
            output_schema: None,
            answer: Answer::Either,
            needs: Needs::default(),
            reads: Vec::new(),
            location: None,
            handler: Arc::new(handler),
        }
    }

    /// What a macro found.
    pub(crate) fn defined(id: &'static str, definition: &Definition) -> Self {
        let mut entry = Self::new(id, definition.call);
        for argument in definition.arguments {
            entry.add_argument(argument);
        }
        entry.set_outcome(&definition.outcome);
        entry
    }

    /// Names it for people. Without a name, the words of its id are one.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Says what it does, for callers to choose by.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Gives it keywords. Without any, its id is one.
    #[must_use]
    pub fn tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// Gives examples of messages it answers well.
    #[must_use]
    pub fn examples<T: Into<String>>(mut self, examples: impl IntoIterator<Item = T>) -> Self {
        self.examples = examples.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the media types it reads, in place of those of its arguments.
    #[must_use]
    pub fn input_modes<T: Into<String>>(mut self, modes: impl IntoIterator<Item = T>) -> Self {
        self.input_modes = modes.into_iter().map(Into::into).collect();
        self.modes_given.0 = true;
        self
    }

    /// Sets the media types it gives, in place of those of its reply.
    #[must_use]
    pub fn output_modes<T: Into<String>>(mut self, modes: impl IntoIterator<Item = T>) -> Self {
        self.output_modes = modes.into_iter().map(Into::into).collect();
        self.modes_given.1 = true;
        self
    }

    /// Says that callers need that scheme of the agent, with those scopes (spec 4.4.5). Of several schemes, any one is
    /// enough.
    ///
    /// The card says it; what checks it is the agent's layer, or the skill by its
    /// [`Principal`](crate::Principal). An agent that does not declare the scheme is not built.
    #[must_use]
    pub fn security(mut self, scheme: impl Into<String>, scopes: &[&str]) -> Self {
        let list = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        let schemes = [(scheme.into(), StringList { list })].into();
        self.security_requirements.push(SecurityRequirement { schemes });
        self
    }

    /// Says where in the source it stands, for error reports.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// Says that the handler takes an argument of that type: its media types, its schema, its needs.
    #[must_use]
    pub fn argument<T: FromRequest>(mut self) -> Self {
        self.add_argument(&Argument::of::<T>());
        self
    }

    /// Says that the handler replies with that type: its media types, its schema, whether it makes a task.
    #[must_use]
    pub fn reply<R: IntoReply<M>, M>(mut self) -> Self {
        self.set_outcome(&Outcome::of::<R, M>());
        self
    }

    fn add_argument(&mut self, argument: &Argument) {
        (argument.needs)(&mut self.needs);
        self.reads.push(argument.reads);
        if !self.modes_given.0 {
            add_modes(&mut self.input_modes, argument.input);
        }
        self.input_schemas.push(argument.schema);
    }

    fn set_outcome(&mut self, outcome: &Outcome) {
        self.answer = outcome.answer;
        if !self.modes_given.1 {
            add_modes(&mut self.output_modes, outcome.output);
        }
        self.output_schema = Some(outcome.schema);
    }

    /// Its id, unique within the agent.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether it reads content of that media type: one of those it was given, else one that its arguments read.
    ///
    /// A skill that says nothing about its arguments reads anything.
    pub fn reads(&self, media_type: &str) -> bool {
        let media_type = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if self.modes_given.0 {
            return self.input_modes.iter().any(|mode| mode.eq_ignore_ascii_case(&media_type));
        }
        self.reads.is_empty() || self.reads.iter().any(|modes| modes.reads(&media_type))
    }

    /// What the card says of it.
    pub fn card(&self) -> AgentSkill {
        AgentSkill {
            id: self.id.clone().into_owned(),
            name: self.name.clone().unwrap_or_else(|| words(&self.id)),
            description: self.description.clone(),
            tags: if self.tags.is_empty() { vec![self.id.clone().into_owned()] } else { self.tags.clone() },
            examples: self.examples.clone(),
            input_modes: self.input_modes.clone(),
            output_modes: self.output_modes.clone(),
            security_requirements: self.security_requirements.clone(),
        }
    }

    /// The JSON Schema of the data it reads, where one of its arguments is data.
    pub fn input_schema(&self) -> Option<serde_json::Value> {
        self.input_schemas.iter().find_map(|schema| root_schema(*schema))
    }

    /// The JSON Schema of the data it gives, where its reply is data.
    pub fn output_schema(&self) -> Option<serde_json::Value> {
        root_schema(self.output_schema?)
    }

    /// Whether its reply makes a task.
    pub fn answer(&self) -> Answer {
        self.answer
    }

    /// Where in the source it stands.
    pub fn location(&self) -> Option<Location> {
        self.location
    }

    /// Takes the arguments out of the request and gives the call, not yet begun.
    ///
    /// # Errors
    /// When an argument is missing or malformed.
    pub fn call(&self, request: &Request) -> Result<Run, SkillError> {
        (self.handler)(request)
    }
}

/// A schema that stands by itself, the definitions it refers to included.
pub(super) fn root_schema(schema: SchemaFn) -> Option<serde_json::Value> {
    let mut generator = schemars::SchemaGenerator::default();
    let mut schema = schema(&mut generator)?;
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), definitions.into());
    }
    Some(schema.to_value())
}

/// The words of an id, the first letter in upper case.
pub(crate) fn words(id: &str) -> String {
    let spaced = id.replace(['_', '-', '.'], " ");
    let mut letters = spaced.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn add_modes(list: &mut Vec<String>, modes: Modes) {
    for mode in modes.to_vec() {
        if !list.iter().any(|known| known == mode) {
            list.push(mode.to_owned());
        }
    }
}
