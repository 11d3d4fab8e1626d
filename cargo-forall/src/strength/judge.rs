//! Runs mutants against the tests that reach them, on all cores.

use super::limits::{End, Limits};
use super::mutant::Mutant;
use super::reach::{Reach, in_parallel};
use super::tests::{Place, Setting, Test};
use crate::progress::Bar;
use crate::{Error, interrupt};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The verdict on a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// These tests fail on the mutant: the first that was found, or all if requested.
    Killed(Vec<usize>),
    /// This test does not terminate on the mutant.
    TimedOut(usize),
    /// All tests that reach the mutant pass.
    Survived,
    /// No test reaches the mutant.
    NotReached,
    /// The time limit was reached before the mutant was judged.
    NotJudged,
}

impl Verdict {
    /// Returns the tests that detect the mutant.
    pub fn detected_by(&self) -> &[usize] {
        match self {
            Self::Killed(by) => by,
            Self::TimedOut(by) => std::slice::from_ref(by),
            Self::Survived | Self::NotReached | Self::NotJudged => &[],
        }
    }
}

/// The mutants to judge, and the settings.
#[derive(Debug)]
pub struct Task<'a> {
    /// The tests.
    pub tests: &'a [Test],
    /// The baseline of each test.
    pub reached: &'a [Reach],
    /// The mutants, in the order in which they are judged.
    pub mutants: &'a [&'a Mutant],
    /// For each mutant, a test that killed it in an earlier run.
    pub known: &'a BTreeMap<u32, usize>,
    /// Whether to run all tests, even after one has killed the mutant.
    pub all_killers: bool,
    /// The settings of test runs.
    pub setting: &'a Setting,
    /// The working directory.
    pub directory: &'a Path,
    /// The number of worker threads.
    pub workers: usize,
    /// The deadline.
    pub until: Option<Instant>,
}

/// The results.
#[derive(Debug, Default)]
pub struct Judged {
    /// The verdict on each mutant.
    pub verdicts: BTreeMap<u32, Verdict>,
    /// Tests that kill none of the mutants that they reach; all of these were tried.
    pub idle: BTreeSet<usize>,
    /// The number of processes that ran.
    pub runs: usize,
}

#[derive(Default)]
struct State {
    next: usize,
    judged: Judged,
    /// The number of mutants that each test killed, in total and by function.
    kills: BTreeMap<usize, usize>,
    kills_in: BTreeMap<(usize, usize), usize>,
}

/// A test with a mutant may take this many times the CPU and waiting time of the test without one, plus a constant.
const TIMES: u32 = 10;
const MORE: Duration = Duration::from_millis(900);
const WAITING: Duration = Duration::from_secs(20);

