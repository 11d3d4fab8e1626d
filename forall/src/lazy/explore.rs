//! One depth of a search: every path up to it, or the first that fails.

use super::late;
use super::path::{self, Path, trusting, with_remarks};
use super::pending;
use super::signal::Signal;
use super::trail::Search;
use super::twin::Pruning;
use super::variables::search_of;
use super::widen::widen;
use crate::choice::Rejected;
use crate::explain::{Explainer, Explanation};
use crate::fact::Fact;
use crate::panic::{Unwound, catch};
use crate::property::walk::Walk;
use crate::property::{Binding, Failure, Outcome, Property};
use crate::run::{Case, Tester};

/// The result of a search up to a depth.
///
/// ```
/// use forall::lazy::{List, explore};
/// use forall::prelude::*;
///
/// let property = property! { forall xs: List<bool>; check xs.len() < 3 };
/// let explored = explore(&property, 3);
/// assert_eq!((explored.evaluations, explored.inputs), (4, Some(15.0)));
/// assert_eq!(explored.bindings[0].printed.text(), "_:_:_:[]");
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Exploration {
    /// The depth.
    pub depth: u32,
    /// The number of evaluations of the property: its assumptions (`implies`) and, if they hold, its body. Includes
    /// calls of the bodies of its quantifiers.
    pub evaluations: u64,
    /// The number of discarded paths.
    #[doc(hidden)]
    pub discarded: u64,
    /// The number of inputs up to this depth, if known.
    pub inputs: Option<f64>,
    /// The failure of the property, if it fails.
    pub failure: Option<Failure>,
    /// The variables of the input that fails. Parts that the property did not read are `_`.
    #[doc(hidden)]
    pub bindings: Vec<Binding>,
    /// The failing input, to save and replay.
    pub case: Option<Case>,
    /// The notes that the failing test wrote with `note!`.
    #[doc(hidden)]
    pub notes: Vec<String>,
    /// The explanation: what else the input could be, up to the depth.
    #[doc(hidden)]
    pub explanation: Explanation,
    /// Whether a nested quantifier requested that its witnesses be shown.
    pub(crate) asks_for_witnesses: bool,
    /// Whether there is a nested quantifier, whose values are not counted among the inputs.
    pub(crate) nests: bool,
    /// The number of paths that passed.
    pub(crate) checked: u64,
    /// Statistics on the inputs that preconditions rejected.
    pub(crate) pruning: Pruning,
    /// Why the search is incomplete, if it is. The text says what to do.
    #[doc(hidden)]
    pub trouble: Option<Trouble>,
}

/// Why a search stopped early.
///
/// ```
/// use forall::lazy::{Lazy, Trouble, explore};
/// use forall::prelude::*;
///
/// fn ones() -> Lazy<Option<Lazy<u32>>> { Lazy::defer(|| Some(Lazy::new(1))) }
/// let property = property! { forall n: u8; check { while ones().is_some() {} true } };
/// assert!(matches!(explore(&property, 1).trouble, Some(Trouble::Fault(_))), "it would run forever");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Trouble {
    /// Time or evaluations ran out.
    Spent,
    /// The property, or one of its generators, cannot be searched.
    Fault(Fact),
}

impl Exploration {
    /// Returns whether every input up to the depth was covered, and none fails. False if all of them were discarded.
    ///
    /// ```
    /// use forall::{lazy::explore, prelude::*};
    /// let property = property! { forall n: i8; check *n < 3 };
    /// assert!(explore(&property, 2).holds() && !explore(&property, 3).holds());
    /// assert!(!explore(&property! { forall n: i8; implies *n > 9; check *n > 8 }, 3).holds());
    /// ```
    pub fn holds(&self) -> bool {
        self.is_complete() && (self.checked > 0 || self.discarded == 0)
    }

    /// Whether the search was completed without finding a failure.
    pub(crate) fn is_complete(&self) -> bool {
        self.failure.is_none() && self.trouble.is_none()
    }
}

