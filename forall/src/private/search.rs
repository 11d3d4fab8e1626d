//! What quantifiers inside of a property expand to.

#[cfg(feature = "lazy")]
pub use crate::lazy::{exists, exists_unique, for_all};

/// Without the feature, the error says what is missing.
#[cfg(not(feature = "lazy"))]
mod missing {
    use crate::generate::Arbitrary;

    /// Quantifiers inside of a property need the feature `lazy` of `forall`.
    #[diagnostic::on_unimplemented(
        message = "quantifiers inside of a property need the feature `lazy` of `forall`",
        note = "switch it on in `Cargo.toml`, among the `features` of `forall`"
    )]
    pub trait FeatureLazy {}

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

        pub fn check<T: Arbitrary + FeatureLazy>(self, _: impl Fn(&T) -> bool) -> bool {
            false
        }
    }

    pub fn exists() -> Nested {
        Nested
    }

    pub use exists as exists_unique;
    pub use exists as for_all;
}
#[cfg(not(feature = "lazy"))]
pub use missing::{exists, exists_unique, for_all};
