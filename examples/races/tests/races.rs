//! Bugs of published crates: they fail in the package `found`, and pass in `repaired`.

use forall::machine::{Parallel, Sequential};
use forall::property::Outcome;
use forall_example_races::flume_shutdown::FlumeShutdown;
use forall_example_races::full_buffer::FullBuffer;
use forall_example_races::once_failure::OnceFailure;
use forall_example_races::oneshot_close::OneshotClose;
use forall_example_races::oneshot_unparking::OneshotUnparking;

/// The specifications fit the crates: one command after the other, every version passes. The slow tests of the tool run them in both
/// packages (`cargo-forall/tests/race.rs`); by hand, `cargo test sequential` does in either.
mod sequential {
    use super::*;

    #[forall::test]
    fn oneshot_close(commands: Sequential<OneshotClose>) -> Outcome {
        commands.check()
    }

    #[forall::test]
    fn oneshot_unparking(commands: Sequential<OneshotUnparking>) -> Outcome {
        commands.check()
    }

    #[forall::test]
    fn flume_shutdown(commands: Sequential<FlumeShutdown>) -> Outcome {
        commands.check()
    }

    #[forall::test]
    fn once_failure(commands: Sequential<OnceFailure>) -> Outcome {
        commands.check()
    }

    #[forall::test]
    fn full_buffer(commands: Sequential<FullBuffer>) -> Outcome {
        commands.check()
    }
}

#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn oneshot_close(program: Parallel<OneshotClose>) -> Outcome {
    program.check()
}

#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn oneshot_unparking(program: Parallel<OneshotUnparking>) -> Outcome {
    program.check()
}

#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn flume_shutdown(program: Parallel<FlumeShutdown>) -> Outcome {
    program.check()
}

#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn once_failure(program: Parallel<OnceFailure>) -> Outcome {
    program.check()
}

/// Only that every method returns: see the model.
#[forall::test]
#[ignore = "a bug that `cargo forall race` finds"]
fn full_buffer(program: Parallel<FullBuffer>) -> Outcome {
    program.stress()
}
