//! Recording of runs, as requested by the environment.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The text of a value is truncated to this length, with a mark.
const MAX_TEXT: usize = 4000;

/// The number of a feature's values that are counted separately; the others are counted together.
pub(crate) const FEATURE_VALUES: usize = 1000;

/// The name under which the other values are counted.
pub(crate) const OTHERS: &str = "(other values)";

/// Whether the environment requests recording.
pub(crate) fn is_asked_for() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    cfg!(feature = "full") && *ASKED.get_or_init(|| events().is_some() || folder().is_some())
}

/// The value of `FORALL_EVENTS`.
pub(crate) fn events() -> Option<PathBuf> {
    std::env::var_os("FORALL_EVENTS").filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The value of `FORALL_OBSERVE`, unless it disables recording.
pub(crate) fn folder() -> Option<PathBuf> {
    let value = std::env::var_os("FORALL_OBSERVE").filter(|value| !value.is_empty() && value != "0" && value != "off");
    value.map(PathBuf::from)
}

/// A truncated text, with a hash: readers distinguish inputs by their texts, even if they differ only after the limit.
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
    format!("{}… ({} bytes, #{:08x})", &text[..end], text.len(), hasher.finish() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_truncated_between_characters() {
        let text = "é".repeat(3000);
        let short = cut(&text);
        assert!(short.contains("… (6000 bytes, #") && short.len() < 4100, "{short}");
        assert_eq!(cut("short"), "short");
    }
}
