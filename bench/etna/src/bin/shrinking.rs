//! Compares shrinking on choices, on values and on both, for the tasks of System F with bespoke generators: the
//! reduction of counterexamples, in constructors of terms and types.
//!
//! ```text
//! cargo run --release -p bench-etna --bin shrinking -- [TRIALS] [CHART.svg]
//! ```

use etna::fsub::generate::terms;
use etna::fsub::spec::{BEFORE, multi_preserve, single_preserve};
use etna::fsub::syntax::{Term, Type};
use etna::fsub::typing::type_of;
use etna::{Strategy, Task, fsub};
use forall::prelude::*;
use forall::property::{Binding, Property};
use forall::run::{Run, Settings, ShrinkOn, Store};
use std::fmt::Write;
use std::process::ExitCode;

/// The maximum number of tests in a trial.
const CAP: u64 = 20_000;

const WAYS: [(&str, ShrinkOn, &str); 3] = [
    ("choices", ShrinkOn::Choices, "#1b6ca8"),
    ("values", ShrinkOn::Values, "#c8553d"),
    ("both", ShrinkOn::Both, "#3a7d44"),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let trials = arguments.next().map_or(Ok(10), |text| text.parse::<u64>());
    let Ok(trials) = trials else {
        eprintln!("error: the number of trials is no number; usage: shrinking [TRIALS] [CHART.svg]");
        return ExitCode::from(2);
    };
    let tasks = (fsub::WORKLOAD.tasks)();
    let measured = WAYS.map(|(_, on, _)| tasks.iter().map(|task| measure(task, on, trials)).collect::<Vec<_>>());
    print!("{}", table(&measured));
    let Some(path) = arguments.next() else { return ExitCode::SUCCESS };
    match std::fs::write(&path, chart(&tasks, &measured)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write {path}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The trials of a task.
#[derive(Default)]
struct Measured {
    /// The size of each counterexample, as found and as shrunk.
    sizes: Vec<(usize, usize)>,
    /// The number of trials without a counterexample, or whose shrunk input does not fail.
    failed: u64,
    evaluations: u64,
}

impl Measured {
    fn ratios(&self) -> impl Iterator<Item = f64> {
        self.sizes.iter().map(|&(original, shrunk)| original as f64 / shrunk as f64)
    }
}

fn measure(task: &Task, on: ShrinkOn, trials: u64) -> Measured {
    let property = property(task.property);
    let mut measured = Measured::default();
    for trial in 0..trials {
        let settings = Settings::new().tests(CAP).seed(trial).store(Store::Off).shrink_on(on).enumerate(false);
        let report = fsub::WORKLOAD
            .with_mutant(Some(task.mutant), || Run::new("shrinking", &*property).settings(settings).report());
        match report.counterexample {
            Some(found) => {
                let shrunk = size(&found.bindings);
                let original = found.original.as_deref().map_or(shrunk, size);
                measured.sizes.push((original, shrunk));
                measured.evaluations += found.shrinking.evaluations;
            }
            None => measured.failed += 1,
        }
    }
    measured
}

/// Returns the property of a task, with a shrinker for its terms.
fn property(name: &str) -> Box<dyn Property> {
    let terms = terms(Strategy::Bespoke).expect("System F has bespoke generators");
    let preserves: fn(&Term, &Type) -> bool = if name == "SinglePreserve" { single_preserve } else { multi_preserve };
    Box::new(property! {
        move forall term: Term in &terms, shrink Arbitrary::shrink;
        forall ty in from_fn(|_| type_of(term, BEFORE));
        implies ty.is_some();
        check ty.as_ref().is_none_or(|ty| preserves(term, ty))
    })
}

/// Returns the size of the first bound term: terms and types are printed as code, each constructor with the name of its
/// type.
fn size(bindings: &[Binding]) -> usize {
    let text = bindings[0].printed.code.as_deref().expect("terms can be printed as code");
    text.matches("Term::").count() + text.matches("Type::").count()
}

fn table(measured: &[Vec<Measured>; 3]) -> String {
    let mut text = "| shrinking on | original / shrunk | deviation | smaller | same | larger | failed | median size | evaluations |\n\
                    |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for ((name, ..), tasks) in WAYS.iter().zip(measured) {
        let ratios: Vec<f64> = tasks.iter().flat_map(Measured::ratios).collect();
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        let variance = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>() / ratios.len() as f64;
        let count = |wanted: fn(&f64) -> bool| ratios.iter().filter(|ratio| wanted(ratio)).count();
        let failed: u64 = tasks.iter().map(|task| task.failed).sum();
        let evaluations = tasks.iter().map(|task| task.evaluations).sum::<u64>() / ratios.len().max(1) as u64;
        let mut sizes: Vec<usize> = tasks.iter().flat_map(|task| &task.sizes).map(|&(_, shrunk)| shrunk).collect();
        sizes.sort_unstable();
        let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
        let (smaller, same, larger) = (count(|r| *r > 1.0), count(|r| *r == 1.0), count(|r| *r < 1.0));
        let row = format!(
            "| {name} | {mean:.2} | {:.2} | {smaller} | {same} | {larger} | {failed} | {median} | {evaluations} |\n",
            variance.sqrt()
        );
        text += &row;
    }
    text
}

/// Draws the mean ratio of each task: one column per task, one colour per way of shrinking.
fn chart(tasks: &[Task], measured: &[Vec<Measured>; 3]) -> String {
    const WIDTH: usize = 960;
    const HEIGHT: usize = 420;
    const LEFT: usize = 50;
    const BOTTOM: usize = 190;
    let mean = |task: &Measured| task.ratios().sum::<f64>() / task.sizes.len().max(1) as f64;
    let most = measured.iter().flatten().map(mean).fold(1.0, f64::max).ceil();
    let step = (WIDTH - LEFT - 20) as f64 / tasks.len() as f64;
    let x = |column: usize| LEFT as f64 + step * (column as f64 + 0.5);
    let y = |ratio: f64| 30.0 + (HEIGHT - BOTTOM - 30) as f64 * (1.0 - ratio / most);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"10\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    for ratio in 0..=most as u32 {
        let at = y(f64::from(ratio));
        let _ = writeln!(svg, "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{ratio}</text>", LEFT - 6, at + 3.0);
    }
    for (column, task) in tasks.iter().enumerate() {
        let (at, below) = (x(column), HEIGHT - BOTTOM + 10);
        let Task { mutant, property, .. } = task;
        let _ = writeln!(svg, "<text transform=\"translate({at:.1},{below}) rotate(60)\">{mutant}/{property}</text>");
        for ((_, _, colour), tasks) in WAYS.iter().zip(measured) {
            let height = y(mean(&tasks[column]));
            let _ = writeln!(svg, "<circle cx=\"{at:.1}\" cy=\"{height:.1}\" r=\"3.5\" fill=\"{colour}\"/>");
        }
    }
    for (place, (name, _, colour)) in WAYS.iter().enumerate() {
        let at = LEFT + 10 + place * 90;
        let _ = writeln!(svg, "<circle cx=\"{at}\" cy=\"14\" r=\"3.5\" fill=\"{colour}\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"17\">on {name}</text>", at + 8);
    }
    svg + "<text x=\"420\" y=\"17\">size of the counterexample as found / as shrunk, mean of the trials</text>\n</svg>\n"
}
