//! Functions as values: tries over the constructors of their arguments, which grow as the functions are applied. How
//! they print is in `fun/table.rs`, how many there are in `fun/count.rs`, when two are the same in `fun/normal.rs`.

mod count;
mod normal;
mod table;

use super::argument::{Argument, Parts, Rest, Tag};
use super::block::Seed;
use super::cell::made_aside;
use super::trail::with_current;
use super::variables::search_of;
use super::{Extent, Lazy};
use crate::choice::Source;
use crate::generate::series::{Constructor, Series, Shape};
use crate::generate::{Arbitrary, ELEMENT};
use std::cell::{OnceCell, RefCell};
use std::marker::PhantomData;

/// A generated function. Its results are chosen when it is applied.
///
/// ```
/// use forall::lazy::{Fun, Lazy, List, explore};
/// use forall::prelude::*;
///
/// fn contains(word: &str, p: &Fun<Lazy<List<char>>, bool>) -> bool {
///     *p.call(&Lazy::new(word.chars().collect()))
/// }
/// let property = property! {
///     forall p: Fun<Lazy<List<char>>, bool>;
///     check !contains("Lazy SmallCheck", p) || contains("SmallCheck", p)
/// };
/// let explored = explore(&property, 4);
/// assert_eq!(explored.bindings[0].printed.text(), "{ _:'a':_ -> true; _:_:_ -> false }");
/// ```
///
/// A function either ignores its argument, or inspects its constructor and then does the same with each part. Each
/// inspection uses up one level of the search depth. Functions of several arguments are [`Fun2`] and [`Fun3`]:
/// functions that return functions.
///
/// `{:?}` prints the arguments that it was applied to as above, `{:#?}` as the arms of a `match`:
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::any;
/// use forall::lazy::Fun;
/// let f: Fun<Option<bool>, bool> = Source::random(3, 0, 100).draw(any());
/// (f.call(&None), f.call(&Some(true)));
/// assert_eq!(format!("{f:?}"), "{ None -> true; Some(true) -> false }");
/// let arms = "match _ {\n    None => true,\n    Some(true) => false,\n    _ => unreachable!(\"not called with other arguments\"),\n}";
/// assert_eq!(format!("{f:#?}"), arms);
/// ```
///
/// Functions are generated as tables of results, not as code.
pub struct Fun<A, B> {
    look: Lazy<Look<B>>,
    argument: PhantomData<fn(&A)>,
}

/// A function of two arguments, `Fun<A, Fun<B, C>>`.
///
/// ```
/// use forall::lazy::{Fun2, explore};
/// use forall::prelude::*;
///
/// // Is every binary operation on booleans commutative?
/// let property = property! { forall f: Fun2<bool, bool, bool>; check f.call2(&true, &false) == f.call2(&false, &true) };
/// let explored = explore(&property, 1);
/// assert_eq!(explored.bindings[0].printed.text(), "{ _ -> { false -> false; true -> true } }");
/// ```
pub type Fun2<A, B, C> = Fun<A, Fun<B, C>>;

/// A function of three arguments, `Fun<A, Fun<B, Fun<C, D>>>`.
///
/// ```
/// use forall::choice::Source;
/// use forall::generate::any;
/// use forall::lazy::Fun3;
/// let f: Fun3<u8, bool, char, u32> = Source::random(1, 0, 100).draw(any());
/// assert_eq!(f.call3(&1, &true, &'x'), f.call(&1).call(&true).call(&'x'));
/// ```
pub type Fun3<A, B, C, D> = Fun<A, Fun<B, Fun<C, D>>>;

/// How a function handles a part of its argument.
enum Look<B> {
    /// It does not inspect it.
    Wild(Box<Node<B>>),
    /// It distinguishes its constructors.
    Case(Cases<B>),
}

/// The next step: inspecting the next part, or, if there is none, the result.
struct Node<B> {
    look: Lazy<Look<B>>,
    result: Lazy<B>,
    /// Whether there is only one possible result, whatever is inspected, and this needs to be known.
    is_constant: bool,
}

/// The function's behaviour for each constructor it was applied to so far. Entries are added and never taken away.
struct Cases<B> {
    first: OnceCell<Box<Entry<B>>>,
    origin: Origin<B>,
}

struct Entry<B> {
    tag: Tag,
    node: Node<B>,
    next: OnceCell<Box<Entry<B>>>,
}

/// The source of new entries.
enum Origin<B> {
    /// A search: the seed of cells that are made here, and what makes them. All numbers from the depth upwards share
    /// one entry.
    Search(Seed, fn(Seed, Tag) -> Node<B>),
    /// The choices of a test.
    Source(RefCell<Source>),
}

