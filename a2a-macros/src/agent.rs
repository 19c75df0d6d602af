//! The code that is made beside an agent.

use crate::expand::{description, located, name, place};
use crate::item::Item;
use crate::model::Model;
use crate::values::literal;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Visibility;
use syn::spanned::Spanned;

/// Compares the ids of listed skills.
fn id_checks(model: &Model<'_>, private: &TokenStream) -> Vec<TokenStream> {
    let ident = model.ident;
    let own = matches!(model.item, Item::Fn(_)).then(|| quote!(<#ident as #private::Signature>::ID));
    let mut before: Vec<TokenStream> = own.into_iter().collect();
    let mut checks = Vec::new();
    for path in model.keys.skills.iter().flatten() {
        let id = quote!(<#path as #private::Signature>::ID);
        let span = path.span().resolved_at(Span::call_site());
        let here = located(private, span);
        checks.push(quote_spanned!(span=> const _: () = #here::unique(&[#(#before),*], #id);));
        before.push(id);
    }
    checks
}

/// The key of an agent, the fn that makes it, and its record.
pub(crate) fn agent(model: &Model<'_>, vis: &Visibility, private: &TokenStream) -> TokenStream {
    let ident = model.ident;
    let id = model.id();
    let keys = &model.keys;
    let krate = keys.krate();
    let name = name(model);
    let description = description(model, private);
    let version = match &keys.version {
        Some(version) => version.to_token_stream(),
        None => quote!(::core::env!("CARGO_PKG_VERSION")),
    };
    let provider = keys.provider.as_ref().map(|(organization, url)| quote!(.provider(#organization, #url)));
    let urls =
        [("documentation_url", &keys.documentation_url), ("icon_url", &keys.icon_url), ("url", &keys.url)];
    let urls = urls.into_iter().filter_map(|(key, url)| {
        let key = Ident::new(key, Span::call_site());
        let url = url.as_ref()?;
        Some(quote!(.#key(#url)))
    });
    let schemes = keys.schemes.iter().flatten().map(|scheme| {
        let (name, scheme) = scheme.tokens(&krate);
        quote!(.security(#name, #scheme))
    });
    let extensions = keys.extensions.iter().flatten().map(|extension| match literal(extension) {
        Some(uri) => quote! {
            .extension(#krate::protocol::AgentExtension {
                uri: ::std::string::String::from(#uri),
                ..::core::default::Default::default()
            })
        },
        None => quote!(.extension(#extension)),
    });
    let extended_card = keys.extended_card.iter().map(|card| quote!(.extended_card(#card)));
    let own = match model.item {
        Item::Fn(_) => Some(quote!(.default_skill(#ident::entry()))),
        Item::Struct(_) | Item::Other(_) => None,
    };
    let explicit = keys.skills.is_some();
    let skills =
        keys.skills.iter().flatten().map(|path| quote!(.skill(<#path as #private::Signature>::entry())));
    let id_checks = id_checks(model, private);
    let key = quote!(<#ident as #private::AgentKey>::KEY);
    let place = place();
    quote! {
        #(#id_checks)*
        impl #private::AgentKey for #ident {
            const KEY: #private::Str = ::core::concat!(::core::module_path!(), "::", #id);
        }
        impl #ident {
            /// The agent, to be configured and run.
            #vis fn agent() -> #private::Agent {
                #private::Agent::builder(#id)
                    .name(#name)
                    .description(#description)
                    .version(#version)
                    #provider
                    #(#urls)*
                    #(#schemes)*
                    #(#extensions)*
                    #(#extended_card)*
                    #own
                    #(#skills)*
                    .__home(
                        ::core::module_path!(),
                        #key,
                        #explicit,
                        #private::location(::core::file!(), ::core::line!()),
                    )
            }
        }
        #private::submit! {
            #private::Registered::agent::<#ident>(#place)
        }
    }
}
