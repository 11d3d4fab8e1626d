//! Paths of types in printed code, as written for the variable.
//!
//! A type prints its name without a path, since it does not know by which path a test reaches it. The source of the
//! variable's type has that path.

use crate::kind::{Kind, NO_NAME};
use crate::sort::retain;
use crate::within;

/// Writes `S { .. }` as `inner::S { .. }` where the type was written as `inner::S`.
pub(super) fn qualify(code: &mut String, type_text: &str) {
    if !within::contains(type_text, "::") {
        return;
    }
    let type_text = within::replaced(&within::replaced(type_text, " ::", "::"), ":: ", "::");
    let paths = paths(&type_text);
    if paths.is_empty() {
        return;
    }
    let mut qualified = String::with_capacity(code.len() + 32);
    let (mut rest, mut follows_path) = (&**code, false);
    while let Some(first) = rest.chars().next() {
        let length = token(rest, first);
        let (word, after) = rest.split_at(length);
        let path = paths.iter().find(|path| name_of(path) == word);
        qualified += match path {
            Some(path) if !follows_path && begins_value(after) => path,
            _ => word,
        };
        follows_path = matches!(first, ':' | '.' | '#');
        rest = after;
    }
    *code = qualified;
}

/// The paths of a type that are more than a name. Paths into the standard library are ignored, because its types print
/// their full paths; so are two that end in the same name.
fn paths(type_text: &str) -> Vec<&str> {
    let mut paths: Vec<&str> = Vec::new();
    let mut rest = type_text;
    while let Some(first) = rest.chars().next() {
        let length = if NO_PATH(first) { first.len_utf8() } else { run(rest, NO_PATH) };
        let (word, after) = rest.split_at(length);
        let begin = word.trim_start_matches(':');
        let is_of_std = begin.starts_with("std::") || begin.starts_with("core::") || begin.starts_with("alloc::");
        if within::contains(word, "::") && !word.ends_with(':') && !is_of_std && !paths.contains(&word) {
            paths.push(word);
        }
        rest = after;
    }
    let all = paths.clone();
    retain(&mut paths, |path| {
        let mut alike = 0;
        for other in &all {
            alike += usize::from(name_of(other) == name_of(path));
        }
        alike == 1
    });
    paths
}

fn name_of(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or(path)
}

/// Whether what precedes `after` is a constructor or its type.
fn begins_value(after: &str) -> bool {
    let after = after.trim_start();
    let mark: Kind = |c| matches!(c, '(' | '{' | ',' | ')' | ']' | '}' | ';');
    after.is_empty() || after.starts_with("::") || after.starts_with(mark)
}

/// The length of the first token of the code: a string literal, a word, or else one character.
fn token(code: &str, first: char) -> usize {
    match first {
        '"' => literal(code, '"'),
        '\'' => literal(code, '\''),
        _ if NO_NAME(first) => first.len_utf8(),
        _ => run(code, NO_NAME),
    }
}

/// The length of a quoted literal.
fn literal(code: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in code[1..].char_indices() {
        if c == quote && !escaped {
            return 1 + at + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    code.len()
}

/// The length of the text before the first character of a kind.
fn run(text: &str, up_to: Kind) -> usize {
    text.find(up_to).unwrap_or(text.len())
}

/// Characters that are not part of a path.
const NO_PATH: Kind = |c| c != ':' && NO_NAME(c);

#[cfg(test)]
mod tests {
    fn qualified(code: &str, type_text: &str) -> String {
        let mut code = code.to_owned();
        super::qualify(&mut code, type_text);
        code
    }

    #[test]
    fn names_get_the_paths_of_the_written_type() {
        assert_eq!(qualified("S { a: 1, b: Unit }", "inner::S<u8>"), "inner::S { a: 1, b: Unit }");
        assert_eq!(qualified("vec![E::A(E::B), E::B]", "Vec<ast::E>"), "vec![ast::E::A(ast::E::B), ast::E::B]");
        assert_eq!(qualified("S(1)", "inner :: S < u8 >"), "inner::S(1)");
        assert_eq!(qualified("(S, T(2))", "(a::S, ::b::T)"), "(a::S, ::b::T(2))");
    }

    #[test]
    fn strings_fields_and_paths_are_not_changed() {
        for (code, type_text) in [
            ("S(\"S { \\\" S(\", 'S', '\\'', b\"S(\")", "S"),
            ("String::from(\"S(1)\")", "inner::S"),
            ("\"\\\\\", 'S'", "inner::S"),
            ("a::S(1)", "inner::S"),
            ("S1(1, S_(2), x.S(3))", "inner::S"),
            ("std::rc::Rc::new(1)", "std::rc::Rc<u8>"),
            ("String::from(\"\")", "std::string::String"),
            ("(S(1), S(2))", "(a::S, b::S)"),
            ("", "inner::S"),
        ] {
            assert_eq!(qualified(code, type_text), code);
        }
        assert_eq!(qualified("(S(\"S(\"), 'S')", "(a::S, char)"), "(a::S(\"S(\"), 'S')");
    }
}
