//! `toml` (pull request 373 of `toml-rs`, found by a round trip with quickcheck): an empty key was written without
//! quotes, which is not valid TOML.

use crate::Bug;

pub fn holds(bug: Bug, table: &[(String, i64)]) -> Option<bool> {
    let text: Vec<String> = table.iter().map(|(name, value)| format!("{} = {value}", key(bug, name))).collect();
    let read: Option<Vec<(String, i64)>> = text.iter().map(|line| read(line)).collect();
    Some(read.as_deref() == Some(table))
}

pub fn witness() -> (Vec<(String, i64)>,) {
    (vec![(String::new(), 5)],)
}

fn key(bug: Bug, name: &str) -> String {
    let bare = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare && (bug == Bug::Present || !name.is_empty()) {
        return name.to_owned();
    }
    let escaped: String =
        name.chars().map(|c| if "\"\\".contains(c) { format!("\\{c}") } else { c.to_string() }).collect();
    format!("\"{escaped}\"")
}

fn read(line: &str) -> Option<(String, i64)> {
    let (key, value) = line.rsplit_once(" = ")?;
    let name = match key.strip_prefix('"') {
        None if key.is_empty() => return None,
        None => key.to_owned(),
        Some(quoted) => {
            let (mut name, mut rest) = (String::new(), quoted.strip_suffix('"')?.chars());
            while let Some(c) = rest.next() {
                name.push(if c == '\\' { rest.next()? } else { c });
            }
            name
        }
    };
    Some((name, value.parse().ok()?))
}
