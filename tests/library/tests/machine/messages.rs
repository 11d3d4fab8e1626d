//! Complete messages about specifications and systems.

use super::support::*;
use forall::machine::elements::Fuse;
use forall::machine::{KnownIssue, Parallel, Ref, Results, Sequential, Shared, Soak, Spec, Tuning, refute, soak};
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Settings, Verdict};
use insta::assert_snapshot;
use std::time::Duration;

/// A system that does nothing, and a specification with one mistake.
#[derive(Default)]
struct Mistaken<const MISTAKE: u8>;

const NEVER_ALLOWED: u8 = 0;
const REFERS_TO_NOTHING: u8 = 1;
const VERSIONS_ARE_NONE: u8 = 2;
const NO_COMMANDS: u8 = 3;
const NO_BRANCH: u8 = 4;
const ISSUE_IS_OVER: u8 = 5;
const PANICS_IN_SOME_ORDER: u8 = 6;
const SYSTEM_PANICS: u8 = 7;
const SYSTEM_HANGS: u8 = 8;
const COMMAND_PANICS: u8 = 9;
const GROWS: u8 = 10;
const NEVER_RIGHT: u8 = 11;

impl<const MISTAKE: u8> Spec for Mistaken<MISTAKE> {
    type Command = u8;
    type Model = Vec<u8>;
    type System = ();
    type Response = ();

    fn model(&self) -> Vec<u8> {
        Vec::new()
    }

    fn generate(&self, _: &Vec<u8>, source: &mut Source) -> u8 {
        source.draw(0..9)
    }

    fn precondition(&self, model: &Vec<u8>, _: &u8) -> bool {
        assert!(MISTAKE != PANICS_IN_SOME_ORDER || model.len() < 7, "seven is too much");
        MISTAKE != NEVER_ALLOWED
    }

    fn next(&self, model: &mut Vec<u8>, command: &u8) {
        if MISTAKE == PANICS_IN_SOME_ORDER {
            model.push(*command);
        }
    }

    fn system(&self) {
        assert!(MISTAKE != SYSTEM_PANICS, "no system today");
        if MISTAKE == SYSTEM_HANGS {
            loop {
                std::thread::park();
            }
        }
    }

    fn run(&self, _: &mut (), _: &u8) {
        assert!(MISTAKE != COMMAND_PANICS, "no command today");
        if MISTAKE == GROWS {
            Box::leak(vec![1u8; 4096].into_boxed_slice());
        }
    }

    fn postcondition(&self, _: &Vec<u8>, _: &u8, _: &()) -> bool {
        MISTAKE != NEVER_RIGHT
    }

    fn resolve(&self, _: &u8, results: &Results<'_, ()>) -> Option<u8> {
        if MISTAKE == REFERS_TO_NOTHING {
            results.get(Ref::nth(77));
        }
        None
    }

    fn known_issue(&self, _: &u8) -> Option<KnownIssue> {
        match MISTAKE {
            VERSIONS_ARE_NONE => Some(KnownIssue::new("newer", "1.0", "unclear")),
            ISSUE_IS_OVER => Some(KnownIssue::new("..1.2", "1.3", "it was slow")),
            _ => None,
        }
    }

    fn tuning(&self) -> Tuning {
        let mut tuning = Tuning { hangs_after: Duration::from_secs(1), ..Tuning::default() };
        match MISTAKE {
            NO_COMMANDS => tuning.commands = 0,
            NO_BRANCH => tuning.branch = 0,
            PANICS_IN_SOME_ORDER => (tuning.prefix, tuning.branch) = (1, 5),
            _ => {}
        }
        tuning
    }
}

impl<const MISTAKE: u8> Shared for Mistaken<MISTAKE> {
    fn share(&self, (): &mut ()) {}
}

fn listed(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().map(|text| without_line(&text) + "\n\n").collect()
}

/// In which line of a file a panic is does not matter.
fn without_line(text: &str) -> String {
    match text.split_once(".rs:") {
        Some((before, after)) => {
            format!("{before}.rs{}", after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':'))
        }
        None => text.to_owned(),
    }
}

/// The reason of the verdict, or the failure.
fn told(property: &dyn Property) -> String {
    let settings = Settings::new().seed(1).enumerate(false).explain(0);
    let report = report_with(property, settings);
    match report.verdict {
        Verdict::Faulty(why) => why.to_string(),
        Verdict::Failed => report.counterexample.unwrap().failure.message,
        other => panic!("{other:?}"),
    }
}

/// The text of the panic that ends a test by hand.
fn panics(test: fn()) -> String {
    let payload = std::panic::catch_unwind(test).expect_err("it should panic");
    let text = payload.downcast_ref::<String>().cloned();
    text.unwrap_or_else(|| (*payload.downcast_ref::<&str>().expect("with a text")).to_owned())
}