/// Searches all inputs of a property up to a depth. A counterexample is rerun, printed and generalised: parts that were
/// read but do not matter are identified.
///
/// ```
/// use forall::lazy::{Lazy, List, explore};
/// use forall::prelude::*;
///
/// let property = property! { forall xs: Lazy<List<bool>>; check xs.len() < 2 };
/// let explored = explore(&property, 4);
/// assert_eq!(explored.bindings[0].printed.text(), "_:_:[]");
/// // It may be followed by none, one or two more elements.
/// assert_eq!(explored.explanation.claims[0].to_string(), "fails for every _:_:_ up to depth 4 (3 runs)");
/// ```
pub fn explore(property: &dyn Property, depth: u32) -> Exploration {
    let tester = Tester::new("", property, 0);
    let mut explored = search(property, depth);
    if let Some(case) = explored.case.clone() {
        path::take(property, &case, depth, |path| show(&tester, path, &mut explored));
    }
    explored
}

/// Like [`explore`], but the counterexample is not rerun, printed or generalised: for custom runners, where
/// [`Session::found`] does this, and for benchmarks.
///
/// ```
/// use forall::lazy::{List, search};
/// use forall::prelude::*;
///
/// let property = property! { forall xs: List<bool>; check xs.len() < 3 };
/// let found = search(&property, 3);
/// assert!(found.bindings.is_empty());
/// assert_eq!(found.case.unwrap().searched_to(), Some(3));
/// ```
#[doc(hidden)]
pub fn search(property: &dyn Property, depth: u32) -> Exploration {
    explore_within(&Tester::new("", property, 0), depth, u64::MAX, || false)
}

/// Like `explore`, with at most `limit` evaluations, and until `is_over` returns true. A counterexample is not printed.
pub(crate) fn explore_within(
    tester: &Tester<'_>,
    depth: u32,
    limit: u64,
    is_over: impl Fn() -> bool + 'static,
) -> Exploration {
    let property = tester.property();
    let search = Search::new(limit, is_over);
    let _active = tester.context().activate();
    let mut explored = Exploration { depth, ..Exploration::default() };
    search.enter(|| {
        search.in_block(depth, |block| {
            let (inputs, independent) = prepare(property, &search, block, depth);
            explored.inputs = inputs;
            if inputs == Some(0.0) {
                return;
            }
            let mut walk = Walk::new(&search, block, depth, independent);
            run(property, &mut walk, &mut explored);
            (explored.evaluations, explored.discarded) = (search.evaluations(), walk.discarded);
            explored.checked = walk.checked;
            explored.pruning = search.rejections.pruning.get();
            explored.asks_for_witnesses = search.asks_for_witnesses();
            explored.nests = search.nests.get();
            explored.case = explored.failure.as_ref().map(|_| path::case(&search, block, depth));
        });
    });
    explored
}

/// Returns the number of inputs of a property up to a depth, if it is known.
pub(crate) fn inputs(property: &dyn Property, depth: u32) -> Option<f64> {
    let search = Search::new(0, || false);
    search.enter(|| search.in_block(depth, |block| prepare(property, &search, block, depth))).0
}

/// Builds one environment, to find out how many inputs there are, if known, and whether all variables are drawn from
/// their types and therefore independent of each other.
pub(super) fn prepare(property: &dyn Property, search: &Search, block: usize, depth: u32) -> (Option<f64>, bool) {
    let quantifiers = property.outline().quantifiers.len();
    let made = search.try_out(block, || {
        let mut source = trusting(depth);
        catch(|| property.generate(&mut source, &[]).is_ok())
    });
    let (typed, space) = search.variables();
    let independent = typed as usize == quantifiers;
    // An empty domain has no environment, so not all variables may have been seen.
    let is_empty = space == 0.0 && made.is_err();
    let inputs = ((independent || is_empty) && !space.is_nan()).then_some(space);
    (inputs, independent && matches!(made, Ok(true)))
}

