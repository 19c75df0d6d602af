//! What an agent's program does with its arguments.

use super::built::listen;
use super::{Agent, BuiltAgent};
use crate::card;
use crate::error::Error;
use crate::protocol::{Message, Part, SendMessageRequest};
use crate::skill::{SKILLS_EXTENSION, SkillEntry};
use lexopt::{Arg, Parser, ValueExt};
use std::io::Write;

/// Where an agent listens where nothing says otherwise: this machine alone reaches it.
const DEFAULT_ADDRESS: &str = "127.0.0.1:8080";

/// What the arguments say beside the command.
#[derive(Default)]
struct Options {
    public_url: Option<String>,
    #[cfg(feature = "tls")]
    tls_certificate: Option<String>,
    #[cfg(feature = "tls")]
    tls_key: Option<String>,
}

enum Command {
    Serve { listen: String },
    Card { lint: bool },
    Skills,
    Help,
}

impl Agent {
    /// Does what the program's arguments say, and serves where they say nothing.
    ///
    /// | command | does |
    /// |---|---|
    /// | `serve` (default) | serves at `--listen ADDRESS` (default `127.0.0.1:8080`) |
    /// | `card` | prints the card as JSON; with `--lint` what to mend in it, and fails if there is anything |
    /// | `skills` | prints the id and the description of each skill |
    /// | `help` | prints this |
    ///
    /// `--public-url URL` says where the agent is reached from outside, for the card. With the feature `tls`,
    /// `--tls-cert FILE --tls-key FILE` serve TLS. The server stops on Ctrl-C and SIGTERM.
    ///
    /// # Errors
    /// When the arguments are wrong, the agent cannot be built, or the address cannot be listened on.
    pub async fn run(self) -> crate::Result<()> {
        self.run_with(std::env::args_os()).await
    }

    /// Like [`run`](Self::run), with these arguments; the first is the name of the program.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn run_with<T: Into<std::ffi::OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = T>,
    ) -> crate::Result<()> {
        let parser = Parser::from_iter(arguments.into_iter().map(Into::into));
        let (command, options) =
            parse(parser).map_err(|error| Error::usage(format!("{error}\n\n{}", usage(&self.id))))?;
        if options.public_url.is_some() {
            self.url = options.public_url;
        }
        #[cfg(feature = "tls")]
        match (options.tls_certificate, options.tls_key) {
            (None, None) => {}
            (Some(certificate), Some(key)) => self = self.tls(certificate, key),
            _ => return Err(Error::usage("--tls-cert and --tls-key go together")),
        }
        match command {
            Command::Help => print(&usage(&self.id)),
            Command::Card { lint: false } => print(&card::to_json(&self.card()?)),
            Command::Card { lint: true } => {
                let findings = card::lint(&self.card()?);
                if findings.is_empty() {
                    return Ok(());
                }
                let lines: String = findings.iter().map(|finding| format!("\n  - {finding}")).collect();
                Err(Error::card(format!("the card of `{}` is to be mended{lines}", self.id)))
            }
            Command::Skills => {
                let lines = self.checked_skills()?.into_iter().map(|skill| {
                    let description = skill.description.lines().next().unwrap_or_default().to_owned();
                    format!("{}\t{description}\n", skill.id)
                });
                print(&lines.collect::<String>())
            }
            Command::Serve { listen: address } => self.build()?.serve_and_say(address).await,
        }
    }
}

impl BuiltAgent {
    async fn serve_and_say(self, address: String) -> crate::Result<()> {
        // What cannot be served is not announced.
        #[cfg(feature = "tls")]
        self.tls()?;
        let listener = listen(address).await?;
        let url = self.url_on(&listener).map_err(|error| Error::io("the listener failed", error))?;
        let name = &self.agent().id;
        let here = listener
            .local_addr()
            .map_or_else(|_| url.clone(), |address| format!("{}://{address}", self.scheme()));
        print(&format!("{name} listens on {here}\n\n{}\n", self.curl(&here)))?;
        self.serve_until_told(listener).await
    }

