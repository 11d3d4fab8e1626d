//! The expansion of nested quantifiers.

#[cfg(feature = "full")]
pub use crate::lazy::{exists, exists_unique, for_all};

/// Without the feature, the error names it.
#[cfg(not(feature = "full"))]
mod missing {
    use crate::generate::Arbitrary;

    /// Nested quantifiers require the feature `full` of `forall`.
    #[diagnostic::on_unimplemented(
        message = "nested quantifiers require the feature `full` of `forall`",
        note = "run `cargo add --dev forall --features full`"
    )]
    pub trait FeatureFull {}

    pub struct Nested;

    impl Nested {
        pub fn deeper_by(self, _: i32) -> Self {
            self
        }

        pub fn named(self, _: &str) -> Self {
            self
        }

        pub fn shown(self) -> Self {
            self
        }

        pub fn check<T: Arbitrary + FeatureFull>(self, _: impl Fn(&T) -> bool) -> bool {
            false
        }
    }

    pub fn exists() -> Nested {
        Nested
    }

    pub use exists as exists_unique;
    pub use exists as for_all;
}
#[cfg(not(feature = "full"))]
pub use missing::{exists, exists_unique, for_all};
