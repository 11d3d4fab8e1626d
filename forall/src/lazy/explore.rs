//! One depth of a search: every path up to it, or the first that fails.

use super::signal::Signal;
use super::trail::{Next, Search};
use super::walk::Walk;
use crate::choice::Source;
use crate::panic::{Unwound, catch};
use crate::property::{Binding, Failure, Outcome, Property};
use crate::run::Tester;

/// What was found up to a depth.
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
pub struct Explored {
    /// The depth.
    pub depth: u32,
    /// How often the body of the property was called, and those of the quantifiers in it.
    pub evaluations: u64,
    /// How many of the paths were discarded.
    pub discarded: u64,
    /// How many inputs there are up to this depth, if that is known.
    pub inputs: Option<f64>,
    /// How the property fails, if it does.
    pub failure: Option<Failure>,
    /// The variables of the input that fails. What the property did not look at is `_`.
    pub bindings: Vec<Binding>,
    /// What `note!` said of it.
    pub notes: Vec<String>,
    /// The same input with less in it, if some of what was looked at does not matter.
    pub widened: Option<Widened>,
    /// Why there is more to be seen, if there is. The text says what to do.
    pub trouble: Option<Trouble>,
}

/// A counterexample of which everything is left out that can be anything, up to the depth of the search.
///
/// ```
/// use forall::lazy::{Lazy, List, explore};
/// use forall::prelude::*;
///
/// let property = property! { forall xs: Lazy<List<bool>>; check xs.len() < 2 };
/// let explored = explore(&property, 4);
/// assert_eq!(explored.bindings[0].printed.text(), "_:_:[]");
/// let widened = explored.widened.unwrap();
/// assert_eq!(widened.bindings[0].printed.text(), "_:_:_");
/// assert_eq!(widened.evaluations, 3, "it may be followed by none, one or two more");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Widened {
    /// Its variables.
    pub bindings: Vec<Binding>,
    /// How many evaluations it rests on: everything that what was left out can be, up to the depth.
    pub evaluations: u64,
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
pub enum Trouble {
    /// There was no time, or there were no evaluations, left.
    Spent,
    /// The property, or one of its generators, does what cannot be searched.
    Fault(String),
}

impl Explored {
    /// Whether every input up to the depth was covered, and none fails.
    ///
    /// ```
    /// use forall::{lazy::explore, prelude::*};
    /// let property = property! { forall n: i8; check *n < 3 };
    /// assert!(explore(&property, 2).holds() && !explore(&property, 3).holds());
    /// ```
    pub fn holds(&self) -> bool {
        self.failure.is_none() && self.trouble.is_none()
    }
}

/// Searches all inputs of a property up to a depth.
///
/// ```
/// use forall::{lazy::explore, prelude::*};
/// let property = property! { forall n: i8; check *n < 3 };
/// let explored = explore(&property, 3);
/// assert_eq!(explored.bindings[0].printed.text(), "3");
/// ```
pub fn explore(property: &dyn Property, depth: u32) -> Explored {
    explore_within(&Tester::new("", property, 0), depth, u64::MAX, || false)
}

/// The same, with at most `limit` evaluations, and until `is_over`.
pub(crate) fn explore_within(
    tester: &Tester<'_>,
    depth: u32,
    limit: u64,
    is_over: impl Fn() -> bool + 'static,
) -> Explored {
    let property = tester.property();
    let search = Search::new(limit, is_over);
    let _active = tester.context().activate();
    let mut explored = Explored { depth, ..Explored::default() };
    search.enter(|| {
        search.in_block(depth, |block| {
            let independent = prepare(property, &search, block, depth, &mut explored);
            if explored.inputs == Some(0.0) {
                return;
            }
            let mut walk = Walk::new(&search, block, depth, independent);
            run(property, &mut walk, &mut explored);
            (explored.evaluations, explored.discarded) = (search.evaluations(), walk.discarded);
            if explored.failure.is_some() {
                show(tester, &search, block, depth, &mut explored);
                if explored.trouble.is_none() {
                    explored.widened = search.uncounted(|| widen(property, &search, block, depth));
                }
            }
        });
    });
    explored
}

/// How many inputs a property has up to a depth, if that is known.
pub(crate) fn inputs(property: &dyn Property, depth: u32) -> Option<f64> {
    let search = Search::new(0, || false);
    let mut explored = Explored::default();
    search.enter(|| search.in_block(depth, |block| prepare(property, &search, block, depth, &mut explored)));
    explored.inputs
}

/// Makes one environment, to see what it is made of. Whether its variables are drawn by their types, all of them.
pub(super) fn prepare(
    property: &dyn Property,
    search: &Search,
    block: usize,
    depth: u32,
    explored: &mut Explored,
) -> bool {
    let quantifiers = property.outline().quantifiers.len();
    let made = search.try_out(block, || {
        let mut source = trusting(depth);
        catch(|| property.generate(&mut source, &[]).is_ok())
    });
    let (typed, space) = search.variables();
    let independent = typed as usize == quantifiers;
    // What is empty has no environment, so not all variables may have been seen.
    let is_empty = space == 0.0 && made.is_err();
    explored.inputs = ((independent || is_empty) && !space.is_nan()).then_some(space);
    independent && matches!(made, Ok(true))
}

