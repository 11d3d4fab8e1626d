//! Explanation of a counterexample: which parts can be anything without making the property pass.
//!
//! After shrinking, [`Explainer`] varies the parts of the minimal case, one at a time and then together, and reports
//! those that never made the property pass, with the number of values tried. A claim states only its evidence.
//!
//! `claims.rs` decides what to vary and in which order, and `part.rs` how thoroughly. `joint.rs` varies all open parts
//! at once. `relations.rs` looks at up to three variables at a time, with the values that `pairs.rs` makes, counted by
//! `tally.rs`. `vary.rs` runs the case with other contents for a part: generated ones (`contents.rs`) and values that
//! programs often treat specially (`notable.rs`). `effort.rs` has the number of runs, and `ahead.rs` other threads.
//! `tree.rs` and `pattern.rs` find the place of a part in the text of a value. A custom runner gets all of this through
//! [`Session::found`]. A counterexample of an exhaustive search is varied by search: `lazy/widen.rs` tries all values
//! of a part up to the depth.
//!
//! [`Session::found`]: crate::run::Session::found

#[cfg_attr(not(feature = "full"), path = "../lean/explaining.rs")]
mod ahead;
mod claims;
mod contents;
mod effort;
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
use ahead::{Ahead, Several, explain_on_threads};
use std::fmt;
use std::time::{Duration, Instant};
use vary::Vary;

/// How to explain a case found by an exhaustive search: takes the depth and the maximum number of evaluations.
pub(crate) struct OfSearch(pub(crate) fn(&Tester<'_>, &Case, u32, u64) -> Explanation);

inventory::collect!(OfSearch);

/// Finds out which parts of a failing case matter.
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
    several: Option<Several<'a>>,
}

impl<'a> Explainer<'a> {
    /// The default limit on runs for an explanation.
    ///
    /// ```
    /// assert_eq!(forall::explain::Explainer::RUNS, forall::run::Settings::new().explain);
    /// ```
    pub const RUNS: u64 = 2000;

    /// The default limit on the time of an explanation on one thread. It only affects slow properties: they get as many
    /// runs as fit into it. Properties that cannot run a hundred times within it are not explained at all.
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
        Self { tester, case, failure, max_runs: Self::RUNS, max_time: Self::TIME, briefly: false, several: None }
    }

    /// Stops after this many runs, or this much time. Whatever is not established by then is not claimed. Claims that
    /// no run has refuted are tested with up to ten times as many runs, if that is quick.
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

    /// Skips the additional tests of claims: every run prints output if the body prints.
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
        // A test that times out would time out here as well, but not consistently.
        if self.max_runs > 0 && self.failure.kind != FailureKind::Deadline {
            let on_threads = self.several.and_then(|several| {
                explain_on_threads(self.tester, several, |ahead| self.explain_ahead(ahead), &self.failure)
            });
            explanation = on_threads.unwrap_or_else(|| self.explain_ahead(Ahead::default()).0);
        }
        explanation.time = started.elapsed();
        explanation
    }

    /// Explains while other threads run ahead. Also returns the cases whose failures on those threads have to be
    /// confirmed.
    fn explain_ahead(&self, ahead: Ahead<'_>) -> (Explanation, Vec<Case>) {
        let mut vary =
            Vary::new(self.tester, self.case.clone(), self.failure.clone(), self.max_runs, self.max_time, ahead);
        vary.tests_more = !self.briefly;
        vary.time_the_case();
        let claims = claims::claims(&mut vary);
        let (evaluations, slow) = (vary.evaluations, vary.is_slow());
        let time = Duration::ZERO;
        (Explanation { claims, evaluations, time, cut_short: vary.cut_short, slow }, vary.ahead.checks)
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
/// assert!(explanation.claims[0].to_string().contains(" values tried with a == b, passed for all "));
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
    /// Why it stopped before all parts were examined, if it did.
    #[doc(hidden)]
    pub cut_short: Option<Fact>,
    /// Whether it has fewer runs because tests are slow: on another machine it may differ.
    #[doc(hidden)]
    pub slow: bool,
}

