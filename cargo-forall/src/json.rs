//! JSON of this program's own files and pages, made of records of the protocol and back.

use forall::protocol::{Encode, Scalar};
use serde_json::{Value, json};

/// A record as it is written, to be put into other JSON.
pub fn value(of: &impl Encode) -> Value {
    serde_json::from_str(&of.encode()).unwrap_or_default()
}

/// A number or a text, as pages read it: a whole number has no point.
pub fn scalar(of: &Scalar) -> Value {
    match of {
        Scalar::Text(text) => json!(text),
        Scalar::Number(number) if number.fract() == 0.0 && number.abs() < (1u64 << 53) as f64 => json!(*number as i64),
        Scalar::Number(number) => json!(number),
    }
}

/// A record of a test, by its JSON.
#[cfg(test)]
pub fn read<T: forall::protocol::Decode>(json: Value) -> T {
    T::read(&json.to_string()).unwrap_or_else(|| panic!("{json} is no such record"))
}
