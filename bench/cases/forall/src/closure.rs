//! A test that is one closure from choices to verdict: what a property costs when it is not data.
//!
//! It goes through the same runner as any property, and its loop over a block of tests is the library's, with the
//! closure in place of the telescope.

use forall::choice::Source;
use forall::property::{Binding, Block, BlockEnd, Outcome, Outline, Progress, Property, Step, Stop};
use std::sync::atomic::Ordering;

/// Generates and checks.
pub struct Closure<F>(pub F);

impl<F: Fn(&mut Source) -> bool> Property for Closure<F> {
    fn run_block(&self, block: &Block, progress: &Progress) -> BlockEnd {
        let mut source = Source::random(block.seed, block.indices.start, 0);
        let mut size = block.size;
        let mut index = block.indices.start;
        while index < block.indices.end {
            source.restart(block.seed, index, (size >> 32) as u32);
            progress.index.store(index, Ordering::Relaxed);
            size = size.wrapping_add(block.growth);
            let holds = (self.0)(&mut source);
            assert!(holds && !source.is_rejected(), "the tests of this bench pass");
            index = index.wrapping_add(1);
        }
        BlockEnd { index, failure: None }
    }

    fn outline(&self) -> Outline {
        Outline::default()
    }

    fn run(&self, source: &mut Source, _: &[Step]) -> Result<Outcome, Stop> {
        assert!((self.0)(source), "the tests of this bench pass");
        Ok(Outcome::Pass)
    }

    fn print(&self, _: &mut Source, _: &[Step]) -> Result<Vec<Binding>, Stop> {
        Ok(Vec::new())
    }

    fn generate(&self, _: &mut Source, _: &[Step]) -> Result<(), Stop> {
        Ok(())
    }

    fn candidates(&self, _: &mut Source, _: &[Step]) -> Result<Vec<u32>, Stop> {
        Ok(Vec::new())
    }
}
