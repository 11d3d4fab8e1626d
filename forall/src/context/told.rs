//! What the environment wants to be told of runs, and how much of it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::OnceLock;

/// A longer text of a value is cut, and says so.
const MAX_TEXT: usize = 4000;

/// So many values of a feature are counted; the others together.
pub(crate) const FEATURE_VALUES: usize = 1000;

/// What the others are counted under.
pub(crate) const OTHERS: &str = "(other values)";

/// Whether the environment wants to hear of runs.
pub(crate) fn is_asked_for() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    cfg!(feature = "full") && *ASKED.get_or_init(|| events().is_some() || folder().is_some())
}

/// What `FORALL_EVENTS` names.
pub(crate) fn events() -> Option<PathBuf> {
    std::env::var_os("FORALL_EVENTS").filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// What `FORALL_OBSERVE` says, unless it says no.
pub(crate) fn folder() -> Option<PathBuf> {
    let value = std::env::var_os("FORALL_OBSERVE").filter(|value| !value.is_empty() && value != "0" && value != "off");
    value.map(PathBuf::from)
}

/// A text that is not too long. Of two that differ further on it is still seen that they do: readers tell inputs apart by their texts.
pub(crate) fn cut(text: &str) -> String {
    if text.len() <= MAX_TEXT {
        return text.to_owned();
    }
    let mut end = MAX_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{}… ({} bytes in all, #{:08x})", &text[..end], text.len(), hasher.finish() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let text = "é".repeat(3000);
        let short = cut(&text);
        assert!(short.contains("… (6000 bytes in all, #") && short.len() < 4100, "{short}");
        assert_eq!(cut("short"), "short");
    }
}
