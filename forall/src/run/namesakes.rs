//! Properties of the same name share their saved failures, and their seed under `CI`. They are detected and reported.

use super::{Identity, Settings, Store};
use crate::fact::Fact;
use crate::hash::Fnv;
use crate::property::Property;
use crate::registry;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// At most this many properties are remembered: more are probably created in a loop, with distinct names.
const MAX_SEEN: usize = 10_000;

/// The properties that ran in this process and are not in the registry.
static SEEN: Mutex<Vec<Seen>> = Mutex::new(Vec::new());

struct Seen {
    /// A hash of name and store.
    key: u64,
    file: &'static str,
    line: u32,
    variables: String,
}

/// The warning, if another property has this name and the same store.
pub(super) fn warning(
    identity: &Identity,
    property: &dyn Property,
    settings: &Settings,
    package: &Path,
) -> Option<Fact> {
    let Identity { name, file, line, .. } = identity;
    let store = match &settings.store {
        Store::Off => return None,
        Store::Default => package.to_owned(),
        Store::Directory(directory) => package.join(directory),
    };
    let mut other = None;
    let (mut is_registered, mut is_named_after_one) = (false, false);
    for entry in &registry::named(name) {
        let place = (entry.identity.file, entry.identity.line);
        let same = place == (*file, *line);
        is_registered |= same;
        if !same {
            is_named_after_one = true;
            other = Some(place);
        }
    }
    if is_registered {
        let (file, line) = other?;
        let own = place(identity.file, identity.line, "");
        return Some(Fact::SameName { own, other: place(file, line, "") });
    }
    // The user may run a registered property explicitly, and a property that is known only by its name may change from
    // run to run.
    if is_named_after_one || file.is_empty() {
        return None;
    }
    let mut key = Fnv::default();
    key.bytes(name.as_bytes());
    key.bytes(store.as_os_str().as_encoded_bytes());
    let own = Seen { key: key.finish(), file, line: *line, variables: variables(property) };
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut is_known = false;
    for other in &*seen {
        if other.key != own.key {
            continue;
        }
        let same = (other.file, other.line, &other.variables) == (own.file, own.line, &own.variables);
        is_known |= same;
        if !same {
            let other = place(other.file, other.line, &other.variables);
            return Some(Fact::SameName { own: place(own.file, own.line, &own.variables), other });
        }
    }
    if !is_known && seen.len() < MAX_SEEN {
        seen.push(own);
    }
    None
}

/// The variables of a property, which may differ if one generic function tests several types.
fn variables(property: &dyn Property) -> String {
    let mut text = String::new();
    for variable in &property.outline().quantifiers {
        let comma = if text.is_empty() { "" } else { ", " };
        text += &format!("{comma}{}: {}", variable.name, variable.type_name);
    }
    text
}

fn place(file: &str, line: u32, variables: &str) -> String {
    let over = if variables.is_empty() { String::new() } else { format!(" over ({variables})") };
    format!("{file}:{line}{over}")
}
