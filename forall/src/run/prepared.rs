//! Preparing a run: reads settings and the request once, and creates the session. [`Prepared::report`] has the order of
//! a run.

use super::elsewhere::{Begun, Lent, is_child, is_offered};
use super::protocol::{Asked, Request};
use super::runners::{self, nonsense};
use super::session::{Past, Session, Workplace};
use super::{Example, Identity, Observer, Report, Run, Settings, Statistics, Verdict};
use super::{environment, generational, keeping, namesakes, profiles, protocol};
use crate::effects::{Cwd, OwnCwd};
use crate::fact::Fact;
use crate::property::Property;
use crate::protocol::RACE_OPTIONS;
use crate::within;
use std::io;
use std::path::{Path, PathBuf};

/// A run with its settings and request.
pub(crate) struct Prepared<'a> {
    pub(crate) run: Run<'a>,
    /// The directory of its package.
    package: PathBuf,
    /// The profile that its settings are based on.
    profile: Option<profiles::Found>,
    /// The settings of the builder or attribute, above the profile and below environment variables.
    settings: Result<Settings, Fact>,
    /// The request in `FORALL_DO`, for any property.
    pub(crate) request: Asked,
}

impl<'a> Run<'a> {
    /// Reads settings and the request.
    pub(crate) fn prepare(mut self) -> Prepared<'a> {
        let request = Request::from_environment();
        if let Some(Ok(Request::Bench { property, .. })) = &request
            && **property == *self.identity.name
        {
            // Benchmark runs must not save counterexamples: `list` would show them.
            self.settings.read_only = true;
        }
        let package = environment::package_directory(&self.identity);
        let (profile, settings) = self.effective_settings(&package);
        Prepared { run: self, package, profile, settings, request }
    }

    /// The settings merged with those of lower and higher precedence, and the profile.
    fn effective_settings(&self, package: &Path) -> (Option<profiles::Found>, Result<Settings, Fact>) {
        let settings = self.settings.clone();
        if self.without_environment {
            return (None, Ok(settings));
        }
        let profile = match profiles::find(package, environment::variable) {
            Ok(profile) => profile,
            Err(problem) => return (None, Err(problem)),
        };
        let settings = match &profile {
            Some(profile) => profile.under(settings),
            None => Ok(settings),
        };
        (profile, settings.and_then(|settings| settings.with_environment(environment::variable)))
    }
}

impl<'a> Prepared<'a> {
    /// Whether the run is verbose.
    pub(crate) fn is_verbose(&self) -> bool {
        matches!(&self.settings, Ok(settings) if settings.verbose)
    }

    /// Each changed setting, with its source.
    pub(crate) fn provenance(&self) -> String {
        profiles::provenance(&self.run.settings, self.profile.as_ref())
    }

    /// Sets the observer, unless the run has one.
    pub(crate) fn observed_by<'b>(self, observer: &'b mut dyn Observer) -> Prepared<'b>
    where
        'a: 'b,
    {
        Prepared { run: self.run.observed_by(observer), ..self }
    }

    /// The order of a run: examples, saved failures, the runner. Requests other than for testing replace it.
    pub(crate) fn report(mut self) -> Report {
        let (examples, own) = (self.run.examples, self.run.runner.take());
        let request = self.request_of_this_property();
        let mut session = match self.session() {
            Ok(session) => session,
            Err(report) => return *report,
        };
        match request {
            Err(why) => return session.finish((Verdict::Misconfigured(why), None), Statistics::default()),
            Ok(Some(request)) if !request.is_to_test() => return answer(session, request, examples),
            Ok(_) => {}
        }
        let is_fresh = environment::skips_known_inputs().unwrap_or_else(|why| {
            session.warn(why);
            false
        });
        if !is_fresh && let Some(ending) = session.run_examples(examples).or_else(|| session.replay_first()) {
            return session.finish(ending, Statistics::default());
        }
        match own {
            Some(own) => own(session),
            None => runners::run(session),
        }
    }

    /// Requests for other properties do not affect this one.
    fn request_of_this_property(&self) -> Result<Option<Request>, Fact> {
        let request = self.request.clone().transpose()?;
        Ok(request.filter(|request| request.property() == Some(&*self.run.identity.name)))
    }

    /// The session of the run, or the report of a run that cannot start.
    pub(crate) fn session(self) -> Result<Session<'a>, Box<Report>> {
        let Self { run, package, settings, request, .. } = self;
        let wrong = unusable_name(&run.identity).or_else(|| match &settings {
            Ok(settings) => nonsense(settings),
            Err(why) => Some(why.clone()),
        });
        let (threads_of_builder, has_extra_time) = (run.settings.threads, run.settings.extra_time.is_some());
        let mut settings = settings.unwrap_or(run.settings);
        settings.explore_at_desk(environment::variable);
        let seed = settings.seed_for(&run.identity.name, environment::variable);
        let seed = settings.seed_here(seed);
        let namesake = namesakes::warning(&run.identity, run.property, &settings, &package);
        let threads_of_all = settings.threads;
        if settings.serial || settings.beside > 1 || cfg!(not(feature = "full")) {
            settings.threads = settings.threads.min(1);
        }
        // The store is relative to the package, wherever the tests run.
        let package =
            if settings.own_cwd != Cwd::Shared { std::path::absolute(&package).unwrap_or(package) } else { package };
        let (own_cwd, wrong) = match wrong {
            None => match own_cwd(&mut settings, &request) {
                Ok(own_cwd) => (own_cwd, None),
                Err(error) => (None, Some(Fact::NoOwnCwd { error: error.to_string() })),
            },
            wrong => (None, wrong),
        };
        let lent = Lent {
            identity: &run.identity,
            property: run.property,
            shared: run.shared,
            examples: run.examples,
            request: &request,
        };
        let (isolation, wrong) = match lent.begin(wrong.is_none(), &settings, seed) {
            Begun::Here(isolation) => (isolation, wrong),
            Begun::Refused(why) => (None, Some(why)),
            Begun::Skipped => return Err(Box::new(Report::new(run.identity, Verdict::Passed))),
        };
        let (property, shared) = match &isolation {
            // In a process of its own, a worker may test any property and use any directory.
            Some(isolation) => {
                settings.own_cwd = Cwd::Shared;
                (isolation.property() as &dyn Property, Some(isolation.property()))
            }
            None => (run.property, run.shared),
        };
        let is_controlled = std::env::var_os(RACE_OPTIONS).is_some();
        let workplace = Workplace { shared, by_workers: run.by_workers, own_cwd, isolation, is_controlled };
        let mut session = Session::new(run.identity, property, settings, seed, &package, run.observer, workplace);
        if let Some(cancel) = run.cancel {
            session.tester.context().cancel_with(cancel);
        }
        session.run_beside(session.settings.beside);
        warn_of_threads(&mut session, threads_of_builder, threads_of_all);
        warn_of_extra_time(&mut session, has_extra_time);
        if let Some(warning) = namesake {
            session.keeper.has_namesake = true;
            session.warn(warning);
        }
        warn_of_corpus(&mut session, &package);
        match environment::continues_past_failures() {
            Ok(continues) => session.past = continues.then(Past::default),
            Err(why) => session.warn(why),
        }
        match environment::interrupt() {
            Ok(true) => crate::interrupt::listen(),
            Ok(false) => {}
            Err(why) => session.warn(why),
        }
        if run.without_environment {
            session.leave_unwatched();
        } else {
            for warning in environment::ineffective(&package) {
                session.warn(warning);
            }
        }
        match wrong {
            Some(why) => Err(Box::new(session.finish((Verdict::Misconfigured(why), None), Statistics::default()))),
            None => Ok(session),
        }
    }
}

