//! The signature of a function, read from its source: just as much of Rust as that takes.

use crate::Error;

/// A function that is not a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// The type that it returns, if any.
    pub result: Option<String>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type, as written.
    pub type_text: String,
}

impl Function {
    /// The function of this name in a source; none if it is not there. One that cannot be called with generated values is an error.
    pub fn find(source: &str, name: &str) -> Result<Option<Self>, Error> {
        let (declared, mut has_pattern) = (format!("fn {name}"), false);
        for (at, _) in source.match_indices(&declared) {
            let before = source[..at].chars().next_back();
            let line = source[..at].rsplit('\n').next().unwrap_or_default().trim_start();
            let rest = &source[at + declared.len()..];
            if before.is_some_and(|c| !c.is_whitespace()) || line.starts_with("//") || !rest.starts_with(['(', '<']) {
                continue;
            }
            if rest.starts_with('<') {
                return Err(format!("{name} is generic; write a function that calls it with types of your choice"));
            }
            let Some((inside, after)) = parentheses(rest) else { continue };
            let parameters: Option<Vec<Parameter>> = parts(inside).iter().map(|part| Parameter::read(part)).collect();
            // A method, or a pattern: another of the name may do.
            let Some(parameters) = parameters else {
                let is_method = inside.split([',', ':']).next().is_some_and(|first| first.trim_end().ends_with("self"));
                has_pattern |= !is_method;
                continue;
            };
            let end = after.find(['{', ';']).unwrap_or(after.len());
            let result = after[..end].split(" where ").next().unwrap_or_default();
            let result = result.trim().strip_prefix("->").map(|result| result.trim().to_owned());
            return Ok(Some(Self { name: name.to_owned(), parameters, result }));
        }
        if has_pattern {
            return Err(format!(
                "a parameter of {name} is a pattern; give it a name, or write a function that calls it"
            ));
        }
        Ok(None)
    }
}

impl Parameter {
    fn read(text: &str) -> Option<Self> {
        let (name, type_text) = text.split_once(':')?;
        let name = name.trim().trim_start_matches("mut ").trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && name != "self").then(|| Self { name: name.to_owned(), type_text: type_text.trim().to_owned() })
    }

    /// Whether it takes a reference.
    pub fn is_borrowed(&self) -> bool {
        self.type_text.starts_with('&')
    }

    /// The type of a value that can be passed to it.
    pub fn owned(&self) -> String {
        let Some(borrowed) = self.type_text.strip_prefix('&') else { return self.type_text.clone() };
        // A lifetime ends with a space.
        let borrowed = borrowed.trim_start();
        let borrowed = if borrowed.starts_with('\'') {
            borrowed.split_once(' ').map_or(borrowed, |(_, rest)| rest)
        } else {
            borrowed
        };
        let borrowed = borrowed.trim_start_matches("mut ").trim();
        match borrowed.strip_prefix('[').and_then(|slice| slice.strip_suffix(']')) {
            Some(element) if !element.contains(';') => format!("Vec<{element}>"),
            _ => match borrowed {
                "str" => "String".to_owned(),
                "Path" => "PathBuf".to_owned(),
                other => other.to_owned(),
            },
        }
    }

    /// An expression that passes the variable `name`.
    pub fn passing(&self, name: &str) -> String {
        if self.is_borrowed() { format!("&{name}") } else { name.to_owned() }
    }

    /// An expression that passes the variable of its own name, which is still there afterwards.
    pub fn passing_a_copy(&self) -> String {
        if self.is_borrowed() { format!("&{}", self.name) } else { format!("{}.clone()", self.name) }
    }
}

/// What is between the parentheses that a text begins with, and what comes after them.
fn parentheses(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some((&text[1..at], &text[at + 1..]));
        }
    }
    None
}

/// The parts between commas that are inside of nothing.
pub fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_read_from_its_source() {
        let source = "// fn insert(a: u8)\nimpl A { fn insert(&self, x: u8) {} }\npub fn insert(\n    mut map: BTreeMap<u8, (i8, i8)>,\n    key: &'static str,\n) -> Option<u8>\n{}";
        let function = Function::find(source, "insert").unwrap().unwrap();
        let owned: Vec<(String, String)> =
            function.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.owned())).collect();
        let expected =
            [("map", "BTreeMap<u8, (i8, i8)>"), ("key", "String")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!((owned, function.result.as_deref()), (expected.to_vec(), Some("Option<u8>")));
        assert_eq!(Function::find(source, "inser"), Ok(None));
        assert!(Function::find("fn any<T>(x: T) {}", "any").unwrap_err().contains("generic"));
    }

    #[test]
    fn references_become_values() {
        let owned = |text: &str| Parameter { name: "x".to_owned(), type_text: text.to_owned() }.owned();
        assert_eq!(
            [owned("&[u8]"), owned("&[u8; 4]"), owned("&'a str"), owned("&mut Tree"), owned("u8")],
            ["Vec<u8>", "[u8; 4]", "String", "Tree", "u8"]
        );
    }
}
