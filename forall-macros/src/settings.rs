//! The keys of `#[forall::test(…)]` and `#[forall::property(…)]`: each is the builder method of its name.

use crate::input::{Errors, expression, word};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::time::Duration;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Error, LitInt, LitStr, Result, Token};

const KEYS: &[&str] = &[
    "tests",
    "seed",
    "size",
    "discard_ratio",
    "time",
    "deadline",
    "shrink_evaluations",
    "shrink_time",
    "exhaustive",
    "runner",
    "threads",
    "isolate",
    "timeout",
    "store",
    "read_only",
    "verbose",
    "crate",
];

pub struct Keys {
    pub krate: TokenStream,
    /// Calls of builder methods.
    pub calls: Vec<TokenStream>,
}

impl Keys {
    pub fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut found: Vec<(&'static str, Span, Option<TokenStream>)> = Vec::new();
        let parsed = (|input: ParseStream| {
            while !input.is_empty() {
                let (key, span) = word(input, "a key", KEYS)?;
                let value = input
                    .parse::<Option<Token![=]>>()?
                    .map(|equals| expression(input, equals.span, "a value"))
                    .transpose()?;
                if found.iter().any(|(other, ..)| *other == key) {
                    return Err(Error::new(span, format!("the key `{key}` is given twice")));
                }
                found.push((key, span, value));
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        })
        .parse2(tokens);
        errors.take(parsed);
        let path = found.iter().find(|(key, ..)| *key == "crate").and_then(|(.., value)| value.clone());
        let krate = path.unwrap_or_else(|| quote!(::forall));
        let calls = found.into_iter().filter(|(key, _, value)| *key != "crate" || value.is_none());
        let calls = calls.filter_map(|(key, span, value)| errors.take(call(key, span, value, &krate))).collect();
        Self { krate, calls }
    }
}

/// The call of the method for one key.
fn call(key: &str, span: Span, value: Option<TokenStream>, krate: &TokenStream) -> Result<TokenStream> {
    let method = format_ident!("{key}", span = span);
    let Some(value) = value else {
        let example = match key {
            "exhaustive" | "isolate" | "read_only" | "verbose" => return Ok(quote!(.#method(true))),
            "time" | "deadline" | "shrink_time" | "timeout" => "\"2s\"",
            "runner" => "\"generational\"",
            "store" => "\"directory\"",
            "threads" => "4` or `threads = all",
            "crate" => "path",
            _ => "100",
        };
        return Err(Error::new(span, format!("`{key}` needs a value: `{key} = {example}`")));
    };
    let text = syn::parse2::<LitStr>(value.clone());
    let word = value.to_string();
    let value = match (key, text) {
        ("time" | "deadline" | "shrink_time" | "timeout", Ok(text)) => {
            let nanoseconds = duration(&text)?.as_nanos() as u64;
            quote!(::core::time::Duration::from_nanos(#nanoseconds))
        }
        ("time" | "deadline" | "shrink_time" | "timeout", Err(_)) if syn::parse2::<LitInt>(value.clone()).is_ok() => {
            return Err(Error::new(value.span(), format!("a time has a unit: `{key} = \"{word}s\"`")));
        }
        ("size", Err(_)) => match syn::parse2::<LitInt>(value.clone()) {
            Ok(number) => {
                let number: u32 = number.base10_parse()?;
                quote_spanned!(value.span()=> #number)
            }
            Err(_) => value,
        },
        ("threads", Err(_)) if word == "all" => quote!(#krate::__private::all_threads()),
        ("runner", Err(_)) if word.chars().all(|c| c.is_ascii_lowercase() || c == '_') => quote!(#word),
        ("store", Err(_)) if word == "off" => quote!(#krate::run::Store::Off),
        ("store", Ok(text)) => quote!(#krate::run::Store::Directory(::core::convert::From::from(#text))),
        _ => value,
    };
    Ok(quote!(.#method(#value)))
}

/// A length of time such as `"200ms"`: what `forall::run::Time` reads from the environment.
fn duration(text: &LitStr) -> Result<Duration> {
    let value = text.value();
    let unit = value.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(value.len());
    let seconds = match &value[unit..] {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let amount = value[..unit].trim().parse::<f64>().unwrap_or(f64::NAN);
    Duration::try_from_secs_f64(amount * seconds).map_err(|_| {
        let message = format!("`{value}` is no length of time: write \"200ms\", \"30s\", \"5m\" or \"1h\"");
        Error::new(text.span(), message)
    })
}
