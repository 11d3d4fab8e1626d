//! Lines on standard output: a prefix, followed by a record.

use super::record::words;
use super::{Encode, VERSION};
use crate::__record as record;

use super::Decode;

words! {
    /// The verdict of a run.
    Verdict {
        /// All tests passed.
        Passed "passed",
        /// Every input was tested and passed.
        Exhausted "exhausted",
        /// A test failed.
        Failed "failed",
        /// A test failed, and passed in a rerun.
        Flaky "flaky",
        /// Too few tests were valid.
        GaveUp "gave_up",
        /// A `cover!` requirement is not met.
        Uncovered "uncovered",
        /// A generator or shrinker is invalid.
        Faulty "faulty",
        /// A setting is invalid.
        Misconfigured "misconfigured",
        /// The runner cannot decide the property.
        NotDecidable "not_decidable",
        /// The process ended before the run did: set by the tool that waited for it.
        Ended "ended",
    } else
    /// A verdict of a later version.
    Unknown "unknown"
}

impl Verdict {
    /// Returns whether a test with this verdict passes.
    #[inline]
    pub fn is_success(self) -> bool {
        matches!(self, Verdict::Passed | Verdict::Exhausted)
    }
}

words! {
    /// The phase of a campaign.
    Phase {
        /// It runs saved failures.
        Replaying "replaying",
        /// It runs the inputs of its corpus.
        Loading "loading",
        /// It searches for new inputs.
        Searching "searching",
    } else
    /// It has not reported anything yet.
    Unknown ""
}

/// A record that is a line on standard output.
pub trait Line: Encode {
    /// How the line begins.
    const PREFIX: &'static str;

    /// The whole line, without the newline.
    fn line(&self) -> String {
        format!("{}{}", Self::PREFIX, self.encode())
    }

    /// Parses a line of a test program. `None` if it is another one, or truncated. The test harness may have written
    /// before it.
    fn find(line: &str) -> Option<Self>
    where
        Self: Decode,
    {
        Self::read(line[line.find(Self::PREFIX)? + Self::PREFIX.len()..].trim_end())
    }
}

record! {
    /// The version of the library: the first line of a list.
    Library {
        /// The version of the protocol; 0 if the library does not report it.
        version as "v": u64,
        /// The version of the package `forall`.
        package as "forall": String,
        [
            /// The names of the runners that the program registers, in addition to the built-in ones.
            runners: Vec<String>,
        ]
    }

    /// A property of the program.
    Listed {
        /// Its name, with crate and modules.
        name: String,
        /// The file that it is in.
        file: String,
        /// The line that it begins at.
        line: u64,
        /// Whether it is a test, and not only a `#[forall::property]`.
        is_test as "test": bool,
        [
            /// The directory of its package.
            package: String,
            /// The runner that its attribute names.
            runner: String,
            /// The number of tests that its attribute requests.
            tests: Option<u64>,
            /// Whether its tests must not run on several threads.
            serial: Option<bool>,
            /// Whether it is expected to fail.
            should_panic: Option<bool>,
            /// The test that runs it, in the answer to `names`.
            run_by: Option<String>,
        ]
    }

    /// The answer to a request.
    Answer {
        /// The name of the property.
        property: String,
        /// The verdict. `Exhausted` is reported as `Passed`.
        verdict: Verdict,
        /// The number of valid tests.
        valid: u64,
        /// The number of discarded tests.
        discarded: u64,
        /// The seed of the run.
        seed: u64,
        /// Whether `cargo test` runs the counterexample first from now on.
        kept: bool,
        /// The counterexample, in a form that can be pasted.
        case: Option<String>,
    }

    /// The status of a campaign.
    Status {
        /// Its phase.
        phase: Phase,
        /// How often the property was executed.
        executions: u64,
        /// The number of locations reached.
        edges: u64,
        /// The number of all locations.
        places: u64,
        /// The number of inputs in the corpus.
        corpus: u64,
        /// The duration of the campaign, in milliseconds.
        elapsed: u64,
        /// The time of the last new input, in milliseconds from the start.
        last_new: Option<u64>,
    }
}

impl Library {
    /// Returns the version of this library.
    pub fn this() -> Self {
        Self { version: VERSION, package: env!("CARGO_PKG_VERSION").to_owned(), runners: Vec::new() }
    }
}

impl Line for Library {
    const PREFIX: &'static str = "forall-library ";
}

impl Line for Listed {
    const PREFIX: &'static str = "forall-property ";
}

impl Line for Answer {
    const PREFIX: &'static str = "forall-result ";
}

impl Line for Status {
    const PREFIX: &'static str = "forall-status ";
}

/// A problem that does not stop a campaign: a text, not a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem(
    /// The text, for people.
    pub String,
);

impl Encode for Problem {
    fn encode(&self) -> String {
        self.0.replace('\n', " ")
    }
}

impl Line for Problem {
    const PREFIX: &'static str = "forall-problem ";
}

impl Decode for Problem {
    #[inline]
    fn decode(json: &crate::json::JsonValue) -> Option<Self> {
        json.as_str().map(|text| Self(text.to_owned()))
    }

    #[inline]
    fn read(text: &str) -> Option<Self> {
        Some(Self(text.trim().to_owned()))
    }
}
