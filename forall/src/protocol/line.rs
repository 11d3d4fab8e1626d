//! Lines on standard output: a prefix, and a record behind it.

use super::record::words;
use super::{Encode, VERSION};
use crate::__record as record;

use super::Decode;

words! {
    /// What a run came to.
    Verdict {
        /// All tests passed.
        Passed "passed",
        /// Every input there is passed.
        Exhausted "exhausted",
        /// A test failed.
        Failed "failed",
        /// A test failed, and passed when it ran again.
        Flaky "flaky",
        /// Too few tests were valid.
        GaveUp "gave_up",
        /// A `cover!` demand is not met.
        Uncovered "uncovered",
        /// A generator or shrinker is wrong.
        Faulty "faulty",
        /// The property cannot run as it is.
        Misconfigured "misconfigured",
        /// The runner cannot decide the property.
        NotDecidable "not_decidable",
        /// The process ended before the run did: the verdict of the tool that waited for it.
        Ended "ended",
    } else
    /// One that a later version added.
    Unknown "unknown"
}

impl Verdict {
    /// Whether it lets a test pass.
    pub fn is_success(self) -> bool {
        matches!(self, Verdict::Passed | Verdict::Exhausted)
    }
}

words! {
    /// What a campaign is doing.
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

    /// The whole line, without its end.
    fn line(&self) -> String {
        format!("{}{}", Self::PREFIX, self.encode())
    }

    /// Reads a line of a test program. None if it is another one, or cut off. The test harness may have begun it.
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
        /// The version of the protocol; 0 where the library does not say it.
        version as "v": u64,
        /// The version of the package `forall`.
        package as "forall": String,
    }

    /// A property of the program.
    Listed {
        /// Its name, with crate and modules.
        name: String,
        /// The file that it is in.
        file: String,
        /// The line that it begins at.
        line: u64,
        /// Whether it is a test, and not `#[forall::property]` alone.
        is_test as "test": bool,
        [
            /// The directory of its package.
            package: String,
            /// The runner that its attribute names.
            runner: String,
            /// How many tests its attribute asks for.
            tests: Option<u64>,
            /// Whether its tests must not run on several threads.
            serial: Option<bool>,
            /// Whether it is expected to fail.
            should_panic: Option<bool>,
        ]
    }

    /// What came of a request.
    Answer {
        /// The name of the property.
        property: String,
        /// What the run came to. A property with no other inputs has passed.
        verdict: Verdict,
        /// How many tests were valid.
        valid: u64,
        /// How many were discarded.
        discarded: u64,
        /// The seed of the run.
        seed: u64,
        /// Whether `cargo test` runs the counterexample first from now on.
        kept: bool,
        /// The counterexample, as it can be pasted.
        case: Option<String>,
    }

    /// How far a campaign is.
    Status {
        /// What it is doing.
        phase: Phase,
        /// How often the property was executed.
        executions: u64,
        /// How many places of the program were reached.
        edges: u64,
        /// How many places there are.
        places: u64,
        /// How many inputs the corpus has.
        corpus: u64,
        /// How long the campaign has taken, in milliseconds.
        elapsed: u64,
        /// When the last input came to the corpus, in milliseconds from the beginning.
        last_new: Option<u64>,
    }
}

impl Library {
    /// The version of this library.
    pub fn this() -> Self {
        Self { version: VERSION, package: env!("CARGO_PKG_VERSION").to_owned() }
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

/// What is wrong with a campaign that goes on: a text, not a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem(
    /// For people.
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
    fn decode(json: &crate::json::JsonValue) -> Option<Self> {
        json.as_str().map(|text| Self(text.to_owned()))
    }

    fn read(text: &str) -> Option<Self> {
        Some(Self(text.trim().to_owned()))
    }
}
