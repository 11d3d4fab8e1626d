//! The history of a child process: a crash may depend on state that earlier tests left behind.

use crate::choice::Origin;
use crate::property::{Block, Step};
use crate::testing::Input;
use crate::wire::{Reader, Writer};

/// The number of inputs outside of blocks to remember. Earlier ones are dropped.
const MOST_INPUTS: usize = 10_000;

/// The tests that a process has run, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    parts: Vec<Ran>,
    inputs: usize,
}

/// A part of a history.
#[derive(Clone, Debug)]
enum Ran {
    Block(Block),
    Input(Input),
}

/// A test of a history.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// Test `index` of a run with `seed`, at a size.
    Random {
        seed: u64,
        index: u64,
        size: u32,
    },
    Input(Input),
}

impl History {
    pub(super) fn is_empty(&self) -> bool {
        self.parts.iter().all(|ran| matches!(ran, Ran::Block(block) if block.indices.is_empty()))
    }

    /// Adds the tests of a block, up to test `end`.
    pub(super) fn add_block(&mut self, block: &Block, end: u64) {
        if let Some(Ran::Block(last)) = self.parts.last_mut() {
            // Consecutive blocks are merged, so that a long run has a short history.
            let same_run = last.seed == block.seed && last.sizes == block.sizes;
            if same_run && last.indices.end == block.indices.start {
                last.indices.end = end;
                return;
            }
        }
        self.parts.push(Ran::Block(Block { indices: block.indices.start..end, ..block.clone() }));
    }

    /// Adds another test.
    pub(super) fn add(&mut self, origin: &Origin<'_>, steps: &[Step]) {
        let mut writer = Writer::default();
        Input::write(&mut writer, origin, steps);
        let Some(input) = Input::read(&mut Reader::new(&writer.bytes)) else { return };
        self.parts.push(Ran::Input(input));
        self.inputs += 1;
        if self.inputs > 2 * MOST_INPUTS {
            let surplus = self.parts.len().saturating_sub(MOST_INPUTS);
            self.parts.drain(..surplus);
            self.inputs = self.parts.len();
        }
    }

    /// Adds something that cannot be rerun.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The last `most` tests, in order.
    pub(super) fn tests(&self, most: usize) -> Vec<Test> {
        let mut tests = Vec::new();
        for ran in self.parts.iter().rev() {
            match ran {
                Ran::Input(input) => tests.push(Test::Input(input.clone())),
                Ran::Block(block) => {
                    for index in block.indices.clone().rev() {
                        if tests.len() >= most {
                            break;
                        }
                        tests.push(Test::Random { seed: block.seed, index, size: block.sizes.of(index) });
                    }
                }
            }
            if tests.len() >= most {
                break;
            }
        }
        tests.reverse();
        tests
    }
}
