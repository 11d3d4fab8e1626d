//! Nested quantifiers. Connectives are in `connectives.rs`.

use super::pending::Pending;
use super::remarks::{Remark, short_name};
use super::signal::Signal;
use super::trail::{Next, Search, with_current};
use super::unique::Witnesses;
use super::variables::variable;
use crate::choice::Rejected;
use crate::context::is_active;
use crate::generate::Arbitrary;
use std::any::type_name;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Begins an existential quantifier: `exists().check(|x: &T| …)`. The exhaustive runner decides it, up to the depth of
/// the search.
///
/// ```
/// use forall::lazy::{exists, explore};
/// use forall::prelude::*;
///
/// let property = property! { forall n: i8; check exists().check(|m: &i8| n + m == 0) };
/// assert!(explore(&property, 3).holds());
/// let property = property! { forall n: i8; check exists().check(|m: &i8| *m > *n) };
/// assert_eq!(explore(&property, 2).bindings[0].printed.text(), "2", "there is no larger one up to depth 2");
/// ```
///
/// It searches to the same depth as the enclosing quantifier. If there is no witness up to that depth, there may still
/// be a deeper one: [`deeper_by`](Nested::deeper_by) searches further.
pub fn exists() -> Nested {
    Nested::new(Kind::Exists)
}

/// Begins a universal quantifier: `for_all().check(|x: &T| …)`. The exhaustive runner decides it, up to the depth of
/// the search.
///
/// ```
/// use forall::lazy::{exists, explore, for_all};
/// use forall::prelude::*;
///
/// // There is a least natural number.
/// let property = property! { check exists().check(|least: &u8| for_all().check(|n: &u8| least <= n)) };
/// assert!(explore(&property, 3).holds());
/// ```
pub fn for_all() -> Nested {
    Nested::new(Kind::Forall)
}

/// Begins a quantifier for exactly one value: `exists_unique().check(|x: &T| …)`. The exhaustive runner decides it, up
/// to the depth of the search.
///
/// ```
/// use forall::lazy::{exists_unique, explore};
/// use forall::prelude::*;
///
/// let property = property! { forall n: i8; check exists_unique().check(|m: &i8| n + m == 0) };
/// assert!(explore(&property, 3).holds());
/// ```
pub fn exists_unique() -> Nested {
    Nested::new(Kind::Unique)
}

/// A quantifier inside a property, see [`exists`], [`for_all`] and [`exists_unique`].
#[derive(Clone, Copy, Debug)]
#[must_use = "a quantifier does nothing without a body: call `.check(|x: &Type| …)`"]
pub struct Nested {
    kind: Kind,
    deeper: i32,
    /// The name of its variable; empty if it has none.
    name: &'static str,
    shown: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Forall,
    Exists,
    Unique,
}

impl Nested {
    fn new(kind: Kind) -> Self {
        Self { kind, deeper: 0, name: "", shown: false }
    }

    /// Searches deeper than the enclosing quantifier, or less deep if `levels` is negative.
    ///
    /// ```
    /// use forall::lazy::{exists, explore};
    /// use forall::prelude::*;
    ///
    /// let property = property! { forall n: i8; check exists().deeper_by(1).check(|m: &i8| *m > *n) };
    /// assert!(explore(&property, 3).holds());
    /// ```
    #[doc(hidden)]
    pub fn deeper_by(mut self, levels: i32) -> Self {
        self.deeper += levels;
        self
    }

    /// Sets the name of its variable in reports. `property!` sets it automatically.
    ///
    /// ```
    /// use forall::lazy::{exists, explore};
    /// use forall::prelude::*;
    ///
    /// let property = property! { check exists().named("m").check(|m: &i8| *m > 3) };
    /// let failure = explore(&property, 3).failure.unwrap();
    /// assert_eq!(failure.message, "the property returned false\nno witness for `m: i8` up to depth 3");
    /// ```
    #[doc(hidden)]
    pub fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Makes the runner show the witnesses found for the first inputs of each depth. In `property!`:
    /// `exists m: i8, shown;`.
    ///
    /// ```
    /// use forall::prelude::*;
    /// use forall::run::{Run, Settings, Store};
    ///
    /// let property = property! { forall n: i8; exists m: i8, shown; check n + m == 0 };
    /// let settings = Settings::new().runner("exhaustive").depth(1).store(Store::Off);
    /// let report = Run::new("inverse", &property).settings(settings).report();
    /// assert_eq!(report.searched[1].witnesses, ["n = -1: m = 1", "n = 0: m = 0", "n = 1: m = -1"]);
    /// ```
    #[doc(hidden)]
    pub fn shown(mut self) -> Self {
        self.shown = true;
        self
    }

    /// Returns whether the quantifier holds. For several variables, use a tuple: `|(x, y): &(A, B)|`.
    ///
    /// Other runners cannot decide this: the run ends with the verdict `NotDecidable`, which explains what to do.
    /// `assume!` in the body discards the whole test; to exclude some values of the variable write `condition && …`, or
    /// `!condition
    /// || …` for a universal quantifier. Call it on the property's thread.
    ///
    /// ```
    /// use forall::lazy::exists;
    /// use forall::prelude::*;
    /// use forall::run::{Run, Settings, Store, Verdict};
    ///
    /// let property = property! { forall n: i8; check exists().check(|m: &i8| n.wrapping_add(*m) == 0) };
    /// let run = |settings: Settings| Run::new("inverse", &property).settings(settings.store(Store::Off)).report().verdict;
    /// assert!(matches!(run(Settings::new()), Verdict::NotDecidable(_)));
    /// assert_eq!(run(Settings::new().runner("exhaustive").depth(3)), Verdict::Passed);
    /// ```
    pub fn check<T: Arbitrary + Debug>(self, body: impl Fn(&T) -> bool) -> bool {
        with_current(|search| match search {
            Some(search) => self.search(search, &body),
            None if is_active() => Signal::NotDecidable.unwind(),
            // Nothing on this thread would handle the signal.
            None => panic!("a nested quantifier must be called on the thread that runs the property"),
        })
    }

