//! Connectives that try their right side before they force anything on the left.

use super::trail::with_current;

/// Returns whether both sides hold. If the right side is false without further decisions, the left side is not decided.
///
/// `&&` evaluates the left side first and forces everything that it needs; this function forces the next cell of the
/// left side only if the right side cannot be decided without forcing anything. Sides may run several times. Outside a
/// search it is `&&`.
///
/// ```
/// use forall::lazy::{Lazy, and, explore};
/// use forall::prelude::*;
///
/// let property = property! { forall a: Lazy<u8>; forall b: bool; check !and(|| **a > 200, || !*b) };
/// assert_eq!(explore(&property, 9).evaluations, 11, "the number is looked at only if the flag is not set");
/// ```
pub fn and(left: impl Fn() -> bool, right: impl Fn() -> bool) -> bool {
    decide(&left, &right, false)
}

/// Returns whether one side holds. If the right side is true without further decisions, the left side is not decided:
/// see [`and`].
///
/// ```
/// use forall::lazy::{Lazy, explore, or};
/// use forall::prelude::*;
///
/// let property = property! { forall a: Lazy<u8>; forall b: bool; check or(|| **a < 200, || *b) };
/// assert_eq!(explore(&property, 9).evaluations, 11);
/// ```
pub fn or(left: impl Fn() -> bool, right: impl Fn() -> bool) -> bool {
    decide(&left, &right, true)
}

/// Returns whether the left side implies the right one. If the right side is true without further decisions, the left
/// side is not decided: see [`and`].
///
/// ```
/// use forall::lazy::{Lazy, explore, implies};
/// use forall::prelude::*;
///
/// let property = property! { forall a: Lazy<u8>; forall b: bool; check implies(|| **a > 200, || *b) };
/// assert!(explore(&property, 3).holds());
/// ```
pub fn implies(left: impl Fn() -> bool, right: impl Fn() -> bool) -> bool {
    decide(&|| !left(), &right, true)
}

/// Returns whether a side does not hold: `!` as a function.
///
/// ```
/// use forall::lazy::{and, not};
/// assert!(not(|| and(|| true, || false)));
/// ```
pub fn not(side: impl Fn() -> bool) -> bool {
    !side()
}

/// `end` if one of the sides evaluates to it, and its negation otherwise.
fn decide(left: &dyn Fn() -> bool, right: &dyn Fn() -> bool, end: bool) -> bool {
    let sequentially = || if left() == end { end } else { right() };
    with_current(|search| {
        let Some(search) = search else { return sequentially() };
        search.raise_again();
        let mut allowance = 0;
        loop {
            match search.try_with(allowance, left) {
                Some(value) if value == end => return end,
                Some(_) => return right(),
                None => {}
            }
            if search.try_ahead(right) == Some(end) {
                return end;
            }
            allowance = 1;
        }
    })
}
