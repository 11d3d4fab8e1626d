//! Explanation of a counterexample: which parts can be anything, and the property still fails.
//!
//! After shrinking, [`Explainer`] varies the parts of the minimal case, one at a time and then together, and reports
//! those that never made the property pass, with the number of values tried. A claim states only its evidence.
//!
//! `claims.rs` decides what to vary and in which order, and `part.rs` how thoroughly. `joint.rs` varies all that is open at
//! once. `relations.rs` looks at up to three variables at a time, with the values that `pairs.rs` makes, counted by `tally.rs`. `vary.rs` runs
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
mod tally;
mod tree;
mod vary;

use crate::fact::Fact;
use crate::property::{Failure, FailureKind};
use crate::testing::{Case, Tester};
use std::fmt;
use std::time::{Duration, Instant};
use vary::Vary;

/// How a search explains a case that it found: with the depth of the search, and in at most so many evaluations.
pub(crate) struct OfSearch(pub(crate) fn(&Tester<'_>, &Case, u32, u64) -> Explanation);

inventory::collect!(OfSearch);

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
/// let [Claim::Any(flag), Claim::Related(n)] = &explanation.claims[..] else { panic!("there are two variables") };
/// assert_eq!((flag.variable, &flag.open, flag.every), (1, &Open::Whole, true));
/// assert_eq!((n.terms[0].to_string(), n.terms[1].to_string()), ("n".to_owned(), "100".to_owned()));
/// ```
#[doc(hidden)]
pub struct Explainer<'a> {
    tester: &'a Tester<'a>,
    case: Case,
    failure: Failure,
    max_runs: u64,
    max_time: Duration,
    briefly: bool,
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

    /// Creates an explainer of the minimal `case`, which fails with `failure`.
    ///
    /// ```
    /// # use forall::{explain::Explainer, prelude::*, run::{Case, Tested, Tester}};
    /// let property = property! { forall n: u64; check n.count_ones() > 64 };
    /// let tester = Tester::new("bits", &property, 1);
    /// let (case, Tested::Fail(failure)) = tester.run(&Case::default()) else { panic!("it always fails") };
    /// assert_eq!(Explainer::new(&tester, case, failure).explain().claims.len(), 1);
    /// ```
    pub fn new(tester: &'a Tester<'a>, case: Case, failure: Failure) -> Self {
        Self { tester, case, failure, max_runs: Self::RUNS, max_time: Self::TIME, briefly: false }
    }

    /// Stops after so many runs, or so long. What was not found out by then is not claimed. What no run refuted is tested
    /// with up to ten times as many runs, where that is quick.
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

    /// Does not test further what no run has refuted: each run is more to read, where the body prints.
    pub(crate) fn briefly(mut self, briefly: bool) -> Self {
        self.briefly = briefly;
        self
    }

    /// Varies the parts of the case. The explanation of a case is deterministic, unless the time runs out.
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
        if let Some(depth) = self.case.searched_to() {
            let search = inventory::iter::<OfSearch>().next();
            return search
                .map_or_else(Explanation::default, |search| (search.0)(self.tester, &self.case, depth, self.max_runs));
        }
        let started = Instant::now();
        let mut explanation = Explanation::default();
        // What takes too long takes too long for this, too; and is not the same in each run.
        if self.max_runs > 0 && self.failure.kind != FailureKind::Deadline {
            let mut vary = Vary::new(self.tester, self.case, self.failure, self.max_runs, self.max_time);
            vary.tests_more = !self.briefly;
            explanation.claims = claims::claims(&mut vary);
            explanation.evaluations = vary.evaluations;
            explanation.cut_short = vary.cut_short;
            explanation.slow = vary.slow;
        }
        explanation.time = started.elapsed();
        explanation
    }
}

/// The explanation of a counterexample: which parts matter.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{Run, Settings, Store};
/// let property = property! { forall a: u32; forall b: u32; check a != b };
/// let settings = Settings::new().seed(1).store(Store::Off);
/// let explanation = Run::new("different", &property).settings(settings).report().counterexample.unwrap().explanation;
/// assert!(explanation.claims[0].to_string().contains(" tried with a == b, passed for all "));
/// assert!(explanation.evaluations > 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The claims.
    pub claims: Vec<Claim>,
    /// The number of inputs that were run.
    pub evaluations: u64,
    /// The time it took.
    pub time: Duration,
    /// Why it stopped before all parts were looked at, if it did.
    #[doc(hidden)]
    pub cut_short: Option<Fact>,
    /// Whether that was the clock: another run may say more, or less.
    #[doc(hidden)]
    pub slow: bool,
}

