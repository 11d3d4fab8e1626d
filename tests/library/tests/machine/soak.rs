//! Long runs that must fail.

use forall::machine::{Ref, Results, Soak, Spec, soak};
use forall::prelude::*;

/// A system that counts, of which odd things can be asked.
struct Odd {
    /// One command in so many is allowed.
    one_in: u64,
    /// After so many none is any more.
    ends_after: u64,
    refers: bool,
}

impl Default for Odd {
    fn default() -> Self {
        Self { one_in: 1, ends_after: u64::MAX, refers: false }
    }
}

impl Spec for Odd {
    type Command = u64;
    type Model = u64;
    type System = u64;
    type Response = u64;

    fn model(&self) -> u64 {
        0
    }

    fn generate(&self, _: &u64, source: &mut Source) -> u64 {
        source.choice(self.one_in - 1)
    }

    fn precondition(&self, model: &u64, command: &u64) -> bool {
        *command == 0 && *model < self.ends_after
    }

    fn next(&self, model: &mut u64, _: &u64) {
        *model += 1;
    }

    fn system(&self) -> u64 {
        0
    }

    fn run(&self, system: &mut u64, _: &u64) -> u64 {
        *system += 1;
        *system
    }

    fn postcondition(&self, model: &u64, _: &u64, response: &u64) -> bool {
        *response == model + 1
    }

    fn resolve(&self, _: &u64, results: &Results<'_, u64>) -> Option<u64> {
        self.refers.then(|| results.get(Ref::nth(0)))
    }
}

/// How many commands ran. Memory is no matter: other tests run in this process.
fn soaked(spec: Odd, commands: u64) -> Result<u64, String> {
    soak(&spec, &Soak { commands, bytes_per_command: f64::INFINITY, ..Soak::default() }).map(|soaked| {
        assert!(
            soaked.resident_bytes.is_empty() || soaked.resident_bytes.len() >= 60,
            "{}",
            soaked.resident_bytes.len()
        );
        soaked.commands
    })
}

#[test]
fn commands_rejected_by_a_precondition_do_not_count() {
    assert_eq!(soaked(Odd { one_in: 50, ..Odd::default() }, 600), Ok(600));
}

#[test]
fn a_soak_that_tests_nothing_is_an_error() {
    let none = soaked(Odd { ends_after: 0, ..Odd::default() }, 600).unwrap_err();
    let expected = "no command is allowed after 0 commands: the precondition or a known issue refuses all of 10000 generated \
                    commands; a soak needs a specification that always allows another command";
    assert_eq!(none, expected);
    let few = soaked(Odd { ends_after: 70, ..Odd::default() }, 600).unwrap_err();
    assert!(few.starts_with("no command is allowed after 70 commands: "), "{few}");
    let short = "a soak of 0 commands is too short to measure memory growth: set `Soak::commands` to 60 or more";
    assert_eq!(soaked(Odd::default(), 0), Err(short.to_owned()));
    assert_eq!(soaked(Odd::default(), 60), Ok(60));
}

#[test]
fn a_soak_rejects_references() {
    let error = soaked(Odd { refers: true, ..Odd::default() }, 600).unwrap_err();
    assert!(
        error.starts_with("the specification is invalid: a command refers to #0, which has not run before it"),
        "{error}"
    );
}
