//! What a source says about the lengths of arrays, which servers do not tell: `[5]i32` has five, `[n]i32` and `[n]f32` have as many as
//! each other, `[n + 1]i32` one more.

use super::sizes::{Constants, Names, Size, size};
use super::without_comments;
use crate::data::Value;
use crate::datum::Datum;
use crate::datum::types::{Structure, Types};
use std::cell::Cell;
use std::collections::HashMap;

/// An array that is made by its type has no more elements than this, however many dimensions it has.
pub(super) const MOST_ELEMENTS: usize = 1 << 20;

/// The lengths in a type, in the form that the type has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lengths {
    /// Nothing is said.
    Unknown,
    /// It is a number that says how long something else is: `(n: i64) (xs: [n]i32)`.
    Is(Size),
    /// The length of each dimension, if the type has it, and the lengths in its elements.
    Array(Vec<Option<Size>>, Box<Lengths>),
    /// The lengths in each field, by name; in the parts of a tuple, by number.
    Record(Vec<(String, Lengths)>),
}

impl Lengths {
    /// The lengths in a field.
    pub(crate) fn field(&self, name: &str) -> &Lengths {
        match self {
            Self::Record(fields) => {
                fields.iter().find(|(known, _)| known == name).map_or(&Self::Unknown, |(_, own)| own)
            }
            _ => &Self::Unknown,
        }
    }

    /// The lengths of an array of this rank, and those in its elements.
    pub(crate) fn array(&self, rank: usize) -> (Vec<Option<Size>>, &Lengths) {
        match self {
            Self::Array(lengths, elements) if lengths.len() == rank => (lengths.clone(), elements),
            _ => (vec![None; rank], &Self::Unknown),
        }
    }

    /// All that is said.
    pub(super) fn each_size(&self, look: &mut dyn FnMut(&Size)) {
        match self {
            Self::Unknown => {}
            Self::Is(size) => look(size),
            Self::Array(lengths, elements) => {
                lengths.iter().flatten().for_each(&mut *look);
                elements.each_size(look);
            }
            Self::Record(fields) => fields.iter().for_each(|(_, own)| own.each_size(look)),
        }
    }

    /// Why no candidate can be made that is as long as this says.
    pub(crate) fn trouble(&self) -> Option<String> {
        let mut unknown = None;
        self.each_size(&mut |size| unknown = unknown.take().or_else(|| size.unknown().map(str::to_owned)));
        if let Some(size) = unknown {
            return Some(format!("the size `{size}` in its type is not understood"));
        }
        let elements = self.least_elements();
        (elements > MOST_ELEMENTS as u128)
            .then(|| format!("its type has arrays of {elements} elements, and no more than {MOST_ELEMENTS} are made"))
    }

    /// How many elements its largest array has at least, as far as lengths are numbers.
    fn least_elements(&self) -> u128 {
        match self {
            Self::Unknown | Self::Is(_) => 1,
            Self::Array(lengths, elements) => {
                let own = lengths.iter().filter_map(|length| match length {
                    Some(Size::Number(number)) => Some(u128::try_from(*number).unwrap_or(0)),
                    _ => None,
                });
                own.fold(elements.least_elements(), u128::saturating_mul)
            }
            Self::Record(fields) => fields.iter().map(|(_, own)| own.least_elements()).max().unwrap_or(1),
        }
    }

    /// Whether a value is as long as this says. Of names that stand in no length by themselves nothing is known.
    pub(super) fn fit(&self, datum: &Datum, type_name: &str, types: &Types) -> bool {
        let mut found = Vec::new();
        self.compare(datum, type_name, types, &mut found);
        let mut named: HashMap<&str, i64> = HashMap::new();
        for (size, length) in &found {
            if let Size::Named(name) = size
                && named.insert(name, *length).is_some_and(|other| other != *length)
            {
                return false;
            }
        }
        found.iter().all(|(size, length)| {
            let value = size.value(&mut |name| named.get(name).copied());
            value.is_none_or(|value| value == *length)
        })
    }

