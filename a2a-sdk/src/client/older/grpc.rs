//! gRPC, as the package `a2a.v1`.

use super::super::error::ClientError;
use super::super::grpc::{Event, Wire, failed, unreadable};
use super::super::http::Http;
use super::super::operation::Operation;
use super::super::source::{Opening, Source};
use super::operation::task_name;
use crate::compat::grpc as forms;
use crate::grpc::v03;
use crate::grpc::v03::a2a_service_client::A2aServiceClient;
use crate::protocol::{A2aError, StreamResponse};
use tonic::{Response, Status};
use url::Url;

/// What calls operations.
pub(super) type Stub = A2aServiceClient<Wire>;

/// What a call gives.
pub(super) type Called<T> = Result<T, Status>;

fn stub(http: &Http, base: &Url, operation: &'static str, limit: usize) -> Stub {
    let wire = Wire { http: http.clone(), base: base.clone(), operation, older: true };
    A2aServiceClient::new(wire).max_decoding_message_size(limit)
}

/// Reads an answer.
pub(super) fn read<P, T>(answer: Response<P>, read: impl FnOnce(P) -> Result<T, A2aError>) -> Called<T> {
    read(answer.into_inner()).map_err(unreadable)
}

/// Calls an operation that has one answer.
pub(super) async fn call<O: Operation>(
    http: &Http,
    base: &Url,
    request: O,
) -> Result<O::Answer, ClientError> {
    let limit = http.settings.max_answer;
    let called = super::Older::call(request, stub(http, base, O::NAME, limit)).await;
    called.map_err(|status| failed(&forms::named(status), limit))
}

/// Opens a stream.
pub(super) async fn open(http: &Http, base: &Url, opening: &Opening) -> Result<Source, ClientError> {
    let limit = http.settings.max_event;
    let mut stub = stub(http, base, opening.name(), limit);
    let opened = match opening {
        Opening::Send(request) => stub.send_streaming_message(forms::write_send(request)).await,
        Opening::Subscribe { request, .. } => {
            stub.task_subscription(v03::TaskSubscriptionRequest { name: task_name(&request.id) }).await
        }
    };
    let stream = opened.map_err(|status| failed(&forms::named(status), limit))?.into_inner();
    Ok(Source::GrpcOf03(Box::new(stream), limit))
}

impl Event for v03::StreamResponse {
    fn read(self) -> Result<StreamResponse, A2aError> {
        forms::read_event(self)
    }
}
