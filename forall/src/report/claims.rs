//! Rendering claims about a counterexample. A claim says only what was tried.

use crate::explain::{Any, Claim, Open, Related};
use crate::text::{count, number};
use crate::within;
use std::fmt;

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Any(any) => any.fmt(f),
            Claim::Related(related) => related.fmt(f),
        }
    }
}

impl fmt::Display for Related {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed for all {} values tried with ", number(self.failed))?;
        for (place, term) in self.terms.iter().enumerate() {
            if place > 0 {
                write!(f, " {} ", self.relation)?;
            }
            term.fmt(f)?;
        }
        if let Some(within) = &self.within {
            write!(f, " in {within}")?;
        }
        if let Some(passed) = self.passed {
            match passed {
                1 => f.write_str(", passed for the only other one")?,
                _ => write!(f, ", passed for all {} others", number(passed))?,
            }
        }
        f.write_str(if self.alone { "" } else { UNCHANGED })
    }
}

/// Appended to claims about a single variable.
const UNCHANGED: &str = " (other inputs unchanged)";

impl fmt::Display for Any {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = number(self.runs);
        match (&self.open, self.up_to_depth) {
            (Open::Whole, Some(depth)) => {
                write!(f, "fails for every value up to depth {depth} ({})", count(self.runs, "run"))?
            }
            (Open::Pattern(pattern), Some(depth)) => {
                write!(f, "fails for every {pattern} up to depth {depth} ({})", count(self.runs, "run"))?
            }
            (Open::Whole, None) if self.every && self.runs == 1 => f.write_str("fails for both values")?,
            (Open::Whole, None) if self.every => {
                write!(f, "fails for all {} values (all tried)", number(self.runs + 1))?
            }
            (Open::Whole, None) => write!(f, "failed for all {runs} other values tried")?,
            // A pattern without `_` has a single open part, such as `..`.
            (Open::Pattern(pattern), None) if self.together || !within::contains(pattern, "_") => {
                if self.every {
                    write!(f, "fails for every {pattern} (all tried)")?
                } else {
                    write!(f, "failed for all {runs} other values tried of the form {pattern}")?
                }
            }
            (Open::Pattern(pattern), None) => {
                let rest = "(everything else unchanged)";
                return write!(f, "failed for all {runs} other values tried with one _ replaced in {pattern} {rest}");
            }
        }
        f.write_str(if self.together { "" } else { UNCHANGED })
    }
}
