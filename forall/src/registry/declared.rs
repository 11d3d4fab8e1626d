//! Named properties, as `#[forall::property]` and `#[forall::test]` declare them.

use super::Entry;
use crate::property::Property;

/// The type `p` that `#[forall::property] fn p` declares beside the function.
///
/// ```
/// use forall::property::Property;
/// use forall::registry::{Declared, PropertyOf};
///
/// #[forall::property]
/// fn addition_commutes(a: u32, b: u32) -> bool {
///     a.wrapping_add(b) == b.wrapping_add(a)
/// }
///
/// // The type of the property has a name, so it can be kept in a struct, or be returned.
/// struct Kept(PropertyOf<addition_commutes>);
///
/// let kept = Kept(addition_commutes::property());
/// assert_eq!(kept.0.outline().quantifiers[1].name, "b");
/// assert!(addition_commutes::ENTRY.identity.name.ends_with("::addition_commutes"));
/// ```
#[doc(hidden)]
pub trait Declared {
    /// The type of the property.
    type Property: Property + Send + Sync + 'static;

    /// Its entry in the registry.
    const ENTRY: Entry;

    /// Returns the property.
    fn property() -> Self::Property;
}

/// The type of the property that `#[forall::property] fn p` declares: `PropertyOf<p>`.
///
/// ```
/// use forall::property::Property;
/// use forall::registry::PropertyOf;
///
/// #[forall::property]
/// fn addition_commutes(a: u32, b: u32) -> bool {
///     a.wrapping_add(b) == b.wrapping_add(a)
/// }
///
/// fn kept() -> PropertyOf<addition_commutes> {
///     addition_commutes::property()
/// }
/// assert_eq!(kept().outline().quantifiers.len(), 2);
/// ```
pub type PropertyOf<D> = <D as Declared>::Property;
