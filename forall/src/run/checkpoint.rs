//! `FORALL_CHECKPOINT`: a file with the index of the first test to run, in which the run records its progress. A tool
//! that restarts a worker can thus continue an interrupted run without repeating its tests.

use super::generational::run_tests_of_range;
use super::session::{Ending, Session};
use super::{Budget, environment};
use crate::fact::Fact;
use crate::whole::whole;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

/// The number of tests before the progress is first recorded.
const FIRST: u64 = 64;

/// How often the progress is recorded: if the process is killed, the tests of at most this much time are repeated.
const PERIOD: Duration = Duration::from_millis(500);

pub(super) struct Checkpoint {
    file: File,
    /// The first index to run.
    start: u64,
    /// The number of tests until the progress is recorded next.
    length: u64,
}

impl Checkpoint {
    /// The checkpoint of a run that is limited only by time; `None` if there is none. A run of a fixed number of tests
    /// starts at the beginning.
    pub(super) fn of(session: &mut Session<'_>) -> Option<Self> {
        let path = environment::variable("FORALL_CHECKPOINT").filter(|_| session.settings.tests == u64::MAX)?;
        match Self::open(Path::new(&path)) {
            Ok(checkpoint) => Some(checkpoint),
            Err(error) => {
                session.warn(Fact::CheckpointUnusable { path, error: error.to_string() });
                None
            }
        }
    }

    fn open(path: &Path) -> io::Result<Self> {
        let (mut file, mut text) = (OpenOptions::new().read(true).write(true).open(path)?, String::new());
        file.read_to_string(&mut text)?;
        // A new file is empty.
        let digits = text.trim().trim_start_matches('0');
        let start = if digits.is_empty() { Some(0) } else { whole(digits) };
        let start = start.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it is not the index of a test"))?;
        Ok(Self { file, start, length: FIRST })
    }

    /// Records that all tests before `next` ran. Always writes the same number of bytes, so that no reader sees a
    /// partial number.
    fn note(&mut self, next: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(format!("{next:020}\n").as_bytes())
    }

    /// Runs the tests from the checkpoint on, within the budget. Returns the ending, if a test did not pass.
    pub(super) fn run_tests(mut self, session: &mut Session<'_>, budget: &mut Budget) -> Option<Ending> {
        let blocks: Box<dyn Iterator<Item = Range<u64>>> = match session.settings.shard {
            Some(shard) => Box::new(shard.blocks(session.settings.tests)),
            None => Box::new(std::iter::once(0..u64::MAX)),
        };
        for block in blocks {
            let mut next = block.start.max(self.start);
            while next < block.end && !budget.is_spent(session) {
                let (end, began) = (block.end.min(next.saturating_add(self.length)), Instant::now());
                let mut part = budget.rest();
                let ending = run_tests_of_range(session, &mut part, next..end);
                budget.add(&part);
                // All of them, or those before the one at which the run ended.
                next = end.min(next + part.valid + part.discarded);
                // The disk may be full: then the next worker repeats these tests.
                let _ = self.note(next);
                if ending.is_some() {
                    return ending;
                }
                match began.elapsed() {
                    took if took < PERIOD / 2 => self.length *= 2,
                    took if took > PERIOD => self.length = (self.length / 2).max(1),
                    _ => {}
                }
            }
            if budget.is_spent(session) {
                break;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use crate::run::{Run, Settings, Shard};
    use std::cell::RefCell;
    use std::path::PathBuf;

    /// Runs this many tests, starting at the checkpoint. Returns their indices.
    fn run(path: &Path, shard: Option<Shard>, tests: u64) -> Vec<u64> {
        let ran = RefCell::new(Vec::new());
        let property = property! { forall n: u64; check ran.borrow_mut().push(crate::context().index()) };
        let mut settings = Settings::new().seed(7).tests(u64::MAX);
        settings.shard = shard;
        let mut session = Run::new("indices", &property).settings(settings).session().unwrap();
        let mut budget = Budget::new(&session).wanting(tests);
        let ending = Checkpoint::open(path).unwrap().run_tests(&mut session, &mut budget);
        assert!(ending.is_none() && budget.valid == tests);
        drop(session);
        ran.into_inner()
    }

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("forall-checkpoint-{name}-{}", std::process::id()));
        std::fs::write(&path, "").unwrap();
        path
    }

    #[test]
    fn a_run_that_was_cut_off_continues_where_it_ended() {
        for shard in [None, Shard::new(2, 3)] {
            let (path, whole) = (file("continues"), file("whole"));
            let mut ran = Vec::new();
            for tests in [10, 100, 1, 1000] {
                ran.extend(run(&path, shard, tests));
            }
            assert_eq!(ran, run(&whole, shard, 1111), "each test once, in the same order");
            for path in [path, whole] {
                std::fs::remove_file(path).unwrap();
            }
        }
    }

    #[test]
    fn a_file_that_is_not_a_checkpoint_is_refused() {
        let path = file("refused");
        for text in ["many", "-1", "99999999999999999999999"] {
            std::fs::write(&path, text).unwrap();
            assert!(Checkpoint::open(&path).is_err(), "{text}");
        }
        std::fs::write(&path, format!("{:020}\n", 0)).unwrap();
        assert_eq!(Checkpoint::open(&path).map(|checkpoint| checkpoint.start).ok(), Some(0));
        std::fs::remove_file(path).unwrap();
    }
}
