//! Imperative generators of more kinds: graphs, matrices, tables, trees of parents, two collections of one length, programs, JSON by
//! recursion, loops that change their own count. Twenty were written before any was run; 18 then ended at one value from all of 30
//! seeds.

use super::thirteen::Challenge;
use forall::choice::Source;
use forall::generate::{any, from_fn};
use forall::property::{Empty, Property, Telescope};
use std::collections::BTreeSet;
use std::fmt::Debug;

pub const DRAWN: [Challenge; 14] = [
    Challenge { name: "triangle", property: triangle, ideal: "[[(true, 0)], [(true, 0), (true, 0)]]" },
    Challenge { name: "cyclic", property: cyclic, ideal: "(0, [[0, 1], [1, 2]])" },
    Challenge { name: "edges_of_nodes", property: edges, ideal: "(2, [(0, 1), (1, 0)])" },
    Challenge { name: "cells", property: cells, ideal: "[[(true, \"aa\")]]" },
    Challenge { name: "depths", property: depths, ideal: "[0, 1, 2]" },
    Challenge { name: "products", property: products, ideal: "([21], [48])" },
    Challenge { name: "bank_by_hand", property: bank, ideal: "[Deposit(0, 1), Transfer(0, 0, 1)]" },
    Challenge { name: "machine_by_hand", property: machine, ideal: "[Push(6), Dup, Add]" },
    Challenge { name: "rows_by_hand", property: rows, ideal: "[[6, 10]]" },
    Challenge { name: "objects", property: objects, ideal: "[(0, None), (0, Some(0))]" },
    Challenge { name: "json_by_hand", property: json, ideal: "Object([('a', List([Number(10)]))])" },
    Challenge { name: "sparse_entries", property: sparse, ideal: "(2, [(0, 1), (0, 1)])" },
    // The count changes as the loop runs.
    Challenge { name: "own_count", property: own_count, ideal: "[3, 3, 3]" },
    Challenge { name: "growing_count", property: growing_count, ideal: "[9, 0, 9, 0, 0]" },
];

fn holds<T: Debug + 'static>(
    generate: impl Fn(&mut Source) -> T + Copy + 'static,
    check: fn(&T) -> bool,
) -> Box<dyn Property> {
    Box::new(Empty.forall("input", move |(), s| s.draw(from_fn(generate))).check(move |(input, ())| check(input)))
}

fn list<T>(s: &mut Source, most: usize, mut element: impl FnMut(&mut Source) -> T) -> Vec<T> {
    let count = s.draw(0..=most);
    (0..count).map(|_| element(s)).collect()
}

fn edges() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let nodes = s.draw(1..=8usize);
        (nodes, list(s, 20, |s| (s.draw(0..nodes), s.draw(0..nodes))))
    };
    holds(generate, |(_, edges)| !edges.iter().any(|&(a, b)| a != b && edges.contains(&(b, a))))
}

fn cells() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let (rows, columns) = (s.draw(0..=5usize), s.draw(1..=4usize));
        let mut cell = || (s.draw(any::<bool>()), (0..s.draw(0..=3u8)).map(|_| s.draw('a'..='z')).collect());
        (0..rows).map(|_| (0..columns).map(|_| cell()).collect()).collect()
    };
    holds(generate, |all: &Vec<Vec<(bool, String)>>| {
        !all.iter().flatten().any(|(quoted, text)| *quoted && text.len() > 1)
    })
}

fn depths() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let nodes = s.draw(1..=12usize);
        (1..nodes).map(|node| s.draw(0..node)).collect()
    };
    holds(generate, |parents: &Vec<usize>| {
        let mut depths = vec![0];
        for &parent in parents {
            depths.push(depths[parent] + 1);
        }
        depths.iter().all(|depth| *depth < 3)
    })
}

