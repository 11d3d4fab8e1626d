//! Finds out whether a property is inside an `impl` or a `trait`, where a test cannot be.
//!
//! A macro sees only its own item. Without this check, rustc reports each item of the expansion that is not allowed there, in a dozen
//! errors that do not name the cause. So the source file is read, but only if the attribute is indented.

use std::str::Chars;

/// Returns `impl` or `trait` if the attribute is directly inside one.
#[cfg(not(test))]
pub fn enclosing() -> Option<&'static str> {
    let attribute = proc_macro::Span::call_site();
    if attribute.column() <= 1 {
        return None;
    }
    let source = std::fs::read_to_string(attribute.local_file()?).ok()?;
    let mut lines = source.lines();
    let before: Vec<&str> = lines.by_ref().take(attribute.line().saturating_sub(1)).collect();
    let same_line: String = lines.next()?.chars().take(attribute.column() - 1).collect();
    innermost(&before, &same_line)
}

/// Unit tests have no source files.
#[cfg(test)]
pub fn enclosing() -> Option<&'static str> {
    None
}

/// Returns `impl` or `trait` if one of them is the innermost item that is open after these lines and the beginning of
/// the next one.
fn innermost(lines: &[&str], beginning: &str) -> Option<&'static str> {
    // Most properties are in a `mod`: its line is found without reading the whole file.
    if beginning.trim_start().is_empty() {
        let outer = lines.iter().rev().find(|line| {
            let text = line.trim_start();
            !text.is_empty() && line.len() - text.len() < beginning.len()
        })?;
        let outer = outer.trim_start();
        if outer.starts_with("mod ") || outer.starts_with("pub mod ") {
            return None;
        }
    }
    let mut reader = Reader { open: Vec::new(), first: None };
    let text = format!("{}\n{beginning}", lines.join("\n"));
    reader.read(text.chars());
    match reader.open.pop()? {
        ('{', Some(word)) => ["impl", "trait"].into_iter().find(|keyword| *keyword == word),
        _ => None,
    }
}

/// Words before the keyword of an item.
const MODIFIERS: &[&str] = &["pub", "unsafe", "default", "auto", "const"];

struct Reader {
    /// The open delimiters, each with the first word of the item or statement that it belongs to, without modifiers.
    open: Vec<(char, Option<String>)>,
    /// The first word of the current item or statement.
    first: Option<String>,
}

impl Reader {
    fn read(&mut self, mut rest: Chars<'_>) {
        while let Some(next) = rest.next() {
            let text = rest.as_str();
            match next {
                '/' if text.starts_with('/') => drop(rest.by_ref().find(|c| *c == '\n')),
                '/' if text.starts_with('*') => skip_comment(&mut rest),
                '"' => skip_string(&mut rest, '"'),
                '\'' if text.starts_with('\\') || text.chars().nth(1) == Some('\'') => skip_string(&mut rest, '\''),
                '(' | '[' | '{' => {
                    let first = if next == '{' { self.first.take() } else { self.first.clone() };
                    self.open.push((next, first));
                }
                '}' => {
                    self.open.pop();
                    self.first = None;
                }
                // Words inside parentheses and brackets do not count.
                ')' | ']' => self.first = self.open.pop().and_then(|(_, first)| first),
                ';' if self.open.last().is_none_or(|(delimiter, _)| *delimiter == '{') => self.first = None,
                _ if next.is_alphanumeric() || next == '_' => {
                    let length = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
                    let word = format!("{next}{}", &text[..length]);
                    rest = text[length..].chars();
                    if matches!(&*word, "r" | "br" | "cr") && skip_raw_string(&mut rest) {
                        continue;
                    }
                    if !MODIFIERS.contains(&&*word) {
                        self.first.get_or_insert(word);
                    }
                }
                _ => {}
            }
        }
    }
}

fn skip_comment(rest: &mut Chars<'_>) {
    let mut depth = 1;
    rest.next();
    while depth > 0 {
        let Some(next) = rest.next() else { return };
        match (next, rest.as_str().chars().next()) {
            ('/', Some('*')) => depth += 1,
            ('*', Some('/')) => depth -= 1,
            _ => continue,
        }
        rest.next();
    }
}

/// Skips to the end of a string or a character, after its opening quote.
fn skip_string(rest: &mut Chars<'_>, quote: char) {
    while let Some(next) = rest.next() {
        match next {
            '\\' => drop(rest.next()),
            _ if next == quote => return,
            _ => {}
        }
    }
}

/// Skips a raw string after its `r`. Returns false if there is none, as in a raw identifier.
fn skip_raw_string(rest: &mut Chars<'_>) -> bool {
    let text = rest.as_str();
    let unmarked = text.trim_start_matches('#');
    let Some(inside) = unmarked.strip_prefix('"') else { return false };
    let end = format!("\"{}", "#".repeat(text.len() - unmarked.len()));
    *rest = inside.split_once(&end).map_or("", |(_, after)| after).chars();
    true
}

#[cfg(test)]
mod tests {
    use super::innermost;

    /// The item around the line `#[here]`.
    fn around(text: &str) -> Option<&'static str> {
        let lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|line| line.contains("#[here]")).unwrap();
        innermost(&lines[..at], lines[at].split("#[here]").next().unwrap())
    }

    #[test]
    fn an_enclosing_impl_or_trait_is_found() {
        assert_eq!(around("impl S {\n    #[here]"), Some("impl"));
        assert_eq!(around("impl S { #[here]"), Some("impl"));
        assert_eq!(around("mod m {\n    pub(crate) unsafe trait T: Copy {\n        #[here]"), Some("trait"));
        assert_eq!(
            around("#[cfg(test)]\nimpl<T> From<[T; 2]> for S<T>\nwhere\n    T: Copy,\n{\n    #[here]"),
            Some("impl")
        );
        assert_eq!(
            around("impl S {\n    fn f() { g(\"}\", '}', r#\"}\"#); } // }\n    /* } /* } */ } */\n    #[here]"),
            Some("impl")
        );
    }

    #[test]
    fn properties_in_modules_and_functions_are_not_in_an_impl() {
        assert_eq!(around("    #[here]"), None);
        assert_eq!(around("impl S {}\nmod tests {\n    #[here]"), None);
        assert_eq!(around("impl S {\n    fn f() {}\n} mod tests { #[here]"), None);
        assert_eq!(around("impl S { fn f() {} } #[here]"), None);
        assert_eq!(around("impl S {\n    fn f() {\n        #[here]"), None);
        assert_eq!(around("fn f() -> impl Sized {\n    #[here]"), None);
        assert_eq!(around("impl S {}\n#[cfg(test)]\npub mod tests {\n    use super::*;\n\n    #[here]"), None);
        assert_eq!(around("const A: &str = \"\nimpl S {\";\n  #[here]"), None);
        assert_eq!(around("impl<'a> S<'a> { fn r#impl(c: char) { c == '\\''; } }\nproperties! {\n    #[here]"), None);
    }
}