/// A claim about a counterexample. Its `Display` follows the variable's line in the report.
///
/// ```
/// use forall::explain::{Any, Claim, Open};
/// let claim = Claim::Any(Any { variable: 0, open: Open::Whole, together: true, runs: 1200, every: false, up_to_depth: None });
/// assert_eq!(claim.to_string(), "failed for all 1,200 other values tried");
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
/// assert_eq!(claim.to_string(), "failed for all 100 other values tried of the form Point { x: _, y: 0 }");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Any {
    /// The variable, by its place among the counterexample's variables.
    #[doc(hidden)]
    pub variable: usize,
    /// The parts of it that can be anything.
    #[doc(hidden)]
    pub open: Open,
    /// Whether all open parts, here and in other variables, can be anything at the same time; otherwise only one at a
    /// time.
    #[doc(hidden)]
    pub together: bool,
    /// The number of runs, each with a different value, that all failed.
    #[doc(hidden)]
    pub runs: u64,
    /// Whether the tried values are all there are.
    #[doc(hidden)]
    pub every: bool,
    /// For a counterexample of an exhaustive search: the depth up to which all values were tried.
    #[doc(hidden)]
    pub up_to_depth: Option<u32>,
}

/// The parts of a variable that can be anything.
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
    /// The pattern, with `_` for each open part; `..` stands for further elements.
    Pattern(String),
}

/// How variables, or parts of one, are related when the property fails: it failed in every run in which the relation
/// held.
///
/// ```
/// use forall::explain::{Claim, Related, Relation, Term};
/// let value = |name: &str| Term::Value(name.to_owned());
/// let (terms, relation) = (vec![value("a"), value("b")], Relation::Equal);
/// let related = Related { terms, relation, within: None, alone: true, failed: 30, passed: Some(40) };
/// let text = Claim::Related(related.clone()).to_string();
/// assert_eq!(text, "failed for all 30 values tried with a == b, passed for all 40 others");
/// let text = Claim::Related(Related { passed: None, ..related.clone() }).to_string();
/// assert_eq!(text, "failed for all 30 values tried with a == b");
/// let text = Claim::Related(Related { passed: Some(1), ..related.clone() }).to_string();
/// assert_eq!(text, "failed for all 30 values tried with a == b, passed for the only other one");
///
/// let terms = vec![value("x"), value("5000")];
/// let within = Some("xs = vec![x]".to_owned());
/// let related = Related { terms, relation: Relation::AtLeast, within, ..related };
/// let text = Claim::Related(related).to_string();
/// assert_eq!(text, "failed for all 30 values tried with x >= 5000 in xs = vec![x], passed for all 40 others");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Related {
    /// The related terms from left to right: two, or three with the relation between each and the next.
    #[doc(hidden)]
    pub terms: Vec<Term>,
    /// How each is related to the next.
    #[doc(hidden)]
    pub relation: Relation,
    /// The variable that contains all of them, with their names in their positions.
    #[doc(hidden)]
    pub within: Option<String>,
    /// Whether there are no other variables; otherwise these were left unchanged.
    #[doc(hidden)]
    pub alone: bool,
    /// The number of runs in which the relation held. All failed.
    #[doc(hidden)]
    pub failed: u64,
    /// The number of runs in which the relation did not hold, if all of them passed; `None` if some failed.
    #[doc(hidden)]
    pub passed: Option<u64>,
}

/// One side of a relation.
///
/// ```
/// use forall::explain::Term;
/// let terms = [Term::Value("a".to_owned()), Term::Length("xs".to_owned()), Term::Characters("s".to_owned())];
/// assert_eq!(terms.map(|term| term.to_string()), ["a", "xs.len()", "s.chars().count()"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Term {
    /// The value of a variable, of a part by its name in [`Related::within`], or a number.
    Value(String),
    /// The number of elements of a variable.
    Length(String),
    /// The number of characters of a string.
    Characters(String),
    /// The value of a variable, negated.
    Negated(String),
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Value(name) => f.write_str(name),
            Term::Length(name) => write!(f, "{name}.len()"),
            Term::Characters(name) => write!(f, "{name}.chars().count()"),
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
    /// They differ by at most this much.
    Within(u64),
    /// They differ by more than this.
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
