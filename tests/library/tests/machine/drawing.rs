//! Commands that cannot be drawn, or hardly.

use super::support::*;
use forall::machine::{Parallel, Sequential, Shared, Spec, Tuning};
use forall::prelude::*;
use forall::report::{Style, render};
use forall::run::{Report, Settings, Verdict};

/// A counter, of which one command in `ONE_IN` is allowed; the model does not count beyond `MOST`; and so many commands there may be.
#[derive(Default)]
struct Counting<const ONE_IN: u64, const MOST: u32, const COMMANDS: usize>;

const NO_LIMIT: u32 = u32::MAX;

impl<const ONE_IN: u64, const MOST: u32, const COMMANDS: usize> Spec for Counting<ONE_IN, MOST, COMMANDS> {
    type Command = u64;
    type Model = u32;
    type System = ();
    type Response = ();

    fn model(&self) -> u32 {
        0
    }

    fn generate(&self, _: &u32, source: &mut Source) -> u64 {
        source.choice(ONE_IN - 1)
    }

    fn precondition(&self, _: &u32, command: &u64) -> bool {
        // Not an end of the range, a power of two or a round number: shaped tests have those more often.
        *command == ONE_IN / 3
    }

    fn next(&self, model: &mut u32, _: &u64) {
        assert!(*model < MOST, "too much");
        *model += 1;
    }

    fn system(&self) {}

    fn run(&self, (): &mut (), _: &u64) {}

    fn postcondition(&self, _: &u32, _: &u64, (): &()) -> bool {
        true
    }

    fn tuning(&self) -> Tuning {
        Tuning { commands: COMMANDS, branch: COMMANDS, ..Tuning::default() }
    }
}

impl<const ONE_IN: u64, const MOST: u32, const COMMANDS: usize> Shared for Counting<ONE_IN, MOST, COMMANDS> {
    fn share(&self, (): &mut ()) {}
}

/// The messages for sequences, and for parallel programs.
fn reports<const ONE_IN: u64, const MOST: u32, const COMMANDS: usize>() -> [Report; 2] {
    let settings = || Settings::new().seed(1).tests(60).discard_ratio(10).enumerate(false);
    let sequences = property! { forall commands: Sequential<Counting<ONE_IN, MOST, COMMANDS>>; check commands.check() };
    let programs = property! { forall program: Parallel<Counting<ONE_IN, MOST, COMMANDS>>; check program.check() };
    [report_with(&sequences, settings()), report_with(&programs, settings())]
}

fn fault(report: Report) -> String {
    match report.verdict {
        Verdict::Faulty(why) => why.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn sequences_in_which_hardly_any_command_is_allowed_are_discarded() {
    for report in reports::<1000, NO_LIMIT, 60>() {
        assert!(report.statistics.discarded > 100, "{} were discarded", report.statistics.discarded);
    }
}

#[test]
#[ignore = "slow: 9 s"]
fn truncated_sequences_are_counted() {
    for report in reports::<30, NO_LIMIT, 60>() {
        let text = render(&report, &Style::plain());
        assert!(text.contains("shortened: preconditions or known issues refused many commands"), "{text}");
    }
    for report in reports::<1, NO_LIMIT, 60>() {
        let text = render(&report, &Style::plain());
        assert!(!text.contains("shortened"), "{text}");
    }
}

#[test]
fn a_panicking_model_is_reported_with_its_commands() {
    let [sequences, programs] = reports::<1, 2, 60>().map(fault);
    let begin =
        "The specification `Counting<1, 2, 60>` is invalid: it panics while commands are generated, with 0 after ";
    assert!(sequences.starts_with(&format!("{begin}[0, 0]: too much, at ")), "{sequences}");
    assert!(programs.starts_with(begin), "{programs}");
}

#[test]
fn a_tuning_that_excludes_everything_is_reported() {
    let [sequences, programs] = reports::<1, NO_LIMIT, 0>().map(fault);
    assert!(sequences.contains("is invalid: its `tuning` has `commands: 0`"), "{sequences}");
    assert!(programs.contains("is invalid: its `tuning` has `branch: 0`"), "{programs}");
}