/// Runs one path after the other, whatever their outcome. Returns whether it stopped so that the part can be split.
pub(super) fn run(property: &dyn Property, walk: &mut Walk<'_>, explored: &mut Exploration) -> bool {
    let is_cut = run_paths(property, walk, explored);
    let search = search_of(walk.search);
    if explored.is_complete() && search.rejects_wrongly(property, walk.depth, walk.independent) {
        explored.trouble = Some(Trouble::Fault(Fact::SearchUnsteady));
    }
    is_cut
}

fn run_paths(property: &dyn Property, walk: &mut Walk<'_>, explored: &mut Exploration) -> bool {
    late::was_read_late();
    loop {
        let ended = pending::explore(search_of(walk.search), property, walk);
        if late::was_read_late() {
            explored.trouble = Some(Trouble::Fault(Fact::SearchLookedLate));
            return false;
        }
        match ended {
            Ok(failure) => {
                explored.failure = failure.map(|failure| *failure);
                return false;
            }
            Err(Unwound::Panic(caught)) if walk.building => {
                let fact = Fact::SearchGeneratorPanicked { message: caught.to_string() };
                explored.trouble = Some(Trouble::Fault(fact));
                return false;
            }
            Err(Unwound::Panic(caught)) => {
                explored.failure = Some(caught.into());
                return false;
            }
            Err(Unwound::Signal(payload)) => match Signal::of(&*payload) {
                Some(Signal::Cut) => return true,
                Some(signal) => {
                    explored.trouble = Some(trouble(signal, property, walk));
                    return false;
                }
                // The test was discarded by unwinding.
                None => {
                    Rejected::was_raised();
                    // Values rejected by a series or a generator are not inputs.
                    if !walk.building {
                        walk.count(&Outcome::Discard);
                    }
                    match catch(|| walk.go_on()) {
                        Ok(true) => {}
                        Ok(false) => return false,
                        Err(_) => {
                            explored.trouble = Some(trouble(Signal::Strayed, property, walk));
                            return false;
                        }
                    }
                }
            },
        }
    }
}

fn trouble(signal: Signal, property: &dyn Property, walk: &Walk<'_>) -> Trouble {
    match signal {
        Signal::Spent => Trouble::Spent,
        Signal::Endless => {
            let mut shown = Vec::new();
            for Binding { name, printed, .. } in walk.path(property).print().unwrap_or_default() {
                shown.push(beginning(format!("{name} = {}", printed.text())));
            }
            for inner in search_of(walk.search).endless_for.take().into_iter().rev() {
                shown.push(beginning(inner));
            }
            Trouble::Fault(Fact::SearchEndless { input: shown })
        }
        Signal::Unsteady => Trouble::Fault(Fact::SearchUnsteady),
        Signal::Strayed | Signal::Undecided | Signal::NotDecidable | Signal::Cut => {
            Trouble::Fault(walk.strayed_at(property))
        }
    }
}

/// The beginning of a text that may be long.
fn beginning(text: String) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The number of characters to show of a value that was read endlessly.
const MAX_SHOWN: usize = 80;

/// Confirms a failure by rerunning it, prints its input, and generalises it.
fn show(tester: &Tester<'_>, path: &Path<'_>, explored: &mut Exploration) {
    let context = tester.context();
    let _active = context.activate();
    context.want_notes(true);
    path.search.listen();
    let again = path.evaluate();
    explored.notes = context.take_notes();
    context.want_notes(false);
    match again {
        Ok(Outcome::Fail(failure)) => explored.failure = Some(with_remarks(*failure, path.search)),
        Err(Unwound::Panic(_)) => {}
        Ok(_) => explored.trouble = Some(Trouble::Fault(Fact::SearchDoesNotRepeat)),
        Err(Unwound::Signal(signal)) => {
            let walk = Walk::new(path.search, path.block, path.depth, false);
            explored.trouble = Some(trouble(Signal::of(&*signal).unwrap_or(Signal::Strayed), path.property, &walk));
        }
    }
    path.search.take_remarks();
    explored.bindings = path.print().unwrap_or_default();
    if explored.trouble.is_none() {
        widen(path, Explainer::RUNS, &mut explored.explanation);
    }
}
