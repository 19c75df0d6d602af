//! Mistakes, gathered so that all of an item are told at once.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The mistakes found so far.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds what is wrong with those tokens: what, and what to type instead.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, what: impl AsRef<str>, help: impl AsRef<str>) {
        let text = message(what.as_ref(), help.as_ref());
        self.0.push(syn::Error::new_spanned(tokens, text));
    }

    /// Adds what is wrong at that place.
    pub(crate) fn at_span(&mut self, span: Span, what: impl AsRef<str>, help: impl AsRef<str>) {
        self.0.push(syn::Error::new(span, message(what.as_ref(), help.as_ref())));
    }

    /// Adds a mistake of the grammar.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// How many there are so far.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tokens that make the compiler tell them.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }

    #[cfg(test)]
    pub(crate) fn texts(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}

/// One text of both.
pub(crate) fn message(what: &str, help: &str) -> String {
    format!("{what}\nhelp: {help}")
}