    /// Every length that is said, with what it is in a value.
    fn compare<'a>(&'a self, datum: &Datum, type_name: &str, types: &Types, found: &mut Vec<(&'a Size, i64)>) {
        match (self, datum, &*types.structure_of(type_name)) {
            (Self::Is(size), Datum::Value(value), _) => found.extend(value.get::<i64>().map(|number| (size, number))),
            (Self::Array(lengths, inner), datum, Structure::Array { element, rank }) if lengths.len() == *rank => {
                let shape = match datum {
                    Datum::Array { shape, elements } => {
                        elements.iter().for_each(|one| inner.compare(one, element, types, found));
                        &shape[..]
                    }
                    Datum::Value(value) => Value::shape(value),
                    _ => return,
                };
                let lengths = lengths.iter().zip(shape);
                found.extend(lengths.filter_map(|(said, own)| Some((said.as_ref()?, i64::try_from(*own).ok()?))));
            }
            (Self::Record(_), Datum::Record(parts), Structure::Record(fields)) => {
                for ((name, of), part) in fields.iter().zip(parts) {
                    self.field(name).compare(part, of, types, found);
                }
            }
            _ => {}
        }
    }
}

/// Returns the lengths in the parameters of each entry point of a source; several are those of a tuple.
///
/// It reads types as they are written there, and looks up abbreviations and constants that the source declares, or what it imports.
pub(crate) fn lengths_in(source: &str, imported: &str) -> HashMap<String, Lengths> {
    let plain = without_comments(source);
    // What the source itself declares counts for more than what it imports.
    let all_sources = [&without_comments(imported), "\n", &*plain].concat();
    let declared = Declared { abbreviations: abbreviations_in(&all_sources), constants: Constants::of(&all_sources) };
    let mut all = HashMap::new();
    for (at, word) in plain.match_indices("entry") {
        let is_word = plain[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || before == ']');
        let rest = &plain[at + word.len()..];
        if !is_word || !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let rest = rest.trim_start();
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || "_'".contains(*c)).collect();
        let mut parameters = parameters(&rest[name.len()..], &declared);
        if parameters.len() == 1 {
            all.insert(name, parameters.remove(0));
        } else if !parameters.is_empty() {
            let parts = parameters.into_iter().enumerate().map(|(number, one)| (number.to_string(), one));
            all.insert(name, Lengths::Record(parts.collect()));
        }
    }
    all
}

/// What sources declare.
struct Declared {
    abbreviations: HashMap<String, Abbreviation>,
    constants: Constants,
}

/// The types of `[n] (x: type) (y: type)`.
fn parameters(rest: &str, declared: &Declared) -> Vec<Lengths> {
    let mut rest = rest.trim_start();
    let mut sizes = HashMap::new();
    while let Some((name, after)) = rest.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
        sizes.insert(name.trim().to_owned(), Size::Named(name.trim().to_owned()));
        rest = after.trim_start();
    }
    let instances = Cell::new(0);
    let mut all = Vec::new();
    while let Some(inside) = rest.strip_prefix('(') {
        let Some(end) = closing(inside) else { break };
        let Some((name, of)) = inside[..end].split_once(':') else { break };
        let (name, of) = (name.trim(), of.trim());
        if of == "i64" {
            // It may say how long the next ones are.
            sizes.insert(name.to_owned(), Size::Named(name.to_owned()));
            all.push(Lengths::Is(Size::Named(name.to_owned())));
        } else {
            let mut reader = Reader {
                rest: of,
                declared,
                instances: &instances,
                sizes: sizes.clone(),
                ..Reader::new(declared, &instances)
            };
            all.push(reader.lengths().unwrap_or(Lengths::Unknown));
        }
        rest = inside[end + 1..].trim_start();
    }
    forget_unused(&mut all);
    all
}

/// A number that says how long nothing is, is a number like any other.
fn forget_unused(all: &mut [Lengths]) {
    let mut used = Vec::new();
    for lengths in all.iter().filter(|lengths| !matches!(lengths, Lengths::Is(_))) {
        lengths.each_size(&mut |size| {
            size.value(&mut |name| {
                used.push(name.to_owned());
                Some(1)
            });
        });
    }
    for lengths in all {
        if let Lengths::Is(Size::Named(name)) = lengths
            && !used.contains(name)
        {
            *lengths = Lengths::Unknown;
        }
    }
}