impl Task<'_> {
    /// Judges all mutants. After an error, the verdicts that are known are returned with it.
    pub fn judge(&self, bar: &Bar) -> (Judged, Result<(), Error>) {
        let state = Mutex::new(State::default());
        let mut result = in_parallel(self.workers, &|worker| {
            let mut place = Place::new(self.directory.join(worker.to_string()))?;
            while let Some((at, mutant, order)) = self.next(&state) {
                bar.begin(at, "mutants");
                let (verdict, runs) = self.verdict(mutant, &order, &mut place)?;
                let mut state = state.lock().expect("no worker panics");
                state.judged.runs += runs;
                if let Verdict::Killed(by) = &verdict {
                    for test in by {
                        *state.kills.entry(*test).or_default() += 1;
                        *state.kills_in.entry((mutant.function, *test)).or_default() += 1;
                    }
                }
                state.judged.verdicts.insert(mutant.id, verdict);
            }
            Ok(())
        });
        let mut judged = state.into_inner().expect("no worker panics").judged;
        for mutant in self.mutants {
            judged.verdicts.entry(mutant.id).or_insert(Verdict::NotJudged);
        }
        // An interrupted run is inconclusive.
        if result.is_ok() && !self.is_over() {
            result = self.find_idle(&mut judged, bar);
        }
        (judged, result)
    }

    /// Returns whether the user stopped the run, or its time is over.
    pub fn is_over(&self) -> bool {
        interrupt::came() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    fn limits(&self, test: usize) -> Limits {
        let reach = &self.reached[test];
        Limits {
            processor: MORE + reach.processor * TIMES,
            waiting: WAITING + reach.clock * TIMES,
            memory: self.setting.memory,
        }
    }

    /// Returns the next mutant, and the tests that reach it, the likeliest killers first.
    fn next(&self, state: &Mutex<State>) -> Option<(usize, &Mutant, Vec<usize>)> {
        let mut state = state.lock().expect("no worker panics");
        let at = state.next;
        let mutant = self.mutants.get(at).filter(|_| !self.is_over())?;
        state.next += 1;
        let reaches = |test: &usize| self.reached[*test].mutants.contains_key(&mutant.id);
        let mut order: Vec<usize> = (0..self.tests.len()).filter(reaches).collect();
        order.sort_by_key(|test| {
            let known = self.known.get(&mutant.id) == Some(test);
            let here = state.kills_in.get(&(mutant.function, *test)).copied().unwrap_or(0);
            let all = state.kills.get(test).copied().unwrap_or(0);
            (!known, std::cmp::Reverse(here), std::cmp::Reverse(all), self.reached[*test].processor)
        });
        Some((at, mutant, order))
    }

    fn verdict(&self, mutant: &Mutant, order: &[usize], place: &mut Place) -> Result<(Verdict, usize), Error> {
        if order.is_empty() {
            return Ok((Verdict::NotReached, 0));
        }
        let (mut killers, mut hangs, mut runs) = (Vec::new(), None, 0);
        for &test in order {
            runs += 1;
            match place.run(&self.tests[test], mutant.id, self.setting, self.limits(test))? {
                End::Interrupted => return Ok((Verdict::NotJudged, runs)),
                End::Passed if interrupt::came() => return Ok((Verdict::NotJudged, runs)),
                End::Passed => continue,
                End::Failed | End::Killed => killers.push(test),
                End::TimedOut => hangs = hangs.or(Some(test)),
            }
            if !self.all_killers {
                break;
            }
        }
        Ok(match (killers.is_empty(), hangs) {
            (false, _) => (Verdict::Killed(killers), runs),
            (true, Some(test)) => (Verdict::TimedOut(test), runs),
            (true, None) => (Verdict::Survived, runs),
        })
    }

    /// Finds the properties that kill none of the mutants that other tests kill.
    fn find_idle(&self, judged: &mut Judged, bar: &Bar) -> Result<(), Error> {
        let killed: BTreeSet<u32> = judged
            .verdicts
            .iter()
            .filter(|(_, verdict)| matches!(verdict, Verdict::Killed(_)))
            .map(|(id, _)| *id)
            .collect();
        let is_killer = |test: &usize| judged.verdicts.values().any(|verdict| verdict.detected_by().contains(test));
        let doubtful: Vec<usize> =
            (0..self.tests.len()).filter(|test| self.tests[*test].is_property && !is_killer(test)).collect();
        let (next, idle, runs) = (Mutex::new(doubtful.into_iter()), Mutex::new(BTreeSet::new()), Mutex::new(0));
        in_parallel(self.workers, &|worker| {
            let mut place = Place::new(self.directory.join(worker.to_string()))?;
            loop {
                let Some(test) = next.lock().expect("no worker panics").next() else { return Ok(()) };
                bar.begin(self.mutants.len(), &self.tests[test].name);
                // If all killers were requested, they are already known.
                let tried = killed.iter().filter(|_| !self.all_killers);
                let mut kills = false;
                for mutant in tried.filter(|mutant| self.reached[test].mutants.contains_key(mutant)) {
                    if self.is_over() {
                        return Ok(());
                    }
                    *runs.lock().expect("no worker panics") += 1;
                    let end = place.run(&self.tests[test], *mutant, self.setting, self.limits(test))?;
                    if end == End::Interrupted {
                        return Ok(());
                    }
                    kills = end != End::Passed;
                    if kills {
                        break;
                    }
                }
                if !kills {
                    idle.lock().expect("no worker panics").insert(test);
                }
            }
        })?;
        judged.idle = idle.into_inner().expect("no worker panics");
        judged.runs += runs.into_inner().expect("no worker panics");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::mutant::Edit;
    use super::*;
    use crate::build::Binary;
    use std::path::PathBuf;

    fn mutant(id: u32, function: usize) -> Mutant {
        let (replacement, what, edit) = (String::new(), String::new(), Edit::Without(0..0));
        Mutant { id, function, range: 0..0, replacement, what, edit }
    }

    #[test]
    fn the_likeliest_killers_run_first() {
        let binary = Binary { path: PathBuf::new(), package: String::new(), package_directory: PathBuf::new() };
        let test = |name: &str| {
            let (name, harness_name, place) = (name.to_owned(), name.to_owned(), String::new());
            Test { name, harness_name, place, is_property: true, binary: binary.clone() }
        };
        let reach = |milliseconds: u64, mutants: &[u32]| Reach {
            mutants: mutants.iter().map(|mutant| (*mutant, 1)).collect(),
            processor: Duration::from_millis(milliseconds),
            clock: Duration::ZERO,
        };
        // The last test does not reach the first mutant.
        let tests = ["slow", "quick", "killer", "killer here", "known", "elsewhere"].map(test);
        let times = [90, 1, 50, 60, 70, 0];
        let reached: Vec<Reach> =
            times.iter().enumerate().map(|(at, time)| reach(*time, if at < 5 { &[1, 2] } else { &[2] })).collect();
        let mutants = [mutant(1, 7), mutant(2, 8)];
        let mutants: Vec<&Mutant> = mutants.iter().collect();
        let task = |until| {
            Task {
                tests: &tests,
                reached: &reached,
                mutants: &mutants,
                known: &BTreeMap::from([(1, 4)]),
                all_killers: false,
                setting: &Setting { seed: 1, memory: 1 << 30 },
                directory: Path::new(""),
                workers: 1,
                until,
            }
            .next(&Mutex::new(State {
                kills: BTreeMap::from([(2, 9), (3, 1)]),
                kills_in: BTreeMap::from([((7, 3), 1), ((8, 2), 9)]),
                ..State::default()
            }))
            .map(|(at, mutant, order)| (at, mutant.id, order))
        };
        assert_eq!(task(None), Some((0, 1, vec![4, 3, 2, 1, 0])), "known, here, anywhere, quick");
        assert_eq!(task(Some(Instant::now())), None, "the time is over");
    }

    #[test]
    fn an_error_keeps_the_verdicts_that_are_known() {
        let directory = std::env::temp_dir().join(format!("forall-judge-{}", std::process::id()));
        let package_directory = directory.join("package");
        std::fs::create_dir_all(&package_directory).unwrap();
        let test = |name: &str, program: &str| {
            let (name, harness_name, place) = (name.to_owned(), name.to_owned(), String::new());
            let binary = Binary {
                path: program.into(),
                package: "shop".to_owned(),
                package_directory: package_directory.clone(),
            };
            Test { name, harness_name, place, is_property: true, binary }
        };
        let tests = [test("fails", "false"), test("is missing", "/nowhere/program")];
        let reach = |mutant: u32| Reach { mutants: BTreeMap::from([(mutant, 1)]), ..Reach::default() };
        let mutants = [mutant(1, 0), mutant(2, 0), mutant(3, 0)];
        let (judged, result) = Task {
            tests: &tests,
            reached: &[reach(1), reach(2)],
            mutants: &mutants.iter().collect::<Vec<_>>(),
            known: &BTreeMap::new(),
            all_killers: false,
            setting: &Setting { seed: 1, memory: 1 << 30 },
            directory: &directory.join("run"),
            workers: 1,
            until: None,
        }
        .judge(&Bar::hidden());
        let verdicts: Vec<Verdict> = judged.verdicts.into_values().collect();
        assert_eq!(verdicts, [Verdict::Killed(vec![0]), Verdict::NotJudged, Verdict::NotJudged]);
        let error = result.unwrap_err().to_string();
        assert!(error.contains("/nowhere/program"), "{error}");
        std::fs::remove_dir_all(directory).unwrap();
    }
}
