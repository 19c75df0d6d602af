//! Delivery: one reader of the log for each configuration, which posts what it reads, in order.

use super::configs::Posted;
use super::form::{self, Notification};
use super::guard::Guard;
use crate::error::Error;
use crate::protocol::{PushConfig, TaskPushNotificationConfig, TaskState};
use crate::store::{Owner, Seq, Store, StoreError, TaskRow};
use crate::tasks::Reader;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, redirect};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

const CONNECT: Duration = Duration::from_secs(5);
const TIMEOUT: Duration = Duration::from_secs(15);

/// How often one notification is tried, and the pause after the first try; each is twice the last, up to the limit.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// What is to be posted where.
pub(super) struct Delivery {
    pub(super) store: Arc<dyn Store>,
    pub(super) owner: Owner,
    pub(super) task_id: Arc<str>,
    pub(super) config: PushConfig,
    /// The newest entry that is not posted.
    pub(super) after: Seq,
    pub(super) posted: Arc<Posted>,
}

/// Posts notifications. Its HTTP client is used for nothing else.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    client: Client,
    guard: Guard,
}

impl Sender {
    pub(super) fn new(guard: &Guard) -> Result<Self, Error> {
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .connect_timeout(CONNECT)
            .timeout(TIMEOUT)
            .dns_resolver(Arc::new(Resolver(guard.clone())))
            .build()
            .map_err(|error| Error::io("webhooks cannot be sent", std::io::Error::other(error)))?;
        Ok(Self { client, guard: guard.clone() })
    }

    /// Follows a task to its end and posts what happens to it.
    pub(super) fn follow(&self, delivery: Delivery) -> JoinHandle<()> {
        delivery.posted.set(Some(delivery.after));
        let sender = self.clone();
        tokio::spawn(async move { sender.run(delivery).await })
    }

    async fn run(&self, delivery: Delivery) {
        let Delivery { store, owner, task_id, config, after, posted } = delivery;
        let mut reader = Reader::new(Arc::clone(&store), Arc::clone(&task_id), after);
        let mut status = None;
        loop {
            let (notifications, over) = match reader.next().await {
                Ok(entries) => {
                    // It is asked for each time: a task keeps its context, and the reader needs no copy of it.
                    let Some(row) = row(&*store, &owner, &task_id).await else { return };
                    let over =
                        entries.iter().any(|entry| entry.body.entered().is_some_and(TaskState::is_terminal));
                    (form::notifications(&config.wire, &entries, &row.task, &mut status), over)
                }
                Err(StoreError::NotFound) => {
                    // The log no longer reaches back that far: the task as it stands says it all.
                    let Some(row) = row(&*store, &owner, &task_id).await else { return };
                    let over = row.task.status.state.is_terminal();
                    status = Some(row.task.status.clone());
                    reader = Reader::new(Arc::clone(&store), Arc::clone(&task_id), row.seq);
                    (vec![form::snapshot(&config.wire, row.seq, &row.task)], over)
                }
                Err(error) => {
                    store_failed(&task_id, &error).await;
                    continue;
                }
            };
            for notification in notifications {
                let notification = notification.written();
                let seq = notification.seq;
                if !self.deliver(&config.config, &task_id, notification).await {
                    return;
                }
                posted.set(Some(seq));
            }
            if over {
                posted.set(None);
                return;
            }
        }
    }

