//! What records a run for the environment: the guest that observes runs, if it is asked for.

use super::{Case, Event, Identity, Session, Settings, Tested, Tester, Verdict};
use crate::context::Record;
use crate::property::Binding;
#[cfg(feature = "full")]
use crate::protocol;
use std::path::Path;
use std::time::Duration;

/// The guest, registered by itself.
pub(crate) struct Recording {
    /// The recorder of a run, if the environment wants to hear of it.
    pub(crate) begin: fn(&Identity, &Settings, &Path) -> Option<Box<dyn Recorder>>,
    /// Tells of the inputs of a run that ends and has run so many tests.
    pub(crate) profile: fn(&mut Session<'_>, &Verdict, u64),
}

inventory::collect!(Recording);

/// Records a run.
pub(crate) trait Recorder {
    /// Whether each test is to be told, with its values.
    fn wants_tests(&self) -> bool;

    /// Whether the values of test `index` are to be told, and how many tests it stands for then.
    fn wants(&self, index: u64, tested: &Tested) -> Option<u64>;

    /// Whether the values of each simpler input are to be told.
    fn wants_values(&self) -> bool;

    /// A test has run: what it reached counts.
    fn count_reached(&mut self);

    fn tested(&mut self, test: &Observed<'_>);

    fn event(&mut self, event: &Event<'_>);

    /// Tells tools of something that is no event of a run.
    #[cfg(feature = "full")]
    fn tell(&mut self, event: protocol::Event);

    /// Shrinking ran a candidate: it counts as not taken if the next thing that happens is not that it is.
    fn tried(&mut self, tester: &Tester<'_>, case: &Case, tested: &Tested, by: (&'static str, u64));

    /// The last candidate was taken.
    fn taken(&mut self);

    /// Shrinking is over.
    fn shrunk(&mut self, tester: &Tester<'_>);

    /// Tells the values of a case after each step of a shrinker or mutator on them.
    fn show_steps(&mut self, tester: &Tester<'_>, case: &Case);
}

/// A test of a run that is observed.
#[cfg_attr(not(feature = "full"), expect(dead_code, reason = "no test is observed"))]
pub(crate) struct Observed<'a> {
    pub(crate) tested: &'a Tested,
    pub(crate) size: u32,
    /// How its input was made.
    pub(crate) how: &'static str,
    /// How many tests it stands for: itself, and those after it that are not told.
    pub(crate) stands_for: u64,
    /// How long it took, and how much of that to generate its values.
    pub(crate) time: Duration,
    pub(crate) generating: Duration,
    /// How long each variable took to be drawn, by its number.
    pub(crate) draws: &'a [Duration],
    pub(crate) values: &'a [Binding],
    pub(crate) said: &'a [Record],
    pub(crate) score: Option<f64>,
}

/// The recorder of a run, if there is one.
#[derive(Default)]
pub(crate) struct Recorders(Option<Box<dyn Recorder>>);

impl Recorders {
    /// Those that the environment names. None inside of another test, which has its own.
    pub(super) fn from_environment(identity: &Identity, settings: &Settings, package: &Path) -> Self {
        Self(inventory::iter::<Recording>().find_map(|guest| (guest.begin)(identity, settings, package)))
    }

    pub(crate) fn wants_tests(&self) -> bool {
        self.0.as_ref().is_some_and(|recorder| recorder.wants_tests())
    }

    pub(super) fn wants(&self, index: u64, tested: &Tested) -> Option<u64> {
        self.0.as_ref()?.wants(index, tested)
    }

    pub(crate) fn wants_values(&self) -> bool {
        self.0.as_ref().is_some_and(|recorder| recorder.wants_values())
    }

    pub(super) fn event(&mut self, event: &Event<'_>) {
        if let Some(recorder) = &mut self.0 {
            recorder.event(event);
        }
    }

    #[cfg(feature = "full")]
    pub(crate) fn tell(&mut self, event: impl Into<protocol::Event>) {
        if let Some(recorder) = &mut self.0 {
            recorder.tell(event.into());
        }
    }

    /// The recorder itself.
    pub(super) fn get(&mut self) -> Option<&mut dyn Recorder> {
        Some(&mut **self.0.as_mut()?)
    }
}

/// Tells of the inputs of a run that ends.
pub(super) fn profile(session: &mut Session<'_>, verdict: &Verdict, tests: u64) {
    if session.recorders().wants_values() {
        for guest in inventory::iter::<Recording> {
            (guest.profile)(session, verdict, tests);
        }
    }
}
