//! The operations of clients, with their times and results.

use crate::sort::order;
use std::fmt;

/// One operation of a history.
///
/// The [module page](crate::linearizability) has examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation<I, O> {
    /// The process that called it: a client, a thread. A process runs one operation at a time.
    pub process: u64,
    /// The input of the operation.
    pub input: I,
    /// The output, if known.
    pub output: Option<O>,
    /// The time of the call, on any clock that all processes share.
    pub call: u64,
    /// The time of the return. An operation that never returned may have happened at any time after its call, or not at
    /// all.
    pub returned: Option<u64>,
}

impl<I, O> Operation<I, O> {
    /// The sort key of operations: by process, and within a process by call time. Of two operations called at the same
    /// time, the one that returns immediately comes first, and one that never returns comes last.
    #[inline]
    pub(super) fn turn(&self) -> (u64, u64, u64, bool) {
        (self.process, self.call, self.returned.unwrap_or(u64::MAX), self.returned.is_none())
    }
}

/// A valid history of operations: no process runs two at once, and no operation returns before its call.
///
/// ```
/// use forall::linearizability::{History, Operation};
/// let at = |process, call| Operation { process, input: "get", output: Some(3), call, returned: Some(call + 10) };
/// assert!(History::new(vec![at(1, 0), at(2, 5), at(1, 10)]).is_ok());
/// let error = History::new(vec![at(1, 0), at(1, 5)]).unwrap_err();
/// assert!(error.to_string().starts_with("process 1 calls operation 1 while its operation 0 is pending"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<I, O> {
    operations: Vec<Operation<I, O>>,
}

/// The reason why operations are not a history. Operations are named by their position, from 0.
///
/// ```
/// use forall::linearizability::{History, HistoryError, Operation};
/// let backwards = Operation { process: 1, input: (), output: Some(()), call: 9, returned: Some(3) };
/// assert_eq!(History::new(vec![backwards]), Err(HistoryError::ReturnsBeforeCall { operation: 0 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryError {
    /// The clock goes backwards between call and return.
    #[doc(hidden)]
    ReturnsBeforeCall {
        /// Which operation.
        operation: usize,
    },
    /// A process calls an operation before its previous one has returned.
    #[doc(hidden)]
    TwoAtOnce {
        /// Which process.
        process: u64,
        /// The operation that is under way.
        before: usize,
        /// The one that it calls.
        operation: usize,
    },
    /// A process continues although one of its operations never returned.
    #[doc(hidden)]
    GoesOn {
        /// Which process.
        process: u64,
        /// The operation that never returned.
        before: usize,
        /// The one after it.
        operation: usize,
    },
}

impl fmt::Display for HistoryError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReturnsBeforeCall { operation } => {
                write!(f, "operation {operation} returns before it is called: take both times from one monotonic clock")
            }
            Self::TwoAtOnce { process, before, operation } => write!(
                f,
                "process {process} calls operation {operation} while its operation {before} is pending: give concurrent \
                 operations different process numbers"
            ),
            Self::GoesOn { process, before, operation } => write!(
                f,
                "process {process} calls operation {operation} although its operation {before} never returned: give the \
                 client a new process number after an operation with an unknown outcome"
            ),
        }
    }
}

impl std::error::Error for HistoryError {}

impl<I, O> History<I, O> {
    /// Creates a history of these operations, in any order.
    ///
    /// See [`History`].
    #[inline]
    pub fn new(operations: Vec<Operation<I, O>>) -> Result<Self, HistoryError> {
        let order = order(operations.len(), &|a, b| operations[a].turn().cmp(&operations[b].turn()));
        for (operation, at) in operations.iter().enumerate() {
            if at.returned.is_some_and(|returned| returned < at.call) {
                return Err(HistoryError::ReturnsBeforeCall { operation });
            }
        }
        for pair in order.windows(2) {
            let (before, operation) = (pair[0], pair[1]);
            let process = operations[before].process;
            if operations[operation].process != process {
                continue;
            }
            match operations[before].returned {
                None => return Err(HistoryError::GoesOn { process, before, operation }),
                Some(returned) if returned > operations[operation].call => {
                    return Err(HistoryError::TwoAtOnce { process, before, operation });
                }
                Some(_) => {}
            }
        }
        Ok(Self { operations })
    }

    /// Returns the operations, in the given order.
    ///
    /// ```
    /// use forall::linearizability::{History, Operation};
    /// let get = Operation { process: 1, input: "get", output: Some(3), call: 0, returned: Some(1) };
    /// assert_eq!(History::new(vec![get.clone()]).unwrap().operations(), [get]);
    /// ```
    pub fn operations(&self) -> &[Operation<I, O>] {
        &self.operations
    }

    /// Returns the same history with inputs and outputs of other types: converts what was read from a file into what an
    /// [`Object`] expects.
    ///
    /// ```
    /// use forall::linearizability::{History, Operation};
    /// let get = Operation { process: 1, input: "get", output: Some("3"), call: 0, returned: Some(1) };
    /// let history = History::new(vec![get]).unwrap();
    /// let history = history.try_map(|input| Ok(input.len()), |_, output| output.parse::<i32>());
    /// assert_eq!(history.unwrap().operations()[0].output, Some(3));
    /// ```
    #[doc(hidden)]
    pub fn try_map<J, P, E>(
        self,
        mut input: impl FnMut(I) -> Result<J, E>,
        mut output: impl FnMut(&J, O) -> Result<P, E>,
    ) -> Result<History<J, P>, E> {
        let mut operations = Vec::with_capacity(self.operations.len());
        for Operation { process, input: asked, output: answer, call, returned } in self.operations {
            let input = input(asked)?;
            let output = answer.map(|answer| output(&input, answer)).transpose()?;
            operations.push(Operation { process, input, output, call, returned });
        }
        Ok(History { operations })
    }
}
