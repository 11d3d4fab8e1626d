//! Two properties of one name share what is stored for them, and their seed under `CI`. That is noticed, and told.

use super::{Identity, Settings, Store};
use crate::fact::Fact;
use crate::hash::Fnv;
use crate::property::Property;
use crate::registry;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// As many properties are remembered: more are most likely made in a loop, with names of their own.
const MAX_SEEN: usize = 10_000;

/// The properties that ran in this process and are not in the registry.
static SEEN: Mutex<Vec<Seen>> = Mutex::new(Vec::new());

struct Seen {
    /// Name and store, hashed.
    key: u64,
    file: &'static str,
    line: u32,
    variables: String,
}

/// What to say if there is another property of this name, with the same store.
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
    // That is how somebody runs a property of the registry by themselves; and a property that is known by its name alone may
    // have been changed, as any other may from run to run.
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

/// The variables of a property, which may differ where a property is written once and run for several types.
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
