//! `tremor-runtime` (issue 294): the Influx decoder panicked on a line that ends with a backslash, because it did not
//! check whether an escaped character follows.

use crate::Bug;

pub fn holds(bug: Bug, text: &str) -> Option<bool> {
    let fields = split(bug, text);
    Some(fields.iter().map(|field| field.chars().count()).sum::<usize>() <= text.chars().count())
}

pub fn witness() -> (String,) {
    ("tag\\".to_owned(),)
}

/// Splits at unescaped commas.
fn split(bug: Bug, text: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            ',' => fields.push(String::new()),
            '\\' if bug == Bug::Present || !rest.is_empty() => {
                let width = rest.chars().next().map_or(1, char::len_utf8);
                let (escaped, after) = rest.split_at(width);
                fields.last_mut().expect("there is a field").push_str(escaped);
                rest = after;
            }
            c => fields.last_mut().expect("there is a field").push(c),
        }
    }
    fields
}
