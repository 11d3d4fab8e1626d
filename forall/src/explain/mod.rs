//! What of a counterexample matters: which parts of it can be anything, and the property fails all the same.
//!
//! After shrinking, [`Explainer`] varies the parts of the minimal case, one at a time and then together, and says of those
//! that never made the property pass that they can be anything: with the number of runs that this rests on. Runs are all
//! the evidence there is, so a claim is a very good guess, not a proof, unless every other value was tried.
//!
//! `claims.rs` decides what to vary and in which order, and `part.rs` how thoroughly. `joint.rs` varies all that is open at
//! once, and `relations.rs` looks at two variables at a time, with the pairs of values that `pairs.rs` makes. `vary.rs` runs
//! the case with other contents for a part: those that the generator makes (`contents.rs`) and those that programs treat
//! apart (`notable.rs`). `tree.rs` and `pattern.rs` find the place of a part in the text of a value. A runner of your own
//! gets all of it by [`Session::found`]. What an exhaustive search found is varied by searching: `lazy/widen.rs` tries all that a
//! part can be up to the depth.
//!
//! [`Session::found`]: crate::run::Session::found

mod claims;
mod contents;
mod joint;
mod notable;
mod pairs;
mod part;
mod pattern;
mod relations;
mod tree;
mod vary;

use crate::property::{Failure, FailureKind};
use crate::run::{Case, Tester};
use crate::within;
use std::fmt;
use std::time::{Duration, Instant};
use vary::Vary;

/// Finds out what of a failing case matters.
///
/// ```
/// use forall::explain::{Claim, Explainer, Open};
/// use forall::prelude::*;
/// use forall::{choice::Sequence, run::{Case, Tested, Tester}};
///
/// let property = property! { forall n: u32; forall flag: bool; check *n < 100 };
/// let tester = Tester::new("small", &property, 1);
/// let minimal = Case { sequence: Sequence::from_values(100, &[100, 0]), steps: vec![] };
/// let (minimal, Tested::Fail(failure)) = tester.run(&minimal) else { panic!("100 is not below 100") };
///
/// let explanation = Explainer::new(&tester, minimal, failure).explain();
/// let [Claim::Any(flag)] = &explanation.claims[..] else { panic!("only the flag does not matter") };
/// assert_eq!((flag.variable, &flag.open, flag.every), (1, &Open::Whole, true));
/// ```
pub struct Explainer<'a> {
    tester: &'a Tester<'a>,
    case: Case,
    failure: Failure,
    max_runs: u64,
    max_time: Duration,
}

impl<'a> Explainer<'a> {
    /// The runs that an explanation may take unless you say otherwise.
    ///
    /// ```
    /// assert_eq!(forall::explain::Explainer::RUNS, forall::run::Settings::new().explain);
    /// ```
    pub const RUNS: u64 = 2000;

    /// The time that an explanation may take unless you say otherwise. It is for properties that are slow: others are done
    /// long before, so that the same case is explained in the same way. Those of which it is too little for a hundred runs are
    /// not explained at all.
    ///
    /// ```
    /// assert_eq!(forall::explain::Explainer::TIME.as_secs(), 5);
    /// ```
    pub const TIME: Duration = Duration::from_secs(5);

    /// An explainer of `case`, which fails with `failure` and cannot be made simpler.
    ///
    /// ```
    /// # use forall::{explain::Explainer, prelude::*, run::{Case, Tested, Tester}};
    /// let property = property! { forall n: u64; check n.count_ones() > 64 };
    /// let tester = Tester::new("bits", &property, 1);
    /// let (case, Tested::Fail(failure)) = tester.run(&Case::default()) else { panic!("it always fails") };
    /// assert_eq!(Explainer::new(&tester, case, failure).explain().claims.len(), 1);
    /// ```
    pub fn new(tester: &'a Tester<'a>, case: Case, failure: Failure) -> Self {
        Self { tester, case, failure, max_runs: Self::RUNS, max_time: Self::TIME }
    }

