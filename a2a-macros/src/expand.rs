//! The code that is made beside an annotated item.

use crate::agent;
use crate::item::{self, Function, Item};
use crate::model::{Kind, Model};
use crate::reply::Reply;
use crate::signature;
use crate::values::literal;
use crate::words::words;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Visibility};

/// The code of a model.
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let Some((ident, vis, attrs)) = model.item.head() else { return TokenStream::new() };
    let private = private(model);
    let cfgs: Vec<_> = item::cfgs(attrs).collect();
    let companion = match model.item {
        Item::Fn(_) => companion(model.kind, ident, vis, &cfgs),
        Item::Struct(_) | Item::Other(_) => TokenStream::new(),
    };
    let allow = allow();
    let skill = match model.item {
        Item::Fn(function) => skill(model, function, vis, &private),
        Item::Struct(_) | Item::Other(_) => TokenStream::new(),
    };
    let rest = match model.kind {
        Kind::Skill => registered_skill(model, &private),
        Kind::Agent => agent::agent(model, vis, &private),
    };
    quote! {
        #companion
        #(#cfgs)*
        #allow
        const _: () = {
            #skill
            #rest
        };
    }
}

/// What generated code must not be told: it is not the user's to mend.
pub(crate) fn allow() -> TokenStream {
    quote!(#[allow(dead_code, deprecated, missing_docs, unreachable_pub, unused_qualifications)])
}

/// The type beside a fn, of the same name.
pub(crate) fn companion(
    kind: Kind,
    ident: &Ident,
    vis: &Visibility,
    cfgs: &[&syn::Attribute],
) -> TokenStream {
    let doc = match kind {
        Kind::Skill => " The skill that the fn of this name is.",
        Kind::Agent => " The agent that the fn of this name is.",
    };
    quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[allow(dead_code, missing_debug_implementations, non_camel_case_types, unreachable_pub)]
        #vis struct #ident {}
    }
}

/// The same tokens, for errors at that place.
pub(crate) fn located(tokens: &TokenStream, span: Span) -> TokenStream {
    tokens
        .clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}