    /// Posts one notification until it is taken; `false` where it never was.
    async fn deliver(
        &self,
        config: &TaskPushNotificationConfig,
        task_id: &str,
        notification: Notification,
    ) -> bool {
        let id = config.id.as_deref().unwrap_or_default();
        let mut pause = PAUSE;
        for attempt in 1..=TRIES {
            let failure = match self.post(config, &format!("{id}:{}", notification.seq), &notification).await
            {
                Ok(()) => return true,
                Err(Failure::Refused(reason)) => {
                    tracing::warn!(task = task_id, config = id, reason, "a webhook is not called");
                    return false;
                }
                Err(Failure::Passing(reason)) => reason,
            };
            tracing::debug!(task = task_id, config = id, attempt, failure, "a notification was not taken");
            tokio::time::sleep(jittered(pause)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        tracing::warn!(task = task_id, config = id, tries = TRIES, "a webhook is given up: it takes nothing");
        false
    }

    async fn post(
        &self,
        config: &TaskPushNotificationConfig,
        id: &str,
        notification: &Notification,
    ) -> Result<(), Failure> {
        // Again, since literal addresses do not pass the resolver.
        let url = self.guard.check_url(&config.url).map_err(|reason| Failure::Refused(reason.to_string()))?;
        let mut request = self
            .client
            .post(url)
            .header(CONTENT_TYPE, notification.content_type)
            .header("a2a-version", notification.version)
            .header("a2a-notification-id", id)
            .body(notification.body.clone());
        if let Some(token) = &config.token {
            // Receivers look for the one or the other; the specification names none.
            request = request.header("x-a2a-notification-token", token.expose());
            request = request.header("a2a-notification-token", token.expose());
        }
        if let Some(authentication) = &config.authentication {
            let credentials =
                authentication.credentials.as_ref().map_or("", |credentials| credentials.expose());
            let value = format!("{} {credentials}", authentication.scheme);
            request = request.header(AUTHORIZATION, value.trim_end());
        }
        match request.send().await {
            Ok(answer) if answer.status().is_success() => Ok(()),
            Ok(answer) => Err(Failure::Passing(format!("it answered {}", answer.status()))),
            Err(error) => Err(Failure::Passing(error.without_url().to_string())),
        }
    }
}

/// The task as it stands, as soon as the store tells; `None` where it is gone.
async fn row(store: &dyn Store, owner: &Owner, task_id: &str) -> Option<TaskRow> {
    loop {
        match store.get(owner, task_id).await {
            Ok(row) => return row,
            Err(error) => store_failed(task_id, &error).await,
        }
    }
}

/// Nothing is to be lost only because the store fails for a while.
async fn store_failed(task_id: &str, error: &StoreError) {
    tracing::error!(task = task_id, %error, "notifications pause: the store failed");
    tokio::time::sleep(jittered(LONGEST_PAUSE)).await;
}

enum Failure {
    /// It may go well another time.
    Passing(String),
    /// The address must not be called.
    Refused(String),
}

/// Between half of it and all of it, so that many that failed together do not come back together.
fn jittered(pause: Duration) -> Duration {
    let mut random = [0; 2];
    // Without randomness the pause is whole, which is not wrong either.
    _ = getrandom::fill(&mut random);
    pause - pause.mul_f64(f64::from(u16::from_le_bytes(random)) / f64::from(u16::MAX) / 2.0)
}

/// Resolves a name to those of its addresses that may be called; the connection uses these and no others.
struct Resolver(Guard);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.0.clone();
        Box::pin(async move {
            let allowed = guard.resolve(name.as_str()).await?;
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::guard::WebhookPolicy;
    use super::super::names::Names;
    use super::*;
    use futures_util::FutureExt as _;
    use std::net::SocketAddr;
    use tokio::net::TcpListener;

    fn config(url: String) -> TaskPushNotificationConfig {
        TaskPushNotificationConfig { url, ..TaskPushNotificationConfig::default() }
    }

    fn empty() -> Notification {
        Notification { seq: 1, content_type: "application/json", version: "1.0", body: bytes::Bytes::new() }
    }

    /// Posts to a name that is public when it is checked, and then this machine; gives whether a connection came.
    async fn rebound(policy: WebhookPolicy) -> bool {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let local = listener.local_addr().unwrap();
        let url = format!("http://rebound.example:{}/", local.port());
        let public: SocketAddr = "8.8.8.8:80".parse().unwrap();
        let guard = Guard::new(policy).asking(Names::told([public, local]));
        assert_eq!(guard.check(&url).await, Ok(()));
        let sender = Sender::new(&guard).unwrap();
        let posting = tokio::spawn(async move { sender.post(&config(url), "1", &empty()).await.is_ok() });
        tokio::select! {
            connected = listener.accept() => connected.is_ok(),
            posted = posting => {
                assert!(!posted.unwrap());
                listener.accept().now_or_never().is_some()
            }
        }
    }

    #[tokio::test]
    async fn a_name_that_has_become_one_of_this_machine_is_not_called() {
        assert!(!rebound(WebhookPolicy::new().allow_http()).await);
        // What is allowed by its name is called wherever it is, so the test would see it.
        assert!(rebound(WebhookPolicy::new().allow_http().allow_host("rebound.example")).await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_receiver_that_never_answers_is_given_up_in_time() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let sender = Sender::new(&Guard::new(WebhookPolicy::new().allow_loopback())).unwrap();
        let begun = tokio::time::Instant::now();
        let posted = sender.post(&config(url), "1", &empty()).await;
        assert!(matches!(posted, Err(Failure::Passing(_))));
        assert!(begun.elapsed() >= TIMEOUT && begun.elapsed() < 2 * TIMEOUT, "{:?}", begun.elapsed());
    }
}
