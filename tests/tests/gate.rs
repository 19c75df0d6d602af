//! What every call passes first, on every binding: version, extensions, tenants, callers, capabilities, media types.
#![allow(clippy::unwrap_used, reason = "tests")]

mod three;

use a2a_sdk::protocol::{AgentExtension, HttpAuthSecurityScheme, SecurityScheme};
use a2a_sdk::{Agent, BearerTokens, Context, FromRequest, Principal, Request, SkillError, WebhookPolicy};
use a2a_tests::http::{Server, request, serve};
use serde_json::{Value, json};
use three::{BINDINGS, Binding, METHODS, Refused, V1, call, message, params_of};

/// Says it back.
#[a2a_sdk::agent]
async fn echo(text: String) -> String {
    text
}

/// Asks.
#[a2a_sdk::skill]
async fn ask(ctx: Context) -> Result<String, SkillError> {
    Ok(ctx.ask("?").await?.text())
}

/// The extensions that a call uses.
struct Used(Vec<String>);

impl FromRequest for Used {
    fn from_request(request: &Request) -> Result<Self, SkillError> {
        Ok(Self(request.activated_extensions().to_vec()))
    }
}

/// Tells which extensions are in use.
#[a2a_sdk::skill]
async fn used(Used(used): Used) -> String {
    used.join(" ")
}

const ONE: &str = "urn:example:one";
const TWO: &str = "urn:example:two";

fn extension(uri: &str, required: bool) -> AgentExtension {
    AgentExtension { uri: uri.to_owned(), required, ..AgentExtension::default() }
}

fn pushing() -> Agent {
    echo::agent().push_notifications(WebhookPolicy::new())
}

fn tokens() -> BearerTokens {
    BearerTokens::new([("a", Principal::new("ada")), ("b", Principal::new("bob"))])
}

fn as_(token: &str) -> String {
    format!("{V1}Authorization: Bearer {token}\r\n")
}

fn to(skill: &str) -> Value {
    let mut message = message("hi");
    message["metadata"] = json!({ "skill": skill });
    json!({ "message": message })
}

async fn total(server: &Server, headers: &str) -> i64 {
    let list = call(server.address, Binding::JsonRpc, headers, "ListTasks", &json!({})).await.unwrap();
    list["totalSize"].as_i64().unwrap()
}

/// Each binding's own code of an error.
fn code(binding: Binding, codes: [i64; 3]) -> i64 {
    codes[BINDINGS.iter().position(|known| *known == binding).unwrap()]
}

async fn refused(server: &Server, binding: Binding, headers: &str, method: &str, params: &Value) -> Refused {
    let outcome = call(server.address, binding, headers, method, params).await;
    outcome.map_err(Box::new).expect_err(&format!("{binding:?} {method} {headers}")).as_ref().clone()
}

async fn assert_refused(
    server: &Server,
    headers: &str,
    (method, params): (&str, &Value),
    reason: &str,
    codes: [i64; 3],
) {
    for binding in BINDINGS {
        let refused = refused(server, binding, headers, method, params).await;
        let told = (&*refused.reason, refused.code);
        assert_eq!(told, (reason, code(binding, codes)), "{binding:?} {method} {headers}");
    }
}

#[tokio::test]
async fn every_operation_of_every_binding_checks_the_version() {
    let server = serve(pushing()).await;
    for version in
        ["", "A2A-Version:\r\n", "A2A-Version: 0.3\r\n", "A2A-Version: 99.0\r\n", "A2A-Version: 1\r\n"]
    {
        for method in METHODS {
            let params = params_of(method, "none");
            let codes = [-32009, 400, 9];
            assert_refused(&server, version, (method, &params), "VERSION_NOT_SUPPORTED", codes).await;
        }
    }
    assert_eq!(total(&server, V1).await, 0, "nothing ran");
}

