//! The protocol between tools and a test binary: one environment variable, `FORALL_DO`.
//!
//! | `FORALL_DO` | what the binary does |
//! | --- | --- |
//! | `list` | when it ends, writes a line `forall-library {…}` with the version of the protocol (`v`) and of the package (`forall`), and a line `forall-property {…}` for every property to standard output. Run it with a filter that matches no test. On Linux. |
//! | `run PROPERTY A..B` | runs the tests with these indices of the property; other properties do nothing |
//! | `keep PROPERTY` | moves the saved failures of the property to `forall-regressions/`, to be committed as regressions; runs nothing |
//! | `replay PROPERTY SEQUENCE` | replays one input, in the form that reports print; other properties do nothing |
//! | `fuzz PROPERTY` | runs a coverage-guided campaign, in an instrumented binary; see below |
//! | `sample PROPERTY N` | generates N inputs and writes an event for each (see `forall::observe`) |
//! | `bench PROPERTY N` | runs N tests and reports the time |
//! | `isolated PROPERTY RUN.WORKER` | starts a child process of an isolated run; not for tools |
//! | `crashed PROPERTY HOW` | saves the input that crashed a campaign as a counterexample, and reports it; runs nothing |
//!
//! A request for a property that no test of the binary reaches is an error: the process reports it when it ends, and
//! its exit code is not 0. On Linux.
//!
//! The test harness must reach the property as usual, as in `FORALL_DO='replay my_crate::sorts 2-…' cargo test sorts`.
//! Several sequences, separated by commas, run one after the other, and the last one is reported. The output is the
//! report of that run and, on standard output, one line `forall-result {…}` of JSON; `kept` says whether runs of the
//! property will replay the counterexample first from now on.
//!
//! A campaign runs as many tests as `FORALL_TESTS` says, or as long as `FORALL_TIME` says. Several times a second it
//! writes a line `forall-status {…}` of JSON to standard output: its `phase` (`replaying`, `loading`, `searching`),
//! `executions`, `edges` of `places`, the number of inputs in the `corpus`, milliseconds `elapsed` and up to the
//! `last_new` input. The file `FORALL_RUNNING`, if set, has the running input: two little-endian numbers of 8 bytes,
//! whether one is running (1) and how many were started, and the input. When the process crashes, `crashed` with the
//! same file turns it into a counterexample. HOW is `signal-11`, `exit-3` or `hung-10000`, in milliseconds.
//!
//! A targeted run shares its best input through the store in the directory `FORALL_BEST`, if set: it writes its own
//! there, and runs the inputs of others.

pub use crate::protocol::{Death, Request};

use super::{Example, Found, Report, Session, Statistics, Verdict};
use crate::fact::Fact;
use crate::output::shout;
use crate::protocol::{self, Answer, Library, Line, Listed};
use crate::registry;
use crate::within;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the environment asks for, if anything, or what is wrong with that.
pub(crate) type Asked = Option<Result<Request, Fact>>;

impl Request {
    /// Reads what the variable says.
    ///
    /// ```
    /// use forall::run::protocol::Request;
    /// assert_eq!(Request::parse("list"), Ok(Request::List));
    /// let request = Request::Run { property: "a::b".to_owned(), indices: 10..20 };
    /// assert_eq!(Request::parse("run a::b 10..20"), Ok(request));
    /// ```
    pub fn parse(text: &str) -> Result<Self, Fact> {
        match Self::read(text.trim()) {
            Ok(Some(request)) => Ok(request),
            Ok(None) => Err(Fact::UnknownCommand { command: text.to_owned() }),
            Err(why) => Err(Fact::NotACommand { command: text.trim().to_owned(), error: why.to_string() }),
        }
    }

    /// What the environment asks for, if anything.
    pub(crate) fn from_environment() -> Asked {
        // What a child was started for it does already: runs inside of its tests are none of that.
        if crate::context::is_serving() {
            return None;
        }
        std::env::var("FORALL_DO").ok().filter(|text| !text.is_empty()).map(|text| Self::parse(&text))
    }
}

impl Request {
    /// Whether the property is tested as without a request.
    pub(super) fn is_to_test(&self) -> bool {
        matches!(self, Self::List | Self::Isolated { .. })
    }
}

/// Whether a property was asked for, and ran.
static ANSWERED: AtomicBool = AtomicBool::new(false);
/// Whether a property of the crate was reached that was not asked for.
static PASSED_BY: AtomicBool = AtomicBool::new(false);

/// Whether a request is for the property called `name`. If none is, the process will say so.
pub(crate) fn is_for(request: &Request, name: &str) -> bool {
    let Some(wanted) = request.property() else { return false };
    // Other binaries of the package have properties of other crates, and run under the same request.
    let crate_of = |name: &str| within::split_once(name, "::").map(|(start, _)| start.to_owned());
    if wanted == name {
        ANSWERED.store(true, Ordering::Relaxed);
    } else if crate_of(wanted).is_none() || crate_of(wanted) == crate_of(name) {
        PASSED_BY.store(true, Ordering::Relaxed);
    }
    wanted == name
}

