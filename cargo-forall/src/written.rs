//! Properties that are values, as they are written: `forall::check("name", &property)` in an ordinary test.
//!
//! A test program knows its functions with `#[forall::test]`; a value it knows only while a test runs it. So the sources are read for
//! the calls that run one under a name.

use crate::write::beginning_without_code;
use std::fs;
use std::path::{Path, PathBuf};

/// What runs a property that is a value, up to its name.
const CALLS: [&str; 3] = ["forall::check(", "Run::new(", "Run::parallel("];

/// The folders of a package that have tests in them.
const FOLDERS: [&str; 4] = ["src", "tests", "benches", "examples"];

/// A property that is a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The name that it is run under.
    pub name: String,
    /// The file, from the workspace on, and the line.
    pub place: String,
}

/// Those of a package, by their places.
pub fn of(package: &Path, root: &Path) -> Vec<Written> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        walk(&package.join(folder), &mut files);
    }
    files.sort();
    let mut written = Vec::new();
    for path in files {
        let Ok(source) = fs::read_to_string(&path) else { continue };
        // What has nothing to do with forall may have calls of the same names.
        if !source.contains("forall") {
            continue;
        }
        let file = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        written
            .extend(names(&source).into_iter().map(|(line, name)| Written { name, place: format!("{file}:{line}") }));
    }
    written
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        // Links may go in circles.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&path, files),
            Ok(_) if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            _ => {}
        }
    }
}

/// The lines of a source in which a property is run under a name that stands there, and the names.
fn names(source: &str) -> Vec<(usize, String)> {
    let (mut names, mut at) = (Vec::new(), 0);
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        let skipped = beginning_without_code(rest);
        if skipped > 0 {
            at += skipped;
            continue;
        }
        let follows_a_name = source[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let call = CALLS.iter().find(|call| !follows_a_name && rest.starts_with(**call));
        if let Some(name) = call.and_then(|call| text(rest[call.len()..].trim_start())) {
            names.push((source[..at].matches('\n').count() + 1, name.to_owned()));
        }
        at += c.len_utf8();
    }
    names
}

/// The plain text that a source begins with, if it does.
fn text(source: &str) -> Option<&str> {
    let (text, _) = source.strip_prefix('"')?.split_once('"')?;
    (!text.contains(['\\', '\n'])).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_with_a_name_are_found_where_they_are_code() {
        let source = "// forall::check(\"no\", &p);\nfn f() {\n    forall::check(\"nth is get\", &property);\n    let s = \"Run::new(\\\"no\\\")\";\n    \
                      Run::parallel(\n        \"sums\", &p).test();\n    forall::check(&name, &p);\n    MyRun::new(\"no\");\n}\n";
        assert_eq!(names(source), [(3, "nth is get".to_owned()), (5, "sums".to_owned())]);
    }
}
