//! The rewrite rules. Their names are those of *The Verse Calculus* (Augustsson, Breitner, Claessen, Jhala, Peyton Jones,
//! Shivers, Steele and Sweeney, ICFP 2023).
//!
//! | group | rules that are used |
//! | --- | --- |
//! | application | APP-ADD, APP-GT, APP-GT-FAIL, APP-BETA, APP-TUP, APP-TUP-0 |
//! | unification | U-LIT, U-TUP, U-FAIL, U-OCCURS, SUBST, HNF-SWAP, VAR-SWAP |
//! | elimination | VAL-ELIM, EXI-ELIM, EQN-ELIM, FAIL-ELIM |
//! | normalisation | EXI-FLOAT, SEQ-ASSOC, EQN-FLOAT |
//! | choice | ONE-FAIL, ONE-VALUE, ONE-CHOICE, ALL-FAIL, ALL-VALUE and ALL-CHOICE, CHOOSE-R, CHOOSE-L, CHOOSE-ASSOC, CHOOSE |
//!
//! SEQ-SWAP and EXI-SWAP are left out: they only reorder terms, and no result depends on them. The rule `x = x; e ⟶ e`
//! is added. SUBST uses the largest possible context, and requires a value in which its variable does not occur. A
//! variable precedes those that are created later.
//!
//! Contexts of the kind X (`v = X; e`, `X; e`, `eu; X`) are applied one frame at a time where a rule allows that.

use super::syntax::{Expression, Item, Name, Operator, Value};
use std::sync::atomic::{AtomicBool, Ordering};

/// The bug: CHOOSE takes a choice even if another one may precede it.
pub static CHOOSE_OUT_OF_ORDER: AtomicBool = AtomicBool::new(false);

/// No variable has this name.
const NOBODY: Name = Name::MAX;

/// One way to rewrite a term: replaces the expression with this number, in the order of visits.
pub struct Redex {
    node: usize,
    by: Expression,
}

/// Returns every way to rewrite a term, and the number of its expressions. `next` is an unused name.
pub fn redexes(term: &Expression, next: &mut Name) -> (Vec<Redex>, usize) {
    let mut finder = Finder { redexes: Vec::new(), visited: 0, next };
    finder.visit(term, false);
    (finder.redexes, finder.visited)
}

impl Redex {
    /// Rewrites the term.
    pub fn take(self, term: &mut Expression) {
        let mut left = self.node;
        let replaced = replace(term, &mut left, self.by);
        debug_assert!(replaced.is_none(), "the term is the one in which it was found");
    }
}

/// Replaces the expression that is visited after `left` others; returns the replacement if there are too few.
fn replace(at: &mut Expression, left: &mut usize, by: Expression) -> Option<Expression> {
    if *left == 0 {
        *at = by;
        return None;
    }
    *left -= 1;
    let mut by = Some(by);
    for child in children_mut(at) {
        by = replace(child, left, by?);
    }
    by
}

struct Finder<'n> {
    redexes: Vec<Redex>,
    visited: usize,
    next: &'n mut Name,
}

impl Finder<'_> {
    /// `inside` is whether the expression is inside a context of the kind X.
    fn visit(&mut self, at: &Expression, inside: bool) {
        let node = self.visited;
        self.visited += 1;
        let mut found = Vec::new();
        match at {
            Expression::Apply(function, argument) => found.extend(applied(function, argument, self.next)),
            Expression::Then(item, rest) => {
                found.extend(sequenced(item, rest));
                if !inside {
                    substituted(at, &mut found);
                }
            }
            Expression::Exists(name, body) => found.extend(eliminated(*name, body)),
            Expression::Choice(left, right) => found.extend(chosen(left, right)),
            Expression::One(body) => {
                found.extend(first(body));
                split(body, &mut |body| found.push(Expression::One(Box::new(body))));
            }
            Expression::All(body) => {
                found.extend(collected(body));
                split(body, &mut |body| found.push(Expression::All(Box::new(body))));
            }
            Expression::Value(_) | Expression::Fail => {}
        }
        self.redexes.extend(found.into_iter().map(|by| Redex { node, by }));
        let then = matches!(at, Expression::Then(..));
        for child in children(at) {
            // The bodies of functions come first, and are not in such a context.
            let is_part = match at {
                Expression::Then(item, rest) => std::ptr::eq(child, &**rest) || std::ptr::eq(child, item.expression()),
                _ => false,
            };
            self.visit(child, then && is_part);
        }
    }
}

