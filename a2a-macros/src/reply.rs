//! What can be seen of a reply's type before the compiler knows it.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, ReturnType, Type, TypeParamBound, TypePath};

/// The type that a fn returns.
pub(crate) struct Reply<'a> {
    written: Option<&'a Type>,
    /// Where it stands; the fn's name, where nothing is written.
    pub(crate) span: Span,
}

impl<'a> Reply<'a> {
    pub(crate) fn of(output: &'a ReturnType, name: &Ident) -> Self {
        match output {
            ReturnType::Type(_, ty) => Self { written: Some(ungrouped(ty)), span: ty.span() },
            ReturnType::Default => Self { written: None, span: name.span() },
        }
    }

    /// The type, unless it cannot be written elsewhere.
    pub(crate) fn named(&self) -> Option<TokenStream> {
        match self.written {
            Some(ty) if is_opaque(ty) => None,
            Some(ty) => Some(ty.to_token_stream()),
            None => Some(quote!(())),
        }
    }

    /// The marker of `IntoReply`, as far as it can be seen: the more is said, the more exact an error is.
    pub(crate) fn marker(&self, krate: &TokenStream) -> TokenStream {
        self.written.map_or_else(|| quote!(#krate::marker::Value), |ty| marker(ty, krate))
    }

    /// The type for typed calls, where streams are told by their items.
    pub(crate) fn signature(&self, private: &TokenStream) -> TokenStream {
        let Some(ty) = self.written else { return quote!(()) };
        if let Some(item) = item_of(ty).filter(|item| !is_opaque(item)) {
            return quote!(#private::StreamOf<#item>);
        }
        if let Type::Path(path) = ty
            && let Some((ok, rest)) = result_of(path)
            && let Some(item) = item_of(ok).filter(|item| !is_opaque(item))
            && !rest.iter().any(|ty| is_opaque(ty))
        {
            // The error is told by the protocol, its type is the skill's own affair.
            return quote!(::core::result::Result<#private::StreamOf<#item>, ()>);
        }
        self.named().unwrap_or_else(|| quote!(#private::Opaque))
    }
}

/// A type out of its parentheses, and out of the invisible groups that `macro_rules!` puts around it.
fn ungrouped(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(group) => &group.elem,
            Type::Paren(paren) => &paren.elem,
            ty => return ty,
        };
    }
}

fn marker(ty: &Type, krate: &TokenStream) -> TokenStream {
    match ungrouped(ty) {
        Type::Tuple(_) | Type::Reference(_) => quote!(#krate::marker::Value),
        opaque @ Type::ImplTrait(_) => match item_of(opaque) {
            Some(item) => {
                let item = marker(item, krate);
                quote!(#krate::marker::Streamed<#item>)
            }
            None => quote!(_),
        },
        Type::Path(path) => match (result_of(path), path.path.segments.last()) {
            (Some((ok, _)), _) => {
                let ok = marker(ok, krate);
                quote!(#krate::marker::Fallible<#ok>)
            }
            (None, Some(last)) if last.ident == "Json" && !last.arguments.is_empty() => {
                quote!(#krate::marker::Value)
            }
            _ => quote!(_),
        },
        _ => quote!(_),
    }
}

/// What a `Result<..>` is of, and the other types in it.
fn result_of(path: &TypePath) -> Option<(&Type, Vec<&Type>)> {
    let last = path.path.segments.last().filter(|last| last.ident == "Result")?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    Some((types.next()?, types.collect()))
}

/// The item of an `impl Stream<Item = ..>`.
fn item_of(ty: &Type) -> Option<&Type> {
    let Type::ImplTrait(opaque) = ungrouped(ty) else { return None };
    opaque.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last().filter(|last| last.ident == "Stream")?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(item) if item.ident == "Item" => Some(&item.ty),
            _ => None,
        })
    })
}

/// Whether it has an `impl Trait` in it, or may have.
fn is_opaque(ty: &Type) -> bool {
    has_impl(ty.to_token_stream())
}

fn has_impl(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => has_impl(group.stream()),
        TokenTree::Punct(punct) => punct.as_char() == '!',
        TokenTree::Literal(_) => false,
    })
}
