//! Writing into the user's source: an example above a property.

use crate::Error;
use crate::properties::Property;
use crate::workspace::Workspace;
use forall::store::Entry;
use std::fs;

/// Writes `#[example(…)]` below the attribute of the property. `builds` says whether the tests still build; if they do not, the
/// source is left as it was. The place that was written to.
pub fn write_example(
    workspace: &Workspace,
    property: &Property,
    entry: &Entry,
    builds: &dyn Fn() -> Result<(), ()>,
) -> Result<String, Error> {
    let (file, line) = property.place.rsplit_once(':').unwrap_or((&property.place, "0"));
    let path = workspace.root.join(file);
    let wrong = |doing: &str, error: &std::io::Error| {
        format!("cannot {doing} {}: {error}; keep it as a regression instead", path.display())
    };
    let before = fs::read_to_string(&path).map_err(|error| wrong("read", &error))?;
    let values: Vec<&str> = entry.printed.iter().map(|variable| variable.text.as_str()).collect();
    let example = format!("#[example({})]", values.join(", "));
    let (after, at) = with_attribute(&before, line.parse().unwrap_or(0), &example).ok_or_else(|| {
        format!("there is no attribute of forall at {}; keep it as a regression instead", property.place)
    })?;
    fs::write(&path, after).map_err(|error| wrong("write", &error))?;
    if builds().is_err() {
        fs::write(&path, before).map_err(|error| wrong("restore", &error))?;
        return Err(format!(
            "with {example} the tests do not build, so {file} was left as it was. The values cannot be written as Rust there; \
             keep it as a regression instead"
        ));
    }
    Ok(format!("{file}:{at}"))
}

/// The source with `attribute` in a line of its own below the attribute that begins in this line, counted from 1; and the line
/// that it is in.
fn with_attribute(source: &str, line: usize, attribute: &str) -> Option<(String, usize)> {
    let start: usize = source.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let first = source[start..].lines().next()?;
    let indent = &first[..first.len() - first.trim_start().len()];
    if !first.trim_start().starts_with("#[") {
        return None;
    }
    // The end of the attribute: its brackets, apart from those in strings.
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (offset, c) in source[start..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    let end = start + offset + 1;
                    let written = format!("{}\n{indent}{attribute}{}", &source[..end], &source[end..]);
                    return Some((written, source[..end].lines().count() + 1));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_written_below_the_first_one() {
        let source = "mod tests {\n    #[forall::test(tests = 5)]\n    fn a(n: u8) {}\n}\n";
        let (written, line) = with_attribute(source, 2, "#[example(7)]").unwrap();
        assert_eq!(written, "mod tests {\n    #[forall::test(tests = 5)]\n    #[example(7)]\n    fn a(n: u8) {}\n}\n");
        assert_eq!(line, 3);
    }

    #[test]
    fn an_attribute_of_several_lines_and_on_the_line_of_its_function_are_seen_through() {
        let source = "#[forall::test(\n    note = \"]\\\"]\",\n)]\nfn a(n: u8) {}\n";
        let (written, line) = with_attribute(source, 1, "#[example(7)]").unwrap();
        assert_eq!((written.contains(")]\n#[example(7)]\nfn a"), line), (true, 4), "{written}");
        let (written, _) = with_attribute("#[forall::test] fn a(n: u8) {}", 1, "#[example(7)]").unwrap();
        assert_eq!(written, "#[forall::test]\n#[example(7)] fn a(n: u8) {}");
    }

    #[test]
    fn where_there_is_no_attribute_nothing_is_written() {
        assert_eq!(with_attribute("fn a() {}\n", 1, "#[example(7)]"), None);
        assert_eq!(with_attribute("fn a() {}\n", 9, "#[example(7)]"), None);
        assert_eq!(with_attribute("fn a() {}\n", 0, "#[example(7)]"), None);
    }
}
