//! What a child process has run: a crash may need the state that earlier tests left behind.

use crate::choice::Origin;
use crate::property::{Block, Step};
use crate::testing::Input;
use crate::wire::{Reader, Writer};

/// So many inputs are remembered that are no tests of a block. Those before them are forgotten.
const MOST_INPUTS: usize = 10_000;

/// The tests that a process has run, in their order.
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

    /// The tests of a block ran, up to test `end`.
    pub(super) fn add_block(&mut self, block: &Block, end: u64) {
        if let Some(Ran::Block(last)) = self.parts.last_mut() {
            // Blocks that follow each other are one, so that a long run is a short history.
            let same_run = last.seed == block.seed && last.sizes == block.sizes;
            if same_run && last.indices.end == block.indices.start {
                last.indices.end = end;
                return;
            }
        }
        self.parts.push(Ran::Block(Block { indices: block.indices.start..end, ..block.clone() }));
    }

    /// Another test ran.
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

    /// Something ran that cannot be run again by itself.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The tests, the last `most` of them at most, in their order.
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
