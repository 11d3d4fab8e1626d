//! One property for a while: a process of its own, and what it tells the corpus.

use super::{Run, settings};
use crate::corpus::exchange::{self, Also, Exchange};
use crate::corpus::link::Link;
use crate::corpus::told;
use crate::process::{Ended, Process, aloud};
use crate::progress::Bar;
use crate::properties::Property;
use crate::screen::Screen;
use crate::shard::Part;
use crate::workspace::Workspace;
use crate::{Error, lines};
use forall::protocol::Verdict;
use std::time::{Duration, Instant};

/// What all of them have.
pub(super) struct Runner<'a> {
    pub(super) arguments: &'a Run,
    pub(super) part: Option<&'a Part>,
    pub(super) workspace: &'a Workspace,
    pub(super) screen: &'a Screen,
    pub(super) bar: &'a Bar,
    pub(super) link: &'a mut Option<Link>,
}

/// Which one of a property's it is.
#[derive(Clone, Copy)]
pub(super) struct Slice {
    /// Of how long, at most.
    pub(super) time: Option<Duration>,
    /// In which round of the campaign.
    pub(super) round: usize,
    /// Whether its tests with literals were done in an earlier one.
    pub(super) literals_done: bool,
}

impl Runner<'_> {
    /// Runs it. When this returns, what was found is in the corpus.
    pub(super) fn run(&mut self, property: &Property, slice: Slice) -> Result<Ended, Error> {
        let Self { arguments, part, workspace, screen, bar, .. } = *self;
        let link = &mut *self.link;
        let mut process = Process::new(property, workspace, screen)?;
        for (variable, value) in settings(arguments, part, property, slice) {
            process = process.with(variable, value);
        }
        // What a run came to before Ctrl-C is told, and its tests clean up.
        process = process.with("FORALL_INTERRUPT", "1");
        let in_full = arguments.filter.as_deref().is_some_and(|filter| property.is_called(filter));
        if arguments.include_ignored || in_full {
            process = process.even_if_ignored();
        }
        if let Some(folder) = &arguments.observe {
            let folder = std::path::absolute(folder).map_err(|error| lines::unwritable(folder, error))?;
            process = process.with("FORALL_OBSERVE", folder);
        }
        let is_targeted = arguments.runner.as_deref().unwrap_or(&property.runner) == "targeted";
        let also = if is_targeted { Also::Best } else { Also::Nothing };
        let mut exchange = link.as_mut().map(|link| Exchange::begin(link, property, also)).transpose()?;
        if let Some(exchange) = &exchange {
            // What is there is here, too.
            process = process.with("FORALL_CORPUS", "");
            if let Some(folder) = exchange.best_folder() {
                process = process.with("FORALL_BEST", folder);
            }
        }
        let ran = Instant::now();
        let ended = process.run(&mut |urgent| {
            bar.tick();
            if !urgent.is_empty() {
                bar.say(|| aloud(urgent));
            }
            if let (Some(link), Some(exchange)) = (&mut *link, &mut exchange) {
                exchange.tick(link);
                say(bar, &link.take_said());
            }
        })?;
        // Before anything is said of it: who is told of a failure finds it in the corpus.
        if let (Some(link), Some(exchange)) = (link, exchange) {
            let told = told::of_run(property, part, ended.finished(), ran.elapsed());
            let stale = exchange.stale(&ended);
            exchange.end(link, &told, stale, &mut |entry| {
                let process = Process::new(property, workspace, screen);
                let replayed = process.map(|process| process.even_if_ignored().asking(&exchange::replay(entry)));
                let ended = replayed.and_then(|process| process.run(&mut |_| {}));
                ended.is_ok_and(|ended| ended.finished().is_some_and(|finished| finished.verdict == Verdict::Failed))
            });
            say(bar, &link.take_said());
        }
        Ok(ended)
    }
}

fn say(bar: &Bar, said: &str) {
    if !said.is_empty() {
        bar.say(|| aloud(said));
    }
}
