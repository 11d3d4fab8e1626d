//! The number of values of a type up to a depth.

use super::{Constructor, integers};
use crate::generate::Arbitrary;
use std::collections::HashMap;

/// Counts the values of types up to a depth: the argument of [`Arbitrary::extent`].
///
/// A run reports this number as the inputs that its evaluations cover. A constructor without a value at a depth is
/// never chosen there.
///
/// ```
/// use forall::lazy::Extent;
/// assert_eq!(Extent::of::<bool>(0), 2.0);
/// assert_eq!(Extent::of::<(bool, i32)>(3), 14.0, "tuples are free, and there are seven numbers from -3 to 3");
/// assert_eq!(Extent::of::<Vec<bool>>(2), 7.0, "no element, one or two");
/// ```
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Extent {
    depth: u32,
    /// By the counting function, which identifies the type, and the depth.
    known: HashMap<(usize, u32), Known>,
    /// The number of counts in progress, and the outermost one that another count has asked for since.
    under_way: usize,
    asked: Option<usize>,
    /// The smallest depth counted so far, and which types contain themselves: counting such a type asks for every
    /// smaller depth, down to 0.
    lowest: u32,
    contain_themselves: HashMap<usize, bool>,
    /// Whether functions are counted by the results of constant ones.
    functions_are_constant: bool,
}

/// The number of depths to count at once.
const AT_ONCE: u32 = 32;

/// The state of a count.
#[derive(Clone, Copy, Debug)]
enum Known {
    Is(f64),
    /// In progress, with its number on the stack: the value to assume if it is needed for itself.
    UnderWay(usize, f64),
}

impl Extent {
    /// Returns the number of values of `T` up to `depth`, or NaN if it is unknown because `T` has no series of its own.
    ///
    /// ```
    /// use forall::lazy::Extent;
    /// assert_eq!(Extent::of::<char>(3), 4.0, "a, b, c and d");
    /// assert!(Extent::of::<f64>(3).is_nan());
    /// ```
    pub fn of<T: Arbitrary>(depth: u32) -> f64 {
        Self::default().values_up_to(depth, T::extent)
    }

    /// For deciding whether there is no value, one or several: functions with equal results count as one, however they
    /// use their arguments. So a function type has several values if its result type has.
    pub(crate) fn up_to_several() -> Self {
        Self { functions_are_constant: true, ..Self::default() }
    }

    /// Whether the mode is enabled.
    pub(crate) fn counts_up_to_several(&self) -> bool {
        self.functions_are_constant
    }

    /// The number of values up to a depth, which may be large.
    pub(crate) fn values_up_to(&mut self, depth: u32, count: fn(&mut Extent) -> f64) -> f64 {
        self.prepare(depth, count);
        self.at(depth, |extent| extent.values_by(count))
    }

    /// Counts smaller depths first: otherwise the recursion over depths would need stack in proportion to the depth.
    fn prepare(&mut self, depth: u32, count: fn(&mut Extent) -> f64) {
        if depth <= AT_ONCE {
            return;
        }
        let contains_itself = *self.contain_themselves.entry(count as usize).or_insert_with(|| {
            let mut extent = Self { lowest: AT_ONCE, ..Self::default() };
            extent.at(AT_ONCE, |extent| extent.values_by(count));
            extent.lowest == 0
        });
        let mut below = AT_ONCE;
        while contains_itself && below < depth {
            self.at(below, |extent| extent.values_by(count));
            below += AT_ONCE;
        }
    }

    /// Returns the remaining depth.
    ///
    /// ```
    /// use forall::lazy::{Extent, Series};
    /// # use forall::{Arbitrary, choice::Source};
    /// struct Digit(u32);
    /// impl Arbitrary for Digit {
    /// #   fn arbitrary(source: &mut Source) -> Self { Digit(source.draw(0..10)) }
    ///     fn series(series: &mut Series<'_>) -> Self {
    ///         Digit(series.choose(u64::from(series.depth()) + 1).min(9) as u32)
    ///     }
    ///     fn extent(extent: &mut Extent) -> f64 { f64::from(extent.depth() + 1).min(10.0) }
    /// }
    /// assert_eq!(Extent::of::<Digit>(4), 5.0);
    /// ```
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of values of `T` up to the remaining depth, for fields that cost no depth.
    ///
    /// ```
    /// use forall::lazy::{Extent, Series};
    /// # use forall::{Arbitrary, choice::Source};
    /// struct Pair(bool, bool);
    /// impl Arbitrary for Pair {
    /// #   fn arbitrary(source: &mut Source) -> Self { Pair(bool::arbitrary(source), bool::arbitrary(source)) }
    ///     fn series(series: &mut Series<'_>) -> Self { Pair(series.part(), series.part()) }
    ///     fn extent(extent: &mut Extent) -> f64 { extent.values::<bool>() * extent.values::<bool>() }
    /// }
    /// assert_eq!(Extent::of::<Pair>(0), 4.0);
    /// ```
    pub fn values<T: Arbitrary>(&mut self) -> f64 {
        self.values_by(T::extent)
    }

    #[doc(hidden)]
    pub fn values_by(&mut self, count: fn(&mut Extent) -> f64) -> f64 {
        let key = (count as usize, self.depth);
        match self.known.get(&key) {
            Some(Known::Is(values)) => *values,
            Some(&Known::UnderWay(place, assumed)) => {
                self.asked = Some(self.asked.map_or(place, |asked| asked.min(place)));
                assumed
            }
            None => self.count(key, count),
        }
    }

