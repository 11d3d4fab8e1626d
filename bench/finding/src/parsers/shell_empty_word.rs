//! A Rust port of `rsync` (pull request 1840 of `oferchen/rsync`): its command-line splitter dropped arguments that are
//! quoted empty strings.

use crate::Bug;

pub fn holds(bug: Bug, words: &[String]) -> Option<bool> {
    let line: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    Some(split(bug, &line.join(" ")) == words)
}

pub fn witness() -> (Vec<String>,) {
    (vec!["cp".to_owned(), String::new()],)
}

fn split(bug: Bug, line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut started) = (vec![], String::new(), false, false);
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '\'' => {
                quoted = !quoted;
                started |= bug == Bug::Fixed;
            }
            '\\' if !quoted => word.extend(rest.next()),
            ' ' if !quoted => {
                if started || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                started = false;
            }
            c => word.push(c),
        }
    }
    if started || !word.is_empty() {
        words.push(word);
    }
    words
}