/// Answers a request that replaces the run.
fn answer(mut session: Session<'_>, request: Request, examples: &[Example]) -> Report {
    match request {
        Request::Run { indices, .. } => generational::run_indices(session, indices),
        Request::Keep { .. } => session.keep_for_good(),
        Request::Replay { case, shape, before, .. } => {
            session.show_steps(&case);
            session.run_after(before);
            session.replay_given(&case, shape)
        }
        request => protocol::answer_by_guest(session, &request, examples),
    }
}

/// The problem with a name, if failures cannot be saved under it.
fn unusable_name(identity: &Identity) -> Option<Fact> {
    let name = &*identity.name;
    let unusable = name.is_empty() || name.trim() != name || within::contains(name, "\0");
    unusable.then(|| Fact::UnusableName { property: name.to_owned() })
}

/// Warns if there are fewer threads than the builder or the environment requested.
fn warn_of_threads(session: &mut Session<'_>, by_builder: usize, by_all: usize) {
    let beside = session.settings.beside;
    if beside > 1 && session.workplace.shared.is_none() {
        session.warn(Fact::NotShared { threads: beside as u64 });
    }
    // The environment applies to all properties, the builder only to this one.
    if by_all > 1 && cfg!(not(feature = "full")) {
        session.warn(Fact::ThreadsNeedFeature { threads: by_all as u64 });
    } else if by_builder > 1 && session.workplace.shared.is_none() {
        session.warn(Fact::NotShared { threads: by_builder as u64 });
    } else if by_all > session.settings.threads && session.settings.serial {
        session.warn(Fact::IsSerial { threads: by_all as u64 });
    } else if by_builder > 1 && runners::uses_one_thread(&session.settings.runner) {
        let runner = session.settings.runner.clone();
        session.warn(Fact::RunnerOnOneThread { runner, threads: by_builder as u64 });
    }
}

/// Warns if the builder set `extra_time`, and the runner ignores it. The environment applies to all properties.
fn warn_of_extra_time(session: &mut Session<'_>, by_builder: bool) {
    let runner = session.settings.runner.clone();
    let is_wanted = by_builder && session.settings.extra_time.is_some_and(|time| !time.is_zero());
    if is_wanted && runners::ignores_extra_time(&runner) {
        session.warn(Fact::RunnerWithoutExtraTime { runner });
    }
}

/// Warns about a corpus that is missing or invalid.
fn warn_of_corpus(session: &mut Session<'_>, package: &Path) {
    let wrong = session.settings.corpus.as_ref().and_then(|corpus| keeping::wrong_corpus(&package.join(corpus)));
    if let Some(warning) = wrong {
        session.warn(warning);
    }
}

/// The current directory for the tests of the first thread, if the settings ask for one. Isolated tests have it in
/// their child process. Where the system denies threads a directory of their own, as many containers do, this changes
/// the settings to isolate the tests.
fn own_cwd(settings: &mut Settings, request: &Asked) -> io::Result<Option<OwnCwd>> {
    let cwd = settings.own_cwd;
    if !is_offered(request) {
        return OwnCwd::enter(cwd);
    }
    if is_child(request) {
        return OwnCwd::enter_below(cwd);
    }
    if settings.beside > 1 {
        // Threads that run one input share a process.
        OwnCwd::try_on_thread(cwd)?;
    }
    if settings.isolates() {
        return Ok(None);
    }
    Ok(OwnCwd::enter(cwd).inspect_err(|_| settings.isolate = true).unwrap_or(None))
}
