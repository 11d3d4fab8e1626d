//! Terminating trees: recursive generators, and the choice among constructors for the derive.

use super::choose::{no_weight, pick_weighted};
use super::combine::Boxed;
use super::heights::{SLOTS, slots};
use super::misuse::misuse;
use super::{Arbitrary, Generator, Heights};
use crate::choice::{Random, Source, scale};
use crate::hash::Fnv;
use crate::sort::order;
use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

/// Returns a generator of recursive structures: a leaf, or the result of `branch` with a generator of smaller
/// structures.
///
/// The size of the test is the budget of a structure: it has at most that many branches, each with at most half of the
/// remaining budget of its parent, however often `branch` uses its argument. The leaf is the simplest.
///
/// ```
/// use forall::{choice::Source, generate::{GeneratorExt, any, recursive, vec}};
///
/// #[derive(Debug)]
/// enum Json {
///     Number(i32),
///     Array(Vec<Json>),
/// }
///
/// fn numbers(json: &Json) -> usize {
///     match json {
///         Json::Number(_) => 1,
///         Json::Array(items) => items.iter().map(numbers).sum(),
///     }
/// }
///
/// let json = recursive(any::<i32>().map(Json::Number), |inner| vec(inner).len(0..=3).map(Json::Array));
/// assert!(numbers(&Source::random(1, 0, 100).draw(json)) <= 300);
/// ```
#[doc(alias("prop_recursive"))]
pub fn recursive<T, L, B, F>(leaf: L, branch: F) -> Recursive<T>
where
    T: 'static,
    L: Generator<Value = T> + Send + Sync + 'static,
    B: Generator<Value = T> + Send + Sync + 'static,
    F: FnOnce(Inner<T>) -> B,
{
    let tree = Arc::new(Tree { leaf: Boxed::new(leaf), branch: OnceLock::new() });
    let branch = Boxed::new(branch(Inner(Arc::downgrade(&tree))));
    let _ = tree.branch.set(branch);
    Recursive(tree)
}

/// The generator that [`recursive()`] returns. Clones are cheap.
#[doc(hidden)]
pub struct Recursive<T: 'static>(Arc<Tree<T>>);

/// The generator of smaller structures that [`recursive()`] hands to its branch. Clones are cheap.
///
/// ```
/// use forall::{choice::Source, generate::{GeneratorExt, Inner, constant, recursive}};
/// // Nested brackets: the inner generator is used twice.
/// fn pair(inner: Inner<String>) -> impl forall::generate::Generator<Value = String> {
///     (inner.clone(), inner).map(|(a, b)| format!("({a}{b})"))
/// }
/// let brackets = recursive(constant("()".to_owned()), pair);
/// let text = Source::random(1, 0, 100).draw(brackets);
/// assert_eq!(text.matches('(').count(), text.matches(')').count());
/// ```
#[doc(hidden)]
pub struct Inner<T: 'static>(Weak<Tree<T>>);

struct Tree<T: 'static> {
    leaf: Boxed<'static, T>,
    branch: OnceLock<Boxed<'static, T>>,
}

impl<T> Tree<T> {
    /// Draws a node and subtracts what it used from the size.
    #[inline]
    fn node(&self, source: &mut Source) -> T {
        if source.is_random() {
            return self.draw(source);
        }
        // On tape each node is a span, so that a subtree can replace the whole tree.
        let label = Fnv::of(std::any::type_name::<T>()) as u32 & !(1 << 31) | 1 << 30;
        source.span(label, |source| {
            if source.size() == 0 {
                // Stands in for the choice between leaf and branch, so that a leaf forced by the size does not count as
                // simpler than a chosen one.
                source.choice_on_tape(0, &|_, _| 0);
            }
            self.draw(source)
        })
    }

    fn draw(&self, source: &mut Source) -> T {
        let size = source.size();
        let branch = self.branch.get().filter(|_| size > 0);
        let Some(branch) = branch else { return self.leaf.generate(source) };
        // A branch three times in four: the size should limit the structure, not chance.
        if source.choice_with(1, |random, _| (random.word() >> 62 != 0) as u64) == 0 {
            return self.leaf.generate(source);
        }
        let half = size / 2;
        source.set_size(half);
        let value = branch.generate(source);
        let used = half.saturating_sub(source.stream().1);
        source.set_size((size - 1).saturating_sub(used));
        value
    }
}

impl<T> Generator for Recursive<T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        let size = source.size();
        let value = self.0.node(source);
        source.set_size(size);
        value
    }
}

impl<T> Generator for Inner<T> {
    type Value = T;

    #[inline]
    fn generate(&self, source: &mut Source) -> T {
        match self.0.upgrade() {
            Some(tree) => tree.node(source),
            None => {
                misuse("a generator was used after its `recursive` was dropped; keep the `recursive` alive".to_string())
            }
        }
    }
}

impl<T> Clone for Recursive<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Clone for Inner<T> {
    fn clone(&self) -> Self {
        Self(Weak::clone(&self.0))
    }
}

impl<T> fmt::Debug for Recursive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a recursive generator of {}", std::any::type_name::<T>())
    }
}

