//! Order: permutations, sorted lists, monotonic functions.

use crate::choice::Source;
use crate::generate::{Arbitrary, Generator, GeneratorExt, any, from_fn, shuffle, vec};

/// Returns a generator of permutations of the numbers below `count`. The simplest is sorted.
///
/// ```
/// use forall::{choice::{Sequence, Source}, extra::permutation};
/// assert_eq!(Source::replay(&Sequence::default()).draw(permutation(3)), [0, 1, 2]);
/// let mut all = Source::random(1, 0, 100).draw(permutation(10));
/// all.sort();
/// assert!(all.into_iter().eq(0..10));
/// ```
pub fn permutation(count: usize) -> impl GeneratorExt<Value = Vec<usize>> {
    shuffle((0..count).collect::<Vec<_>>())
}

/// Returns a generator of sorted lists, from a generator of lists.
///
/// ```
/// use forall::{choice::Source, extra::sorted, prelude::*};
/// assert!(Source::random(1, 0, 100).draw(sorted(vec(any::<i32>()))).is_sorted());
/// ```
pub fn sorted<T: Ord, G: Generator<Value = Vec<T>> + GeneratorExt>(lists: G) -> impl GeneratorExt<Value = Vec<T>> {
    lists.map(|mut list| {
        list.sort();
        list
    })
}

/// Returns a generator of lists that are sorted except for a few swapped elements or a last one that was appended. The
/// simplest are sorted.
///
/// ```
/// use forall::{choice::Source, extra::nearly_sorted, prelude::*};
/// let list = Source::random(1, 0, 100).draw(nearly_sorted(vec(any::<i32>()).len(100)));
/// assert!(list.windows(2).filter(|pair| pair[0] > pair[1]).count() <= 8);
/// ```
pub fn nearly_sorted<T: Ord, G: Generator<Value = Vec<T>> + GeneratorExt>(
    lists: G,
) -> impl GeneratorExt<Value = Vec<T>> {
    let lists = sorted(lists);
    from_fn(move |source: &mut Source| {
        let mut list = lists.generate(source);
        if list.len() < 2 {
            return list;
        }
        let last = list.len() - 1;
        for (a, b) in source.draw(vec((0..=last, 0..=last)).len(0..=3)) {
            list.swap(a, b);
        }
        if source.choice(3) == 3 {
            let from = source.draw(0..=last);
            list[from..].rotate_left(1);
        }
        list
    })
}

/// A monotonic function from numbers to values: constant between two steps; below the first step, it has the value of
/// the first step.
///
/// ```
/// use forall::extra::Monotone;
/// let tariff = Monotone { steps: vec![(0, 'a'), (10, 'b')] };
/// assert_eq!([-5, 0, 9, 10, 99].map(|x| *tariff.at(x).unwrap()), ['a', 'a', 'a', 'b', 'b']);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monotone<T> {
    /// The steps: where the function increases, and to which value, both sorted.
    pub steps: Vec<(i64, T)>,
}

impl<T> Monotone<T> {
    /// Returns the value at a place, or `None` if there are no steps.
    ///
    /// ```
    /// use forall::extra::Monotone;
    /// assert_eq!(Monotone::<u8> { steps: vec![] }.at(7), None);
    /// ```
    pub fn at(&self, x: i64) -> Option<&T> {
        let above = self.steps.partition_point(|(from, _)| *from <= x);
        self.steps.get(above.saturating_sub(1)).map(|(_, value)| value)
    }
}

/// Returns a generator of monotonic functions with one to eight steps.
///
/// ```
/// use forall::{choice::Source, extra::monotone};
/// let function = Source::random(1, 0, 100).draw(monotone::<u32>());
/// assert!(function.at(i64::MIN) <= function.at(0) && function.at(0) <= function.at(i64::MAX));
/// ```
pub fn monotone<T: Arbitrary + Ord>() -> impl GeneratorExt<Value = Monotone<T>> {
    from_fn(|source: &mut Source| {
        let steps = source.draw(vec((any::<i64>(), any::<T>())).len(1..=8));
        let (mut places, mut values): (Vec<i64>, Vec<T>) = steps.into_iter().unzip();
        places.sort_unstable();
        values.sort();
        Monotone { steps: places.into_iter().zip(values).collect() }
    })
}
