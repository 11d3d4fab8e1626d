//! `serde_json`.

use crate::choice::Source;
use crate::generate::{Arbitrary, Code, any, vec};
use serde::Serialize;
use serde_json::{Map, Number, Value};
use std::fmt::Write;

/// Prints a value as JSON, for the annotation `print`: where JSON reads better than Rust, or where a type has
/// `Serialize` and no `Debug`.
///
/// ```
/// use forall::interop::as_json;
/// use forall::{prelude::*, run::{Run, Settings, Store}};
///
/// let property = property! {
///     forall pair: (u8, Option<bool>), print |pair| as_json(pair);
///     check pair.0 < 100
/// };
/// let report = Run::new("pairs", &property).settings(Settings::new().store(Store::Off)).report();
/// assert_eq!(report.counterexample.unwrap().bindings[0].printed.text(), "[100,null]");
/// ```
///
/// A value that cannot be written as JSON, such as a map whose keys are not strings, is printed as the error.
pub fn as_json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| format!("<not JSON: {error}>"))
}

/// Integers, signed and unsigned, and finite fractions.
impl Arbitrary for Number {
    fn arbitrary(source: &mut Source) -> Self {
        match source.choice(3) {
            0 | 1 => Number::from(i64::arbitrary(source)),
            2 => Number::from(u64::arbitrary(source)),
            _ => Number::from_f64(f64::arbitrary(source)).unwrap_or_else(|| Number::from(0)),
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let simpler: Vec<Number> = match (self.as_i64(), self.as_u64(), self.as_f64()) {
            (Some(number), ..) => number.shrink().map(Number::from).collect(),
            (_, Some(number), _) => number.shrink().map(Number::from).collect(),
            (.., Some(number)) => number.shrink().filter_map(Number::from_f64).collect(),
            _ => Vec::new(),
        };
        Box::new(simpler.into_iter())
    }

    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn print(&self, code: &mut Code) {
        let (open, close) = if self.is_f64() {
            ("serde_json::Number::from_f64(", ").unwrap()")
        } else {
            ("serde_json::Number::from(", ")")
        };
        code.push(&format!("{open}{self}{close}"));
    }
}

/// Any value, about as large as the test's size. The simplest is `null`.
impl Arbitrary for Value {
    fn arbitrary(source: &mut Source) -> Self {
        let size = source.size();
        // When the size is used up, a value without parts.
        let kind = if size == 0 { source.choice(3) } else { source.choice(5) };
        match kind {
            0 => Value::Null,
            1 => Value::Bool(bool::arbitrary(source)),
            2 => Value::Number(Number::arbitrary(source)),
            3 => Value::String(String::arbitrary(source)),
            // Lists divide the size among their elements.
            4 => Value::Array(source.with_size(size / 2, |source| source.draw(vec(any::<Value>())))),
            _ => Value::Object(source.with_size(size / 2, Map::arbitrary)),
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let mut simpler: Vec<Value> = Vec::new();
        if *self != Value::Null {
            simpler.push(Value::Null);
        }
        match self {
            Value::Null => {}
            Value::Bool(value) => simpler.extend(value.shrink().map(Value::Bool)),
            Value::Number(value) => simpler.extend(value.shrink().map(Value::Number)),
            Value::String(value) => simpler.extend(value.shrink().map(Value::String)),
            Value::Array(values) => {
                simpler.extend(values.iter().cloned());
                simpler.extend(values.shrink().map(Value::Array));
            }
            Value::Object(entries) => {
                simpler.extend(entries.values().cloned());
                simpler.extend(entries.shrink().map(Value::Object));
            }
        }
        Box::new(simpler.into_iter())
    }

    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn print(&self, code: &mut Code) {
        let mut text = String::new();
        write(self, &mut text);
        code.push(&format!("serde_json::json!({text})"));
    }
}

/// Objects, with any values.
impl Arbitrary for Map<String, Value> {
    fn arbitrary(source: &mut Source) -> Self {
        source.draw(vec(any::<(String, Value)>())).into_iter().collect()
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        let entries: Vec<(String, Value)> = self.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let simpler: Vec<Self> = entries.shrink().map(|entries| entries.into_iter().collect()).collect();
        Box::new(simpler.into_iter())
    }

    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn print(&self, code: &mut Code) {
        let mut text = String::new();
        write(&Value::Object(self.clone()), &mut text);
        code.push(&format!("serde_json::json!({text}).as_object().unwrap().clone()"));
    }
}

/// The argument of `json!`: JSON, but with strings as Rust literals.
fn write(value: &Value, text: &mut String) {
    // Writing to a `String` does not fail.
    let _ = match value {
        Value::String(string) => write!(text, "{string:?}"),
        Value::Array(values) => {
            text.push('[');
            for (at, value) in values.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                write(value, text);
            }
            text.push(']');
            Ok(())
        }
        Value::Object(entries) => {
            text.push('{');
            for (at, (key, value)) in entries.iter().enumerate() {
                let _ = write!(text, "{}{key:?}: ", if at == 0 { "" } else { ", " });
                self::write(value, text);
            }
            text.push('}');
            Ok(())
        }
        other => write!(text, "{other}"),
    };
}
