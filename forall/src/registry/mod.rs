//! The registry of the properties of this binary, by name.

mod declared;

pub use declared::{Declared, PropertyOf};

use crate::property::Property;
use crate::property::identity::{Example, Identity};
use crate::settings::Settings;
use crate::sort::sort_by;

/// A property that was defined with `#[forall::property]` or `#[forall::test]`.
///
/// ```
/// use forall::run::Settings;
///
/// #[forall::property(tests = 50)]
/// fn multiplication_commutes(a: u32, b: u32) -> bool {
///     a.wrapping_mul(b) == b.wrapping_mul(a)
/// }
///
/// let entries = forall::registry::all();
/// let entry = entries.iter().find(|entry| entry.identity.name.ends_with("multiplication_commutes")).unwrap();
/// assert!(!entry.is_test);
/// assert_eq!((entry.settings)(Settings::new()).tests, 50);
/// forall::check("multiplication", &*(entry.property)());
/// ```
#[derive(Debug)]
#[doc(hidden)]
pub struct Entry {
    /// The stable name of the property and its location in the source.
    pub identity: Identity,
    /// Creates the property.
    pub property: fn() -> Box<dyn Property + Send + Sync>,
    /// Applies the settings of its attribute on top of those given.
    pub settings: fn(Settings) -> Settings,
    /// The explicit examples of the property.
    pub examples: &'static [Example],
    /// Whether the property is also a `#[test]` of the same name.
    pub is_test: bool,
}

inventory::collect!(Entry);

/// Returns the properties of this binary, ordered by name.
///
/// ```
/// #[forall::property]
/// fn addition_commutes(a: u32, b: u32) -> bool {
///     a.wrapping_add(b) == b.wrapping_add(a)
/// }
///
/// let entry = forall::registry::all().into_iter().find(|entry| entry.identity.name.ends_with("addition_commutes"));
/// assert!(entry.is_some());
/// ```
#[doc(hidden)]
pub fn all() -> Vec<&'static Entry> {
    let mut entries = Vec::new();
    for entry in inventory::iter::<Entry> {
        entries.push(entry);
    }
    sort_by(&mut entries, |a, b| {
        let (a, b) = (&a.identity, &b.identity);
        a.name.cmp(&b.name).then(a.line.cmp(&b.line))
    });
    entries
}

/// The first property of a name.
pub(crate) fn first_named(name: &str) -> Option<&'static Entry> {
    inventory::iter::<Entry>.into_iter().find(|entry| entry.identity.name == name)
}

/// The properties of a name.
pub(crate) fn named(name: &str) -> Vec<&'static Entry> {
    let mut entries = Vec::new();
    for entry in inventory::iter::<Entry> {
        if entry.identity.name == name {
            entries.push(entry);
        }
    }
    entries
}
