//! Counted loops: a number is drawn, then as many steps, by hand and without a span around them. Each stands beside the same
//! property over a collection, and both have to end at the same counterexample.

use super::thirteen::Challenge;
use forall::choice::Source;
use forall::generate::{GeneratorExt, any, elements, from_fn, range, vec};
use forall::property::{Empty, Property, Telescope};
use std::fmt::Debug;

pub const COUNTED: [Challenge; 22] = [
    Challenge { name: "edges", property: || listed(edge, edges_hold), ideal: "[(2, 0, 1), (5, 1, 0)]" },
    Challenge { name: "edges_loop", property: || counted(edge, edges_hold), ideal: "[(2, 0, 1), (5, 1, 0)]" },
    Challenge { name: "weights", property: || listed(weighted, edges_hold), ideal: "[(2, 0, 1), (5, 1, 0)]" },
    Challenge { name: "weights_loop", property: || counted(weighted, edges_hold), ideal: "[(2, 0, 1), (5, 1, 0)]" },
    Challenge { name: "rows", property: || listed(row, rows_hold), ideal: "[[7], [7]]" },
    Challenge { name: "rows_loop", property: || counted(row_loop, rows_hold), ideal: "[[7], [7]]" },
    Challenge { name: "options", property: || listed(option, options_hold), ideal: "[Some(50), Some(50)]" },
    Challenge { name: "options_loop", property: || counted(option, options_hold), ideal: "[Some(50), Some(50)]" },
    Challenge { name: "options_bind", property: options_bind, ideal: "[Some(50), Some(50)]" },
    Challenge { name: "bank", property: || listed(banking, bank_holds), ideal: "[Open(1), Transfer(0, 1, 1)]" },
    Challenge { name: "bank_loop", property: || counted(banking, bank_holds), ideal: "[Open(1), Transfer(0, 1, 1)]" },
    Challenge { name: "machine", property: || listed(operation, machine_holds), ideal: "[Push(50), Double, Add]" },
    Challenge {
        name: "machine_loop",
        property: || counted(operation, machine_holds),
        ideal: "[Push(50), Double, Add]",
    },
    Challenge { name: "matrix_loop", property: matrix_loop, ideal: "[[70, 99]]" },
    Challenge { name: "matrix_bind", property: matrix_bind, ideal: "[[70, 99]]" },
    Challenge { name: "two_loops", property: two_loops, ideal: "([], [0, 0, 0, 0, 0])" },
    Challenge { name: "far_count", property: far_count, ideal: "(\"\", false, [(3, 0), (3, 1)])" },
    Challenge { name: "until", property: || until(edge, edges_hold), ideal: "[(2, 0, 1), (5, 1, 0)]" },
    Challenge { name: "letters_loop", property: letters_loop, ideal: "\"aab\"" },
    Challenge { name: "lists_loop", property: || counted(list, lists_hold), ideal: "[[], [200]]" },
    Challenge { name: "least_loop", property: least_loop, ideal: "[(0, 1), (1, 0)]" },
    Challenge { name: "lists_of_steps", property: lists_of_steps, ideal: "[[(1, 5)], [(1, 5)]]" },
];

/// A list of up to thirty elements, drawn as a collection.
pub fn listed<T: Debug + 'static>(draw: fn(&mut Source) -> T, holds: fn(&[T]) -> bool) -> Box<dyn Property> {
    let list = move || vec(from_fn(draw)).len(0..=30);
    Box::new(Empty.forall("list", move |(), s| s.draw(list())).check(move |(list, ())| holds(list)))
}

/// The same, drawn in a counted loop.
pub fn counted<T: Debug + 'static>(draw: fn(&mut Source) -> T, holds: fn(&[T]) -> bool) -> Box<dyn Property> {
    let list = move |s: &mut Source| {
        let count = s.draw(0..=30usize);
        (0..count).map(|_| draw(s)).collect::<Vec<_>>()
    };
    Box::new(Empty.forall("list", move |(), s| s.draw(from_fn(list))).check(move |(list, ())| holds(list)))
}

/// The same, drawn in a loop that asks whether it goes on.
pub fn until<T: Debug + 'static>(draw: fn(&mut Source) -> T, holds: fn(&[T]) -> bool) -> Box<dyn Property> {
    let list = move |s: &mut Source| {
        let mut list = Vec::new();
        while list.len() < 30 && s.draw(0..8u8) > 0 {
            list.push(draw(s));
        }
        list
    };
    Box::new(Empty.forall("list", move |(), s| s.draw(from_fn(list))).check(move |(list, ())| holds(list)))
}

type Edge = (u64, u64, u64);

