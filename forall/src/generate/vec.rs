//! The generator of vectors. Sets, maps and the other collections are in `collections.rs`.

use super::Generator;
use super::lengths::{Lengths, Parts, build, build_on_tape};
use crate::choice::Source;

/// Returns a generator of vectors with elements from `element`: up to `size` elements, which share the size, unless
/// [`len`](VecOf::len) is called.
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::{any, vec};
///
/// let mut source = Source::random(1, 0, 100);
/// assert!(source.draw(vec(any::<i32>())).len() <= 100);
/// assert_eq!(source.draw(vec(0..10).len(3)).len(), 3);
/// let lottery = source.draw(vec(1..=49).len(6).unique());
/// # assert_eq!(lottery.iter().collect::<std::collections::BTreeSet<_>>().len(), 6);
/// ```
pub fn vec<G: Generator>(element: G) -> VecOf<G> {
    VecOf { element, lengths: Lengths::SIZED }
}

/// The generator that [`vec()`] returns.
#[derive(Clone, Copy, Debug)]
pub struct VecOf<G> {
    element: G,
    lengths: Lengths,
}

impl<G> VecOf<G> {
    /// Sets the number of elements: a number or a range. Each element then keeps the size of the test.
    ///
    /// ```
    /// # use forall::{choice::Source, generate::{any, vec}};
    /// let pair_to_four = Source::random(1, 0, 100).draw(vec(any::<u8>()).len(2..=4));
    /// assert!((2..=4).contains(&pair_to_four.len()));
    /// ```
    #[inline(always)]
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.lengths = lengths.into();
        self
    }

    /// Requires all elements to be different. If there are too few different ones for the minimum length, the test is
    /// rejected.
    ///
    /// ```
    /// # use forall::{choice::Source, generate::vec};
    /// let mut digits = Source::random(1, 0, 100).draw(vec(0..10u8).len(10).unique());
    /// digits.sort();
    /// assert_eq!(digits, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    /// ```
    pub fn unique(self) -> UniqueVecOf<G> {
        UniqueVecOf(self)
    }
}

impl<G: Generator> Generator for VecOf<G> {
    type Value = Vec<G::Value>;

    // Always inlined with optimisation; without it the properties of a crate share it, which compiles faster.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn generate(&self, source: &mut Source) -> Vec<G::Value> {
        if !source.is_random() {
            return self.on_tape(source);
        }
        match self.lengths.fixed() {
            Some(length) => fill(source, length, &self.element),
            None => self.planned(source),
        }
    }
}

/// An element with its share of the size, in random mode.
struct Part<'a, G> {
    element: &'a G,
    size: u32,
}

impl<G: Generator> Generator for Part<'_, G> {
    type Value = G::Value;

    #[inline(always)]
    fn generate(&self, source: &mut Source) -> G::Value {
        // For each element: a part of a recursive structure reduces the size by what it used.
        source.set_size(self.size);
        self.element.generate(source)
    }
}

/// A vector of `length` elements in random mode.
#[inline(always)]
fn fill<G: Generator>(source: &mut Source, length: usize, element: &G) -> Vec<G::Value> {
    if cfg!(debug_assertions) {
        // Without optimisation a plain loop costs 30 % less than an iterator chain.
        let mut values = Vec::with_capacity(length);
        let mut left = length;
        while left > 0 {
            values.push(element.generate(source));
            left -= 1;
        }
        values
    } else {
        // With it the chain costs 13 % less: it does not check the capacity for every element.
        (0..length).map(|_| element.generate(source)).collect()
    }
}

impl<G: Generator> VecOf<G> {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn planned(&self, source: &mut Source) -> Vec<G::Value> {
        let saved = *source.stream().0;
        let (random, size) = source.stream();
        let plan = self.lengths.plan(random, size);
        if plan.repetitive {
            source.replace_random(saved);
            return self.slowly(source);
        }
        if !self.lengths.are_sized() {
            return fill(source, plan.length, &self.element);
        }
        let element = Part { element: &self.element, size: self.lengths.part_size(size, plan.length) };
        let values = fill(source, plan.length, &element);
        source.set_size(size);
        values
    }

    #[inline(never)]
    fn slowly(&self, source: &mut Source) -> Vec<G::Value> {
        let mut values = Vec::new();
        build(source, self.lengths, Parts::MayRepeat, |source| {
            values.push(self.element.generate(source));
            true
        });
        values
    }

    #[cold]
    #[inline(never)]
    fn on_tape(&self, source: &mut Source) -> Vec<G::Value> {
        if let Some((max, value_of)) = self.element.one_choice()
            && let Some(elements) = self.lengths.elements_ahead(source)
        {
            return elements.map(|code| value_of(code.min(max))).collect();
        }
        let mut values = Vec::new();
        build_on_tape(source, self.lengths, Parts::MayRepeat, &mut |source| {
            values.push(self.element.generate(source));
            true
        });
        values
    }
}

/// The generator that [`VecOf::unique`] returns.
#[derive(Clone, Copy, Debug)]
pub struct UniqueVecOf<G>(VecOf<G>);

impl<G> UniqueVecOf<G> {
    /// Sets the number of elements, like [`VecOf::len`].
    ///
    /// ```
    /// use forall::{choice::Source, generate::vec};
    /// let mut three = Source::random(1, 0, 100).draw(vec(0..100u8).unique().len(3));
    /// three.sort();
    /// three.dedup();
    /// assert_eq!(three.len(), 3);
    /// ```
    pub fn len(mut self, lengths: impl Into<Lengths>) -> Self {
        self.0.lengths = lengths.into();
        self
    }
}

impl<G: Generator<Value: PartialEq>> Generator for UniqueVecOf<G> {
    type Value = Vec<G::Value>;

    #[inline]
    fn generate(&self, source: &mut Source) -> Vec<G::Value> {
        let mut values = Vec::new();
        build(source, self.0.lengths, Parts::AsDrawn, |source| {
            let value = self.0.element.generate(source);
            let new = !values.contains(&value);
            if new {
                values.push(value);
            }
            new
        });
        values
    }
}
