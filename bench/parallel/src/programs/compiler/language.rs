//! A small imperative language: integers that wrap around, a handful of variables that begin with 0, loops that end.

/// How many variables there are.
pub const VARIABLES: u8 = 4;

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program(pub Vec<Statement>);

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A variable gets a value.
    Assign(u8, Expression),
    /// A line of output.
    Print(Expression),
    /// One of two blocks.
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// A block so many times.
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
    /// Two expressions and an operator between them.
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