impl<T> fmt::Debug for Inner<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the inner generator of {}", std::any::type_name::<T>())
    }
}

/// Returns the size for each of `children` parts of something of `size`, so that all parts together stay within it.
#[doc(hidden)]
#[inline(always)]
pub const fn child_size(size: u32, children: u32) -> u32 {
    let below = size.saturating_sub(1);
    if children > 1 { below / children } else { below }
}

/// Draws which constructor to build; `heights` gives their minimal heights. A weight of 0 means never.
///
/// When the size is used up, only the lowest constructors are possible. On tape lower constructors come first, so that
/// shrinking leads to leaves.
#[doc(hidden)]
#[inline(always)]
pub fn pick_variant(source: &mut Source, weights: &[u32], heights: fn() -> Vec<u32>) -> usize {
    if source.is_random() {
        let (random, size) = source.stream();
        if size > 0 { pick_weighted(random, weights) } else { pick_lowest(random, weights, heights) }
    } else {
        variant_on_tape(source, weights, heights)
    }
}

#[inline(never)]
fn pick_lowest(random: &mut Random, weights: &[u32], heights: fn() -> Vec<u32>) -> usize {
    with_order(heights, |order| {
        if let Some(only) = order.only_lowest
            && weights[only] > 0
        {
            // Draws a word as the path below does, so that a seed means the same on both.
            random.word();
            return only;
        }
        let lowest = order.lowest(weights);
        let mut total = 0;
        for &i in lowest {
            total += weights[i] as u64;
        }
        let mut rest = scale(random.word(), total - 1);
        for &i in lowest {
            if rest < weights[i] as u64 {
                return i;
            }
            rest -= weights[i] as u64;
        }
        lowest[0]
    })
}

#[cold]
#[inline(never)]
fn variant_on_tape(source: &mut Source, weights: &[u32], heights: fn() -> Vec<u32>) -> usize {
    // The limit is enough to guarantee termination: if the size is 0 but not known to be, low codes are drawn at
    // random.
    let limit = source.size_limit();
    with_order(heights, |order| {
        let lowest = order.lowest(weights);
        let among = if limit == 0 { lowest } else { &order.variants[..] };
        // Not collected: every node on tape is drawn here.
        let possible = || among.iter().copied().filter(|&i| weights[i] > 0);
        let code = source.alternative_on_tape(possible().count(), &|random, size| {
            let index = if size > 0 { pick_weighted(random, weights) } else { pick_lowest(random, weights, heights) };
            possible().position(|i| i == index).unwrap_or(0) as u64
        });
        possible().nth(code).unwrap_or(lowest[0])
    })
}

/// Reports a type without finite values, before generating one overflows the stack.
#[doc(hidden)]
#[cold]
pub fn must_end<T: Arbitrary>() {
    if Heights::of::<T>() == Heights::INFINITE {
        endless();
    }
}

fn endless() -> ! {
    misuse("the type has no finite value: every variant contains the type itself; add one that does not".into())
}

/// The constructors of a type, the lowest first.
struct Order {
    variants: Vec<usize>,
    heights: Vec<u32>,
    /// The lowest constructor, if no other is as low: most trees have one kind of leaf.
    only_lowest: Option<usize>,
}

impl Order {
    fn new(heights: Vec<u32>) -> Self {
        let variants = order(heights.len(), &|a, b| heights[a].cmp(&heights[b]));
        let only_lowest = match variants[..] {
            [first, second, ..] if heights[first] < heights[second] => Some(first),
            _ => None,
        };
        Self { variants, heights, only_lowest }
    }

    /// The constructors of the lowest height that has any weighted one; some of them may have weight 0.
    fn lowest(&self, weights: &[u32]) -> &[usize] {
        let Some(start) = self.variants.iter().position(|&i| weights[i] > 0) else { no_weight(weights.len()) };
        let height = self.heights[self.variants[start]];
        if height == Heights::INFINITE {
            endless();
        }
        let mut end = start + 1;
        while end < self.variants.len() && self.heights[self.variants[end]] == height {
            end += 1;
        }
        &self.variants[start..end]
    }
}

/// Orders of constructors by the address of their `heights` function. Half of the nodes of a tree are drawn when the
/// size is used up, so this lookup must be cheap. (Two types share an address only if the compiler merged equal
/// functions.)
static ORDERS: [OnceLock<(usize, Order)>; SLOTS] = [const { OnceLock::new() }; SLOTS];

#[inline(always)]
fn with_order<R>(heights: fn() -> Vec<u32>, act: impl FnOnce(&Order) -> R) -> R {
    match cached_order(heights) {
        Some(order) => act(order),
        None => act(&Order::new(heights())),
    }
}

/// The order of a type; none if all of its slots are taken by others.
fn cached_order(heights: fn() -> Vec<u32>) -> Option<&'static Order> {
    let address = heights as usize;
    for slot in slots(address as u64).map(|slot| &ORDERS[slot]) {
        if slot.get().is_none() {
            // Computed before the slot is taken: heights of other types may be computed on the way.
            let _ = slot.set((address, Order::new(heights())));
        }
        if let Some((known, order)) = slot.get()
            && *known == address
        {
            return Some(order);
        }
    }
    None
}
