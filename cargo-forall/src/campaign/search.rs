//! The search for a counterexample of one property, which can be resumed and exchanges entries with the corpus.

use super::crew::Crew;
use super::watch::{Ended, Moment, Watch};
use super::{Running, run};
use crate::arguments::Fuzz;
use crate::corpus::exchange::{Also, Exchange};
use crate::corpus::link::Link;
use crate::corpus::progress::Budget;
use crate::corpus::told;
use crate::live::Note;
use crate::metrics::{Figures, Metrics};
use crate::properties::Property;
use crate::screen::aside;
use crate::shard::{Part, hash};
use crate::status;
use crate::words::{grouped, time};
use crate::{Error, ended, interrupt, results, share};
use forall::protocol::{Death, Phase, Request, Status, Verdict};
use serde_json::json;
use std::hash::{BuildHasher, RandomState};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// The search of one property.
pub(super) struct Search<'a> {
    property: &'a Property,
    /// The largest numbers of edges and inputs so far.
    most: (u64, u64),
    /// Executions of the property in all slices.
    executions: u64,
    /// Seconds of searching since the last new edge.
    since: f64,
    /// Executions per second of the last slice.
    speed: f64,
    /// Seconds of searching.
    seconds: f64,
    /// Whether a counterexample was found.
    fails: bool,
}

impl<'a> Search<'a> {
    /// Creates a search that has not started.
    pub(super) fn new(property: &'a Property) -> Self {
        Self { property, most: (0, 0), executions: 0, since: 0.0, speed: 0.0, seconds: 0.0, fails: false }
    }

    /// The expected number of new behaviours per second.
    pub(super) fn rate(&self) -> f64 {
        share::rate_of_search(self.speed, self.since)
    }

