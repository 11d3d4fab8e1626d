//! `serde_json::Value`: tables are read back.

use super::Pair;
use forall::lazy::{Lazy, List};
use forall::prelude::*;
use serde_json::Value;

pub const PAIR: Pair = Pair {
    name: "serde_json::Value",
    twin: || Box::new(a_table_is_read_back::property()),
    by_hand: || {
        Box::new(property! {
            forall json: Lazy<LazyJson>;
            implies lazy_is_table(json);
            check is_read_back(&lazy_value(json))
        })
    },
    depths: (5, 6),
};

fn is_read_back(value: &Value) -> bool {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    serde_json::from_str::<Value>(&text).is_ok_and(|read| read == *value)
}

forall::twin! {
    enum JsonTwin for Value {
        Null,
        Bool(bool),
        Number(i64) => |n: i64| Value::from(n),
        String(String),
        Array(Vec<JsonTwin>),
    }
}

/// Rows of the same length, of what is no list.
fn is_table(json: &JsonTwin) -> bool {
    let JsonTwin::Array(rows) = json else { return false };
    let mut columns = None;
    rows.iter().all(|row| match &**row {
        JsonTwin::Array(row) => {
            let length = row.len();
            *columns.get_or_insert(length) == length && row.iter().all(|value| !matches!(**value, JsonTwin::Array(_)))
        }
        _ => false,
    })
}

#[forall::property(runner = exhaustive)]
fn a_table_is_read_back(#[forall(twin = JsonTwin, given = is_table)] json: &Value) -> bool {
    is_read_back(json)
}

#[derive(Arbitrary, Clone, Debug)]
enum LazyJson {
    Null,
    Bool(Lazy<bool>),
    Number(Lazy<i64>),
    String(Lazy<List<char>>),
    Array(Lazy<List<LazyJson>>),
}

fn lazy_value(json: &LazyJson) -> Value {
    match json {
        LazyJson::Null => Value::Null,
        LazyJson::Bool(flag) => Value::Bool(**flag),
        LazyJson::Number(number) => Value::from(**number),
        LazyJson::String(text) => Value::String(text.iter().map(|character| **character).collect()),
        LazyJson::Array(values) => values.iter().map(|value| lazy_value(value)).collect(),
    }
}

fn lazy_is_table(json: &LazyJson) -> bool {
    let LazyJson::Array(rows) = json else { return false };
    let mut columns = None;
    rows.iter().all(|row| match &**row {
        LazyJson::Array(row) => {
            let length = row.len();
            *columns.get_or_insert(length) == length && row.iter().all(|value| !matches!(**value, LazyJson::Array(_)))
        }
        _ => false,
    })
}