    /// Computes an unknown count. A type may contain itself at the same depth, if a constructor costs nothing: the
    /// inner count is then assumed to be 0, and after that to be the result. If the result is larger with that, the
    /// count is infinite.
    fn count(&mut self, key: (usize, u32), count: fn(&mut Extent) -> f64) -> f64 {
        let (place, asked_before) = (self.under_way, self.asked.take());
        self.under_way += 1;
        self.lowest = self.lowest.min(key.1);
        self.known.insert(key, Known::UnderWay(place, 0.0));
        let mut values = count(self);
        if self.asked == Some(place) && values > 0.0 {
            self.known.insert(key, Known::UnderWay(place, values));
            if count(self) > values {
                values = f64::INFINITY;
            }
        }
        self.under_way -= 1;
        // A result that depends on an assumption is not cached.
        match self.asked.filter(|asked| *asked < place) {
            Some(_) => self.known.remove(&key),
            None => self.known.insert(key, Known::Is(values)),
        };
        self.asked = match (self.asked.filter(|asked| *asked < place), asked_before) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        values
    }

    /// Runs `count` at another depth.
    ///
    /// ```
    /// use forall::lazy::{Extent, Series};
    /// # use forall::{Arbitrary, choice::Source};
    /// /// As deep as anything else, whatever is in it.
    /// struct Free<T>(T);
    /// impl<T: Arbitrary> Arbitrary for Free<T> {
    /// #   fn arbitrary(source: &mut Source) -> Self { Free(T::arbitrary(source)) }
    ///     fn series(series: &mut Series<'_>) -> Self { Free(series.at(10, |series| series.part())) }
    ///     fn extent(extent: &mut Extent) -> f64 { extent.at(10, |extent| extent.values::<T>()) }
    /// }
    /// assert_eq!(Extent::of::<Free<u8>>(0), 11.0);
    /// ```
    pub fn at<R>(&mut self, depth: u32, count: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.depth, depth);
        let values = count(self);
        self.depth = before;
        values
    }

    /// Returns the number of values of these constructors.
    ///
    /// ```
    /// use forall::lazy::{Constructor, Extent};
    /// # use forall::{Arbitrary, choice::Source, lazy::Series};
    /// enum Flag { Off, On(bool) }
    /// const FLAG: &[Constructor] = &[Constructor::new(0, |_| 1.0), Constructor::new(1, |extent| extent.values::<bool>())];
    /// impl Arbitrary for Flag {
    /// #   fn arbitrary(_: &mut Source) -> Self { Flag::Off }
    ///     fn series(series: &mut Series<'_>) -> Self {
    ///         match series.constructor(FLAG) { 0 => Flag::Off, _ => Flag::On(series.field()) }
    ///     }
    ///     fn extent(extent: &mut Extent) -> f64 { extent.constructors(FLAG) }
    /// }
    /// assert_eq!((Extent::of::<Flag>(0), Extent::of::<Flag>(1)), (1.0, 3.0));
    /// ```
    pub fn constructors(&mut self, list: &[Constructor]) -> f64 {
        let mut values = 0.0;
        for constructor in list {
            values += self.constructor(constructor);
        }
        values
    }

    /// Returns the number of lists of `T`: see [`Series::list`](super::Series::list).
    ///
    /// ```
    /// use forall::lazy::Extent;
    /// assert_eq!(Extent::of::<Vec<()>>(3), 4.0);
    /// ```
    pub fn lists<T: Arbitrary>(&mut self) -> f64 {
        self.values_by(|extent| extent.constructors(&[Constructor::UNIT, Constructor::cons::<T>()]))
    }

    /// The number of maps: see `Series::entries`. With keys that `may_repeat`, that of bags.
    pub(crate) fn entries<K: Arbitrary, V: Arbitrary>(&mut self, may_repeat: bool) -> f64 {
        let Some(below) = self.depth.checked_sub(1) else { return 1.0 };
        let (keys, values) = self.at(below, |extent| (extent.values::<K>(), extent.values::<V>()));
        let (mut maps, mut of_this_length) = (1.0, 1.0);
        for length in 0..self.depth {
            let length = f64::from(length);
            // The number of possible next keys, in any order.
            let next = if may_repeat { keys + length } else { keys - length };
            of_this_length *= next * values / (length + 1.0);
            if of_this_length == 0.0 {
                break;
            }
            maps += of_this_length;
        }
        maps
    }

    /// From the least to the greatest integer of a type with those from `min` to `max`.
    pub(crate) fn integers(&self, min: i128, max: u128) -> (i128, i128) {
        integers(self.depth, min, max)
    }

    fn constructor(&mut self, constructor: &Constructor) -> f64 {
        match self.depth.checked_sub(constructor.cost) {
            Some(left) => self.at(left, constructor.fields),
            None => 0.0,
        }
    }
}

impl Extent {
    /// The constructors of a list that have a value at a depth, by index. Unknown ones count as having one.
    pub(crate) fn buildable(&mut self, list: &[Constructor], depth: u32) -> Vec<u16> {
        let mut which = Vec::new();
        for (number, constructor) in list.iter().enumerate() {
            self.prepare(depth.saturating_sub(constructor.cost), constructor.fields);
            if self.at(depth, |extent| extent.constructor(constructor)) != 0.0 {
                which.push(number as u16);
            }
        }
        which
    }
}
