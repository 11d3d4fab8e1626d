//! One slice of a property's time: a process and its exchange with the corpus.

use super::new::NewFailure;
use super::{Run, seed_of_round, settings};
use crate::corpus::exchange::{self, Also, Exchange};
use crate::corpus::link::Link;
use crate::corpus::progress::{Budget, Progress};
use crate::corpus::told;
use crate::live::Note;
use crate::metrics::{Figures, Metrics};
use crate::process::{Ended, Process, aloud};
use crate::progress::Bar;
use crate::properties::Property;
use crate::screen::Screen;
use crate::shard::Part;
use crate::workspace::Workspace;
use crate::{Error, lines, words};
use serde_json::json;
use std::time::{Duration, Instant};

/// The common parts of all slices.
pub(super) struct Runner<'a> {
    pub(super) arguments: &'a Run,
    pub(super) part: Option<&'a Part>,
    pub(super) workspace: &'a Workspace,
    pub(super) screen: &'a Screen,
    pub(super) bar: &'a Bar,
    pub(super) link: &'a mut Option<Link>,
    pub(super) budget: &'a mut Option<Budget>,
    /// The new failures of all slices.
    pub(super) new: Vec<NewFailure>,
    pub(super) metrics: &'a mut Option<Metrics>,
}

/// One slice.
#[derive(Clone, Copy)]
pub(super) struct Slice {
    /// Its time limit.
    pub(super) time: Option<Duration>,
    /// The round of the campaign.
    pub(super) round: usize,
    /// Whether the tests with literals ran in an earlier slice.
    pub(super) literals_done: bool,
    /// The number of its threads; `None` stands for all cores.
    pub(super) cores: Option<usize>,
}

impl Runner<'_> {
    /// Publishes the figures of a property after a slice.
    pub(super) fn publish(&mut self, property: &str, figures: Figures) {
        let Some(metrics) = &mut *self.metrics else { return };
        metrics.set(property, figures);
        metrics.new_failures(self.new.len());
        metrics.update(self.link.as_ref());
    }

    /// Runs a slice. When this returns, its failures are in the corpus.
    pub(super) fn run(&mut self, property: &Property, slice: Slice) -> Result<Ended, Error> {
        let Self { arguments, part, workspace, screen, bar, .. } = *self;
        let (link, budget, metrics) = (&mut *self.link, &mut *self.budget, &mut *self.metrics);
        let mut process = prepared(arguments, part, (workspace, screen), property, slice)?;
        let is_targeted = arguments.runner.as_deref().unwrap_or(&property.runner) == "targeted";
        let also = if is_targeted { Also::Best } else { Also::Nothing };
        let mut exchange = link.as_mut().map(|link| Exchange::begin(link, property, also)).transpose()?;
        let mut progress = match (link.as_mut(), part) {
            (Some(link), Some(part)) if slice.time.is_some() => {
                Some(Progress::begin(link, property, part, seed_of_round(part.seed, slice.round))?)
            }
            _ => None,
        };
        if let Some(progress) = &progress {
            process = process.with("FORALL_CHECKPOINT", progress.file());
            if progress.has_begun() {
                process = process.with(crate::literals::VARIABLE, "off");
            }
        }
        if let Some(exchange) = &exchange {
            // Failures of the corpus are stored locally as well.
            process = process.with("FORALL_CORPUS", "");
            if let Some(folder) = exchange.best_folder() {
                process = process.with("FORALL_BEST", folder);
            }
        }
        let mut watchdog = Watchdog::new(property, bar, slice.time);
        let ran = watchdog.began;
        let ended = process.run(&mut |urgent| {
            if let (Some(link), Some(exchange)) = (&mut *link, &mut exchange) {
                match urgent {
                    "" => exchange.tick(link),
                    // A failure is in the corpus, or waits in the local store, before it is reported: the worker may be
                    // killed right after.
                    _ => exchange.send(link),
                }
                if let Some(progress) = &mut progress {
                    progress.tick(link);
                }
                if let Some(budget) = &mut *budget {
                    budget.tick(link);
                }
                print_above(bar, &link.take_said());
            }
            if let Some(metrics) = &mut *metrics {
                metrics.tick(link.as_ref());
            }
            watchdog.tick(urgent);
        })?;
        // A failure is in the corpus before it is reported.
        if let (Some(link), Some(exchange)) = (link, exchange) {
            let mut indices = None;
            if let Some(progress) = &mut progress {
                progress.save(link);
                indices = Some(progress.indices());
            }
            if let Some(budget) = budget {
                budget.save(link);
            }
            let seen = exchange.sightings(arguments.continues_past_failures(property), Some(&ended));
            let told = told::of_run(property, part, ended.finished(), ran.elapsed()).seeing(&seen).within(indices);
            self.new.extend(seen.into_iter().filter(|sighting| sighting.is_new).map(|sighting| NewFailure {
                sighting,
                property: property.name.clone(),
                seed: told.seed.clone(),
                worker: told.worker.clone(),
            }));
            let stale = exchange.stale(&ended);
            exchange.end(link, &told, stale, &mut |entry| {
                let process = Process::new(property, workspace, screen);
                let replayed =
                    process.map(|process| process.even_if_ignored().replaying(&exchange::replay(entry), entry.beside));
                let ended = replayed.and_then(|process| process.run(&mut |_| {})).ok()?;
                exchange::as_it_fails(entry, ended.finished(), ended.finished().is_none())
            });
            print_above(bar, &link.take_said());
        }
        Ok(ended)
    }
}

