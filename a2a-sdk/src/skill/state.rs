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
