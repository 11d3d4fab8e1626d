//! forall
// The macros name this crate by its own name, inside it too.
extern crate self as forall;

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;
pub mod choice;
mod context;
pub mod generate;
mod hash;
mod panic;
pub mod property;
pub mod registry;
pub mod report;
pub mod run;
pub mod shrink;
pub mod store;

pub use context::{Context, context};
pub use forall_macros::Arbitrary;
#[doc(no_inline)]
pub use generate::Arbitrary;

/// Tests a property under a name, with the default settings, and panics with a report if it does not hold.
///
/// ```
/// use forall::property::{Empty, Telescope};
/// let property = Empty.forall("n", |(), s| s.draw(0..10u32)).check(|(n, ())| *n < 10);
/// forall::check("below ten", &property);
/// ```
pub fn check(name: impl Into<std::borrow::Cow<'static, str>>, property: &dyn property::Property) {
    run::Run::new(name, property).test();
}