    /// Stops after so many runs, or so long. What was not found out by then is not claimed.
    ///
    /// ```
    /// # use forall::{explain::Explainer, prelude::*, run::{Case, Tested, Tester}};
    /// # use std::time::Duration;
    /// let property = property! { forall n: u64; check n.count_ones() > 64 };
    /// let tester = Tester::new("bits", &property, 1);
    /// let (case, Tested::Fail(failure)) = tester.run(&Case::default()) else { panic!("it always fails") };
    /// let explanation = Explainer::new(&tester, case, failure).limits(3, Duration::from_secs(5)).explain();
    /// assert_eq!(explanation.evaluations, 3);
    /// assert!(explanation.claims.is_empty(), "three runs say too little");
    /// ```
    pub fn limits(mut self, runs: u64, time: Duration) -> Self {
        self.max_runs = runs;
        self.max_time = time;
        self
    }

    /// Varies the parts of the case. The same case is explained in the same way, unless the time runs out.
    ///
    /// ```
    /// # use forall::{choice::Sequence, explain::{Claim, Explainer, Open}, prelude::*, run::{Case, Tested, Tester}};
    /// let property = property! { forall xs: Vec<u8>; check xs.len() < 3 };
    /// let tester = Tester::new("short", &property, 1);
    /// let three = Case { sequence: Sequence::from_values(100, &[1, 0, 1, 0, 1, 0, 0]), steps: vec![] };
    /// let (three, Tested::Fail(failure)) = tester.run(&three) else { panic!("three are not fewer than three") };
    /// let explanation = Explainer::new(&tester, three, failure).explain();
    /// let [Claim::Any(xs)] = &explanation.claims[..] else { panic!("there is one variable") };
    /// assert_eq!(xs.open, Open::Pattern("vec![_, _, _, ..]".to_owned()));
    /// ```
    pub fn explain(self) -> Explanation {
        #[cfg(feature = "lazy")]
        if let Some(depth) = self.case.searched_to() {
            return crate::lazy::explain_path(self.tester, &self.case, depth, self.max_runs);
        }
        let started = Instant::now();
        let mut explanation = Explanation::default();
        // What takes too long takes too long for this, too; and is not the same in each run.
        if self.max_runs > 0 && self.failure.kind != FailureKind::Deadline {
            let mut vary = Vary::new(self.tester, self.case, self.failure, self.max_runs, self.max_time);
            explanation.claims = claims::claims(&mut vary);
            explanation.evaluations = vary.evaluations;
            explanation.cut_short = vary.cut_short;
            explanation.slow = vary.slow;
        }
        explanation.time = started.elapsed();
        explanation
    }
}

/// What of a counterexample matters, as far as it was found out.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Run, Settings, Store};
/// let property = property! { forall a: u32; forall b: u32; check a != b };
/// let settings = Settings::new().seed(1).store(Store::Off);
/// let explanation = Run::new("different", &property).settings(settings).report().counterexample.unwrap().explanation;
/// assert!(explanation.claims[0].to_string().starts_with("fails whenever a == b"));
/// assert!(explanation.evaluations > 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// What can be said.
    pub claims: Vec<Claim>,
    /// How many inputs were run for that.
    pub evaluations: u64,
    /// How long it took.
    pub time: Duration,
    /// Why it stopped before all parts were looked at, if it did.
    pub cut_short: Option<String>,
    /// Whether that was the clock: another run may say more, or less.
    pub slow: bool,
}

/// One thing that is said of a counterexample. As text it reads well behind the variable's line.
///
/// ```
/// use forall::explain::{Any, Claim, Open};
/// let claim = Claim::Any(Any { variable: 0, open: Open::Whole, together: true, runs: 100, every: false, up_to_depth: None });
/// assert_eq!(claim.to_string(), "or any other value (100 runs)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// A variable, or parts of it, can have any value.
    Any(Any),
    /// Two variables, or parts of one, matter only by how they are related.
    Related(Related),
}

/// A variable, or parts of it, can have any other value: the property failed in the same way in every run.
///
/// "Any value" is any that the generator makes and the assumptions of the property allow.
///
/// ```
/// use forall::explain::{Any, Claim, Open};
/// let pattern = Open::Pattern("Point { x: _, y: 0 }".to_owned());
/// let claim = Claim::Any(Any { variable: 0, open: pattern, together: true, runs: 100, every: false, up_to_depth: None });
/// assert_eq!(claim.to_string(), "or any Point { x: _, y: 0 } (100 runs)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Any {
    /// The variable, by its place among the counterexample's variables.
    pub variable: usize,
    /// What of it can be anything.
    pub open: Open,
    /// Whether all that is open, here and in other variables, can be anything at the same time; if not, one at a time.
    pub together: bool,
    /// The runs, with different values each, that all failed.
    pub runs: u64,
    /// Whether there are no other values than those that were tried.
    pub every: bool,
    /// For what an exhaustive search found: the depth up to which there are no others.
    pub up_to_depth: Option<u32>,
}

