//! Harder challenges of our own. Each ideal was written down before the shrinker was run on it.

use super::thirteen::Challenge;
use forall::Arbitrary;
use forall::choice::Source;
use forall::generate::{GeneratorExt, any, btree_set, elements, range, shuffle, string, vec};
use forall::property::{Empty, Property, Telescope};

pub const HARDER: [Challenge; 16] = [
    // One row is simpler than one column, since the number of rows is drawn first.
    Challenge { name: "nested_binds", property: nested_binds, ideal: "[[501, 999]]" },
    Challenge { name: "matrix", property: matrix, ideal: "[[50]]" },
    // 51 × 99 is the first product from 5000 on that has a factor of at most 99.
    Challenge { name: "dot_product", property: dot_product, ideal: "([51], [99])" },
    Challenge { name: "collision", property: collision, ideal: "0, 16" },
    // 1 + 2^53 is no float, and nothing smaller is none.
    Challenge { name: "cancellation", property: cancellation, ideal: "1.0, 9007199254740992.0" },
    Challenge { name: "fraction", property: fraction, ideal: "0.5" },
    Challenge { name: "chunks", property: chunks, ideal: "[1, 0, 1, 0]" },
    Challenge { name: "parses", property: parses, ideal: "\"10\"" },
    Challenge { name: "search_tree", property: search_tree, ideal: "(0 _ (1 _ (2 _ _)))" },
    Challenge { name: "graph", property: graph, ideal: "[[1], [0]]" },
    Challenge { name: "commands", property: commands, ideal: "[Push(100), Pop]" },
    Challenge { name: "cut_text", property: cut_text, ideal: "\"\\u{80}\", 1" },
    Challenge { name: "set", property: set, ideal: "{1, 99}" },
    Challenge { name: "permutation", property: permutation, ideal: "[5, 0, 1, 2, 3, 4, 6, 7]" },
    Challenge { name: "three_sum", property: three_sum, ideal: "0, 401, 600" },
    Challenge { name: "json", property: json, ideal: "Array([Array([]), Array([])])" },
];

/// A matrix whose numbers of rows and columns are drawn first sums to less than 1500.
fn nested_binds() -> Box<dyn Property> {
    let rows =
        || range(0..10usize).flat_map(|n| range(0..10usize).flat_map(move |m| vec(vec(0..1000u32).len(m)).len(n)));
    let property =
        Empty.forall("rows", move |(), s| s.draw(rows())).check(|(rows, ())| rows.iter().flatten().sum::<u32>() < 1500);
    Box::new(property)
}

/// A square matrix has only numbers below 50 on its diagonal.
fn matrix() -> Box<dyn Property> {
    let square = || range(1..=10usize).flat_map(|n| vec(vec(0..100u8).len(n)).len(n));
    let property = Empty
        .forall("rows", move |(), s| s.draw(square()))
        .check(|(rows, ())| rows.iter().enumerate().all(|(i, row)| row[i] < 50));
    Box::new(property)
}

/// The product of two vectors of one length is below 5000.
fn dot_product() -> Box<dyn Property> {
    let pair = || range(1..=30usize).flat_map(|n| vec(0..100u32).len(n).zip(vec(0..100u32).len(n)));
    let property = Empty
        .forall("pair", move |(), s| s.draw(pair()))
        .check(|((xs, ys), ())| xs.iter().zip(ys).map(|(x, y)| x * y).sum::<u32>() < 5000);
    Box::new(property)
}

/// Different keys go into different buckets.
fn collision() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(any::<u32>()))
        .forall("b", |_, s| s.draw(any::<u32>()))
        .check(|(b, (a, ()))| a == b || a % 16 != b % 16);
    Box::new(property)
}

/// What was added can be taken away again.
fn cancellation() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(-1e300..1e300))
        .forall("b", |_, s| s.draw(-1e300..1e300))
        .check(|(b, (a, ()))| (a + b) - a == *b);
    Box::new(property)
}

/// All numbers are whole.
fn fraction() -> Box<dyn Property> {
    let property = Empty.forall("x", |(), s| s.draw(any::<f64>())).check(|(x, ())| x.fract() == 0.0 || !x.is_finite());
    Box::new(property)
}

/// A decoder of chunks, each a length and as many bytes, finds at most one chunk that is not empty.
fn chunks() -> Box<dyn Property> {
    let property = Empty.forall("bytes", |(), s| s.draw(vec(0..=20u8))).check(|(bytes, ())| {
        let (mut found, mut rest) = (0, &bytes[..]);
        while let Some((&length, tail)) = rest.split_first() {
            let Some(after) = tail.get(usize::from(length)..) else { break };
            found += usize::from(length > 0);
            rest = after;
        }
        found < 2
    });
    Box::new(property)
}

/// The sum in a text, if it is one.
fn sum(text: &str) -> Option<u64> {
    text.split('+').try_fold(0u64, |sum, number| sum.checked_add(number.parse().ok()?))
}

