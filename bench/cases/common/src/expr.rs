//! The recursive type of the case `expr`, and the two functions of which its property speaks.

use std::ops::RangeInclusive;

/// The number of nodes of an expression is drawn from here, evenly; then it is met exactly.
pub const BUDGET: RangeInclusive<usize> = 25..=75;
/// Variables are 0 to this, not included.
pub const VARIABLES: u8 = 4;

/// An arithmetic expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A number, from −10 to 10.
    Lit(i32),
    /// A variable.
    Var(u8),
    /// −a
    Neg(Box<Expr>),
    /// a + b
    Add(Box<Expr>, Box<Expr>),
    /// a · b
    Mul(Box<Expr>, Box<Expr>),
}

impl Expr {
    pub(crate) fn eval(&self, variables: &[i32; VARIABLES as usize]) -> i32 {
        match self {
            Self::Lit(n) => *n,
            Self::Var(v) => variables[usize::from(*v) % variables.len()],
            Self::Neg(a) => a.eval(variables).wrapping_neg(),
            Self::Add(a, b) => a.eval(variables).wrapping_add(b.eval(variables)),
            Self::Mul(a, b) => a.eval(variables).wrapping_mul(b.eval(variables)),
        }
    }

    /// A copy without double negations, negated numbers, sums with 0 and products with 1.
    pub(crate) fn optimize(&self) -> Self {
        match self {
            Self::Lit(n) => Self::Lit(*n),
            Self::Var(v) => Self::Var(*v),
            Self::Neg(a) => match a.optimize() {
                Self::Neg(a) => *a,
                Self::Lit(n) => Self::Lit(n.wrapping_neg()),
                a => Self::Neg(Box::new(a)),
            },
            Self::Add(a, b) => match (a.optimize(), b.optimize()) {
                (Self::Lit(0), x) | (x, Self::Lit(0)) => x,
                (a, b) => Self::Add(Box::new(a), Box::new(b)),
            },
            Self::Mul(a, b) => match (a.optimize(), b.optimize()) {
                (Self::Lit(1), x) | (x, Self::Lit(1)) => x,
                (a, b) => Self::Mul(Box::new(a), Box::new(b)),
            },
        }
    }
}
