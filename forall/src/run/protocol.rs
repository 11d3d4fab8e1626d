//! How tools talk to a test binary: one environment variable, `FORALL_DO`.
//!
//! | `FORALL_DO` | what the binary does |
//! | --- | --- |
//! | `list` | when it ends, writes a line for every property to standard output. Run it with a filter that matches no test. On Linux. |
//! | `run PROPERTY A..B` | runs the tests with these indices of the property; other properties do nothing |
//! | `keep PROPERTY` | moves the local finds of the property to `forall-regressions/`, to be committed; runs nothing |
//! | `replay PROPERTY SEQUENCE` | runs one input, in the text form that reports print; other properties do nothing |
//! | `fuzz PROPERTY` | a campaign guided by coverage, in an instrumented binary; see below |
//! | `sample PROPERTY N` | generates as many inputs and tells of each (feature `observe`, see `forall::observe`) |
//! | `bench PROPERTY N` | runs as many tests and tells how long that took (feature `observe`) |
//! | `isolated PROPERTY RUN.WORKER` | what an isolated run starts its child processes with: not for tools |
//! | `crashed PROPERTY HOW` | keeps the input that a campaign died of as a counterexample, and shows it; runs nothing |
//!
//! A request for a property that no test of the binary reaches is an error: the process says so when it ends, and its exit code
//! is not 0. On Linux.
//!
//! The property must be reached by the test harness as usual, as in `FORALL_DO='replay my_crate::sorts 2-…' cargo test
//! sorts`. Several sequences with commas between them are run one after the other, and the last one is told of. What comes back is the report of that run; and, on standard output, one line `forall-result {…}` of JSON;
//! `kept` says whether runs of the property will try the counterexample first from now on.
//!
//! A campaign goes on for as many tests as `FORALL_TESTS` says, or as long as `FORALL_TIME` does. Several times a second it
//! writes a line `forall-status {…}` of JSON to standard output: what it is doing (`phase`: `replaying`, `loading`,
//! `searching`), `executions`, `edges` of `places`, how many inputs the `corpus` has, milliseconds `elapsed` and up to the
//! `last_new` input. The input that is running is in the file `FORALL_RUNNING`, if that is set: two little endian numbers of
//! 8 bytes, whether one is running (1) and how many were begun, and the input. When the process dies, `crashed` with the
//! same file makes a counterexample of it. HOW is `signal-11`, `exit-3` or `hung-10000`, in milliseconds.
//!
//! A targeted run shares its best input by way of the store in the directory `FORALL_BEST`, if that is set (feature `campaign`): it
//! writes its own there, and tries what others write, while it runs.

use super::{Case, Found, Report, Verdict};
use crate::json::quoted;
use crate::registry;
use crate::report::{advice, shout};
use crate::whole::whole;
use crate::within;
use std::io::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// What `FORALL_DO` asks for.
///
/// ```
/// use forall::run::protocol::Request;
/// assert_eq!(Request::parse("run a::b 10..20").unwrap().property(), Some("a::b"));
/// assert!(Request::parse("fly").unwrap_err().contains("replay PROPERTY SEQUENCE"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request {
    /// List the properties of the binary.
    List,
    /// Run the tests with these indices.
    Run {
        /// Of which property.
        property: String,
        /// Which tests.
        indices: Range<u64>,
    },
    /// Move the local finds to the committed regressions.
    Keep {
        /// Of which property.
        property: String,
    },
    /// Run one input.
    Replay {
        /// Of which property.
        property: String,
        /// The input.
        case: Case,
        /// The shape that its choices had when it was printed.
        shape: u64,
        /// What runs before it, in the same process.
        before: Vec<Case>,
    },
    /// Search, guided by coverage.
    Fuzz {
        /// For a counterexample of which property.
        property: String,
    },
    /// Keep the input that a campaign died of.
    Crashed {
        /// Of which property.
        property: String,
        /// How it died.
        how: Death,
    },
    /// Generate inputs and tell of each.
    #[cfg(feature = "observe")]
    Sample {
        /// Of which property.
        property: String,
        /// How many.
        count: u64,
    },
    /// Run tests, and tell how long that took.
    #[cfg(feature = "observe")]
    Bench {
        /// Of which property.
        property: String,
        /// How many.
        count: u64,
    },
    /// Run tests for another process.
    Isolated {
        /// Of which property.
        property: String,
        /// Which of the runs of that property on this thread, from 0.
        run: u64,
        /// As which of its workers.
        worker: usize,
    },
}

