//! The protocol between tools and a test binary: one environment variable, `FORALL_DO`.
//!
//! | `FORALL_DO` | what the binary does |
//! | --- | --- |
//! | `list` | when it ends, writes a line `forall-library {…}` with the version of the protocol (`v`) and of the package (`forall`), and a line `forall-property {…}` for every property to standard output. Run it with a filter that matches no test. On Linux. |
//! | `names` | prints a line `forall-property {…}` for each property that a test runs, with the name of the test (`run_by`); runs nothing. This finds properties that are values |
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
//! its exit code is not 0. Linux only.
//!
//! The test harness must reach the property as usual, as in `FORALL_DO='replay my_crate::sorts 2-…' cargo test sorts`.
//! Several sequences, separated by commas, run one after the other, and the last one is reported. The output is the
//! report of that run and, on standard output, one line `forall-result {…}` of JSON; `kept` says whether runs of the
//! property will replay the counterexample first from now on.
//!
//! A campaign runs `FORALL_TESTS` tests, or for the time `FORALL_MAX_TIME`. Several times a second
//! it writes a line `forall-status {…}` of JSON to standard output: its `phase` (`replaying`, `loading`, `searching`),
//! the number of `executions`, the covered `edges` out of `places`, the number of inputs in the `corpus`, and in
//! milliseconds the time `elapsed` and the time of the `last_new` input. The file named by `FORALL_RUNNING`, if set,
//! contains the running input: two little-endian 8-byte numbers (1 if an input is running, and how many were started),
//! followed by the input. When the process crashes, `crashed` with the same file turns it into a counterexample. HOW is
//! `signal-11`, `exit-3` or `hung-10000`, with the time limit in milliseconds.
//!
//! If `FORALL_BEST` is set, targeted runs share their best inputs through the store in that directory: each writes its
//! own there, and runs those of others.

pub use crate::protocol::{Death, Request};

use super::{Example, Found, Report, Session, Statistics, Verdict};
use crate::fact::Fact;
use crate::output::print_uncaptured;
use crate::protocol::{self, Answer, Library, Line, Listed};
use crate::registry;
use crate::within;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// The request in the environment, if there is one, or its error.
pub(crate) type Asked = Option<Result<Request, Fact>>;

impl Request {
    /// Parses the variable.
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

    /// The request in the environment, if there is one.
    pub(crate) fn from_environment() -> Asked {
        // A child already handles its own request: runs inside its tests ignore it.
        if crate::context::is_serving() {
            return None;
        }
        std::env::var("FORALL_DO").ok().filter(|text| !text.is_empty()).map(|text| Self::parse(&text))
    }
}

impl Request {
    /// Whether the property is tested as if there were no request.
    pub(super) fn is_to_test(&self) -> bool {
        matches!(self, Self::List | Self::Names | Self::Isolated { .. })
    }
}

/// Whether the requested property ran.
static ANSWERED: AtomicBool = AtomicBool::new(false);
/// Whether another property of the same crate was reached instead.
static PASSED_BY: AtomicBool = AtomicBool::new(false);

/// Whether a request is for the property called `name`. If no property matches, the process reports it at exit.
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

/// The requested property, if no property has this name.
fn unanswered() -> Option<String> {
    if !PASSED_BY.load(Ordering::Relaxed) || ANSWERED.load(Ordering::Relaxed) {
        return None;
    }
    Some(Request::from_environment()?.ok()?.property()?.to_owned())
}

/// The verdict as tools see it.
pub(crate) fn encode_verdict(verdict: &Verdict) -> protocol::Verdict {
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

/// Writes the result line for tools.
pub(crate) fn answer(report: &Report) {
    let verdict = match encode_verdict(&report.verdict) {
        protocol::Verdict::Exhausted => protocol::Verdict::Passed,
        verdict => verdict,
    };
    // Whether `cargo test` will replay it first.
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

/// A guest that answers requests, which registers itself.
pub(crate) struct Answering {
    pub(crate) is_for: fn(&Request) -> bool,
    pub(crate) answer: fn(Session<'_>, &Request, &[Example]) -> Report,
}

inventory::collect!(Answering);

/// The answer of the guest that handles a request.
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

/// Prints the name of a property that the current test runs, for the request `names`.
pub(crate) fn print_name(run: &super::Run<'_>) {
    let identity = &run.identity;
    let thread = std::thread::current();
    let named = Listed {
        name: identity.name.to_string(),
        file: identity.file.to_owned(),
        line: identity.line.into(),
        package: identity.package_directory.to_owned(),
        // The harness names the thread of a test after the test.
        run_by: thread.name().filter(|name| *name != "main").map(str::to_owned),
        ..Listed::default()
    };
    let _ = writeln!(std::io::stdout(), "{}", named.line());
}

/// Lists the properties: one line of JSON each, after one with the version.
pub(crate) fn list(mut out: impl Write) {
    let library = Library { runners: super::registered::names(), ..Library::this() };
    let _ = writeln!(out, "{}", library.line());
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
            run_by: None,
        };
        let _ = writeln!(out, "{}", listed.line());
    }
}

/// Called by the system when the process ends, except after a crash.
///
/// Prints the list in a binary whose `main` is not ours, and reports a test that calls `exit`.
extern "C" fn at_process_end() {
    // The parent of a child process sees how it ends, and reports it.
    if crate::context::is_serving() {
        return;
    }
    // Nothing may unwind from here; write errors are ignored.
    let ended = std::panic::catch_unwind(|| {
        let tests_were_running = super::watch::process_ends();
        if matches!(std::env::var_os("FORALL_DO"), Some(value) if value == "list") {
            list(std::io::stdout());
            let _ = std::io::stdout().flush();
        }
        let unanswered = unanswered();
        if let Some(property) = &unanswered {
            print_uncaptured(&format!("forall: {}\n", Fact::NoSuchProperty { property: property.clone() }));
        }
        tests_were_running || unanswered.is_some()
    });
    if let Ok(true) = ended {
        // Neither a test that calls `exit(0)` nor an unanswered request may seem to succeed. SAFETY: `_exit` ends the
        // process at once. It takes no pointers and has no preconditions.
        unsafe { _exit(protocol::FAILED) }
    }
}

unsafe extern "C" {
    fn _exit(code: std::ffi::c_int) -> !;
}

// SAFETY: the section holds pointers to functions without arguments and result that the C runtime calls when the
// process ends. The function uses the standard library, which still works at that point (its own exit code runs
// earlier), and does not unwind.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_PROCESS_END: extern "C" fn() = at_process_end;

/// Other systems have no such section: a function that runs before `main` registers it. On Windows, `std::process::exit` skips it.
#[cfg(not(target_os = "linux"))]
extern "C" fn at_process_start() {
    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> std::ffi::c_int;
    }
    // SAFETY: the function has the required type and does not unwind. If there is no memory to register it, the list is empty.
    unsafe { atexit(at_process_end) };
}

// SAFETY: the section holds pointers to functions without arguments that the C runtime calls before `main`. The function only calls
// the C runtime.
#[cfg(not(target_os = "linux"))]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func,mod_init_funcs"))]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
#[cfg_attr(not(any(target_vendor = "apple", windows)), unsafe(link_section = ".init_array"))]
static AT_PROCESS_START: extern "C" fn() = at_process_start;
