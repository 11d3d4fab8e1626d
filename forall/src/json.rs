//! A small JSON writer and reader, without a dependency.

mod read;

pub use read::JsonValue;

/// The text in quotes, with everything escaped that ends a string or a line, or controls a terminal.
///
/// Not generic and not inlined: it is called rarely, from many places.
#[doc(hidden)]
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            // Control characters of all kinds, and line separators.
            c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// An object that is being written.
#[doc(hidden)]
#[derive(Debug)]
pub struct Object(String);

impl Object {
    #[allow(clippy::new_without_default, reason = "it is no value to default to, but the beginning of one")]
    pub fn new() -> Self {
        Self("{".to_owned())
    }

    /// Adds a field whose value is JSON already.
    pub fn raw(&mut self, key: &str, value: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0 += &quoted(key);
        self.0.push(':');
        self.0 += value;
    }

    pub fn end(self) -> String {
        self.0 + "}"
    }
}
