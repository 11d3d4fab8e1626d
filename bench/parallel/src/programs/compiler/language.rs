//! A small imperative language: wrapping integers, a few variables that begin with 0, and loops that terminate.

/// The number of variables.
pub const VARIABLES: u8 = 4;

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program(pub Vec<Statement>);

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Assigns a value to a variable.
    Assign(u8, Expression),
    /// Prints a line.
    Print(Expression),
    /// Executes one of two blocks.
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// Executes a block this many times.
    Repeat(u8, Vec<Statement>),
}

/// An integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    Constant(i32),
    Variable(u8),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

/// A binary operator on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
}

/// The condition of an `if`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    Less(Expression, Expression),
    Equal(Expression, Expression),
    Not(Box<Condition>),
}

impl Expression {
    /// Returns a binary expression.
    pub fn binary(operator: Operator, left: Self, right: Self) -> Self {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }
}

impl Operator {
    /// Applies the operator.
    pub fn apply(self, left: i32, right: i32) -> i32 {
        match self {
            Operator::Add => left.wrapping_add(right),
            Operator::Subtract => left.wrapping_sub(right),
            Operator::Multiply => left.wrapping_mul(right),
        }
    }
}