/// APP-…
fn applied(function: &Value, argument: &Value, next: &mut Name) -> Option<Expression> {
    match (function, argument) {
        (Value::Operator(operator), Value::Tuple(parts)) => {
            let [Value::Integer(left), Value::Integer(right)] = &parts[..] else { return None };
            Some(match operator {
                Operator::Add => Expression::Value(Value::Integer(left.wrapping_add(*right))),
                Operator::Greater if left > right => Expression::Value(Value::Integer(*left)),
                Operator::Greater => Expression::Fail,
            })
        }
        (Value::Operator(_), _) | (Value::Integer(_) | Value::Variable(_), _) => None,
        (Value::Function(..), _) => {
            let mut copy = Expression::Value(function.clone());
            copy.rename_bound(next);
            let Expression::Value(Value::Function(parameter, body)) = copy else { unreachable!("it was a function") };
            Some(Expression::exists(parameter, equated(parameter, argument.clone(), *body)))
        }
        (Value::Tuple(parts), _) => {
            let name = *next;
            let part = |(place, part): (usize, &Value)| {
                equated(name, Value::Integer(place as i64), Expression::Value(part.clone()))
            };
            let parts = parts.iter().enumerate().map(part).rev().reduce(|later, part| Expression::choice(part, later));
            let Some(parts) = parts else { return Some(Expression::Fail) };
            *next += 1;
            Some(Expression::exists(name, equated(name, argument.clone(), parts)))
        }
    }
}

/// `name = value; rest`
fn equated(name: Name, value: Value, rest: Expression) -> Expression {
    Expression::then(Item::Equation(Value::Variable(name), Expression::Value(value)), rest)
}

/// U-…, …-SWAP, VAL-ELIM, FAIL-ELIM, EXI-FLOAT, SEQ-ASSOC, EQN-FLOAT
fn sequenced(item: &Item, rest: &Expression) -> Vec<Expression> {
    let mut found = Vec::new();
    match item {
        Item::Plain(Expression::Value(_)) => found.push(rest.clone()),
        Item::Plain(Expression::Fail) | Item::Equation(_, Expression::Fail) => found.push(Expression::Fail),
        Item::Plain(Expression::Exists(name, body)) if rest.occurrences(*name) == 0 => {
            found.push(Expression::exists(*name, Expression::then(Item::Plain((**body).clone()), rest.clone())));
        }
        Item::Equation(value, Expression::Exists(name, body))
            if rest.occurrences(*name) + value.occurrences(*name) == 0 =>
        {
            let equation = Item::Equation(value.clone(), (**body).clone());
            found.push(Expression::exists(*name, Expression::then(equation, rest.clone())));
        }
        Item::Plain(Expression::Then(first, second)) => {
            let rest = Expression::then(Item::Plain((**second).clone()), rest.clone());
            found.push(Expression::then((**first).clone(), rest));
        }
        Item::Equation(value, Expression::Then(first, second)) => {
            let rest = Expression::then(Item::Equation(value.clone(), (**second).clone()), rest.clone());
            found.push(Expression::then((**first).clone(), rest));
        }
        Item::Equation(left, Expression::Value(right)) => found.extend(unified(left, right, rest)),
        _ => {}
    }
    match rest {
        Expression::Fail => found.push(Expression::Fail),
        Expression::Exists(name, body) if item.occurrences(*name) == 0 => {
            found.push(Expression::exists(*name, Expression::then(item.clone(), (**body).clone())));
        }
        _ => {}
    }
    found
}

/// U-LIT, U-TUP, U-FAIL, U-OCCURS, HNF-SWAP, VAR-SWAP
fn unified(left: &Value, right: &Value, rest: &Expression) -> Option<Expression> {
    let swapped = || Expression::then(Item::Equation(right.clone(), Expression::Value(left.clone())), rest.clone());
    match (left, right) {
        (Value::Variable(left), Value::Variable(right)) if left == right => Some(rest.clone()),
        // The variable that was created later is on the left, and is eliminated.
        (Value::Variable(left), Value::Variable(right)) => (left < right).then(swapped),
        (Value::Variable(name), _) => right.has_inside(*name).then_some(Expression::Fail),
        (_, Value::Variable(_)) => Some(swapped()),
        (Value::Integer(left), Value::Integer(right)) if left == right => Some(rest.clone()),
        (Value::Tuple(left), Value::Tuple(right)) if left.len() == right.len() => {
            let mut unified = rest.clone();
            for (left, right) in left.iter().zip(right).rev() {
                let equation = Item::Equation(left.clone(), Expression::Value(right.clone()));
                unified = Expression::then(equation, unified);
            }
            Some(unified)
        }
        _ => (!left.is_function() && !right.is_function()).then_some(Expression::Fail),
    }
}

