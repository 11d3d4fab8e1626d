//! Generators as people write them by hand: schedules, requests, programs of a stack machine, caches, bookings. 22 of this kind were
//! written before any was run; 18 then ended at one value from all of 50 seeds. The other four are the first four here.

use super::thirteen::Challenge;
use forall::choice::Source;
use forall::generate::{any, from_fn};
use forall::property::{Empty, Property, Telescope};
use std::fmt::Debug;

pub const PRACTICE: [Challenge; 9] = [
    // Without the pushes before it, an instruction has no operands, and draws one choice less.
    Challenge { name: "stack_machine", property: stack_machine, ideal: "[Push(4), Push(76), Multiply]" },
    // The capacity, the number of operations and an operation go together.
    Challenge {
        name: "capacity",
        property: capacity,
        ideal: "(2, [(true, 0), (true, 1), (true, 0), (true, 2), (false, 0)])",
    },
    // The names change places, the seats do not.
    Challenge { name: "seats", property: seats, ideal: "([2], [(0, 0, \"\"), (0, 1, \"a\")])" },
    // A later alternative draws less.
    Challenge { name: "used_twice", property: used_twice, ideal: "Let(One, Add(Var(0), Var(0)))" },
    Challenge { name: "rooms", property: rooms, ideal: "[(1, 0, 1), (1, 0, 1)]" },
    Challenge { name: "orders", property: orders, ideal: "([1], [[(0, 1), (0, 1)]])" },
    Challenge { name: "walk", property: walk, ideal: "[(0, 1), (3, 4)]" },
    Challenge { name: "parents", property: parents, ideal: "[0, 1, 2, 3]" },
    Challenge { name: "records", property: records, ideal: "\",\\\"\\\"\\\"\\\"\\n\"" },
];

/// A property of what a function generates.
fn holds<T: Debug + 'static>(
    generate: impl Fn(&mut Source) -> T + Copy + 'static,
    check: fn(&T) -> bool,
) -> Box<dyn Property> {
    Box::new(Empty.forall("input", move |(), s| s.draw(from_fn(generate))).check(move |(input, ())| check(input)))
}

fn list<T>(s: &mut Source, most: usize, element: impl Fn(&mut Source) -> T) -> Vec<T> {
    let count = s.draw(0..=most);
    (0..count).map(|_| element(s)).collect()
}

fn word(s: &mut Source) -> String {
    list(s, 6, |s| s.draw('a'..='z')).into_iter().collect()
}

#[derive(Clone, Debug)]
enum Instruction {
    Push(i64),
    Add,
    Multiply,
    Swap,
}

fn stack_machine() -> Box<dyn Property> {
    let program = |s: &mut Source| {
        let (mut depth, mut program) = (0, Vec::new());
        for _ in 0..s.draw(0..20usize) {
            let instruction = match if depth >= 2 { s.draw(0..4u8) } else { 0 } {
                0 => Instruction::Push(s.draw(0..=100i64)),
                1 => Instruction::Add,
                2 => Instruction::Multiply,
                _ => Instruction::Swap,
            };
            match instruction {
                Instruction::Push(_) => depth += 1,
                Instruction::Add | Instruction::Multiply => depth -= 1,
                Instruction::Swap => {}
            }
            program.push(instruction);
        }
        program
    };
    holds(program, |program| evaluate(program).iter().all(|number| *number <= 300))
}

fn evaluate(program: &[Instruction]) -> Vec<i64> {
    let mut stack = Vec::new();
    for instruction in program {
        if let Instruction::Push(number) = instruction {
            stack.push(*number);
            continue;
        }
        let (Some(a), Some(b)) = (stack.pop(), stack.pop()) else { unreachable!("it was generated with operands") };
        match instruction {
            Instruction::Add => stack.push(b + a),
            Instruction::Multiply => stack.push(b.wrapping_mul(a)),
            _ => stack.extend([a, b]),
        }
    }
    stack
}

/// A cache of the latest keys that does not take a key for the latest which it has already.
fn capacity() -> Box<dyn Property> {
    let operations = |s: &mut Source| (s.draw(1..=4usize), list(s, 20, |s| (s.draw(any::<bool>()), s.draw(0..8u8))));
    holds(operations, |input| {
        let (mut cache, mut model) = (Vec::new(), Vec::new());
        input.1.iter().all(|(put, key)| {
            if !put {
                return cache.contains(key) == model.contains(key);
            }
            if !cache.contains(key) {
                if cache.len() == input.0 {
                    cache.remove(0);
                }
                cache.push(*key);
            }
            model.retain(|other| other != key);
            if model.len() == input.0 {
                model.remove(0);
            }
            model.push(*key);
            true
        })
    })
}

/// Neighbours have the same name.
fn seats() -> Box<dyn Property> {
    let bookings = |s: &mut Source| {
        let count = s.draw(1..6usize);
        let rows: Vec<usize> = (0..count).map(|_| s.draw(1..10usize)).collect();
        let mut bookings = Vec::new();
        for _ in 0..s.draw(0..8usize) {
            let row = s.draw(0..count);
            bookings.push((row, s.draw(0..rows[row]), word(s)));
        }
        (rows, bookings)
    };
    holds(bookings, |input| {
        input.1.iter().enumerate().all(|(at, (row, seat, name))| {
            input.1[..at].iter().all(|other| (other.0, other.1.abs_diff(*seat)) != (*row, 1) || other.2 == *name)
        })
    })
}

