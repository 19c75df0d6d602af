//! What goes through 0.3 and comes back, and what does not.
#![allow(clippy::unwrap_used, reason = "tests")]

mod cards;
mod rows;
mod trips;

use super::*;

const PROTO: Form = Form::Proto(Bytes::Encoded);
const FORMS: [Form; 3] = [Form::Kind, PROTO, Form::Proto(Bytes::Plain)];
