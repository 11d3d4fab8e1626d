//! The keys of `#[forall::test(…)]` and `#[forall::property(…)]`: each calls the builder method of its name.

use crate::compiler::{Ident, Literal, Span, TokenStream, TokenTree};
use crate::parse::{Error, Errors, Input, Result, integer, literal};
use crate::template::{Piece, template};
use crate::tokens::is_named;

const KEYS: &[&str] = &[
    "tests",
    "seed",
    "size",
    "discard_ratio",
    "health",
    "max_time",
    "extra_time",
    "deadline",
    "shrink_evaluations",
    "shrink_time",
    "shrink_on",
    "explain",
    "enumerate",
    "runner",
    "runtime",
    "allow_task_panics",
    "depth",
    "evaluations",
    "threads",
    "beside",
    "serial",
    "own_cwd",
    "isolate",
    "timeout",
    "memory",
    "stack",
    "store",
    "read_only",
    "verbose",
    "crate",
];

/// Names of settings in other libraries or of other things, and ours.
const ELSEWHERE: &[(&str, &str)] = &[
    ("cases", "tests"),
    ("num_tests", "tests"),
    ("max_tests", "tests"),
    ("iterations", "tests"),
    ("runs", "tests"),
    ("max_global_rejects", "discard_ratio"),
    ("max_discard_ratio", "discard_ratio"),
    ("max_shrink_iters", "shrink_evaluations"),
    ("max_shrink_time", "shrink_time"),
    ("fork", "isolate"),
    ("max_size", "size"),
    ("exhaustive", "enumerate = off` or `runner = exhaustive"),
];

/// Settings that are on or off.
const SWITCHES: &[&str] = &["enumerate", "health", "isolate", "own_cwd", "read_only", "serial", "verbose"];

pub struct Keys {
    pub krate: TokenStream,
    /// Calls of builder methods.
    pub calls: Vec<TokenStream>,
    /// Whether to shrink parameters by the structure of their values.
    pub structural: bool,
    /// Whether the runner is the exhaustive one.
    pub exhaustive: bool,
    /// The runtime of an async body, with the span of its key.
    pub runtime: Option<(Span, TokenStream)>,
    /// An expression for the builder of the Tokio runtime, if it is not the default.
    pub tokio: Option<TokenStream>,
    /// The span of `allow_task_panics`, if given: Tokio tasks of a test may panic.
    pub task_panics: Option<Span>,
}

impl Keys {
    pub fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut found: Vec<(&'static str, Span, Option<TokenStream>)> = Vec::new();
        let read = Input::new(tokens).list(|input| {
            if let Some(TokenTree::Ident(word)) = input.peek()
                && let Some((_, ours)) = ELSEWHERE.iter().find(|(theirs, _)| is_named(word, theirs))
            {
                return Err(input.error(format!("unknown key `{word}`: did you mean `{ours}`?")));
            }
            let (key, span) = input.word("a key", KEYS)?;
            let value = match (input.eat("="), key) {
                (Some(equals), "crate") => Some(input.path(equals.span())?),
                (Some(equals), _) => Some(input.expression(equals.span(), "a value")?),
                (None, _) => None,
            };
            if found.iter().any(|(other, ..)| *other == key) {
                return Err(Error::new(span, format!("duplicate key `{key}`")));
            }
            found.push((key, span, value));
            Ok(())
        });
        errors.take(read);
        let mut krate = template!(::forall);
        for (key, _, value) in &found {
            if let ("crate", Some(path)) = (*key, value) {
                krate = path.clone();
            }
        }
        let calls = Vec::new();
        let mut keys =
            Self { krate, calls, structural: false, exhaustive: false, runtime: None, tokio: None, task_panics: None };
        for (key, span, value) in found {
            let word = value.as_ref().map(TokenStream::to_string).unwrap_or_default();
            keys.structural |= key == "shrink_on" && matches!(&*word, "values" | "both");
            keys.exhaustive |= key == "runner" && word.trim_matches('"') == "exhaustive";
            match (key, value) {
                ("crate", Some(_)) => {}
                ("runtime", Some(value)) => keys.runtime = Some((span, value)),
                ("allow_task_panics", None) => keys.task_panics = Some(span),
                ("allow_task_panics", Some(_)) => {
                    errors.at(span, "`allow_task_panics` takes no value: remove it");
                }
                (_, value) => {
                    if let Some(call) = errors.take(call(key, span, value, &keys.krate)) {
                        keys.calls.push(call);
                    }
                }
            }
        }
        keys
    }
}

