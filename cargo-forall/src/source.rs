//! Writes an `#[example]` into the user's source.

use crate::Error;
use crate::list::shortened;
use crate::properties::Property;
use crate::workspace::Workspace;
use crate::{rust, trouble};
use forall::text::visible;
use proc_macro2::{Ident, TokenTree};
use std::fs;
use std::ops::Range;
use syn::ext::IdentExt;

/// The length at which an example is truncated in an error.
const SHOWN: usize = 300;

/// Lines written to the sources since the build, which shift its locations.
#[derive(Debug, Default)]
pub struct Written(Vec<Lines>);

/// Lines added below a property's attribute.
#[derive(Debug)]
struct Lines {
    file: String,
    /// The attribute's line at the time of the build.
    attribute: usize,
    number: usize,
}

impl Written {
    /// Lines were added below an attribute, at this line of the build.
    pub fn add(&mut self, file: &str, attribute: usize, number: usize) {
        self.0.push(Lines { file: file.to_owned(), attribute, number });
    }

    /// The current number of a line of the build.
    pub fn now(&self, file: &str, line: usize) -> usize {
        let above = self.0.iter().filter(|lines| lines.file == file && lines.attribute < line);
        line + above.map(|lines| lines.number).sum::<usize>()
    }
}

/// Writes `#[example(…)]` with these values below the property's attribute. If the tests do not build with it, by `builds`,
/// the source is restored. Returns the location.
pub fn write_example(
    workspace: &Workspace,
    property: &Property,
    values: &[String],
    written: &mut Written,
    builds: &dyn Fn() -> Result<(), ()>,
) -> Result<String, Error> {
    if property.is_value() {
        return Err(trouble::no_example_of_value(&property.name, &property.place));
    }
    let (file, line) = property.place.rsplit_once(':').unwrap_or((&property.place, "0"));
    let line: usize = line.parse().unwrap_or(0);
    let path = workspace.root.join(file);
    let wrong = |doing: &'static str, error: std::io::Error| trouble::no_source(doing, &path, error);
    let example = format!("#[example({})]", values.join(", "));
    let unfit = || trouble::unfit_example(&shortened(&visible(&example), SHOWN), file);
    // Invisible characters do not belong in code.
    if visible(&example) != example {
        return Err(unfit());
    }
    let before = fs::read_to_string(&path).map_err(|error| wrong("read", error))?;
    let name = property.short_name();
    let Some((after, at)) = with_attribute(&before, written.now(file, line), name, &example) else {
        return Err(trouble::no_attribute(name, &property.place));
    };
    fs::write(&path, after).map_err(|error| wrong("write", error))?;
    if builds().is_err() {
        fs::write(&path, before).map_err(|error| wrong("restore", error))?;
        return Err(unfit());
    }
    written.add(file, line, example.lines().count());
    Ok(format!("{file}:{at}"))
}

/// The source with `attribute` on a new line below the attribute at this line (from 1) of the function of this name, and the
/// new line's number. If the function was moved, it is found by its name, if that is unique.
fn with_attribute(source: &str, line: usize, function: &str, attribute: &str) -> Option<(String, usize)> {
    let all = attributes_of(source, function);
    let mut near: Vec<&Attribute> = all.iter().filter(|found| found.line == line).collect();
    if near.is_empty() {
        near = all.iter().collect();
    }
    if near.iter().any(|found| found.function != near[0].function) {
        return None;
    }
    // There may be other attributes.
    let is_of_a_test = |found: &&&Attribute| source[found.start..found.end].contains("test");
    let found = near.iter().find(is_of_a_test).or(near.first())?;
    let first = source[..found.start].rsplit('\n').next().unwrap_or_default();
    let indent = &first[..first.len() - first.trim_start().len()];
    let written = format!("{}\n{indent}{attribute}{}", &source[..found.end], &source[found.end..]);
    Some((written, source[..found.end].lines().count() + 1))
}

/// An attribute of a function.
struct Attribute {
    start: usize,
    end: usize,
    line: usize,
    /// The position of the function's name.
    function: usize,
}

/// The attributes of all functions of this name, including those in macros.
fn attributes_of(source: &str, function: &str) -> Vec<Attribute> {
    let mut found = Vec::new();
    collect(source, &rust::tokens(source).unwrap_or_default(), function, &mut found);
    found
}

