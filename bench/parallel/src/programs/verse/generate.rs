//! Random programs of the calculus. They are closed, and every variable has an equation, before or after its uses, so
//! that most programs have a result.

use super::syntax::{Expression, Item, Name, Operator, Value};
use forall::prelude::*;

/// A program: `one` or `all` applied to an expression.
pub fn program(source: &mut Source) -> Expression {
    let depth = 2 + source.size() / 60;
    let mut terms = Terms { scope: Vec::new(), next: 0 };
    let body = Box::new(terms.block(depth, source));
    if source.draw(any()) { Expression::One(body) } else { Expression::All(body) }
}

struct Terms {
    scope: Vec<Name>,
    next: Name,
}

impl Terms {
    /// Draws some variables, an equation for each, and perhaps an expression that must succeed, in any order, followed
    /// by the result.
    fn block(&mut self, depth: u32, source: &mut Source) -> Expression {
        let (outside, first) = (self.scope.len(), self.next);
        let mut items = Vec::new();
        for _ in 0..source.draw(1..=3u8) {
            let value = self.expression(depth - 1, source);
            let name = self.name();
            self.scope.push(name);
            let place = source.draw(0..=items.len());
            items.insert(place, Item::Equation(Value::Variable(name), value));
        }
        if source.draw(any()) {
            let item = match source.draw(any()) {
                true => Item::Plain(self.expression(depth - 1, source)),
                false => Item::Equation(self.value(1, source), self.expression(depth - 1, source)),
            };
            let place = source.draw(0..=items.len());
            items.insert(place, item);
        }
        let result = self.expression(depth - 1, source);
        let body = items.into_iter().rev().fold(result, |rest, item| Expression::then(item, rest));
        let names = self.scope.split_off(outside);
        debug_assert!(names.iter().all(|name| *name >= first), "inner ones are newer");
        names.into_iter().rev().fold(body, |body, name| Expression::exists(name, body))
    }

    fn expression(&mut self, depth: u32, source: &mut Source) -> Expression {
        let kinds = if depth == 0 { 0..=2u8 } else { 0..=8 };
        match source.draw(kinds) {
            0 | 1 => Expression::Value(self.value(1, source)),
            2 => {
                let operator = source.draw(elements(&[Operator::Add, Operator::Greater]));
                let operands = vec![self.value(0, source), self.value(0, source)];
                Expression::Apply(Value::Operator(operator), Value::Tuple(operands))
            }
            3 | 4 => Expression::choice(self.expression(depth - 1, source), self.expression(depth - 1, source)),
            5 => {
                let parts = source.draw(0..=3u8);
                let tuple = Value::Tuple((0..parts).map(|_| self.value(0, source)).collect());
                Expression::Apply(tuple, self.value(0, source))
            }
            6 => {
                // A function mentions only its parameter, so that it cannot be recursive.
                let parameter = self.name();
                let outside = std::mem::replace(&mut self.scope, vec![parameter]);
                let body = self.expression(depth - 1, source);
                self.scope = outside;
                Expression::Apply(Value::Function(parameter, Box::new(body)), self.value(1, source))
            }
            7 => {
                let body = Box::new(self.expression(depth - 1, source));
                if source.draw(any()) { Expression::One(body) } else { Expression::All(body) }
            }
            _ => self.block(depth, source),
        }
    }

    fn value(&mut self, depth: u32, source: &mut Source) -> Value {
        match source.draw(0..=if depth == 0 { 4 } else { 6u8 }) {
            0 | 1 => Value::Integer(source.draw(0..=2i64)),
            2..=4 => match self.scope.len() {
                0 => Value::Integer(source.draw(0..=2i64)),
                names => Value::Variable(self.scope[source.draw(0..names)]),
            },
            _ => {
                let parts = source.draw(0..=2u8);
                Value::Tuple((0..parts).map(|_| self.value(depth - 1, source)).collect())
            }
        }
    }

    fn name(&mut self) -> Name {
        self.next += 1;
        self.next - 1
    }
}
