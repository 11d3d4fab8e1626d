//! The keys of `#[forall::test(…)]` and `#[forall::property(…)]`: each is the builder method of its name.

use crate::compiler::{Ident, Literal, Span, TokenStream};
use crate::parse::{Error, Errors, Input, Result, integer, literal};
use crate::template::{Piece, template};

const KEYS: &[&str] = &[
    "tests",
    "seed",
    "size",
    "discard_ratio",
    "health",
    "time",
    "extra_time",
    "deadline",
    "shrink_evaluations",
    "shrink_time",
    "shrink_on",
    "shrink_greedily",
    "explain",
    "exhaustive",
    "runner",
    "runtime",
    "allow_task_panics",
    "depth",
    "evaluations",
    "threads",
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

pub struct Keys {
    pub krate: TokenStream,
    /// Calls of builder methods.
    pub calls: Vec<TokenStream>,
    /// Whether parameters are to be shrunk by the structure of their values.
    pub structural: bool,
    /// Whether the runner is the exhaustive one.
    pub exhaustive: bool,
    /// What an async body runs under, with the place of its key.
    pub runtime: Option<(Span, TokenStream)>,
    /// The builder of the runtime of tokio, if it is not the usual one: an expression.
    pub tokio: Option<TokenStream>,
    /// The place of `allow_task_panics`, if it is there: tasks of a test under tokio may panic.
    pub task_panics: Option<Span>,
}

impl Keys {
    pub fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut found: Vec<(&'static str, Span, Option<TokenStream>)> = Vec::new();
        let read = Input::new(tokens).list(|input| {
            let (key, span) = input.word("a key", KEYS)?;
            let value = match (input.eat("="), key) {
                (Some(equals), "crate") => Some(input.path(equals.span())?),
                (Some(equals), _) => Some(input.expression(equals.span(), "a value")?),
                (None, _) => None,
            };
            if found.iter().any(|(other, ..)| *other == key) {
                return Err(Error::new(span, format!("the key `{key}` is given twice")));
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
                    errors.at(span, "`allow_task_panics` stands alone: remove its value");
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
            "exhaustive" | "health" | "isolate" | "own_cwd" | "read_only" | "serial" | "shrink_greedily"
            | "verbose" => {
                return Ok(template!(|method| .#method(true)));
            }
            "time" | "extra_time" | "deadline" | "shrink_time" | "timeout" => "\"2s\"",
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
        ("time" | "extra_time" | "deadline" | "shrink_time" | "timeout", Some(_)) => {
            let error = |message| Error::over(value.clone(), message);
            if is_number {
                return Err(error(format!("a time has a unit: `{key} = \"{word}s\"`")));
            }
            let nanoseconds = nanoseconds(word.trim_matches(QUOTES)).map_err(error)?;
            template!(|nanoseconds| ::core::time::Duration::from_nanos(#nanoseconds))
        }
        ("memory" | "stack", Some(_)) => {
            let error = |message| Error::over(value.clone(), message);
            if is_number {
                return Err(error(format!("an amount of memory has a unit: `{key} = \"{word}MB\"`")));
            }
            let bytes = bytes(word.trim_matches(QUOTES)).map_err(error)?;
            template!(|bytes| #bytes)
        }
        // Of the type that a schedule can be made of.
        ("size", Some(literal)) if is_number => {
            let message = format!("a size is a whole number from 0 to {}", u32::MAX);
            let number = integer(&literal).ok_or_else(|| Error::over(value.clone(), message))?;
            number.tokens()
        }
        ("threads", None) if word == "all" => template!(|krate| #krate::__private::all_threads()),
        ("runner", None) if !word.contains(NO_RUNNER) => word.tokens(),
        ("store", None) if word == "off" => template!(|krate| #krate::run::Store::Off),
        ("store", Some(text)) => {
            template!(|krate, text| #krate::run::Store::Directory(::core::convert::From::from(#text)))
        }
        ("shrink_on", _) => match word.as_str() {
            "choices" => template!(|krate| #krate::run::ShrinkOn::Choices),
            "values" => template!(|krate| #krate::run::ShrinkOn::Values),
            "both" => template!(|krate| #krate::run::ShrinkOn::Both),
            _ => {
                let message = "shrinking is on `choices`, on `values` or on `both`: `shrink_on = both`";
                return Err(Error::over(value, message.to_owned()));
            }
        },
        ("explain", None) if word == "off" => template!(0),
        ("health", None) if word == "off" => template!(false),
        _ => value,
    };
    Ok(template!(|method, value| .#method(#value)))
}

/// What stands around a text.
const QUOTES: fn(char) -> bool = |c| matches!(c, 'r' | '#' | '"');

/// What no name of a runner has in it.
const NO_RUNNER: fn(char) -> bool = |c| !c.is_ascii_lowercase() && c != '_';

/// What a unit begins with.
const LETTER: fn(char) -> bool = |c| c.is_ascii_alphabetic();

/// A length of time such as `"200ms"`: what `forall::run::Time` reads from the environment.
fn nanoseconds(text: &str) -> std::result::Result<u64, String> {
    let unit = text.find(LETTER).unwrap_or(text.len());
    let seconds = match &text[unit..] {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let nanoseconds = text[..unit].trim().parse::<f64>().unwrap_or(f64::NAN) * seconds * 1e9;
    match (0.0..1e19).contains(&nanoseconds) {
        true => Ok(nanoseconds.round() as u64),
        false => Err(format!("`{text}` is no length of time: write \"200ms\", \"30s\", \"5m\" or \"1h\"")),
    }
}

/// An amount of memory such as `"512MB"`: what `forall::run::Bytes` reads from the environment.
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
        false => Err(format!("`{text}` is no amount of memory: write \"64KB\", \"512MB\" or \"2GiB\"")),
    }
}
