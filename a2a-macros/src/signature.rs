//! What the signature of a skill must be like.

use crate::errors::Errors;
use crate::item::Function;
use quote::ToTokens;
use syn::{FnArg, GenericArgument, GenericParam, Ident, PathArguments, ReturnType, Safety, Signature, Type};

/// Tells all that keeps a fn from being a skill.
pub(crate) fn check(function: &Function, errors: &mut Errors) {
    let sig = &function.sig;
    if let Some(main) = main(function) {
        errors.at(
            main,
            "`main` begins the program, a skill is a fn that callers call",
            "write the skill as a fn of its own, and call its `agent().run().await` in `main`",
        );
        return;
    }
    if !function.has_body {
        errors.at(
            &sig.ident,
            "a skill has a body, and does not stand in a trait",
            "write a plain async fn, and take what it needs as `State<T>`",
        );
        return;
    }
    if sig.asyncness.is_none() {
        let name = &sig.ident;
        errors.at(sig.fn_token, "a skill is an async fn", format!("write `async fn {name}`"));
    }
    modifiers(sig, errors);
    generics(sig, errors);
    for input in &sig.inputs {
        argument(input, errors);
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && let Type::Reference(reference) = &**ty
        && reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static")
    {
        errors.at(ty, "a skill's reply is owned", "return `String`, or `&'static str`");
    }
}

/// The name of a fn that a runtime's attribute has made, or will make, the program's own.
fn main(function: &Function) -> Option<&Ident> {
    let name = &function.sig.ident;
    let is_runtimes = |attr: &syn::Attribute| {
        let segments = &attr.path().segments;
        segments.len() > 1 && segments.last().is_some_and(|last| last.ident == "main")
    };
    let made = name == "main" && function.sig.asyncness.is_none() && function.sig.inputs.is_empty();
    (made || function.attrs.iter().any(is_runtimes)).then_some(name)
}

fn modifiers(sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.constness {
        errors.at(token, "a skill cannot be const", "remove `const`");
    }
    match &sig.safety {
        Safety::Unsafe(token) => {
            errors.at(token, "a skill cannot be unsafe", "remove `unsafe`, callers are strangers");
        }
        Safety::Safe(token) => errors.at(token, "a skill is a plain fn", "remove `safe`"),
        Safety::Default => {}
    }
    if let Some(abi) = &sig.abi {
        errors.at(abi, "a skill cannot be extern", "remove `extern`");
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(variadic, "a skill's arguments are counted", "take a `Vec` inside `Json<T>`");
    }
}

fn generics(sig: &Signature, errors: &mut Errors) {
    for parameter in &sig.generics.params {
        match parameter {
            GenericParam::Type(parameter) => errors.at(
                parameter,
                format!("a skill cannot be generic, nothing says what `{}` is", parameter.ident),
                "write the type itself",
            ),
            GenericParam::Const(parameter) => errors.at(
                parameter,
                format!("a skill cannot be generic, nothing says what `{}` is", parameter.ident),
                "write the value itself, or take it from `State<T>`",
            ),
            GenericParam::Lifetime(parameter) => errors.at(
                parameter,
                "a skill has no lifetimes, its arguments are owned",
                "take `String` for `&str`, `Vec<T>` for `&[T]`",
            ),
        }
    }
    if let Some(clause) = &sig.generics.where_clause {
        errors.at(clause, "a skill is not generic, so it has no `where`", "remove the `where` clause");
    }
}

fn argument(input: &FnArg, errors: &mut Errors) {
    match input {
        FnArg::Receiver(receiver) => errors.at(
            receiver,
            "a skill is a plain fn, without `self`",
            "take what it needs as `State<T>` and give it with `agent.state(value)`",
        ),
        FnArg::Typed(typed) => {
            for attr in &typed.attrs {
                if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
                    errors.at(attr, "an argument of a skill cannot depend on a cfg", "put the cfg on the fn");
                }
            }
            owned(&typed.ty, errors);
        }
    }
}

/// Tells what in a type is borrowed, or not a type that has a name.
fn owned(ty: &Type, errors: &mut Errors) {
    match ty {
        Type::Reference(reference) => {
            let instead = match &*reference.elem {
                Type::Path(path) if path.path.is_ident("str") => "`String`".to_owned(),
                Type::Slice(slice) => format!("`Vec<{}>`", slice.elem.to_token_stream()),
                Type::Path(path) => format!("`{}`", path.to_token_stream()),
                _ => "an owned type".to_owned(),
            };
            errors.at(ty, "a skill's arguments are owned", format!("take {instead}"));
        }
        Type::ImplTrait(_) => errors.at(
            ty,
            "an argument of a skill has a type with a name, nothing says what this `impl` is",
            "write the type itself, such as `String` or `Json<T>`",
        ),
        Type::Group(group) => owned(&group.elem, errors),
        Type::Paren(paren) => owned(&paren.elem, errors),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| owned(elem, errors)),
        Type::Path(path) => {
            for segment in &path.path.segments {
                let PathArguments::AngleBracketed(arguments) = &segment.arguments else { continue };
                for argument in &arguments.args {
                    match argument {
                        GenericArgument::Type(ty) => owned(ty, errors),
                        GenericArgument::Lifetime(lifetime) if lifetime.ident != "static" => errors.at(
                            lifetime,
                            "a skill's arguments are owned",
                            "take an owned type, or one that is `'static`",
                        ),
                        _ => {}
                    }
                }
            }
        }
        _ => {}
    }
}

/// The types of the arguments.
pub(crate) fn types(sig: &Signature) -> Vec<&Type> {
    sig.inputs
        .iter()
        .filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        })
        .collect()
}

/// A companion is a type: by one of these names it would hide the language's own in its whole module.
pub(crate) fn check_name(ident: &Ident, errors: &mut Errors) {
    const PRIMITIVES: [&str; 17] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f32", "f64",
    ];
    let name = ident.to_string();
    if PRIMITIVES.contains(&name.as_str()) {
        errors.at(
            ident,
            format!("a type is made beside the fn, and `{name}` is one already"),
            format!("rename the fn and write `id = \"{name}\"`"),
        );
    }
}
