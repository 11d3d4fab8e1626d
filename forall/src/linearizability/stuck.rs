//! Why a history has no explanation.

use super::{History, Object};
use std::fmt::Debug;

/// The longest order of operations that explains a part of a history, and the operations that cannot follow it.
///
/// ```
/// use forall::linearizability::{History, Object, Operation, Linearizability, check};
///
/// struct Counter;
/// impl Object for Counter {
///     type State = u32;
///     type Input = &'static str;
///     type Output = u32;
///     fn initial(&self) -> u32 { 0 }
///     fn apply(&self, next: &u32, _: &Self::Input, got: Option<&u32>) -> Option<u32> {
///         got.is_none_or(|got| got == next).then_some(next + 1)
///     }
/// }
///
/// let took = |process, output| {
///     Operation { process, input: "take", output: Some(output), call: process, returned: Some(9) }
/// };
/// let history = History::new(vec![took(1, 0), took(2, 1), took(3, 1)]).unwrap();
/// let Linearizability::Violation(stuck) = check(&Counter, &history) else { panic!("1 was taken twice") };
/// assert_eq!(stuck.explain(&Counter, &history), "\
/// These operations can be explained, in this order:
///   process 1   \"take\" -> 0    [1, 9]
///   process 2   \"take\" -> 1    [2, 9]
/// The state is then 2, and none of the operations that could come next can have returned its output:
///   process 3   \"take\" -> 1    [3, 9]
/// ");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The longest order that explains its operations, by their positions in the history.
    #[doc(hidden)]
    pub order: Vec<usize>,
    /// The operations that would have to come next, but cannot: none of them can have returned its output in the state
    /// after `order`. Empty if all operations are explained, but the object must not end in the resulting state.
    #[doc(hidden)]
    pub candidates: Vec<usize>,
}

impl Stuck {
    /// Describes the violation as text, with the times of call and return of each operation.
    ///
    /// See [`Stuck`].
    pub fn explain<O: Object>(&self, object: &O, history: &History<O::Input, O::Output>) -> String
    where
        O::State: Debug,
        O::Input: Debug,
        O::Output: Debug,
    {
        let mut state = object.initial();
        for &at in &self.order {
            let operation = &history.operations()[at];
            if let Some(after) = object.apply(&state, &operation.input, operation.output.as_ref()) {
                state = after;
            }
        }
        let state = format!("{state:?}");
        if self.candidates.is_empty() {
            return format!(
                "All operations can be explained, but the final state would be {state}, which is not allowed.\n"
            );
        }
        let rows = |which: &[usize]| -> Vec<[String; 3]> {
            let mut rows = Vec::new();
            for &at in which {
                let operation = &history.operations()[at];
                let output = operation.output.as_ref().map_or("?".to_owned(), |output| format!("{output:?}"));
                let returned = operation.returned.map_or("never".to_owned(), |returned| returned.to_string());
                rows.push([
                    format!("process {}", operation.process),
                    format!("{:?} -> {output}", operation.input),
                    format!("[{}, {returned}]", operation.call),
                ]);
            }
            rows
        };
        let mut text = if self.order.is_empty() {
            format!(
                "No operation can come first. The state is {state}, and none of these can have returned its output:\n"
            )
        } else {
            let head = "These operations can be explained, in this order:\n";
            let tail = "and none of the operations that could come next can have returned its output:\n";
            format!("{head}{}The state is then {state}, {tail}", lines(&rows(&self.order)))
        };
        text += &lines(&rows(&self.candidates));
        text
    }
}

/// The rows, aligned in columns.
#[inline]
fn lines(rows: &[[String; 3]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let mut text = String::new();
    for [who, what, when] in rows {
        text += &format!("  {who:<first$}   {what:<second$}    {when}\n");
    }
    text
}