/// The call of the method for one key.
fn call(key: &str, span: Span, value: Option<TokenStream>, krate: &TokenStream) -> Result<TokenStream> {
    let method = Ident::new(key, span);
    let Some(value) = value else {
        let example = match key {
            _ if SWITCHES.contains(&key) => return Ok(template!(|method| .#method(true))),
            "max_time" | "extra_time" | "deadline" | "shrink_time" | "timeout" => "\"2s\"",
            "memory" | "stack" => "\"64MB\"",
            "runner" => "\"generational\"",
            "runtime" => "tokio",
            "shrink_on" => "both",
            "store" => "\"directory\"",
            "threads" => "4` or `threads = all",
            "crate" => "path",
            _ => "100",
        };
        return Err(Error::new(span, format!("`{key}` needs a value: `{key} = {example}`")));
    };
    let literal = literal(&value);
    let word = literal.as_ref().map_or_else(|| value.to_string(), Literal::to_string);
    let is_number = word.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let value = match (key, literal) {
        ("extra_time", _) if word.trim_matches(QUOTES) == "off" => template!(::core::time::Duration::ZERO),
        ("max_time" | "extra_time" | "deadline" | "shrink_time" | "timeout", Some(_)) => {
            let or_off = if key == "extra_time" { ", or `extra_time = off`" } else { "" };
            let error = |message| Error::over(value.clone(), format!("{message}{or_off}"));
            if is_number {
                return Err(error(format!("a duration needs a unit: `{key} = \"{word}s\"`")));
            }
            let nanoseconds = nanoseconds(word.trim_matches(QUOTES)).map_err(error)?;
            template!(|nanoseconds| ::core::time::Duration::from_nanos(#nanoseconds))
        }
        ("memory" | "stack", Some(_)) => {
            let error = |message| Error::over(value.clone(), message);
            if is_number {
                return Err(error(format!("an amount of memory needs a unit: `{key} = \"{word}MB\"`")));
            }
            let bytes = bytes(word.trim_matches(QUOTES)).map_err(error)?;
            template!(|bytes| #bytes)
        }
        // A `u32`, which converts to a schedule.
        ("size", Some(literal)) if is_number => {
            let message = format!("`size` is a whole number from 0 to {}", u32::MAX);
            let number = integer(&literal).ok_or_else(|| Error::over(value.clone(), message))?;
            number.tokens()
        }
        ("threads", None) if word == "all" => template!(|krate| #krate::__private::all_threads()),
        ("runner", None) if is_name(&word) => word.tokens(),
        ("runner", None) if word.rsplit(':').next().is_some_and(|last| is_name(last.trim())) => {
            let name = word.rsplit(':').next().unwrap_or_default().trim();
            let message = format!("`runner` takes the name of a runner, not a path: `runner = {name}`");
            return Err(Error::over(value, message));
        }
        ("store", None) if word == "off" => template!(|krate| #krate::run::Store::Off),
        ("store", Some(text)) => {
            template!(|krate, text| #krate::run::Store::Directory(::core::convert::From::from(#text)))
        }
        ("shrink_on", _) => match word.as_str() {
            "choices" => template!(|krate| #krate::run::ShrinkOn::Choices),
            "values" => template!(|krate| #krate::run::ShrinkOn::Values),
            "both" => template!(|krate| #krate::run::ShrinkOn::Both),
            _ => {
                let message = "`shrink_on` is `choices`, `values` or `both`";
                return Err(Error::over(value, message.to_owned()));
            }
        },
        ("own_cwd", None) if word == "per_test" => template!(|krate| #krate::run::Cwd::PerTest),
        ("own_cwd", None) if word == "per_thread" => template!(|krate| #krate::run::Cwd::PerThread),
        ("explain", None) if word == "off" => template!(0),
        (_, None) if word == "off" && SWITCHES.contains(&key) => template!(false),
        (_, None) if word == "on" && SWITCHES.contains(&key) => template!(true),
        _ => value,
    };
    Ok(template!(|method, value| .#method(#value)))
}

/// The characters around a string literal.
const QUOTES: fn(char) -> bool = |c| matches!(c, 'r' | '#' | '"');

/// Whether a value is the name of a runner: a function's name, not a constant's.
fn is_name(word: &str) -> bool {
    let starts = word.chars().next().is_some_and(|c| c.is_lowercase() || c == '_');
    starts && word.chars().all(|c| c == '_' || c.is_alphanumeric() && !c.is_uppercase())
}

/// The first character of a unit.
const LETTER: fn(char) -> bool = |c| c.is_ascii_alphabetic();

/// A duration such as `"200ms"`, as `forall::run::Time` parses it from the environment.
fn nanoseconds(text: &str) -> std::result::Result<u64, String> {
    let unit = text.find(LETTER).unwrap_or(text.len());
    let seconds = match &text[unit..] {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => f64::NAN,
    };
    let nanoseconds = text[..unit].trim().parse::<f64>().unwrap_or(f64::NAN) * seconds * 1e9;
    match (0.0..1e19).contains(&nanoseconds) {
        true => Ok(nanoseconds.round() as u64),
        false => Err(format!("`{text}` is not a duration: use \"200ms\", \"30s\", \"5m\" or \"1h\"")),
    }
}

/// An amount of memory such as `"512MB"`, as `forall::run::Bytes` parses it from the environment.
fn bytes(text: &str) -> std::result::Result<u64, String> {
    let unit = text.find(LETTER).unwrap_or(text.len());
    let unit_bytes = match &text[unit..] {
        "B" => 1.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "KiB" => 1024.0,
        "MiB" => 1_048_576.0,
        "GiB" => 1_073_741_824.0,
        _ => f64::NAN,
    };
    let bytes = text[..unit].trim().parse::<f64>().unwrap_or(f64::NAN) * unit_bytes;
    match (1.0..1e18).contains(&bytes) {
        true => Ok(bytes as u64),
        false => Err(format!("`{text}` is not an amount of memory: use \"64KB\", \"512MB\" or \"2GiB\"")),
    }
}