fn collect(source: &str, tokens: &[TokenTree], function: &str, found: &mut Vec<Attribute>) {
    let mut at = 0;
    while at < tokens.len() {
        if let Some(length) = rust::attribute(&tokens[at..]) {
            let (first, last) = (tokens[at].span(), tokens[at + length - 1].span());
            let Range { start, end } = rust::between(first, last);
            // The example is not inserted below a doc comment.
            if let Some(name) = declared(&tokens[at + length..])
                && name == function
                && source[start..].starts_with("#[")
            {
                let function = name.span().byte_range().start;
                found.push(Attribute { start, end, line: first.start().line, function });
            }
            at += length;
            continue;
        }
        if let TokenTree::Group(group) = &tokens[at] {
            collect(source, &group.stream().into_iter().collect::<Vec<_>>(), function, found);
        }
        at += 1;
    }
}

/// The name of the function that these tokens declare, after other attributes.
fn declared(mut tokens: &[TokenTree]) -> Option<Ident> {
    loop {
        if let Some(length) = rust::attribute(tokens) {
            tokens = &tokens[length..];
            continue;
        }
        match tokens {
            [TokenTree::Ident(word), TokenTree::Ident(name), ..] if word == "fn" => return Some(name.unraw()),
            [TokenTree::Ident(word), rest @ ..] if MODIFIERS.contains(&&*word.to_string()) => tokens = rest,
            // `pub(crate)`, `extern "C"`
            [TokenTree::Group(_) | TokenTree::Literal(_), rest @ ..] => tokens = rest,
            _ => return None,
        }
    }
}

/// The keywords before `fn`.
const MODIFIERS: [&str; 5] = ["pub", "async", "const", "unsafe", "extern"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_written_below_the_first_one() {
        let source = "mod tests {\n    #[forall::test(tests = 5)]\n    fn a(n: u8) {}\n}\n";
        let (written, line) = with_attribute(source, 2, "a", "#[example(7)]").unwrap();
        assert_eq!(written, "mod tests {\n    #[forall::test(tests = 5)]\n    #[example(7)]\n    fn a(n: u8) {}\n}\n");
        assert_eq!(line, 3);
    }

    #[test]
    fn attributes_of_several_lines_and_on_the_function_line_are_found() {
        let source = "#[forall::test(\n    note = \"]\\\"]\",\n)]\nfn a(n: u8) {}\n";
        let (written, line) = with_attribute(source, 1, "a", "#[example(7)]").unwrap();
        assert_eq!((written.contains(")]\n#[example(7)]\nfn a"), line), (true, 4), "{written}");
        let (written, _) = with_attribute("#[forall::test] fn a(n: u8) {}", 1, "a", "#[example(7)]").unwrap();
        assert_eq!(written, "#[forall::test]\n#[example(7)] fn a(n: u8) {}");
    }

    #[test]
    fn a_function_without_the_attribute_is_left_unchanged() {
        assert_eq!(with_attribute("fn a() {}\n", 1, "a", "#[example(7)]"), None);
        assert_eq!(with_attribute("fn a() {}\n", 9, "a", "#[example(7)]"), None);
        assert_eq!(with_attribute("fn a() {}\n", 0, "a", "#[example(7)]"), None);
    }

    #[test]
    fn an_attribute_goes_to_the_function_of_its_name() {
        let written =
            |source: &str, line| with_attribute(source, line, "bb", "#[example(7)]").map(|(written, _)| written);
        let two = "#[forall::test]\n#[example(1)] fn aa(x: u8) {}\n#[forall::test] fn bb(x: u8) {}\n";
        let expected = two.replace("fn bb", "\n#[example(7)] fn bb").replace("] \n", "]\n");
        for line in [1, 2, 3, 9] {
            assert_eq!(written(two, line).as_deref(), Some(&*expected), "line {line}");
        }
        let hidden = "// #[forall::test] fn bb(x: u8) {}\nconst A: &str = \"#[forall::test] fn bb() {}\";\n";
        assert_eq!(written(hidden, 1), None);
        // If neither the line nor the name is unique, nothing is written.
        let twins = "mod a {\n#[forall::test]\nfn bb() {}\n}\nmod b {\n#[forall::test]\nfn bb() {}\n}\n";
        assert_eq!(written(twins, 3), None);
        assert!(written(twins, 6).unwrap().ends_with("mod b {\n#[forall::test]\n#[example(7)]\nfn bb() {}\n}\n"));
        let behind = "#[ignore = \"]\"] #[forall::test]\n/// Why.\n#[inline]\npub(crate) async fn r#bb() {}\n";
        assert!(written(behind, 1).unwrap().starts_with("#[ignore = \"]\"] #[forall::test]\n#[example(7)]\n/// Why"));
    }
}
