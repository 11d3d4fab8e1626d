//! Series: how a type produces the values of a bounded search. The search itself is a guest, [`lazy`](crate::lazy),
//! which is known here as a [`Trail`].

mod extent;

pub use extent::Extent;

use super::{Arbitrary, Generator};
use crate::choice::{Rejected, Source};
use std::any::Any;

/// The decisions of a search for series, and for the walk of a property over its paths.
pub(crate) trait Trail: Any {
    /// One of `count` alternatives.
    fn choose(&self, block: usize, count: u32) -> u32;

    /// One of the constructors that have a value at this depth; `None` if there is none.
    fn choose_constructor(&self, block: usize, depth: u32, list: &'static [Constructor]) -> Option<usize>;

    /// The search cannot backtrack into part of the values of this block.
    fn make_opaque(&self, block: usize);

    /// While a counterexample is printed: which cells of a decision are decided.
    fn shown_children(&self, block: u16, owner: u32) -> Vec<u32>;

    /// The source for generators in this search.
    fn source(&self, depth: u32) -> Source;

    /// The variables of a block are generated next.
    fn begin_environment(&self, block: usize);

    /// The body is called next.
    fn begin_evaluation(&self);

    /// Advances to the next path of a block, with its environment if it can be reused.
    fn advance(&self, block: usize, keeps: bool) -> Next;

    /// Whether the property caught a signal of the search, so that its result is invalid.
    fn is_interrupted(&self) -> bool;
}

/// How a search continues after a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// With the current environment.
    Resume,
    /// With a new environment.
    Rebuild,
    /// It does not: all paths were visited.
    Done,
}

/// The origin of a cell, and the depth of its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed {
    /// The environment it belongs to.
    pub(crate) epoch: u32,
    /// The decision that made it, by its place on the trail, and its place among those that this decision made.
    pub(crate) parent: u32,
    pub(crate) ordinal: u32,
    pub(crate) depth: u32,
    pub(crate) block: u16,
}

/// Produces a variable by its type in the current search, registered by the search guest: takes the number of values of
/// the type, and the function that produces one.
pub(crate) struct Variables(pub(crate) MakeVariable);

type MakeVariable = fn(fn(&mut Extent) -> f64, &mut dyn FnMut(&mut Series<'_>));

inventory::collect!(Variables);

/// A variable by its type, in the current search.
pub(super) fn variable<T: Arbitrary>() -> T {
    let mut value = None;
    for guest in inventory::iter::<Variables> {
        (guest.0)(T::extent, &mut |series| value = Some(series.part()));
    }
    value.expect("a source in search mode belongs to a search that makes the variable")
}

/// The choices of a bounded search, for one value: what [`Arbitrary::series`] draws from.
///
/// The derive generates series; use this type directly to write your own. A depth is the number of levels that may
/// still be nested: a constructor without fields needs none, and the fields of the others have one less than the whole.
/// This is the depth metric of Lazy SmallCheck; `#[forall(depth = 0)]` on a variant, or a series of your own, changes
/// it.
///
/// ```
/// use forall::Arbitrary;
/// use forall::choice::Source;
/// use forall::lazy::{Extent, Series};
///
/// /// An even number: 0, 2, … up to twice the depth.
/// struct Even(u64);
///
/// impl Arbitrary for Even {
///     fn arbitrary(source: &mut Source) -> Self { Even(2 * source.draw(0..100)) }
///     fn series(series: &mut Series<'_>) -> Self { Even(2 * series.choose(u64::from(series.depth()) + 1)) }
///     fn extent(extent: &mut Extent) -> f64 { f64::from(extent.depth() + 1) }
/// }
/// assert_eq!(Extent::of::<Even>(3), 4.0);
/// ```
#[derive(Debug)]
#[doc(hidden)]
pub struct Series<'a> {
    search: Run<'a>,
    block: u16,
    epoch: u32,
    depth: u32,
    /// The fields of the last chosen constructor.
    below: u32,
    /// The decision that is being made, and how many cells it made.
    owner: u32,
    ordinal: u32,
}

/// The search, with an opaque `Debug`.
#[derive(Clone, Copy)]
struct Run<'a>(&'a dyn Trail);

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

