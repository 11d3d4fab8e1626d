//! The metamorphic relations: a change to a program, and the expected change of its output.

use super::language::{Condition, Expression, Operator, Program, Statement, VARIABLES};
use forall::prelude::*;

/// A change of the program whose effect on the output is known.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Negates each condition and swaps its blocks. The output does not change.
    SwapBranches,
    /// Negates each printed value. The output is negated.
    NegatePrints,
    /// Prints a line before everything else. The output contains it.
    Announce,
    /// Runs everything twice, with variables reset in between. The output is repeated.
    Repeat,
}

/// The line that is printed first.
const ANNOUNCED: i32 = 42;

impl Relation {
    /// Returns the changed program.
    pub fn of_program(self, Program(body): &Program) -> Program {
        Program(match self {
            Relation::SwapBranches | Relation::NegatePrints => self.of_block(body),
            Relation::Announce => {
                let announcement = Statement::Print(Expression::Constant(ANNOUNCED));
                std::iter::once(announcement).chain(body.iter().cloned()).collect()
            }
            Relation::Repeat => {
                let reset = (0..VARIABLES).map(|variable| Statement::Assign(variable, Expression::Constant(0)));
                body.iter().cloned().chain(reset).chain(body.iter().cloned()).collect()
            }
        })
    }

    /// Returns the changed output, line by line.
    pub fn of_output(self, output: &[i32]) -> Vec<i32> {
        match self {
            Relation::SwapBranches => output.to_vec(),
            Relation::NegatePrints => output.iter().map(|line| line.wrapping_neg()).collect(),
            Relation::Announce => [&[ANNOUNCED], output].concat(),
            Relation::Repeat => [output, output].concat(),
        }
    }

    /// Returns the changed block, for relations that change statements.
    fn of_block(self, block: &[Statement]) -> Vec<Statement> {
        let of_statement = |statement: &Statement| match statement {
            Statement::Print(value) if self == Relation::NegatePrints => {
                Statement::Print(Expression::binary(Operator::Subtract, Expression::Constant(0), value.clone()))
            }
            Statement::If(asked, yes, no) if self == Relation::SwapBranches => {
                Statement::If(Condition::Not(Box::new(asked.clone())), self.of_block(no), self.of_block(yes))
            }
            Statement::If(asked, yes, no) => Statement::If(asked.clone(), self.of_block(yes), self.of_block(no)),
            Statement::Repeat(times, body) => Statement::Repeat(*times, self.of_block(body)),
            other => other.clone(),
        };
        block.iter().map(of_statement).collect()
    }
}
