//! A guided tour: `cargo run --release --example tour`.
//!
//! Every stop is a property of a small piece of code with a bug that real programs have had. What is printed is what
//! `cargo test` would print.

use forall::Arbitrary;
use forall::choice::Source;
use forall::lazy::{Fun, Lazy, List};
use forall::machine::{Sequential, Spec};
use forall::prelude::*;
use forall::property::{Outcome, Property};
use forall::report::{Style, render};
use forall::run::{Report, Run, Settings, Shard, Store};
use std::collections::VecDeque;

fn main() {
    say("forall: write a property, get a counterexample you understand, never lose it.");
    cut_in_the_middle();
    the_middle_of_two_numbers();
    upper_and_lower_case();
    the_optimiser();
    every_input();
    an_honest_answer();
    what_was_tested();
    a_search_that_climbs();
    functions_and_every_input();
    a_ring_against_its_model();
    many_machines();
    say(
        "That was the tour. In your own crate: add forall as a dev-dependency, write #[forall::test] above a function \
         with parameters, and run cargo test.",
    );
}

/// The first bytes of a text, at most `limit`.
fn first_bytes(text: &str, limit: usize) -> &str {
    &text[..limit.min(text.len())]
}

fn cut_in_the_middle() {
    stop("1. Text that is cut to fit", "Cutting a text to a number of bytes is safe, is it not?");
    show(&property! {
        forall text: String;
        forall limit in 0..20usize;
        check first_bytes(text, *limit).len() <= *limit
    });
    say(
        "One character of two bytes, cut after the first. forall tried all sorts of text, and then made the text short, the \
         character simple and the limit small.",
    );
}

/// The midpoint of binary searches until 2006.
fn middle(low: i32, high: i32) -> i32 {
    (low + high) / 2
}

fn the_middle_of_two_numbers() {
    stop("2. The bug that was in every binary search", "The middle of two numbers lies between them.");
    show(&property! {
        forall low in 0..=i32::MAX;
        forall high in *low..=i32::MAX;
        check {
            let middle = middle(*low, *high);
            assert!((*low..=*high).contains(&middle), "{middle} is not between");
        }
    });
    say(
        "The second number depends on the first: `high in *low..=i32::MAX`. Numbers on the edge of their type are tried often, \
         so an overflow is not a matter of luck.",
    );
}

fn upper_and_lower_case() {
    stop("3. Comparing without case", "Upper-casing a word first makes no difference to its lower-case form.");
    show(&property! {
        forall word: String;
        check assert_eq!(word.to_uppercase().to_lowercase(), word.to_lowercase())
    });
    say("The diff shows the two sides, and one character is enough.");
}

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Expr {
    Number(i8),
    Add(Box<Expr>, Box<Expr>),
    Divide(Box<Expr>, Box<Expr>),
}

fn evaluate(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Number(n) => Some(i64::from(*n)),
        Expr::Add(a, b) => evaluate(a)?.checked_add(evaluate(b)?),
        Expr::Divide(a, b) => evaluate(a)?.checked_div(evaluate(b)?),
    }
}

/// Simplifies, with a rule from many a text book.
fn optimise(expr: &Expr) -> Expr {
    match expr {
        Expr::Number(n) => Expr::Number(*n),
        Expr::Add(a, b) => Expr::Add(Box::new(optimise(a)), Box::new(optimise(b))),
        Expr::Divide(a, b) if a == b => Expr::Number(1),
        Expr::Divide(a, b) => Expr::Divide(Box::new(optimise(a)), Box::new(optimise(b))),
    }
}

/// `#[forall::property]` makes a property of a function, and leaves the function as it is.
#[forall::property]
fn optimising_keeps_the_value(expr: Expr) {
    assert_eq!(evaluate(&optimise(&expr)), evaluate(&expr));
}

fn the_optimiser() {
    stop("4. A small compiler", "x / x is 1. So the optimiser may say so.");
    show(&optimising_keeps_the_value::property());
    say(
        "The expression is a type of our own with #[derive(Arbitrary)]. The counterexample is Rust code that can be pasted \
         into a test.",
    );
}

