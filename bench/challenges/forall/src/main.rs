//! `forall`: the challenges of the library's own tests, found and shrunk by an ordinary run.

#[path = "../../../../tests/library/tests/shrink/challenges/commands.rs"]
mod commands;
#[path = "../../../../tests/library/tests/shrink/challenges/counted.rs"]
mod counted;
#[path = "../../../../tests/library/tests/shrink/challenges/drawn.rs"]
mod drawn;
#[path = "../../../../tests/library/tests/shrink/challenges/everyday.rs"]
mod everyday;
#[path = "../../../../tests/library/tests/shrink/challenges/floats.rs"]
mod floats;
#[path = "../../../../tests/library/tests/shrink/challenges/further.rs"]
mod further;
#[path = "../../../../tests/library/tests/shrink/challenges/harder.rs"]
mod harder;
#[path = "../../../../tests/library/tests/shrink/challenges/looped.rs"]
mod looped;
#[path = "../../../../tests/library/tests/shrink/challenges/ported.rs"]
mod ported;
#[path = "../../../../tests/library/tests/shrink/challenges/practice.rs"]
mod practice;
#[path = "../../../../tests/library/tests/shrink/challenges/quality.rs"]
mod quality;
#[path = "../../../../tests/library/tests/shrink/challenges/realigned.rs"]
mod realigned;
#[path = "../../../../tests/library/tests/shrink/challenges/remaining.rs"]
mod remaining;
#[path = "../../../../tests/library/tests/shrink/challenges/terms.rs"]
mod terms;
#[path = "../../../../tests/library/tests/shrink/challenges/thirteen.rs"]
mod thirteen;
#[path = "../../../../tests/library/tests/shrink/challenges/unseen.rs"]
mod unseen;
#[path = "../../../../tests/library/tests/shrink/challenges/usual.rs"]
mod usual;
#[path = "../../../../tests/library/tests/shrink/challenges/values.rs"]
mod values;

use bench_challenge::{Shrunk, custom, now};
use commands::COMMANDS;
use counted::COUNTED;
use drawn::{DRAWN, TIGHT};
use everyday::EVERYDAY;
use floats::{FLOATS, HELD_OUT, HELD_OUT_LATER};
use forall::choice::Source;
use forall::property::{Binding, Block, BlockEnd, Failure, Measure, Outcome, Outline, Progress, Property, Step, Stop};
use forall::run::{Case, Counterexample, Event, Observer, Run, Settings, Store, Tester, Verdict};
use forall::shrink::Shrinker;
use further::FURTHER;
use harder::HARDER;
use looped::LOOPED;
use ported::PORTED;
use practice::PRACTICE;
use quality::{QUALITY, QUALITY_LOOPS};
use realigned::REALIGNED;
use remaining::REMAINING;
use std::cell::Cell;
use terms::TERMS;
use thirteen::{Challenge, THIRTEEN};
use unseen::UNSEEN;
use usual::USUAL;
use values::VALUES;

/// How many runs of the stock length look for a failure.
const RUNS: u64 = 100_000;

fn main() {
    let challenges = THIRTEEN
        .into_iter()
        .chain(HARDER)
        .chain(EVERYDAY)
        .chain(USUAL)
        .chain(TERMS)
        .chain(COMMANDS)
        .chain(COUNTED)
        .chain(VALUES)
        .chain(LOOPED)
        .chain(PRACTICE)
        .chain(REALIGNED)
        .chain(REMAINING)
        .chain(FURTHER)
        .chain(UNSEEN)
        .chain(DRAWN)
        .chain([TIGHT])
        .chain(QUALITY)
        .chain(QUALITY_LOOPS)
        .chain(PORTED)
        .chain(FLOATS)
        .chain(HELD_OUT)
        .chain(HELD_OUT_LATER);
    bench_challenge::main(
        challenges.map(|challenge| custom(challenge.name, move |seed| shrunk(&challenge, seed))).collect(),
    );
}

fn shrunk(challenge: &Challenge, seed: u64) -> Option<Shrunk> {
    let property = Counted { property: (challenge.property)(), runs: Cell::new(0) };
    for run in 0..RUNS {
        let mut found = Found::default();
        property.runs.set(0);
        let settings = Settings::new().seed(seed << 32 | run).store(Store::Off).enumerate(false).discard_ratio(1000);
        let report = Run::new("challenge", &property).settings(settings.clone()).observer(&mut found).report();
        match (report.verdict, report.counterexample, found.0) {
            (Verdict::Passed, ..) => {}
            (Verdict::Failed, Some(result), Some((case, failure))) => {
                let apart = property.runs.get() - result.shrinking.evaluations;
                let before = now();
                let tester = Tester::new("challenge", &*property.property, settings.seed.unwrap_or_default());
                let limits = (settings.shrink_evaluations, settings.shrink_time);
                let again = Shrinker::new(&tester, case, failure).limits(limits.0, limits.1).shrink(|_, _, _| {});
                let cpu = now() - before;
                assert_eq!(again.0, result.case, "shrinking from the same case ends at the same");
                let result_text = text(&result);
                return Some(Shrunk {
                    ideal: result_text == challenge.ideal,
                    evaluations: result.shrinking.evaluations,
                    apart,
                    cpu,
                    result: result_text,
                });
            }
            (verdict, ..) => panic!("{}: {verdict:?}", challenge.name),
        }
    }
    None
}

fn text(counterexample: &Counterexample) -> String {
    let texts: Vec<_> = counterexample.bindings.iter().map(|binding| binding.printed.text()).collect();
    texts.join(", ")
}

/// The failing case with which shrinking begins.
#[derive(Default)]
struct Found(Option<(Case, Failure)>);

impl Observer for Found {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Failed { case, failure } = event {
            self.0.get_or_insert_with(|| ((*case).clone(), (*failure).clone()));
        }
    }
}

/// A property that counts its evaluations on recorded cases: those from the first failure on, since before nothing is
/// recorded. The shrinker counts its own evaluations; the others confirm and explain the result.
struct Counted {
    property: Box<dyn Property>,
    runs: Cell<u64>,
}

impl Property for Counted {
    fn outline(&self) -> Outline {
        self.property.outline()
    }

    fn run_block(&self, block: &Block, progress: &Progress) -> BlockEnd {
        self.property.run_block(block, progress)
    }

    fn run(&self, source: &mut Source, steps: &[Step]) -> Result<Outcome, Stop> {
        self.runs.set(self.runs.get() + 1);
        self.property.run(source, steps)
    }

    fn print(&self, source: &mut Source, steps: &[Step]) -> Result<Vec<Binding>, Stop> {
        self.property.print(source, steps)
    }

    fn generate(&self, source: &mut Source, steps: &[Step]) -> Result<(), Stop> {
        self.property.generate(source, steps)
    }

    fn candidates(
        &self,
        source: &mut Source,
        steps: &[Step],
        quantifier: u32,
        candidates: &mut Vec<Measure>,
    ) -> Result<(), Stop> {
        self.property.candidates(source, steps, quantifier, candidates)
    }
}
