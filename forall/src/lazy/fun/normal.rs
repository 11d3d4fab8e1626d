//! The normal form of a function: functions with equal results have equal normal forms, however they inspect their
//! arguments.

use super::{Cases, Entry, Look, Node, Origin};
use crate::lazy::argument::{Domain, Tag};
use crate::lazy::unique::writes_normal_form;
use std::cell::OnceCell;
use std::fmt::Debug;

/// The notation for a part that is not inspected. The rest follows.
const NOTHING: &str = "_ ";

/// The normal form of a function from a domain.
pub(super) fn normal_form<B: Debug>(look: &Look<B>, domain: fn() -> Domain) -> String {
    of_look(look, &mut vec![domain])
}

/// `left` are the domains of the parts still to be inspected, the next one last.
fn of_look<B: Debug>(look: &Look<B>, left: &mut Vec<fn() -> Domain>) -> String {
    let Some(domain) = left.pop() else { return String::new() };
    let text = match (look, domain()) {
        (Look::Wild(node), _) => format!("{NOTHING}{}", of_node(node, left)),
        (Look::Case(cases), Domain::Constructors(list)) => {
            let mut branches = Vec::new();
            for (number, case) in list.iter().enumerate() {
                let before = left.len();
                left.extend(case.parts.iter().rev());
                branches.push((number, case.parts.len(), of_branch(cases, Tag::Constructor(number as u32), left)));
                left.truncate(before);
            }
            of_constructors(&branches)
        }
        (Look::Case(cases), Domain::Numbers(_)) => of_numbers(cases, left),
    };
    left.push(domain);
    text
}

/// If all constructors lead to the same result and their parts do not matter, the constructor does not matter either.
fn of_constructors(branches: &[(usize, usize, String)]) -> String {
    let without_parts = |parts: usize, text: &str| text.strip_prefix(&NOTHING.repeat(parts)).map(str::to_owned);
    let mut rests = branches.iter().map(|(_, parts, text)| without_parts(*parts, text));
    if let Some(Some(first)) = rests.next()
        && rests.all(|rest| rest.as_ref() == Some(&first))
    {
        return format!("{NOTHING}{first}");
    }
    let mut text = String::from("{");
    for (number, _, branch) in branches {
        text += &format!("{number}: {branch}; ");
    }
    text + "}"
}

/// Numbers with the same result as all others are merged with them.
fn of_numbers<B: Debug>(cases: &Cases<B>, left: &mut Vec<fn() -> Domain>) -> String {
    let Origin::Search(seed, _) = &cases.origin else { return String::new() };
    let others = of_branch(cases, Tag::Number(u64::from(seed.depth)), left);
    let mut apart = String::new();
    for number in 0..seed.depth {
        let branch = of_branch(cases, Tag::Number(u64::from(number)), left);
        if branch != others {
            apart += &format!("{number}: {branch}; ");
        }
    }
    if apart.is_empty() { format!("{NOTHING}{others}") } else { format!("{{{apart}{NOTHING}: {others}}}") }
}

/// The normal form for a constructor or a number. It is unknown if the function was not applied to it, unless there is
/// only one result.
fn of_branch<B: Debug>(cases: &Cases<B>, tag: Tag, left: &mut Vec<fn() -> Domain>) -> String {
    let mut place = &cases.first;
    while let Some(entry) = place.get() {
        if entry.tag == tag {
            return of_node(&entry.node, left);
        }
        place = &entry.next;
    }
    let Origin::Search(seed, make) = &cases.origin else { return open() };
    // The entry stays in the list: cells decided in a search must not move.
    let made = || Box::new(Entry { tag, node: make(*seed, tag), next: OnceCell::new() });
    of_node(&place.get_or_init(made).node, left)
}

fn of_node<B: Debug>(node: &Node<B>, left: &mut Vec<fn() -> Domain>) -> String {
    if node.is_constant {
        return format!("{}{:?}", NOTHING.repeat(left.len()), &*node.result);
    }
    let before = left.clone();
    let text = match left.is_empty() {
        true => node.result.decided().map(|result| format!("{result:?}")),
        false => node.look.decided().map(|look| of_look(look, left)),
    };
    *left = before;
    text.unwrap_or_else(open)
}

/// An unknown result.
fn open() -> String {
    writes_normal_form(|observed| observed.is_open = true);
    String::new()
}
