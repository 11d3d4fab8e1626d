//! A path of a search as an ordinary input: saved, rerun, printed, explained.
//!
//! A path is identified by its choices and its depth, which is what the [`Case`] of a search contains. Which cells they
//! decided is found by rerunning the property, so every operation on a path starts with that.

use super::beginning::Part;
use super::covers::covers;
use super::explore::prepare;
use super::pending;
use super::remarks::Remark;
use super::signal::Signal;
use super::trail::Search;
use super::variables::search_of;
use crate::choice::{Choice, Item, Sequence, Source};
use crate::fact::Fact;
use crate::panic::{Unwound, catch};
use crate::property::walk::Walk;
use crate::property::{Binding, Failure, FailureKind, Outcome, Property, Step};
use crate::testing::guest::Searching;
use crate::testing::{Case, Fault, Tested, Tester};
use std::any::Any;

/// A path being run: the search, its block, and whether assumptions are evaluated only once all variables are bound.
pub(super) struct Path<'a> {
    pub(super) property: &'a dyn Property,
    pub(super) search: &'a Search,
    pub(super) block: usize,
    pub(super) depth: u32,
    independent: bool,
}

impl<'a> Path<'a> {
    pub(super) fn new(property: &'a dyn Property, search: &'a Search, place: (usize, u32, bool)) -> Self {
        let (block, depth, independent) = place;
        Self { property, search, block, depth, independent }
    }

    /// Runs the property on it, once.
    pub(super) fn evaluate(&self) -> Result<Outcome, Unwound> {
        let mut walk = Walk::new(self.search, self.block, self.depth, self.independent).once();
        let failure = pending::explore(self.search, self.property, &mut walk)?;
        Ok(match failure {
            Some(failure) => Outcome::Fail(failure),
            None if walk.discarded > 0 => Outcome::Discard,
            None => Outcome::Pass,
        })
    }

    /// Its variables after evaluation, rebuilt from the choices on the trail. `None` if they cannot be printed.
    pub(super) fn print(&self) -> Option<Vec<Binding>> {
        let print = || self.property.print(&mut trusting(self.depth), &[]);
        self.search.show(self.block, || catch(print)).ok()?.ok()
    }
}

/// A source that does not evaluate assumptions: for values that are only built to be printed.
pub(super) fn trusting(depth: u32) -> Source {
    let mut source = Source::search(depth, super::choose_for_source);
    source.trust();
    source
}

/// The input of the path that a search is on.
pub(super) fn case(search: &Search, block: usize, depth: u32) -> Case {
    let mut items = Vec::new();
    for (value, max) in search.choices(block) {
        items.push(Item::Choice(Choice { value: value.into(), max: max.into() }));
    }
    let sequence = Sequence { size: depth, items, spans: Vec::new() };
    Case { sequence, steps: vec![Step::Search { depth }] }
}

