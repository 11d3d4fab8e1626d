//! One property, run with its tests recorded, for the page.

use super::data::{self, Ran};
use super::sources;
use crate::process::{Ended, Process};
use crate::properties::Property;
use crate::results::{self, Remembered};
use crate::screen::{Screen, is_new};
use crate::workspace::Workspace;
use crate::{Error, interrupt, scratch};
use forall::protocol::{Decode, TestCase};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Runs properties for the page.
pub(crate) struct Observer<'a> {
    pub(crate) workspace: &'a Workspace,
    /// The number of tests of each property, overriding its attribute.
    pub(crate) tests: Option<u64>,
    /// The time of each property.
    pub(crate) time: Option<Duration>,
    pub(crate) seed: Option<u64>,
    /// Runs an `#[ignore]`d property that has this name.
    pub(crate) filter: Option<&'a str>,
    /// The size limit of the examples of a property, in bytes.
    pub(crate) budget: usize,
    /// Whether the build is instrumented, so that the page shows the source lines that the tests reached.
    pub(crate) coverage: bool,
    /// Stops the run when it is set.
    pub(crate) stop: Option<&'a AtomicBool>,
}

/// The result of one property.
#[derive(Debug)]
pub(crate) struct Observed {
    /// Its part of the page.
    pub(crate) data: Value,
    /// Whether it passed.
    pub(crate) good: bool,
    /// Why its result could not be recorded, the first time.
    pub(crate) warning: Option<String>,
}

impl Observer<'_> {
    /// Runs a property; `None` if the test harness skipped it, or it was stopped.
    pub(crate) fn observe(&self, property: &Property, still: &mut dyn FnMut(&str)) -> Result<Option<Observed>, Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let ending = format!("-{}.observed", NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = scratch::folder(&self.workspace.target_directory.join("forall-events"), &ending)?;
        let observed = self.observe_in(&folder, property, still);
        let _ = fs::remove_dir_all(&folder);
        observed
    }

    fn observe_in(
        &self,
        folder: &Path,
        property: &Property,
        still: &mut dyn FnMut(&str),
    ) -> Result<Option<Observed>, Error> {
        let ended = self.process(folder, property)?.run(still)?;
        if self.is_stopped() || ended.is_left_out() {
            return Ok(None);
        }
        let before = results::Results::of(&property.binary.package_directory).of_run(&property.name).cloned();
        let mut recorded = tests(folder, &property.name);
        // A saved failure or an example ends the run before anything is generated: the charts are those of a run without it.
        let mut fresh = None;
        if data::is_replayed(&ended) {
            let _ = fs::remove_dir_all(folder);
            let process = self.process(folder, property)?.with("FORALL_STORE", "off").with("FORALL_FRESH", "1");
            // Older versions of the library replay committed regressions: they have no charts.
            fresh = Some(process.run(still)?).filter(|fresh: &Ended| !data::is_replayed(fresh));
            recorded = if fresh.is_some() { tests(folder, &property.name) } else { Vec::new() };
            if self.is_stopped() {
                return Ok(None);
            }
        }
        let now = match ended.finished() {
            Some(finished) => Remembered {
                examined: data::examined(&recorded),
                shrunk: results::how_shrunk(&ended),
                ..results::remembered(finished)
            },
            None => results::of_one_that_ended(ended.how),
        };
        let warning = results::remember(property, &now).err().map(|why| why.to_string()).filter(|why| is_new(why));
        let good = ended.finished().is_some_and(|finished| finished.verdict.is_success());
        let ran = Ran { ended: &ended, fresh: fresh.as_ref(), tests: &recorded };
        // Half of the budget is for the sources.
        let budget = if self.coverage { self.budget / 2 } else { self.budget };
        let mut data = data::property(property, &ran, (before.as_ref(), &now), budget);
        if self.coverage {
            let sources = sources::of(property, folder, &self.workspace.root, budget)?;
            data["sources"] = data::shown(sources.unwrap_or_default());
        }
        Ok(Some(Observed { data, good, warning }))
    }

    fn is_stopped(&self) -> bool {
        interrupt::came() || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    fn process<'a>(&'a self, folder: &Path, property: &'a Property) -> Result<Process<'a>, Error> {
        // The page shows plain text.
        let plain = Screen { colour: false, ..Screen::of_this_process() };
        let mut process = Process::new(property, self.workspace, &plain)?;
        process = process.with("FORALL_OBSERVE", folder).with("NO_COLOR", "1");
        // An instrumented program writes a profile when it exits.
        let profile = if self.coverage { sources::pattern(folder) } else { "/dev/null".to_owned() };
        process = process.with("LLVM_PROFILE_FILE", profile);
        if let Some(tests) = self.tests {
            process = process.with("FORALL_TESTS", tests.to_string());
        }
        if let Some(time) = self.time {
            process = process.with("FORALL_MAX_TIME", format!("{}ms", time.as_millis().max(1)));
            process = process.with("FORALL_TESTS", u64::MAX.to_string());
        }
        if let Some(seed) = self.seed {
            process = process.with("FORALL_SEED", seed.to_string());
        }
        if self.filter.is_some_and(|filter| property.is_called(filter)) {
            process = process.even_if_ignored();
        }
        if let Some(stop) = self.stop {
            process = process.until(stop);
        }
        Ok(process)
    }
}

/// The recorded tests of a property.
fn tests(folder: &Path, property: &str) -> Vec<TestCase> {
    let mut tests: Vec<TestCase> = Vec::new();
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        if file.file_name().to_string_lossy().ends_with("_testcases.jsonl") {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            tests.extend(text.lines().filter_map(TestCase::read));
        }
    }
    // A test may run several property values.
    tests.retain(|test| test.property == property);
    tests
}