    fn search<T: Arbitrary + Debug>(self, search: &Search, body: &dyn Fn(&T) -> bool) -> bool {
        search.raise_again();
        let depth = search.inherited_depth().saturating_add_signed(self.deeper);
        search.nests.set(true);
        if self.shown {
            search.ask_for_witnesses();
        }
        let remarks = search.remarked();
        if search.is_empty::<T>(depth) {
            let holds = self.kind == Kind::Forall;
            if remarks.is_some() && !holds {
                let variable = self.variable::<T>();
                search.remark(Remark::Against(format!(
                    "`{variable}` has no values up to depth {depth}, so there is no witness"
                )));
            }
            return holds;
        }
        search.in_block(depth, |block| {
            search.name_block(block, self.name, type_name::<T>());
            let is_unique = self.kind == Kind::Unique;
            let none = || if is_unique { Witnesses::of::<T>(depth) } else { Witnesses::default() };
            let mut witnesses = none();
            if is_unique {
                search.count_open(block);
            }
            loop {
                search.begin_environment(block);
                let next = match make::<T>(search, block) {
                    None => search.advance(block, false),
                    Some(value) => loop {
                        search.begin_evaluation();
                        if let Some(remarks) = remarks {
                            search.forget_remarks(remarks + witnesses.count());
                        }
                        let judged = self.judge(search, block, &value, body);
                        let decides = match self.kind {
                            Kind::Forall => judged == Some(false),
                            Kind::Exists => judged == Some(true),
                            Kind::Unique => false,
                        };
                        if !decides && search.restarts(block) {
                            witnesses = none();
                            break Next::Rebuild;
                        }
                        let Some(holds) = judged else {
                            break search.advance(block, false);
                        };
                        if remarks.is_some() {
                            self.remark_on(search, &value, holds);
                        }
                        match (holds, self.kind) {
                            (false, Kind::Forall) => return false,
                            (true, Kind::Exists) => return true,
                            (true, Kind::Unique) => {
                                witnesses.add(search, block, &value);
                                if witnesses.count() > 1 {
                                    self.remark_at_the_end::<T>(search, remarks, depth, "more than one witness");
                                    return false;
                                }
                            }
                            _ => {}
                        }
                        match search.advance(block, self.kind != Kind::Unique) {
                            Next::Resume => {}
                            next => break next,
                        }
                    },
                };
                if next == Next::Done {
                    let holds = match self.kind {
                        Kind::Forall => true,
                        Kind::Exists => false,
                        Kind::Unique => witnesses.count() == 1,
                    };
                    if !holds {
                        self.remark_at_the_end::<T>(search, remarks, depth, "no witness");
                    }
                    return holds;
                }
            }
        })
    }

    /// The result of the body for a value of a block; `None` if a part of the value that it read cannot be built: then
    /// there is no such value.
    fn judge<T: Debug>(self, search: &Search, block: usize, value: &T, body: &dyn Fn(&T) -> bool) -> Option<bool> {
        let ended = catch_unwind(AssertUnwindSafe(|| body(value)));
        if search.pending.get() == Some(Pending::Signal(Signal::Endless)) {
            search.endless_for.borrow_mut().push(self.shows(value));
        }
        search.settle(block, ended).unwrap_or_else(|payload| resume_unwind(payload))
    }

    /// `m = 3`
    fn shows<T: Debug>(self, value: &T) -> String {
        let name = if self.name.is_empty() { short_name(type_name::<T>()) } else { self.name.to_owned() };
        format!("{name} = {value:?}")
    }

    /// Records a remark about a value that decides the quantifier.
    #[cold]
    fn remark_on<T: Debug>(self, search: &Search, value: &T, holds: bool) {
        let text = self.shows(value);
        match (holds, self.kind) {
            (true, Kind::Exists | Kind::Unique) => search.remark(Remark::Witness(text)),
            (false, Kind::Forall) => search.remark(Remark::Against(format!("does not hold for {text}"))),
            _ => {}
        }
    }

    /// Records a remark when no single value decides it.
    #[cold]
    fn remark_at_the_end<T>(self, search: &Search, remarks: Option<usize>, depth: u32, what: &str) {
        if let Some(remarks) = remarks {
            search.forget_remarks(remarks);
            let variable = self.variable::<T>();
            search.remark(Remark::Against(format!("{what} for `{variable}` up to depth {depth}")));
        }
    }

    /// Its variable: `m: i8`.
    fn variable<T>(self) -> String {
        let of_type = short_name(type_name::<T>());
        if self.name.is_empty() { of_type } else { format!("{}: {of_type}", self.name) }
    }
}

/// A value of the innermost block; `None` if its choices produce none.
pub(super) fn make<T: Arbitrary>(search: &Search, block: usize) -> Option<T> {
    match search.settle(block, catch_unwind(AssertUnwindSafe(|| variable(search)))) {
        Ok(value) => value,
        Err(payload) if payload.is::<Rejected>() => {
            Rejected::was_raised();
            None
        }
        Err(payload) => resume_unwind(payload),
    }
}
