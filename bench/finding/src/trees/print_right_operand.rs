//! Woxi (pull request 651): the printer omits the parentheses around the right operand of a subtraction, so parsing
//! returns a different expression.

use super::Expr;
use crate::Bug;
use std::iter::Peekable;
use std::str::Chars;

/// Parsing inverts printing.
pub fn holds(bug: Bug, expr: &Expr) -> Option<bool> {
    let text = print(bug, expr, 0);
    Some(parse(&mut text.chars().peekable(), 1).as_ref() == Some(expr))
}

pub fn witness() -> (Expr,) {
    let number = |number| Box::new(Expr::Number(number));
    (Expr::Sub(number(1), Box::new(Expr::Sub(number(2), number(3)))),)
}

fn print(bug: Bug, expr: &Expr, above: u8) -> String {
    let (level, text) = match expr {
        Expr::Number(number) => return number.to_string(),
        Expr::Sub(left, right) => {
            let right_above = if bug == Bug::Present { 1 } else { 2 };
            (1, format!("{}-{}", print(bug, left, 1), print(bug, right, right_above)))
        }
        Expr::Mul(left, right) => (2, format!("{}*{}", print(bug, left, 2), print(bug, right, 3))),
    };
    if level < above { format!("({text})") } else { text }
}

fn parse(input: &mut Peekable<Chars>, level: u8) -> Option<Expr> {
    if level == 3 {
        if input.next_if_eq(&'(').is_some() {
            let inner = parse(input, 1);
            return input.next_if_eq(&')').and(inner);
        }
        let digits: String = std::iter::from_fn(|| input.next_if(char::is_ascii_digit)).collect();
        return digits.parse().ok().map(Expr::Number);
    }
    let (sign, make): (char, fn(_, _) -> _) = if level == 1 { ('-', Expr::Sub) } else { ('*', Expr::Mul) };
    let mut left = parse(input, level + 1)?;
    while input.next_if_eq(&sign).is_some() {
        left = make(Box::new(left), Box::new(parse(input, level + 1)?));
    }
    Some(left)
}
