//! `#[tokio::test(…)]` below `#[forall::test]`: configures the runtime of each test of the property.

use crate::attribute::Kind;
use crate::compiler::{Ident, Span, TokenStream};
use crate::function::Function;
use crate::item::Attribute;
use crate::parse::{Error, Errors, Input, Result};
use crate::settings::Keys;
use crate::template::template;

/// Removes the attribute, and creates a runtime from its arguments. Reports other test attributes, and keys that
/// require a runtime that is missing.
pub fn take(function: &mut Function, keys: &mut Keys, kind: Kind, errors: &mut Errors) {
    if kind != Kind::Property {
        take_attributes(function, keys, errors);
    }
    if let (Some((span, _)), false) = (&keys.runtime, function.is_async) {
        errors.at(*span, "`runtime` requires an async body: write `async fn`, or remove `runtime`");
    }
    let is_tokio = keys.runtime.as_ref().is_some_and(|(_, runtime)| runtime.to_string() == "tokio");
    if let (Some(span), false) = (keys.task_panics, is_tokio) {
        errors.at(
            span,
            "`allow_task_panics` requires `runtime = tokio`: with other runtimes, panicking tasks do not fail a test",
        );
    }
}

fn take_attributes(function: &mut Function, keys: &mut Keys, errors: &mut Errors) {
    for attribute in std::mem::take(&mut function.attributes) {
        match attribute.path().trim_start_matches(':') {
            "tokio::test" if function.is_async => match &keys.runtime {
                Some((span, runtime)) if runtime.to_string() != "tokio" => {
                    errors.at(*span, "`#[tokio::test]` below sets another runtime: remove one of them");
                }
                _ => {
                    keys.runtime = Some((attribute.span, template!(tokio)));
                    keys.tokio = errors.take(runtime(&attribute));
                }
            },
            "test" => errors.at(attribute.span, "`#[forall::test]` already creates a `#[test]`: remove this attribute"),
            // The expansion of `#[tokio::test]` above this attribute.
            path if path.ends_with("::test") => errors.at(
                attribute.span,
                "`#[forall::test]` already creates a `#[test]`: remove this attribute, or move it below if it is `#[tokio::test]`",
            ),
            _ => function.attributes.push(attribute),
        }
    }
}

const ARGUMENTS: &[&str] = &["flavor", "worker_threads", "start_paused", "crate"];

/// An expression for the builder of a Tokio runtime.
fn runtime(attribute: &Attribute) -> Result<TokenStream> {
    let (mut new, mut calls, mut tokio) = ("new_current_thread", TokenStream::new(), template!(::tokio));
    let mut argument = |input: &mut Input| -> Result<()> {
        let (name, span) = input.word("an argument of `tokio::test`", ARGUMENTS)?;
        let equals = input.expect("=")?;
        let value = input.expression(equals, "a value")?;
        let text = value.to_string();
        let method = Ident::new(if name == "crate" { "tokio" } else { name }, span);
        match (name, text.trim_matches('"')) {
            ("flavor", "current_thread") => {}
            ("flavor", "multi_thread") => new = "new_multi_thread",
            ("flavor", _) => {
                return Err(Error::over(value, "write `flavor = \"multi_thread\"` or `flavor = \"current_thread\"`"));
            }
            ("crate", path) => {
                tokio = path
                    .parse()
                    .map_err(|_| Error::over(value, "this is not the path of a crate: write `crate = \"::tokio\"`"))?;
            }
            _ => calls.extend(template!(|method, value| .#method(#value))),
        }
        Ok(())
    };
    if let Some(mut input) = attribute.parenthesized() {
        input.list(&mut argument)?;
    }
    let new = Ident::new(new, Span::call_site());
    Ok(template!(|tokio, new, calls| #tokio::runtime::Builder::#new().enable_all()#calls))
}
