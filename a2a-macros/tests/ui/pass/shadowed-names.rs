#![allow(dead_code, unused_macros)]

struct Result;
struct Option;
struct String;
struct Box;
struct Vec;
struct Some;
struct Ok;
struct Err;
struct Fn;
struct Send;
struct Future;
struct Request;
struct Run;
struct SkillEntry;
trait Into {}
trait From {}
trait FromRequest {}
mod core {}
mod std {}
mod a2a_sdk {}
macro_rules! env { () => {} }
macro_rules! concat { () => {} }
macro_rules! file { () => {} }
macro_rules! line { () => {} }
macro_rules! module_path { () => {} }
const __SKILL: u8 = 0;
#[allow(non_camel_case_types)]
type str = u8;

/// Prices a trip.
#[::a2a_sdk::skill]
async fn price(text: ::std::string::String) -> ::std::string::String {
    text
}

/// Books a trip.
#[::a2a_sdk::skill(security(oauth2 = ["trips"]))]
async fn book(
    text: ::std::option::Option<::std::string::String>,
) -> ::std::result::Result<&'static ::core::primitive::str, ::a2a_sdk::SkillError> {
    ::core::mem::drop(text);
    ::std::result::Result::Ok("booked")
}

/// Plans trips.
#[::a2a_sdk::agent(
    skills = [price, book],
    security(
        bearer(format = "JWT"),
        oauth2(authorization_code(
            authorization_url = "https://id.example/a",
            token_url = "https://id.example/t",
            scopes = [("trips", "All of them.")]
        ))
    ),
    extensions = ["urn:acme:ext"]
)]
async fn travel(text: ::std::string::String) -> ::std::string::String {
    text
}

fn main() {
    let _ = travel::agent();
}