/// A claim about a counterexample. Its `Display` follows the variable's line in the report.
///
/// ```
/// use forall::explain::{Any, Claim, Open};
/// let claim = Claim::Any(Any { variable: 0, open: Open::Whole, together: true, runs: 1200, every: false, up_to_depth: None });
/// assert_eq!(claim.to_string(), "failed for all 1,200 others tried");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// The property failed whatever the value of a variable, or of parts of it.
    #[doc(hidden)]
    Any(Any),
    /// Variables, or parts of one, matter only by how they are related.
    #[doc(hidden)]
    Related(Related),
}

/// The property failed in the same way in every run in which a variable, or parts of it, had another value.
///
/// Other values are those that the generator produces and the assumptions of the property allow.
///
/// ```
/// use forall::explain::{Any, Claim, Open};
/// let pattern = Open::Pattern("Point { x: _, y: 0 }".to_owned());
/// let claim = Claim::Any(Any { variable: 0, open: pattern, together: true, runs: 100, every: false, up_to_depth: None });
/// assert_eq!(claim.to_string(), "failed for all 100 others tried of the form Point { x: _, y: 0 }");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Any {
    /// The variable, by its place among the counterexample's variables.
    #[doc(hidden)]
    pub variable: usize,
    /// What of it can be anything.
    #[doc(hidden)]
    pub open: Open,
    /// Whether all that is open, here and in other variables, can be anything at the same time; if not, one at a time.
    #[doc(hidden)]
    pub together: bool,
    /// The runs, with different values each, that all failed.
    #[doc(hidden)]
    pub runs: u64,
    /// Whether there are no other values than those that were tried.
    #[doc(hidden)]
    pub every: bool,
    /// For what an exhaustive search found: the depth up to which there are no others.
    #[doc(hidden)]
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
#[doc(hidden)]
pub enum Open {
    /// All of it.
    Whole,
    /// What is `_` in this text; where it has `..`, there can be more elements.
    Pattern(String),
}

/// How variables, or parts of one, are related when the property fails: it failed in every run in which they were.
///
/// ```
/// use forall::explain::{Claim, Related, Relation, Term};
/// let value = |name: &str| Term::Value(name.to_owned());
/// let (terms, relation) = (vec![value("a"), value("b")], Relation::Equal);
/// let related = Related { terms, relation, within: None, alone: true, failed: 30, passed: Some(40) };
/// let text = Claim::Related(related.clone()).to_string();
/// assert_eq!(text, "failed for all 30 tried with a == b, passed for all 40 others");
/// let text = Claim::Related(Related { passed: None, ..related.clone() }).to_string();
/// assert_eq!(text, "failed for all 30 tried with a == b");
/// let text = Claim::Related(Related { passed: Some(1), ..related.clone() }).to_string();
/// assert_eq!(text, "failed for all 30 tried with a == b, passed for the other");
///
/// let terms = vec![value("x"), value("5000")];
/// let within = Some("xs = vec![x]".to_owned());
/// let related = Related { terms, relation: Relation::AtLeast, within, ..related };
/// let text = Claim::Related(related).to_string();
/// assert_eq!(text, "failed for all 30 tried with x >= 5000 in xs = vec![x], passed for all 40 others");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Related {
    /// What is related, from left to right: two terms, or three of which each is so related to the next.
    #[doc(hidden)]
    pub terms: Vec<Term>,
    /// How each is related to the next.
    #[doc(hidden)]
    pub relation: Relation,
    /// The variable that all are parts of, with their names in their places.
    #[doc(hidden)]
    pub within: Option<String>,
    /// Whether there are no other variables; if there are, they were left as they are.
    #[doc(hidden)]
    pub alone: bool,
    /// The runs in which they were so related. All failed.
    #[doc(hidden)]
    pub failed: u64,
    /// The runs in which they were not, if all of them passed; none if some failed, too.
    #[doc(hidden)]
    pub passed: Option<u64>,
}

/// One side of a relation.
///
/// ```
/// use forall::explain::Term;
/// let terms = [Term::Value("a".to_owned()), Term::Length("xs".to_owned()), Term::Negated("b".to_owned())];
/// assert_eq!(terms.map(|term| term.to_string()), ["a", "xs.len()", "-b"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Term {
    /// The value of a variable, of a part by its name in [`Related::within`], or a number.
    Value(String),
    /// The length of a variable: its elements, or its characters.
    Length(String),
    /// The value of a variable, negated.
    Negated(String),
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Value(name) => f.write_str(name),
            Term::Length(name) => write!(f, "{name}.len()"),
            Term::Negated(name) => write!(f, "-{name}"),
        }
    }
}

/// How two values are related.
///
/// ```
/// use forall::explain::Relation;
/// assert_eq!(Relation::AtMost.to_string(), "<=");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
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
    /// They differ by at most so much.
    Within(u64),
    /// They differ by more than so much.
    Apart(u64),
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
            Relation::Within(limit) => return write!(f, "within {limit} of"),
            Relation::Apart(limit) => return write!(f, "more than {limit} from"),
        })
    }
}