/// What of a variable can be anything.
///
/// ```
/// use forall::explain::Open;
/// assert_ne!(Open::Whole, Open::Pattern("vec![_, ..]".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Open {
    /// All of it.
    Whole,
    /// What is `_` in this text; where it has `..`, there can be more elements.
    Pattern(String),
}

/// How two variables, or two parts of one, are related when the property fails: it failed in every run in which they were.
///
/// ```
/// use forall::explain::{Claim, Related, Relation};
/// let (left, right, relation) = ("a", "b", Relation::Equal);
/// let related = Related { left, relation, right, within: None, alone: true, failed: 30, passed: Some(40) };
/// let text = Claim::Related(related.clone()).to_string();
/// assert_eq!(text, "fails whenever a == b (30 runs), passed otherwise (40 runs)");
/// let text = Claim::Related(Related { passed: None, ..related.clone() }).to_string();
/// assert_eq!(text, "fails whenever a == b (30 runs)");
///
/// let within = Some("xs = vec![x, y]".to_owned());
/// let related = Related { left: "x", relation: Relation::Greater, right: "y", within, ..related };
/// let text = Claim::Related(related).to_string();
/// assert_eq!(text, "fails whenever x > y in xs = vec![x, y] (30 runs), passed otherwise (40 runs)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// One variable, or the name of a part in `within`.
    pub left: &'static str,
    /// How it is related to the other.
    pub relation: Relation,
    /// The other.
    pub right: &'static str,
    /// The variable that both are parts of, with their names in their places.
    pub within: Option<String>,
    /// Whether there are no other variables; if there are, they were left as they are.
    pub alone: bool,
    /// The runs in which they were so related. All failed.
    pub failed: u64,
    /// The runs in which they were not, if all of them passed; none if some failed, too.
    pub passed: Option<u64>,
}

/// How two values are related.
///
/// ```
/// use forall::explain::Relation;
/// assert_eq!(Relation::AtMost.to_string(), "<=");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Equal => "==",
            Relation::Different => "!=",
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
        })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Any(any) => any.fmt(f),
            Claim::Related(Related { left, relation, right, within, alone, failed, passed }) => {
                write!(f, "fails whenever {left} {relation} {right}")?;
                if let Some(within) = within {
                    write!(f, " in {within}")?;
                }
                let rest = if *alone { "" } else { ", the rest as it is" };
                write!(f, "{rest} ({})", runs(*failed))?;
                if let Some(passed) = passed { write!(f, ", passed otherwise ({})", runs(*passed)) } else { Ok(()) }
            }
        }
    }
}

impl fmt::Display for Any {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.open, self.every && self.up_to_depth.is_none(), self.runs) {
            (Open::Whole, true, 1) => f.write_str("or the other value")?,
            (Open::Whole, true, _) => write!(f, "or any of the {} other values", self.runs)?,
            (Open::Whole, false, _) => f.write_str("or any other value")?,
            // With one open place there is nothing to choose from.
            (Open::Pattern(pattern), ..) if self.together || !within::contains(pattern, "_") => {
                write!(f, "or any {pattern}")?
            }
            (Open::Pattern(pattern), ..) => write!(f, "or {pattern} with any value for one _")?,
        }
        if !self.together {
            f.write_str(", the rest as it is")?;
        }
        if let Some(depth) = self.up_to_depth {
            return write!(f, " (all up to depth {depth}: {})", runs(self.runs));
        }
        match (&self.open, self.every) {
            (Open::Whole, true) => Ok(()),
            (_, true) => f.write_str(" (all tried)"),
            _ => write!(f, " ({})", runs(self.runs)),
        }
    }
}

fn runs(count: u64) -> String {
    crate::report::count(count, "run")
}