#[test]
fn invalid_specifications_are_reported() {
    let sequential = [
        told(&property! { forall commands: Sequential<Mistaken<NEVER_ALLOWED>>; check commands.check() }),
        told(&property! { forall commands: Sequential<Mistaken<REFERS_TO_NOTHING>>; check commands.check() }),
        told(&property! { forall commands: Sequential<Mistaken<VERSIONS_ARE_NONE>>; check commands.check() }),
        told(&property! { forall commands: Sequential<Mistaken<NO_COMMANDS>>; check commands.check() }),
    ];
    assert_snapshot!("sequential", listed(sequential));
    let parallel = [
        told(&property! { forall program: Parallel<Mistaken<NEVER_ALLOWED>>; check program.check() }),
        told(&property! { forall program: Parallel<Mistaken<NO_BRANCH>>; check program.check() }),
        told(&property! { forall program: Parallel<Mistaken<PANICS_IN_SOME_ORDER>>; check program.check() }),
    ];
    assert_snapshot!("parallel", listed(parallel));
}

#[test]
fn invalid_programs_by_hand_are_reported() {
    let told = [
        panics(|| Sequential::<Mistaken<NEVER_ALLOWED>>::of([3]).test()),
        panics(|| Parallel::<Mistaken<NEVER_ALLOWED>>::of(vec![3], vec![vec![1], vec![2]]).test()),
        panics(|| Parallel::<Mistaken<NEVER_ALLOWED>>::of(vec![], vec![vec![1], vec![2]]).test()),
        panics(|| Parallel::<Mistaken<ISSUE_IS_OVER>>::of(vec![], vec![]).test()),
        panics(|| Sequential::<Mistaken<REFERS_TO_NOTHING>>::of([1]).test()),
    ];
    assert_snapshot!("by_hand", listed(told));
}

#[test]
fn failures_before_the_concurrent_part_are_reported() {
    let failed = |failure: Option<forall::property::Failure>| failure.expect("it fails").message;
    let told = [
        failed(Parallel::<Mistaken<SYSTEM_PANICS>>::of(vec![], vec![vec![1], vec![2]]).run().failure),
        failed(Parallel::<Mistaken<SYSTEM_HANGS>>::of(vec![], vec![vec![1], vec![2]]).run().failure),
        failed(Parallel::<Mistaken<COMMAND_PANICS>>::of(vec![3], vec![vec![1], vec![2]]).run().failure),
        failed(Parallel::<Mistaken<NEVER_RIGHT>>::of(vec![3], vec![vec![1], vec![2]]).run().failure),
    ];
    assert_snapshot!("before", listed(told));
}

#[test]
#[ignore = "slow: 14 s"]
fn a_failure_can_be_pasted_as_a_test() {
    let property = property! { forall program: Parallel<QueueSpec<FORGETS>>; check program.check() };
    let found = report_with(&property, Settings::new().seed(1).explain(0)).counterexample.unwrap();
    let notes = found.notes.join("\n");
    let begin = "as a test:\n#[test]\nfn pasted() {\n    Parallel::<QueueSpec<1>, 2>::of(vec![";
    assert!(notes.contains(begin) && notes.contains(").test();\n}"), "{notes}");
}

#[test]
fn messages_of_run_statistics() {
    let property = property! { forall program: Parallel<Mistaken<ISSUE_IS_OVER>>; check program.check() };
    let report = report_with(&property, Settings::new().seed(1).tests(30).size(4));
    let labels: Vec<String> = report.statistics.labels.iter().map(|(label, _)| label.to_string()).collect();
    assert_eq!(
        labels,
        ["known issue that is no longer needed: it was slow", "no concurrency: only one branch has commands"]
    );
}

#[test]
fn a_soak_that_cannot_begin_and_one_that_grows() {
    let none = soak(&Mistaken::<SYSTEM_PANICS>, &Soak::default()).unwrap_err();
    assert!(none.starts_with("the system could not be created: no system today, at "), "{none}");
    let wrong = soak(&Mistaken::<NEVER_RIGHT>, &Soak::default()).unwrap_err();
    assert!(
        wrong.starts_with("command 0, ") && wrong.ends_with(": the system disagrees with the model: it returned ()"),
        "{wrong}"
    );
    let grows = soak(&Mistaken::<GROWS>, &Soak::default()).unwrap_err();
    // How much is the system's business: pages come and go.
    let plain: String = grows.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let plain = plain.split_once('\n').unwrap().0.replace("0000.0", "000.0").replace("0000 bytes", "000 bytes");
    assert_eq!(
        plain,
        "the resident memory of the process grows by about 000.0 bytes with each command, of 00000; the allocator \
         `machine::Counting` shows which commands allocate it"
    );
}

#[test]
fn refute_reports_a_property_that_holds() {
    let text = panics(|| {
        let property = property! { forall n: u8; check n.count_ones() <= 8 };
        refute("there are more than 8 bits", &property, Settings::new().seed(1).tests(10));
    });
    let begin = "expected a counterexample to \"there are more than 8 bits\", but found none:\npassed there are more than 8 bits (";
    assert!(text.starts_with(begin) && text.contains("): 10 tests, "), "{text}");
    let fuse = Fuse::new();
    fuse.light(1);
    let fused = fuse.wrap(1);
    let burnt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| fused.clone())).unwrap_err();
    assert_eq!(burnt.downcast_ref::<&str>(), Some(&"the fuse has burnt down"));
}
