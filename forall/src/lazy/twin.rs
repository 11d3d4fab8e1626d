//! Lazy twins of plain types: [`Twin`], which `#[forall(twin)]` and [`twin!`](crate::twin!) implement. The instances of the standard
//! library are in `twin/standard.rs`; what parameters with `given` expand to is in `twin/parameter.rs`.

pub(crate) mod condition;
pub(crate) mod parameter;
mod pruning;
mod standard;

pub(crate) use pruning::Pruning;
pub(super) use pruning::Rejections;

use super::Lazy;
use crate::Arbitrary;
use crate::generate::Code;
use std::fmt;

/// A plain type with a lazy twin: a type of the same shape whose fields are [`Lazy`].
///
/// Plain types (`Box`, `Vec`, `Option`) are enumerated value by value, because none of their parts can be left
/// undecided. A twin makes them searchable on demand, without a change to the code under test: a precondition over the
/// twin runs while most of it is undecided, and inputs that pass are converted into plain values.
///
/// `#[forall(twin)]` next to `#[derive(Arbitrary)]` generates the twin `TreeTwin` of `Tree`, and `#[forall(given = …)]`
/// names the precondition of a parameter:
///
/// ```
/// use forall::lazy::{Lazy, explore};
///
/// /// A search tree.
/// #[derive(forall::Arbitrary, Clone, Debug)]
/// #[forall(twin)]
/// enum Tree {
///     Leaf,
///     Node(Box<Tree>, i64, Box<Tree>),
/// }
///
/// fn insert(tree: Tree, key: i64) -> Tree {
///     match tree {
///         Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), key, Box::new(Tree::Leaf)),
///         Tree::Node(l, k, r) if key < k => Tree::Node(Box::new(insert(*l, key)), k, r),
///         Tree::Node(l, k, r) if key > k => Tree::Node(l, k, Box::new(insert(*r, key))),
///         same => same,
///     }
/// }
///
/// fn is_ordered(tree: &TreeTwin, low: i64, high: i64) -> bool {
///     match tree {
///         TreeTwin::Leaf => true,
///         TreeTwin::Node(l, k, r) => low < **k && **k < high && is_ordered(l, low, **k) && is_ordered(r, **k, high),
///     }
/// }
///
/// fn size(tree: &Tree) -> usize {
///     match tree {
///         Tree::Leaf => 0,
///         Tree::Node(l, _, r) => size(l) + 1 + size(r),
///     }
/// }
///
/// #[forall::test(runner = exhaustive, depth = 4)]
/// fn insert_adds_at_most_one(key: i64, #[forall(given = |t| is_ordered(t, -9, 9))] tree: Tree) {
///     assert!(size(&insert(tree.clone(), key)) <= size(&tree) + 1);
/// }
///
/// # fn main() {
/// let explored = explore(&insert_adds_at_most_one::property(), 4);
/// assert!(explored.holds());
/// // There are 4.5e7 pairs of a key and a tree up to depth 4. Most are covered by a part that is out of order.
/// assert!(explored.evaluations < 30_000);
/// # }
/// ```
///
/// In a twin, a number stays a number, a `Box<T>` is the twin of `T`, a `Vec<T>` a [`List`](super::List) of twins, a
/// `String` a list of characters, an `Option<T>` an `Option<Lazy<…>>`, a map a `BTreeMap` whose keys are decided with
/// the map and whose values are lazy. An enum without fields is its own twin. Depths are the same as for the plain
/// type. Parameters next to one with `given` are decided once the precondition holds; those passed by value need
/// `Clone`.
///
/// In [`property!`](crate::prelude::property!), quantify over the twin and convert it in the check:
///
/// ```
/// use forall::lazy::{Lazy, Twin, explore};
/// use forall::prelude::*;
///
/// #[derive(Arbitrary, Debug)]
/// #[forall(twin)]
/// struct Span { start: u8, end: u8 }
///
/// let property = property! {
///     forall span: Lazy<SpanTwin>;
///     implies *span.start <= *span.end;
///     check { let Span { start, end } = Span::plain(span); end.checked_sub(start).is_some() }
/// };
/// assert!(explore(&property, 4).holds());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no lazy twin",
    label = "no lazy twin",
    note = "for your own type, add `#[forall(twin)]` next to its `#[derive(Arbitrary)]`",
    note = "for a type of another crate, declare a twin with `forall::twin!`, and name it: `#[forall(twin = TypeTwin)]`"
)]
pub trait Twin {
    /// The lazy form.
    type Lazy: Arbitrary;

    /// The plain form: the type itself, or the type of another crate that a [`twin!`](crate::twin!) stands for.
    type Plain;

    /// Converts the lazy form into the plain value. Decides all of it.
    ///
    /// ```
    /// use forall::lazy::{List, Twin};
    /// assert_eq!(Vec::<u8>::plain(&List::from([1, 2])), [1, 2]);
    /// ```
    fn plain(lazy: &Self::Lazy) -> Self::Plain;

    /// Prints the parts that are decided, as code; the others as `_`.
    #[doc(hidden)]
    fn show(lazy: &Self::Lazy, code: &mut Code) {
        let _ = lazy;
        code.push("…");
    }
}

/// Prints a cell of a twin.
#[doc(hidden)]
pub fn show_cell<T: Twin + ?Sized>(cell: &Lazy<T::Lazy>, code: &mut Code) {
    match cell.shown() {
        Some(value) => T::show(value, code),
        None => code.push("_"),
    }
}

/// Writes the `Debug` output of a twin.
#[doc(hidden)]
pub fn debug<T: Twin + ?Sized>(lazy: &T::Lazy, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(&shown::<T>(lazy))
}

fn shown<T: Twin + ?Sized>(lazy: &T::Lazy) -> String {
    let mut code = Code::default();
    T::show(lazy, &mut code);
    code.into_text()
}
