//! Security labels.

use forall::Arbitrary;

/// A security label: the lowest, the highest, and two incomparable labels between them.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Public.
    L,
    /// One of the middle labels.
    M1,
    /// The other middle label.
    M2,
    /// Secret.
    H,
}

impl Label {
    /// All labels. The index of a label, in binary, is the set of sides to which it is secret.
    pub const ALL: [Self; 4] = [Self::L, Self::M1, Self::M2, Self::H];

    /// Returns the least upper bound of both labels.
    #[inline]
    pub fn join(self, other: Self) -> Self {
        Self::ALL[self as usize | other as usize]
    }

    /// Returns whether information with this label may flow to the other.
    #[inline]
    pub fn flows_to(self, other: Self) -> bool {
        self.join(other) == other
    }
}