/// Sets up a search at the start of the path of a case.
pub(super) fn take<R>(property: &dyn Property, case: &Case, depth: u32, body: impl FnOnce(&Path<'_>) -> R) -> R {
    let search = Search::new(u64::MAX, || false);
    search.enter(|| {
        search.in_block(depth, |block| {
            let independent = prepare(property, &search, block, depth).1;
            let mut beginning = Vec::new();
            for value in case.sequence.values() {
                beginning.push(value.min(u64::from(u32::MAX - 1)) as u32);
            }
            search.begin_part(block, &Part::beginning(beginning));
            body(&Path::new(property, &search, (block, depth, independent)))
        })
    })
}

/// Runs the case of a search, like [`Tester::run`].
pub(crate) fn run(tester: &Tester<'_>, case: &Case, depth: u32) -> (Case, Tested) {
    tester.context().beat();
    let _active = tester.context().activate();
    take(tester.property(), case, depth, |path| {
        path.search.listen();
        let tested = match path.evaluate() {
            Ok(Outcome::Pass) => Tested::Pass,
            Ok(Outcome::Discard) => Tested::Discard(None),
            Ok(Outcome::Fail(failure)) => Tested::Fail(with_remarks(*failure, path.search)),
            Err(unwound) => tester.unwound(unwound),
        };
        (self::case(path.search, path.block, depth), tested)
    })
}

/// A failure with the remarks of nested quantifiers added.
pub(super) fn with_remarks(mut failure: Failure, search: &Search) -> Failure {
    if failure.kind == FailureKind::Falsified {
        for remark in search.take_remarks() {
            if let Remark::Against(text) = remark {
                failure.message += &format!("\n{text}");
            }
        }
    }
    failure
}

/// Prints the variables of the case of a search, like [`Tester::print`].
pub(crate) fn print(property: &dyn Property, case: &Case, depth: u32) -> Vec<Binding> {
    take(property, case, depth, |path| {
        let _ = path.evaluate();
        path.print().unwrap_or_default()
    })
}

/// Witnesses of nested quantifiers for one input.
///
/// ```
/// use forall::lazy::witnesses;
/// use forall::prelude::*;
///
/// let property = property! { forall n: i8; exists m: i8; check n + m == 0 };
/// let found = witnesses(&property, 1, 10);
/// let text: Vec<String> = found.iter().map(|found| format!("{} {:?}", found.bindings[0].printed.text(), found.witnesses)).collect();
/// assert_eq!(text, ["-1 [\"m = 1\"]", "0 [\"m = 0\"]", "1 [\"m = -1\"]"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub struct Witnessed {
    /// The variables of the input. Parts that the property did not read are printed as `_`.
    pub bindings: Vec<Binding>,
    /// The witnesses, each with the name of its variable.
    pub witnesses: Vec<String>,
}

/// Returns the witnesses of the nested quantifiers of a property, up to a depth, for the first `most` inputs for which it
/// holds.
///
/// Parts of a witness that the body does not read are `_`. To have them shown by the runner, write
/// `exists m: i8, shown;` or [`exists().shown()`](super::Nested::shown).
///
/// ```
/// use forall::lazy::{Fun, witnesses};
/// use forall::prelude::*;
///
/// let property = property! { exists f: Fun<bool, bool>; forall x: bool; check f.call(x) != x };
/// assert_eq!(witnesses(&property, 1, 10)[0].witnesses, ["f = { false -> true; true -> false }"]);
/// ```
#[doc(hidden)]
pub fn witnesses(property: &dyn Property, depth: u32, most: usize) -> Vec<Witnessed> {
    let mut found = Vec::new();
    for case in &first_paths(property, depth, most) {
        let witnessed = take(property, case, depth, |path| {
            path.search.listen();
            if !matches!(path.evaluate(), Ok(Outcome::Pass)) {
                return None;
            }
            let mut witnesses = Vec::new();
            for remark in path.search.take_remarks() {
                if let Remark::Witness(text) = remark {
                    witnesses.push(text);
                }
            }
            Some(Witnessed { witnesses, bindings: path.print().unwrap_or_default() })
        });
        found.extend(witnessed.filter(|found| !found.witnesses.is_empty()));
    }
    found
}

/// The first paths of a search that do not fail.
fn first_paths(property: &dyn Property, depth: u32, most: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    take(property, &Case::default(), depth, |path| {
        while cases.len() < most && matches!(path.evaluate(), Ok(Outcome::Pass | Outcome::Discard)) {
            cases.push(case(path.search, path.block, depth));
            if !matches!(catch(|| path.search.advance(path.block, false)), Ok(next) if next != super::trail::Next::Done)
            {
                break;
            }
        }
    });
    cases
}

inventory::submit! { Searching { run, print, covers, fault } }

/// The fault that a signal means when it ends a single test.
fn fault(payload: &(dyn Any + Send)) -> Option<Fault> {
    Some(match Signal::of(payload)? {
        Signal::Endless => Fault::Search(Fact::SearchEndless { input: Vec::new() }),
        Signal::Unsteady => Fault::Search(Fact::SearchUnsteady),
        _ => Fault::NotDecidable,
    })
}

impl Walk<'_> {
    /// The path that it is on.
    pub(super) fn path<'p>(&'p self, property: &'p dyn Property) -> Path<'p> {
        Path::new(property, search_of(self.search), (self.block, self.depth, self.independent))
    }
}
