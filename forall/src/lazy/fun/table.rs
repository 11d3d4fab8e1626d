//! Functions as text: the arguments they were applied to, in the style of the Lazy SmallCheck paper or as the arms of a
//! `match`.

use super::normal::normal_form;
use super::{Fun, Look, Node, Origin};
use crate::lazy::argument::{Argument, Domain, Tag};
use crate::lazy::trail::is_searching;
use crate::lazy::unique::writes_normal_form;
use std::fmt;

impl<A: Argument, B: fmt::Debug> fmt::Debug for Fun<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(look) = self.look.shown() else { return f.write_str("_") };
        if writes_normal_form(|observed| observed.has_function = true) {
            return f.write_str(&normal_form(look, A::domain));
        }
        let mut table = Table::default();
        collect(look, &mut Vec::new(), &mut vec![A::domain], &mut table);
        if f.alternate() { arms(&table, A::domain, f) } else { cases(&table, A::domain, f) }
    }
}

/// `{ false -> 1; true -> 2 }`
fn cases<B: fmt::Debug>(table: &Table<'_, B>, domain: fn() -> Domain, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("{ ")?;
    for (number, (seen, result)) in table.rows.iter().enumerate() {
        let semicolon = if number > 0 { "; " } else { "" };
        write!(f, "{semicolon}{} -> ", pattern(domain, &mut seen.iter(), Style::Paper))?;
        match result {
            Some(result) => write!(f, "{result:?}")?,
            None => f.write_str("_")?,
        }
    }
    f.write_str(" }")
}

/// `match _ { false => 1, true => 2 }`, an arm on each line. Lists are written with their constructors: Rust patterns
/// cannot match through cells, so the output is meant for reading, not for compiling.
fn arms<B: fmt::Debug>(table: &Table<'_, B>, domain: fn() -> Domain, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("match _ {\n")?;
    for (seen, result) in &table.rows {
        let result = result.map_or_else(|| "_".to_owned(), |result| format!("{result:#?}").replace('\n', "\n    "));
        writeln!(f, "    {} => {result},", pattern(domain, &mut seen.iter(), Style::Rust))?;
    }
    if table.is_partial {
        f.write_str("    _ => unreachable!(\"not called with other arguments\"),\n")?;
    }
    f.write_str("}")
}

/// The part of an argument that a function read: nothing, or a constructor or number.
#[derive(Clone, Copy, Debug)]
enum Seen {
    Nothing,
    Tag(Tag),
    /// A number other than those the function has entries for.
    OtherNumber,
}

/// The results for the parts seen.
struct Table<'a, B> {
    /// `None` means any result: for a number to which the entry for all others does not apply.
    rows: Vec<(Vec<Seen>, Option<&'a B>)>,
    /// Whether there are arguments that the function was not applied to.
    is_partial: bool,
}

impl<B> Default for Table<'_, B> {
    fn default() -> Self {
        Self { rows: Vec::new(), is_partial: false }
    }
}

/// `left` are the domains of the parts still to be inspected, the next one last.
fn collect<'a, B>(look: &'a Look<B>, seen: &mut Vec<Seen>, left: &mut Vec<fn() -> Domain>, table: &mut Table<'a, B>) {
    let Some(domain) = left.pop() else { return };
    match look {
        Look::Wild(node) => {
            seen.push(Seen::Nothing);
            collect_node(node, seen, left, table);
            seen.pop();
        }
        Look::Case(cases) => {
            let mut entries = Vec::new();
            let mut place = &cases.first;
            while let Some(entry) = place.get() {
                entries.push((entry.tag, &entry.node));
                place = &entry.next;
            }
            entries.sort_by_key(|(tag, _)| *tag);
            let mut has_others = false;
            let count = entries.len();
            for (tag, node) in entries {
                let before = left.len();
                let mut saw = Seen::Tag(tag);
                match (domain(), tag, &cases.origin) {
                    (Domain::Constructors(list), Tag::Constructor(number), _) => {
                        let parts = list.get(number as usize).map_or(&[][..], |case| case.parts);
                        left.extend(parts.iter().rev());
                    }
                    (_, Tag::Number(number), Origin::Search(seed, _)) if number >= u64::from(seed.depth) => {
                        (saw, has_others) = (Seen::OtherNumber, true);
                    }
                    _ => {}
                }
                seen.push(saw);
                collect_node(node, seen, left, table);
                seen.pop();
                left.truncate(before);
            }
            table.is_partial |= match domain() {
                Domain::Constructors(list) => count < list.len(),
                Domain::Numbers(_) => !has_others,
            };
        }
    }
    left.push(domain);
}

fn collect_node<'a, B>(
    node: &'a Node<B>,
    seen: &mut Vec<Seen>,
    left: &mut Vec<fn() -> Domain>,
    table: &mut Table<'a, B>,
) {
    // Entries that exist only because of another input are not shown.
    if left.is_empty()
        && let Some(result) = node.result.shown()
    {
        table.rows.push((seen.clone(), Some(result)));
    } else if let Some(look) = node.look.shown().filter(|_| !left.is_empty()) {
        let before = left.clone();
        collect(look, seen, left, table);
        *left = before;
    } else if seen.iter().any(|seen| matches!(seen, Seen::Tag(Tag::Number(_)))) && is_searching() {
        table.rows.push((seen.clone(), None));
    } else {
        table.is_partial = true;
    }
}

/// How a pattern is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Lists as `a:b:[]`.
    Paper,
    /// Lists as `Cons(a, Cons(b, Nil))`.
    Rust,
}

/// The pattern for an argument of which this much was seen.
fn pattern(domain: fn() -> Domain, seen: &mut std::slice::Iter<'_, Seen>, style: Style) -> String {
    match (seen.next(), domain()) {
        (Some(Seen::Tag(Tag::Number(number))), Domain::Numbers(text)) => text(*number),
        (Some(Seen::Tag(Tag::Constructor(number))), Domain::Constructors(cases)) => {
            let Some(case) = cases.get(*number as usize) else { return "_".to_owned() };
            let parts: Vec<String> = case.parts.iter().map(|part| pattern(*part, seen, style)).collect();
            let name = match (case.name, style) {
                (":", Style::Rust) => "Cons",
                ("[]", Style::Rust) => "Nil",
                (name, _) => name,
            };
            match &parts[..] {
                [] => name.to_owned(),
                [value, rest] if name == ":" && value.contains(':') => format!("({value}):{rest}"),
                [value, rest] if name == ":" => format!("{value}:{rest}"),
                _ => format!("{name}({})", parts.join(", ")),
            }
        }
        _ => "_".to_owned(),
    }
}
