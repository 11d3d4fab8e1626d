//! Sequences of operations, each of which depends on the state after those before it.

use crate::choice::Source;
use crate::generate::{Generator, Lengths, Parts, build};

/// Returns a generator of sequences of operations that are possible one after the other: on a stack that may be empty,
/// on open files, between states of a protocol.
///
/// `next` draws an operation that is possible in a state, or returns `None` if its draw is not possible: then it is
/// called again, and the failed draw does not count. `apply` returns the state in which the next one is drawn. There
/// are up to `size` operations, unless [`len`](Operations::len) is called, and fewer where no operation is possible any
/// more.
///
/// When shrinking deletes operations of a failing sequence, the later ones are drawn again with their old choices, in
/// the remaining state; impossible ones are omitted. Every sequence that shrinking tries is therefore possible.
///
/// ```
/// use forall::{extra::operations, prelude::*};
/// #[derive(Clone, Debug)]
/// enum Operation {
///     Push(u8),
///     Pop,
/// }
/// // All that matters is how many there are. Two of three operations are pushes.
/// let operations = operations(
///     0,
///     |held, source| match source.draw(0..3u8) {
///         2 => (*held > 0).then_some(Operation::Pop),
///         _ => Some(Operation::Push(source.draw(any()))),
///     },
///     |held, operation| match operation {
///         Operation::Push(_) => *held += 1,
///         Operation::Pop => *held -= 1,
///     },
/// );
/// let property = property! {
///     forall sequence in &operations;
///     check {
///         let mut stack = Vec::new();
///         for operation in sequence {
///             match operation {
///                 Operation::Push(value) => stack.push(*value),
///                 Operation::Pop => drop(stack.pop().expect("nothing is popped from an empty stack")),
///             }
///         }
///     }
/// };
/// forall::check("stacks", &property);
/// ```
///
/// If there is a model of the results, `forall::machine` runs the operations on both.
pub fn operations<S, O, N, A>(start: S, next: N, apply: A) -> Operations<S, N, A>
where
    S: Clone,
    N: Fn(&S, &mut Source) -> Option<O>,
    A: Fn(&mut S, &O),
{
    Operations { start, next, apply, lengths: Lengths::from(..) }
}

/// The generator that [`operations`] returns.
#[derive(Clone, Copy, Debug)]
pub struct Operations<S, N, A> {
    start: S,
    next: N,
    apply: A,
    lengths: Lengths,
}

impl<S, N, A> Operations<S, N, A> {
    /// Sets the number of operations: a number or a range. A test in which fewer are possible than the minimum is
    /// discarded.
    ///
    /// ```
    /// use forall::{choice::Source, extra::operations};
    /// let steps = operations(0, |at, source| Some(source.draw(0..=*at)), |at, step| *at += step + 1).len(5);
    /// let drawn: Vec<u32> = Source::random(1, 0, 100).draw(steps);
    /// assert_eq!((drawn.len(), drawn[0]), (5, 0));
    /// ```
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.lengths = lengths.into();
        self
    }
}

impl<S, O, N, A> Generator for Operations<S, N, A>
where
    S: Clone,
    N: Fn(&S, &mut Source) -> Option<O>,
    A: Fn(&mut S, &O),
{
    type Value = Vec<O>;

    fn generate(&self, source: &mut Source) -> Vec<O> {
        let (mut state, mut operations) = (self.start.clone(), Vec::new());
        build(source, self.lengths, Parts::AsDrawn, |source| match (self.next)(&state, source) {
            Some(operation) => {
                (self.apply)(&mut state, &operation);
                operations.push(operation);
                true
            }
            None => false,
        });
        source.run_out();
        operations
    }
}