#[tokio::test]
async fn the_patch_number_does_not_count_and_the_name_of_the_header_is_read_in_any_case() {
    let server = serve(pushing()).await;
    for version in [V1, "a2a-version: 1.0\r\n", "A2A-VERSION: 1.0.7\r\n", "A2A-Version:  1.0 \r\n"] {
        for method in METHODS {
            for binding in BINDINGS {
                let params = params_of(method, "none");
                if let Err(refused) = call(server.address, binding, version, method, &params).await {
                    assert_ne!(refused.reason, "VERSION_NOT_SUPPORTED", "{binding:?} {method} {version}");
                }
            }
        }
    }
}

#[tokio::test]
async fn the_version_may_stand_in_the_query_and_the_header_counts_more() {
    let server = serve(pushing()).await;
    let envelope = r#"{"jsonrpc":"2.0","id":1,"method":"ListTasks"}"#;
    for (query, headers, served) in [
        ("A2A-Version=1.0", "", true),
        ("a2a-version=1.0", "", true),
        ("x=y&A2A-Version=1.0.2", "", true),
        ("A2A-Version=1%2E0", "", true),
        ("A2A%2DVersion=%31.0", "", true),
        ("A2A-Version=2%2E0", "", false),
        ("A2A-Version=", "", false),
        ("A2A-Version=0.3", "", false),
        ("A2A-Version=2.0", "", false),
        ("A2A-Version=2.0", V1, true),
        ("A2A-Version=1.0", "A2A-Version: 2.0\r\n", false),
    ] {
        let path = format!("/?{query}");
        let answer = request(server.address, "POST", &path, headers, envelope.as_bytes()).await.json().await;
        assert_eq!(answer.get("result").is_some(), served, "{query} {headers} {answer}");
        for (method, path) in [("GET", "/tasks"), ("POST", "/tasks/none:cancel"), ("GET", "/tasks/none")] {
            let response = request(server.address, method, &format!("{path}?{query}"), headers, b"").await;
            let reason = response.json().await["error"]["details"][0]["reason"].clone();
            assert_eq!(reason != "VERSION_NOT_SUPPORTED", served, "{path} {query} {headers} {reason}");
        }
    }
}

#[tokio::test]
async fn a_call_that_names_two_versions_is_told_so() {
    let server = serve(pushing()).await;
    for (headers, told) in [
        ("A2A-Version: 1.0\r\nA2A-Version: 0.3\r\n", "`1.0` and `0.3`"),
        ("A2A-Version: 0.3\r\nA2A-Version: 1.0\r\n", "`0.3` and `1.0`"),
        ("A2A-Version: 1.0, 2.0\r\n", "`1.0` and `2.0`"),
    ] {
        for method in METHODS {
            let params = params_of(method, "none");
            let codes = [-32009, 400, 9];
            assert_refused(&server, headers, (method, &params), "VERSION_NOT_SUPPORTED", codes).await;
        }
        for binding in BINDINGS {
            let refused = refused(&server, binding, headers, "ListTasks", &json!({})).await;
            assert!(refused.message.contains(told), "{binding:?} {}", refused.message);
        }
    }
    for headers in ["A2A-Version: 1.0\r\nA2A-Version: 1.0\r\n", "A2A-Version: 1.0,1.0\r\n"] {
        assert_eq!(total(&server, headers).await, 0, "it is one version, said twice");
    }
}

#[tokio::test]
async fn a_refused_version_tells_what_is_spoken() {
    let server = serve(pushing()).await;
    let response = request(server.address, "GET", "/tasks", "A2A-Version: 99.0\r\n", b"").await;
    let info = response.json().await["error"]["details"][0].clone();
    assert_eq!(info["metadata"], json!({ "requestedVersion": "99.0", "supportedVersions": "1.0, 0.3" }));
    for binding in BINDINGS {
        let refused = refused(&server, binding, "", "ListTasks", &json!({})).await;
        assert!(refused.message.contains("A2A-Version: 1.0"), "{binding:?} {}", refused.message);
    }
}

#[tokio::test]
async fn the_card_is_read_without_a_version() {
    let server = serve(pushing()).await;
    for headers in ["", "A2A-Version: 99.0\r\n", "A2A-Version: 0.3\r\n"] {
        assert_eq!(server.get("/.well-known/agent-card.json", headers).await.status, 200);
    }
}

