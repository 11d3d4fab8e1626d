//! Linearizability: whether some sequential order of operations explains what the clients of a shared object observed.
//!
//! A *history* has the times of call and return of each operation, and its output. It is *linearizable* if every
//! operation can be assigned one moment between its call and its return such that a sequential object would give the
//! same outputs. This module decides that, for histories from anywhere: a run of
//! [`machine::Parallel`](crate::machine::Parallel), a log of a cluster, a file.
//!
//! Define the object as a state and a step:
//!
//! ```
//! use forall::linearizability::{History, Object, Operation, check};
//!
//! struct Register;
//! #[derive(Clone, Debug)]
//! enum Call { Write(u8), Read }
//!
//! impl Object for Register {
//!     type State = u8;
//!     type Input = Call;
//!     type Output = u8;
//!     fn initial(&self) -> u8 { 0 }
//!     fn apply(&self, state: &u8, input: &Call, output: Option<&u8>) -> Option<u8> {
//!         match input {
//!             Call::Write(value) => Some(*value),
//!             Call::Read => output.is_none_or(|read| read == state).then_some(*state),
//!         }
//!     }
//! }
//!
//! let write = Operation { process: 0, input: Call::Write(1), output: Some(0), call: 0, returned: Some(10) };
//! let read = |call, value| {
//!     Operation { process: 1, input: Call::Read, output: Some(value), call, returned: Some(call + 2) }
//! };
//! // While the write is under way, its value may be seen or not; but not the old one after the new one.
//! let fine = History::new(vec![write.clone(), read(2, 0), read(5, 1)]).unwrap();
//! assert!(check(&Register, &fine).is_linearizable());
//! let wrong = History::new(vec![write, read(2, 1), read(5, 0)]).unwrap();
//! assert!(!check(&Register, &wrong).is_linearizable());
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | check each key of a store separately, which is much faster | [`Checker::check_by_key`] |
//! | read a history from a file | [`read_json_lines`] |
//! | check sequential consistency, which only preserves the order of each client's operations | [`Order::PerProcess`] |
//! | see why a history is not linearizable | [`Stuck`], which implements `Display` |
//! | stop a search that takes too long | [`Checker::limit`] |
//!
//! The algorithm is that of Wing and Gong with Lowe's table of known configurations. Operations that the object
//! declares read-only are placed as early as possible: this loses no explanation, and saves most of the search.

mod history;
mod reader;
mod search;
mod stuck;

pub use crate::json::JsonValue;
pub use history::{History, HistoryError, Operation};
pub use reader::{ReadError, read_json_lines};
pub use stuck::Stuck;

use search::Search;
use std::collections::HashMap;
use std::hash::Hash;

/// A sequential specification of an object: a state, and the effect of each operation on it.
///
/// The [module page](crate::linearizability) has a register.
pub trait Object {
    /// The state of the object.
    type State: Clone + PartialEq;
    /// The input of an operation.
    type Input;
    /// The output of an operation.
    type Output;

    /// Returns the initial state.
    fn initial(&self) -> Self::State;

    /// Returns the state after an operation, or `None` if `output` is impossible in `state`.
    ///
    /// `output` is `None` if the operation did not return: only its call is known.
    fn apply(&self, state: &Self::State, input: &Self::Input, output: Option<&Self::Output>) -> Option<Self::State>;

    /// Returns whether an operation with this output leaves every state in which it is possible unchanged: a read, or a
    /// failed compare-and-swap. `true` makes the search much faster; a wrong `true` makes its result wrong. By default
    /// `false`.
    ///
    /// ```
    /// # use forall::linearizability::Object;
    /// # struct Register;
    /// # enum Call { Write(u8), Read }
    /// impl Object for Register {
    ///     // …
    /// #   type State = u8;
    /// #   type Input = Call;
    /// #   type Output = u8;
    /// #   fn initial(&self) -> u8 { 0 }
    /// #   fn apply(&self, state: &u8, input: &Call, output: Option<&u8>) -> Option<u8> {
    /// #       match input {
    /// #           Call::Write(value) => Some(*value),
    /// #           Call::Read => output.is_none_or(|read| read == state).then_some(*state),
    /// #       }
    /// #   }
    ///     fn only_reads(&self, input: &Call, _: Option<&u8>) -> bool {
    ///         matches!(input, Call::Read)
    ///     }
    /// }
    /// assert!(Register.only_reads(&Call::Read, None) && !Register.only_reads(&Call::Write(1), None));
    /// ```
    fn only_reads(&self, input: &Self::Input, output: Option<&Self::Output>) -> bool {
        let _ = (input, output);
        false
    }