/// The property that was asked for and that nobody knows.
fn unanswered() -> Option<String> {
    if !PASSED_BY.load(Ordering::Relaxed) || ANSWERED.load(Ordering::Relaxed) {
        return None;
    }
    Some(Request::from_environment()?.ok()?.property()?.to_owned())
}

/// What tools are told of a verdict.
pub(crate) fn told(verdict: &Verdict) -> protocol::Verdict {
    match verdict {
        Verdict::Passed => protocol::Verdict::Passed,
        Verdict::Exhausted { .. } => protocol::Verdict::Exhausted,
        Verdict::Failed => protocol::Verdict::Failed,
        Verdict::Flaky => protocol::Verdict::Flaky,
        Verdict::GaveUp(_) => protocol::Verdict::GaveUp,
        Verdict::Uncovered(_) => protocol::Verdict::Uncovered,
        Verdict::Faulty(_) => protocol::Verdict::Faulty,
        Verdict::Misconfigured(_) => protocol::Verdict::Misconfigured,
        Verdict::NotDecidable(_) => protocol::Verdict::NotDecidable,
    }
}

/// Writes the line that tools read.
pub(crate) fn answer(report: &Report) {
    let verdict = match told(&report.verdict) {
        protocol::Verdict::Exhausted => protocol::Verdict::Passed,
        verdict => verdict,
    };
    // Whether `cargo test` will try it first.
    let kept = match &report.counterexample {
        Some(found) => found.stored.is_some() || matches!(found.found, Found::Stored(_) | Found::Example(_)),
        None => false,
    };
    let answer = Answer {
        property: report.identity.name.to_string(),
        verdict,
        valid: report.statistics.valid,
        discarded: report.statistics.discarded,
        seed: report.seed,
        kept,
        case: report.counterexample.as_ref().map(|found| found.case.to_text()),
    };
    let _ = writeln!(std::io::stdout(), "{}", answer.line());
}

/// Answers requests that a guest knows how to answer, registered by itself.
pub(crate) struct Answering {
    pub(crate) is_for: fn(&Request) -> bool,
    pub(crate) answer: fn(Session<'_>, &Request, &[Example]) -> Report,
}

inventory::collect!(Answering);

/// The answer of the guest that a request is for.
pub(super) fn answer_by_guest(session: Session<'_>, request: &Request, examples: &[Example]) -> Report {
    if let Some(guest) = inventory::iter::<Answering>().find(|guest| (guest.is_for)(request)) {
        return (guest.answer)(session, request, examples);
    }
    let why = match request {
        Request::Fuzz { .. } | Request::Crashed { .. } => Fact::NotInstrumented,
        _ => Fact::NeedsFeature { what: "This request".to_owned(), feature: "full" },
    };
    session.finish((Verdict::Misconfigured(why), None), Statistics::default())
}

/// Lists the properties: a line of JSON each, after one with the version.
pub(crate) fn list(mut out: impl Write) {
    let _ = writeln!(out, "{}", Library::this().line());
    for entry in &registry::all() {
        let identity = &entry.identity;
        let settings = (entry.settings)(super::Settings::new());
        let listed = Listed {
            name: identity.name.to_string(),
            file: identity.file.to_owned(),
            line: identity.line.into(),
            is_test: entry.is_test,
            package: identity.package_directory.to_owned(),
            runner: settings.runner.clone(),
            tests: Some(settings.tests),
            serial: Some(settings.serial),
            should_panic: Some(settings.expected_panic.is_some()),
        };
        let _ = writeln!(out, "{}", listed.line());
    }
}

/// Called by the system when the process ends, however it does short of a crash.
///
/// This is how `list` works in a binary whose `main` is not ours, and how a test that calls `exit` is named.
#[cfg(target_os = "linux")]
extern "C" fn at_process_end() {
    // The parent of a child process sees how it ends, and says so.
    if crate::context::is_serving() {
        return;
    }
    // Nothing may unwind out of here; a failure to write is nobody's concern any more.
    let ended = std::panic::catch_unwind(|| {
        let tests_were_running = super::watch::process_ends();
        if matches!(std::env::var_os("FORALL_DO"), Some(value) if value == "list") {
            list(std::io::stdout());
            let _ = std::io::stdout().flush();
        }
        let unanswered = unanswered();
        if let Some(property) = &unanswered {
            shout(&format!("forall: {}\n", Fact::NoSuchProperty { property: property.clone() }));
        }
        tests_were_running || unanswered.is_some()
    });
    if let Ok(true) = ended {
        // A test that calls `exit(0)` must not look like one that passed, nor must a request that nobody answered.
        // SAFETY: `_exit` ends the process at once. It takes no pointers and has no preconditions.
        unsafe { _exit(protocol::FAILED) }
    }
}

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn _exit(code: std::ffi::c_int) -> !;
}

// SAFETY: the section holds pointers to functions without arguments and result that the C runtime calls when the process
// ends. The function uses the standard library, which still works then (its own exit code runs before), and unwinds not.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_PROCESS_END: extern "C" fn() = at_process_end;
