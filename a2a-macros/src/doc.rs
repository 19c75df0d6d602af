//! Doc comments, as the description of what they stand on.
//!
//! The text is made at run time, by the SDK: `#[doc = include_str!(..)]` cannot be read here, and one place is enough.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The values of the `doc` attributes.
pub(crate) fn docs(attrs: &[Attribute]) -> Vec<&Expr> {
    attrs
        .iter()
        .filter_map(|attr| match &attr.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => Some(&pair.value),
            _ => None,
        })
        .collect()
}

/// Whether there is a text before the first heading, as far as that can be seen here.
pub(crate) fn says_something(docs: &[&Expr]) -> bool {
    for doc in docs {
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = doc else { return true };
        for line in text.value().lines() {
            let line = line.trim_matches(|sign: char| sign.is_whitespace() || sign == '*');
            if line.starts_with("# ") || line.starts_with("##") {
                return false;
            }
            if !line.is_empty() {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn says(attrs: &[Attribute]) -> bool {
        says_something(&docs(attrs))
    }

    #[test]
    fn a_text_says_something() {
        assert!(says(&[parse_quote!(#[doc = " Prices."])]));
        assert!(says(&[parse_quote!(#[doc = ""]), parse_quote!(#[doc = "\n * Prices.\n"])]));
        assert!(says(&[parse_quote!(#[doc = include_str!("x.md")])]));
    }

    #[test]
    fn blanks_and_headings_say_nothing() {
        assert!(!says(&[parse_quote!(#[doc = "  "]), parse_quote!(#[inline])]));
        assert!(!says(&[parse_quote!(#[doc = " # Errors"]), parse_quote!(#[doc = " Never."])]));
        assert!(!says(&[parse_quote!(#[doc(hidden)])]));
    }
}
