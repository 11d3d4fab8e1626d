//! slugify for JavaScript, version 1.5.2 (issue 117): spaces are trimmed before other characters are removed, so "x !"
//! becomes "x-".

use crate::Bug;

/// A slug begins and ends with a letter or a digit, and is its own slug.
pub fn holds(bug: Bug, title: &str) -> Option<bool> {
    let slug = slug(bug, title);
    let ends = !slug.starts_with('-') && !slug.ends_with('-');
    Some(ends && self::slug(bug, &slug) == slug)
}

pub fn witness() -> (String,) {
    ("x !".to_owned(),)
}

fn slug(bug: Bug, title: &str) -> String {
    let mut slug = String::new();
    for c in title.trim_matches(is_separator).chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if is_separator(c) && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    match bug {
        Bug::Present => slug,
        Bug::Fixed => slug.trim_matches('-').to_owned(),
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == '-'
}