impl<A: Argument, B: Arbitrary> Fun<A, B> {
    /// Applies the function.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::any;
    /// use forall::lazy::Fun;
    /// let f: Fun<u8, bool> = Source::random(1, 0, 100).draw(any());
    /// assert_eq!(f.call(&7), f.call(&7), "the same argument, the same result");
    /// ```
    pub fn call(&self, argument: &A) -> &B {
        let mut parts = Parts::default();
        let mut look = &self.look;
        let mut part = Rest::Whole(argument);
        loop {
            let node = match &**look {
                Look::Wild(node) => node,
                Look::Case(cases) => {
                    let start = parts.0.len();
                    let tag = part.inspect(&mut parts);
                    parts.0[start..].reverse();
                    cases.node(tag)
                }
            };
            match parts.0.pop() {
                Some(next) => (look, part) = (&node.look, next),
                None => return &node.result,
            }
        }
    }
}

impl<A: Argument, B: Argument, C: Arbitrary> Fun2<A, B, C> {
    /// Applies the function to two arguments.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::any;
    /// use forall::lazy::Fun2;
    /// let f: Fun2<u8, bool, char> = Source::random(1, 0, 100).draw(any());
    /// assert_eq!(f.call2(&1, &true), f.call(&1).call(&true));
    /// ```
    pub fn call2(&self, first: &A, second: &B) -> &C {
        self.call(first).call(second)
    }
}

impl<A: Argument, B: Argument, C: Argument, D: Arbitrary> Fun3<A, B, C, D> {
    /// Applies the function to three arguments.
    ///
    /// ```
    /// use forall::choice::Source;
    /// use forall::generate::any;
    /// use forall::lazy::Fun3;
    /// let f: Fun3<u8, bool, char, u32> = Source::random(1, 0, 100).draw(any());
    /// assert_eq!(f.call3(&1, &true, &'x'), f.call3(&1, &true, &'x'));
    /// ```
    pub fn call3(&self, first: &A, second: &B, third: &C) -> &D {
        self.call(first).call(second).call(third)
    }
}

impl<B: Arbitrary> Cases<B> {
    /// The node for a constructor or number.
    fn node(&self, tag: Tag) -> &Node<B> {
        let tag = match (&self.origin, tag) {
            (Origin::Search(seed, _), Tag::Number(number)) => Tag::Number(number.min(u64::from(seed.depth))),
            _ => tag,
        };
        let mut place = &self.first;
        while let Some(entry) = place.get() {
            if entry.tag == tag {
                return &entry.node;
            }
            place = &entry.next;
        }
        let node = self.make(tag);
        &place.get_or_init(|| Box::new(Entry { tag, node, next: OnceCell::new() })).node
    }

    fn make(&self, tag: Tag) -> Node<B> {
        match &self.origin {
            Origin::Search(seed, make) => make(*seed, tag),
            Origin::Source(source) => {
                let source = &mut source.borrow_mut();
                source.span(ELEMENT, |source| {
                    source.write_down(1, 1);
                    let key = match tag {
                        Tag::Constructor(number) => u64::from(number),
                        Tag::Number(number) => number,
                    };
                    source.write_down(u64::from(matches!(tag, Tag::Number(_))), 1);
                    source.write_down(key, u64::MAX);
                    Node::drawn(source, key)
                })
            }
        }
    }

    fn append(&self, tag: Tag, node: Node<B>) {
        let mut place = &self.first;
        while let Some(entry) = place.get() {
            if entry.tag == tag {
                return;
            }
            place = &entry.next;
        }
        let _ = place.set(Box::new(Entry { tag, node, next: OnceCell::new() }));
    }
}

/// Distinguishes the cells of numbers from those of constructors.
const NUMBERS: u32 = 1 << 24;

impl<B: Arbitrary> Node<B> {
    /// A node whose cells a search decides: two cells for each constructor or number. A number with its own entry costs
    /// one more level of depth than the entry for all other numbers.
    fn chosen(seed: Seed, tag: Tag) -> Self {
        let (first, depth) = match tag {
            Tag::Constructor(number) => (number, seed.depth),
            Tag::Number(number) => (number as u32 | NUMBERS, seed.depth - u32::from(number < u64::from(seed.depth))),
        };
        let cell = |which| Seed { ordinal: 2 * first + which, depth, ..seed };
        with_current(|search| match search {
            Some(search) => Self {
                look: made_aside(search, cell(0)),
                result: made_aside(search, cell(1)),
                is_constant: search.watches_cells() && search.has_one_value::<B>(depth),
            },
            None => Self { look: Lazy::chosen(cell(0)), result: Lazy::chosen(cell(1)), is_constant: false },
        })
    }

