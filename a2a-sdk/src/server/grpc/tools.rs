//! What tools of gRPC ask beside the protocol: health checks and reflection.

use super::answer;
#[cfg(feature = "grpc-reflection")]
use crate::server::App;
use axum::Router;
use axum::routing::any;
#[cfg(feature = "grpc-reflection")]
use std::sync::Arc;

/// Health checks. They say that the agent serves as long as somebody answers them.
#[cfg(feature = "grpc-health")]
pub(in crate::server) fn health() -> Router {
    use super::Agent;
    use crate::grpc::v1::a2a_service_server::A2aServiceServer;
    use futures_util::FutureExt as _;

    let (reporter, service) = tonic_health::server::health_reporter();
    // Nobody else knows the reporter yet, so this does not wait.
    _ = reporter.set_serving::<A2aServiceServer<Agent>>().now_or_never();
    Router::new()
        .route("/grpc.health.v1.Health/{method}", any(move |request| answer(service.clone(), request)))
}

/// What the service looks like, for tools. Those of both generations ask.
#[cfg(feature = "grpc-reflection")]
#[cfg_attr(not(feature = "compat-0-3"), expect(unused_variables, reason = "there is one generation"))]
pub(super) fn reflection(app: &App) -> Router<Arc<App>> {
    let describe = || {
        let builder = tonic_reflection::server::Builder::configure();
        let builder = builder.register_encoded_file_descriptor_set(crate::grpc::DESCRIPTORS);
        #[cfg(feature = "compat-0-3")]
        if app.settings.legacy {
            return builder.register_encoded_file_descriptor_set(crate::grpc::DESCRIPTORS_03);
        }
        builder
    };
    let mut routes = Router::new();
    if let Ok(service) = describe().build_v1() {
        let path = "/grpc.reflection.v1.ServerReflection/{method}";
        routes = routes.route(path, any(move |request| answer(service.clone(), request)));
    }
    if let Ok(service) = describe().build_v1alpha() {
        let path = "/grpc.reflection.v1alpha.ServerReflection/{method}";
        routes = routes.route(path, any(move |request| answer(service.clone(), request)));
    }
    routes
}
