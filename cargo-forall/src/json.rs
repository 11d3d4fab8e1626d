//! Conversions between protocol records and `serde_json` values, for this tool's files and pages.

use forall::protocol::{Encode, Scalar};
use serde_json::{Value, json};

/// A record as a JSON value, to embed in other JSON.
pub fn value(of: &impl Encode) -> Value {
    serde_json::from_str(&of.encode()).unwrap_or_default()
}

/// A number or string for a page; whole numbers have no decimal point.
pub fn scalar(of: &Scalar) -> Value {
    match of {
        Scalar::Text(text) => json!(text),
        Scalar::Number(number) if number.fract() == 0.0 && number.abs() < (1u64 << 53) as f64 => json!(*number as i64),
        Scalar::Number(number) => json!(number),
    }
}

/// Parses a record from JSON, for tests.
#[cfg(test)]
pub fn read<T: forall::protocol::Decode>(json: Value) -> T {
    T::read(&json.to_string()).unwrap_or_else(|| panic!("{json} is not a valid record"))
}