    /// A node whose values a test draws; always the same for the same tag.
    fn drawn(source: &mut Source, tag: u64) -> Self {
        let mut source = source.fork_for(tag);
        Self { look: Lazy::arbitrary(&mut source), result: Lazy::arbitrary(&mut source), is_constant: false }
    }
}

impl<B: Arbitrary> Arbitrary for Look<B> {
    fn arbitrary(source: &mut Source) -> Self {
        // Inspecting nothing is simplest. Most functions inspect their argument as long as the size allows.
        let looks = source.choice_with(1, |random, size| u64::from(size > 0 && random.up_to(3) > 0)) == 1;
        let size = source.size();
        if !looks {
            return Look::Wild(Box::new(Node::drawn(source, 0)));
        }
        let mut inner = source.with_size(size.saturating_sub(1), |source| source.fork());
        let mut known = Vec::new();
        while inner.has_input() {
            inner.span(ELEMENT, |inner| {
                if inner.choice(1) == 1 {
                    let (is_number, key) = (inner.choice(1) == 1, inner.choice(u64::MAX));
                    let tag = if is_number { Tag::Number(key) } else { Tag::Constructor(key as u32) };
                    known.push((tag, Node::drawn(inner, key)));
                }
            });
        }
        let origin = Origin::Source(RefCell::new(inner));
        let cases = Cases { first: OnceCell::new(), origin };
        for (tag, node) in known {
            cases.append(tag, node);
        }
        Look::Case(cases)
    }

    fn series(series: &mut Series<'_>) -> Self {
        // There must be a result both for inspected and for ignored parts.
        let alternatives = const {
            let result: fn(&mut Extent) -> f64 = |extent| extent.values::<B>();
            &[Constructor::new(0, result), Constructor::new(1, result)]
        };
        // While functions are being counted, inspecting is not distinguished from ignoring if there is only one result.
        let search = search_of(series.trail());
        let is_constant = search.counts_open(series.block()) && search.has_one_value::<B>(series.depth());
        let looks = !is_constant && series.constructor(alternatives) == 1;
        series.field_with(|series| {
            let seed = series.seed();
            if !looks {
                return Look::Wild(Box::new(Node::chosen(seed, Tag::Constructor(0))));
            }
            let cases = Cases { first: OnceCell::new(), origin: Origin::Search(seed, Node::chosen) };
            // While a counterexample is being printed: the entries that were used.
            for ordinal in series.shown_children() {
                let number = ordinal / 2;
                let tag = match number & NUMBERS {
                    0 => Tag::Constructor(number),
                    _ => Tag::Number(u64::from(number & !NUMBERS)),
                };
                cases.append(tag, Node::chosen(seed, tag));
            }
            Look::Case(cases)
        })
    }

    fn extent(extent: &mut Extent) -> f64 {
        // It is not known how much there is to inspect. This counts the functions that inspect nothing: it is 0 or 1
        // only if there is no other function, and no caller needs more than that.
        extent.values::<B>()
    }

    // SAFETY: it owns its nodes, and through a shared reference entries can only be added.
    const SHAPE: Shape = unsafe { Shape::plain() };
}

impl<A: Argument, B: Arbitrary> Arbitrary for Fun<A, B> {
    fn arbitrary(source: &mut Source) -> Self {
        Self { look: Lazy::arbitrary(source), argument: PhantomData }
    }

    fn duplicate(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn series(series: &mut Series<'_>) -> Self {
        Self { look: series.part(), argument: PhantomData }
    }

    fn extent(extent: &mut Extent) -> f64 {
        if extent.counts_up_to_several() {
            return extent.values::<B>();
        }
        let depth = extent.depth();
        let mut results = Vec::new();
        for depth in 0..=depth {
            results.push(extent.at(depth, |extent| extent.values::<B>()));
        }
        let mut steps = 0;
        count::functions(A::domain, &results, &mut steps)[depth as usize]
    }

    // SAFETY: as for `Look`, and clones are those of a cell, which are counted.
    const SHAPE: Shape = unsafe { Shape::plain() };
}

impl<A, B> Clone for Fun<A, B> {
    fn clone(&self) -> Self {
        Self { look: self.look.clone(), argument: PhantomData }
    }
}