/// Where the bracket closes that was opened before.
fn closing(inside: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `type name [n] 't = …`.
struct Abbreviation {
    parameters: Vec<Parameter>,
    stands_for: String,
}

#[derive(Clone)]
enum Parameter {
    Size(String),
    Type(String),
}

fn abbreviations_in(plain: &str) -> HashMap<String, Abbreviation> {
    let mut all = HashMap::new();
    let mut at = 0;
    for line in plain.split_inclusive('\n') {
        let rest = &plain[at..];
        at += line.len();
        let Some(declaration) = rest.trim_start_matches([' ', '\t']).strip_prefix("type") else { continue };
        let declaration = declaration.trim_start_matches(['~', '^']);
        // The type may go on over several lines: everything behind the sign, of which as much is read as is a type.
        let Some((head, stands_for)) = declaration.split_once('=') else { continue };
        let head = head.replace('[', " [");
        let mut words = head.split_whitespace();
        let Some(name) = words.next().filter(|_| declaration.starts_with(char::is_whitespace)) else { continue };
        let parameters = words.map(|word| match word.strip_prefix('\'') {
            Some(of) => Parameter::Type(of.trim_start_matches(['~', '^']).to_owned()),
            None => Parameter::Size(word.trim_matches(['[', ']']).to_owned()),
        });
        let parameters = parameters.collect();
        all.insert(name.to_owned(), Abbreviation { parameters, stands_for: stands_for.trim_start().to_owned() });
    }
    all
}

/// An abbreviation inside of one inside of one, and so on, is read so often.
const DEEPEST: usize = 8;

struct Reader<'a> {
    rest: &'a str,
    declared: &'a Declared,
    /// How many sizes that come with a value there were: each has a name of its own.
    instances: &'a Cell<usize>,
    /// What sizes are called here.
    sizes: HashMap<String, Size>,
    /// The lengths in the types that an abbreviation was given.
    types: HashMap<String, Lengths>,
    /// The abbreviations that are being read.
    inside: Vec<String>,
}

impl Names for Reader<'_> {
    fn size(&self, name: &str) -> Size {
        self.sizes.get(name).cloned().unwrap_or_else(|| self.declared.constants.size(name))
    }
}

impl<'a> Reader<'a> {
    fn new(declared: &'a Declared, instances: &'a Cell<usize>) -> Self {
        Self { rest: "", declared, instances, sizes: HashMap::new(), types: HashMap::new(), inside: Vec::new() }
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

    /// What stands up to the bracket that closes.
    fn bracket(&mut self) -> Option<&'a str> {
        let end = closing(self.rest)?;
        let inside = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(inside)
    }