#[derive(Clone, Debug)]
enum Term {
    /// Only `Debug` looks at it.
    Number(#[allow(dead_code)] i64),
    One,
    Var(usize),
    Add(Box<Term>, Box<Term>),
    Let(Box<Term>, Box<Term>),
}

fn term(s: &mut Source, variables: usize, depth: u32) -> Term {
    match s.draw(0..=if depth == 0 { 1u8 } else { 3 }) {
        0 => Term::Number(s.draw(-100..=100i64)),
        1 if variables == 0 => Term::One,
        1 => Term::Var(s.draw(0..variables)),
        2 => {
            let left = Box::new(term(s, variables, depth - 1));
            Term::Add(left, Box::new(term(s, variables, depth - 1)))
        }
        _ => {
            let bound = Box::new(term(s, variables, depth - 1));
            Term::Let(bound, Box::new(term(s, variables + 1, depth - 1)))
        }
    }
}

/// How often a term names the first variable.
fn uses(term: &Term) -> usize {
    match term {
        Term::Number(_) | Term::One => 0,
        Term::Var(variable) => usize::from(*variable == 0),
        Term::Add(a, b) | Term::Let(a, b) => uses(a) + uses(b),
    }
}

fn uses_twice(term: &Term) -> bool {
    match term {
        Term::Number(_) | Term::One | Term::Var(_) => false,
        Term::Add(a, b) => uses_twice(a) || uses_twice(b),
        Term::Let(a, b) => uses_twice(a) || uses_twice(b) || uses(b) >= 2,
    }
}

fn used_twice() -> Box<dyn Property> {
    holds(|s: &mut Source| term(s, 0, 4), |term| !uses_twice(term))
}

/// No room but the first has two meetings at the same time.
fn rooms() -> Box<dyn Property> {
    let meetings = |s: &mut Source| {
        list(s, 12, |s| {
            let (start, length) = (s.draw(0..24u32), s.draw(1..=8u32));
            (s.draw(0..4u32), start, start + length)
        })
    };
    holds(meetings, |meetings| {
        meetings
            .iter()
            .enumerate()
            .all(|(at, a)| meetings[..at].iter().all(|b| a.0 == 0 || a.0 != b.0 || a.1 >= b.2 || b.1 >= a.2))
    })
}

/// An order that names an item twice is checked against the stock line by line.
fn orders() -> Box<dyn Property> {
    let input = |s: &mut Source| {
        let items = s.draw(1..5usize);
        let stock: Vec<i64> = (0..items).map(|_| s.draw(0..50i64)).collect();
        let orders = list(s, 10, |s| {
            let lines = s.draw(1..=3usize);
            (0..lines).map(|_| (s.draw(0..items), s.draw(1..20i64))).collect::<Vec<_>>()
        });
        (stock, orders)
    };
    holds(input, |input| {
        let mut stock = input.0.clone();
        for order in &input.1 {
            if order.iter().all(|(item, count)| stock[*item] >= *count) {
                order.iter().for_each(|(item, count)| stock[*item] -= count);
            }
        }
        stock.iter().all(|left| *left >= 0)
    })
}

fn walk() -> Box<dyn Property> {
    let steps = |s: &mut Source| {
        let (mut at, mut steps) = ((0i32, 0i32), Vec::new());
        while s.draw(0..8u8) != 0 {
            at = (at.0 + s.draw(-3..=3i32), at.1 + s.draw(-3..=3i32));
            steps.push(at);
        }
        steps
    };
    holds(steps, |steps| steps.iter().all(|at| at.0.abs() + at.1.abs() < 7))
}

/// A tree by the parent of each node but the root.
fn parents() -> Box<dyn Property> {
    let parents = |s: &mut Source| {
        let count = s.draw(0..16usize);
        (1..=count).map(|node| s.draw(0..node)).collect::<Vec<_>>()
    };
    holds(parents, |parents| {
        let mut depths = vec![0];
        for parent in parents {
            depths.push(depths[*parent] + 1);
        }
        depths.iter().all(|depth| *depth < 4)
    })
}

/// Lines of fields between commas, some in quotation marks.
fn records() -> Box<dyn Property> {
    let field = |s: &mut Source| list(s, 3, |s| s.draw('a'..='e')).into_iter().collect::<String>();
    let records = move |s: &mut Source| {
        let (columns, rows) = (s.draw(1..5usize), s.draw(0..6usize));
        let mut text = String::new();
        for _ in 0..rows {
            for column in 0..columns {
                if column > 0 {
                    text.push(',');
                }
                if !s.draw(any::<bool>()) {
                    text += &field(s);
                    continue;
                }
                text.push('"');
                text += &field(s);
                text += if s.draw(0..3u8) == 2 { "\"\"" } else { "" };
                text.push('"');
            }
            text.push('\n');
        }
        text
    };
    holds(records, |text| !text.lines().any(|line| line.contains("\"\"\"") && line.contains(',')))
}
