//! What an attribute stands on, read as far as the macros need: bodies stay tokens.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Fields, Generics, Ident, ItemStruct, Meta, Signature, Token, Visibility};

/// An item under an attribute.
pub(crate) enum Item {
    Fn(Box<Function>),
    Struct(Box<ItemStruct>),
    /// Something else: its keyword, where there is one.
    Other(Option<TokenTree>),
}

/// A fn without its body.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// Whether a body follows; without one it stands in a trait, or is not written yet.
    pub(crate) has_body: bool,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let ahead = input.fork();
        let attrs = ahead.call(Attribute::parse_outer)?;
        let vis: Visibility = ahead.parse()?;
        if ahead.peek(Token![struct]) {
            return Ok(Self::Struct(Box::new(input.parse()?)));
        }
        let keyword = ahead.fork().parse::<TokenTree>().ok();
        match ahead.parse::<Signature>() {
            Ok(sig) => {
                let has_body = !ahead.peek(Token![;]);
                input.parse::<TokenStream>()?;
                Ok(Self::Fn(Box::new(Function { attrs, vis, sig, has_body })))
            }
            Err(_) => {
                input.parse::<TokenStream>()?;
                Ok(Self::Other(keyword))
            }
        }
    }
}

impl Item {
    /// Reads it from tokens; what cannot be read is something else.
    pub(crate) fn read(tokens: &TokenStream) -> Self {
        syn::parse2(tokens.clone()).unwrap_or(Self::Other(None))
    }

    /// Its name, visibility and attributes, where it has them.
    pub(crate) fn head(&self) -> Option<(&Ident, &Visibility, &[Attribute])> {
        match self {
            Self::Fn(function) => Some((&function.sig.ident, &function.vis, &function.attrs)),
            Self::Struct(item) => Some((&item.ident, &item.vis, &item.attrs)),
            Self::Other(_) => None,
        }
    }
}

/// The item without its `#[skill]` attributes.
pub(crate) fn without_skill(item: TokenStream) -> TokenStream {
    let mut tokens = item.into_iter().peekable();
    let mut rest = TokenStream::new();
    while let Some(token) = tokens.next() {
        let is_hash = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        if is_hash && tokens.next_if(is_skill).is_some() {
            continue;
        }
        rest.extend([token]);
    }
    rest
}

/// Whether it is the bracket of a `#[skill]` attribute, by whatever path.
fn is_skill(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let meta = syn::parse2::<Meta>(group.stream());
    group.delimiter() == Delimiter::Bracket
        && meta.is_ok_and(|meta| meta.path().segments.last().is_some_and(|last| last.ident == "skill"))
}

/// Whether a struct is written `struct Name;` or `struct Name {}`.
pub(crate) fn is_empty(item: &ItemStruct) -> bool {
    match &item.fields {
        Fields::Unit => true,
        Fields::Named(fields) => fields.named.is_empty(),
        Fields::Unnamed(_) => false,
    }
}

/// Whether generics are written, or a `where`.
pub(crate) fn has_generics(generics: &Generics) -> bool {
    !generics.params.is_empty() || generics.where_clause.is_some()
}

/// The `cfg` attributes, which everything made of the item repeats.
pub(crate) fn cfgs(attrs: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg"))
}