    fn lengths(&mut self) -> Option<Lengths> {
        // `?[n][m].` names sizes that come with the value.
        if self.takes('?') {
            while self.takes('[') {
                let name = self.bracket()?.trim().to_owned();
                let number = self.instances.replace(self.instances.get() + 1);
                let own = Size::Named(format!("{}.{name}.{number}", self.inside.join(".")));
                self.sizes.insert(name, own);
            }
            if !self.takes('.') {
                return None;
            }
        }
        self.takes('*');
        let mut dimensions = Vec::new();
        while self.takes('[') {
            let written = self.bracket()?;
            dimensions.push((!written.trim().is_empty()).then(|| size(written, self)));
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
        if let Some(given) = self.types.get(&name) {
            return Some(given.clone());
        }
        let known = &self.declared.abbreviations;
        // A name of a module is known by what it is called there.
        let own = name.rsplit('.').next().unwrap_or(&name);
        let known = known.get(&name).or_else(|| known.get(own)).filter(|_| self.inside.len() < DEEPEST);
        let Some(known) = known else { return Some(Lengths::Unknown) };
        let mut reader = Reader { rest: &known.stands_for, ..Reader::new(self.declared, self.instances) };
        reader.inside = self.inside.clone();
        reader.inside.push(name);
        for parameter in &known.parameters {
            match parameter {
                Parameter::Size(name) => {
                    if !self.takes('[') {
                        return Some(Lengths::Unknown);
                    }
                    let written = self.bracket()?;
                    reader.sizes.insert(name.clone(), size(written, self));
                }
                Parameter::Type(name) => {
                    let given = self.element()?;
                    reader.types.insert(name.clone(), given);
                }
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
    use crate::datum::Native;

    fn array(lengths: &[&str]) -> Lengths {
        let named = |name: &&str| (!name.is_empty()).then(|| Size::Named((*name).to_owned()));
        Lengths::Array(lengths.iter().map(named).collect(), Box::new(Lengths::Unknown))
    }

    fn record(fields: &[(&str, Lengths)]) -> Lengths {
        Lengths::Record(fields.iter().map(|(name, own)| ((*name).to_owned(), own.clone())).collect())
    }

    #[test]
    fn lengths_are_read_from_types() {
        let source = "
            #[prop] entry five (xs: [5]i32) : bool = true
            entry
              same [n] [m] (p: ([n]i32, {a: [n][m]f32, b: []u8})) : bool = true
            entry named (p: point) : bool = true -- entry not_this (x: [3]i32)
            entry counted (n: i64) (k: i64) (xs: [n]i32) : bool = true
        ";
        let all = lengths_in(source, "");
        assert_eq!(all["five"], Lengths::Array(vec![Some(Size::Number(5))], Box::new(Lengths::Unknown)));
        let inner = record(&[("a", array(&["n", "m"])), ("b", array(&[""]))]);
        assert_eq!(all["same"], record(&[("0", array(&["n"])), ("1", inner)]));
        assert_eq!(all["named"], Lengths::Unknown);
        let is_n = Lengths::Is(Size::Named("n".to_owned()));
        assert_eq!(all["counted"], record(&[("0", is_n), ("1", Lengths::Unknown), ("2", array(&["n"]))]));
        assert!(!all.contains_key("not_this"));
    }

    #[test]
    fn abbreviations_are_looked_up_where_they_are_declared() {
        let source = "
            type~ table = ?[n].{keys: [n]i64, vals: [n]i32}
            type pair [k] 't = ([k]t, [k]u8)
            entry over_tables (t: table) (other: table) : bool = true
            entry over_two [n] (p: pair [n] i32) (xs: [n]i32) : bool = true
            entry over_far (p: far.row) : bool = true
        ";
        let all = lengths_in(source, "def width = 3\ntype row = [width]i32\n");
        let table = |number: usize| {
            let own = array(&[&*format!("table.n.{number}")]);
            record(&[("keys", own.clone()), ("vals", own)])
        };
        assert_eq!(all["over_tables"], record(&[("0", table(0)), ("1", table(1))]), "each is as long as it is");
        let pair = record(&[("0", array(&["n"])), ("1", array(&["n"]))]);
        assert_eq!(all["over_two"], record(&[("0", pair), ("1", array(&["n"]))]));
        assert_eq!(all["over_far"], Lengths::Array(vec![Some(Size::Number(3))], Box::new(Lengths::Unknown)));
    }

    #[test]
    fn values_are_compared_with_what_is_said_of_them() {
        let all = lengths_in("entry longer [n] (xs: [n]i32) (ys: [n + 1]i32) (zs: [2]u8) : bool = true", "");
        let mut types = Types::default();
        types.mention("([]i32, []i32, []u8)");
        let fits = |xs: usize, ys: usize, zs: usize| {
            let datum = (vec![0i32; xs], vec![0i32; ys], vec![0u8; zs]).into_datum();
            all["longer"].fit(&datum, "([]i32, []i32, []u8)", &types)
        };
        assert!(fits(0, 1, 2) && fits(4, 5, 2));
        assert!(!fits(4, 4, 2) && !fits(0, 1, 1));
    }

    #[test]
    fn impossible_lengths_are_reported_with_the_reason() {
        let trouble = |source| lengths_in(source, "")["p"].trouble();
        assert_eq!(trouble("entry p [n] (xs: [n]i32) = true"), None);
        let unknown = trouble("entry p (xs: [f 3]i32) = true").unwrap();
        assert!(unknown.contains("`f 3`"), "{unknown}");
        let large = trouble("entry p (xs: [1000][1000000]i32) = true").unwrap();
        assert!(large.contains("1000000000 elements"), "{large}");
    }
}
