//! The lines that client and server exchange.
//!
//! A command is one line of words. The answer is some lines and `%%% OK`, or some lines, `%%% FAILURE`, lines with the
//! error message, and `%%% OK`.
//!
//! ```
//! use forall_futhark::protocol::{join, split};
//! let line = join(&["fields", "(i32, bool)"]).unwrap();
//! assert_eq!(line, r#"fields "(i32, bool)""#);
//! assert_eq!(split(&line), ["fields", "(i32, bool)"]);
//! ```

/// The line that ends every answer.
pub const OK: &str = "%%% OK";

/// The line that begins the error message of an answer.
pub const FAILURE: &str = "%%% FAILURE";

/// The maximum number of words on a line: a server ends when it reads more.
pub const MOST_WORDS: usize = 999;

/// Joins words to a command line; `None` if a word contains a quote or a line end, which cannot be sent.
///
/// ```
/// use forall_futhark::protocol::join;
/// assert_eq!(join(&["store", "my file", "x"]).unwrap(), "store \"my file\" x");
/// assert_eq!(join(&["store", "a\"b"]), None);
/// ```
pub fn join(words: &[&str]) -> Option<String> {
    let mut line = String::new();
    for word in words {
        if word.contains(['"', '\n', '\r']) {
            return None;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        // An empty word must be quoted.
        if word.is_empty() || word.contains(char::is_whitespace) {
            line.push('"');
            line += word;
            line.push('"');
        } else {
            line += word;
        }
    }
    Some(line)
}

/// Splits a line into words. Quotes have no escapes; an unclosed quote ends with the line; the next word may follow a
/// closing quote without a blank.
///
/// ```
/// use forall_futhark::protocol::split;
/// assert_eq!(split(r#"  free "x"y  "open"#), ["free", "x", "y", "open"]);
/// ```
pub fn split(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            // A quote at the very end of a line is ignored.
            Some("") => break,
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        words.push(word);
        rest = after.trim_start();
    }
    words
}
