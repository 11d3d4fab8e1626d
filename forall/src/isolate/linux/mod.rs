//! How a run starts its child processes, and how a child process finds its run.

mod children;
mod death;
mod history;
mod isolated;
mod message;
mod needed;
mod process;
mod serve;
mod slate;
mod system;
mod values;

use super::LEAST_STACK;
use crate::context::{self, Context, is_serving};
use crate::effects::Cwd;
use crate::fact::Fact;
use crate::property::{Failure, Outline, Property};
use crate::run::elsewhere::{self, Begun, Lent, Needed, is_child, is_entered};
use crate::run::protocol::{Asked, Death, Request};
use crate::run::{Case, Settings, Tested};
use history::History;
use isolated::Isolated;
use process::{Launch, new_mark};
use serve::{Service, has_served, limits};
use std::cell::RefCell;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// The default timeout of an isolated test: longer than nearly all tests take, and short enough to wait for.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

thread_local! {
    /// The number of runs on this thread, by name: a child must reach the same one.
    static RUNS: RefCell<Vec<(String, u64)>> = const { RefCell::new(Vec::new()) };
}

/// The child processes of a run. They end with it.
struct Isolation<'a>(&'a Isolated);

impl<'a> elsewhere::Isolation<'a> for Isolation<'a> {
    fn property(&self) -> &'a (dyn Property + Sync) {
        self.0
    }

    fn run_example(&self, place: usize) -> Tested {
        self.0.run_example(place)
    }

    fn hurry(&self, hurry: bool) {
        self.0.hurry(hurry);
    }

    fn confirm(&self, runs: u32) {
        self.0.confirm(runs);
    }

    fn begin_anew(&self) {
        self.0.begin_anew();
    }

    fn repeats(&self) -> bool {
        self.0.repeats()
    }

    fn take_history(&self) -> Option<Box<dyn elsewhere::History + 'a>> {
        Some(Box::new(Before { history: self.0.take_history()?, isolated: self.0 }))
    }

    fn run_among_others(&self, before: Vec<Case>, after: Vec<Case>) {
        self.0.run_among_others(before, after);
    }
}

/// The history of a process, and the property to rerun it with.
struct Before<'a> {
    history: History,
    isolated: &'a Isolated,
}

impl elsewhere::History for Before<'_> {
    fn needed(&self, context: &Context, case: &Case, failure: &Failure, until: Option<Instant>) -> Needed {
        self.isolated.needed(context, &self.history, case, failure, until)
    }
}

impl Drop for Isolation<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Whether an isolated run that starts here would run its tests in child processes. False inside a test and in a
/// campaign.
pub(super) fn is_offered(request: &Asked) -> bool {
    !context::is_active() && !is_serving() && (is_child(request) || request.is_none())
}

/// Starts the run: with child processes, if its settings require them and are valid; or as a child process, if this is
/// one.
pub(super) fn begin<'a>(lent: &Lent<'a, '_>, is_sensible: bool, settings: &Settings, seed: u64) -> Begun<'a> {
    if has_served() {
        return Begun::Skipped;
    }
    // A run inside a test is part of it, and runs in its process.
    if context::is_active() || is_serving() {
        return match is_sensible.then(|| why_not_inside(settings, lent.request)).flatten() {
            Some(why) => Begun::Refused(why),
            None => Begun::Here(None),
        };
    }
    let name = &*lent.identity.name;
    let run = next_run(name);
    match lent.request {
        Some(Ok(Request::Isolated { property, run: wanted, worker })) => {
            if property == name && *wanted == run {
                let Lent { property, shared, examples, .. } = *lent;
                Service { name, property, shared, settings, seed, examples, worker: *worker }.serve();
            }
            return Begun::Skipped;
        }
        // A campaign measures the branches of this process, and has a supervisor; the others run nothing.
        Some(Ok(Request::Fuzz { .. } | Request::Keep { .. } | Request::List | Request::Names)) => {
            return Begun::Here(None);
        }
        // The input that crashed a campaign is shrunk in separate processes. If there can be none, it is saved
        // unshrunk.
        Some(Ok(Request::Crashed { property, how })) if property == name && is_sensible => {
            let timeout = match how {
                Death::Hung(milliseconds) => Duration::from_millis(*milliseconds),
                Death::Signal(_) | Death::Exit(_) => settings.timeout.unwrap_or(TIMEOUT),
            };
            return Begun::Here(isolated(lent, run, settings, timeout, seed).ok());
        }
        Some(Ok(Request::Crashed { .. })) => return Begun::Here(None),
        _ => {}
    }
    if !is_sensible || !settings.isolates() {
        return Begun::Here(None);
    }
    if let Some(why) = why_not_at_all(settings) {
        return Begun::Refused(why);
    }
    match isolated(lent, run, settings, settings.timeout.unwrap_or(TIMEOUT), seed) {
        Ok(isolation) => Begun::Here(Some(isolation)),
        Err(why) => Begun::Refused(why),
    }
}

