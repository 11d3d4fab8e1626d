//! Texts as JSON has them: for whatever of this project writes JSON without a library for it.

/// The text in quotes, with everything escaped that ends a text, a line or a terminal's patience.
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
            // Control characters of all kinds, and what ends lines for some readers.
            c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
