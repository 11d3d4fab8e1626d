//! Challenges of our own from everyday tests: texts, maps, commands against a model, and generators that reject most of what
//! shrinking proposes. The ideals are the simplest inputs by the order of choices.

use super::thirteen::Challenge;
use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::{GeneratorExt, any, from_fn};
use forall::property::{Empty, Property, Telescope};
use std::collections::{BTreeMap, BTreeSet};

pub const EVERYDAY: [Challenge; 10] = [
    // Ten plain characters rather than three wide ones.
    Challenge { name: "text_bytes", property: text_bytes, ideal: "\"aaaaaaaaaa\"" },
    Challenge { name: "comes_back", property: comes_back, ideal: "[0, 1, 0]" },
    Challenge { name: "equal_values", property: equal_values, ideal: "{0: 0, 1: 0}" },
    Challenge { name: "lists_by_key", property: lists_by_key, ideal: "{0: [0, 0, 0, 0, 0]}" },
    Challenge { name: "three_lengths", property: three_lengths, ideal: "[0, 0], [0, 0], [0, 0]" },
    // A filter, an assumption or a loop lets one number in ten pass.
    Challenge { name: "filtered", property: filtered, ideal: "[7, 997]" },
    Challenge { name: "assumed", property: assumed, ideal: "1007, 7" },
    Challenge { name: "drawn_until", property: drawn_until, ideal: "1007" },
    // Doubling needs fewer choices than a second push.
    Challenge { name: "stack", property: stack, ideal: "[Push(128), Double, Add]" },
    Challenge { name: "model", property: model, ideal: "[Insert(0, 0), Insert(0, 0), Remove(0), Get(0)]" },
];

/// Texts have fewer than ten bytes.
fn text_bytes() -> Box<dyn Property> {
    Box::new(Empty.forall("text", |(), s| s.draw(any::<String>())).check(|(text, ())| text.len() < 10))
}

/// A value that a list has left behind does not occur again.
fn comes_back() -> Box<dyn Property> {
    let property = Empty.forall("xs", |(), s| s.draw(any::<Vec<u8>>())).check(|(xs, ())| {
        let mut runs = xs.clone();
        runs.dedup();
        runs.iter().collect::<BTreeSet<_>>().len() == runs.len()
    });
    Box::new(property)
}

/// The values of a map are different.
fn equal_values() -> Box<dyn Property> {
    let property = Empty
        .forall("map", |(), s| s.draw(any::<BTreeMap<u8, u8>>()))
        .check(|(map, ())| map.values().collect::<BTreeSet<_>>().len() == map.len());
    Box::new(property)
}

/// The lists of a map have fewer than five elements together.
fn lists_by_key() -> Box<dyn Property> {
    let property = Empty
        .forall("map", |(), s| s.draw(any::<BTreeMap<u8, Vec<u8>>>()))
        .check(|(map, ())| map.values().map(Vec::len).sum::<usize>() < 5);
    Box::new(property)
}

/// Three lists with two elements or more are not all of one length.
fn three_lengths() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<Vec<u8>>()))
        .forall("b", |_, s| s.draw(any::<Vec<u8>>()))
        .forall("c", |_, s| s.draw(any::<Vec<u8>>()))
        .check(|(c, (b, (a, ())))| a.len() < 2 || a.len() != b.len() || b.len() != c.len());
    Box::new(property)
}

fn ends_with_seven(n: &u32) -> bool {
    n % 10 == 7
}

/// Lists of several numbers that end with 7 sum to less than 1000.
fn filtered() -> Box<dyn Property> {
    let list = || forall::generate::vec(any::<u32>().filter(ends_with_seven));
    let property = Empty
        .forall("xs", move |(), s| s.draw(list()))
        .check(|(xs, ())| xs.len() < 2 || xs.iter().map(|x| u64::from(*x)).sum::<u64>() < 1000);
    Box::new(property)
}

/// Of two numbers that end with 7, the first is below 1000.
fn assumed() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<u32>()))
        .forall("b", |_, s| s.draw(any::<u32>()))
        .implies(|(b, (a, ()))| ends_with_seven(a) && ends_with_seven(b))
        .check(|(_, (a, ()))| *a < 1000);
    Box::new(property)
}

/// Numbers that are drawn until one ends with 7 are below 1000.
fn drawn_until() -> Box<dyn Property> {
    let until = |s: &mut Source| loop {
        let n = s.draw(any::<u32>());
        if ends_with_seven(&n) || s.is_rejected() {
            return n;
        }
    };
    Box::new(Empty.forall("n", move |(), s| s.draw(from_fn(until))).check(|(n, ())| *n < 1000))
}

#[derive(Arbitrary, Clone, Debug)]
enum Operation {
    Push(u8),
    Pop,
    Double,
    Swap,
    Add,
}

/// Whether a sum does not fit into a byte.
fn overflows(operations: &[Operation]) -> bool {
    let mut stack: Vec<u8> = Vec::new();
    for operation in operations {
        match (operation, &mut stack[..]) {
            (Operation::Push(n), _) => stack.push(*n),
            (Operation::Pop, [.., _]) => drop(stack.pop()),
            (Operation::Double, &mut [.., last]) => stack.push(last),
            (Operation::Swap, [.., a, b]) => std::mem::swap(a, b),
            (Operation::Add, &mut [.., a, b]) => {
                let Some(sum) = a.checked_add(b) else { return true };
                stack.truncate(stack.len() - 2);
                stack.push(sum);
            }
            _ => {}
        }
    }
    false
}

/// No sum on a stack of bytes overflows.
fn stack() -> Box<dyn Property> {
    let property = Empty
        .forall("operations", |(), s| s.draw(any::<Vec<Operation>>()))
        .check(|(operations, ())| !overflows(operations));
    Box::new(property)
}

#[derive(Arbitrary, Clone, Debug)]
enum Command {
    Clear,
    Remove(u8),
    Get(u8),
    Insert(u8, u8),
}

/// A map that is a list of entries, the newest last, does what a map does. (It forgets to remove older ones.)
fn model() -> Box<dyn Property> {
    let property = Empty.forall("commands", |(), s| s.draw(any::<Vec<Command>>())).check(|(commands, ())| {
        let (mut model, mut system) = (BTreeMap::new(), Vec::new());
        commands.iter().all(|command| {
            match command {
                Command::Clear => (model.clear(), system.clear()).0,
                Command::Insert(key, value) => {
                    model.insert(*key, *value);
                    system.push((*key, *value));
                }
                Command::Remove(key) => {
                    model.remove(key);
                    let newest = system.iter().rposition(|entry| entry.0 == *key);
                    newest.map(|place| system.remove(place));
                }
                Command::Get(key) => {
                    let found = system.iter().rev().find(|entry| entry.0 == *key).map(|entry| entry.1);
                    return found == model.get(key).copied();
                }
            }
            true
        })
    });
    Box::new(property)
}
