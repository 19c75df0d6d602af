//! What a check found.

use crate::Binding;
use crate::card::visible;
use std::fmt;

/// What a check found. `Display` shows all of it, a line each.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// What the agent breaks, in the order it was looked at.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether nothing was found.
    pub fn is_ok(&self) -> bool {
        self.findings.is_empty()
    }

    /// Passes where nothing was found.
    ///
    /// # Panics
    /// With all that was found.
    #[track_caller]
    pub fn assert_ok(&self) {
        assert!(self.is_ok(), "the agent breaks the protocol\n{self}");
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, finding) in self.findings.iter().enumerate() {
            if n > 0 {
                f.write_str("\n")?;
            }
            write!(f, "  - {finding}")?;
        }
        Ok(())
    }
}

/// A rule that the agent breaks.
///
/// Shown as one line: over which binding, what is wrong, which section of the specification says so, what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Over which binding; `None` where it is about the card, or about all of them.
    pub binding: Option<Binding>,
    /// The section of the specification, such as `3.1.5`; empty where the specification says nothing of it.
    pub section: &'static str,
    /// What is wrong.
    pub text: String,
    /// What to do about it.
    pub help: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(binding) = self.binding {
            write!(f, "{binding}: ")?;
        }
        f.write_str(&visible(&self.text))?;
        f.write_str(" (")?;
        if !self.section.is_empty() {
            write!(f, "spec {}; ", self.section)?;
        }
        write!(f, "help: {})", self.help)
    }
}
