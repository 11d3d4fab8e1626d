//! The macros of `forall`. Use them through that crate, which documents them.
//!
//! - [`derive`]: `#[derive(Arbitrary)]`; what it knows about a type is in [`model`], how a type recurs in [`shape`];
//! - [`attribute`]: `#[forall::property]` and `#[forall::test]`; they read a function by [`function`], their keys by
//!   [`settings`];
//! - [`property`]: `property!`; the quantifiers that it shares with the attributes are in [`quantifier`].
//!
//! `syn` is used without its feature `full`, which alone takes seconds to build: expressions and bodies pass through as
//! tokens, untouched, and `input` says where they end.

mod derive;
mod input;
mod model;
mod shape;

use proc_macro::TokenStream;

/// Documented in `forall`, where its examples can run.
#[proc_macro_derive(Arbitrary, attributes(forall))]
pub fn derive_arbitrary(input: TokenStream) -> TokenStream {
    derive::expand(input.into()).into()
}