fn edge(s: &mut Source) -> Edge {
    let (a, b, operation) = (s.draw(0..=9u64), s.draw(0..=9u64), s.draw(0..=8u64));
    (operation, a, b)
}

/// The same, and some draw once more.
fn weighted(s: &mut Source) -> Edge {
    let edge = edge(s);
    if (2..=4).contains(&edge.0) {
        s.draw(0..=50u64);
    }
    edge
}

/// No edge is added whose end is removed later.
fn edges_hold(steps: &[Edge]) -> bool {
    !(0..steps.len()).any(|at| {
        let (operation, a, b) = steps[at];
        (2..=4).contains(&operation) && a != b && steps[at + 1..].iter().any(|later| later.0 == 5 && later.1 == b)
    })
}

fn row(s: &mut Source) -> Vec<u8> {
    s.draw(vec(0..=9u8).len(0..=8))
}

fn row_loop(s: &mut Source) -> Vec<u8> {
    let count = s.draw(0..=8usize);
    (0..count).map(|_| s.draw(0..=9u8)).collect()
}

/// At most one row has a number from 7 on.
fn rows_hold(rows: &[Vec<u8>]) -> bool {
    rows.iter().filter(|row| row.iter().any(|n| *n >= 7)).count() < 2
}

fn option(s: &mut Source) -> Option<u8> {
    if s.draw(any::<bool>()) { Some(s.draw(0..100u8)) } else { None }
}

/// At most one number is 50 or more.
fn options_hold(options: &[Option<u8>]) -> bool {
    options.iter().flatten().filter(|n| **n >= 50).count() < 2
}

fn options_bind() -> Box<dyn Property> {
    let list = || range(0..=20usize).flat_map(|n| vec(from_fn(option)).len(n));
    Box::new(Empty.forall("list", move |(), s| s.draw(list())).check(|(list, ())| options_hold(list)))
}

#[derive(Clone, Debug)]
enum Banking {
    Open(u8),
    Close(u8),
    Deposit(u8, u32),
    Transfer(u8, u8, u32),
}

fn banking(s: &mut Source) -> Banking {
    match s.draw(0..=3u8) {
        0 => Banking::Open(s.draw(0..=20u8)),
        1 => Banking::Close(s.draw(0..=20u8)),
        2 => Banking::Deposit(s.draw(0..=20u8), s.draw(1..=1000u32)),
        _ => Banking::Transfer(s.draw(0..=20u8), s.draw(0..=20u8), s.draw(1..=1000u32)),
    }
}

