//! One depth of a search: every path up to it, or the first that fails.

use super::late;
use super::path::{self, Path, told, trusting};
use super::pending;
use super::signal::Signal;
use super::trail::Search;
use super::variables::search_of;
use super::widen::widen;
use crate::choice::Rejected;
use crate::explain::{Explainer, Explanation};
use crate::panic::{Unwound, catch};
use crate::property::walk::Walk;
use crate::property::{Binding, Failure, Outcome, Property};
use crate::run::{Case, Tester};
use crate::text::joined;

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
    /// How many of the paths were discarded.
    #[doc(hidden)]
    pub discarded: u64,
    /// The number of inputs up to this depth, if known.
    pub inputs: Option<f64>,
    /// How the property fails, if it does.
    pub failure: Option<Failure>,
    /// The variables of the input that fails. What the property did not look at is `_`.
    #[doc(hidden)]
    pub bindings: Vec<Binding>,
    /// The failing input, to save and replay.
    pub case: Option<Case>,
    /// What `note!` said of it.
    #[doc(hidden)]
    pub notes: Vec<String>,
    /// What else it can be, up to the depth.
    #[doc(hidden)]
    pub explanation: Explanation,
    /// Whether a quantifier inside asked for its witnesses to be shown.
    pub(crate) asks_for_witnesses: bool,
    /// Whether there is a quantifier inside: its values are not among the inputs.
    pub(crate) nests: bool,
    /// How many of the paths were not discarded, and passed.
    pub(crate) checked: u64,
    /// Why there is more to be seen, if there is. The text says what to do.
    #[doc(hidden)]
    pub trouble: Option<Trouble>,
}

/// Why a search ended before its end.
///
/// ```
/// use forall::lazy::{Lazy, Trouble, explore};
/// use forall::prelude::*;
///
/// fn ones() -> Lazy<Option<Lazy<u32>>> { Lazy::defer(|| Some(Lazy::new(1))) }
/// let property = property! { forall n: u8; check { while ones().is_some() {} true } };
/// assert!(matches!(explore(&property, 1).trouble, Some(Trouble::Fault(_))), "it would go on for ever");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Trouble {
    /// There was no time, or there were no evaluations, left.
    Spent,
    /// The property, or one of its generators, cannot be searched.
    Fault(String),
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

    /// Whether the search came to its end, and found nothing.
    pub(crate) fn is_complete(&self) -> bool {
        self.failure.is_none() && self.trouble.is_none()
    }
}

/// Searches all inputs of a property up to a depth. A counterexample is rerun, printed, and widened: parts that were
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

/// As [`explore`], but what is found is not run again, nor shown, nor widened: for runners of your own, where
/// [`Session::found`](crate::run::Session::found) sees to that, and for measurements.
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

/// The same, with at most `limit` evaluations, and until `is_over`. What is found is not shown.
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
            explored.asks_for_witnesses = search.asks_for_witnesses();
            explored.nests = search.nests.get();
            explored.case = explored.failure.as_ref().map(|_| path::case(&search, block, depth));
        });
    });
    explored
}

/// How many inputs a property has up to a depth, if that is known.
pub(crate) fn inputs(property: &dyn Property, depth: u32) -> Option<f64> {
    let search = Search::new(0, || false);
    search.enter(|| search.in_block(depth, |block| prepare(property, &search, block, depth))).0
}

/// Makes one environment, to see what it is made of: how many inputs there are, if that is known, and whether all variables
/// are drawn by their types, and so do not depend on each other.
pub(super) fn prepare(property: &dyn Property, search: &Search, block: usize, depth: u32) -> (Option<f64>, bool) {
    let quantifiers = property.outline().quantifiers.len();
    let made = search.try_out(block, || {
        let mut source = trusting(depth);
        catch(|| property.generate(&mut source, &[]).is_ok())
    });
    let (typed, space) = search.variables();
    let independent = typed as usize == quantifiers;
    // What is empty has no environment, so not all variables may have been seen.
    let is_empty = space == 0.0 && made.is_err();
    let inputs = ((independent || is_empty) && !space.is_nan()).then_some(space);
    (inputs, independent && matches!(made, Ok(true)))
}

/// Runs path after path, whatever they do. Whether it stopped to be cut.
pub(super) fn run(property: &dyn Property, walk: &mut Walk<'_>, explored: &mut Exploration) -> bool {
    late::was_looked_at();
    loop {
        let ended = pending::explore(search_of(walk.search), property, walk);
        if late::was_looked_at() {
            explored.trouble = Some(Trouble::Fault(late::LATE.to_owned()));
            return false;
        }
        match ended {
            Ok(failure) => {
                explored.failure = failure.map(|failure| *failure);
                return false;
            }
            Err(Unwound::Panic(caught)) if walk.building => {
                explored.trouble = Some(Trouble::Fault(format!(
                    "A generator panicked: {caught}.\nRepair it, or write `impl Arbitrary` with a `series` that does not."
                )));
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
                    // What a series or a generator rejects is no input.
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

/// What is said of one evaluation that does not end.
pub(super) const ENDLESS: &str = "One evaluation forced values without end: most likely an infinite structure is walked to its end.\n\
                                  Bound what the property looks at, for example with a `take`; and a variant that contains its own \
                                  type should cost some depth.";

/// What is said of a failure that is none when the input is tried again.
const DOES_NOT_REPEAT: &str = "The property fails for this input, and when it was run on the same input again it did not.\nRemove what \
                               it depends on beside its input: time, global state, the order of a hash map, parts of the \
                               input that it changes.";

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
            let input =
                if shown.is_empty() { String::new() } else { format!("\nIt did for {}.", joined(&shown, ", ")) };
            Trouble::Fault(format!("{ENDLESS}{input}"))
        }
        Signal::Strayed | Signal::Undecided | Signal::NotDecidable | Signal::Cut => {
            let place = walk.strayed_at(property);
            Trouble::Fault(format!(
                "The property does not look at the same parts of the same input each time it runs, so its inputs cannot be \
                 enumerated{place}.\nRemove what it depends on beside its input: time, global state, the order of a hash map, \
                 parts of the input that it changes."
            ))
        }
    }
}

/// The beginning of a text that may be long.
fn beginning(text: String) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// So many characters are shown of a value that was looked at without end.
const MOST_SHOWN: usize = 80;

/// Makes sure of a failure, shows its input, and widens it.
fn show(tester: &Tester<'_>, path: &Path<'_>, explored: &mut Exploration) {
    let context = tester.context();
    let _active = context.activate();
    context.want_notes(true);
    path.search.listen();
    let again = path.evaluate();
    explored.notes = context.take_notes();
    context.want_notes(false);
    match again {
        Ok(Outcome::Fail(failure)) => explored.failure = Some(told(*failure, path.search)),
        Err(Unwound::Panic(_)) => {}
        Ok(_) => explored.trouble = Some(Trouble::Fault(DOES_NOT_REPEAT.to_owned())),
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
