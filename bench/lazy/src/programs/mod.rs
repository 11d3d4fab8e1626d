//! The programs of the performance suite.

mod catch;
mod circuits;
mod countdown;
mod huffman;
pub(crate) mod list_set;
pub(crate) mod red_black;
mod reg_exp;

use super::Program;

pub const PROGRAMS: &[Program] = &[
    catch::CATCH,
    circuits::ENCODE_DECODE,
    circuits::SAD,
    countdown::LEMMA3,
    countdown::SOLUTIONS,
    huffman::DECODE_ENCODE,
    huffman::OPTIMAL,
    list_set::INSERT,
    circuits::ONE_HOT,
    red_black::FAULTY,
    red_black::REPAIRED,
    reg_exp::REPETITION,
];
