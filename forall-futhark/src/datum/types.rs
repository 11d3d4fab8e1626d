//! The types of a program, and their structure.

use crate::data::Primitive;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The structure of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Structure {
    Primitive(Primitive),
    Array {
        element: String,
        rank: usize,
    },
    /// The names and types of the fields, in alphabetical order, or by number.
    Record(Vec<(String, String)>),
    /// The names of the variants, in alphabetical order, with the types of their payloads.
    Sum(Vec<(String, Vec<String>)>),
}

/// The contents of one slot of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) primitive: Primitive,
    pub(crate) rank: usize,
}

impl Leaf {
    /// Returns the name of the slot's type.
    pub(crate) fn type_name(self) -> String {
        "[]".repeat(self.rank) + self.primitive.name()
    }
}

/// All types of a program, by name.
#[derive(Debug, Default)]
pub(crate) struct Types {
    /// The structures of types whose name does not define them.
    named: BTreeMap<String, Structure>,
    /// The types that entry points mention, and their parts; without primitives.
    known: BTreeMap<String, Structure>,
    /// Cached results of [`structure_of`](Self::structure_of) and [`leaves`](Self::leaves). Generating and sending a
    /// candidate looks up its type, and parsing the type's name costs more than both. A program has few types, so a
    /// scan is faster than hashing.
    parsed: Mutex<Vec<(String, Parsed)>>,
}

/// The parsed name of a type.
#[derive(Debug)]
struct Parsed {
    structure: Arc<Structure>,
    leaves: Option<Arc<[Leaf]>>,
}

impl Clone for Types {
    fn clone(&self) -> Self {
        Self { named: self.named.clone(), known: self.known.clone(), parsed: Mutex::default() }
    }
}

impl Types {
    pub(crate) fn name_record(&mut self, name: &str, fields: &[(&str, &str)]) {
        let mut fields: Vec<_> = fields.iter().map(|(name, of)| ((*name).to_owned(), (*of).to_owned())).collect();
        sort_fields(&mut fields);
        self.name(name, Structure::Record(fields));
    }

    pub(crate) fn name_sum(&mut self, name: &str, variants: &[(&str, &[&str])]) {
        let of = |(name, payload): &(&str, &[&str])| {
            ((*name).to_owned(), payload.iter().map(|part| (*part).to_owned()).collect())
        };
        let mut variants: Vec<(String, Vec<String>)> = variants.iter().map(of).collect();
        variants.sort();
        self.name(name, Structure::Sum(variants));
    }

    /// Defines a type as its server describes it.
    pub(crate) fn name(&mut self, name: &str, structure: Structure) {
        self.parsed = Mutex::default();
        self.named.insert(name.to_owned(), structure);
    }

    /// Adds a type and its parts.
    pub(crate) fn mention(&mut self, name: &str) {
        if self.known.contains_key(name) || name.parse::<Primitive>().is_ok() {
            return;
        }
        let structure = self.structure_of(name);
        self.known.insert(name.to_owned(), (*structure).clone());
        match &*structure {
            Structure::Primitive(_) => {}
            Structure::Array { element, rank } => {
                self.mention(element);
                // An array of records is stored as one array per field.
                if let Structure::Record(fields) = &*self.structure_of(element) {
                    for (_, field) in fields {
                        self.mention(&("[]".repeat(*rank) + field));
                    }
                }
            }
            Structure::Record(fields) => fields.iter().for_each(|(_, field)| self.mention(field)),
            Structure::Sum(variants) => {
                variants.iter().flat_map(|(_, payload)| payload).for_each(|part| self.mention(part));
            }
        }
    }