    /// Searches for this long. Returns 0 if nothing was found, 1 if a counterexample was, 2 if the search could not run.
    pub(super) fn go_on(
        &mut self,
        arguments: &Fuzz,
        part: Option<&Part>,
        (link, budget): (&mut Option<Link>, &mut Option<Budget>),
        metrics: &mut Option<Metrics>,
        time: Option<Duration>,
        round: usize,
    ) -> Result<ExitCode, Error> {
        let property = self.property;
        aside(&format!("forall: fuzzing {} ({})\n", property.name, property.place));
        let running = Running::new(&property.binary.path)?;
        let mut exchange = link.as_mut().map(|link| Exchange::begin(link, property, Also::Inputs)).transpose()?;
        let (began, mut growth, mut new) = (Instant::now(), told::Growth::new(), Instant::now());
        let command = process(property, arguments, part, &running, time, (round, 0));
        let others = (1..arguments.jobs()).map(|core| {
            let running = Running::on_core(&property.binary.path, core)?;
            Ok((process(property, arguments, part, &running, time, (round, core)), running))
        });
        let (others, crew) = (others.collect::<Result<Vec<_>, Error>>()?, Crew::default());
        let mut share = |moment: Moment| {
            if let (Some(link), Some(exchange)) = (&mut *link, &mut exchange) {
                match moment {
                    Moment::NowAndThen => {
                        exchange.tick(link);
                        if let Some(budget) = budget {
                            budget.tick(link);
                        }
                    }
                    // A failure is in the corpus before it is reported.
                    Moment::BeforeSaying => exchange.send(link),
                }
                aside(&link.take_said());
            }
        };
        let mut note = Note::new("fuzz", &property.binary.package_directory, &property.name);
        let mut tick = |last: &Status, moment| {
            note.write(
                &|| json!({"text": status::text(last), "edges": last.edges, "seconds": last.elapsed as f64 / 1000.0}),
            );
            told::grow(&mut growth, began.elapsed().as_secs_f64(), last);
            if last.edges > self.most.0 || last.corpus > self.most.1 {
                self.most = (self.most.0.max(last.edges), self.most.1.max(last.corpus));
                (self.since, new) = (0.0, Instant::now());
            }
            share(moment);
            if let Some(metrics) = &mut *metrics {
                metrics.set(
                    &property.name,
                    Figures {
                        tests: self.executions + last.executions,
                        seconds: self.seconds + began.elapsed().as_secs_f64(),
                        fails: self.fails,
                        rate: share::rate_of_search(self.speed, self.since),
                        edges: Some(self.most.0),
                    },
                );
                metrics.tick(None);
            }
        };
        let first = || Watch::new(&running, arguments.timeout).beside(&crew, None).watch(command, &mut tick);
        let (ended, running) = match crew.search(others, arguments.timeout, first)? {
            (ended, None) => (ended, running),
            (first, Some(finding)) => {
                status::Screen::new().print(&finding.text);
                let last = Status { phase: finding.ended.last().phase, ..first.last().clone() };
                (finding.ended.with(last), finding.running)
            }
        };
        self.seconds += began.elapsed().as_secs_f64();
        self.since += new.elapsed().as_secs_f64();
        let mut kept = true;
        let code = match &ended {
            Ended::Verdict { verdict, last } => {
                kept = verdict.kept;
                conclude(verdict.verdict, last)
            }
            Ended::Died { last, .. } if interrupt::came() => {
                aside(&format!("forall: stopped. {}\n", status::text(last)));
                ExitCode::SUCCESS
            }
            Ended::Died { how, last } if last.phase == Phase::Replaying => {
                aside(&format!("forall: a saved counterexample still fails: {}. Fix it first\n", ended::text(*how)));
                ExitCode::from(1)
            }
            Ended::Died { how, .. } => {
                aside(&format!("forall: the campaign ended: {}\n", ended::text(*how)));
                kept = recover(property, &running, *how, &mut share)?;
                ExitCode::from(1)
            }
        };
        let (verdict, last) = match &ended {
            Ended::Verdict { verdict, last } => (Some(verdict.verdict), last),
            Ended::Died { last, .. } => (None, last),
        };
        self.speed = last.executions as f64 / (last.elapsed as f64 / 1000.0).max(1e-3);
        self.executions += last.executions;
        self.fails |= code == ExitCode::from(1);
        if let Some(metrics) = metrics {
            metrics.set(
                &property.name,
                Figures {
                    tests: self.executions,
                    seconds: self.seconds,
                    fails: self.fails,
                    rate: self.rate(),
                    edges: Some(self.most.0),
                },
            );
        }
        self.remember(verdict, code, last);
        if let (Some(link), Some(exchange)) = (link, exchange) {
            let told =
                told::of_search(property, part, verdict.map_or("died", Verdict::word), last, &growth, began.elapsed());
            let told = told.seeing(&exchange.sightings(arguments.continues_past_failures(), None));
            let stale = if code == ExitCode::SUCCESS { exchange.forgotten() } else { Vec::new() };
            exchange.end(link, &told, stale, &mut |entry| {
                super::replayed(property, entry, &running, arguments.timeout).ok().flatten()
            });
            aside(&link.take_said());
        }
        if code == ExitCode::from(1) {
            let (package, test) = (&property.binary.package, property.test_name());
            aside(&match kept {
                true => format!("forall: `cargo test -p {package} {test}` replays it, without instrumentation\n"),
                false => {
                    "forall: not saved (the store is off or read-only); rerun it with the `replay:` command above\n"
                        .to_owned()
                }
            });
        }
        Ok(code)
    }

    /// The result of all slices, for `list`.
    fn remember(&self, verdict: Option<Verdict>, code: ExitCode, last: &Status) {
        // A crash is caused by an input, which is saved now, or by a signal from outside.
        let died = if code == ExitCode::SUCCESS { Verdict::Passed } else { Verdict::Failed };
        let verdict = verdict.unwrap_or(died);
        let reached = Status { executions: self.executions, edges: self.most.0.max(last.edges), ..last.clone() };
        if let Err(why) = results::remember_fuzz(self.property, verdict, &reached) {
            aside(&format!("forall: warning: {why}\n"));
        }
    }
}