#[tokio::test]
async fn extensions_that_both_sides_know_are_used_and_echoed() {
    let agent = || echo::agent().extension(extension(ONE, false)).extension(extension(TWO, false));
    let server = serve(agent()).await;
    let both = format!("{ONE}, {TWO}");
    for (headers, used) in [
        (String::new(), ""),
        (format!("A2A-Extensions: {ONE}\r\n"), ONE),
        (format!("a2a-extensions: {ONE},{TWO}\r\n"), &*both),
        (format!("A2A-Extensions:  {TWO} ,, {ONE} ,\r\n"), &*both),
        (format!("A2A-Extensions: {TWO}\r\nA2A-Extensions: {ONE}\r\n"), &*both),
        (format!("A2A-Extensions: {TWO}, urn:example:unknown\r\n"), TWO),
        ("A2A-Extensions: urn:example:unknown\r\n".to_owned(), ""),
        (format!("A2A-Extensions: {ONE}x, {}\r\n", ONE.to_uppercase()), ""),
    ] {
        let headers = format!("{V1}{headers}");
        let told = used.replace(',', "");
        for binding in BINDINGS {
            let answer = call(server.address, binding, &headers, "SendMessage", &to("used")).await.unwrap();
            let text = answer["task"]["artifacts"][0]["parts"][0]["text"].as_str().unwrap_or_default();
            assert_eq!(text, told, "{binding:?} {headers}");
        }
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": to("used") });
        for (method, path, body) in [
            ("POST", "/", body.to_string()),
            ("POST", "/message:send", to("used").to_string()),
            ("POST", "/message:stream", to("used").to_string()),
            ("GET", "/tasks", String::new()),
            ("GET", "/tasks/none", String::new()),
        ] {
            let response = request(server.address, method, path, &headers, body.as_bytes()).await;
            assert_eq!(response.header("a2a-extensions"), used, "{path} {headers}");
        }
    }
}

#[tokio::test]
async fn grpc_echoes_the_extensions_in_its_metadata() {
    use a2a_sdk::grpc::v1;
    let server = serve(echo::agent().extension(extension(ONE, false))).await;
    let channel = three::channel(server.address).await;
    let mut client = v1::a2a_service_client::A2aServiceClient::new(channel);
    let mut request = tonic::Request::new(v1::ListTasksRequest::default());
    request.metadata_mut().insert("a2a-version", "1.0".parse().unwrap());
    request.metadata_mut().insert("a2a-extensions", ONE.parse().unwrap());
    let answer = client.list_tasks(request).await.unwrap();
    assert_eq!(answer.metadata().get("a2a-extensions").unwrap(), ONE);
}

#[tokio::test]
async fn a_required_extension_is_enforced_before_anything_runs() {
    let agent = pushing().extension(extension(ONE, false)).extension(extension(TWO, true));
    let server = serve(agent).await;
    for method in METHODS {
        for named in ["", "A2A-Extensions: urn:example:one\r\n", "A2A-Extensions: urn:example:unknown\r\n"] {
            let headers = format!("{V1}{named}");
            let params = params_of(method, "none");
            let codes = [-32008, 400, 9];
            assert_refused(&server, &headers, (method, &params), "EXTENSION_SUPPORT_REQUIRED", codes).await;
        }
    }
    let named = format!("{V1}A2A-Extensions: {TWO}\r\n");
    assert_eq!(total(&server, &named).await, 0, "nothing ran");
    for binding in BINDINGS {
        let params = json!({ "message": message("hi") });
        assert!(call(server.address, binding, &named, "SendMessage", &params).await.is_ok());
    }
    let card = server.get("/.well-known/agent-card.json", "").await.json().await;
    let declared = card["capabilities"]["extensions"].as_array().unwrap().clone();
    let required = declared.iter().find(|extension| extension["uri"] == TWO).unwrap();
    assert_eq!(required["required"], true);
}

