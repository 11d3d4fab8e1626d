//! Requests of tools to a test program, in the variable `FORALL_DO`.

use crate::testing::{Case, CaseError};
use crate::whole::whole;
use crate::within;
use std::fmt;
use std::ops::Range;

/// A request in `FORALL_DO`.
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
    /// Print the name of each property that a test runs, and run nothing.
    Names,
    /// Run the tests with these indices.
    Run {
        /// Of which property.
        property: String,
        /// Which tests.
        indices: Range<u64>,
    },
    /// Move the local failures to the committed regressions.
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
        /// The shape of its choices when it was printed.
        shape: u64,
        /// The inputs that run before it, in the same process.
        before: Vec<Case>,
    },
    /// Search, guided by coverage.
    Fuzz {
        /// The property.
        property: String,
    },
    /// Save the input that crashed a campaign.
    Crashed {
        /// Of which property.
        property: String,
        /// How it crashed.
        how: Death,
    },
    /// Generate inputs and report each.
    Sample {
        /// Of which property.
        property: String,
        /// The number of inputs.
        count: u64,
    },
    /// Run tests, and report the time.
    Bench {
        /// Of which property.
        property: String,
        /// The number of tests.
        count: u64,
    },
    /// Run tests for another process.
    Isolated {
        /// Of which property.
        property: String,
        /// The index of the run among those of that property on this thread.
        run: u64,
        /// The index of the worker.
        worker: usize,
    },
}

/// How a process ended unexpectedly.
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
    /// It was killed, because a test did not end within this many milliseconds.
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
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Death::Signal(signal) => write!(f, "signal-{signal}"),
            Death::Exit(code) => write!(f, "exit-{code}"),
            Death::Hung(milliseconds) => write!(f, "hung-{milliseconds}"),
        }
    }
}

impl Request {
    /// Parses a request, or returns the error of a case in it.
    #[doc(hidden)]
    pub fn read(text: &str) -> Result<Option<Self>, CaseError> {
        match text {
            "list" => return Ok(Some(Request::List)),
            "names" => return Ok(Some(Request::Names)),
            _ => {}
        }
        // Names may contain spaces; verbs, indices and sequences do not.
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

    /// The request with a property and the numbers after its name.
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

    /// Returns the property of the request.
    ///
    /// ```
    /// use forall::run::protocol::Request;
    /// assert_eq!(Request::parse("keep a::b").unwrap().property(), Some("a::b"));
    /// assert_eq!(Request::List.property(), None);
    /// ```
    pub fn property(&self) -> Option<&str> {
        match self {
            Request::List | Request::Names => None,
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

/// In the form that [`Request::read`] parses.
impl fmt::Display for Request {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::List => f.write_str("list"),
            Request::Names => f.write_str("names"),
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
