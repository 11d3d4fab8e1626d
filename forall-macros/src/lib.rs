//! The macros of `forall`. Use them through that crate, which documents them.
//!
//! - `derive`: `#[derive(Arbitrary)]`; what it knows about a type is in `model`, how a type recurs in `shape`;
//! - `attribute`: `#[forall::property]` and `#[forall::test]`; they read a function by `function`, their keys by
//!   `settings`, and `#[tokio::test]` by `runtime`;
//! - `property`: `property!`; the quantifiers that it shares with the attributes are in `quantifier`.
//!
//! `syn` would take a third of the time in which `forall` is to build, for the little of Rust that the macros look into:
//! `parse` is a cursor over tokens that knows where expressions and types end, and they pass through untouched; `item` reads
//! attributes, generics and fields with it. `quote` and `proc-macro2` would take a sixth: the tokens are the compiler's own,
//! and `template` is what the macros write with. `tokens` places that, and tells how the user's tokens read.

// From `proc_macro` to `compiler` there is something to convert in unit tests only.
#![cfg_attr(not(test), allow(clippy::useless_conversion))]

#[cfg(feature = "argument")]
mod argument;
mod attribute;
mod derive;
mod function;
mod item;
mod model;
mod parse;
mod property;
mod quantifier;
mod runtime;
mod settings;
mod shape;
mod template;
mod tokens;

#[cfg(not(test))]
use proc_macro as compiler;
/// Unit tests run outside of the compiler, where its tokens are not to be had: these are the same.
#[cfg(test)]
use proc_macro2 as compiler;

use proc_macro::TokenStream;

/// Documented in `forall`, where its examples can run.
#[proc_macro_derive(Arbitrary, attributes(forall))]
pub fn derive_arbitrary(input: TokenStream) -> TokenStream {
    derive::expand(input.into()).into()
}

/// Documented in `forall`, where its examples can run.
#[cfg(feature = "argument")]
#[proc_macro_derive(Argument, attributes(forall))]
pub fn derive_argument(input: TokenStream) -> TokenStream {
    argument::expand(input.into()).into()
}

/// Documented in `forall`, where its examples can run.
#[proc_macro_attribute]
pub fn property(keys: TokenStream, item: TokenStream) -> TokenStream {
    attribute::expand(keys.into(), item.into(), attribute::Kind::Property).into()
}

/// Documented in `forall`, where its examples can run.
#[proc_macro_attribute]
pub fn test(keys: TokenStream, item: TokenStream) -> TokenStream {
    attribute::expand(keys.into(), item.into(), attribute::Kind::Test).into()
}

/// Documented in `forall`, where its examples can run. The first token is the path of `forall` in brackets.
#[doc(hidden)]
#[proc_macro]
pub fn property_value(input: TokenStream) -> TokenStream {
    property::expand(input.into()).into()
}