/// The outcomes of every operation on that task, its id left out.
async fn outcomes(
    server: &Server,
    binding: Binding,
    headers: &str,
    task: &str,
    tenant: &str,
) -> Vec<Refused> {
    let mut all = Vec::new();
    let more = {
        let mut message = message("more");
        message["taskId"] = json!(task);
        json!({ "message": message })
    };
    for method in METHODS {
        let mut params = match method {
            "SendMessage" | "SendStreamingMessage" => more.clone(),
            "ListTasks" | "GetExtendedAgentCard" => continue,
            method => params_of(method, task),
        };
        if !tenant.is_empty() {
            params["tenant"] = json!(tenant);
        }
        let mut refused = refused(server, binding, headers, method, &params).await;
        refused.message = refused.message.replace(task, "ID");
        all.push(refused);
    }
    all
}

#[tokio::test]
async fn a_foreign_task_is_exactly_like_a_missing_one_on_every_operation_of_every_binding() {
    let server = serve(pushing().layer(tokens())).await;
    for skill in ["ask", "echo"] {
        let sent =
            call(server.address, Binding::JsonRpc, &as_("a"), "SendMessage", &to(skill)).await.unwrap();
        let id = sent["task"]["id"].as_str().unwrap();
        let config = json!({ "taskId": id, "id": "c", "url": "https://8.8.8.8:9/" });
        let create = "CreateTaskPushNotificationConfig";
        call(server.address, Binding::JsonRpc, &as_("a"), create, &config).await.unwrap();
        let get = json!({ "id": id });
        let before = call(server.address, Binding::JsonRpc, &as_("a"), "GetTask", &get).await;
        for binding in BINDINGS {
            let foreign = outcomes(&server, binding, &as_("b"), id, "").await;
            assert_eq!(
                foreign,
                outcomes(&server, binding, &as_("b"), "none", "").await,
                "{binding:?} {skill}"
            );
            assert!(foreign.iter().all(|refused| refused.reason == "TASK_NOT_FOUND"), "{foreign:?}");
        }
        assert_eq!(call(server.address, Binding::JsonRpc, &as_("a"), "GetTask", &get).await, before);
        let config = json!({ "taskId": id, "id": "c" });
        let get = "GetTaskPushNotificationConfig";
        assert!(call(server.address, Binding::Rest, &as_("a"), get, &config).await.is_ok());
    }
    assert_eq!((total(&server, &as_("a")).await, total(&server, &as_("b")).await), (2, 0));
}

#[tokio::test]
async fn tenants_own_their_tasks_though_the_caller_is_the_same() {
    let server = serve(pushing().layer(tokens())).await;
    for binding in BINDINGS {
        let mut request = to("ask");
        request["tenant"] = json!("north");
        let sent = call(server.address, binding, &as_("a"), "SendMessage", &request).await.unwrap();
        let id = sent["task"]["id"].as_str().unwrap();
        for other in ["", "south"] {
            let foreign = outcomes(&server, binding, &as_("a"), id, other).await;
            assert_eq!(foreign, outcomes(&server, binding, &as_("a"), "none", other).await, "{binding:?}");
            let list = json!({ "tenant": other });
            let list = call(server.address, binding, &as_("a"), "ListTasks", &list).await.unwrap();
            assert!(list["tasks"].as_array().is_none_or(Vec::is_empty), "{binding:?} {other}");
        }
        // What one binding makes, the others find.
        for binding in BINDINGS {
            let get = json!({ "id": id, "tenant": "north" });
            assert!(call(server.address, binding, &as_("a"), "GetTask", &get).await.is_ok(), "{binding:?}");
        }
    }
}

#[tokio::test]
async fn a_caller_whom_nobody_knows_is_refused_everywhere_but_at_the_card() {
    let server = serve(pushing().layer(tokens())).await;
    for credentials in [
        "",
        "Authorization: Bearer wrong\r\n",
        "Authorization: Bearer\r\n",
        "Authorization: Basic a\r\n",
        "Authorization: a\r\n",
    ] {
        let headers = format!("{V1}{credentials}");
        for method in METHODS {
            for binding in BINDINGS {
                let refused = refused(&server, binding, &headers, method, &params_of(method, "none")).await;
                assert_eq!(refused.code, code(binding, [401, 401, 16]), "{binding:?} {method} {credentials}");
            }
        }
        for path in ["/no-such", "/north/tasks", "/extendedAgentCard", "/tasks"] {
            let response = server.get(path, &headers).await;
            assert_eq!((response.status, response.header("www-authenticate")), (401, "Bearer"), "{path}");
        }
        assert_eq!(server.get("/.well-known/agent-card.json", credentials).await.status, 200);
    }
    assert_eq!((total(&server, &as_("a")).await, total(&server, &as_("b")).await), (0, 0));
}

