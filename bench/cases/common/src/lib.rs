//! Code shared by the runners of all tools: the cases, their values and properties, and the command line.
//!
//! A runner is a small program per tool, `bench-case-<tool> <case> <tests>`, that implements [`Tool`] and hands over to
//! [`main`]. The `overhead` suite builds it in both profiles and counts its instructions. A case comes in three kinds:
//!
//! | case | property | prints |
//! |---|---|---|
//! | `vec50` | constant, the value goes to [`black_box`]: only the tool is counted | nothing |
//! | `peers/vec50` | does some work on the value, as in the baseline of the project's notes on its peers | nothing |
//! | `census/vec50` | counts evaluations, measures and hashes the values | `evaluations size hash` |
//!
//! The census never runs under callgrind. It keeps the comparison fair: the same number of evaluations, and values of
//! the same size.

mod census;
mod expr;
mod peers;

pub use census::{Census, Measured};
pub use expr::{BUDGET, Expr, VARIABLES};
pub use peers::Peers;

use std::hint::black_box;
use std::process::exit;
use std::sync::{Arc, Barrier};

/// The seed of every tool that takes one.
pub const SEED: u64 = 42;
/// The length of `vec50`.
pub const EXACT: usize = 50;
/// The greatest length of `vec`, and of `str` in chars.
pub const LONGEST: usize = 100;

/// The regular expressions of the cases `regex/…`. Those of one class have twenty characters, so that it is the class that is
/// measured.
pub const PATTERNS: &[(&str, &str)] = &[
    ("address", r"[a-z0-9]{1,30}(\.[a-z0-9]{1,30}){0,2}@[a-z]{1,30}\.(com|org|net)"),
    ("date", "[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    ("letters", "[a-z]{20}"),
    ("any", ".{20}"),
    ("shown", r"\PC{20}"),
    ("word", r"\w{20}"),
    ("digit", r"\d{20}"),
    ("greek", r"\p{Greek}{20}"),
    ("han", r"\p{Han}{20}"),
    ("parts", "(ab|cd|ef){20}"),
];

/// The regular expression of a case.
pub fn pattern(case: &str) -> &'static str {
    let known = PATTERNS.iter().find(|(name, _)| *name == case);
    known.map_or_else(|| usage(), |(_, pattern)| pattern)
}

/// A property. Without `self`, so that it fits the tools that take function pointers; by reference, so that it fits
/// those that keep the value.
pub trait Property<T>: 'static {
    /// Whether the property holds for `value`.
    fn holds(value: &T) -> bool;
}

/// The constant property: looks at the value, and holds.
#[derive(Clone, Copy, Debug)]
pub struct Constant;

impl<T> Property<T> for Constant {
    #[inline(always)]
    fn holds(value: &T) -> bool {
        black_box(value);
        true
    }
}

/// A tool under measurement: how it runs `tests` tests of `P` on values of each case, through its public interface, as
/// its users would, with a fixed seed where it has one, without shrinking and without writing files.
pub trait Tool {
    /// Nothing to generate: the cost of the loop.
    fn unit<P: Property<()>>(tests: u64);
    /// Two integers.
    fn pair<P: Property<(u64, u64)>>(tests: u64);
    /// [`EXACT`] integers.
    fn vec50<P: Property<Vec<i32>>>(tests: u64);
    /// Up to [`LONGEST`] integers.
    fn vec<P: Property<Vec<i32>>>(tests: u64);
    /// Up to [`LONGEST`] chars.
    fn str<P: Property<String>>(tests: u64);
    /// An expression of [`BUDGET`] nodes.
    fn expr<P: Property<Expr>>(tests: u64);

    /// A string that matches one of [`PATTERNS`]. Returns whether the tool supports regular expressions.
    fn regex<P: Property<String>>(_case: &str, _tests: u64) -> bool {
        false
    }

    /// Cases that only this tool has. Says whether it knows the case.
    fn extra(_case: &str, _tests: u64) -> bool {
        false
    }
}

/// A property for every case.
trait Properties: Property<()> + Property<(u64, u64)> + Property<Vec<i32>> + Property<String> + Property<Expr> {}
impl<P> Properties for P where
    P: Property<()> + Property<(u64, u64)> + Property<Vec<i32>> + Property<String> + Property<Expr>
{
}

/// The program: runs the case that the command line names.
pub fn main<T: Tool>() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [case, tests] = &arguments[..] else { usage() };
    let Ok(tests) = tests.parse() else { usage() };
    let known = match case.split_once('/') {
        Some(("peers", case)) => run::<T, Peers>(case, tests),
        Some(("census", case)) => {
            let known = run::<T, Census>(case, tests);
            println!("{}", census::summary());
            known
        }
        _ => {
            be_one_of_two_threads();
            run::<T, Constant>(case, tests) || T::extra(case, tests)
        }
    };
    if !known {
        usage()
    }
}

/// Under `cargo test` there always is another thread, and then the allocator takes locks: a tenth of the cost of `expr`.
/// So let there be one for every tool, whether it starts threads itself or not. (The baseline was measured without.)
fn be_one_of_two_threads() {
    let up = Arc::new(Barrier::new(2));
    let also_up = Arc::clone(&up);
    std::thread::spawn(move || {
        also_up.wait();
        loop {
            std::thread::park();
        }
    });
    // The startup cost is paid before the tests begin, in runs of every length.
    up.wait();
}

fn run<T: Tool, P: Properties>(case: &str, tests: u64) -> bool {
    match case {
        "unit" => T::unit::<P>(tests),
        "pair" => T::pair::<P>(tests),
        "vec50" => T::vec50::<P>(tests),
        "vec" => T::vec::<P>(tests),
        "str" => T::str::<P>(tests),
        "expr" => T::expr::<P>(tests),
        _ => return case.strip_prefix("regex/").is_some_and(|case| T::regex::<P>(case, tests)),
    }
    true
}

fn usage() -> ! {
    eprintln!("usage: bench-case-<tool> [peers/|census/]unit|pair|vec50|vec|str|expr|regex/NAME <tests>");
    exit(2)
}
