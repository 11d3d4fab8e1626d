//! The macros of `forall`. Use them through that crate, which documents them.
//!
//! - `derive`: `#[derive(Arbitrary)]`; its description of a type is in `model`, recursion in `shape`;
//! - `twin`: the lazy twins of `#[forall(twin)]` and `forall::twin!`;
//! - `attribute`: `#[forall::property]` and `#[forall::test]`; they read a function by `function`, their keys by
//!   `settings`, and `#[tokio::test]` by `runtime`; parameters with a twin are in `given`; `place` finds properties
//!   inside an `impl`;
//! - `runner`: `#[forall::runner]`;
//! - `property`: `property!`; the quantifiers that it shares with the attributes are in `quantifier`, and how they use
//!   earlier variables in `references`.
//!
//! There are no dependencies. `syn` would take a third of `forall`'s build time, although the macros parse little of
//! Rust: `parse` is a cursor over tokens that finds the ends of expressions and types, which are passed through; `item`
//! uses it to read attributes, generics and fields. `quote` and `proc-macro2` would take a sixth: the macros use the
//! compiler's tokens, and `template` instead of `quote!`. `tokens` sets spans, and converts tokens to source text.

// The conversion from `proc_macro` to `compiler` is only needed in unit tests.
#![cfg_attr(not(test), allow(clippy::useless_conversion))]

#[cfg(feature = "argument")]
mod argument;
mod attribute;
mod derive;
mod function;
mod given;
mod item;
mod model;
mod parse;
mod place;
mod property;
mod quantifier;
mod references;
mod runner;
mod runtime;
mod settings;
mod shape;
mod template;
mod tokens;
mod twin;

#[cfg(not(test))]
use proc_macro as compiler;
/// Unit tests run outside of the compiler, where `proc_macro` is not available: `proc_macro2` has the same API.
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

/// Documented in `forall`, where its examples can run.
#[proc_macro_attribute]
pub fn runner(keys: TokenStream, item: TokenStream) -> TokenStream {
    runner::expand(keys.into(), item.into()).into()
}

/// Documented in `forall`, where its examples can run. The first token is the path of `forall` in brackets.
#[doc(hidden)]
#[proc_macro]
pub fn twin_type(input: TokenStream) -> TokenStream {
    twin::expand(input.into()).into()
}

/// Documented in `forall`, where its examples can run. The first token is the path of `forall` in brackets.
#[doc(hidden)]
#[proc_macro]
pub fn property_value(input: TokenStream) -> TokenStream {
    property::expand(input.into()).into()
}
