//! The property that counts, measures and hashes what a tool generates, without judging it.

use crate::{Expr, Property};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts evaluations, measures and hashes the values.
#[derive(Clone, Copy, Debug)]
pub struct Census;

static EVALUATIONS: AtomicU64 = AtomicU64::new(0);
static SIZES: AtomicU64 = AtomicU64::new(0);
static HASH: AtomicU64 = AtomicU64::new(0xcbf2_9ce4_8422_2325);

impl<T: Measured + 'static> Property<T> for Census {
    fn holds(value: &T) -> bool {
        EVALUATIONS.fetch_add(1, Relaxed);
        SIZES.fetch_add(value.size(), Relaxed);
        value.words(&mut hash);
        true
    }
}

/// One step of FNV-1a, a word at a time: tells two streams of values apart, no more.
fn hash(word: u64) {
    HASH.store((HASH.load(Relaxed) ^ word).wrapping_mul(0x0100_0000_01b3), Relaxed);
}

/// Evaluations, the sum of the sizes, and the hash of all values.
pub(crate) fn summary() -> String {
    format!("{} {} {:016x}", EVALUATIONS.load(Relaxed), SIZES.load(Relaxed), HASH.load(Relaxed))
}

/// A value with a size, and words that tell it from others.
pub trait Measured {
    /// Elements, chars, nodes.
    fn size(&self) -> u64;
    /// Passes the value to `see`, word by word.
    fn words(&self, see: &mut dyn FnMut(u64));
}

impl Measured for () {
    fn size(&self) -> u64 {
        0
    }

    fn words(&self, _: &mut dyn FnMut(u64)) {}
}

impl Measured for (u64, u64) {
    fn size(&self) -> u64 {
        2
    }

    fn words(&self, see: &mut dyn FnMut(u64)) {
        see(self.0);
        see(self.1);
    }
}

impl Measured for Vec<i32> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn words(&self, see: &mut dyn FnMut(u64)) {
        see(self.size());
        self.iter().for_each(|&x| see(x as u64));
    }
}

impl Measured for String {
    fn size(&self) -> u64 {
        self.chars().count() as u64
    }

    fn words(&self, see: &mut dyn FnMut(u64)) {
        see(self.size());
        self.chars().for_each(|c| see(c.into()));
    }
}

impl Measured for Expr {
    fn size(&self) -> u64 {
        match self {
            Expr::Lit(_) | Expr::Var(_) => 1,
            Expr::Neg(a) => 1 + a.size(),
            Expr::Add(a, b) | Expr::Mul(a, b) => 1 + a.size() + b.size(),
        }
    }

    fn words(&self, see: &mut dyn FnMut(u64)) {
        match self {
            Expr::Lit(n) => see(*n as u64),
            Expr::Var(v) => see(1 << 40 | u64::from(*v)),
            Expr::Neg(a) => {
                see(2 << 40);
                a.words(see);
            }
            Expr::Add(a, b) => {
                see(3 << 40);
                a.words(see);
                b.words(see);
            }
            Expr::Mul(a, b) => {
                see(4 << 40);
                a.words(see);
                b.words(see);
            }
        }
    }
}
