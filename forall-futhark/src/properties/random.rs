//! Random numbers as `futhark test` draws them: SplitMix64, as in Haskell's `random` 1.2.

use crate::data::{Element, Elements, Primitive, f16};

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix {
    state: u64,
    gamma: u64,
}

impl SplitMix {
    pub(crate) fn new(seed: u64) -> Self {
        let mut gamma = mix13(seed.wrapping_add(GOLDEN)) | 1;
        if (gamma ^ (gamma >> 1)).count_ones() < 24 {
            gamma ^= 0xaaaa_aaaa_aaaa_aaaa;
        }
        Self { state: mix64(seed), gamma }
    }

    pub(crate) fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(self.gamma);
        mix64(self.state)
    }

    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }

    /// Draws this many elements: integers of the full range, `f32` from −1 to 1, `f16` and `f64` from 0 to 1.
    pub(crate) fn elements(&mut self, primitive: Primitive, count: usize) -> Elements {
        fn all<T: Element>(count: usize, mut draw: impl FnMut() -> T) -> Elements {
            T::elements((0..count).map(|_| draw()).collect())
        }
        match primitive {
            Primitive::I8 => all(count, || i8::MIN.wrapping_add(self.next_u64() as i8)),
            Primitive::I16 => all(count, || i16::MIN.wrapping_add(self.next_u64() as i16)),
            Primitive::I32 => all(count, || i32::MIN.wrapping_add(self.next_u64() as i32)),
            Primitive::I64 => all(count, || i64::MIN.wrapping_add(self.next_u64() as i64)),
            Primitive::U8 => all(count, || (self.next_u32() >> 24) as u8),
            Primitive::U16 => all(count, || (self.next_u32() >> 16) as u16),
            Primitive::U32 => all(count, || self.next_u32()),
            Primitive::U64 => all(count, || self.next_u64()),
            Primitive::F16 => all(count, || f16::from_f32(self.single(0.0, 1.0))),
            Primitive::F32 => all(count, || self.single(-1.0, 1.0)),
            Primitive::F64 => all(count, || 1.0 - self.next_u64() as f64 / u64::MAX as f64),
            Primitive::Bool => all(count, || self.next_u32() & 1 == 1),
        }
    }

    fn single(&mut self, low: f32, high: f32) -> f32 {
        let x = self.next_u32() as f32 / u32::MAX as f32;
        x * low + (1.0 - x) * high
    }
}

fn mix64(z: u64) -> u64 {
    let z = (z ^ (z >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let z = (z ^ (z >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    z ^ (z >> 33)
}

fn mix13(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first element of the first candidate of `--seed=123`.
    fn first(primitive: Primitive) -> Elements {
        let candidate = SplitMix::new(123).next_u64();
        let seed = SplitMix::new(candidate).next_u64();
        SplitMix::new(seed).elements(primitive, 2)
    }

    #[test]
    fn the_numbers_are_those_of_the_real_tool() {
        assert_eq!(SplitMix::new(123).next_u64(), 13_449_667_065_635_408_656);
        assert_eq!(first(Primitive::I8), Elements::I8(vec![-119, -43]));
        assert_eq!(first(Primitive::I16), Elements::I16(vec![-4087, -17067]));
        assert_eq!(first(Primitive::I32), Elements::I32(vec![1_494_642_697, -1_151_451_819]));
        assert_eq!(first(Primitive::U8), Elements::U8(vec![217, 59]));
        assert_eq!(first(Primitive::U16), Elements::U16(vec![55574, 15198]));
        assert_eq!(first(Primitive::U32), Elements::U32(vec![3_642_126_345, 996_031_829]));
        assert_eq!(first(Primitive::F32), Elements::F32(vec![-0.69599724, 0.5361866]));
        assert_eq!(first(Primitive::F64), Elements::F64(vec![0.42471622213535043, 0.992635799983538]));
        assert_eq!(first(Primitive::Bool), Elements::Bool(vec![true, true]));
    }
}
