//! Just as much of JSON as is written here.

use crate::json::quoted;

/// An object that is being written.
pub(super) struct Object(String);

impl Object {
    pub(super) fn new() -> Self {
        Self("{".to_owned())
    }

    /// A field whose value is JSON already.
    pub(super) fn raw(mut self, key: &str, value: &str) -> Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0 += &quoted(key);
        self.0.push(':');
        self.0 += value;
        self
    }

    pub(super) fn text(self, key: &str, text: &str) -> Self {
        self.raw(key, &string(text))
    }

    pub(super) fn maybe(self, key: &str, text: Option<&str>) -> Self {
        self.raw(key, &text.map_or("null".to_owned(), string))
    }

    pub(super) fn whole(self, key: &str, number: u64) -> Self {
        self.raw(key, &number.to_string())
    }

    pub(super) fn number(self, key: &str, value: f64) -> Self {
        self.raw(key, &number(value))
    }

    pub(super) fn flag(self, key: &str, flag: bool) -> Self {
        self.raw(key, if flag { "true" } else { "false" })
    }

    pub(super) fn end(self) -> String {
        self.0 + "}"
    }
}

/// What is no number in JSON is none.
pub(super) fn number(number: f64) -> String {
    if number.is_finite() { format!("{number}") } else { "null".to_owned() }
}

pub(super) fn string(text: &str) -> String {
    quoted(text)
}

/// A list of what is JSON already.
pub(super) fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_json_whatever_the_texts_are() {
        let text = "a\"b\\c\n\u{1b}[31m\u{7f}\u{2028}é";
        let line =
            Object::new().text("te\"xt", text).number("nan", f64::NAN).number("half", 0.5).flag("yes", true).end();
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read["te\"xt"], text);
        assert_eq!(
            (read["nan"].is_null(), read["half"].as_f64(), read["yes"].as_bool()),
            (true, Some(0.5), Some(true))
        );
        assert!(!line.contains(['\n', '\u{1b}']), "{line}");
    }
}