fn products() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let n = s.draw(0..=10usize);
        let xs: Vec<u32> = (0..n).map(|_| s.draw(0..50)).collect();
        let ys: Vec<u32> = (0..n).map(|_| s.draw(0..50)).collect();
        (xs, ys)
    };
    holds(generate, |(xs, ys)| xs.iter().zip(ys).map(|(x, y)| x * y).sum::<u32>() <= 1000)
}

#[derive(Debug)]
enum Op {
    Deposit(usize, u64),
    Withdraw(usize, u64),
    Transfer(usize, usize, u64),
}

fn bank() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        list(s, 12, |s| match s.draw(0..3u8) {
            0 => Op::Deposit(s.draw(0..4), s.draw(1..=100)),
            1 => Op::Withdraw(s.draw(0..4), s.draw(1..=100)),
            _ => Op::Transfer(s.draw(0..4), s.draw(0..4), s.draw(1..=100)),
        })
    };
    holds(generate, |ops| {
        let (mut accounts, mut total) = ([0; 4], 0);
        for op in ops {
            match *op {
                Op::Deposit(to, amount) => {
                    accounts[to] += amount;
                    total += amount as i64;
                }
                Op::Withdraw(from, amount) if accounts[from] >= amount => {
                    accounts[from] -= amount;
                    total -= amount as i64;
                }
                Op::Transfer(from, to, amount) if accounts[from] >= amount => {
                    let (new_from, new_to) = (accounts[from] - amount, accounts[to] + amount);
                    accounts[from] = new_from;
                    accounts[to] = new_to;
                }
                Op::Withdraw(..) | Op::Transfer(..) => {}
            }
        }
        accounts.iter().sum::<u64>() as i64 == total
    })
}

#[derive(Debug)]
enum Step {
    Push(u32),
    Add,
    Dup,
}

fn machine() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let (mut steps, mut depth) = (Vec::new(), 0);
        loop {
            match s.draw(0..4u8) {
                0 => break,
                2 if depth >= 2 => {
                    steps.push(Step::Add);
                    depth -= 1;
                }
                3 if depth >= 1 => {
                    steps.push(Step::Dup);
                    depth += 1;
                }
                _ => {
                    steps.push(Step::Push(s.draw(0..=100)));
                    depth += 1;
                }
            }
        }
        steps
    };
    holds(generate, |steps| {
        let mut stack = Vec::new();
        for step in steps {
            match step {
                Step::Push(n) => stack.push(*n),
                Step::Dup => stack.push(*stack.last().expect("a value")),
                Step::Add => {
                    let sum = stack.pop().expect("a value") + stack.pop().expect("a value");
                    if sum > 10 {
                        return false;
                    }
                    stack.push(sum);
                }
            }
        }
        true
    })
}

fn rows() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let (rows, columns) = (s.draw(0..=6usize), s.draw(0..=6usize));
        (0..rows).map(|_| (0..columns).map(|_| s.draw(-10..=10i32)).collect()).collect()
    };
    holds(generate, |all: &Vec<Vec<i32>>| all.iter().all(|row| row.iter().sum::<i32>() <= 15))
}

fn objects() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let mut all: Vec<(u32, Option<usize>)> = Vec::new();
        for at in 0..s.draw(0..=8usize) {
            let id = s.draw(0..=20u32);
            let parent = if at > 0 && s.draw(any::<bool>()) { Some(s.draw(0..at)) } else { None };
            all.push((id, parent));
        }
        all
    };
    holds(generate, |all| {
        all.iter().all(|(id, parent)| all.iter().all(|(other, beside)| id != other || parent == beside))
    })
}

#[derive(Debug)]
enum Json {
    Null,
    Number(u32),
    List(Vec<Json>),
    Object(Vec<(char, Json)>),
}

fn value(s: &mut Source, depth: u32) -> Json {
    match s.draw(0..if depth == 0 { 2u8 } else { 4 }) {
        0 => Json::Null,
        1 => Json::Number(s.draw(0..100)),
        2 => Json::List(list(s, 3, |s| value(s, depth - 1))),
        _ => Json::Object(list(s, 3, |s| (s.draw('a'..='e'), value(s, depth - 1)))),
    }
}