    /// Returns a hash of the state: the same for equal states, usually different for others. Where very many states are
    /// reachable by the same operations in another order (as in a list that is appended to), this makes the search much
    /// faster. By default 0, and states are compared one by one.
    ///
    /// ```
    /// use forall::linearizability::Object;
    /// use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    /// struct Log;
    /// impl Object for Log {
    ///     type State = Vec<u32>;
    ///     type Input = u32;
    ///     type Output = ();
    ///     fn initial(&self) -> Vec<u32> { Vec::new() }
    ///     fn apply(&self, state: &Vec<u32>, line: &u32, _: Option<&()>) -> Option<Vec<u32>> {
    ///         Some(state.iter().chain([line]).copied().collect())
    ///     }
    ///     fn digest(&self, state: &Vec<u32>) -> u64 {
    ///         BuildHasherDefault::<DefaultHasher>::default().hash_one(state)
    ///     }
    /// }
    /// assert_ne!(Log.digest(&vec![1, 2]), Log.digest(&vec![2, 1]));
    /// ```
    fn digest(&self, state: &Self::State) -> u64 {
        let _ = state;
        0
    }

    /// Returns whether the object may be in this state when all operations are over. By default any state is allowed.
    fn may_end(&self, state: &Self::State) -> bool {
        let _ = state;
        true
    }
}

/// The order of operations that an explanation must respect.
///
/// ```
/// use forall::linearizability::{Checker, Order};
/// # use forall::linearizability::{History, Object, Operation};
/// # struct Flag;
/// # impl Object for Flag {
/// #     type State = bool;
/// #     type Input = bool;
/// #     type Output = bool;
/// #     fn initial(&self) -> bool { false }
/// #     fn apply(&self, state: &bool, set: &bool, seen: Option<&bool>) -> Option<bool> {
/// #         if *set { Some(true) } else { (seen == Some(state)).then_some(*state) }
/// #     }
/// # }
/// # let set = Operation { process: 0, input: true, output: None, call: 0, returned: Some(1) };
/// # let miss = Operation { process: 1, input: false, output: Some(false), call: 5, returned: Some(6) };
/// # let history = History::new(vec![set, miss]).unwrap();
/// // Set, and later not seen by another client: the clocks say that this is wrong.
/// assert!(!Checker::new(&Flag).check(&history).is_linearizable());
/// assert!(Checker::new(&Flag).order(Order::PerProcess).check(&history).is_linearizable());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// An operation that returned before another was called comes first: linearizability.
    #[default]
    RealTime,
    /// The operations of each process stay in order; clocks are ignored: sequential consistency.
    PerProcess,
}

/// The result of a check.
///
/// ```
/// use forall::linearizability::Linearizability;
/// assert!(Linearizability::Linearizable(vec![1, 0]).is_linearizable());
/// assert!(!Linearizability::Undecided { configurations: 7 }.is_linearizable());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linearizability {
    /// The history is linearizable, in this order: the operations' positions in the history, first to last. Operations
    /// that never returned may be missing.
    Linearizable(Vec<usize>),
    /// The history is not linearizable.
    Violation(Stuck),
    /// The limit was reached before the check was decided.
    Undecided {
        /// The number of configurations that were searched.
        configurations: u64,
    },
}

impl Linearizability {
    /// Returns whether the history is linearizable.
    ///
    /// ```
    /// # use forall::linearizability::Linearizability;
    /// assert!(Linearizability::Linearizable(Vec::new()).is_linearizable(), "nothing happened");
    /// ```
    #[inline]
    pub fn is_linearizable(&self) -> bool {
        matches!(self, Linearizability::Linearizable(_))
    }
}

/// Checks a history with the default settings.
///
/// The [module page](crate::linearizability) has an example.
pub fn check<O: Object>(object: &O, history: &History<O::Input, O::Output>) -> Linearizability {
    Checker::new(object).check(history)
}

/// A checker of histories of an object.
///
/// ```
/// # use forall::linearizability::{Checker, History, Object, Operation};
/// /// Hands out each number once.
/// struct Counter;
/// impl Object for Counter {
///     type State = u32;
///     type Input = ();
///     type Output = u32;
///     fn initial(&self) -> u32 { 0 }
///     fn apply(&self, next: &u32, (): &(), got: Option<&u32>) -> Option<u32> {
///         got.is_none_or(|got| got == next).then_some(next + 1)
///     }
/// }
/// let took = |process, output| Operation { process, input: (), output: Some(output), call: 0, returned: Some(9) };
/// let checker = Checker::new(&Counter);
/// assert!(checker.check(&History::new(vec![took(1, 1), took(2, 0)]).unwrap()).is_linearizable());
/// assert!(!checker.check(&History::new(vec![took(1, 0), took(2, 0)]).unwrap()).is_linearizable());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Checker<'a, O> {
    object: &'a O,
    order: Order,
    limit: u64,
}

impl<'a, O: Object> Checker<'a, O> {
    /// Creates a checker for real-time order, without a limit.
    ///
    /// See [`Checker`].
    pub fn new(object: &'a O) -> Self {
        Self { object, order: Order::RealTime, limit: u64::MAX }
    }

