//! Compiles the syntax of a regular expression.

use super::{Alternative, Class, Node, Program, RegexError, syntax};
use crate::generate::Lengths;
use regex_syntax::hir::{self, Hir, HirKind};

/// Strings that can be longer, in bytes, start with the capacity of the shortest.
const LARGE: usize = 256;

pub(super) fn compile(pattern: &str) -> Result<Program, RegexError> {
    let program = |hir: Hir| {
        let node = node(&hir)?;
        let (least, most) = (hir.properties().minimum_len(), hir.properties().maximum_len());
        let capacity = most.filter(|most| *most <= LARGE).or(least).unwrap_or(0).min(LARGE);
        Ok(Program { pattern: pattern.to_owned(), node, capacity })
    };
    let read = syntax::read(pattern).and_then(program);
    read.map_err(|why| RegexError { pattern: pattern.to_owned(), why })
}

fn node(hir: &Hir) -> Result<Node, String> {
    Ok(match hir.kind() {
        HirKind::Empty => Node::Literal("".into()),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).map_err(|_| {
                "it matches bytes that are not UTF-8, which strings cannot contain; remove `(?-u)`".to_owned()
            })?;
            match text.as_bytes() {
                [byte] => Node::Byte(*byte),
                _ => Node::Literal(text.into()),
            }
        }
        HirKind::Class(class) => Node::Class(characters(class)?),
        // The remaining ones are redundant: see `syntax`.
        HirKind::Look(_) => Node::Literal("".into()),
        HirKind::Capture(capture) => node(&capture.sub)?,
        HirKind::Repetition(repetition) => repeated(repetition)?,
        HirKind::Concat(parts) => {
            let parts = parts.iter().filter(|part| !matches!(part.kind(), HirKind::Look(_)));
            Node::Concatenation(parts.map(node).collect::<Result<_, _>>()?)
        }
        HirKind::Alternation(parts) => {
            let mut parts: Vec<&Hir> = parts.iter().collect();
            parts.sort_by_key(|part| part.properties().minimum_len());
            let nodes = parts.into_iter().map(node).collect::<Result<Vec<_>, _>>()?;
            match words(&nodes) {
                Some(words) => Node::Words(words),
                None => Node::Alternation(alternatives(nodes)),
            }
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
    Class::new(&ranges)
        .ok_or_else(|| "a part of it is an empty character class, which matches nothing; remove it".to_owned())
}

fn repeated(repetition: &hir::Repetition) -> Result<Node, String> {
    let least = repetition.min as usize;
    let most = repetition.max.map(|most| most as usize);
    let lengths = match most {
        Some(most) => Lengths::from(least..=most),
        None => Lengths::from(least..),
    };
    Ok(match node(&repetition.sub)? {
        Node::Class(class) => Node::Characters(class, lengths),
        node => Node::Repetition(Box::new(node), lengths),
    })
}

/// The texts of the nodes, if that is all that they are.
fn words(nodes: &[Node]) -> Option<Box<[Box<str>]>> {
    let text = |node: &Node| match node {
        Node::Literal(text) => Some(text.clone()),
        Node::Byte(byte) => Some(char::from(*byte).to_string().into()),
        _ => None,
    };
    nodes.iter().map(text).collect()
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

/// The number of choices that are recorded for the simplest string.
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
        Node::Byte(_) | Node::Literal(_) | Node::Unreadable(_) => 0,
        Node::Class(_) | Node::Words(_) => 1,
        Node::Characters(_, lengths) => repeated(lengths, 1),
        Node::Repetition(node, lengths) => repeated(lengths, least_choices(node)),
        Node::Concatenation(nodes) => nodes.iter().map(least_choices).sum(),
        Node::Alternation(alternatives) => {
            1 + alternatives.first().map_or(0, |first| first.padding + least_choices(&first.node))
        }
    }
}
