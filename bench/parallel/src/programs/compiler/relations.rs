//! The metamorphic relations: a change to a program, and the expected change of its output.

use super::language::{Condition, Expression, Operator, Program, Statement, VARIABLES};
use forall::prelude::*;

/// A change of the program whose effect on the output is known.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Each `if` asks the opposite, and has its blocks the other way round. The output stays as it is.
    SwapBranches,
    /// Each `print` prints the negative. So does the output.
    NegatePrints,
    /// A line is printed before everything else. The output contains it.
    Announce,
    /// Everything is done twice, with variables set back between. The output comes twice.
    Repeat,
}

/// The marker.
const ANNOUNCED: i32 = 42;

impl Relation {
    /// The changed program.
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

    /// The changed output, line by line.
    pub fn of_output(self, output: &[i32]) -> Vec<i32> {
        match self {
            Relation::SwapBranches => output.to_vec(),
            Relation::NegatePrints => output.iter().map(|line| line.wrapping_neg()).collect(),
            Relation::Announce => [&[ANNOUNCED], output].concat(),
            Relation::Repeat => [output, output].concat(),
        }
    }

    /// The changed statement, for relations that change statements.
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
