//! The lengths of a value's dimensions.

use std::fmt;
use std::ops::Deref;

/// The length of each dimension. Shapes of rank 0 and 1 need no allocation: nearly all transferred values are scalars
/// and lists.
#[derive(Clone, PartialEq)]
pub(super) enum Shape {
    Scalar,
    List([usize; 1]),
    More(Vec<usize>),
}

impl Deref for Shape {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        match self {
            Self::Scalar => &[],
            Self::List(length) => length,
            Self::More(lengths) => lengths,
        }
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}

impl From<&[usize]> for Shape {
    fn from(lengths: &[usize]) -> Self {
        match lengths {
            [] => Self::Scalar,
            [length] => Self::List([*length]),
            lengths => Self::More(lengths.to_vec()),
        }
    }
}

impl From<Vec<usize>> for Shape {
    fn from(lengths: Vec<usize>) -> Self {
        match &*lengths {
            [] => Self::Scalar,
            [length] => Self::List([*length]),
            _ => Self::More(lengths),
        }
    }
}