    /// A command that calls the agent.
    fn curl(&self, url: &str) -> String {
        let body = serde_json::json!({
            "jsonrpc": "2.0",
            "id": 1,
            "method": "SendMessage",
            "params": self.example(),
        });
        // A quote in a shell's quoted text: end it, write the quote, go on.
        let body = body.to_string().replace('\'', r"'\''");
        format!("curl -s {url}/ -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \\\n  -d '{body}'")
    }

    /// A message that the agent can read: the first example of its first skill, where there is one.
    fn example(&self) -> SendMessageRequest {
        let front = self.agent().default_skill.as_ref().or_else(|| self.skills().first());
        let part = front.map_or_else(|| Part::text("hello"), example_part);
        let mut message = Message::user(part).with_message_id("1");
        let named = self.agent().default_skill.is_none() && self.skills().len() > 1;
        if let (true, Some(skill)) = (named, front) {
            message.metadata.insert(SKILLS_EXTENSION.to_owned(), serde_json::json!({ "skill": skill.id() }));
        }
        SendMessageRequest::new(message)
    }
}

fn example_part(skill: &SkillEntry) -> Part {
    let reads = |mode: &str| skill.input_modes.iter().any(|known| known == mode);
    let example = skill.examples.first();
    if !reads("text/plain") && reads("application/json") {
        let data = example.and_then(|example| serde_json::from_str(example).ok());
        return Part::data(data.unwrap_or_else(|| serde_json::json!({})));
    }
    Part::text(example.map_or("hello", String::as_str))
}

fn parse(mut parser: Parser) -> Result<(Command, Options), lexopt::Error> {
    let mut command = None;
    let mut listen = None;
    let mut lint = false;
    let mut options = Options::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("listen") => listen = Some(parser.value()?.string()?),
            Arg::Long("lint") => lint = true,
            Arg::Long("public-url") => {
                let url = parser.value()?.string()?;
                if !url.starts_with("http://") && !url.starts_with("https://") {
                    return Err(
                        format!("--public-url: expected http://.. or https://.., found `{url}`").into()
                    );
                }
                options.public_url = Some(url);
            }
            #[cfg(feature = "tls")]
            Arg::Long("tls-cert") => options.tls_certificate = Some(parser.value()?.string()?),
            #[cfg(feature = "tls")]
            Arg::Long("tls-key") => options.tls_key = Some(parser.value()?.string()?),
            Arg::Short('h') | Arg::Long("help") => return Ok((Command::Help, options)),
            Arg::Value(word) if command.is_none() => {
                command = Some(match word.string()?.as_str() {
                    "serve" => Command::Serve { listen: String::new() },
                    "card" => Command::Card { lint: false },
                    "skills" => Command::Skills,
                    "help" => Command::Help,
                    other => return Err(format!("no command `{other}`").into()),
                });
            }
            other => return Err(other.unexpected()),
        }
    }
    let command = match (command, listen) {
        (None | Some(Command::Serve { .. }), listen) => {
            Command::Serve { listen: listen.unwrap_or_else(|| DEFAULT_ADDRESS.to_owned()) }
        }
        (Some(_), Some(_)) => return Err("--listen is only for `serve`".into()),
        (Some(Command::Card { .. }), None) => Command::Card { lint },
        (Some(command), None) => command,
    };
    if lint && !matches!(command, Command::Card { .. }) {
        return Err("--lint is only for `card`".into());
    }
    Ok((command, options))
}

fn usage(name: &str) -> String {
    format!(
        "usage: {name} [COMMAND] [OPTIONS]\n\n\
         commands:\n  \
         serve    serves the agent (default)\n  \
         card     prints its card as JSON\n  \
         skills   prints the id and the description of each skill\n  \
         help     prints this\n\n\
         options:\n  \
         --listen ADDRESS    where to listen (serve; default {DEFAULT_ADDRESS})\n  \
         --public-url URL    where the agent is reached from outside, for its card\n  \
         --lint              prints what to mend in the card instead, and fails if there is anything (card)\n{TLS_USAGE}"
    )
}

#[cfg(feature = "tls")]
const TLS_USAGE: &str = "  --tls-cert FILE     the certificate chain to serve TLS with (serve; PEM)\n  \
                         --tls-key FILE      its private key (serve; PEM)\n";
#[cfg(not(feature = "tls"))]
const TLS_USAGE: &str = "";

fn print(text: &str) -> crate::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Error::io("cannot print", error))
}