/// SUBST
fn substituted(at: &Expression, found: &mut Vec<Expression>) {
    let mut equations = Vec::new();
    add_equations(at, &mut equations);
    for (place, (name, value)) in equations.into_iter().enumerate() {
        // Without another occurrence, nothing would change.
        if value.occurrences(name) > 0 || at.occurrences(name) == 1 {
            continue;
        }
        let mut by = at.clone();
        let mut rename = |from: Name, to: Name| {
            if let Some(Expression::Then(item, _)) = equation_mut(&mut by, &mut { place })
                && let Item::Equation(left, _) = &mut **item
            {
                left.substitute(from, &Value::Variable(to));
            }
        };
        // The equation itself keeps its variable.
        rename(name, NOBODY);
        by.substitute(name, value);
        by.substitute(NOBODY, &Value::Variable(name));
        found.push(by);
    }
}

/// Collects the equations `x = v` in contexts of the kind X.
fn add_equations<'a>(at: &'a Expression, equations: &mut Vec<(Name, &'a Value)>) {
    let Expression::Then(item, rest) = at else { return };
    if let Item::Equation(Value::Variable(name), Expression::Value(value)) = &**item {
        equations.push((*name, value));
    }
    add_equations(item.expression(), equations);
    add_equations(rest, equations);
}

/// Returns the expression `x = v; e` after `left` others, in the order of [`add_equations`].
fn equation_mut<'a>(at: &'a mut Expression, left: &mut usize) -> Option<&'a mut Expression> {
    let Expression::Then(item, _) = at else { return None };
    if let Item::Equation(Value::Variable(_), Expression::Value(_)) = &**item {
        if *left == 0 {
            return Some(at);
        }
        *left -= 1;
    }
    let Expression::Then(item, rest) = at else { return None };
    match equation_mut(item.expression_mut(), left) {
        Some(found) => Some(found),
        None => equation_mut(rest, left),
    }
}

/// EXI-ELIM, EQN-ELIM
fn eliminated(name: Name, body: &Expression) -> Option<Expression> {
    let occurrences = body.occurrences(name);
    if occurrences == 0 {
        return Some(body.clone());
    }
    let mut equations = Vec::new();
    add_equations(body, &mut equations);
    let place = equations.iter().position(|(other, _)| *other == name).filter(|_| occurrences == 1)?;
    let mut by = body.clone();
    let equation = equation_mut(&mut by, &mut { place })?;
    if let Expression::Then(_, rest) = std::mem::replace(equation, Expression::Fail) {
        *equation = *rest;
    }
    Some(by)
}

/// CHOOSE-R, CHOOSE-L, CHOOSE-ASSOC
fn chosen(left: &Expression, right: &Expression) -> Vec<Expression> {
    let mut found = Vec::new();
    if *left == Expression::Fail {
        found.push(right.clone());
    }
    if *right == Expression::Fail {
        found.push(left.clone());
    }
    if let Expression::Choice(first, second) = left {
        let later = Expression::choice((**second).clone(), right.clone());
        found.push(Expression::choice((**first).clone(), later));
    }
    found
}

/// ONE-…
fn first(body: &Expression) -> Option<Expression> {
    match body {
        Expression::Fail | Expression::Value(_) => Some(body.clone()),
        Expression::Choice(left, _) if matches!(**left, Expression::Value(_)) => Some((**left).clone()),
        _ => None,
    }
}

/// ALL-…
fn collected(body: &Expression) -> Option<Expression> {
    let (mut values, mut rest) = (Vec::new(), body);
    if *body != Expression::Fail {
        while let Expression::Choice(left, right) = rest {
            let Expression::Value(value) = &**left else { return None };
            values.push(value.clone());
            rest = right;
        }
        let Expression::Value(value) = rest else { return None };
        values.push(value.clone());
    }
    Some(Expression::Value(Value::Tuple(values)))
}

