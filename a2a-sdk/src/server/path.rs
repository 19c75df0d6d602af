//! The paths of the HTTP+JSON binding (spec 11.3), read by hand: a router cannot split `{id}:cancel`.

use http::Method;
use percent_encoding::percent_decode_str;

/// Where a request goes.
#[derive(Debug, PartialEq)]
pub(super) struct Route {
    /// The tenant that the path begins with.
    pub(super) tenant: Option<String>,
    pub(super) target: Target,
}

/// The operation that a path stands for, with what the path says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    SendMessage,
    SendStreamingMessage,
    ListTasks,
    GetTask(String),
    CancelTask(String),
    SubscribeToTask(String),
    CreatePushConfig(String),
    ListPushConfigs(String),
    GetPushConfig(String, String),
    DeletePushConfig(String, String),
    ExtendedCard,
}

/// Why a request goes nowhere.
#[derive(Debug, PartialEq)]
pub(super) enum Miss {
    /// There is no such path.
    NotFound,
    /// The path takes other methods: these.
    NotAllowed(&'static str),
}

/// Words that a path begins with, and that no tenant is called by.
pub(crate) const RESERVED: [&str; 6] =
    ["v1", "tasks", ".well-known", "extendedAgentCard", "message:send", "message:stream"];

/// Reads a path. Each segment is decoded once; ids are opaque.
pub(super) fn route(method: &Method, path: &str) -> Result<Route, Miss> {
    let segments: Option<Vec<String>> = path
        .strip_prefix('/')
        .unwrap_or(path)
        .split('/')
        .map(|segment| percent_decode_str(segment).decode_utf8().ok().map(|text| text.into_owned()))
        .collect();
    let segments = segments.ok_or(Miss::NotFound)?;
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    if segments.iter().any(|segment| segment.is_empty()) {
        return Err(Miss::NotFound);
    }
    match segments.as_slice() {
        [first, rest @ ..] if !RESERVED.contains(first) && !rest.is_empty() => {
            Ok(Route { tenant: Some((*first).to_owned()), target: target(method, rest)? })
        }
        all => Ok(Route { tenant: None, target: target(method, all)? }),
    }
}

/// Reads a path of 0.3, behind its `/v1`: the same, but that there is no list of tasks, and the card is elsewhere.
#[cfg(feature = "compat-0-3")]
pub(super) fn older_target(method: &Method, path: &str) -> Result<Target, Miss> {
    if path == "/card" {
        return if method == Method::GET { Ok(Target::ExtendedCard) } else { Err(Miss::NotAllowed("GET")) };
    }
    match route(method, path)? {
        Route { tenant: None, target } if !matches!(target, Target::ListTasks | Target::ExtendedCard) => {
            Ok(target)
        }
        Route { .. } => Err(Miss::NotFound),
    }
}

fn target(method: &Method, segments: &[&str]) -> Result<Target, Miss> {
    let owned = |text: &str| text.to_owned();
    let (get, post, delete) = (method == Method::GET, method == Method::POST, method == Method::DELETE);
    let found = |allowed: bool, methods: &'static str, target: Target| {
        if allowed { Ok(target) } else { Err(Miss::NotAllowed(methods)) }
    };
    match segments {
        ["message:send"] => found(post, "POST", Target::SendMessage),
        ["message:stream"] => found(post, "POST", Target::SendStreamingMessage),
        ["extendedAgentCard"] => found(get, "GET", Target::ExtendedCard),
        ["tasks"] => found(get, "GET", Target::ListTasks),
        ["tasks", id] => match id.rsplit_once(':') {
            // The verbs are known; any other colon is part of the id.
            Some((id, "cancel")) if !id.is_empty() => found(post, "POST", Target::CancelTask(owned(id))),
            // spec 5.3 says POST, the service definition GET.
            Some((id, "subscribe")) if !id.is_empty() => {
                found(get || post, "GET, POST", Target::SubscribeToTask(owned(id)))
            }
            _ => found(get, "GET", Target::GetTask(owned(id))),
        },
        ["tasks", id, "pushNotificationConfigs"] if get => Ok(Target::ListPushConfigs(owned(id))),
        ["tasks", id, "pushNotificationConfigs"] => {
            found(post, "GET, POST", Target::CreatePushConfig(owned(id)))
        }
        ["tasks", id, "pushNotificationConfigs", config] if get => {
            Ok(Target::GetPushConfig(owned(id), owned(config)))
        }
        ["tasks", id, "pushNotificationConfigs", config] => {
            found(delete, "DELETE, GET", Target::DeletePushConfig(owned(id), owned(config)))
        }
        _ => Err(Miss::NotFound),
    }
}

