//! Requests: what tools ask a test program for, in the variable `FORALL_DO`.

use crate::testing::{Case, CaseError};
use crate::whole::whole;
use crate::within;
use std::fmt;
use std::ops::Range;

/// What `FORALL_DO` asks for.
///
/// ```
/// use forall::run::protocol::Request;
/// assert_eq!(Request::parse("run a::b 10..20").unwrap().property(), Some("a::b"));
/// assert!(Request::parse("fly").unwrap_err().to_string().contains("replay PROPERTY SEQUENCE"));
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
    Sample {
        /// Of which property.
        property: String,
        /// How many.
        count: u64,
    },
    /// Run tests, and tell how long that took.
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
    /// Reads what [`Display`](fmt::Display) writes.
    #[doc(hidden)]
    pub fn read(text: &str) -> Option<Self> {
        let (how, number) = text.split_once('-')?;
        Some(match how {
            "signal" => Death::Signal(whole(number)?),
            "exit" => Death::Exit(whole(number)?),
            "hung" => Death::Hung(whole(number)?),
            _ => return None,
        })
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Death::Signal(signal) => write!(f, "signal-{signal}"),
            Death::Exit(code) => write!(f, "exit-{code}"),
            Death::Hung(milliseconds) => write!(f, "hung-{milliseconds}"),
        }
    }
}

impl Request {
    /// The request, if it is understood; or what is wrong with a case in it.
    #[doc(hidden)]
    pub fn read(text: &str) -> Result<Option<Self>, CaseError> {
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
            "sample" => Request::Sample { property, count: whole(last)? },
            "bench" => Request::Bench { property, count: whole(last)? },
            "crashed" => Request::Crashed { property, how: Death::read(last)? },
            _ => return None,
        })
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
            Request::Run { property, .. }
            | Request::Keep { property }
            | Request::Replay { property, .. }
            | Request::Fuzz { property }
            | Request::Crashed { property, .. }
            | Request::Sample { property, .. }
            | Request::Bench { property, .. }
            | Request::Isolated { property, .. } => Some(property),
        }
    }
}

/// As [`Request::read`] reads it.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::List => f.write_str("list"),
            Request::Run { property, indices } => write!(f, "run {property} {}..{}", indices.start, indices.end),
            Request::Keep { property } => write!(f, "keep {property}"),
            Request::Replay { property, case, shape, before } => {
                write!(f, "replay {property} ")?;
                for case in before {
                    write!(f, "{},", case.to_text())?;
                }
                f.write_str(&case.to_text_with_shape(*shape))
            }
            Request::Fuzz { property } => write!(f, "fuzz {property}"),
            Request::Crashed { property, how } => write!(f, "crashed {property} {how}"),
            Request::Sample { property, count } => write!(f, "sample {property} {count}"),
            Request::Bench { property, count } => write!(f, "bench {property} {count}"),
            Request::Isolated { property, run, worker } => write!(f, "isolated {property} {run}.{worker}"),
        }
    }
}