/// CHOOSE, in any of the alternatives in the body of a `one` or `all`.
fn split(body: &Expression, found: &mut dyn FnMut(Expression)) {
    if let Expression::Choice(left, right) = body {
        split(left, &mut |left| found(Expression::choice(left, (**right).clone())));
        split(right, &mut |right| found(Expression::choice((**left).clone(), right)));
    } else {
        halves(body, &mut |left, right| found(Expression::choice(left, right)));
    }
}

/// Replaces the first choice of the expression by either side. No other choice may precede it.
fn halves(at: &Expression, found: &mut dyn FnMut(Expression, Expression)) {
    match at {
        Expression::Choice(left, right) => found((**left).clone(), (**right).clone()),
        Expression::Exists(name, body) => {
            halves(body, &mut |left, right| found(Expression::exists(*name, left), Expression::exists(*name, right)));
        }
        Expression::Then(item, rest) => {
            halves(item.expression(), &mut |left, right| {
                let [left, right] = [left, right].map(|half| match &**item {
                    Item::Plain(_) => Item::Plain(half),
                    Item::Equation(value, _) => Item::Equation(value.clone(), half),
                });
                found(Expression::then(left, (**rest).clone()), Expression::then(right, (**rest).clone()));
            });
            if is_free_of_choice(item.expression()) || CHOOSE_OUT_OF_ORDER.load(Ordering::Relaxed) {
                halves(rest, &mut |left, right| {
                    found(Expression::then((**item).clone(), left), Expression::then((**item).clone(), right));
                });
            }
        }
        Expression::Value(_) | Expression::Fail | Expression::Apply(..) | Expression::One(_) | Expression::All(_) => {}
    }
}

/// Returns whether an expression syntactically has at most one result.
fn is_free_of_choice(at: &Expression) -> bool {
    match at {
        Expression::Value(_) | Expression::Fail | Expression::One(_) | Expression::All(_) => true,
        Expression::Apply(function, _) => matches!(function, Value::Operator(_)),
        Expression::Choice(..) => false,
        Expression::Exists(_, body) => is_free_of_choice(body),
        Expression::Then(item, rest) => is_free_of_choice(item.expression()) && is_free_of_choice(rest),
    }
}

/// Returns the children of an expression: the bodies of functions in its values first.
fn children(at: &Expression) -> Vec<&Expression> {
    fn bodies<'a>(value: &'a Value, found: &mut Vec<&'a Expression>) {
        match value {
            Value::Function(_, body) => found.push(body),
            Value::Tuple(parts) => parts.iter().for_each(|part| bodies(part, found)),
            Value::Variable(_) | Value::Integer(_) | Value::Operator(_) => {}
        }
    }
    let mut found = Vec::new();
    match at {
        Expression::Value(value) => bodies(value, &mut found),
        Expression::Then(item, rest) => {
            if let Item::Equation(value, _) = &**item {
                bodies(value, &mut found);
            }
            found.extend([item.expression(), rest]);
        }
        Expression::Exists(_, body) | Expression::One(body) | Expression::All(body) => found.push(body),
        Expression::Fail => {}
        Expression::Choice(left, right) => found.extend([&**left, right]),
        Expression::Apply(function, argument) => {
            bodies(function, &mut found);
            bodies(argument, &mut found);
        }
    }
    found
}

/// Returns the children of an expression, mutably.
fn children_mut(at: &mut Expression) -> Vec<&mut Expression> {
    fn bodies<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Expression>) {
        match value {
            Value::Function(_, body) => found.push(body),
            Value::Tuple(parts) => parts.iter_mut().for_each(|part| bodies(part, found)),
            Value::Variable(_) | Value::Integer(_) | Value::Operator(_) => {}
        }
    }
    let mut found = Vec::new();
    match at {
        Expression::Value(value) => bodies(value, &mut found),
        Expression::Then(item, rest) => {
            match &mut **item {
                Item::Plain(expression) => found.push(expression),
                Item::Equation(value, expression) => {
                    bodies(value, &mut found);
                    found.push(expression);
                }
            }
            found.push(rest);
        }
        Expression::Exists(_, body) | Expression::One(body) | Expression::All(body) => found.push(body),
        Expression::Fail => {}
        Expression::Choice(left, right) => found.extend([&mut **left, right]),
        Expression::Apply(function, argument) => {
            bodies(function, &mut found);
            bodies(argument, &mut found);
        }
    }
    found
}