/// The parameters of a query, as the JSON of a request: texts, and booleans under these names.
///
/// The protocol's decoder reads numbers, enums and times out of texts (spec 11.5).
pub(super) fn query_json(query: Option<&str>, booleans: &[&str], fixed: &[(&str, &str)]) -> Vec<u8> {
    let mut json = String::from("{");
    let mut add = |name: &str, value: &str| {
        if json.len() > 1 {
            json.push(',');
        }
        // A text is always JSON.
        json.push_str(&serde_json::to_string(name).unwrap_or_default());
        json.push(':');
        match value {
            "true" | "false" if booleans.contains(&name) => json.push_str(value),
            // An enum may be its number, here as in a body.
            _ if name == "status" && !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                json.push_str(value.trim_start_matches('0'));
                if value.bytes().all(|byte| byte == b'0') {
                    json.push('0');
                }
            }
            _ => json.push_str(&serde_json::to_string(value).unwrap_or_default()),
        }
    };
    for (name, value) in fixed {
        add(name, value);
    }
    for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let [name, value] = [name, value]
            .map(|text| percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned());
        // In either spelling.
        if !fixed.iter().any(|(fixed, _)| fixed.eq_ignore_ascii_case(&name.replace('_', ""))) {
            add(&name, &value);
        }
    }
    json.push('}');
    json.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(method: &Method, path: &str) -> Result<(Option<String>, Target), Miss> {
        route(method, path).map(|route| (route.tenant, route.target))
    }

    #[test]
    fn every_operation_has_its_path_with_and_without_a_tenant() {
        let (id, config) = (|| "t1".to_owned(), || "c1".to_owned());
        let table = [
            (Method::POST, "/message:send", Target::SendMessage),
            (Method::POST, "/message:stream", Target::SendStreamingMessage),
            (Method::GET, "/tasks", Target::ListTasks),
            (Method::GET, "/tasks/t1", Target::GetTask(id())),
            (Method::POST, "/tasks/t1:cancel", Target::CancelTask(id())),
            (Method::POST, "/tasks/t1:subscribe", Target::SubscribeToTask(id())),
            (Method::GET, "/tasks/t1:subscribe", Target::SubscribeToTask(id())),
            (Method::POST, "/tasks/t1/pushNotificationConfigs", Target::CreatePushConfig(id())),
            (Method::GET, "/tasks/t1/pushNotificationConfigs", Target::ListPushConfigs(id())),
            (Method::GET, "/tasks/t1/pushNotificationConfigs/c1", Target::GetPushConfig(id(), config())),
            (
                Method::DELETE,
                "/tasks/t1/pushNotificationConfigs/c1",
                Target::DeletePushConfig(id(), config()),
            ),
            (Method::GET, "/extendedAgentCard", Target::ExtendedCard),
        ];
        for (method, path, target) in table {
            assert_eq!(at(&method, path), Ok((None, target.clone())), "{path}");
            let tenant = Some("acme".to_owned());
            assert_eq!(at(&method, &format!("/acme{path}")), Ok((tenant, target)), "{path}");
        }
    }

    #[test]
    fn ids_are_opaque_and_decoded_once() {
        for (path, id) in [
            ("/tasks/urn:uuid:1", "urn:uuid:1"),
            ("/tasks/a%2Fb", "a/b"),
            ("/tasks/%252e%252e", "%2e%2e"),
            ("/tasks/x:unknown", "x:unknown"),
            ("/tasks/:cancel", ":cancel"),
        ] {
            assert_eq!(at(&Method::GET, path), Ok((None, Target::GetTask(id.to_owned()))), "{path}");
        }
        let cancel = Target::CancelTask("urn:uuid:1".to_owned());
        assert_eq!(at(&Method::POST, "/tasks/urn:uuid:1:cancel"), Ok((None, cancel)));
    }

    #[test]
    fn what_is_no_path_is_not_found_and_what_is_no_method_of_it_is_not_allowed() {
        for path in
            ["/", "", "/x", "/a/b/tasks", "/tasks/", "/tasks//x", "/v1/message:send", "/tasks/%ff", "/acme"]
        {
            assert_eq!(at(&Method::GET, path), Err(Miss::NotFound), "{path}");
        }
        assert_eq!(at(&Method::GET, "/message:send"), Err(Miss::NotAllowed("POST")));
        assert_eq!(at(&Method::PUT, "/tasks/x:subscribe"), Err(Miss::NotAllowed("GET, POST")));
        assert_eq!(at(&Method::POST, "/tasks/x"), Err(Miss::NotAllowed("GET")));
    }

    #[test]
    fn a_query_becomes_a_request() {
        let text = |query| {
            String::from_utf8(query_json(Some(query), &["includeArtifacts"], &[])).unwrap_or_default()
        };
        assert_eq!(text("pageSize=5&includeArtifacts=true"), r#"{"pageSize":"5","includeArtifacts":true}"#);
        assert_eq!(text("contextId=a+b%26c&x"), r#"{"contextId":"a b&c","x":""}"#);
        assert_eq!(text("status=03"), r#"{"status":3}"#);
        assert_eq!(text("status=0"), r#"{"status":0}"#);
        assert_eq!(text("status=TASK_STATE_WORKING"), r#"{"status":"TASK_STATE_WORKING"}"#);
        let fixed = query_json(Some("id=other"), &[], &[("id", "t1")]);
        assert_eq!(String::from_utf8(fixed).unwrap_or_default(), r#"{"id":"t1"}"#);
    }
}
