//! The properties of the baseline: a little work on the value, the same for every tool.
//!
//! They are not inlined, so that they cost the same everywhere, and they count their evaluations and
//! the lengths they saw, as those of the baseline did: with the hand-written loop they reproduce its counts.

use crate::{Expr, Property, VARIABLES};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The properties of the baseline.
#[derive(Clone, Copy, Debug)]
pub struct Peers;

static EVALUATIONS: AtomicU64 = AtomicU64::new(0);
static LENGTHS: AtomicU64 = AtomicU64::new(0);

/// Counts an evaluation on a value of this length; 0 for what has none.
fn evaluated(length: usize) {
    EVALUATIONS.fetch_add(1, Relaxed);
    LENGTHS.fetch_add(length as u64, Relaxed);
}

impl Property<()> for Peers {
    #[inline(never)]
    fn holds(_: &()) -> bool {
        evaluated(0);
        true
    }
}

/// a + b = b + a
impl Property<(u64, u64)> for Peers {
    #[inline(never)]
    fn holds(&(a, b): &(u64, u64)) -> bool {
        evaluated(0);
        // Without the black box the optimiser proves the property, and drops the test.
        let (left, right) = (black_box(a.wrapping_add(b)), b.wrapping_add(a));
        left == right
    }
}

/// Reversed twice is the same.
impl Property<Vec<i32>> for Peers {
    #[inline(never)]
    fn holds(xs: &Vec<i32>) -> bool {
        evaluated(xs.len());
        let mut ys = xs.clone();
        ys.reverse();
        ys.reverse();
        ys == *xs
    }
}

/// Has at most as many chars as bytes, and is UTF-8.
impl Property<String> for Peers {
    #[inline(never)]
    fn holds(text: &String) -> bool {
        evaluated(text.len());
        text.chars().count() <= text.len() && std::str::from_utf8(text.as_bytes()).is_ok()
    }
}

/// eval = eval ∘ optimize
impl Property<Expr> for Peers {
    #[inline(never)]
    fn holds(expr: &Expr) -> bool {
        evaluated(0);
        let variables = [1, 2, 3, 4];
        const { assert!(VARIABLES == 4) };
        expr.eval(&variables) == expr.optimize().eval(&variables)
    }
}
