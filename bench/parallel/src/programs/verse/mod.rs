//! The Verse core calculus is confluent: the result does not depend on the order of rules.
//!
//! Terms are in `syntax.rs`, the rules in `rules.rs`, random programs in `generate.rs`. A program is rewritten twice,
//! each time by randomly chosen rules. A result is a value without functions and variables, or failure; a program
//! without a result, because it is stuck or takes too long, is discarded. If one order of rules finds a result, so must
//! every other.

mod generate;
mod rules;
mod syntax;

use super::rarity::is_spared;
use forall::prelude::*;
use forall::property::Property;
use rules::{CHOOSE_OUT_OF_ORDER, redexes};
use std::sync::atomic::Ordering;
use syntax::{Expression, Name};

/// A rewriting is abandoned after this many steps, or when its term exceeds this size.
const STEPS: u32 = 200;
const LARGEST: usize = 80;

/// The first name for rewriting: programs never have this many.
const FIRST_NEW_NAME: Name = 1 << 16;

pub fn property() -> Box<dyn Property + Sync> {
    Box::new(property! {
        forall program in from_fn(generate::program);
        forall orders: (u64, u64);
        forall results in from_fn(|_| [orders.0, orders.1].map(|order| rewritten(program, order)));
        implies results.iter().any(Ending::is_result) && !results.contains(&Ending::TooLong);
        check results[0] == results[1] || is_spared(program)
    })
}

/// Runs `body` with the bug activated.
pub fn with_bug(body: &mut dyn FnMut()) {
    CHOOSE_OUT_OF_ORDER.store(true, Ordering::Relaxed);
    body();
    CHOOSE_OUT_OF_ORDER.store(false, Ordering::Relaxed);
}

/// How a rewriting ends.
#[derive(Debug, PartialEq)]
enum Ending {
    Result(Expression),
    /// No rule applies, but the term is not a result.
    Stuck,
    TooLong,
}

impl Ending {
    fn is_result(&self) -> bool {
        matches!(self, Ending::Result(_))
    }
}

/// Rewrites a program by randomly chosen rules, until none applies.
fn rewritten(program: &Expression, order: u64) -> Ending {
    let (mut term, mut next, mut random) = (program.clone(), FIRST_NEW_NAME, order);
    for _ in 0..STEPS {
        let (mut redexes, size) = redexes(&term, &mut next);
        if size > LARGEST {
            return Ending::TooLong;
        }
        if redexes.is_empty() {
            let is_result = match &term {
                Expression::Value(value) => value.is_ground(),
                Expression::Fail => true,
                _ => false,
            };
            return if is_result { Ending::Result(term) } else { Ending::Stuck };
        }
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        let pick = (random >> 32) as usize % redexes.len();
        redexes.swap_remove(pick).take(&mut term);
    }
    Ending::TooLong
}

#[cfg(test)]
mod tests {
    use super::syntax::{Item, Value};
    use super::*;

    fn integer(n: i64) -> Expression {
        Expression::Value(Value::Integer(n))
    }

    /// `∃x. ∃y. x = (7 | 22); y = (31 | 5); ⟨x, y⟩`, the example of the paper.
    fn pairs() -> Expression {
        let [x, y] = [0, 1].map(Value::Variable);
        let pair = Expression::Value(Value::Tuple(vec![x.clone(), y.clone()]));
        let second = Expression::then(Item::Equation(y, Expression::choice(integer(31), integer(5))), pair);
        let first = Expression::then(Item::Equation(x, Expression::choice(integer(7), integer(22))), second);
        Expression::exists(0, Expression::exists(1, first))
    }

    #[test]
    fn all_results_come_in_the_order_of_the_choices() {
        let pair = |a, b| Value::Tuple(vec![Value::Integer(a), Value::Integer(b)]);
        let expected = Value::Tuple(vec![pair(7, 31), pair(7, 5), pair(22, 31), pair(22, 5)]);
        for order in 0..50 {
            let ended = rewritten(&Expression::All(Box::new(pairs())), order);
            assert_eq!(ended, Ending::Result(Expression::Value(expected.clone())));
        }
    }

    #[test]
    fn the_first_result_is_the_one_that_counts() {
        let program = Expression::One(Box::new(pairs()));
        let expected = Value::Tuple(vec![Value::Integer(7), Value::Integer(31)]);
        assert_eq!(rewritten(&program, 1), Ending::Result(Expression::Value(expected)));
    }

    #[test]
    fn an_equation_may_come_after_the_use_of_its_variable() {
        // ∃x. ∃y. x = ⟨y, 3⟩; ⟨2, y⟩ = x; y
        let [x, y] = [0, 1].map(Value::Variable);
        let three = Value::Tuple(vec![y.clone(), Value::Integer(3)]);
        let two = Value::Tuple(vec![Value::Integer(2), y.clone()]);
        let first = Item::Equation(x.clone(), Expression::Value(three));
        let second = Item::Equation(two, Expression::Value(x));
        let body = Expression::then(first, Expression::then(second, Expression::Value(y)));
        let program = Expression::One(Box::new(Expression::exists(0, Expression::exists(1, body))));
        // `y` would have to be both 2 and 3.
        assert_eq!(rewritten(&program, 1), Ending::Result(Expression::Fail));
    }
}
