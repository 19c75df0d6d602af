//! The code that is made when something is wrong: the errors, and enough for the rest of the program to compile.

use crate::errors::Errors;
use crate::expand::{allow, companion};
use crate::item::{self, Item};
use crate::model::Kind;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

/// The errors, with a companion that has the fns others may call.
pub(crate) fn fallback(kind: Kind, krate: &TokenStream, item: &Item, errors: Errors) -> TokenStream {
    let errors = errors.into_tokens();
    let Some((ident, vis, attrs)) = item.head() else { return errors };
    if let Item::Struct(item) = item
        && (kind == Kind::Skill || item::has_generics(&item.generics))
    {
        return errors;
    }
    // A fn with `self` or without a body stands in an impl or a trait, where no type can be made.
    if let Item::Fn(function) = item
        && (function.sig.receiver().is_some() || !function.has_body)
    {
        return errors;
    }
    let cfgs: Vec<_> = item::cfgs(attrs).collect();
    let private = quote!(#krate::__private);
    let is_fn = matches!(item, Item::Fn(_));
    let companion = is_fn.then(|| companion(kind, ident, vis, &cfgs));
    let entry = is_fn.then(|| quote!(#vis fn entry() -> #private::SkillEntry { loop {} }));
    let id = ident.unraw().to_string();
    let signature = is_fn.then(|| {
        quote! {
            impl #private::Signature for #ident {
                const ID: #private::Str = #id;
                type Arguments = #private::Opaque;
                type Reply = #private::Opaque;

                fn entry() -> #private::SkillEntry { loop {} }
            }
        }
    });
    let agent = (kind == Kind::Agent).then(|| quote!(#vis fn agent() -> #private::Agent { loop {} }));
    let key = (kind == Kind::Agent).then(|| {
        quote! {
            impl #private::AgentKey for #ident {
                const KEY: #private::Str = "";
            }
        }
    });
    let allow = allow();
    quote! {
        #errors
        #companion
        #(#cfgs)*
        #allow
        const _: () = {
            #key
            #signature
            impl #ident {
                #entry
                #agent
            }
        };
    }
}
