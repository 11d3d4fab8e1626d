//! Random programs.

use super::language::{Condition, Expression, Operator, Program, Statement, VARIABLES};
use forall::prelude::*;

/// The maximum nesting depth of statements.
const DEPTH: u32 = 3;

/// The maximum number of iterations of a loop: three nested ones are still fast.
const ROUNDS: u8 = 4;

/// Draws a program with at most as many statements in its outermost block as its size.
pub fn program(source: &mut Source) -> Program {
    let most = 2 + source.size() as usize / 4;
    Program(source.draw(vec(from_fn(|source| statement(DEPTH, source))).len(1..=most)))
}

fn block(depth: u32, source: &mut Source) -> Vec<Statement> {
    source.draw(vec(from_fn(|source| statement(depth, source))).len(0..=3))
}

fn statement(depth: u32, source: &mut Source) -> Statement {
    let kinds = if depth == 0 { 0..=1u8 } else { 0..=3 };
    match source.draw(kinds) {
        0 => Statement::Print(expression(2, source)),
        1 => Statement::Assign(source.draw(0..VARIABLES), expression(2, source)),
        2 => Statement::If(condition(source), block(depth - 1, source), block(depth - 1, source)),
        _ => Statement::Repeat(source.draw(0..=ROUNDS), block(depth - 1, source)),
    }
}

fn condition(source: &mut Source) -> Condition {
    match source.draw(0..=3u8) {
        0 => Condition::Equal(expression(1, source), expression(1, source)),
        1 => Condition::Not(Box::new(condition(source))),
        _ => Condition::Less(expression(1, source), expression(1, source)),
    }
}

fn expression(depth: u32, source: &mut Source) -> Expression {
    let kinds = if depth == 0 { 0..=1u8 } else { 0..=3 };
    match source.draw(kinds) {
        // Small constants are sometimes equal.
        0 => Expression::Constant(if source.draw(any()) { source.draw(0..=3) } else { source.draw(any()) }),
        1 => Expression::Variable(source.draw(0..VARIABLES)),
        _ => {
            let operator = source.draw(elements(&[Operator::Add, Operator::Subtract, Operator::Multiply]));
            Expression::binary(operator, expression(depth - 1, source), expression(depth - 1, source))
        }
    }
}
