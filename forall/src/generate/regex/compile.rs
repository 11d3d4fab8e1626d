//! From the syntax of a regular expression to what is generated from.

use super::{Alternative, Class, Node, RegexError};
use crate::generate::Lengths;
use regex_syntax::ast::ErrorKind;
use regex_syntax::hir::{self, Hir, HirKind, Look};
use regex_syntax::{Error, Parser};

pub(super) fn compile(pattern: &str) -> Result<Node, RegexError> {
    let read = match Parser::new().parse(pattern) {
        Ok(hir) => node(&hir, Place { starts: true, ends: true }),
        Err(error) => Err(not_read(&error)),
    };
    read.map_err(|why| RegexError { pattern: pattern.to_owned(), why })
}

fn not_read(error: &Error) -> String {
    let (span, what) = match error {
        Error::Parse(error) => {
            let what = match error.kind() {
                ErrorKind::UnsupportedLookAround => {
                    "look-around, such as `(?=…)`, is not supported; generate without it, and add `.filter(…)` for what it \
                     demands, or write out what may stand there"
                        .to_owned()
                }
                ErrorKind::UnsupportedBackreference => {
                    "a back-reference, such as `\\1`, is not supported; draw the part that is to come twice by itself, in \
                     `from_fn(|s| …)`, and use `format!`"
                        .to_owned()
                }
                kind => kind.to_string(),
            };
            (error.span(), what)
        }
        Error::Translate(error) => (error.span(), error.kind().to_string()),
        other => return other.to_string(),
    };
    let place = match span.start.line {
        1 => format!("column {}", span.start.column),
        line => format!("line {line}, column {}", span.start.column),
    };
    format!("{what} (at {place})")
}

/// Where a part of an expression stands: whether nothing can come before it, and nothing after.
#[derive(Clone, Copy)]
struct Place {
    starts: bool,
    ends: bool,
}

fn node(hir: &Hir, place: Place) -> Result<Node, String> {
    Ok(match hir.kind() {
        HirKind::Empty => Node::Literal("".into()),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).map_err(|_| {
                "it matches bytes that are no UTF-8, and strings have none; leave out `(?-u)`".to_owned()
            })?;
            Node::Literal(text.into())
        }
        HirKind::Class(class) => Node::Class(characters(class)?),
        HirKind::Look(look) => look_around(*look, place)?,
        HirKind::Capture(capture) => node(&capture.sub, place)?,
        HirKind::Repetition(repetition) => repeated(repetition, place)?,
        HirKind::Concat(parts) => {
            let says_nothing = |part: &Hir| part.properties().maximum_len() == Some(0);
            let mut nodes = Vec::with_capacity(parts.len());
            for (at, part) in parts.iter().enumerate() {
                let starts = place.starts && parts[..at].iter().all(says_nothing);
                let ends = place.ends && parts[at + 1..].iter().all(says_nothing);
                nodes.push(node(part, Place { starts, ends })?);
            }
            Node::Concatenation(nodes)
        }
        HirKind::Alternation(parts) => {
            let mut parts: Vec<&Hir> = parts.iter().collect();
            parts.sort_by_key(|part| part.properties().minimum_len());
            let nodes = parts.into_iter().map(|part| node(part, place)).collect::<Result<Vec<_>, _>>()?;
            Node::Alternation(alternatives(nodes))
        }
    })
}

fn characters(class: &hir::Class) -> Result<Class, String> {
    let ranges: Vec<(char, char)> = match class {
        hir::Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        hir::Class::Bytes(class) => {
            class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect()
        }
    };
    Class::new(&ranges).ok_or_else(|| "a part of it is a class without characters, so nothing matches it".to_owned())
}

fn look_around(look: Look, place: Place) -> Result<Node, String> {
    let (sign, says_nothing) = match look {
        Look::Start | Look::StartLF | Look::StartCRLF => ("^", place.starts),
        Look::End | Look::EndLF | Look::EndCRLF => ("$", place.ends),
        _ => {
            let why = "boundaries of words, such as `\\b`, are not supported; write the characters that stand on both sides, \
                       or add `.filter(…)`";
            return Err(why.to_owned());
        }
    };
    match says_nothing {
        true => Ok(Node::Literal("".into())),
        false => Err(format!(
            "`{sign}` stands where something else can stand, too; the whole string matches in any case, so leave it out"
        )),
    }
}

fn repeated(repetition: &hir::Repetition, place: Place) -> Result<Node, String> {
    let least = repetition.min as usize;
    let most = repetition.max.map(|most| most as usize);
    let lengths = match most {
        Some(most) => Lengths::from(least..=most),
        None => Lengths::from(least..),
    };
    // Of several, only one is first.
    let alone = most == Some(1);
    let place = Place { starts: place.starts && alone, ends: place.ends && alone };
    Ok(match node(&repetition.sub, place)? {
        Node::Class(class) => Node::Characters(class, lengths),
        node => Node::Repetition(Box::new(node), lengths),
    })
}

/// The nodes with padding such that the first makes no more choices than any other, at their simplest.
fn alternatives(nodes: Vec<Node>) -> Vec<Alternative> {
    let mut most = 0;
    let pad = |node: Node| {
        let own = least_choices(&node);
        most = own.max(most);
        Alternative { padding: most - own, node }
    };
    nodes.into_iter().map(pad).collect()
}

/// How many choices are recorded for the simplest string.
fn least_choices(node: &Node) -> usize {
    // One for each element, and one to stop unless there can be no more.
    let repeated = |lengths: &Lengths, element: usize| {
        let least = lengths.least();
        match lengths.fixed() {
            Some(_) => least * element,
            None => least * (element + 1) + 1,
        }
    };
    match node {
        Node::Literal(_) => 0,
        Node::Class(_) => 1,
        Node::Characters(_, lengths) => repeated(lengths, 1),
        Node::Repetition(node, lengths) => repeated(lengths, least_choices(node)),
        Node::Concatenation(nodes) => nodes.iter().map(least_choices).sum(),
        Node::Alternation(alternatives) => {
            1 + alternatives.first().map_or(0, |first| first.padding + least_choices(&first.node))
        }
    }
}