#[tokio::test]
async fn security_that_nothing_enforces_is_not_built() {
    let scheme = || {
        let scheme = HttpAuthSecurityScheme { scheme: "Bearer".to_owned(), ..Default::default() };
        SecurityScheme::HttpAuth(scheme)
    };
    let error = echo::agent().security("bearer", scheme()).build().unwrap_err();
    let error = format!("{error:?}");
    assert!(error.contains("declares security, and nothing checks its callers"), "{error}");
    assert!(error.contains(".layer(BearerTokens::new(..))"), "{error}");
    let card = echo::agent().security("bearer", scheme()).layer(tokens()).build().unwrap().card();
    assert!(card.security_schemes.contains_key("bearer") && card.security_requirements.len() == 1);
}

#[tokio::test]
async fn an_extended_card_is_for_callers_who_are_known_and_have_one() {
    let get = ("GetExtendedAgentCard", &json!({}));
    let server = serve(pushing()).await;
    assert_refused(&server, V1, get, "UNSUPPORTED_OPERATION", [-32004, 400, 9]).await;

    let agent = || {
        pushing().extended_card(|who, mut card| {
            card.name = format!("{} for {}", card.name, who.id()?);
            (who.id() != Some("bob")).then_some(card)
        })
    };
    let server = serve(agent()).await;
    assert_refused(&server, V1, get, "UNAUTHENTICATED", [401, 401, 16]).await;
    let declared = server.get("/.well-known/agent-card.json", "").await.json().await;
    assert_eq!(declared["capabilities"]["extendedAgentCard"], true);

    let server = serve(agent().layer(tokens())).await;
    assert_refused(&server, &as_("b"), get, "PERMISSION_DENIED", [403, 403, 7]).await;
    for binding in BINDINGS {
        let card = call(server.address, binding, &as_("a"), get.0, get.1).await.unwrap();
        assert_eq!(card["name"], "Echo for ada", "{binding:?}");
        assert_eq!(card["supportedInterfaces"].as_array().unwrap().len(), 6);
    }
}

#[tokio::test]
async fn an_agent_that_does_not_stream_says_so_in_its_card_and_on_every_binding() {
    let server = serve(pushing().streaming(false)).await;
    let card = server.get("/.well-known/agent-card.json", "").await.json().await;
    assert_eq!(card["capabilities"]["streaming"], false);
    let sent = call(server.address, Binding::Rest, V1, "SendMessage", &to("ask")).await.unwrap();
    let subscribe = json!({ "id": sent["task"]["id"] });
    for call in [("SendStreamingMessage", &to("echo")), ("SubscribeToTask", &subscribe)] {
        assert_refused(&server, V1, call, "UNSUPPORTED_OPERATION", [-32004, 400, 9]).await;
    }
    assert_eq!(total(&server, V1).await, 1);
}

#[tokio::test]
async fn an_agent_that_does_not_push_says_so_in_its_card_and_on_every_binding() {
    let server = serve(echo::agent()).await;
    let card = server.get("/.well-known/agent-card.json", "").await.json().await;
    assert_eq!(card["capabilities"]["pushNotifications"], false);
    let sent = call(server.address, Binding::Rest, V1, "SendMessage", &to("ask")).await.unwrap();
    let id = sent["task"]["id"].as_str().unwrap();
    let (reason, codes) = ("PUSH_NOTIFICATION_NOT_SUPPORTED", [-32003, 400, 9]);
    for method in METHODS.into_iter().filter(|method| method.contains("PushNotification")) {
        assert_refused(&server, V1, (method, &params_of(method, id)), reason, codes).await;
    }
    let mut inline = to("echo");
    inline["configuration"]["taskPushNotificationConfig"]["url"] = json!("https://8.8.8.8:9/");
    for method in ["SendMessage", "SendStreamingMessage"] {
        assert_refused(&server, V1, (method, &inline), reason, codes).await;
    }
    assert_eq!(total(&server, V1).await, 1);
}

