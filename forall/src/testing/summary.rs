//! The variables of an input on one line.

use crate::property::Binding;
use crate::text::{Language, beginning, counted, joined, one_line, shorten};
use crate::within;

/// The variables on one line of at most `width` columns.
pub(crate) fn summary(bindings: &[Binding], width: usize) -> String {
    let mut parts = Vec::new();
    for Binding { name, printed, .. } in bindings.iter().filter(|binding| !binding.is_source()) {
        let value = match (&printed.code, &printed.debug) {
            (Some(code), _) => shown(code, Language::Code),
            (None, Some(debug)) => shown(debug, Language::Debug),
            (None, None) => "_".to_owned(),
        };
        parts.push(format!("{name} = {}", one_line(beginning(&value, width.saturating_add(1)))));
    }
    shorten(&joined(&parts, ", "), width)
}

/// The text of a value: runs of equal elements are counted, and standard collections have no path.
pub(crate) fn shown(text: &str, language: Language) -> String {
    counted(&within::replaced(text, "std::collections::", ""), language)
}
