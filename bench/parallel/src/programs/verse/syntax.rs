//! Terms of the Verse core calculus.

/// A variable. Binders have distinct names, except for copies created by a choice, which never meet.
pub type Name = u32;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Variable(Name),
    Integer(i64),
    Operator(Operator),
    Tuple(Vec<Value>),
    Function(Name, Box<Expression>),
}

/// A built-in function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `add⟨k₁, k₂⟩`
    Add,
    /// `gt⟨k₁, k₂⟩`, which is `k₁`, or fails.
    Greater,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    Value(Value),
    /// `eu; e`
    Then(Box<Item>, Box<Expression>),
    /// `∃x. e`
    Exists(Name, Box<Expression>),
    Fail,
    /// `e₁ | e₂`
    Choice(Box<Expression>, Box<Expression>),
    /// `v₁ v₂`
    Apply(Value, Value),
    /// `one{e}`
    One(Box<Expression>),
    /// `all{e}`
    All(Box<Expression>),
}

/// The part before a semicolon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `e`
    Plain(Expression),
    /// `v = e`
    Equation(Value, Expression),
}

impl Expression {
    /// `item; rest`
    pub fn then(item: Item, rest: Expression) -> Self {
        Expression::Then(Box::new(item), Box::new(rest))
    }

    /// `∃name. body`
    pub fn exists(name: Name, body: Expression) -> Self {
        Expression::Exists(name, Box::new(body))
    }

    /// `left | right`
    pub fn choice(left: Expression, right: Expression) -> Self {
        Expression::Choice(Box::new(left), Box::new(right))
    }

    /// Returns the number of free occurrences of a variable.
    pub fn occurrences(&self, name: Name) -> usize {
        match self {
            Expression::Value(value) => value.occurrences(name),
            Expression::Then(item, rest) => item.occurrences(name) + rest.occurrences(name),
            Expression::Exists(bound, _) if *bound == name => 0,
            Expression::Exists(_, body) | Expression::One(body) | Expression::All(body) => body.occurrences(name),
            Expression::Fail => 0,
            Expression::Choice(left, right) => left.occurrences(name) + right.occurrences(name),
            Expression::Apply(function, argument) => function.occurrences(name) + argument.occurrences(name),
        }
    }

    /// Substitutes a value for a free variable. No binder above an occurrence has a name that is free in the value.
    pub fn substitute(&mut self, name: Name, by: &Value) {
        match self {
            Expression::Value(value) => value.substitute(name, by),
            Expression::Then(item, rest) => {
                item.substitute(name, by);
                rest.substitute(name, by);
            }
            Expression::Exists(bound, _) if *bound == name => {}
            Expression::Exists(_, body) | Expression::One(body) | Expression::All(body) => body.substitute(name, by),
            Expression::Fail => {}
            Expression::Choice(left, right) => {
                left.substitute(name, by);
                right.substitute(name, by);
            }
            Expression::Apply(function, argument) => {
                function.substitute(name, by);
                argument.substitute(name, by);
            }
        }
    }

    /// Renames all bound variables to unused names.
    pub fn rename_bound(&mut self, next: &mut Name) {
        match self {
            Expression::Value(value) => value.rename_bound(next),
            Expression::Then(item, rest) => {
                match &mut **item {
                    Item::Plain(expression) => expression.rename_bound(next),
                    Item::Equation(value, expression) => {
                        value.rename_bound(next);
                        expression.rename_bound(next);
                    }
                }
                rest.rename_bound(next);
            }
            Expression::Exists(name, body) => {
                rename(name, body, next);
                body.rename_bound(next);
            }
            Expression::One(body) | Expression::All(body) => body.rename_bound(next),
            Expression::Fail => {}
            Expression::Choice(left, right) => {
                left.rename_bound(next);
                right.rename_bound(next);
            }
            Expression::Apply(function, argument) => {
                function.rename_bound(next);
                argument.rename_bound(next);
            }
        }
    }
}

/// Renames a binder to an unused name.
fn rename(name: &mut Name, body: &mut Expression, next: &mut Name) {
    body.substitute(*name, &Value::Variable(*next));
    *name = *next;
    *next += 1;
}

impl Item {
    /// Returns the expression.
    pub fn expression(&self) -> &Expression {
        let (Item::Plain(expression) | Item::Equation(_, expression)) = self;
        expression
    }

    /// Returns the expression, mutably.
    pub fn expression_mut(&mut self) -> &mut Expression {
        let (Item::Plain(expression) | Item::Equation(_, expression)) = self;
        expression
    }

    pub fn occurrences(&self, name: Name) -> usize {
        match self {
            Item::Plain(expression) => expression.occurrences(name),
            Item::Equation(value, expression) => value.occurrences(name) + expression.occurrences(name),
        }
    }

    pub fn substitute(&mut self, name: Name, by: &Value) {
        match self {
            Item::Plain(expression) => expression.substitute(name, by),
            Item::Equation(value, expression) => {
                value.substitute(name, by);
                expression.substitute(name, by);
            }
        }
    }
}

impl Value {
    pub fn is_function(&self) -> bool {
        matches!(self, Value::Function(..))
    }

    /// Returns whether the value consists only of integers, operators and tuples.
    pub fn is_ground(&self) -> bool {
        match self {
            Value::Integer(_) | Value::Operator(_) => true,
            Value::Tuple(parts) => parts.iter().all(Value::is_ground),
            Value::Variable(_) | Value::Function(..) => false,
        }
    }

    /// Returns whether a variable occurs inside the tuples of the value, and is not the whole value.
    pub fn has_inside(&self, name: Name) -> bool {
        let Value::Tuple(parts) = self else { return false };
        parts.iter().any(|part| *part == Value::Variable(name) || part.has_inside(name))
    }

    pub fn occurrences(&self, name: Name) -> usize {
        match self {
            Value::Variable(other) => usize::from(*other == name),
            Value::Integer(_) | Value::Operator(_) => 0,
            Value::Tuple(parts) => parts.iter().map(|part| part.occurrences(name)).sum(),
            Value::Function(parameter, _) if *parameter == name => 0,
            Value::Function(_, body) => body.occurrences(name),
        }
    }

    pub fn substitute(&mut self, name: Name, by: &Value) {
        match self {
            Value::Variable(other) if *other == name => *self = by.clone(),
            Value::Variable(_) | Value::Integer(_) | Value::Operator(_) => {}
            Value::Tuple(parts) => parts.iter_mut().for_each(|part| part.substitute(name, by)),
            Value::Function(parameter, _) if *parameter == name => {}
            Value::Function(_, body) => body.substitute(name, by),
        }
    }

    fn rename_bound(&mut self, next: &mut Name) {
        match self {
            Value::Variable(_) | Value::Integer(_) | Value::Operator(_) => {}
            Value::Tuple(parts) => parts.iter_mut().for_each(|part| part.rename_bound(next)),
            Value::Function(parameter, body) => {
                rename(parameter, body, next);
                body.rename_bound(next);
            }
        }
    }
}