/// Money does not come from nowhere. (Account 0 is the bank's own, which is always open and may be in debt.)
fn bank_holds(commands: &[Banking]) -> bool {
    let (mut open, mut total) = (vec![0], 0);
    for command in commands {
        match command {
            Banking::Open(id) if !open.contains(id) => open.push(*id),
            Banking::Close(id) => open.retain(|other| other != id || *id == 0),
            Banking::Deposit(id, amount) if open.contains(id) => total += u64::from(*amount),
            Banking::Transfer(from, to, amount) => {
                let are_open = from != to && open.contains(from) && open.contains(to);
                if are_open && total < u64::from(*amount) {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

#[derive(Clone, Debug)]
enum Operation {
    Push(u8),
    Pop,
    Double,
    Add,
    Swap(u8, u8),
}

fn operation(s: &mut Source) -> Operation {
    match s.draw(0..=4u8) {
        0 => Operation::Push(s.draw(0..100u8)),
        1 => Operation::Pop,
        2 => Operation::Double,
        3 => Operation::Add,
        _ => Operation::Swap(s.draw(0..8u8), s.draw(0..8u8)),
    }
}

/// No sum is 100 or more.
fn machine_holds(operations: &[Operation]) -> bool {
    let mut stack: Vec<u32> = Vec::new();
    for operation in operations {
        match operation {
            Operation::Push(n) => stack.push(u32::from(*n)),
            Operation::Pop => drop(stack.pop()),
            Operation::Double => stack.extend(stack.last().copied()),
            Operation::Swap(a, b) => {
                let (a, b) = (usize::from(*a), usize::from(*b));
                if a.max(b) < stack.len() {
                    stack.swap(a, b);
                }
            }
            Operation::Add => {
                if let [.., a, b] = stack[..] {
                    stack.truncate(stack.len() - 2);
                    stack.push(a + b);
                    if a + b >= 100 {
                        return false;
                    }
                }
            }
        }
    }
    true
}

/// No row of a matrix sums to 169 or more.
fn matrix_holds(rows: &[Vec<u32>]) -> bool {
    rows.iter().all(|row| row.iter().sum::<u32>() < 169)
}

fn matrix_loop() -> Box<dyn Property> {
    let matrix = |s: &mut Source| {
        let (rows, columns) = (s.draw(0..=8usize), s.draw(0..=8usize));
        (0..rows).map(|_| (0..columns).map(|_| s.draw(0..100u32)).collect()).collect::<Vec<Vec<u32>>>()
    };
    Box::new(Empty.forall("m", move |(), s| s.draw(from_fn(matrix))).check(|(m, ())| matrix_holds(m)))
}

fn matrix_bind() -> Box<dyn Property> {
    let matrix =
        || range(0..=8usize).flat_map(|n| range(0..=8usize).flat_map(move |m| vec(vec(0..100u32).len(m)).len(n)));
    Box::new(Empty.forall("m", move |(), s| s.draw(matrix())).check(|(m, ())| matrix_holds(m)))
}

/// Two lists, whose lengths are both drawn first, have fewer than five elements together.
fn two_loops() -> Box<dyn Property> {
    let lists = |s: &mut Source| {
        let (n, m) = (s.draw(0..=12usize), s.draw(0..=12usize));
        let first: Vec<u8> = (0..n).map(|_| s.draw(0..=9u8)).collect();
        (first, (0..m).map(|_| s.draw(0..=9u8)).collect::<Vec<u8>>())
    };
    Box::new(
        Empty
            .forall("lists", move |(), s| s.draw(from_fn(lists)))
            .check(|(lists, ())| lists.0.len() + lists.1.len() < 5),
    )
}

/// The count is drawn first, then other things, then the steps: no key has two values.
fn far_count() -> Box<dyn Property> {
    let steps = |s: &mut Source| {
        let count = s.draw(0..=20usize);
        let (name, flag) = (s.draw(any::<String>()), s.draw(any::<bool>()));
        (name, flag, (0..count).map(|_| (s.draw(3..=40u8), s.draw(any::<u16>()))).collect::<Vec<_>>())
    };
    let property = Empty.forall("input", move |(), s| s.draw(from_fn(steps))).check(|((_, _, steps), ())| {
        steps.iter().all(|(key, value)| steps.iter().all(|(other, its)| key != other || value == its))
    });
    Box::new(property)
}

/// No letter comes twice in a row before a larger one.
fn letters_loop() -> Box<dyn Property> {
    let text = |s: &mut Source| {
        let count = s.draw(0..=20usize);
        (0..count).map(|_| s.draw(elements(['a', 'b', 'c', 'd', 'e', 'f']))).collect::<String>()
    };
    let property = Empty.forall("text", move |(), s| s.draw(from_fn(text))).check(|(text, ())| {
        let letters: Vec<char> = text.chars().collect();
        !letters.windows(3).any(|three| three[0] == three[1] && three[1] < three[2])
    });
    Box::new(property)
}

fn list(s: &mut Source) -> Vec<u8> {
    s.draw(any::<Vec<u8>>())
}

/// No list behind the first has a number from 200 on.
fn lists_hold(lists: &[Vec<u8>]) -> bool {
    !lists.iter().skip(1).flatten().any(|n| *n >= 200)
}

/// A loop that runs at least twice: the pairs are not mirrored.
fn least_loop() -> Box<dyn Property> {
    let pairs = |s: &mut Source| {
        let count = s.draw(2..=20usize);
        (0..count).map(|_| (s.draw(0..20u8), s.draw(0..20u8))).collect::<Vec<_>>()
    };
    let property = Empty
        .forall("pairs", move |(), s| s.draw(from_fn(pairs)))
        .check(|(pairs, ())| pairs.iter().all(|(a, b)| a == b || !pairs.contains(&(*b, *a))));
    Box::new(property)
}

/// A list of lists of steps, drawn in loops: not two lists have a step of kind 1 with 5 or more.
fn lists_of_steps() -> Box<dyn Property> {
    let steps = |s: &mut Source| {
        let count = s.draw(0..=6usize);
        (0..count).map(|_| (s.draw(0..=2u8), s.draw(0..=9u8))).collect::<Vec<_>>()
    };
    let lists = move |s: &mut Source| {
        let count = s.draw(0..=6usize);
        (0..count).map(|_| steps(s)).collect::<Vec<_>>()
    };
    let fails = |list: &&Vec<(u8, u8)>| list.iter().any(|step| step.0 == 1 && step.1 >= 5);
    let property = Empty
        .forall("lists", move |(), s| s.draw(from_fn(lists)))
        .check(move |(lists, ())| lists.iter().filter(fails).count() < 2);
    Box::new(property)
}