fn has_large(json: &Json, inside: u32) -> bool {
    match json {
        Json::Null => false,
        Json::Number(n) => inside == 2 && *n >= 10,
        Json::List(all) => all.iter().any(|json| has_large(json, inside.max(if inside > 0 { 2 } else { 0 }))),
        Json::Object(all) => all.iter().any(|(_, json)| has_large(json, inside.max(1))),
    }
}

fn json() -> Box<dyn Property> {
    holds(|s| value(s, 4), |json| !has_large(json, 0))
}

fn sparse() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let size = s.draw(1..=20usize);
        let count = s.draw(0..=size);
        (size, (0..count).map(|_| (s.draw(0..size), s.draw(1..=9u32))).collect())
    };
    holds(generate, |(_, all): &(usize, Vec<(usize, u32)>)| {
        all.iter().map(|entry| entry.0).collect::<BTreeSet<_>>().len() == all.len()
    })
}

/// Each 3 ends the loop one iteration earlier.
fn own_count() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let (mut count, mut all) = (s.draw(0..=200usize), Vec::new());
        while all.len() < count {
            let n = s.draw(0..10u8);
            if n == 3 {
                count -= 1;
            }
            all.push(n);
        }
        all
    };
    holds(generate, |all| all.iter().filter(|n| **n == 3).count() < 3)
}

/// Each 9 makes the loop longer.
fn growing_count() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let (mut left, mut all) = (s.draw(0..=100usize), Vec::new());
        while left > 0 && all.len() < 400 {
            let n = s.draw(0..10u8);
            left = if n == 9 { left + 1 } else { left - 1 };
            all.push(n);
        }
        all
    };
    holds(generate, |all| all.iter().filter(|n| **n == 9).count() < 2)
}

/// The edges of a graph: below the diagonal, with weights. Three nodes that are connected with each other.
fn triangle() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let nodes = s.draw(0..=9usize);
        (1..nodes).map(|a| (0..a).map(|_| (s.draw(any::<bool>()), s.draw(0..100u32))).collect()).collect()
    };
    holds(generate, |rows: &Vec<Vec<(bool, u32)>>| {
        let edge = |a: usize, b: usize| rows[a - 1][b].0;
        let nodes = if rows.is_empty() { 0 } else { rows.len() + 1 };
        !(0..nodes).any(|a| (0..a).any(|b| (0..b).any(|c| edge(a, b) && edge(a, c) && edge(b, c))))
    })
}

/// A permutation matrix that is not symmetric.
fn cyclic() -> Box<dyn Property> {
    let generate = |s: &mut Source| {
        let n = s.draw(1..=7usize);
        let label = s.draw(any::<u8>());
        let matrix: Vec<Vec<u8>> = (0..n).map(|_| (0..n).map(|_| s.draw(0..3u8)).collect()).collect();
        (label, matrix)
    };
    holds(generate, |(_, all)| {
        let n = all.len();
        !(0..n).any(|a| (0..n).any(|b| (0..n).any(|c| all[a][b] == 1 && all[b][c] == 2 && all[c][a] == 1)))
    })
}

/// Nine of ten of four hundred numbers must be 7 or more: all are as they can be, and in order.
pub const TIGHT: Challenge = Challenge { name: "tight_numbers", property: tight, ideal: "0 40 times, 7 360 times" };

fn tight() -> Box<dyn Property> {
    holds(
        |s| Counted((0..400).map(|_| s.draw(0..100u32)).collect()),
        |all| all.0.iter().filter(|n| **n >= 7).count() < 360,
    )
}

/// Prints how often each number comes in a row.
struct Counted(Vec<u32>);

impl Debug for Counted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let runs: Vec<_> = self.0.chunk_by(u32::eq).map(|run| format!("{} {} times", run[0], run.len())).collect();
        f.write_str(&runs.join(", "))
    }
}
