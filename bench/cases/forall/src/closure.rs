//! A test as one closure from choices to verdict: the cost of a property that is not data.
//!
//! It goes through the same runner as any property, and its loop over a block of tests is the library's, with the
//! closure in place of the telescope.

use forall::choice::Source;
use forall::property::{
    Binding, Block, BlockEnd, IntoOutcome, Measure, Outcome, Outline, Progress, Property, Step, Stop,
};
use std::ops::Range;
use std::sync::atomic::Ordering;

/// Generates and checks.
pub struct Closure<F>(pub F);

impl<F: Fn(&mut Source) -> bool> Property for Closure<F> {
    fn run_block(&self, block: &Block, progress: &Progress) -> BlockEnd {
        let Block { seed, indices: Range { start, end }, sizes } = *block;
        let mut source = Source::random(seed, start, 0);
        let mut index = start;
        while index < end {
            source.restart(seed, index, sizes.of(index));
            progress.index.store(index, Ordering::Relaxed);
            match (self.0)(&mut source).into_outcome() {
                // The result of a rejected test is ignored.
                _ if source.is_rejected() => unreachable!("no test of this bench is discarded"),
                Outcome::Pass => {}
                Outcome::Discard => unreachable!("no test of this bench is discarded"),
                Outcome::Fail(failure) => return BlockEnd { index, failure: Some(failure) },
            }
            index = index.wrapping_add(1);
        }
        BlockEnd { index, failure: None }
    }

    fn outline(&self) -> Outline {
        Outline::default()
    }

    /// Not implemented, so that the closure has one caller and is inlined there, as telescopes always are.
    fn run(&self, _: &mut Source, _: &[Step]) -> Result<Outcome, Stop> {
        unreachable!("no test of this bench fails")
    }

    fn print(&self, _: &mut Source, _: &[Step]) -> Result<Vec<Binding>, Stop> {
        Ok(Vec::new())
    }

    fn generate(&self, _: &mut Source, _: &[Step]) -> Result<(), Stop> {
        Ok(())
    }

    fn candidates(&self, _: &mut Source, _: &[Step], _: u32, _: &mut Vec<Measure>) -> Result<(), Stop> {
        Ok(())
    }
}
