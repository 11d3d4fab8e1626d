//! Security labels.

use forall::Arbitrary;

/// A security label. Two independent middle labels between the lowest and the highest.
#[derive(Arbitrary, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Public.
    L,
    /// One side.
    M1,
    /// The other side.
    M2,
    /// Secret.
    H,
}

impl Label {
    /// All labels. The place of a label in this list, in binary, is the set of the sides that it is secret to.
    pub const ALL: [Self; 4] = [Self::L, Self::M1, Self::M2, Self::H];

    /// The least label that is above both.
    #[inline]
    pub fn join(self, other: Self) -> Self {
        Self::ALL[self as usize | other as usize]
    }

    /// Whether information with this label may flow to the other.
    #[inline]
    pub fn flows_to(self, other: Self) -> bool {
        self.join(other) == other
    }
}
