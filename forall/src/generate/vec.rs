//! Vectors.
use super::Generator;
use crate::choice::{Source, scale};

/// Lengths
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    min: usize,
    max: usize,
}
impl From<usize> for Lengths {
    fn from(n: usize) -> Self {
        Self { min: n, max: n }
    }
}
impl From<std::ops::RangeInclusive<usize>> for Lengths {
    fn from(n: std::ops::RangeInclusive<usize>) -> Self {
        Self { min: *n.start(), max: *n.end() }
    }
}

/// vec
pub fn vec<G: Generator>(element: G) -> VecOf<G> {
    VecOf { element, lengths: Lengths { min: 0, max: 100 } }
}

/// VecOf
#[derive(Clone, Copy, Debug)]
pub struct VecOf<G> {
    element: G,
    lengths: Lengths,
}
impl<G> VecOf<G> {
    /// len
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.lengths = lengths.into();
        self
    }
}
impl<G: Generator> Generator for VecOf<G> {
    type Value = Vec<G::Value>;
    #[inline(always)]
    fn generate(&self, source: &mut Source) -> Vec<G::Value> {
        if source.is_random() {
            let Lengths { min, max } = self.lengths;
            let length =
                if min == max { min } else { min + scale(source.stream().0.word(), (max - min) as u64) as usize };
            let mut values = Vec::with_capacity(length);
            let mut left = length;
            while left > 0 {
                values.push(self.element.generate(source));
                left -= 1;
            }
            values
        } else {
            self.on_tape(source)
        }
    }
}
impl<G: Generator> VecOf<G> {
    #[cold]
    #[inline(never)]
    fn on_tape(&self, source: &mut Source) -> Vec<G::Value> {
        let Lengths { min, max } = self.lengths;
        let mut values = Vec::new();
        let mut drawn = None;
        while values.len() < max {
            source.open_span(1);
            let more = values.len() < min
                || source.more_on_tape(values.len(), &mut drawn, &|random, _| {
                    min + scale(random.word(), (max - min) as u64) as usize
                });
            if more {
                values.push(self.element.generate(source));
            }
            source.close_span();
            if !more {
                break;
            }
        }
        values
    }
}