/// Sums are below 10.
fn parses() -> Box<dyn Property> {
    let characters = || elements(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+']);
    let property = Empty
        .forall("text", move |(), s| s.draw(string(characters())))
        .check(|(text, ())| sum(text).is_none_or(|sum| sum < 10));
    Box::new(property)
}

#[derive(Debug)]
struct Tree {
    key: u32,
    left: Option<Box<Tree>>,
    right: Option<Box<Tree>>,
}

fn tree(source: &mut Source, low: u32, high: u32) -> Option<Box<Tree>> {
    source.span(8, |source| {
        if low == high || source.choice(1) == 0 {
            return None;
        }
        let key = source.draw(low..high);
        Some(Box::new(Tree { key, left: tree(source, low, key), right: tree(source, key + 1, high) }))
    })
}

fn show(tree: &Option<Box<Tree>>) -> String {
    match tree {
        None => "_".to_owned(),
        Some(tree) => format!("({} {} {})", tree.key, show(&tree.left), show(&tree.right)),
    }
}

fn height(tree: &Option<Box<Tree>>) -> u32 {
    tree.as_ref().map_or(0, |tree| 1 + height(&tree.left).max(height(&tree.right)))
}

/// Search trees are not higher than 2.
fn search_tree() -> Box<dyn Property> {
    let property =
        Empty.forall("tree", |(), s| tree(s, 0, 100)).print(|_, tree| show(tree)).check(|(tree, ())| height(tree) < 3);
    Box::new(property)
}

/// Graphs, as the successors of each node, have no cycle of several nodes.
fn graph() -> Box<dyn Property> {
    let property = Empty
        .forall("graph", |(), s| s.draw(vec(vec(0..8usize).len(0..3)).len(0..8)))
        .implies(|(graph, ())| graph.iter().flatten().all(|&to| to < graph.len()))
        .check(|(graph, ())| {
            let mut reach = graph.clone();
            for _ in 0..graph.len() {
                for reached in &mut reach {
                    let further: Vec<usize> = reached.iter().flat_map(|&to| graph[to].clone()).collect();
                    reached.extend(further);
                    reached.sort_unstable();
                    reached.dedup();
                }
            }
            let both = |a: usize, b: usize| a != b && reach[a].contains(&b) && reach[b].contains(&a);
            !(0..graph.len()).any(|a| (0..graph.len()).any(|b| both(a, b)))
        });
    Box::new(property)
}

#[derive(Arbitrary, Clone, Debug)]
enum Command {
    Pop,
    Clear,
    Push(i32),
    Swap(u8, u8),
}

/// No number from 100 on is ever popped.
fn commands() -> Box<dyn Property> {
    let property = Empty.forall("commands", |(), s| s.draw(any::<Vec<Command>>())).check(|(commands, ())| {
        let mut stack = Vec::new();
        commands.iter().all(|command| match command {
            Command::Push(n) => {
                stack.push(*n);
                true
            }
            Command::Pop => stack.pop().is_none_or(|n| n < 100),
            Command::Clear => {
                stack.clear();
                true
            }
            Command::Swap(a, b) => {
                let (a, b) = (usize::from(*a), usize::from(*b));
                if a.max(b) < stack.len() {
                    stack.swap(a, b);
                }
                true
            }
        })
    });
    Box::new(property)
}

/// A text may be cut anywhere.
fn cut_text() -> Box<dyn Property> {
    let property = Empty
        .forall("text", |(), s| s.draw(any::<String>()))
        .forall("limit", |_, s| s.draw(0..20usize))
        .check(|(limit, (text, ()))| text.is_char_boundary((*limit).min(text.len())));
    Box::new(property)
}

/// Sets sum to less than 100.
fn set() -> Box<dyn Property> {
    let property =
        Empty.forall("set", |(), s| s.draw(btree_set(0..100u32))).check(|(set, ())| set.iter().sum::<u32>() < 100);
    Box::new(property)
}

/// A shuffled list begins with something below 5.
fn permutation() -> Box<dyn Property> {
    let property =
        Empty.forall("order", |(), s| s.draw(shuffle([0, 1, 2, 3, 4, 5, 6, 7]))).check(|(order, ())| order[0] < 5);
    Box::new(property)
}

/// Three numbers sum to at most 1000.
fn three_sum() -> Box<dyn Property> {
    let property = Empty
        .forall("a", |(), s| s.draw(0..=600u32))
        .forall("b", |_, s| s.draw(0..=600u32))
        .forall("c", |_, s| s.draw(0..=600u32))
        .check(|(c, (b, (a, ())))| a + b + c <= 1000);
    Box::new(property)
}

#[derive(Arbitrary, Clone, Debug)]
enum Json {
    Null,
    Bool(bool),
    Number(i32),
    Text(String),
    Array(Vec<Json>),
}

fn arrays(json: &Json) -> usize {
    match json {
        Json::Array(items) => 1 + items.iter().map(arrays).sum::<usize>(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => 0,
    }
}

/// No value has more than two arrays. (Side by side they need no more choices than inside each other, and smaller ones.)
fn json() -> Box<dyn Property> {
    let property = Empty.forall("json", |(), s| s.draw(any::<Json>())).check(|(json, ())| arrays(json) <= 2);
    Box::new(property)
}
