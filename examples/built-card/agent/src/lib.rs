//! An agent that carries its card, made when it was built: see `build.rs`.

pub use built_card_skills::app;

/// The card of the agent: for a registry, a static site, or an image.
pub const CARD: &str = include_str!(concat!(env!("OUT_DIR"), "/agent-card.json"));
