//! The campaign itself.

use super::running::Running;
use super::running_file;
use super::status::{Lines, Phase, Status};
use crate::choice::{AtEnd, Sequence, Source};
use crate::coverage::Coverage;
use crate::property::Step;
use crate::run::{Case, Example, Found, Report, Session, Statistics, Tested, Verdict};
use crate::store::Corpus;
use std::time::Duration;

/// Searches for a counterexample until the budget is spent.
pub(crate) fn campaign(mut session: Session<'_>, examples: &[Example]) -> Report {
    let coverage = match Coverage::new() {
        Ok(coverage) => coverage,
        Err(why) => {
            return session.finish((Verdict::Misconfigured(why.to_string()), None), Statistics::default());
        }
    };
    let mut campaign = Campaign::new(&mut session, coverage);
    campaign.say(Phase::Replaying);
    if let Some(ending) = session.run_examples(examples).or_else(|| session.replay_stored()) {
        return session.finish(ending, Statistics::default());
    }
    let mut statistics = Statistics::default();
    let ending = campaign.search(&mut session, &mut statistics);
    session.finish(ending, statistics)
}

struct Campaign {
    coverage: Coverage,
    corpus: Option<Corpus>,
    running: Option<Running>,
    lines: Lines,
    executions: u64,
    kept: usize,
    last_new: Option<Duration>,
}

impl Campaign {
    fn new(session: &mut Session<'_>, coverage: Coverage) -> Self {
        let running = running_file().and_then(|path| match Running::open(&path) {
            Ok(running) => Some(running),
            Err(error) => {
                let path = path.display();
                session.warn(format!("If a test ends the process, its input is lost: cannot write {path}: {error}"));
                None
            }
        });
        let corpus = session.corpus();
        Self { coverage, corpus, running, lines: Lines::new(), executions: 0, kept: 0, last_new: None }
    }

    fn status(&self, phase: Phase) -> Status {
        Status {
            phase,
            executions: self.executions,
            edges: self.coverage.edges(),
            places: self.coverage.places(),
            corpus: self.kept,
            last_new: self.last_new,
        }
    }

    fn say(&mut self, phase: Phase) {
        self.lines.say(&self.status(phase));
    }

    /// Runs one input. What it was, what became of it, and whether it did something new.
    fn execute(
        &mut self,
        session: &Session<'_>,
        sequence: &Sequence,
        at_end: AtEnd,
        steps: &[Step],
    ) -> (Case, Tested, bool) {
        if let Some(running) = &mut self.running {
            running.begin(sequence, at_end, steps);
        }
        self.coverage.start();
        let (case, tested) = session.tester.run_source(Source::tape(sequence, at_end), steps);
        let new = !self.coverage.collect().new.is_empty();
        if let Some(running) = &mut self.running {
            running.end();
        }
        self.executions += 1;
        (case, tested, new)
    }

    fn search(&mut self, session: &mut Session<'_>, statistics: &mut Statistics) -> (Verdict, Option<crate::run::Counterexample>) {
        self.coverage.forget();
        self.say(Phase::Loading);
        if let Some(corpus) = self.corpus.clone() {
            let loaded = corpus.load();
            for line in &loaded.skipped {
                session.warn(line.clone());
            }
            for (path, case) in &loaded.seeds {
                let (drawn, tested, new) = self.execute(session, &case.sequence, AtEnd::Simplest, &case.steps);
                match tested {
                    Tested::Fail(failure) => {
                        self.say(Phase::Shrinking);
                        return session.found(drawn, failure, Found::Given);
                    }
                    Tested::Pass if new => self.kept += 1,
                    _ => corpus.remove(path),
                }
            }
        }
        let _ = statistics;
        self.say(Phase::Searching);
        for index in 0..session.settings.tests {
            let seq = Sequence { size: (index % 100) as u32, ..Sequence::default() };
            let (drawn, tested, new) = self.execute(session, &seq, AtEnd::Random(session.seed.wrapping_add(index)), &[]);
            match tested {
                Tested::Fail(failure) => {
                    self.say(Phase::Shrinking);
                    return session.found(drawn, failure, Found::Given);
                }
                Tested::Pass if new => { self.kept += 1; self.last_new = Some(self.lines.elapsed()); if let Some(c) = &self.corpus { let _ = c.add(&drawn); } }
                _ => {}
            }
            let status = self.status(Phase::Searching);
            self.lines.now_and_then(|| status);
            if self.lines.nobody_listens || session.settings.time.is_some_and(|t| self.lines.elapsed() > t) { break; }
        }
        self.say(Phase::Searching);
        (Verdict::Passed, None)
    }
}