/// A constructor in a search: its cost, and the number of its values.
///
/// ```
/// use forall::lazy::Constructor;
/// const SOME: Constructor = Constructor::new(1, |extent| extent.values::<bool>());
/// assert_eq!(SOME.cost, 1);
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Constructor {
    /// The depth of its fields relative to the whole.
    pub cost: u32,
    /// The number of ways to fill its fields.
    pub fields: fn(&mut Extent) -> f64,
}

impl Constructor {
    /// A constructor without fields.
    pub const UNIT: Self = Self::new(0, |_| 1.0);

    /// Creates a constructor with one field.
    ///
    /// ```
    /// use forall::lazy::{Constructor, Extent};
    /// let some = Constructor::holding::<bool>();
    /// assert_eq!((some.cost, (some.fields)(&mut Extent::default())), (1, 2.0));
    /// ```
    pub const fn holding<T: Arbitrary>() -> Self {
        Self::new(1, |extent| extent.values::<T>())
    }

    /// Creates a constructor with this cost, whose fields can be filled in this many ways.
    ///
    /// ```
    /// use forall::lazy::{Constructor, Extent};
    /// const PAIR: Constructor = Constructor::new(1, |extent| extent.values::<bool>() * extent.values::<bool>());
    /// assert_eq!((PAIR.fields)(&mut Extent::default()), 4.0);
    /// ```
    pub const fn new(cost: u32, fields: fn(&mut Extent) -> f64) -> Self {
        Self { cost, fields }
    }
}

impl Constructor {
    /// An element before a list.
    pub(crate) const fn cons<T: Arbitrary>() -> Self {
        Self::new(1, |extent| extent.values::<T>() * extent.lists::<T>())
    }

    /// An entry of a map.
    const fn entry<K: Arbitrary, V: Arbitrary>() -> Self {
        Self::new(1, |extent| extent.values::<K>() * extent.values::<V>())
    }
}

/// From minus the depth to the depth, within the type's range.
pub(crate) fn integers(depth: u32, min: i128, max: u128) -> (i128, i128) {
    let depth = i128::from(depth);
    (min.max(-depth), depth.min(max.min(i128::MAX as u128) as i128))
}

/// Properties of the values of a type's series, see [`Arbitrary::SHAPE`].
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    plain: bool,
}

impl Shape {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { plain: false };

    /// The values own their parts, and through a shared reference to a value none of its parts can be replaced, taken out or
    /// kept.
    ///
    /// # Safety
    ///
    /// This must hold for the type itself; parts produced by [`Series::field`] and [`Series::part`] have their own
    /// `Shape`.
    pub const unsafe fn plain() -> Self {
        Self { plain: true }
    }
}

impl<'a> Series<'a> {
    pub(crate) fn new(search: &'a dyn Trail, seed: Seed) -> Self {
        let Seed { epoch, parent: owner, ordinal, depth, block } = seed;
        Self { search: Run(search), block, epoch, depth, below: depth, owner, ordinal }
    }

    /// Returns the remaining depth.
    ///
    /// ```
    /// use forall::lazy::Series;
    /// fn up_to_depth(series: &mut Series<'_>) -> u64 {
    ///     series.choose(u64::from(series.depth()) + 1)
    /// }
    /// # let _ = up_to_depth;
    /// ```
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Chooses one of `count` alternatives, by index: all are tried, from 0 on.
    ///
    /// ```
    /// use forall::lazy::Series;
    /// fn bit(series: &mut Series<'_>) -> bool {
    ///     series.choose(2) == 1
    /// }
    /// # let _ = bit;
    /// ```
    pub fn choose(&mut self, count: u64) -> u64 {
        u64::from(self.search.0.choose(usize::from(self.block), count.min(u64::from(u32::MAX)) as u32))
    }