    /// Returns the names of all types, in the order in which servers list them.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        crate::data::PRIMITIVES.iter().map(|primitive| primitive.name()).chain(self.known.keys().map(String::as_str))
    }

    /// Returns the structure of a type, if the program has that type.
    pub(crate) fn get(&self, name: &str) -> Option<Structure> {
        match name.parse() {
            Ok(primitive) => Some(Structure::Primitive(primitive)),
            Err(_) => self.known.get(name).cloned(),
        }
    }

    /// Returns the structure of a type, by its name or by its definition.
    pub(crate) fn structure_of(&self, name: &str) -> Arc<Structure> {
        self.with_parsed(name, |parsed| parsed.structure.clone())
    }

    /// Applies a function to the parsed name of a type. Each name is parsed once.
    fn with_parsed<T>(&self, name: &str, take: impl FnOnce(&mut Parsed) -> T) -> T {
        let mut all = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            all.push((name.to_owned(), Parsed { structure: Arc::new(self.parse(name)), leaves: None }));
            all.len() - 1
        });
        take(&mut all[at].1)
    }

    fn parse(&self, name: &str) -> Structure {
        if let Some(structure) = self.named.get(name) {
            return structure.clone();
        }
        let element = name.trim_start_matches("[]");
        if element.len() < name.len() {
            return Structure::Array { element: element.to_owned(), rank: (name.len() - element.len()) / 2 };
        }
        if let Some(inside) = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            let parts = split_parts(inside).into_iter().enumerate();
            return Structure::Record(parts.map(|(number, part)| (number.to_string(), part)).collect());
        }
        if let Some(inside) = name.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            let field = |part: String| match part.split_once(':') {
                Some((name, of)) => (name.trim().to_owned(), of.trim().to_owned()),
                None => (part, String::new()),
            };
            let mut fields: Vec<_> = split_parts(inside).into_iter().map(field).collect();
            sort_fields(&mut fields);
            return Structure::Record(fields);
        }
        match name.parse() {
            Ok(primitive) => Structure::Primitive(primitive),
            // An unknown type is treated as an empty record.
            Err(_) => Structure::Record(Vec::new()),
        }
    }

    /// Returns whether the name of a type defines its structure.
    pub(crate) fn describes_itself(&self, name: &str) -> bool {
        match &*self.structure_of(name) {
            Structure::Primitive(_) => true,
            Structure::Array { element, .. } => self.describes_itself(element),
            Structure::Record(fields) => {
                name.starts_with(['(', '{']) && fields.iter().all(|(_, field)| self.describes_itself(field))
            }
            Structure::Sum(_) => false,
        }
    }

    /// Returns the slots of a stored value of this type.
    pub(crate) fn leaves(&self, name: &str) -> Arc<[Leaf]> {
        if let Some(leaves) = self.with_parsed(name, |parsed| parsed.leaves.clone()) {
            return leaves;
        }
        let leaves: Arc<[Leaf]> = self.leaves_of(&self.structure_of(name)).into();
        self.with_parsed(name, |parsed| parsed.leaves = Some(leaves.clone()));
        leaves
    }

    /// Returns the maximum rank of the arrays in values of this type.
    pub(crate) fn inner_rank(&self, name: &str) -> usize {
        let most = |leaves: &[Leaf]| leaves.iter().map(|leaf| leaf.rank).max().unwrap_or(0);
        // Each candidate needs it: a clone of the slots would cost more.
        let known = self.with_parsed(name, |parsed| parsed.leaves.as_deref().map(most));
        known.unwrap_or_else(|| most(&self.leaves(name)))
    }

    fn leaves_of(&self, structure: &Structure) -> Vec<Leaf> {
        match structure {
            Structure::Primitive(primitive) => vec![Leaf { primitive: *primitive, rank: 0 }],
            Structure::Array { element, rank } => {
                self.leaves(element).iter().map(|leaf| Leaf { rank: leaf.rank + rank, ..*leaf }).collect()
            }
            // A unit is stored as one boolean.
            Structure::Record(fields) if fields.is_empty() => vec![Leaf { primitive: Primitive::Bool, rank: 0 }],
            Structure::Record(fields) => fields.iter().flat_map(|(_, field)| self.leaves(field).to_vec()).collect(),
            Structure::Sum(variants) => {
                let tag = Leaf { primitive: Primitive::I8, rank: 0 };
                let (slots, _) = self.slots(variants);
                if variants.len() > 1 { [vec![tag], slots].concat() } else { slots }
            }
        }
    }

    /// Returns the slots of a sum without its tag, and for each variant the slots of its payload. Variants share slots
    /// of equal type; unsigned integers use the slots of signed ones.
    pub(crate) fn slots(&self, variants: &[(String, Vec<String>)]) -> (Vec<Leaf>, Vec<Vec<usize>>) {
        let mut slots: Vec<Leaf> = Vec::new();
        let mut places = Vec::new();
        for (_, payload) in variants {
            let mut taken = Vec::new();
            for leaf in payload.iter().flat_map(|part| self.leaves(part).to_vec()) {
                let leaf = Leaf { primitive: signed(leaf.primitive), ..leaf };
                let free = (0..slots.len()).find(|slot| slots[*slot] == leaf && !taken.contains(slot));
                let slot = free.unwrap_or_else(|| {
                    slots.push(leaf);
                    slots.len() - 1
                });
                taken.push(slot);
            }
            places.push(taken);
        }
        (slots, places)
    }
}

fn signed(primitive: Primitive) -> Primitive {
    match primitive {
        Primitive::U8 => Primitive::I8,
        Primitive::U16 => Primitive::I16,
        Primitive::U32 => Primitive::I32,
        Primitive::U64 => Primitive::I64,
        other => other,
    }
}

/// Sorts fields by name, or by number if all names are numbers.
fn sort_fields(fields: &mut [(String, String)]) {
    let number = |field: &(String, String)| field.0.parse::<u64>().ok();
    if fields.iter().all(|field| number(field).is_some()) {
        fields.sort_by_key(number);
    } else {
        fields.sort();
    }
}

/// Splits at commas outside of brackets.
fn split_parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        depth += match c {
            '(' | '{' => 1,
            ')' | '}' => -1,
            _ => 0,
        };
        match (c, depth, parts.last_mut()) {
            (',', 0, _) => parts.push(String::new()),
            (_, _, Some(part)) => part.push(c),
            _ => {}
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}
