//! broot (pull request 1203): an apostrophe in a path closes the quotes and is quoted itself, but the quotes are not
//! reopened.

use crate::Bug;

/// The shell reads a quoted path as one word, equal to the path.
pub fn holds(bug: Bug, path: &str) -> Option<bool> {
    Some(shell_word(&quote(bug, path)).as_deref() == Some(path))
}

pub fn witness() -> (String,) {
    ("it's".to_owned(),)
}

fn quote(bug: Bug, path: &str) -> String {
    let apostrophe = match bug {
        Bug::Present => "'\"'",
        Bug::Fixed => "'\"'\"'",
    };
    format!("'{}'", path.replace('\'', apostrophe))
}

/// Reads one word of single and double quotes. Returns `None` if a quote is not closed or the word ends early.
fn shell_word(text: &str) -> Option<String> {
    let (mut word, mut quote) = (String::new(), None);
    for c in text.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => word.push(c),
            (None, '\'' | '"') => quote = Some(c),
            (None, _) if c.is_whitespace() => return None,
            (None, _) => word.push(c),
        }
    }
    quote.is_none().then_some(word)
}