/// Runs path after path, whatever they do. Whether it stopped to be cut.
pub(super) fn run(property: &dyn Property, walk: &mut Walk<'_>, explored: &mut Explored) -> bool {
    loop {
        match catch(|| property.explore(walk)) {
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
                    explored.trouble = Some(trouble(signal));
                    return false;
                }
                // The test was discarded by unwinding.
                None => {
                    walk.count(&Outcome::Discard);
                    match catch(|| walk.go_on()) {
                        Ok(true) => {}
                        Ok(false) => return false,
                        Err(_) => {
                            explored.trouble = Some(trouble(Signal::Strayed));
                            return false;
                        }
                    }
                }
            },
        }
    }
}

fn trouble(signal: Signal) -> Trouble {
    match signal {
        Signal::Spent => Trouble::Spent,
        Signal::Endless => Trouble::Fault(
            "One evaluation forced millions of deferred values: most likely an infinite structure is walked to its end.\n\
             Bound what the property looks at, for example with a `take`."
                .to_owned(),
        ),
        Signal::Strayed | Signal::Undecided | Signal::NotDecidable | Signal::Cut => Trouble::Fault(
            "The property does not look at the same parts of the same input each time it runs, so its inputs cannot be \
             enumerated.\nRemove what it depends on beside its input: time, global state, the order of a hash map, parts of the \
             input that it changes."
                .to_owned(),
        ),
    }
}

/// Shows the input of a path that was found to fail elsewhere.
pub(super) fn show_path(tester: &Tester<'_>, path: &[u32], explored: &mut Explored) {
    let (search, depth, property) = (Search::new(u64::MAX, || false), explored.depth, tester.property());
    search.enter(|| {
        search.in_block(depth, |block| {
            search.begin_part(block, path);
            search.begin_environment(block);
            let _ = catch(|| property.run(&mut Source::search(depth), &[]).is_ok());
            show(tester, &search, block, depth, explored);
            if explored.trouble.is_none() {
                explored.widened = widen(property, &search, block, depth);
            }
        });
    });
}

/// Makes sure of a failure, and shows its input: it is made again by the choices on the trail.
fn show(tester: &Tester<'_>, search: &Search, block: usize, depth: u32, explored: &mut Explored) {
    let property = tester.property();
    let printed = search.show(block, || catch(|| property.print(&mut trusting(depth), &[])));
    if let Ok(Ok(bindings)) = printed {
        explored.bindings = bindings;
    }
    let context = tester.context();
    context.want_notes(true);
    let mut walk = Walk::new(search, block, depth, false);
    let mut source = walk.begin();
    let again = search.uncounted(|| catch(|| property.run(&mut source, &[])));
    explored.notes = context.take_notes();
    context.want_notes(false);
    match again {
        Ok(Ok(Outcome::Fail(_))) | Err(Unwound::Panic(_)) => {}
        _ => explored.trouble = Some(trouble(Signal::Strayed)),
    }
}

/// The most evaluations that it may take to find out that a part can be anything.
const MOST_TO_WIDEN: u64 = 500;

/// Lets go of one decided cell after the other, those that were looked at first before others, as long as everything fails.
fn widen(property: &dyn Property, search: &Search, block: usize, depth: u32) -> Option<Widened> {
    let (path, mut pins) = search.pins(block);
    let (mut evaluations, mut is_wider) = (0, false);
    for cell in 0..pins.len() {
        if pins.is_inside_free(cell) {
            continue;
        }
        pins.set_free(cell, true);
        search.pin(block, pins);
        let fails = all_fail(property, search, block, depth);
        pins = search.unpin(block);
        pins.set_free(cell, fails.is_some());
        if let Some(tried) = fails {
            (evaluations, is_wider) = (tried, true);
        }
    }
    search.restore(block, path, &pins);
    let printed = search.show(block, || catch(|| property.print(&mut trusting(depth), &[])));
    match printed {
        Ok(Ok(bindings)) if is_wider => Some(Widened { bindings, evaluations }),
        _ => None,
    }
}

/// How many evaluations it took to see that every path fails; none if one does not, or if there are too many.
fn all_fail(property: &dyn Property, search: &Search, block: usize, depth: u32) -> Option<u64> {
    let mut tried = 0;
    loop {
        search.begin_environment(block);
        let fails = match catch(|| property.run(&mut Source::search(depth), &[])) {
            Ok(Ok(outcome)) => outcome.is_fail(),
            Err(Unwound::Panic(_)) => true,
            Ok(Err(_)) | Err(Unwound::Signal(_)) => false,
        };
        tried += 1;
        if !fails || tried > MOST_TO_WIDEN {
            return None;
        }
        match catch(|| search.advance(block, false)) {
            Ok(Next::Done) => return Some(tried),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}

/// A source that does not have assumptions looked at: for what is only made to be shown.
fn trusting(depth: u32) -> Source {
    let mut source = Source::search(depth);
    source.trust();
    source
}
