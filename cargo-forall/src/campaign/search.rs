//! The search for a counterexample of one property, and what it tells the corpus. It may go on later, with what it has learnt.

use super::watch::{Ended, Moment, Watch};
use super::{Running, run};
use crate::arguments::Fuzz;
use crate::corpus::exchange::{self, Also, Exchange};
use crate::corpus::link::Link;
use crate::corpus::told;
use crate::properties::Property;
use crate::screen::aside;
use crate::shard::{Part, hash};
use crate::status;
use crate::words::{grouped, time};
use crate::{Error, ended, interrupt, results, share};
use forall::protocol::{Death, Phase, Request, Status, Verdict};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// One property.
pub(super) struct Search<'a> {
    property: &'a Property,
    /// The most edges and inputs that it has had.
    most: (u64, u64),
    /// How often the property was executed, in all.
    executions: u64,
    /// How long it has searched since something new came, in seconds.
    since: f64,
    /// How many executions a second, the last time.
    speed: f64,
}

impl<'a> Search<'a> {
    /// One that has not begun.
    pub(super) fn new(property: &'a Property) -> Self {
        Self { property, most: (0, 0), executions: 0, since: 0.0, speed: 0.0 }
    }

    /// New behaviours to be expected in a second of it.
    pub(super) fn rate(&self) -> f64 {
        share::rate_of_search(self.speed, self.since)
    }

    /// Goes on for this long. 0 if nothing was found, 1 if something was, 2 if it could not be run.
    pub(super) fn go_on(
        &mut self,
        arguments: &Fuzz,
        part: Option<&Part>,
        link: &mut Option<Link>,
        time: Option<Duration>,
        round: usize,
    ) -> Result<ExitCode, Error> {
        let property = self.property;
        aside(&format!("forall: fuzzing {} ({})\n", property.name, property.place));
        let running = Running::new(&property.binary.path)?;
        let mut exchange = link.as_mut().map(|link| Exchange::begin(link, property, Also::Inputs)).transpose()?;
        let (began, mut growth, mut new) = (Instant::now(), told::Growth::new(), Instant::now());
        let command = process(property, arguments, part, &running, time, round);
        let mut share = |moment: Moment| {
            if let (Some(link), Some(exchange)) = (&mut *link, &mut exchange) {
                match moment {
                    Moment::NowAndThen => exchange.tick(link),
                    // Who is told of a failure finds it in the corpus.
                    Moment::BeforeSaying => exchange.send(link),
                }
                aside(&link.take_said());
            }
        };
        let ended = Watch::new(&running, arguments.timeout).watch(command, &mut |last, moment| {
            told::grow(&mut growth, began.elapsed().as_secs_f64(), last);
            if last.edges > self.most.0 || last.corpus > self.most.1 {
                self.most = (self.most.0.max(last.edges), self.most.1.max(last.corpus));
                (self.since, new) = (0.0, Instant::now());
            }
            share(moment);
        })?;
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
                aside(&format!(
                    "forall: a counterexample that was found before still does it: {}. Repair that first\n",
                    ended::text(*how)
                ));
                ExitCode::from(1)
            }
            Ended::Died { how, .. } => {
                aside(&format!("forall: the campaign has ended: {}\n", ended::text(*how)));
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
        self.remember(verdict, code, last);
        if let (Some(link), Some(exchange)) = (link, exchange) {
            let told =
                told::of_search(property, part, verdict.map_or("died", Verdict::word), last, &growth, began.elapsed());
            let stale = if code == ExitCode::SUCCESS { exchange.forgotten() } else { Vec::new() };
            exchange.end(link, &told, stale, &mut |entry| {
                let mut command = run(property, &exchange::replay(entry), &running);
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                command.status().is_ok_and(|status| !status.success())
            });
            aside(&link.take_said());
        }
        if code == ExitCode::from(1) {
            let (package, test) = (&property.binary.package, property.test_name());
            aside(&match kept {
                true => format!("forall: `cargo test -p {package} {test}` replays it, without instrumentation\n"),
                false => {
                    "forall: it is not kept, since the store is off or only read: the line `replay:` runs it again\n"
                        .to_owned()
                }
            });
        }
        Ok(code)
    }

    /// For `list`: what it came to, in all the times that it went on.
    fn remember(&self, verdict: Option<Verdict>, code: ExitCode, last: &Status) {
        // One that died did so by an input, which is kept now; or somebody stopped it.
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
        // The report is on the screen.
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

/// The process that searches.
fn process(
    property: &Property,
    arguments: &Fuzz,
    part: Option<&Part>,
    running: &Running,
    time: Option<Duration>,
    round: usize,
) -> Command {
    let mut command = run(property, &Request::Fuzz { property: property.name.clone() }, running);
    // Budgets come from the command line alone: settings for `cargo test` mean something else.
    command.env_remove("FORALL_TIME").env("FORALL_TESTS", arguments.execs.unwrap_or(u64::MAX).to_string());
    if let Some(time) = time {
        command.env("FORALL_TIME", format!("{}ms", time.as_millis().max(1)));
    }
    // Workers that begin alike would stay alike.
    if let Some(seed) = part.map(|part| part.shard.seed(part.seed)).or(arguments.worker.seed) {
        let seed = if round == 0 { seed } else { hash(&format!("{seed} {round}")) };
        command.env("FORALL_SEED", seed.to_string());
    }
    command
}

/// Has the input that ended the process turned into a counterexample, by a process that keeps it, and then runs it in processes of
/// its own to make it smaller. That may take long: `share` is called meanwhile. Whether it is kept for `cargo test`.
fn recover(property: &Property, running: &Running, how: Death, share: &mut dyn FnMut(Moment)) -> Result<bool, Error> {
    let command = run(property, &Request::Crashed { property: property.name.clone(), how }, running);
    // The input that it finds in `running` was running for long enough.
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

    /// Making it smaller may take hours.
    #[test]
    fn what_ended_the_process_is_shared_before_it_is_made_smaller() {
        let root = std::env::temp_dir().join(format!("forall-recover-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let (program, shared) = (root.join("program"), root.join("shared"));
        // It ends when what it found is elsewhere.
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