fn private(model: &Model<'_>) -> TokenStream {
    let krate = model.keys.krate();
    quote!(#krate::__private)
}

/// The constant that describes a skill, and the fn that makes its entry.
fn skill(model: &Model<'_>, function: &Function, vis: &Visibility, private: &TokenStream) -> TokenStream {
    let ident = model.ident;
    let krate = model.keys.krate();
    let types = signature::types(&function.sig);
    let arguments = types.iter().map(|ty| quote!(<#ty as #krate::FromRequest>::from_request(__request)?));
    // These stand where the fn's name stands: that is where the compiler shows what is not `Send`.
    let span = ident.span().resolved_at(Span::call_site());
    let here = located(private, span);
    let call = quote_spanned!(span=> #ident(#(#arguments),*));
    // And these where the reply's type stands, which is shown where it is none.
    let reply = Reply::of(&function.sig.output, ident);
    let reply_span = reply.span.resolved_at(Span::call_site());
    let there = located(private, reply_span);
    let marker = reply.marker(&krate);
    let (run, outcome) = match reply.named() {
        Some(ty) => {
            let into = quote!(<#ty as #krate::IntoReply<#marker>>);
            (quote_spanned!(span=> #here::Run::then(#call, #into::into_reply)), quote!(#into::__OUTCOME))
        }
        None => {
            let names: Vec<_> =
                (0..types.len()).map(|index| Ident::new(&format!("__{index}"), reply_span)).collect();
            let fun = quote_spanned!(reply_span=> |(#(#names,)*)| #ident(#(#names),*));
            (
                {
                    let into = quote_spanned!(reply_span=> #there::into_reply::<_, #marker>());
                    quote_spanned!(span=> #here::Run::then(#call, #into))
                },
                quote_spanned!(reply_span=> #there::Outcome::from::<_, _, _, #marker>(#fun)),
            )
        }
    };
    let definition = quote! {
        const __SKILL: #private::Definition = #private::Definition {
            call: |__request| ::core::result::Result::Ok(#run),
            arguments: &[#(#private::Argument::of::<#types>()),*],
            outcome: #outcome,
        };
    };
    // Without arguments nothing can need a task.
    let task_check = (!types.is_empty()).then(|| {
        let check = quote_spanned!(reply_span=> #there::task(&__SKILL));
        quote!(const _: () = #check;)
    });
    // The data of a message is one: a single argument can be read from it.
    let data_checks = types.iter().enumerate().skip(1).map(|(index, ty)| {
        let span = ty.span().resolved_at(Span::call_site());
        let here = located(private, span);
        let check = quote_spanned!(span=> #here::data(&__SKILL, #index));
        quote!(const _: () = #check;)
    });
    let data_checks: Vec<_> = data_checks.collect();
    let checks = mode_checks(model, private);
    let id = match &model.keys.id {
        Some(id) => id.to_token_stream(),
        None => model.id().to_token_stream(),
    };
    let name = name(model);
    let description = description(model, private);
    let lists = [
        ("tags", &model.keys.tags),
        ("examples", &model.keys.examples),
        ("input_modes", &model.keys.input_modes),
        ("output_modes", &model.keys.output_modes),
    ];
    let lists = lists.into_iter().filter_map(|(key, list)| {
        let key = Ident::new(key, Span::call_site());
        let list = list.as_ref()?;
        Some(quote!(.#key([#(#list),*])))
    });
    let arguments_type = types.iter().rev().fold(quote!(()), |rest, ty| quote!((#ty, #rest)));
    let reply_type = reply.signature(private);
    // A type that is more private than the fn is shown at its name.
    let arguments_type = quote_spanned!(span=> type Arguments = #arguments_type;);
    let reply_type = quote_spanned!(span=> type Reply = #reply_type;);
    // Is there for what the compiler says of it: a skill is no agent.
    let hint = (model.kind == Kind::Skill).then(|| {
        quote! {
            #[doc(hidden)]
            #vis fn agent() -> #private::Agent
            where
                for<'__a> &'__a (): #private::AgentOf<#ident>,
            {
                <&() as #private::AgentOf<#ident>>::agent()
            }
        }
    });
    let needs = model.keys.needs.iter().flatten();
    let security = needs.map(|(scheme, scopes)| quote!(.security(#scheme, &[#(#scopes),*])));
    quote! {
        #definition
        #task_check
        #(#data_checks)*
        #(#checks)*
        impl #private::Signature for #ident {
            const ID: #private::Str = #id;
            #arguments_type
            #reply_type

            fn entry() -> #private::SkillEntry {
                #ident::entry()
            }
        }
        impl #ident {
            /// The skill, for an agent that lists its skills.
            #vis fn entry() -> #private::SkillEntry {
                #private::entry(<#ident as #private::Signature>::ID, &__SKILL)
                    .name(#name)
                    .description(#description)
                    #(#lists)*
                    #(#security)*
                    .at(#private::location(::core::file!(), ::core::line!()))
            }

            #hint
        }
    }
}

pub(crate) fn name(model: &Model<'_>) -> TokenStream {
    match &model.keys.name {
        Some(name) => name.to_token_stream(),
        None => words(&model.id()).to_token_stream(),
    }
}

pub(crate) fn description(model: &Model<'_>, private: &TokenStream) -> TokenStream {
    match &model.keys.description {
        Some(text) => text.to_token_stream(),
        None => {
            let docs = &model.docs;
            quote!(#private::description(&[#(#docs),*]))
        }
    }
}

/// Compares the declared modes with those of the types.
fn mode_checks(model: &Model<'_>, private: &TokenStream) -> Vec<TokenStream> {
    let check = |list: &Option<Vec<Expr>>, fun: &str, what: &str, help: &str| -> Vec<TokenStream> {
        list.iter()
            .flatten()
            .map(|mode| {
                let mode_text = literal(mode).unwrap_or_else(|| "this media type".to_owned());
                let text = crate::errors::message(&what.replace("{}", &mode_text), help);
                let span = mode.span().resolved_at(Span::call_site());
                let fun = Ident::new(fun, span);
                let here = located(private, span);
                let check = quote_spanned!(span=> #here::#fun(&__SKILL, #mode, #text));
                // A constant each: the compiler tells the first that fails in each.
                quote!(const _: () = #check;)
            })
            .collect()
    };
    let inputs = check(
        &model.keys.input_modes,
        "reads",
        "no argument of this skill reads `{}`",
        "take an argument that does, such as `File`, or leave the mode out",
    );
    let outputs = check(
        &model.keys.output_modes,
        "gives",
        "the reply of this skill is never `{}`",
        "return a type that is, such as `File`, or leave the mode out",
    );
    [inputs, outputs].concat()
}

fn registered_skill(model: &Model<'_>, private: &TokenStream) -> TokenStream {
    let ident = model.ident;
    let make = match &model.keys.agent {
        Some(agent) => quote!(skill_of::<#agent>),
        None => quote!(skill),
    };
    let place = place();
    quote! {
        #private::submit! {
            #private::Registered::#make(#place, #ident::entry)
        }
    }
}

pub(crate) fn place() -> TokenStream {
    quote!(::core::module_path!(), ::core::file!(), ::core::line!())
}