    /// Sets the order that an explanation must respect. See [`Order`].
    pub fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Sets how many configurations may be searched before the check gives up; with
    /// [`check_by_key`](Checker::check_by_key), for each key.
    ///
    /// ```
    /// # use forall::linearizability::{Checker, History, Object, Operation, Linearizability};
    /// # struct Anything;
    /// # impl Object for Anything {
    /// #     type State = u64;
    /// #     type Input = ();
    /// #     type Output = ();
    /// #     fn initial(&self) -> u64 { 0 }
    /// #     fn apply(&self, n: &u64, (): &(), _: Option<&()>) -> Option<u64> { Some(n + 1) }
    /// # }
    /// let operation = |process| Operation { process, input: (), output: Some(()), call: 0, returned: Some(1) };
    /// let history = History::new((0..10).map(operation).collect()).unwrap();
    /// let verdict = Checker::new(&Anything).limit(3).check(&history);
    /// assert!(matches!(verdict, Linearizability::Undecided { .. }));
    /// ```
    pub fn limit(mut self, configurations: u64) -> Self {
        self.limit = configurations;
        self
    }

    /// Checks a history.
    ///
    /// See [`Checker`].
    pub fn check(&self, history: &History<O::Input, O::Output>) -> Linearizability {
        let all: Vec<usize> = (0..history.operations().len()).collect();
        let verdict = Search::new(self.object, history.operations(), all, self.order).advance(self.limit);
        verdict.unwrap_or(Linearizability::Undecided { configurations: self.limit })
    }

    /// Checks the operations on each key separately: correct if operations on one key never depend on another key, and
    /// much faster. The object describes the state of one key. [`Object::may_end`] is called for each key.
    ///
    /// For [`Order::PerProcess`] this is weaker than checking everything together: histories that are consistent per
    /// key need not be consistent together.
    ///
    /// ```
    /// # use forall::linearizability::{Checker, History, Object, Operation, Linearizability};
    /// # struct Register;
    /// # impl Object for Register {
    /// #     type State = u8;
    /// #     type Input = (&'static str, Option<u8>);
    /// #     type Output = u8;
    /// #     fn initial(&self) -> u8 { 0 }
    /// #     fn apply(&self, state: &u8, input: &Self::Input, output: Option<&u8>) -> Option<u8> {
    /// #         match input.1 {
    /// #             Some(value) => Some(value),
    /// #             None => (output == Some(state)).then_some(*state),
    /// #         }
    /// #     }
    /// # }
    /// let write = |key, value| (key, Some(value));
    /// let read = |key| (key, None);
    /// let at = |process, call, input, output| Operation { process, input, output, call, returned: Some(call + 1) };
    /// let history = History::new(vec![
    ///     at(0, 0, write("x", 1), None),
    ///     at(1, 0, write("y", 2), None),
    ///     at(0, 4, read("x"), Some(1)),
    ///     at(1, 4, read("y"), Some(0)),
    /// ]);
    /// let verdict = Checker::new(&Register).check_by_key(&history.unwrap(), |(key, _)| *key);
    /// assert!(matches!(verdict, Linearizability::Violation(stuck) if stuck.candidates == [3]));
    /// ```
    pub fn check_by_key<K: Eq + Hash>(
        &self,
        history: &History<O::Input, O::Output>,
        key: impl Fn(&O::Input) -> K,
    ) -> Linearizability {
        let (mut parts, mut places): (Vec<Vec<usize>>, HashMap<K, usize>) = Default::default();
        for (at, operation) in history.operations().iter().enumerate() {
            let place = *places.entry(key(&operation.input)).or_insert(parts.len());
            match parts.get_mut(place) {
                Some(part) => part.push(at),
                None => parts.push(vec![at]),
            }
        }
        self.check_parts(history, parts)
    }

    /// Checks parts in turns of increasing length: a part without an explanation is often found soon, while another may
    /// take long.
    fn check_parts(&self, history: &History<O::Input, O::Output>, parts: Vec<Vec<usize>>) -> Linearizability {
        const FIRST_TURN: u64 = 1000;
        let search = |part: Vec<usize>| Search::new(self.object, history.operations(), part, self.order);
        let mut searches: Vec<Search<'_, O>> = parts.into_iter().map(search).collect();
        let (mut order, mut turn, mut spent) = (Vec::new(), FIRST_TURN.min(self.limit), 0);
        while !searches.is_empty() {
            let mut undecided = Vec::new();
            for mut search in searches {
                match search.advance(turn) {
                    Some(Linearizability::Linearizable(part)) => order.extend(part),
                    Some(violation) => return violation,
                    None => undecided.push(search),
                }
            }
            searches = undecided;
            spent += turn;
            if spent >= self.limit && !searches.is_empty() {
                return Linearizability::Undecided { configurations: spent * searches.len() as u64 };
            }
            turn = (2 * turn).min(self.limit - spent.min(self.limit));
        }
        Linearizability::Linearizable(order)
    }
}
