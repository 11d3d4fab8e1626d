//! Classical bugs of concurrent code: `cargo forall race --include-ignored -p forall-example-machines --test races` finds those that
//! are ignored here. Their repairs pass, on real threads as well.

use forall::machine::Parallel;
use forall::property::Outcome;
use forall_example_machines::races::{
    AbaSpec, CheckThenActSpec, CheckedSpec, DoubleCheckedSpec, LazySpec, LockOrderSpec, LostWakeUpSpec, OneOrderSpec,
    OneStateSpec, TaggedSpec, TwoStateSpec, WakeUpSpec,
};

#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn check_then_act(program: Parallel<CheckThenActSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = 20)]
fn checked_at_once(program: Parallel<CheckedSpec>) -> Outcome {
    program.check()
}

#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn two_state_flag(program: Parallel<TwoStateSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = 20)]
fn one_state_flag(program: Parallel<OneStateSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = 5000)]
#[ignore = "a bug that `cargo forall race` finds"]
fn aba(program: Parallel<AbaSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = 20)]
fn tagged_pointers(program: Parallel<TaggedSpec>) -> Outcome {
    program.check()
}

#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn lock_order(program: Parallel<LockOrderSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = 20)]
fn one_lock_order(program: Parallel<OneOrderSpec>) -> Outcome {
    program.check()
}

/// A fixed program, because without an `open` waiting for ever is correct.
#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn lost_wake_up(#[forall(1..3usize)] passes: usize) -> Outcome {
    let pass = (0..passes).map(|_| LostWakeUpSpec::pass()).collect();
    Parallel::<LostWakeUpSpec>::of(vec![], vec![pass, vec![LostWakeUpSpec::open()]]).check()
}

#[forall::test]
fn wake_up(#[forall(1..3usize)] passes: usize) -> Outcome {
    let pass = (0..passes).map(|_| WakeUpSpec::pass_safely()).collect();
    Parallel::<WakeUpSpec>::of(vec![], vec![pass, vec![WakeUpSpec::open()]]).check()
}

#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn double_checked(program: Parallel<DoubleCheckedSpec>) -> Outcome {
    program.check()
}

#[forall::test(tests = 20)]
fn initialised_in_order(program: Parallel<LazySpec>) -> Outcome {
    program.check()
}

/// Two branches of three commands, for the number of schedules and their speed.
#[forall::test(tests = 20)]
fn small_program(#[forall(0..20u8)] _repetition: u8) -> Outcome {
    let branch = || (0..3).map(|_| CheckedSpec::take_at_once()).collect();
    Parallel::<CheckedSpec>::of(vec![], vec![branch(), branch()]).check()
}
