//! The compiler under test: from the small language to C, with constants folded and negations taken out of conditions.
//! It has a mutant.

use super::language::{Condition, Expression, Operator, Program, Statement, VARIABLES};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// The bug: the negation of "less" is "greater".
pub static OPPOSITE_OF_LESS: AtomicBool = AtomicBool::new(false);

/// Translates a program to C.
pub fn translate(Program(body): &Program) -> String {
    let mut c = String::from("int printf(const char *, ...);\nint main(void) {\n");
    for variable in 0..VARIABLES {
        let _ = writeln!(c, "unsigned v{variable} = 0;");
    }
    let mut loops = 0;
    block(body, &mut loops, &mut c);
    c + "return 0;\n}\n"
}

fn block(statements: &[Statement], loops: &mut u32, c: &mut String) {
    for statement in statements {
        match statement {
            Statement::Assign(variable, value) => {
                let _ = writeln!(c, "v{variable} = {};", expression(&folded(value)));
            }
            Statement::Print(value) => {
                let _ = writeln!(c, "printf(\"%d\\n\", (int) {});", expression(&folded(value)));
            }
            Statement::If(asked, yes, no) => {
                let _ = writeln!(c, "if ({}) {{", condition(asked));
                block(yes, loops, c);
                c.push_str("} else {\n");
                block(no, loops, c);
                c.push_str("}\n");
            }
            Statement::Repeat(times, body) => {
                *loops += 1;
                let counter = format!("i{loops}");
                let _ = writeln!(c, "for (int {counter} = 0; {counter} < {times}; {counter}++) {{");
                block(body, loops, c);
                c.push_str("}\n");
            }
        }
    }
}

/// Returns an expression in unsigned arithmetic: in C, unsigned integers wrap around, and signed overflow is undefined.
fn expression(value: &Expression) -> String {
    match value {
        Expression::Constant(constant) => format!("{}u", *constant as u32),
        Expression::Variable(variable) => format!("v{variable}"),
        Expression::Binary(operator, left, right) => {
            let operator = match operator {
                Operator::Add => '+',
                Operator::Subtract => '-',
                Operator::Multiply => '*',
            };
            format!("({} {operator} {})", expression(left), expression(right))
        }
    }
}

fn condition(asked: &Condition) -> String {
    let compared = |left: &Expression, operator: &str, right: &Expression| {
        format!("(int) {} {operator} (int) {}", expression(&folded(left)), expression(&folded(right)))
    };
    match asked {
        Condition::Less(left, right) => compared(left, "<", right),
        Condition::Equal(left, right) => compared(left, "==", right),
        Condition::Not(negated) => match &**negated {
            Condition::Less(left, right) if OPPOSITE_OF_LESS.load(Ordering::Relaxed) => compared(left, ">", right),
            Condition::Less(left, right) => compared(left, ">=", right),
            Condition::Equal(left, right) => compared(left, "!=", right),
            Condition::Not(twice) => condition(twice),
        },
    }
}

/// Returns the expression with constants folded.
fn folded(value: &Expression) -> Expression {
    let Expression::Binary(operator, left, right) = value else { return value.clone() };
    match (folded(left), folded(right)) {
        (Expression::Constant(left), Expression::Constant(right)) => Expression::Constant(operator.apply(left, right)),
        (left, right) => Expression::binary(*operator, left, right),
    }
}
