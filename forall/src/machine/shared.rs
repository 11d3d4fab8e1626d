//! The requirements on a specification whose system is used by several branches at once.

use super::Spec;

/// A system that several threads can use, each through its own handle.
///
/// ```
/// # use forall::choice::Source;
/// use forall::machine::{Shared, Spec};
/// use std::sync::{Arc, atomic::{AtomicU64, Ordering}};
///
/// #[derive(Default)]
/// struct Counter;
///
/// impl Spec for Counter {
///     type Command = ();
///     type Model = u64;
///     type System = Arc<AtomicU64>;
///     type Response = u64;
///     // …
/// #   fn model(&self) -> u64 { 0 }
/// #   fn generate(&self, _: &u64, _: &mut Source) {}
/// #   fn next(&self, model: &mut u64, (): &()) { *model += 1 }
/// #   fn system(&self) -> Arc<AtomicU64> { Arc::default() }
/// #   fn run(&self, system: &mut Arc<AtomicU64>, (): &()) -> u64 { system.fetch_add(1, Ordering::SeqCst) }
/// #   fn postcondition(&self, model: &u64, (): &(), response: &u64) -> bool { response == model }
/// }
///
/// impl Shared for Counter {
///     fn share(&self, system: &mut Arc<AtomicU64>) -> Arc<AtomicU64> { Arc::clone(system) }
/// }
/// # let program = forall::machine::Parallel::<Counter>::of(vec![()], vec![vec![(), ()], vec![()]]);
/// # assert_eq!(program.check(), forall::property::Outcome::Pass);
/// ```
///
/// The system is usually an [`Arc`](std::sync::Arc); a channel's sender can be cloned; a handle may also be a part of
/// the system that only one branch gets. Commands and responses are sent between threads; models stay on one, and are
/// compared. A system that must stay on one thread can be tested by [`Sequential`](super::Sequential), which does not
/// need `Shared`.
#[diagnostic::on_unimplemented(
    message = "the system of `{Self}` cannot be used by several branches at once",
    label = "not `Shared`",
    note = "parallel tests need handles to the system: `impl Shared for {Self} {{ fn share(…) … }}`, or `for shared` in `machine!`",
    note = "use `Sequential` to test a system that must stay on one thread"
)]
// The compiler shows these lines when a bound is not met, so they say what to do.
#[rustfmt::skip]
pub trait Shared:
    Spec<
        Command: Send + Sync + 'static, // branches are threads: `Arc` in place of `Rc`, `Mutex` of `RefCell`, no borrowed data
        Response: Send + Sync + 'static, // branches are threads: `Arc` in place of `Rc`, `Mutex` of `RefCell`, no borrowed data
        System: Send + 'static, // each branch gets a handle: an `Arc`, a sender; without `Send`, use `Sequential`
        Model: Clone + PartialEq + 'static, // several models are kept and compared: `#[derive(Clone, PartialEq)]`
    > + Send + Sync + 'static // the specification itself is seen by all branches
{
    /// Returns a handle for one more branch. Called for each branch except the first, after the prefix has run.
    fn share(&self, system: &mut Self::System) -> Self::System;
}
