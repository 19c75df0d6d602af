//! Values that the agent holds and skills take.

use super::{FromRequest, Needs, Request, SkillError};
use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A value that the agent holds, taken by a skill.
///
/// Give it with `agent.state(value)`; a skill that takes `State<T>` gets a clone of it, so put what is large or shared
/// into an `Arc`. An agent without a value that one of its skills takes does not build.
///
/// ```
/// # use a2a_sdk::State;
/// #[derive(Clone)]
/// struct Rates {
///     night: u32,
/// }
///
/// /// Prices a stay.
/// #[a2a_sdk::skill]
/// async fn price(nights: String, State(rates): State<Rates>) -> Result<String, a2a_sdk::SkillError> {
///     let nights: u32 = nights.trim().parse()?;
///     Ok(format!("{} euros", nights * rates.night))
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct State<T>(pub T);

impl<T: Clone + Send + Sync + 'static> FromRequest for State<T> {
    fn needs(needs: &mut Needs) {
        needs.states.push((TypeId::of::<T>(), type_name::<T>()));
    }

    fn is_present(request: &Request) -> bool {
        request.state::<T>().is_some()
    }

    fn from_request(request: &Request) -> Result<Self, SkillError> {
        match request.state::<T>() {
            Some(value) => Ok(Self(value.clone())),
            None => Err(Missing(type_name::<T>()).into()),
        }
    }
}

/// A value that should be there and is not: the agent's fault, not the caller's.
#[derive(Debug, thiserror::Error)]
#[error("the agent holds no value of type `{0}`: give it with `.state(value)`")]
struct Missing(&'static str);

/// The values of an agent, by type.
#[derive(Clone, Default)]
pub(crate) struct States(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl States {
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(value));
    }

    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.0.contains_key(&id)
    }
}

impl fmt::Debug for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("States").field(&self.0.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Extension, Fault};
    use super::*;
    use crate::protocol::{Message, Metadata};

    #[test]
    fn a_state_is_found_by_its_type() {
        let mut request = Request::new("x");
        let mut states = States::default();
        states.insert(5_u8);
        request.states = Arc::new(states);
        assert_eq!(request.extract::<State<u8>>().expect("given").0, 5);
        assert!(request.extract::<Option<State<u16>>>().expect("optional").is_none());
        let missing = request.extract::<State<u16>>().expect_err("not given");
        assert!(matches!(missing.fault, Fault::Internal(_)));
    }

    #[test]
    fn an_extension_is_found_by_its_type() {
        let mut request = Request::new("x");
        let mut extensions = http::Extensions::new();
        extensions.insert("trace");
        request.extensions = Arc::new(extensions);
        assert_eq!(request.extract::<Extension<&str>>().expect("given").0, "trace");
        assert!(request.extract::<Option<Extension<u8>>>().expect("optional").is_none());
    }

    #[test]
    fn the_metadata_of_the_message_counts_more() {
        let mut request = Request::new(Message::user("x").with_metadata([("a", 1), ("b", 1)]));
        request.metadata = Arc::new(Metadata::from([("b", 2), ("c", 2)]));
        let metadata = request.extract::<Metadata>().expect("always there");
        assert_eq!(metadata, Metadata::from([("a", 1), ("b", 1), ("c", 2)]));
    }

    #[test]
    fn only_what_must_be_there_is_needed() {
        let mut needs = Needs::default();
        <State<u8> as FromRequest>::needs(&mut needs);
        <Option<State<u16>> as FromRequest>::needs(&mut needs);
        assert_eq!(needs.states, [(TypeId::of::<u8>(), "u8")]);
    }
}
