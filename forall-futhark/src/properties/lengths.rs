//! What a source says about the lengths of arrays, which servers do not tell: `[5]i32` has five, `[n]i32` and `[n]f32` have as many as
//! each other.

use super::without_comments;
use std::collections::HashMap;

/// The length of one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// Any.
    Any,
    /// So many.
    Fixed(usize),
    /// As many as all others of this name.
    Named(String),
}

/// The lengths in a type, in the form that the type has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lengths {
    /// Nothing is said.
    Unknown,
    /// A length for each dimension, and what is said of the elements.
    Array(Vec<Length>, Box<Lengths>),
    /// What is said of each field, by name; of the parts of a tuple, by number.
    Record(Vec<(String, Lengths)>),
}

impl Lengths {
    /// What is said of a field.
    pub(crate) fn field(&self, name: &str) -> &Lengths {
        match self {
            Self::Record(fields) => {
                fields.iter().find(|(known, _)| known == name).map_or(&Self::Unknown, |(_, own)| own)
            }
            _ => &Self::Unknown,
        }
    }

    /// What is said of an array of so many dimensions, and of its elements.
    pub(crate) fn array(&self, rank: usize) -> (Vec<Length>, &Lengths) {
        match self {
            Self::Array(lengths, elements) if lengths.len() == rank => (lengths.clone(), elements),
            _ => (vec![Length::Any; rank], &Self::Unknown),
        }
    }
}

/// For each entry point of a source, what is said of the lengths in its only parameter.
///
/// It reads the type as it is written there; names of types are not looked up.
pub(crate) fn lengths_in(source: &str) -> HashMap<String, Lengths> {
    let plain = without_comments(source);
    let mut all = HashMap::new();
    for (at, _) in plain.match_indices("entry ") {
        let is_word = plain[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || before == ']');
        let rest = plain[at + "entry ".len()..].trim_start();
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || "_'".contains(*c)).collect();
        if is_word && let Some(lengths) = parameter(&rest[name.len()..]) {
            all.insert(name, lengths);
        }
    }
    all
}

/// The type of `(x: type)`, after the parameters for sizes.
fn parameter(rest: &str) -> Option<Lengths> {
    let mut rest = rest.trim_start();
    while let Some(inside) = rest.strip_prefix('[') {
        rest = inside.split_once(']')?.1.trim_start();
    }
    let (_, of) = rest.strip_prefix('(')?.split_once(':')?;
    let mut reader = Reader { rest: of.trim_start().trim_start_matches('*') };
    reader.lengths()
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn takes(&mut self, what: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(what) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> String {
        self.rest = self.rest.trim_start();
        let word: String = self.rest.chars().take_while(|c| c.is_alphanumeric() || "_'.#".contains(*c)).collect();
        self.rest = &self.rest[word.len()..];
        word
    }

    fn lengths(&mut self) -> Option<Lengths> {
        let mut dimensions = Vec::new();
        while self.takes('[') {
            let word = self.word();
            let length = match (word.parse(), &*word) {
                (_, "") => Length::Any,
                (Ok(fixed), _) => Length::Fixed(fixed),
                (Err(_), name) => Length::Named(name.to_owned()),
            };
            // What is computed is not understood.
            if !self.takes(']') {
                return None;
            }
            dimensions.push(length);
        }
        let element = self.element()?;
        Some(if dimensions.is_empty() { element } else { Lengths::Array(dimensions, Box::new(element)) })
    }

    fn element(&mut self) -> Option<Lengths> {
        if self.takes('(') {
            return self.parts(')', false);
        }
        if self.takes('{') {
            return self.parts('}', true);
        }
        // The name of a type, which may have sizes after it.
        self.word();
        Some(Lengths::Unknown)
    }

    fn parts(&mut self, end: char, are_named: bool) -> Option<Lengths> {
        let mut parts = Vec::new();
        while !self.takes(end) {
            let name = if are_named { self.word() } else { parts.len().to_string() };
            if are_named && !self.takes(':') {
                return None;
            }
            parts.push((name, self.lengths()?));
            if !self.takes(',') && !self.rest.trim_start().starts_with(end) {
                return None;
            }
        }
        // A type in brackets is that type.
        if !are_named && parts.len() == 1 {
            return parts.pop().map(|(_, only)| only);
        }
        Some(Lengths::Record(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_from_types() {
        let source = "
            #[prop] entry five (xs: [5]i32) : bool = true
            entry same [n] (p: ([n]i32, {a: [n][m]f32, b: []u8})) : bool = true
            entry named (p: point) : bool = true -- entry not_this (x: [3]i32)
            entry computed (xs: [n + 1]i32) : bool = true
        ";
        let all = lengths_in(source);
        let array = |lengths: Vec<Length>| Lengths::Array(lengths, Box::new(Lengths::Unknown));
        let n = || Length::Named("n".to_owned());
        assert_eq!(all["five"], array(vec![Length::Fixed(5)]));
        let record = Lengths::Record(vec![
            ("a".to_owned(), array(vec![n(), Length::Named("m".to_owned())])),
            ("b".to_owned(), array(vec![Length::Any])),
        ]);
        assert_eq!(all["same"], Lengths::Record(vec![("0".to_owned(), array(vec![n()])), ("1".to_owned(), record)]));
        assert_eq!(all["named"], Lengths::Unknown);
        assert!(!all.contains_key("computed") && !all.contains_key("not_this"));
    }
}
