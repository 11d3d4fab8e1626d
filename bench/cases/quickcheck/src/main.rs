//! `quickcheck`: trait impls and a property that is a function pointer.
//!
//! Sizes: quickcheck draws the length of vectors and strings from 0 to 99, so they are one half shorter on average.

use bench_case::{BUDGET, EXACT, Expr, LONGEST, Property, SEED, Tool, VARIABLES};
use quickcheck::{Arbitrary, Gen, QuickCheck, Testable};

struct Peer;

fn main() {
    bench_case::main::<Peer>();
}

fn check(tests: u64, property: impl Testable) {
    let generator = Gen::from_size_and_seed(LONGEST, SEED);
    let passed = QuickCheck::new().rng(generator).tests(tests).max_tests(tests).quicktest(property);
    assert_eq!(passed.ok(), Some(tests));
}

impl Tool for Peer {
    fn unit<P: Property<()>>(tests: u64) {
        fn holds<P: Property<()>>(value: ()) -> bool {
            P::holds(&value)
        }
        check(tests, holds::<P> as fn(()) -> bool);
    }

    fn pair<P: Property<(u64, u64)>>(tests: u64) {
        fn holds<P: Property<(u64, u64)>>(a: u64, b: u64) -> bool {
            P::holds(&(a, b))
        }
        check(tests, holds::<P> as fn(u64, u64) -> bool);
    }

    fn vec50<P: Property<Vec<i32>>>(tests: u64) {
        fn holds<P: Property<Vec<i32>>>(value: Fifty) -> bool {
            P::holds(&value.0)
        }
        check(tests, holds::<P> as fn(Fifty) -> bool);
    }

    fn vec<P: Property<Vec<i32>>>(tests: u64) {
        fn holds<P: Property<Vec<i32>>>(value: Vec<i32>) -> bool {
            P::holds(&value)
        }
        check(tests, holds::<P> as fn(Vec<i32>) -> bool);
    }

    fn str<P: Property<String>>(tests: u64) {
        fn holds<P: Property<String>>(value: String) -> bool {
            P::holds(&value)
        }
        check(tests, holds::<P> as fn(String) -> bool);
    }

    fn expr<P: Property<Expr>>(tests: u64) {
        fn holds<P: Property<Expr>>(value: Term) -> bool {
            P::holds(&value.0)
        }
        check(tests, holds::<P> as fn(Term) -> bool);
    }
}

/// Exactly fifty integers.
#[derive(Clone, Debug)]
struct Fifty(Vec<i32>);

impl Arbitrary for Fifty {
    fn arbitrary(g: &mut Gen) -> Self {
        Self((0..EXACT).map(|_| i32::arbitrary(g)).collect())
    }
}

#[derive(Clone, Debug)]
struct Term(Expr);

impl Arbitrary for Term {
    fn arbitrary(g: &mut Gen) -> Self {
        let nodes = below(g, BUDGET.end() - BUDGET.start() + 1) + BUDGET.start();
        Self(expr(g, nodes))
    }
}

fn expr(g: &mut Gen, nodes: usize) -> Expr {
    match nodes {
        0 | 1 if bool::arbitrary(g) => Expr::Lit(below(g, 21) as i32 - 10),
        0 | 1 => Expr::Var(below(g, VARIABLES.into()) as u8),
        2 => Expr::Neg(Box::new(expr(g, 1))),
        _ => match below(g, 3) {
            0 => Expr::Neg(Box::new(expr(g, nodes - 1))),
            kind => {
                let left = 1 + below(g, nodes - 2);
                let a = Box::new(expr(g, left));
                let b = Box::new(expr(g, nodes - 1 - left));
                if kind == 1 { Expr::Add(a, b) } else { Expr::Mul(a, b) }
            }
        },
    }
}

/// A number below `bound`, all equally likely: quickcheck has no ranges, only a choice among the elements of a slice.
/// (The usual `usize::arbitrary(g) % bound` is biased, and would make smaller expressions.)
fn below(g: &mut Gen, bound: usize) -> usize {
    static NUMBERS: [usize; 128] = {
        let mut numbers = [0; 128];
        let mut i = 0;
        while i < numbers.len() {
            numbers[i] = i;
            i += 1;
        }
        numbers
    };
    *g.choose(&NUMBERS[..bound]).expect("a bound above 0")
}