    /// Chooses one of the constructors, by index: those without a value at this depth are skipped. The following calls of
    /// [`Series::field`] are its fields.
    ///
    /// ```
    /// use forall::lazy::{Constructor, Series};
    /// const OPTION: &[Constructor] = &[Constructor::new(0, |_| 1.0), Constructor::new(1, |extent| extent.values::<bool>())];
    /// fn option(series: &mut Series<'_>) -> Option<bool> {
    ///     match series.constructor(OPTION) {
    ///         0 => None,
    ///         _ => Some(series.field()),
    ///     }
    /// }
    /// # let _ = option;
    /// ```
    pub fn constructor(&mut self, list: &'static [Constructor]) -> usize {
        let chosen = self.search.0.choose_constructor(usize::from(self.block), self.depth, list);
        let Some(chosen) = chosen else { self.reject() };
        self.below = self.depth.saturating_sub(list[chosen].cost);
        chosen
    }

    /// Produces a field of the last chosen constructor.
    ///
    /// ```
    /// use forall::lazy::{Constructor, Series};
    /// const PAIR: &[Constructor] = &[Constructor::new(1, |extent| extent.values::<bool>() * extent.values::<i8>())];
    /// fn pair(series: &mut Series<'_>) -> (bool, i8) {
    ///     series.constructor(PAIR);
    ///     (series.field(), series.field())
    /// }
    /// # let _ = pair;
    /// ```
    pub fn field<T: Arbitrary>(&mut self) -> T {
        self.at(self.below, Self::part)
    }

