//! How a running skill waits for its caller.

use super::context::Wish;
use super::entry::root_schema;
use super::mark::mark;
use super::{Context, Described, Deserializable, FromRequest, Json, SkillError, json};
use crate::protocol::{Message, Part, TaskState};

impl Context {
    /// Asks the caller and waits for the answer.
    ///
    /// The task is `INPUT_REQUIRED` meanwhile. A message that came before the question, and that nobody has taken,
    /// is the answer at once.
    ///
    /// # Errors
    /// When the task is canceled first, or the store fails.
    pub async fn ask(&self, question: impl Into<Message>) -> Result<Message, SkillError> {
        self.wait_in(TaskState::InputRequired, question.into()).await
    }

    /// Asks the caller for data, and waits until it comes.
    ///
    /// What `T` looks like stands in the question, for callers that are programs: its JSON Schema, in the form of those
    /// in the card, is `metadata[SKILLS_EXTENSION] = {"answerSchema": {..}}`. The answer is read as the argument
    /// [`Json<T>`](Json) is, from a data part or from text that is JSON. To one that does not fit, the question is asked
    /// again, with the path of the first misfit before it (`message.parts[0].data.nights: ..`, cut in the middle where it
    /// is long); that goes on until the caller answers or cancels, as every question does. To ask only so often, use
    /// [`ask`](Self::ask).
    ///
    /// ```
    /// use a2a_sdk::{Context, SkillError};
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Dates {
    ///     from: String,
    ///     nights: u8,
    /// }
    ///
    /// /// Books a room.
    /// #[a2a_sdk::skill]
    /// async fn book(city: String, ctx: Context) -> Result<String, SkillError> {
    ///     let dates: Dates = ctx.ask_json("From which day, and for how many nights?").await?;
    ///     Ok(format!("{city} from {} for {}", dates.from, dates.nights))
    /// }
    /// ```
    ///
    /// # Errors
    /// When the task is canceled first, or the store fails.
    pub async fn ask_json<T: Deserializable + Described>(
        &self,
        question: impl Into<Message>,
    ) -> Result<T, SkillError> {
        let mut question = question.into();
        if let Some(schema) = root_schema(<Json<T> as FromRequest>::schema) {
            mark(&mut question, "answerSchema", schema);
        }
        let mut asked = question.clone();
        loop {
            let answer = self.ask(asked).await?;
            match json::read(&answer) {
                Ok(value) => return Ok(value),
                Err(misfit) => asked = again(&question, &misfit),
            }
        }
    }

    /// Tells the caller that it must authorize something first, and waits for its next message.
    ///
    /// The task is `AUTH_REQUIRED` meanwhile (spec 7.6), with that text; say in it what to authorize, and where. How
    /// the caller does so is between it and whoever guards the thing; credentials do not belong into messages. Then it
    /// sends any message to the task, and this call gives it. A message that came before is not taken for that: it
    /// waits for the next [`ask`](Self::ask).
    ///
    /// That a message came does not tell that all is well, so look again:
    ///
    /// ```
    /// use a2a_sdk::{Context, SkillError};
    ///
    /// # async fn token_of(_: &str) -> Option<String> { None }
    /// /// Reads the caller's calendar.
    /// #[a2a_sdk::skill]
    /// async fn calendar(ctx: Context) -> Result<String, SkillError> {
    ///     let token = loop {
    ///         match token_of(ctx.task_id()).await {
    ///             Some(token) => break token,
    ///             None => ctx.require_auth("Give me access at https://calendar.example/grant").await?,
    ///         };
    ///     };
    ///     Ok(format!("{} letters of a token", token.len()))
    /// }
    /// ```
    ///
    /// A skill that learns by itself when it may go on waits for both with `tokio::select!`; its next
    /// [`progress`](Self::progress) sets the task going again. To end the run instead, and be called again with the
    /// next message, return [`SkillError::auth_required`].
    ///
    /// # Errors
    /// When the task is canceled first, or the store fails.
    pub async fn require_auth(&self, what: impl Into<Message>) -> Result<Message, SkillError> {
        self.wait_in(TaskState::AuthRequired, what.into()).await
    }

    /// Waits for the caller's next message, without asking for it: the task stays as it is.
    ///
    /// # Errors
    /// When the task ends first.
    pub async fn next_message(&self) -> Result<Message, SkillError> {
        self.shared.call(Wish::Next).await?.into_message()
    }

    async fn wait_in(&self, state: TaskState, message: Message) -> Result<Message, SkillError> {
        self.shared.call(Wish::Ask(state, message)).await?.into_message()
    }
}

/// The same question under another id, after what was wrong with the answer.
fn again(question: &Message, misfit: &SkillError) -> Message {
    let mut again = Message::agent(Part::text(misfit.to_string())).with_parts(question.parts.iter().cloned());
    again.metadata.clone_from(&question.metadata);
    again.extensions.clone_from(&question.extensions);
    again
}
