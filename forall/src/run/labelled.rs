//! A minimal example of every label.

use super::{Run, Settings, Store, Verdict};
use crate::choice::Source;
use crate::context::Context;
use crate::property::{
    Binding, Block, BlockEnd, Failure, FailureKind, Measure, Outcome, Outline, Progress, Property, Step, Stop,
};

/// The simplest input with a label.
///
/// ```
/// # use forall::{prelude::*, run::labelled_examples};
/// let property = property! { forall n: u32; check { classify!(*n > 99, "large"); } };
/// let examples = labelled_examples(&property);
/// assert_eq!((&*examples[0].label, examples[0].bindings[0].printed.text()), ("large", "100"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LabelledExample {
    /// The label.
    pub label: String,
    /// The variables with their values.
    pub bindings: Vec<Binding>,
    /// The number of tests with the label.
    pub tests: u64,
}

impl std::fmt::Display for LabelledExample {
    #[inline]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", self.label)?;
        for Binding { name, printed, .. } in &self.bindings {
            write!(f, "\n    {name} = {}", printed.text())?;
        }
        Ok(())
    }
}

/// Finds the simplest input for each label (of `label!`, `classify!`, `collect!`, or of a `cover!` that holds), to
/// illustrate the label. Sorted by label.
///
/// The property runs with the default settings and a fixed seed, and nothing is saved. A test that fails has no label,
/// as in the statistics.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::labelled_examples;
///
/// let property = property! {
///     forall xs: Vec<u8>;
///     check {
///         classify!(xs.is_empty(), "empty");
///         classify!(!xs.is_empty() && xs.is_sorted(), "sorted");
///         classify!(!xs.is_sorted(), "out of order");
///     }
/// };
/// let text: Vec<String> = labelled_examples(&property).iter().map(|example| example.to_string()).collect();
/// assert_eq!(text, ["empty:\n    xs = vec![]", "out of order:\n    xs = vec![1, 0]", "sorted:\n    xs = vec![0]"]);
/// ```
#[inline]
pub fn labelled_examples(property: &dyn Property) -> Vec<LabelledExample> {
    labelled_examples_with(property, Settings::new().seed(SEED))
}

/// Does the same as [`labelled_examples`], with settings.
///
/// ```
/// use forall::{prelude::*, run::{Settings, labelled_examples_with}};
/// let property = property! { forall n in 0..1_000_000u32; check { classify!(*n > 999_000, "high"); } };
/// let examples = labelled_examples_with(&property, Settings::new().seed(1).tests(100_000));
/// assert_eq!(examples[0].bindings[0].printed.text(), "999001");
/// ```
#[doc(hidden)]
#[inline]
pub fn labelled_examples_with(property: &dyn Property, settings: Settings) -> Vec<LabelledExample> {
    let settings = settings.store(Store::Off).explain(0);
    // Labels of statistics, and requirements that hold. One run collects them.
    let once = Passing { property };
    let statistics = Run::new("labels", &once).settings(settings.clone()).report().statistics;
    let mut labels = statistics.labels.clone();
    for (label, cover) in statistics.covers.iter().filter(|(_, cover)| cover.hits > 0) {
        labels.entry(label.clone(), cover.hits);
    }
    let mut examples = Vec::new();
    for (label, tests) in labels.iter() {
        let bearing = Bearing { property, label };
        let report = Run::new("labels", &bearing).settings(settings.clone()).report();
        if let (Verdict::Failed, Some(found)) = (report.verdict, report.counterexample) {
            examples.push(LabelledExample { label: label.clone(), bindings: found.bindings, tests: *tests });
        }
    }
    examples
}

/// A fixed seed, for deterministic examples.
const SEED: u64 = 0;

/// A property that never fails: failures are discarded.
struct Passing<'a> {
    property: &'a dyn Property,
}

/// A property in which exactly the tests with a label fail.
struct Bearing<'a> {
    property: &'a dyn Property,
    label: &'a str,
}

/// The parts of a property that do not depend on how its outcome is interpreted.
macro_rules! reads_as {
    ($name:ident, |$self:ident, $source:ident, $steps:ident| $outcome:expr) => {
        impl Property for $name<'_> {
            #[inline]
            fn outline(&self) -> Outline {
                self.property.outline()
            }

            #[inline]
            fn run_block(&self, block: &Block, progress: &Progress) -> BlockEnd {
                block.run(progress, |source| self.run(source, &[]).unwrap_or(Outcome::Discard))
            }

            #[inline]
            fn run(&$self, $source: &mut Source, $steps: &[Step]) -> Result<Outcome, Stop> {
                $outcome
            }

            #[inline]
            fn print(&self, source: &mut Source, steps: &[Step]) -> Result<Vec<Binding>, Stop> {
                self.property.print(source, steps)
            }

            #[inline]
            fn generate(&self, source: &mut Source, steps: &[Step]) -> Result<(), Stop> {
                self.property.generate(source, steps)
            }

            #[inline]
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
    };
}

reads_as!(Passing, |self, source, steps| match self.property.run(source, steps)? {
    Outcome::Fail(_) => Ok(Outcome::Discard),
    other => Ok(other),
});

reads_as!(Bearing, |self, source, steps| {
    // A separate context, since labels do not count while a run shrinks.
    let context = Context::new("labels", 0, 0);
    let outcome = {
        let _active = context.activate();
        self.property.run(source, steps)?
    };
    let said = context.take_statistics();
    let covered = matches!(said.covers.get(self.label), Some(cover) if cover.hits > 0);
    Ok(match outcome {
        Outcome::Pass if covered || said.labels.get(self.label).is_some() => {
            Outcome::Fail(Box::new(Failure::new(FailureKind::Falsified, "labelled")))
        }
        Outcome::Fail(_) => Outcome::Discard,
        other => other,
    })
});
