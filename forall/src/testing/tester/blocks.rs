//! Blocks of tests, at full speed.

use super::{MISSES, Tested, Tester};
use crate::choice::Source;
use crate::context::Abandoned;
use crate::effects;
use crate::panic::Guest;
use crate::panic::{self, Unwound};
use crate::property::{Block, BlockEnd, FailureKind, Outcome, Progress};
use std::sync::atomic::Ordering;

/// How a block of tests ended.
///
/// ```
/// # use forall::prelude::*;
/// use forall::run::{BlockTested, Schedule, Tester};
/// let property = property! { forall n: u64; check n.count_ones() <= 64 };
/// let block = Schedule::Constant(50).block(7, 0..50);
/// let ended = Tester::new("bits", &property, 7).run_block(&block);
/// assert_eq!((ended.index, ended.discarded, ended.stopped_by), (50, 0, None));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BlockTested {
    /// The first test that was not run, or the test that did not pass.
    pub index: u64,
    /// The number of discarded tests of the block.
    pub discarded: u64,
    /// The result of the test that did not pass.
    pub stopped_by: Option<Tested>,
}

impl Tester<'_> {
    /// Runs a block of tests at full speed, up to the first that does not pass.
    ///
    /// With a deadline, a block must have one test.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::run::{Schedule, Tester};
    /// let property = property! { forall n: u64; check forall::context().index() != 20 };
    /// let block = Schedule::Constant(50).block(7, 0..50);
    /// let ended = Tester::new("not twenty", &property, 7).run_block(&block);
    /// assert_eq!(ended.index, 20);
    /// assert!(ended.stopped_by.is_some());
    /// ```
    pub fn run_block(&self, block: &Block) -> BlockTested {
        match self.beside {
            None => self.run_block_by(block, &mut |block, progress| self.property.run_block(block, progress)),
            Some(beside) => {
                self.run_block_with(block, |source| beside.run(self, source, &[]).unwrap_or(Outcome::Discard))
            }
        }
    }

    /// Runs a block as [`Tester::run_block`] does, with `test` as the body of each test: for a custom interpretation of
    /// the property.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::{property::Conclude, run::{Schedule, Tester}};
    /// use forall::property::{Generating, Outcome};
    /// let property = property! { forall n in 0..10u32; check *n < 10 };
    /// // Large numbers only.
    /// let test = |source: &mut Source| match property.previous.generate(source) {
    ///     Some((n, ())) if n >= 5 => property.conclusion.conclude((n, ())),
    ///     _ => Outcome::Discard,
    /// };
    /// let block = Schedule::Constant(50).block(7, 0..50);
    /// let ended = Tester::new("large", &property, 7).run_block_with(&block, test);
    /// assert!(ended.index == 50 && ended.discarded > 10);
    /// ```
    pub fn run_block_with(&self, block: &Block, mut test: impl FnMut(&mut Source) -> Outcome) -> BlockTested {
        self.run_block_by(block, &mut |block, progress| block.run(progress, &mut test))
    }

    fn run_block_by(&self, block: &Block, run: &mut dyn FnMut(&Block, &Progress) -> BlockEnd) -> BlockTested {
        let progress = self.context.progress();
        let before = progress.discarded.load(Ordering::Relaxed);
        let mut rest = block.clone();
        let mut misses = 0;
        let is_renewed = effects::is_renewed();
        let _active = self.context.activate();
        loop {
            let mut piece = rest.clone();
            if is_renewed {
                effects::renew();
                piece.indices.end = piece.indices.start + 1;
            }
            if self.deadline.is_some() {
                self.context.begin_test();
            }
            self.context.say_in_block(true);
            let end = panic::catch(|| run(&piece, progress));
            self.context.say_in_block(false);
            let discarded = || progress.discarded.load(Ordering::Relaxed) - before;
            let (index, tested) = match end {
                Ok(BlockEnd { index, failure: Some(failure) }) => (index, Tested::Fail(*failure)),
                Ok(BlockEnd { index, failure: None }) => {
                    // Blocks have one test if there is a deadline, and a discarded test does not miss it.
                    let missed = if discarded() == 0 { self.missed() } else { None };
                    let Some(failure) = missed else {
                        if index < rest.indices.end && index == piece.indices.end {
                            rest.indices.start = index;
                            continue;
                        }
                        return BlockTested { index, discarded: discarded(), stopped_by: None };
                    };
                    (block.indices.start, Tested::Fail(failure))
                }
                // The results of this test and of later ones are not needed.
                Err(Unwound::Signal(signal)) if matches!(Guest::signal(&*signal), Some(Abandoned::Unwanted)) => {
                    self.context.forget();
                    let index = progress.index.load(Ordering::Relaxed);
                    return BlockTested { index, discarded: discarded(), stopped_by: None };
                }
                Err(unwound) => (progress.index.load(Ordering::Relaxed), self.unwound(unwound)),
            };
            if matches!(&tested, Tested::Fail(failure) if failure.kind == FailureKind::Deadline) {
                misses += 1;
                if misses < MISSES {
                    self.context.forget();
                    continue;
                }
            }
            let tested = self.unless_a_thread_rejected_it(tested);
            match tested {
                // The body discarded the test by unwinding: continues after it.
                Tested::Discard(_) => progress.discard(),
                // It counts as valid.
                _ if self.is_known(&tested) => misses = 0,
                _ => {
                    self.context.forget();
                    return BlockTested { index, discarded: discarded(), stopped_by: Some(tested) };
                }
            }
            self.context.forget();
            rest.indices.start = index + 1;
            if rest.indices.is_empty() {
                return BlockTested { index: index + 1, discarded: discarded(), stopped_by: None };
            }
        }
    }
}
