//! A compiler, tested by metamorphic relations: a change of a random program whose effect on the output is known has
//! that effect. There is no other oracle.
//!
//! | file | contents |
//! | --- | --- |
//! | `language.rs` | the language that is compiled |
//! | `generate.rs` | random programs |
//! | `translate.rs` | the compiler to C, with a mutant |
//! | `relations.rs` | the relations: what is done to the program, and what that does to the output |
//!
//! The system's C compiler compiles the generated code, and the resulting program runs.

mod generate;
mod language;
mod relations;
mod translate;

use forall::prelude::*;
use forall::property::Property;
use language::Program;
use relations::Relation;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;
use translate::{OPPOSITE_OF_LESS, translate};

/// The installed programs that are required.
pub const NEEDS: &[&str] = &["cc"];

pub fn property() -> Box<dyn Property + Sync> {
    Box::new(property! {
        forall program in from_fn(generate::program);
        forall relation: Relation;
        check {
            let directory = forall::scratch_dir().expect("a directory can be made");
            let output = compile_and_run(program, &directory.join("before"));
            forall::checkpoint();
            let changed = compile_and_run(&relation.of_program(program), &directory.join("after"));
            assert_eq!(relation.of_output(&output), changed);
        }
    })
}

/// Runs `body` with the bug activated.
pub fn with_bug(body: &mut dyn FnMut()) {
    OPPOSITE_OF_LESS.store(true, Ordering::Relaxed);
    body();
    OPPOSITE_OF_LESS.store(false, Ordering::Relaxed);
}

/// Returns the output of a program.
fn compile_and_run(program: &Program, executable: &Path) -> Vec<i32> {
    let source = executable.with_extension("c");
    fs::write(&source, translate(program)).expect("the translation can be written");
    let compiled = Command::new("cc").args(["-w", "-O0", "-o"]).args([executable, &source]).output();
    let compiled = compiled.unwrap_or_else(|error| panic!("cc cannot be run: {error}"));
    assert!(compiled.status.success(), "cc: {}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(executable).output();
    let output = output.unwrap_or_else(|error| panic!("{} cannot be run: {error}", executable.display()));
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    lines.lines().map(|line| line.parse().expect("a line is an integer")).collect()
}

#[cfg(test)]
mod tests {
    use super::language::{Condition, Expression, Operator, Statement};
    use super::*;

    /// The output of the program, according to the semantics.
    fn interpret(block: &[Statement], variables: &mut [i32], output: &mut Vec<i32>) {
        fn value(expression: &Expression, variables: &[i32]) -> i32 {
            match expression {
                Expression::Constant(constant) => *constant,
                Expression::Variable(variable) => variables[usize::from(*variable)],
                Expression::Binary(operator, left, right) => {
                    operator.apply(value(left, variables), value(right, variables))
                }
            }
        }
        fn holds(condition: &Condition, variables: &[i32]) -> bool {
            match condition {
                Condition::Less(left, right) => value(left, variables) < value(right, variables),
                Condition::Equal(left, right) => value(left, variables) == value(right, variables),
                Condition::Not(negated) => !holds(negated, variables),
            }
        }
        for statement in block {
            match statement {
                Statement::Assign(variable, assigned) => {
                    variables[usize::from(*variable)] = value(assigned, variables);
                }
                Statement::Print(printed) => output.push(value(printed, variables)),
                Statement::If(condition, yes, no) => {
                    interpret(if holds(condition, variables) { yes } else { no }, variables, output);
                }
                Statement::Repeat(times, body) => (0..*times).for_each(|_| interpret(body, variables, output)),
            }
        }
    }

    fn printed(program: &Program) -> Vec<i32> {
        let (mut variables, mut output) = ([0; language::VARIABLES as usize], Vec::new());
        interpret(&program.0, &mut variables, &mut output);
        output
    }

    #[test]
    fn each_relation_predicts_the_output() {
        let property = property! {
            forall program in from_fn(generate::program);
            forall relation: Relation;
            check relation.of_output(&printed(program)) == printed(&relation.of_program(program))
        };
        forall::check("relations", &property);
    }

    #[test]
    fn the_compiler_keeps_the_meaning_of_programs_and_with_the_bug_it_does_not() {
        if Command::new("cc").arg("--version").output().is_err() {
            println!("SKIPPED the compiler keeps the meaning of programs: there is no C compiler");
            assert!(std::env::var_os("FORALL_REQUIRE_TOOLS").is_none_or(|value| value != "1"));
            return;
        }
        let equal = Condition::Less(Expression::Variable(0), Expression::Constant(0));
        let print = |n| Statement::Print(Expression::Constant(n));
        let asks = Statement::If(Condition::Not(Box::new(equal)), vec![print(1)], vec![print(2)]);
        let wraps = Expression::binary(Operator::Multiply, Expression::Constant(i32::MIN), Expression::Variable(1));
        let program = Program(vec![
            Statement::Assign(1, Expression::Constant(-3)),
            Statement::Repeat(2, vec![Statement::Print(wraps)]),
            asks,
        ]);
        let directory = forall::scratch_dir().unwrap();
        assert_eq!(compile_and_run(&program, &directory.join("right")), printed(&program));
        with_bug(&mut || assert_ne!(compile_and_run(&program, &directory.join("wrong")), printed(&program)));
    }
}
