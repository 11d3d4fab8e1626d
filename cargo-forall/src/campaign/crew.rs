//! The search of one property on several cores: a process on each.
//!
//! The processes share inputs through the folder of the property's corpus, which each of them reads once a second. The first
//! one is watched as if it were alone; the others are watched by threads, and their output is shown only if they find
//! something.

use super::Running;
use super::watch::{Ended, Watch};
use crate::Error;
use forall::protocol::{Status, Verdict};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The processes beside the first one.
#[derive(Debug, Default)]
pub(super) struct Crew {
    /// The last status of each.
    statuses: Mutex<Vec<Status>>,
    /// Whether all processes are to stop: one of them found something, or the first one ended.
    stop: AtomicBool,
}

/// What a process found.
pub(super) struct Finding {
    /// The file with the input that it ran last.
    pub(super) running: Running,
    pub(super) ended: Ended,
    /// Its output.
    pub(super) text: Vec<u8>,
}

impl Crew {
    /// Runs `first`, and beside it these processes. Returns its result, and what one of the others found, if `first` found
    /// nothing.
    pub(super) fn search(
        &self,
        others: Vec<(Command, Running)>,
        timeout: Duration,
        first: impl FnOnce() -> Result<Ended, Error>,
    ) -> Result<(Ended, Option<Finding>), Error> {
        *self.statuses() = vec![Status::default(); others.len()];
        std::thread::scope(|scope| {
            let others: Vec<_> = (others.into_iter().enumerate())
                .map(|(at, (command, running))| scope.spawn(move || self.watch(at, command, running, timeout)))
                .collect();
            let ended = first();
            let has_found = ended.as_ref().is_ok_and(|ended| self.is_found(ended));
            self.stop.store(true, Ordering::Relaxed);
            let findings = others.into_iter().filter_map(|other| other.join().ok().flatten());
            let finding = findings.reduce(|first, _| first).filter(|_| !has_found);
            Ok((ended?, finding))
        })
    }

    /// Watches one of the others. A process that cannot run finds nothing: the first one cannot run either, and reports it.
    fn watch(&self, at: usize, command: Command, running: Running, timeout: Duration) -> Option<Finding> {
        let text = Mutex::default();
        let watch = Watch::new(&running, timeout).beside(self, Some(&text));
        let ended = watch.watch(command, &mut |status, _| self.statuses()[at] = status.clone()).ok()?;
        if !self.is_found(&ended) {
            return None;
        }
        self.stop.store(true, Ordering::Relaxed);
        Some(Finding { running, ended, text: text.into_inner().unwrap_or_else(PoisonError::into_inner) })
    }

    /// Whether the process that ended found something. One that was stopped may end in any way.
    fn is_found(&self, ended: &Ended) -> bool {
        match ended.verdict() {
            Some(verdict) => matches!(verdict, Verdict::Failed | Verdict::Flaky),
            None => !self.is_stopped(),
        }
    }

    /// Whether all processes are to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the status of all processes; `first` is that of the first one.
    pub(super) fn status(&self, first: Status) -> Status {
        self.statuses().iter().fold(first, |all, one| Status {
            executions: all.executions + one.executions,
            edges: all.edges.max(one.edges),
            corpus: all.corpus.max(one.corpus),
            last_new: all.last_new.max(one.last_new),
            ..all
        })
    }

    fn statuses(&self) -> std::sync::MutexGuard<'_, Vec<Status>> {
        self.statuses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::time::Instant;

    /// Runs two processes, and returns the result of the first, what the other found, and the executions that were counted.
    fn searched(test: &str, first: &str, other: &str) -> (Ended, Option<Finding>, u64) {
        let root = std::env::temp_dir().join(format!("forall-crew-{test}-{}", std::process::id()));
        let running = |core| Running::on_core(&root.join("program"), core).unwrap();
        let process = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        };
        let (crew, own) = (Crew::default(), running(0));
        let watch = || Watch::new(&own, Duration::MAX).beside(&crew, None).watch(process(first), &mut |_, _| {});
        let (ended, finding) = crew.search(vec![(process(other), running(1))], Duration::MAX, watch).unwrap();
        let all = crew.status(ended.last().clone()).executions;
        let _ = fs::remove_dir_all(root);
        (ended, finding, all)
    }

    const FAILED: &str =
        "echo report >&2; echo 'forall-status {\"executions\":7}'; echo 'forall-result {\"verdict\":\"failed\"}'";
    const PASSED: &str = "echo 'forall-result {\"verdict\":\"passed\"}'";

    #[test]
    fn a_counterexample_of_another_process_stops_the_first() {
        let began = Instant::now();
        let (_, finding, executions) = searched("other", "exec sleep 600", FAILED);
        let finding = finding.unwrap();
        assert_eq!((finding.ended.verdict(), &*finding.text, executions), (Some(Verdict::Failed), &b"report\n"[..], 7));
        assert!(began.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn the_other_processes_stop_with_the_first_and_have_then_found_nothing() {
        let began = Instant::now();
        let (ended, finding, _) = searched("first", PASSED, "exec sleep 600");
        assert!(ended.verdict() == Some(Verdict::Passed) && finding.is_none());
        let (ended, finding, _) = searched("both", FAILED, FAILED);
        assert!(ended.verdict() == Some(Verdict::Failed) && finding.is_none(), "the report of the first is shown");
        assert!(began.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn a_crash_of_another_process_is_a_finding() {
        let (_, finding, _) = searched("crash", "exec sleep 600", "kill -9 $$");
        assert_eq!(finding.unwrap().ended.verdict(), None);
    }
}
