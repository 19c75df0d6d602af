//! Values that travel with one HTTP request.

use super::{FromRequest, Needs, Request, SkillError};
use std::any::type_name;

/// A value that a tower layer put into the HTTP request, taken by a skill.
///
/// A request that came without one, through a binding or a call in process that has no such layer, is an internal
/// error; take `Option<Extension<T>>` where it may be missing. What travels with a request is gone after a restart,
/// so such a skill cannot be replayed.
///
/// ```
/// # use a2a_sdk::Extension;
/// #[derive(Clone)]
/// struct TraceId(String);
///
/// /// Tells the id of the trace.
/// #[a2a_sdk::skill]
/// async fn trace(Extension(TraceId(id)): Extension<TraceId>) -> String {
///     id
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Extension<T>(pub T);

impl<T: Clone + Send + Sync + 'static> FromRequest for Extension<T> {
    fn needs(needs: &mut Needs) {
        needs.extensions.push(type_name::<T>());
    }

    fn is_present(request: &Request) -> bool {
        request.extension::<T>().is_some()
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        match request.extension::<T>() {
            Some(value) => Ok(Self(value.clone())),
            None => Err(Missing(type_name::<T>()).into()),
        }
    }
}

/// A value that should be there and is not: the host's fault, not the caller's.
#[derive(Debug, thiserror::Error)]
#[error("no layer put a `{0}` into the request")]
struct Missing(&'static str);
