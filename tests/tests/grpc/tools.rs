//! Health checks and reflection, which are features of their own.

use crate::{channel, desk, serve};
use a2a_sdk::{BearerTokens, Principal};
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

#[tokio::test]
async fn health_is_told_to_everybody() {
    let server = serve(desk().layer(BearerTokens::new([("a-secret", Principal::new("ada"))]))).await;
    let mut client = HealthClient::new(channel(&server).await);
    for service in ["", "lf.a2a.v1.A2AService"] {
        let checked =
            client.check(HealthCheckRequest { service: service.into() }).await.unwrap().into_inner();
        assert_eq!(checked.status(), ServingStatus::Serving, "{service}");
    }
    let unknown = client.check(HealthCheckRequest { service: "other".into() }).await.unwrap_err();
    assert_eq!(unknown.code(), Code::NotFound);
}

#[tokio::test]
async fn reflection_lists_the_service_and_knows_its_messages() {
    let server = serve(desk()).await;
    let mut client = ServerReflectionClient::new(channel(&server).await);
    let ask = |request| ServerReflectionRequest { host: String::new(), message_request: Some(request) };
    let requests = [
        ask(MessageRequest::ListServices(String::new())),
        ask(MessageRequest::FileContainingSymbol("lf.a2a.v1.SendMessageRequest".into())),
    ];
    let mut answers = client.server_reflection_info(tokio_stream::iter(requests)).await.unwrap().into_inner();
    let Some(MessageResponse::ListServicesResponse(list)) =
        answers.message().await.unwrap().unwrap().message_response
    else {
        panic!()
    };
    assert!(list.service.iter().any(|service| service.name == "lf.a2a.v1.A2AService"));
    let answer = answers.message().await.unwrap().unwrap().message_response;
    assert!(matches!(answer, Some(MessageResponse::FileDescriptorResponse(_))), "{answer:?}");
}