    /// A field of the last chosen constructor, produced by `body`.
    pub(crate) fn field_with<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.at(self.below, body)
    }

    /// While a counterexample is printed: which cells of this decision are decided.
    pub(crate) fn shown_children(&self) -> Vec<u32> {
        self.search.0.shown_children(self.block, self.owner)
    }

    /// Produces a part that may be as deep as the whole.
    ///
    /// ```
    /// use forall::lazy::Series;
    /// fn pair(series: &mut Series<'_>) -> (bool, i8) {
    ///     (series.part(), series.part())
    /// }
    /// # let _ = pair;
    /// ```
    pub fn part<T: Arbitrary>(&mut self) -> T {
        self.part_by(T::series, T::SHAPE)
    }

    #[inline]
    fn part_by<T>(&mut self, series: fn(&mut Series<'_>) -> T, shape: Shape) -> T {
        if !shape.plain {
            self.opaque();
        }
        series(self)
    }

    /// Like [`Series::field`], for the derive: the type is named once.
    #[doc(hidden)]
    pub fn field_by<T>(&mut self, series: fn(&mut Series<'_>) -> T, shape: Shape) -> T {
        self.at(self.below, |field| field.part_by(series, shape))
    }

    /// Runs `body` at another depth.
    ///
    /// ```
    /// use forall::lazy::Series;
    /// fn shallow(series: &mut Series<'_>) -> Vec<bool> {
    ///     let depth = series.depth().min(2);
    ///     series.at(depth, |series| series.part())
    /// }
    /// # let _ = shallow;
    /// ```
    pub fn at<T>(&mut self, depth: u32, body: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.depth, self.below);
        (self.depth, self.below) = (depth, depth);
        let value = body(self);
        (self.depth, self.below) = before;
        value
    }

    /// Returns a list: empty, or an element and a list, both with one less depth.
    ///
    /// ```
    /// use forall::lazy::Series;
    /// fn word(series: &mut Series<'_>) -> String {
    ///     series.list::<char>().into_iter().collect()
    /// }
    /// # let _ = word;
    /// ```
    pub fn list<T: Arbitrary>(&mut self) -> Vec<T> {
        let before = (self.depth, self.below);
        let mut values: Vec<T> = Vec::new();
        while self.constructor(const { &[Constructor::UNIT, Constructor::cons::<T>()] }) == 1 {
            values.push(self.field());
            self.depth = self.below;
        }
        (self.depth, self.below) = before;
        values
    }

    /// At most `depth` key-value pairs, each one level shallower, with the keys in ascending order.
    pub(crate) fn entries<K: Arbitrary, V: Arbitrary>(&mut self, is_before: fn(&K, &K) -> bool) -> Vec<(K, V)> {
        let mut entries: Vec<(K, V)> = Vec::new();
        let entry = const { &[Constructor::UNIT, Constructor::entry::<K, V>()] };
        while entries.len() < self.depth as usize && self.constructor(entry) == 1 {
            let key = self.field();
            if entries.last().is_some_and(|(last, _)| !is_before(last, &key)) {
                self.reject();
            }
            entries.push((key, self.field()));
        }
        entries
    }

    /// Elements in the same way.
    pub(crate) fn elements<T: Arbitrary>(&mut self, is_before: fn(&T, &T) -> bool) -> Vec<T> {
        self.entries::<T, ()>(is_before).into_iter().map(|(element, ())| element).collect()
    }

    /// The integers of a type that has those from `min` to `max`, as far as the depth goes: the first, and how many.
    pub(crate) fn integers(&self, min: i128, max: u128) -> (i128, u64) {
        let (low, high) = integers(self.depth, min, max);
        (low, (high - low + 1) as u64)
    }

    /// One of those integers except 0.
    pub(crate) fn non_zero(&mut self, min: i128, max: u128) -> i128 {
        let (low, count) = self.integers(min, max);
        if count == 1 {
            self.reject();
        }
        let chosen = low + i128::from(self.choose(count - 1));
        chosen + i128::from(chosen >= 0)
    }

    /// Draws from a generator: every value it can produce, as far as its choices have few alternatives. Of choices with
    /// many alternatives it takes the simplest, and more of them as the search gets deeper.
    ///
    /// ```
    /// use forall::lazy::Series;
    /// fn digit(series: &mut Series<'_>) -> u8 {
    ///     series.draw(0..10)
    /// }
    /// # let _ = digit;
    /// ```
    pub fn draw<G: Generator>(&mut self, generator: G) -> G::Value {
        self.opaque();
        let mut source = self.search.0.source(self.depth);
        let value = generator.generate(&mut source);
        if source.is_rejected() {
            self.reject();
        }
        value
    }

    /// Produces a field of the last chosen constructor, drawn from a generator.
    #[doc(hidden)]
    pub fn draw_field<G: Generator>(&mut self, generator: G) -> G::Value {
        self.at(self.below, |field| field.draw(generator))
    }

    /// Rejects this value: it is not part of the series.
    ///
    /// ```
    /// use forall::lazy::Series;
    /// fn odd(series: &mut Series<'_>) -> u64 {
    ///     let n = series.choose(10);
    ///     if n % 2 == 0 { series.reject() }
    ///     n
    /// }
    /// # let _ = odd;
    /// ```
    #[cold]
    pub fn reject(&mut self) -> ! {
        Rejected::unwind()
    }

    /// The search cannot backtrack into part of the values, since parts of them may be kept or replaced elsewhere.
    pub(crate) fn opaque(&mut self) {
        self.search.0.make_opaque(usize::from(self.block));
    }

    pub(crate) fn block(&self) -> u16 {
        self.block
    }

    pub(crate) fn trail(&self) -> &'a dyn Trail {
        self.search.0
    }

    /// The number of cells so far.
    pub(crate) fn made(&self) -> u32 {
        self.ordinal
    }

    /// The seed of a cell that is made here.
    pub(crate) fn seed(&mut self) -> Seed {
        let ordinal = self.ordinal;
        self.ordinal += 1;
        Seed { epoch: self.epoch, parent: self.owner, ordinal, depth: self.depth, block: self.block }
    }
}
