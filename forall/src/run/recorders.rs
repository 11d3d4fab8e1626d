//! Recording of runs at the request of the environment: the interface to the guest that observes runs.

use super::{Case, Event, Identity, Session, Settings, Tested, Tester, Verdict};
use crate::context::Record;
use crate::property::Binding;
#[cfg(feature = "full")]
use crate::protocol;
use std::path::Path;
use std::time::Duration;

/// The observation guest, which registers itself.
pub(crate) struct Recording {
    /// The recorder of a run, if the environment requests one.
    pub(crate) begin: fn(&Identity, &Settings, &Path) -> Option<Box<dyn Recorder>>,
    /// Records the inputs of a run that ended after this many tests.
    pub(crate) profile: fn(&mut Session<'_>, &Verdict, u64),
}

inventory::collect!(Recording);

/// Records a run.
pub(crate) trait Recorder {
    /// Whether to record each test, with its values.
    fn wants_tests(&self) -> bool;

    /// Whether to record the values of test `index`, and how many tests it then represents.
    fn wants(&self, index: u64, tested: &Tested) -> Option<u64>;

    /// Whether to record the values of each simpler input.
    fn wants_values(&self) -> bool;

    /// Records the coverage of a test.
    fn count_reached(&mut self);

    fn tested(&mut self, test: &Observed<'_>);

    fn event(&mut self, event: &Event<'_>);

    /// Sends tools a message that is not an event of a run.
    #[cfg(feature = "full")]
    fn record(&mut self, event: protocol::Event);

    /// Records a shrinking candidate: it counts as rejected unless the next call accepts it.
    fn tried(&mut self, tester: &Tester<'_>, case: &Case, tested: &Tested, by: (&'static str, u64));

    /// The last candidate was accepted.
    fn taken(&mut self);

    /// Shrinking ended.
    fn shrunk(&mut self, tester: &Tester<'_>);

    /// Records the values of a case after each step of a shrinker or mutator.
    fn show_steps(&mut self, tester: &Tester<'_>, case: &Case);
}

/// A recorded test.
#[cfg_attr(not(feature = "full"), expect(dead_code, reason = "no test is observed"))]
pub(crate) struct Observed<'a> {
    pub(crate) tested: &'a Tested,
    pub(crate) size: u32,
    /// How its input was generated.
    pub(crate) how: &'static str,
    /// The number of tests that it represents: itself, and later ones that are not recorded.
    pub(crate) stands_for: u64,
    /// Its duration, and how much of that was generation.
    pub(crate) time: Duration,
    pub(crate) generating: Duration,
    /// The duration of drawing each variable, by index.
    pub(crate) draws: &'a [Duration],
    pub(crate) values: &'a [Binding],
    pub(crate) said: &'a [Record],
    pub(crate) score: Option<f64>,
}

/// The recorder of a run, if there is one.
#[derive(Default)]
pub(crate) struct Recorders(Option<Box<dyn Recorder>>);

impl Recorders {
    /// The recorders that the environment requests. There are none inside another test, which has its own.
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
    pub(crate) fn record(&mut self, event: impl Into<protocol::Event>) {
        if let Some(recorder) = &mut self.0 {
            recorder.record(event.into());
        }
    }

    /// The recorder itself.
    pub(super) fn get(&mut self) -> Option<&mut dyn Recorder> {
        Some(&mut **self.0.as_mut()?)
    }
}

/// Records the inputs of a run that ended.
pub(super) fn profile(session: &mut Session<'_>, verdict: &Verdict, tests: u64) {
    if session.recorders().wants_values() {
        for guest in inventory::iter::<Recording> {
            (guest.profile)(session, verdict, tests);
        }
    }
}
