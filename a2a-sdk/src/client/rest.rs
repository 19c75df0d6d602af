//! The HTTP+JSON binding (spec 11), as a caller speaks it.

use super::error::ClientError;
use super::fault;
use super::http::{Http, Outbound, excerpt, media_type, read};
use super::operation::Operation;
use super::source::{Opening, Reading, Source};
use crate::protocol::{A2aError, StreamResponse, from_json};
use bytes::Bytes;
use http::{Method, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Response;
use serde::Serialize;
use serde_json::{Map, Value};
use url::Url;

const JSON: &str = "application/json, application/a2a+json";
pub(super) const EVENTS: &str = "text/event-stream";

/// All but the unreserved characters of RFC 3986, and the colon, which a segment may hold.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// How an operation is written.
#[derive(Debug)]
pub(super) struct Form<'a> {
    method: Method,
    /// The segments of the path, of which ids are not encoded yet.
    path: Vec<&'a str>,
    verb: &'static str,
    /// Members of the request that are in the path.
    without: &'static [&'static str],
}

impl<'a> Form<'a> {
    fn new<const N: usize>(method: Method, path: [&'a str; N]) -> Self {
        Self { method, path: path.into(), verb: "", without: &[] }
    }

    pub(super) fn get<const N: usize>(path: [&'a str; N]) -> Self {
        Self::new(Method::GET, path)
    }

    pub(super) fn post<const N: usize>(path: [&'a str; N]) -> Self {
        Self::new(Method::POST, path)
    }

    pub(super) fn delete<const N: usize>(path: [&'a str; N]) -> Self {
        Self::new(Method::DELETE, path)
    }

    pub(super) fn verb(mut self, verb: &'static str) -> Self {
        self.verb = verb;
        self
    }

    pub(super) fn without(mut self, members: &'static [&'static str]) -> Self {
        self.without = members;
        self
    }

    /// The request, with what is not in the path in the body of a POST and in the query of the others.
    pub(super) fn outbound(
        &self,
        operation: &'static str,
        base: &Url,
        tenant: Option<&str>,
        request: &impl Serialize,
    ) -> Result<Outbound, ClientError> {
        let unreadable = |error| ClientError::unusable(format!("the request is no JSON: {error}"));
        let mut members = match serde_json::to_value(request).map_err(unreadable)? {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        members.retain(|name, _| name != "tenant" && !self.without.contains(&name.as_str()));
        let mut outbound = Outbound::get(operation, self.url(base, tenant)?).accept(JSON);
        outbound.method = self.method.clone();
        if self.method == Method::POST {
            return Ok(outbound.json(serde_json::to_vec(&members).map_err(unreadable)?.into()));
        }
        if !members.is_empty() {
            let mut query = outbound.url.query_pairs_mut();
            for (name, value) in &members {
                match value {
                    Value::String(text) => query.append_pair(name, text),
                    other => query.append_pair(name, &other.to_string()),
                };
            }
        }
        Ok(outbound)
    }

    fn url(&self, base: &Url, tenant: Option<&str>) -> Result<Url, ClientError> {
        let mut path = base.path().trim_end_matches('/').to_owned();
        for segment in tenant.iter().chain(&self.path) {
            // The URL standard takes such a segment for a step upwards, however it is written.
            if matches!(*segment, "" | "." | "..") {
                return Err(ClientError::unusable(format!(
                    "`{segment}` cannot be sent as an id over HTTP+JSON"
                )));
            }
            path.push('/');
            path.extend(utf8_percent_encode(segment, ESCAPED));
        }
        path.push_str(self.verb);
        let mut url = base.clone();
        url.set_path(&path);
        Ok(url)
    }
}

/// Calls an operation that has one answer.
pub(super) async fn call<O: Operation>(
    http: &Http,
    base: &Url,
    mut request: O,
) -> Result<O::Answer, ClientError> {
    let tenant = request.tenant().take();
    let outbound = request.form().outbound(O::NAME, base, tenant.as_deref(), &request)?;
    answer::<O>(http, outbound, |body| from_json(body)).await
}

/// Sends a request and reads its answer.
pub(super) async fn answer<O: Operation>(
    http: &Http,
    outbound: Outbound,
    read_answer: impl FnOnce(&[u8]) -> Result<O::Answer, A2aError>,
) -> Result<O::Answer, ClientError> {
    let older = outbound.older;
    let response = http.send(outbound).await?;
    let (status, media_type) = (response.status(), media_type(response.headers()));
    let body = read(response, "the answer", http.settings.max_answer).await?;
    if !status.is_success() {
        return Err(fault_of(older)(status, &media_type, &body));
    }
    if body.trim_ascii().is_empty()
        && let Some(answer) = O::nothing()
    {
        return Ok(answer);
    }
    read_answer(&body).map_err(|error| unreadable(&error, &media_type, &body))
}

/// Opens a stream.
pub(super) async fn open(http: &Http, base: &Url, opening: &Opening) -> Result<Source, ClientError> {
    match opening {
        Opening::Send(request) => {
            let mut request = (**request).clone();
            let tenant = request.tenant.take();
            let form = Form::post(["message:stream"]);
            let outbound = form.outbound(opening.name(), base, tenant.as_deref(), &request)?;
            stream(http, http.send(outbound.accept(EVENTS)).await?, Reading::HttpJson).await
        }
        Opening::Subscribe { request, after } => {
            let form = Form::post(["tasks", &request.id]).verb(":subscribe").without(&["id"]);
            let tenant = request.tenant.as_deref();
            let outbound = form.outbound(opening.name(), base, tenant, request)?.after(after.as_deref());
            subscribe(http, outbound, Reading::HttpJson).await
        }
    }
}

/// Sends a request to follow a task, and follows it.
pub(super) async fn subscribe(
    http: &Http,
    outbound: Outbound,
    reading: Reading,
) -> Result<Source, ClientError> {
    let mut outbound = outbound.accept(EVENTS);
    match stream(http, http.send(outbound.clone()).await?, reading).await {
        // The text of the protocol says POST, its service definition GET: servers have either.
        Err(error) if error.kind().is_none() && matches!(error.status(), Some(404 | 405)) => {
            (outbound.method, outbound.body) = (Method::GET, None);
            stream(http, http.send(outbound).await?, reading).await
        }
        opened => opened,
    }
}

pub(super) async fn stream(http: &Http, response: Response, reading: Reading) -> Result<Source, ClientError> {
    let (status, media_type) = (response.status(), media_type(response.headers()));
    if status.is_success() && media_type == EVENTS {
        return Ok(Source::sse(response, http.settings.max_event, reading));
    }
    let body = read(response, "the answer", http.settings.max_answer).await?;
    if status.is_success() {
        return Ok(Source::single(reading.event(&body)?));
    }
    Err(fault_of(!matches!(reading, Reading::HttpJson))(status, &media_type, &body))
}

/// How the errors of a generation are read.
fn fault_of(older: bool) -> fn(StatusCode, &str, &[u8]) -> ClientError {
    if older { fault::older_http } else { fault::http }
}

/// Reads the data of an event: a stream response, or an error.
pub(super) fn event(
    data: &[u8],
    decode: impl FnOnce(&[u8]) -> Result<StreamResponse, A2aError>,
) -> Result<StreamResponse, ClientError> {
    match decode(data) {
        Ok(response) => Ok(response),
        Err(error) => Err(fault::body(data, None)
            .unwrap_or_else(|| ClientError::protocol(format!("an event cannot be read: {error}")))),
    }
}

fn unreadable(error: &A2aError, media_type: &str, body: &Bytes) -> ClientError {
    if matches!(media_type, "application/json" | "application/a2a+json" | "") {
        ClientError::protocol(format!("the answer cannot be read: {error}"))
    } else {
        let text = excerpt(media_type, body);
        ClientError::protocol(format!("expected JSON, found `{media_type}` {text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{CancelTaskRequest, GetTaskRequest, ListTasksRequest, TaskState};

    fn written(request: &impl Operation, base: &str, tenant: Option<&str>) -> String {
        let base = Url::parse(base).unwrap_or_else(|error| panic!("{error}"));
        let outbound = request.form().outbound("", &base, tenant, request);
        let outbound = outbound.unwrap_or_else(|error| panic!("{error}"));
        let body =
            outbound.body.map(|body| format!(" {}", String::from_utf8_lossy(&body))).unwrap_or_default();
        format!("{} {}{body}", outbound.method, outbound.url)
    }

    #[test]
    fn ids_are_encoded_and_the_rest_is_in_the_query_or_the_body() {
        let get = GetTaskRequest { history_length: Some(0), ..GetTaskRequest::from("a/b c:d\u{e9}") };
        assert_eq!(
            written(&get, "http://x.example/a2a/", None),
            "GET http://x.example/a2a/tasks/a%2Fb%20c:d%C3%A9?historyLength=0"
        );
        assert_eq!(
            written(&CancelTaskRequest::from("urn:1"), "http://x.example", Some("a b")),
            "POST http://x.example/a%20b/tasks/urn:1:cancel {}"
        );
        let list = ListTasksRequest {
            status: TaskState::Working,
            context_id: Some("a&b".to_owned()),
            include_artifacts: Some(true),
            ..ListTasksRequest::default()
        };
        assert_eq!(
            written(&list, "http://x.example", None),
            "GET http://x.example/tasks?contextId=a%26b&includeArtifacts=true&status=TASK_STATE_WORKING"
        );
        let send = crate::protocol::SendMessageRequest::from("Hi");
        assert!(
            written(&send, "http://x.example/", None).starts_with("POST http://x.example/message:send {")
        );
    }

    #[test]
    fn what_would_be_another_path_is_not_sent() {
        let base = Url::parse("http://x.example/a").unwrap_or_else(|error| panic!("{error}"));
        for id in ["", ".", ".."] {
            assert!(GetTaskRequest::from(id).form().url(&base, None).is_err(), "{id}");
        }
    }
}
