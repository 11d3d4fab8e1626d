//! The JSON-P reference implementation (javaee/jsonp issue 77): the result of a merge patch contains objects of the
//! patch unchanged, with the nulls that should remove members. In this model, those are the objects that the target
//! lacks.

use crate::Bug;
use crate::shapes::Json;
use std::collections::BTreeMap;

/// Applying a patch is idempotent.
pub fn holds(bug: Bug, target: &Json, patch: &Json) -> Option<bool> {
    let patch = read(patch);
    let once = merge(bug, Some(read(target)), &patch);
    let twice = merge(bug, Some(once.clone()), &patch);
    Some(once == twice)
}

pub fn witness() -> (Json, Json) {
    let object = |value| Json::Object(vec![("name".to_owned(), value)]);
    (Json::Object(vec![]), object(object(Json::Null)))
}

#[derive(Clone, PartialEq)]
enum Value {
    Leaf(Json),
    Object(BTreeMap<String, Value>),
}

fn read(json: &Json) -> Value {
    match json {
        Json::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), read(value))).collect())
        }
        leaf => Value::Leaf(leaf.clone()),
    }
}

fn merge(bug: Bug, target: Option<Value>, patch: &Value) -> Value {
    let Value::Object(changes) = patch else { return patch.clone() };
    let mut members = match target {
        Some(Value::Object(members)) => members,
        _ if bug == Bug::Present => return patch.clone(),
        _ => BTreeMap::new(),
    };
    for (name, change) in changes {
        let old = members.remove(name);
        if *change != Value::Leaf(Json::Null) {
            members.insert(name.clone(), merge(bug, old, change));
        }
    }
    Value::Object(members)
}
