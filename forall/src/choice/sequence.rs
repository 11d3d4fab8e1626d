//! Sequences of choices, which determine a test input, and their order by simplicity.

use std::cmp::Ordering;

/// One bounded draw: a value from 0 to an inclusive maximum. Smallest is simplest.
///
/// ```
/// use forall::choice::Choice;
/// let choice = Choice { value: 3, max: 9 };
/// assert!(choice.value <= choice.max);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub struct Choice {
    /// The chosen value.
    pub value: u64,
    /// The largest value that could have been chosen.
    pub max: u64,
}

/// An element of a sequence.
///
/// ```
/// use forall::choice::{Choice, Item};
/// let items = [Item::Fork { len: 1 }, Item::Choice(Choice { value: 1, max: 1 })];
/// assert_eq!(items[0].weight(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub enum Item {
    /// A choice.
    Choice(Choice),
    /// A fork: the `len` items that follow were drawn from it, possibly long after it was made.
    Fork {
        /// The number of following items that belong to the fork.
        len: u32,
    },
}

impl Item {
    /// Returns the weight of the item when sequences of equal length are compared.
    ///
    /// ```
    /// use forall::choice::{Choice, Item};
    /// assert_eq!(Item::Choice(Choice { value: 3, max: 9 }).weight(), 3);
    /// ```
    pub fn weight(&self) -> u64 {
        match self {
            Item::Choice(choice) => choice.value,
            Item::Fork { len } => u64::from(*len),
        }
    }
}

/// A group of consecutive items that form a part of the input: an element, a field, a subtree.
///
/// ```
/// use forall::choice::Span;
/// assert_eq!(Span { label: 0, start: 2, end: 5 }.len(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub struct Span {
    /// The kind of this part; spans with the same label are interchangeable: the shrinker may replace one with another.
    /// Labels from 2^30 on are reserved for the library: derived types, recursive generators, elements of collections.
    /// Labels with the highest bit set stand for the variables of the property.
    pub label: u32,
    /// The first item.
    pub start: u32,
    /// One past the last item.
    pub end: u32,
}

impl Span {
    /// The label of the variable with this number.
    pub(crate) const fn variable_label(variable: u32) -> u32 {
        1 << 31 | variable
    }

    /// Whether spans with these labels are interchangeable: variables can have the same type.
    pub(crate) const fn are_alike(label: u32, other: u32) -> bool {
        label == other || (label & other) >> 31 == 1
    }

    /// Returns the index of the variable whose choices this span contains, if it is the span of a whole variable.
    ///
    /// ```
    /// use forall::prelude::*;
    /// use forall::run::Tester;
    /// let property = property! { forall a in 0..10u32; forall b in 0..10u32; check a + b < 20 };
    /// let drawn = Tester::new("sums", &property, 7).choices(0, 100);
    /// assert_eq!(drawn.spans.iter().map(|span| span.variable()).collect::<Vec<_>>(), [Some(0), Some(1)]);
    /// ```
    pub fn variable(&self) -> Option<usize> {
        (self.label >> 31 == 1).then_some((self.label & !(1 << 31)) as usize)
    }

    /// Returns the number of items.
    ///
    /// ```
    /// use forall::choice::Span;
    /// assert_eq!(Span { label: 1, start: 2, end: 5 }.len(), 3);
    /// ```
    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns whether the span is empty.
    ///
    /// ```
    /// use forall::choice::Span;
    /// assert!(Span { label: 1, start: 2, end: 2 }.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// A test input, represented by its choices.
///
/// Sequences are ordered *shortlex*: shorter first, then smaller values from the left. Spans, maxima and size do not
/// matter.
///
/// ```
/// use forall::choice::{Sequence, Source};
///
/// let mut source = Source::record(1, 0, 10);
/// let pair = (source.draw(0..100), source.draw(0..100));
/// let sequence = source.into_sequence();
///
/// let mut again = Source::replay(&sequence);
/// assert_eq!(pair, (again.draw(0..100), again.draw(0..100)));
/// assert!(sequence > Sequence::from_values(10, &[0, 0]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub struct Sequence {
    /// The size under which the input was generated.
    #[doc(hidden)]
    pub size: u32,
    /// Choices and forks in the order of drawing; the items of a fork are at the position of its creation.
    #[doc(hidden)]
    pub items: Vec<Item>,
    /// The parts of the input, in the order in which they were opened.
    #[doc(hidden)]
    pub spans: Vec<Span>,
}

impl Sequence {
    /// Creates a sequence of plain choices without known maxima: for replay, which takes the maxima from the generator.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// let mut source = Source::replay(&Sequence::from_values(100, &[7, 99]));
    /// assert_eq!((source.choice(9), source.choice(9)), (7, 9), "the generator knows the maxima");
    /// ```
    pub fn from_values(size: u32, values: &[u64]) -> Self {
        let mut items = Vec::with_capacity(values.len());
        for &value in values {
            items.push(Item::Choice(Choice { value, max: u64::MAX }));
        }
        Self { size, items, spans: Vec::new() }
    }

    /// Returns the number of items.
    ///
    /// ```
    /// use forall::choice::Sequence;
    /// assert_eq!(Sequence::from_values(100, &[7, 3]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether the sequence is empty.
    ///
    /// ```
    /// use forall::choice::Sequence;
    /// assert!(Sequence::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the values of the choices, without those of forks.
    ///
    /// ```
    /// use forall::choice::Sequence;
    /// assert_eq!(Sequence::from_values(100, &[7, 3]).values().sum::<u64>(), 10);
    /// ```
    pub fn values(&self) -> impl Iterator<Item = u64> {
        self.items.iter().filter_map(|item| match item {
            Item::Choice(choice) => Some(choice.value),
            Item::Fork { .. } => None,
        })
    }

    /// Whether there is a fork: then draws may follow after generation.
    pub(crate) fn has_forks(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Fork { .. }))
    }

    /// Returns a hash of maxima, forks and spans: equal if the same generator interpreted the choices in the same way.
    ///
    /// Saved with a counterexample, to detect a changed generator even if the values print the same.
    ///
    /// ```
    /// use forall::choice::{Sequence, Source};
    /// let shape = |value, max| {
    ///     let mut source = Source::replay(&Sequence::from_values(100, &[value]));
    ///     source.choice(max);
    ///     source.into_sequence().shape()
    /// };
    /// assert_eq!(shape(1, 9), shape(2, 9), "another input of one generator");
    /// assert_ne!(shape(1, 9), shape(1, 99), "another generator");
    /// ```
    #[doc(hidden)]
    pub fn shape(&self) -> u64 {
        let mut hash = crate::hash::Fnv::default();
        for item in &self.items {
            match item {
                Item::Choice(choice) => hash.word(choice.max),
                Item::Fork { len } => hash.word(u64::from(*len).wrapping_add(1 << 40)),
            }
        }
        for span in &self.spans {
            hash.word(u64::from(span.label));
            hash.word(u64::from(span.start) << 32 | u64::from(span.end));
        }
        hash.finish()
    }
}

/// Shorter first, then smaller values from the left.
pub(crate) fn shortlex(a: &[Item], b: &[Item]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| lexicographic(a, b))
}

/// Compares values from the left, over the common length.
pub(crate) fn lexicographic(a: &[Item], b: &[Item]) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        let order = a.weight().cmp(&b.weight());
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

impl Ord for Sequence {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = shortlex(&self.items, &other.items);
        order.then(self.size.cmp(&other.size)).then_with(|| self.shape().cmp(&other.shape()))
    }
}

impl PartialOrd for Sequence {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