fn gray(n: u8) -> u8 {
    n ^ n >> 1
}

fn every_input() {
    stop("5. Every input there is", "Neighbours in a Gray code differ in one bit.");
    show(&property! {
        forall n: u8;
        check (gray(*n) ^ gray(n.wrapping_add(1))).count_ones() == 1
    });
    say("There are only 256 inputs, so each was tried once. That is a proof, and forall says so.");
}

fn an_honest_answer() {
    stop("6. When there is nothing to test", "Sorted vectors of ten numbers stay sorted.");
    show(&property! {
        forall xs in vec(any::<i32>()).len(10);
        implies xs.is_sorted();
        check xs.is_sorted()
    });
    say("Hardly any random vector is sorted: nothing was tested, so nothing passes.");
}

fn what_was_tested() {
    stop("7. What was tested", "Sorting a vector does not change its length.");
    show(&property! {
        forall xs: Vec<i8>;
        check {
            forall::classify!(xs.is_empty(), "empty");
            forall::classify!(xs.is_sorted(), "already sorted");
            forall::cover!(10.0, xs.windows(2).any(|pair| pair[0] == pair[1]), "neighbours are equal");
            let mut sorted = xs.clone();
            sorted.sort_unstable();
            sorted.len() == xs.len()
        }
    });
}

/// A lock with three dials.
fn opens(dials: &[i64]) -> bool {
    distance(dials) == 0
}

/// How far the dials are from opening it.
fn distance(dials: &[i64]) -> i64 {
    (dials[0] - 271).abs() + (dials[1] - 828).abs() + (dials[2] - 182).abs()
}

fn a_search_that_climbs() {
    stop("8. A search that climbs", "One in a thousand million settings opens the lock: chance will not find it.");
    let property = property! {
        forall dials in vec(0..1000i64).len(3);
        check {
            forall::target!(-(distance(dials) as f64));
            !opens(dials)
        }
    };
    show_with(&property, Settings::new().runner("targeted").tests(20_000));
    say(
        "The property tells with `target!` how close a test came, and `runner = targeted` keeps the closest inputs and changes \
         them a little. `cargo forall fuzz` does so with the branches that the program takes.",
    );
}

fn functions_and_every_input() {
    stop(
        "9. Functions, and every input up to a depth",
        "Reducing a list from the left or from the right makes no difference.",
    );
    let property = property! {
        forall f: Fun<(bool, bool), bool>;
        forall start: bool;
        forall xs: Lazy<List<bool>>;
        check {
            let left = xs.iter().fold(*start, |sum, x| *f.call(&(sum, **x)));
            let elements: Vec<bool> = xs.iter().map(|x| **x).collect();
            let right = elements.iter().rfold(*start, |sum, x| *f.call(&(*x, sum)));
            left == right
        }
    };
    show_with(&property, Settings::new().runner("exhaustive").depth(4));
    say(
        "Functions are values like any other, shown by the cases that were asked for. `runner = exhaustive` tries every input up to \
         a depth, the smallest first, and decides only what the property looks at: `_` is what it did not.",
    );
}

/// A queue in an array of three places. The last of them is never used again.
#[derive(Default)]
struct Ring {
    places: [u8; 3],
    first: usize,
    length: usize,
}

impl Ring {
    fn put(&mut self, value: u8) -> bool {
        if self.length == self.places.len() {
            return false;
        }
        let place = (self.first + self.length) % self.places.len();
        self.places[place] = value;
        self.length += 1;
        true
    }

    fn take(&mut self) -> Option<u8> {
        if self.length == 0 {
            return None;
        }
        let value = self.places[self.first];
        self.first = (self.first + 1) % (self.places.len() - 1);
        self.length -= 1;
        Some(value)
    }
}

#[derive(Arbitrary, Debug)]
enum Command {
    Put(u8),
    Take,
}

/// What the ring should do, said by a queue that anybody can read.
#[derive(Default)]
struct Queue;

impl Spec for Queue {
    type Command = Command;
    type Model = VecDeque<u8>;
    type System = Ring;
    type Response = Option<u8>;

