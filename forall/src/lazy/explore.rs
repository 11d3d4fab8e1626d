//! One depth of a search: every path up to it, or the first that fails.

use super::trail::{Search, Signal};
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
    /// Why there is more to be seen, if there is. The text says what to do.
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
fn prepare(property: &dyn Property, search: &Search, block: usize, depth: u32, explored: &mut Explored) -> bool {
    let quantifiers = property.outline().quantifiers.len();
    let made = search.try_out(block, || {
        let mut source = Source::search(depth);
        source.trust();
        catch(|| property.generate(&mut source, &[]).is_ok())
    });
    let (typed, space) = search.variables();
    let independent = typed as usize == quantifiers;
    // What is empty has no environment, so not all variables may have been seen.
    let is_empty = space == 0.0 && made.is_err();
    explored.inputs = ((independent || is_empty) && !space.is_nan()).then_some(space);
    independent && matches!(made, Ok(true))
}

/// Runs path after path, whatever they do.
fn run(property: &dyn Property, walk: &mut Walk<'_>, explored: &mut Explored) {
    loop {
        match catch(|| property.explore(walk)) {
            Ok(failure) => {
                explored.failure = failure.map(|failure| *failure);
                return;
            }
            Err(Unwound::Panic(caught)) if walk.building => {
                explored.trouble = Some(Trouble::Fault(format!(
                    "A generator panicked: {caught}.\nRepair it, or write `impl Arbitrary` with a `series` that does not."
                )));
                return;
            }
            Err(Unwound::Panic(caught)) => {
                explored.failure = Some(caught.into());
                return;
            }
            Err(Unwound::Signal(payload)) => match Signal::of(&*payload) {
                Some(signal) => {
                    explored.trouble = Some(trouble(signal));
                    return;
                }
                // The test was discarded by unwinding.
                None => {
                    walk.count(&Outcome::Discard);
                    match catch(|| walk.go_on()) {
                        Ok(true) => {}
                        Ok(false) => return,
                        Err(_) => {
                            explored.trouble = Some(trouble(Signal::Strayed));
                            return;
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
        Signal::Strayed | Signal::Undecided | Signal::NotDecidable => Trouble::Fault(
            "The property does not look at the same parts of the same input each time it runs, so its inputs cannot be \
             enumerated.\nRemove what it depends on beside its input: time, global state, the order of a hash map, parts of the \
             input that it changes."
                .to_owned(),
        ),
    }
}

/// Makes sure of a failure, and shows its input: it is made again by the choices on the trail.
fn show(tester: &Tester<'_>, search: &Search, block: usize, depth: u32, explored: &mut Explored) {
    let property = tester.property();
    let printed = search.show(block, || {
        let mut source = Source::search(depth);
        source.trust();
        catch(|| property.print(&mut source, &[]))
    });
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