fn with_media_type(skill: &str, media_type: &str) -> Value {
    let mut request = to(skill);
    request["message"]["parts"][0]["mediaType"] = json!(media_type);
    request
}

#[tokio::test]
async fn a_media_type_that_a_skill_does_not_read_is_refused() {
    let server = serve(pushing()).await;
    let (reason, codes) = ("CONTENT_TYPE_NOT_SUPPORTED", [-32005, 400, 3]);
    for method in ["SendMessage", "SendStreamingMessage"] {
        for media_type in ["image/png", "application/x-unknown", "application/pdf"] {
            let params = with_media_type("echo", media_type);
            assert_refused(&server, V1, (method, &params), reason, codes).await;
        }
    }
    assert_eq!(total(&server, V1).await, 0);
    for binding in BINDINGS {
        for media_type in ["", "text/plain", "TEXT/plain; charset=utf-8"] {
            let params = with_media_type("echo", media_type);
            let answer = call(server.address, binding, V1, "SendMessage", &params).await;
            assert!(answer.is_ok(), "{binding:?} {media_type}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn a_media_type_is_checked_in_a_later_message_of_a_task_too() {
    let server = serve(pushing()).await;
    let sent = call(server.address, Binding::Rest, V1, "SendMessage", &to("echo")).await.unwrap();
    assert_eq!(sent["task"]["status"]["state"], "TASK_STATE_COMPLETED");
    let asked = call(server.address, Binding::Rest, V1, "SendMessage", &to("reads")).await.unwrap();
    let mut more = with_media_type("reads", "image/png");
    more["message"]["taskId"] = asked["task"]["id"].clone();
    let (reason, codes) = ("CONTENT_TYPE_NOT_SUPPORTED", [-32005, 400, 3]);
    assert_refused(&server, V1, ("SendMessage", &more), reason, codes).await;
    let get = json!({ "id": asked["task"]["id"] });
    let task = call(server.address, Binding::Rest, V1, "GetTask", &get).await.unwrap();
    assert_eq!(task, asked["task"], "nothing has changed");
}

/// Asks for more text.
#[a2a_sdk::skill]
async fn reads(text: String, ctx: Context) -> Result<String, SkillError> {
    Ok(text + &ctx.ask("?").await?.text())
}

#[tokio::test]
async fn media_types_are_not_checked_where_the_switch_is_off() {
    let server = serve(pushing().check_input_modes(false)).await;
    for binding in BINDINGS {
        let params = with_media_type("echo", "image/png");
        assert!(call(server.address, binding, V1, "SendMessage", &params).await.is_ok(), "{binding:?}");
    }
}

#[tokio::test]
async fn no_header_and_no_metadata_makes_a_caller_another() {
    let server = serve(echo::agent().layer(tokens())).await;
    let posing = "X-User: bob\r\nX-Forwarded-User: bob\r\nX-Principal: bob\r\n";
    let mut body = json!({ "message": message("hi"), "metadata": { "principal": "bob" } });
    body["message"]["metadata"] = json!({ "principal": "bob", "skill": "echo" });
    let body = body.to_string();
    let headers = format!("Content-Type: application/json\r\n{posing}");
    let as_ada = format!("{headers}{}", as_("a"));
    assert_eq!(request(server.address, "POST", "/message:send", &as_ada, body.as_bytes()).await.status, 200);
    for (token, count) in [("a", 1), ("b", 0)] {
        let list = server.get("/tasks", &as_(token)).await.json().await;
        assert_eq!(list["totalSize"], count, "{token}");
    }
    let as_nobody = format!("{headers}{V1}");
    assert_eq!(
        request(server.address, "POST", "/message:send", &as_nobody, body.as_bytes()).await.status,
        401
    );
}
