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

/// For each entry point of a source, what is said of the lengths in its parameters; of several, as of a tuple.
///
/// It reads types as they are written there, and looks up the abbreviations that the same source declares.
pub(crate) fn lengths_in(source: &str) -> HashMap<String, Lengths> {
    let plain = without_comments(source);
    let abbreviations = abbreviations_in(&plain);
    let mut all = HashMap::new();
    for (at, _) in plain.match_indices("entry ") {
        let is_word = plain[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || before == ']');
        let rest = plain[at + "entry ".len()..].trim_start();
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || "_'".contains(*c)).collect();
        let mut parameters = parameters(&rest[name.len()..], &abbreviations);
        if is_word && parameters.len() == 1 {
            all.insert(name, parameters.remove(0));
        } else if is_word && !parameters.is_empty() {
            let parts = parameters.into_iter().enumerate().map(|(number, one)| (number.to_string(), one));
            all.insert(name, Lengths::Record(parts.collect()));
        }
    }
    all
}

/// The types of `(x: type) (y: type)`, after the parameters for sizes.
fn parameters(rest: &str, abbreviations: &HashMap<String, Abbreviation>) -> Vec<Lengths> {
    let mut rest = rest.trim_start();
    while let Some((_, after)) = rest.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
        rest = after.trim_start();
    }
    let mut all = Vec::new();
    while let Some(inside) = rest.strip_prefix('(') {
        let Some(end) = closing(inside) else { break };
        let Some((_, of)) = inside[..end].split_once(':') else { break };
        let mut reader = Reader::new(of.trim_start().trim_start_matches('*'), abbreviations);
        all.push(reader.lengths().unwrap_or(Lengths::Unknown));
        rest = inside[end + 1..].trim_start();
    }
    all
}

/// Where the bracket closes that was opened before.
fn closing(inside: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `type name [n] = …`.
struct Abbreviation {
    sizes: Vec<String>,
    stands_for: String,
}

fn abbreviations_in(plain: &str) -> HashMap<String, Abbreviation> {
    let mut all = HashMap::new();
    for declaration in plain.split("\n").flat_map(|line| line.trim_start().strip_prefix("type")) {
        let Some((head, _)) = declaration.split_once('=') else { continue };
        let mut words = head.trim_start_matches(['~', '^']).split_whitespace();
        let Some(name) = words.next() else { continue };
        let sizes = words.map(|word| word.trim_matches(['[', ']']).to_owned()).collect();
        // The type may go on over several lines: everything behind the sign, of which as much is read as is a type.
        let Some(at) = plain.find(declaration) else { continue };
        let stands_for = plain[at + head.len() + 1..].trim_start().to_owned();
        all.insert(name.to_owned(), Abbreviation { sizes, stands_for });
    }
    all
}

/// An abbreviation inside of one inside of one, and so on, is read so often.
const DEEPEST: usize = 8;

struct Reader<'a> {
    rest: &'a str,
    abbreviations: &'a HashMap<String, Abbreviation>,
    /// What sizes are called outside of an abbreviation; those that are not here are its own.
    sizes: HashMap<String, Length>,
    /// The abbreviations that are being read.
    inside: Vec<String>,
}

impl<'a> Reader<'a> {
    fn new(rest: &'a str, abbreviations: &'a HashMap<String, Abbreviation>) -> Self {
        Self { rest, abbreviations, sizes: HashMap::new(), inside: Vec::new() }
    }

    fn length(&self, word: &str) -> Length {
        match (word.parse(), word) {
            (_, "") => Length::Any,
            (Ok(fixed), _) => Length::Fixed(fixed),
            (Err(_), name) => match self.sizes.get(name) {
                Some(outside) => outside.clone(),
                None => Length::Named([&*self.inside.join("."), name].join(".").trim_start_matches('.').to_owned()),
            },
        }
    }

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
        // `?[n][m].` names sizes that come with the value.
        if self.takes('?') {
            self.rest = self.rest.split_once('.')?.1;
        }
        let mut dimensions = Vec::new();
        while self.takes('[') {
            let word = self.word();
            let length = self.length(&word);
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
        let name = self.word();
        let Some(known) = self.abbreviations.get(&name).filter(|_| self.inside.len() < DEEPEST) else {
            return Some(Lengths::Unknown);
        };
        let mut reader = Reader::new(&known.stands_for, self.abbreviations);
        reader.inside = self.inside.clone();
        reader.inside.push(name);
        for size in &known.sizes {
            if !self.takes('[') {
                return Some(Lengths::Unknown);
            }
            let word = self.word();
            reader.sizes.insert(size.clone(), self.length(&word));
            if !self.takes(']') {
                return Some(Lengths::Unknown);
            }
        }
        reader.lengths()
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
        assert_eq!(all["computed"], Lengths::Unknown);
        assert!(!all.contains_key("not_this"));
    }

    #[test]
    fn abbreviations_are_looked_up() {
        let source = "
            type~ table = ?[n].{keys: [n]i64, vals: [n]i32}
            type pair [k] = ([k]u8, [k]u8)
            entry over_tables (t: table) : bool = true
            entry over_two [n] (p: pair [n]) (xs: [n]i32) : bool = true
        ";
        let all = lengths_in(source);
        let array = |name: &str| Lengths::Array(vec![Length::Named(name.to_owned())], Box::new(Lengths::Unknown));
        let table = [("keys", array("table.n")), ("vals", array("table.n"))];
        assert_eq!(all["over_tables"], Lengths::Record(table.map(|(name, own)| (name.to_owned(), own)).to_vec()));
        let pair = Lengths::Record(vec![("0".to_owned(), array("n")), ("1".to_owned(), array("n"))]);
        assert_eq!(all["over_two"], Lengths::Record(vec![("0".to_owned(), pair), ("1".to_owned(), array("n"))]));
    }
}