/// How a process ended that was not to end.
///
/// ```
/// use forall::run::protocol::{Death, Request};
/// let request = Request::Crashed { property: "a::b".to_owned(), how: Death::Signal(11) };
/// assert_eq!(Request::parse("crashed a::b signal-11"), Ok(request));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Death {
    /// By a signal, such as that of an abort or of a segmentation fault.
    Signal(i32),
    /// It called `exit` with this code.
    Exit(i32),
    /// It was killed, because a test had not ended after this many milliseconds.
    Hung(u64),
}

impl Death {
    fn parse(text: &str) -> Option<Self> {
        let (how, number) = text.split_once('-')?;
        Some(match how {
            "signal" => Death::Signal(whole(number)?),
            "exit" => Death::Exit(whole(number)?),
            "hung" => Death::Hung(whole(number)?),
            _ => return None,
        })
    }
}

impl Request {
    /// Reads what the variable says.
    ///
    /// ```
    /// use forall::run::protocol::Request;
    /// assert_eq!(Request::parse("list"), Ok(Request::List));
    /// let request = Request::Run { property: "a::b".to_owned(), indices: 10..20 };
    /// assert_eq!(Request::parse("run a::b 10..20"), Ok(request));
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        match Self::read(text.trim()) {
            Ok(Some(request)) => Ok(request),
            Ok(None) => Err(format!(
                "FORALL_DO={text} is not understood: write `list`, `run PROPERTY A..B`, `keep PROPERTY`, `replay PROPERTY SEQUENCE` or `fuzz PROPERTY`"
            )),
            Err(why) => Err(advice::not_a_command(text.trim(), &why.to_string())),
        }
    }

    /// The request, if it is understood; or what is wrong with a case in it.
    fn read(text: &str) -> Result<Option<Self>, super::CaseError> {
        if text == "list" {
            return Ok(Some(Request::List));
        }
        // Names may have spaces in them; verbs, indices and sequences have none.
        let Some((verb, rest)) = text.split_once(' ') else { return Ok(None) };
        if verb == "keep" {
            return Ok(Some(Request::Keep { property: rest.trim().to_owned() }));
        }
        if verb == "fuzz" {
            return Ok(Some(Request::Fuzz { property: rest.trim().to_owned() }));
        }
        let Some((property, last)) = rest.trim().rsplit_once(' ') else { return Ok(None) };
        let property = property.trim().to_owned();
        if verb == "replay" {
            let (mut before, mut last) = (Vec::new(), last);
            while let Some((earlier, rest)) = last.split_once(',') {
                before.push(Case::from_text(earlier)?);
                last = rest;
            }
            let (case, shape) = Case::from_text_with_shape(last)?;
            return Ok(Some(Request::Replay { property, case, shape, before }));
        }
        Ok(Self::with_numbers(verb, property, last))
    }

    /// The request for a property and the numbers behind its name.
    fn with_numbers(verb: &str, property: String, last: &str) -> Option<Self> {
        Some(match verb {
            "run" => {
                let (start, end) = within::split_once(last, "..")?;
                Request::Run { property, indices: whole(start)?..whole(end)? }
            }
            "isolated" => {
                let (run, worker) = last.split_once('.')?;
                Request::Isolated { property, run: whole(run)?, worker: whole(worker)? }
            }
            #[cfg(feature = "observe")]
            "sample" => Request::Sample { property, count: whole(last)? },
            #[cfg(feature = "observe")]
            "bench" => Request::Bench { property, count: whole(last)? },
            "crashed" => Request::Crashed { property, how: Death::parse(last)? },
            _ => return None,
        })
    }

    /// What the environment asks for, if anything.
    pub(crate) fn from_environment() -> Option<Result<Self, String>> {
        // What a child was started for it does already: runs inside of its tests are none of that.
        #[cfg(feature = "isolate")]
        if crate::isolate::is_serving() {
            return None;
        }
        std::env::var("FORALL_DO").ok().filter(|text| !text.is_empty()).map(|text| Self::parse(&text))
    }

    /// The property that is meant.
    ///
    /// ```
    /// use forall::run::protocol::Request;
    /// assert_eq!(Request::parse("keep a::b").unwrap().property(), Some("a::b"));
    /// assert_eq!(Request::List.property(), None);
    /// ```
    pub fn property(&self) -> Option<&str> {
        match self {
            Request::List => None,
            #[cfg(feature = "observe")]
            Request::Sample { property, .. } | Request::Bench { property, .. } => Some(property),
            Request::Run { property, .. }
            | Request::Keep { property }
            | Request::Replay { property, .. }
            | Request::Fuzz { property }
            | Request::Crashed { property, .. }
            | Request::Isolated { property, .. } => Some(property),
        }
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

/// Writes the line that tools read.
pub(crate) fn answer(report: &Report) {
    let verdict = match report.verdict {
        Verdict::Passed | Verdict::Exhausted { .. } => "passed",
        Verdict::Failed => "failed",
        Verdict::Flaky => "flaky",
        Verdict::GaveUp(_) => "gave_up",
        Verdict::Uncovered(_) => "uncovered",
        Verdict::Faulty(_) => "faulty",
        Verdict::Misconfigured(_) => "misconfigured",
        Verdict::NotDecidable(_) => "not_decidable",
    };
    let sequence =
        if let Some(found) = &report.counterexample { quoted(&found.case.to_text()) } else { "null".to_owned() };
    // Whether `cargo test` will try it first.
    let kept = match &report.counterexample {
        Some(found) => found.stored.is_some() || matches!(found.found, Found::Stored(_) | Found::Example(_)),
        None => false,
    };
    let _ = writeln!(
        std::io::stdout(),
        "forall-result {{\"property\":{},\"verdict\":\"{verdict}\",\"valid\":{},\"discarded\":{},\"seed\":{},\"kept\":{kept},\"case\":{sequence}}}",
        quoted(&report.identity.name),
        report.statistics.valid,
        report.statistics.discarded,
        report.seed,
    );
}

/// Lists the properties: a line of JSON each.
pub(crate) fn list(mut out: impl Write) {
    for entry in &registry::all() {
        let identity = &entry.identity;
        #[cfg(any(feature = "observe", feature = "coverage"))]
        let settings = {
            let settings = (entry.settings)(super::Settings::new());
            let package = quoted(identity.package_directory);
            let (runner, serial, should_panic) =
                (quoted(&settings.runner), settings.serial, settings.expected_panic.is_some());
            format!(
                ",\"package\":{package},\"runner\":{runner},\"tests\":{},\"serial\":{serial},\"should_panic\":{should_panic}",
                settings.tests
            )
        };
        #[cfg(not(any(feature = "observe", feature = "coverage")))]
        let settings = "";
        let _ = writeln!(
            out,
            "forall-property {{\"name\":{},\"file\":{},\"line\":{},\"test\":{}{settings}}}",
            quoted(&identity.name),
            quoted(identity.file),
            identity.line,
            entry.is_test,
        );
    }
}

/// Called by the system when the process ends, however it does short of a crash.
///
/// This is how `list` works in a binary whose `main` is not ours, and how a test that calls `exit` is named.
#[cfg(target_os = "linux")]
extern "C" fn at_process_end() {
    // The parent of a child process sees how it ends, and says so.
    #[cfg(feature = "isolate")]
    if crate::isolate::is_serving() {
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
            shout(&format!("forall: {}\n", advice::no_such_property(property)));
        }
        tests_were_running || unanswered.is_some()
    });
    if let Ok(true) = ended {
        // A test that calls `exit(0)` must not look like one that passed, nor must a request that nobody answered.
        // SAFETY: `_exit` ends the process at once. It takes no pointers and has no preconditions.
        unsafe { _exit(101) }
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
