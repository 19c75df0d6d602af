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

/// Plans trips.
#[::a2a_sdk::agent(skills = [price])]
async fn travel(text: ::std::string::String) -> ::std::string::String {
    text
}

fn main() {
    let _ = travel::agent();
}