    fn model(&self) -> VecDeque<u8> {
        VecDeque::new()
    }

    fn generate(&self, _: &VecDeque<u8>, source: &mut Source) -> Command {
        source.draw(any())
    }

    fn precondition(&self, model: &VecDeque<u8>, command: &Command) -> bool {
        matches!(command, Command::Take) || model.len() < 3
    }

    fn next(&self, model: &mut VecDeque<u8>, command: &Command) {
        match command {
            Command::Put(value) => model.push_back(*value),
            Command::Take => drop(model.pop_front()),
        }
    }

    fn system(&self) -> Ring {
        Ring::default()
    }

    fn run(&self, ring: &mut Ring, command: &Command) -> Option<u8> {
        match command {
            Command::Put(value) => ring.put(*value).then_some(*value),
            Command::Take => ring.take(),
        }
    }

    fn postcondition(&self, model: &VecDeque<u8>, command: &Command, response: &Option<u8>) -> bool {
        match command {
            Command::Put(value) => *response == Some(*value),
            Command::Take => *response == model.front().copied(),
        }
    }

    fn code(&self, command: &Command) -> Option<String> {
        forall::generate::Code::of(command)
    }
}

#[forall::property]
fn the_ring_is_a_queue(commands: Sequential<Queue>) -> Outcome {
    commands.check()
}

fn a_ring_against_its_model() {
    stop("10. A system with state", "A queue in a ring of three places gives back what was put into it, in order.");
    show(&the_ring_is_a_queue::property());
    say(
        "Commands are drawn, run on the system and on a model, and compared. The same specification tests on several threads at \
         once, and shows the order of commands that nothing explains: see `forall::machine`.",
    );
}

/// Whether a checksum of eight bits notices that two bytes were exchanged.
fn exchange_is_noticed(bytes: &[u8; 4]) -> bool {
    let sum = |bytes: &[u8]| bytes.iter().fold(0u8, |sum, byte| sum.rotate_left(1).wrapping_add(*byte));
    let [a, b, c, d] = *bytes;
    a == b || sum(&[a, b, c, d]) != sum(&[b, a, c, d])
}

fn many_machines() {
    stop("11. Many machines", "A checksum notices when two bytes are exchanged. Four workers share the tests.");
    let property = property! { forall bytes: [u8; 4]; check exchange_is_noticed(bytes) };
    for number in 1..=4 {
        let shard = Shard::new(number, 4).expect("there are four");
        let settings = Settings::new().tests(4000).shard(shard).seed(2026).store(Store::Off);
        let report = Run::new("tour", &property).settings(settings).report();
        let found = report.counterexample.map(|found| format!(", found {}", found.bindings[0].printed.text()));
        println!("  │ shard {shard}: {} tests{}", report.statistics.valid, found.unwrap_or_default());
    }
    println!();
    say(
        "Each worker runs about a quarter of the tests that one machine would run, and none runs those of another. They need a seed in \
         common and nothing else; what they find goes into a directory or into Redis: `cargo forall run --shard 1/4 --corpus …`.",
    );
}

/// Runs a property with the settings of a test, and shows the report.
fn show(property: &dyn Property) {
    show_with(property, Settings::new());
}

/// Runs a property with a fixed seed, so that the tour is the same for everybody, and shows the report.
fn show_with(property: &dyn Property, settings: Settings) {
    let settings = settings.seed(2026).store(Store::Off);
    let report: Report = Run::new("tour", property).settings(settings).report();
    for line in render(&report, &Style::from_env()).lines() {
        println!("  │ {line}");
    }
}

fn stop(title: &str, claim: &str) {
    println!("\n\n{title}\n{}\n", "─".repeat(title.chars().count()));
    say(claim);
    println!();
}

/// Prints a paragraph, broken into lines.
fn say(text: &str) {
    let mut width = 0;
    for word in text.split_whitespace() {
        if width + word.chars().count() > 96 {
            println!();
            width = 0;
        }
        print!("{}{word}", if width == 0 { "" } else { " " });
        width += 1 + word.chars().count();
    }
    println!();
}