fn isolated<'a>(
    lent: &Lent<'a, '_>,
    run: u64,
    settings: &Settings,
    timeout: Duration,
    seed: u64,
) -> Result<Box<dyn elsewhere::Isolation<'a> + 'a>, Fact> {
    let launch = Launch {
        arguments: arguments().ok_or(Fact::IsolationNeedsEntry)?,
        request: format!("{} {run}", lent.identity.name),
        seed,
        stack: settings.stack,
        own_cwd: settings.own_cwd != Cwd::Shared,
        timeout,
        mark: new_mark(),
        fingerprint: fingerprint(&lent.property.outline()),
    };
    let isolated = Isolated::new(lent.property, launch).map_err(|error| Fact::NoProcess { error })?;
    // A property is borrowed by its run for as long as the caller likes, and so must be this substitute for it: some
    // hundred bytes are leaked for each isolated run. The processes end with the `Isolation`.
    Ok(Box::new(Isolation(Box::leak(Box::new(isolated)))))
}
/// Why a nested run cannot have the isolation that its settings require: it has no processes of its own. An isolated
/// test around it contains its crashes, and enforces limits that are at least as tight: a nested test that takes too
/// long exceeds the outer limit.
fn why_not_inside(settings: &Settings, request: &Asked) -> Option<Fact> {
    if !settings.isolates() {
        return None;
    }
    let Some(around) = limits() else {
        // A campaign has no children: it supervises this process.
        let is_looked_after = matches!(request, Some(Ok(Request::Fuzz { .. })));
        return (!is_looked_after).then_some(Fact::IsolatedInside);
    };
    let is_kept =
        |limit: Option<u64>, around: Option<u64>| limit.is_none_or(|limit| around.is_some_and(|a| a <= limit));
    let tighter = if settings.timeout.is_some_and(|timeout| around.timeout > timeout) {
        "timeout"
    } else if !is_kept(settings.memory, around.memory) {
        "memory"
    } else if !is_kept(settings.stack, around.stack) {
        "stack"
    } else {
        return None;
    };
    Some(Fact::TighterInside { limit: tighter.to_owned() })
}

/// Why limits are invalid: no test could pass with them.
fn why_not_at_all(settings: &Settings) -> Option<Fact> {
    if settings.timeout.is_some_and(|timeout| timeout.is_zero()) {
        return Some(Fact::ZeroTimeout);
    }
    let stack = settings.stack.filter(|stack| *stack < LEAST_STACK)?;
    Some(Fact::StackTooSmall { stack, least: LEAST_STACK })
}

/// The index of this run among those of the same name on this thread.
fn next_run(name: &str) -> u64 {
    RUNS.with_borrow_mut(|runs| match runs.iter_mut().find(|(other, _)| other == name) {
        Some((_, count)) => {
            *count += 1;
            *count
        }
        None => {
            runs.push((name.to_owned(), 0));
            0
        }
    })
}

/// The arguments with which this program reaches this run again; `None` if unknown.
fn arguments() -> Option<Vec<OsString>> {
    if is_entered() {
        return Some(std::env::args_os().skip(1).collect());
    }
    // A test harness runs each test in a thread of its name.
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main")?;
    let mut arguments = vec![OsString::from(test)];
    for argument in ["--exact", "--include-ignored", "--nocapture"] {
        arguments.push(argument.into());
    }
    Some(arguments)
}

/// A fingerprint by which parent and child check that they mean the same property.
pub(super) fn fingerprint(outline: &Outline) -> String {
    let mut text = String::from("forall");
    for quantifier in &outline.quantifiers {
        text += &format!(" {}: {}", quantifier.name, quantifier.type_name);
    }
    for assumption in &outline.assumptions {
        text += &format!("; {assumption}");
    }
    text
}