/// The process of a slice.
pub(super) fn prepared<'a>(
    arguments: &Run,
    part: Option<&Part>,
    (workspace, screen): (&Workspace, &Screen),
    property: &'a Property,
    slice: Slice,
) -> Result<Process<'a>, Error> {
    let mut process = Process::new(property, workspace, screen)?;
    for (variable, value) in settings(arguments, part, property, slice) {
        process = process.with(variable, value);
    }
    if arguments.continues_past_failures(property) {
        process = process.with("FORALL_PAST_FAILURES", "1");
    }
    // After Ctrl-C the run reports its result and its tests clean up.
    process = process.with("FORALL_INTERRUPT", "1");
    let in_full = arguments.filter.as_deref().is_some_and(|filter| property.is_called(filter));
    if arguments.include_ignored || in_full {
        process = process.even_if_ignored();
    }
    if let Some(folder) = &arguments.observe {
        let folder = std::path::absolute(folder).map_err(|error| lines::unwritable(folder, error))?;
        process = process.with("FORALL_OBSERVE", folder);
    }
    Ok(process)
}

/// Prints urgent messages of a running property, and that it is still running.
pub(super) struct Watchdog<'a> {
    property: &'a Property,
    bar: &'a Bar,
    began: Instant,
    slow: Slow,
    note: Note,
}

impl<'a> Watchdog<'a> {
    pub(super) fn new(property: &'a Property, bar: &'a Bar, limit: Option<Duration>) -> Self {
        let note = Note::new("run", &property.binary.package_directory, &property.name);
        Self { property, bar, began: Instant::now(), slow: Slow::new(limit), note }
    }

    /// Prints pending messages; called periodically.
    pub(super) fn tick(&mut self, urgent: &str) {
        self.bar.tick();
        let began = self.began;
        self.note.write(
            &|| json!({"text": format!("running for {}", words::seconds(began.elapsed().as_secs_f64().floor()))}),
        );
        if let Some(time) = self.slow.after(self.began.elapsed()) {
            self.bar.suspend(|| aloud(&format!("forall: still running after {time}: {}\n", self.property.name)));
        }
        if !urgent.is_empty() {
            self.bar.suspend(|| aloud(urgent));
        }
    }
}

/// When to report that a property is still running: after 10 s, then after 20 s, 40 s, …; later if the slice's time limit is long.
struct Slow {
    next: Duration,
}

impl Slow {
    /// Running for as long as the slice's time limit is expected and not reported.
    fn new(limit: Option<Duration>) -> Self {
        Self { next: Duration::from_secs(10).max(limit.unwrap_or_default() * 2) }
    }

    fn after(&mut self, elapsed: Duration) -> Option<String> {
        (elapsed >= self.next).then(|| {
            let passed = self.next;
            self.next *= 2;
            words::seconds(passed.as_secs_f64())
        })
    }
}

fn print_above(bar: &Bar, said: &str) {
    if !said.is_empty() {
        bar.suspend(|| aloud(said));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_property_is_reported_at_intervals_that_double() {
        let seconds = Duration::from_secs;
        let mut slow = Slow::new(None);
        let told: Vec<_> = (0..100).filter_map(|second| Some((second, slow.after(seconds(second))?))).collect();
        let told: Vec<(u64, &str)> = told.iter().map(|(second, text)| (*second, &**text)).collect();
        assert_eq!(told, [(10, "10 s"), (20, "20 s"), (40, "40 s"), (80, "80 s")]);
        let mut limited = Slow::new(Some(seconds(30)));
        assert_eq!(limited.after(seconds(59)), None, "it is expected to take half a minute");
        assert_eq!(limited.after(seconds(60)).as_deref(), Some("60 s"));
        assert_eq!(Slow::new(Some(seconds(1))).after(seconds(9)), None);
    }
}