fn conclude(verdict: Verdict, last: &Status) -> ExitCode {
    let executions = grouped(last.executions);
    match verdict {
        Verdict::Passed => {
            aside(&format!("forall: nothing found. {}\n", status::text(last)));
            ExitCode::SUCCESS
        }
        // The report was printed.
        Verdict::Failed | Verdict::Flaky => {
            aside(&format!(
                "forall: found after {executions} executions, {}\n",
                time(Duration::from_millis(last.elapsed))
            ));
            ExitCode::from(1)
        }
        _ => ExitCode::from(2),
    }
}

/// The searching process.
fn process(
    property: &Property,
    arguments: &Fuzz,
    part: Option<&Part>,
    running: &Running,
    time: Option<Duration>,
    (round, core): (usize, usize),
) -> Command {
    let mut command = run(property, &Request::Fuzz { property: property.name.clone() }, running);
    // Budgets come from the command line only: the settings are meant for `cargo test`.
    let tests = arguments.execs.map_or(u64::MAX, |execs| execs.div_ceil(arguments.jobs() as u64));
    command.env_remove("FORALL_MAX_TIME").env("FORALL_TESTS", tests.to_string());
    if let Some(time) = time {
        command.env("FORALL_MAX_TIME", format!("{}ms", time.as_millis().max(1)));
    }
    if arguments.continues_past_failures() {
        command.env("FORALL_PAST_FAILURES", "1");
    }
    // Workers with the same seed would run the same inputs.
    let seed = part.map(|part| part.shard.seed(part.seed)).or(arguments.worker.seed);
    let seed = seed.map(|seed| if round == 0 { seed } else { hash(&format!("{seed} {round}")) });
    let seed = match (core, seed) {
        (0, seed) => seed,
        (_, Some(seed)) => Some(hash(&format!("{seed} core {core}"))),
        // Without one, the seed may be that of the environment, or derived from the property's name.
        (_, None) => Some(RandomState::new().hash_one(core)),
    };
    if let Some(seed) = seed {
        command.env("FORALL_SEED", seed.to_string());
    }
    command
}

/// Turns the input that crashed the process into a counterexample: another process saves it, then shrinks it in isolated
/// processes, which may take long, so `share` is called meanwhile. Returns whether it is saved for `cargo test`.
fn recover(property: &Property, running: &Running, how: Death, share: &mut dyn FnMut(Moment)) -> Result<bool, Error> {
    let command = run(property, &Request::Crashed { property: property.name.clone(), how }, running);
    // The input in `running` has used up its time limit.
    let ended = Watch::new(running, Duration::MAX).watch(command, &mut |_, moment| share(moment))?;
    if let Ended::Verdict { verdict, .. } = ended
        && verdict.verdict == Verdict::Failed
    {
        return Ok(verdict.kept);
    }
    let kept = running.keep(&property.binary.package_directory)?;
    Err(crate::trouble::not_again(&kept))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::build::Binary;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// The time limit for shrinking it.
    #[test]
    fn a_crashing_input_is_shared_before_it_is_shrunk() {
        let root = std::env::temp_dir().join(format!("forall-recover-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let (program, shared) = (root.join("program"), root.join("shared"));
        // The process exits once its finding was shared.
        let script = "#!/bin/sh\nfor i in $(seq 600); do [ -e shared ] && echo 'forall-result {\"verdict\":\"failed\",\"kept\":true}' && exit; sleep 0.1; done";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        let property = Property {
            binary: Binary { path: program.clone(), package: "shop".to_owned(), package_directory: root.clone() },
            ..Property::example("shop::sums")
        };
        let running = Running::new(&program).unwrap();
        let kept = recover(&property, &running, Death::Hung(0), &mut |moment| {
            assert_eq!(moment, Moment::NowAndThen);
            fs::write(&shared, []).unwrap();
        });
        assert!(kept.unwrap());
        fs::remove_dir_all(root).unwrap();
    }
}
