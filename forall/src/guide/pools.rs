//! The pools of the literature, and our own.
//!
//! Queues and the heap follow FuzzChick, the singletons targeted property-based testing, as Keles et al. compare them
//! (Programmable Property-Based Testing, section 6.3.1).

use super::{Directive, Energy, Pool, Seed};
use crate::choice::Random;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// A seed with what is left of its energy.
#[derive(Clone, Debug)]
struct Charged {
    seed: Seed,
    energy: u32,
}

impl Charged {
    /// Takes one unit of energy. Returns whether any is left.
    fn spend(&mut self) -> bool {
        self.energy = self.energy.saturating_sub(1);
        self.energy > 0
    }
}

/// Gives new seeds their energy.
#[derive(Clone, Copy, Debug)]
struct Charger {
    energy: Energy,
    best: f64,
}

impl Charger {
    fn new(energy: Energy) -> Self {
        Self { energy, best: f64::NEG_INFINITY }
    }

    fn charge(&mut self, seed: Seed) -> Charged {
        self.best = self.best.max(seed.utility);
        Charged { energy: self.energy.of(seed.utility, self.best), seed }
    }
}

#[inline]
fn better<'a>(a: &'a Seed, b: &'a Seed) -> &'a Seed {
    if b.utility > a.utility { b } else { a }
}

fn mutate_or_generate(seed: Option<&Charged>) -> Directive<'_> {
    match seed {
        Some(charged) => Directive::Mutate(&charged.seed),
        None => Directive::Generate,
    }
}

/// A queue or a stack drops its oldest seeds above this number, and a heap its worst above twice as many.
const MAX_SEEDS: usize = 4096;

/// A queue: uses the oldest seed until its energy is spent, then the next. Generates only when it is empty.
///
/// ```
/// use forall::choice::Random;
/// use forall::guide::{Directive, Energy, Fifo, Pool, Seed};
/// use forall::run::Case;
/// let (mut pool, mut random) = (Fifo::new(Energy::constant(1)), Random::from_key(1));
/// for utility in [1.0, 2.0] {
///     pool.invest(Seed::new(Case::default(), utility));
/// }
/// assert!(matches!(pool.sample(&mut random), Directive::Mutate(seed) if seed.utility == 1.0));
/// pool.revise();
/// assert!(matches!(pool.sample(&mut random), Directive::Mutate(seed) if seed.utility == 2.0));
/// ```
#[derive(Clone, Debug)]
pub struct Fifo {
    queue: VecDeque<Charged>,
    charger: Charger,
}

impl Fifo {
    /// Creates an empty queue.
    ///
    /// ```
    /// # use forall::guide::{Energy, Fifo, Pool};
    /// assert!(Fifo::new(Energy::up_to(10)).best().is_none());
    /// ```
    pub fn new(energy: Energy) -> Self {
        Self { queue: VecDeque::new(), charger: Charger::new(energy) }
    }
}

impl Pool for Fifo {
    fn invest(&mut self, seed: Seed) {
        self.queue.push_back(self.charger.charge(seed));
        if self.queue.len() > MAX_SEEDS {
            self.queue.pop_front();
        }
    }

    fn revise(&mut self) {
        if self.queue.front_mut().is_some_and(|seed| !seed.spend()) {
            self.queue.pop_front();
        }
    }

    fn sample(&mut self, _: &mut Random) -> Directive<'_> {
        mutate_or_generate(self.queue.front())
    }

    fn best(&self) -> Option<&Seed> {
        self.queue.iter().map(|charged| &charged.seed).reduce(better)
    }
}

/// A stack: uses the newest seed until its energy is spent or a newer one arrives. Generates only when it is empty.
///
/// ```
/// use forall::choice::Random;
/// use forall::guide::{Directive, Energy, Filo, Pool, Seed};
/// use forall::run::Case;
/// let mut pool = Filo::new(Energy::constant(1));
/// for utility in [2.0, 1.0] {
///     pool.invest(Seed::new(Case::default(), utility));
/// }
/// assert!(matches!(pool.sample(&mut Random::from_key(1)), Directive::Mutate(seed) if seed.utility == 1.0));
/// ```
#[derive(Clone, Debug)]
pub struct Filo {
    stack: Vec<Charged>,
    charger: Charger,
}

impl Filo {
    /// Creates an empty stack.
    ///
    /// ```
    /// # use forall::guide::{Energy, Filo, Pool};
    /// assert!(Filo::new(Energy::up_to(10)).best().is_none());
    /// ```
    pub fn new(energy: Energy) -> Self {
        Self { stack: Vec::new(), charger: Charger::new(energy) }
    }
}

impl Pool for Filo {
    fn invest(&mut self, seed: Seed) {
        if self.stack.len() >= MAX_SEEDS {
            self.stack.remove(0);
        }
        self.stack.push(self.charger.charge(seed));
    }

    fn revise(&mut self) {
        if self.stack.last_mut().is_some_and(|seed| !seed.spend()) {
            self.stack.pop();
        }
    }

    fn sample(&mut self, _: &mut Random) -> Directive<'_> {
        mutate_or_generate(self.stack.last())
    }

    fn best(&self) -> Option<&Seed> {
        self.stack.iter().map(|charged| &charged.seed).reduce(better)
    }
}

/// A heap: uses the best seed until its energy is spent or a better one arrives. Generates only when it is empty.
///
/// A seed that is as good as the best replaces it, with the rest of its energy: the search moves along plateaus, but
/// not forever.
///
/// ```
/// use forall::choice::Random;
/// use forall::guide::{Directive, Energy, Heap, Pool, Seed};
/// use forall::run::Case;
/// let mut pool = Heap::new(Energy::constant(1));
/// for utility in [1.0, 3.0, 2.0] {
///     pool.invest(Seed::new(Case::default(), utility));
/// }
/// assert!(matches!(pool.sample(&mut Random::from_key(1)), Directive::Mutate(seed) if seed.utility == 3.0));
/// ```
#[derive(Clone, Debug)]
pub struct Heap {
    heap: BinaryHeap<Ranked>,
    charger: Charger,
    invested: u64,
}

#[derive(Clone, Debug)]
struct Ranked {
    charged: Charged,
    /// Among equals the newest is used first.
    age: u64,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.charged.seed.utility.total_cmp(&other.charged.seed.utility).then(self.age.cmp(&other.age))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

impl Heap {
    /// Creates an empty heap.
    ///
    /// ```
    /// # use forall::guide::{Energy, Heap, Pool};
    /// assert!(Heap::new(Energy::up_to(10)).best().is_none());
    /// ```
    pub fn new(energy: Energy) -> Self {
        Self { heap: BinaryHeap::new(), charger: Charger::new(energy), invested: 0 }
    }
}

impl Pool for Heap {
    fn invest(&mut self, seed: Seed) {
        if self.best().is_some_and(|best| best.utility == seed.utility) {
            if let Some(mut top) = self.heap.peek_mut() {
                top.charged.seed = seed;
            }
            return self.revise();
        }
        self.invested += 1;
        self.heap.push(Ranked { charged: self.charger.charge(seed), age: self.invested });
        if self.heap.len() > 2 * MAX_SEEDS {
            // The best last.
            let mut seeds = std::mem::take(&mut self.heap).into_sorted_vec();
            self.heap = seeds.split_off(seeds.len() - MAX_SEEDS).into();
        }
    }

    fn revise(&mut self) {
        // The order does not depend on the energy, so the heap stays valid.
        if self.heap.peek_mut().is_some_and(|mut top| !top.charged.spend()) {
            self.heap.pop();
        }
    }

    fn sample(&mut self, _: &mut Random) -> Directive<'_> {
        mutate_or_generate(self.heap.peek().map(|top| &top.charged))
    }

    fn best(&self) -> Option<&Seed> {
        self.heap.peek().map(|top| &top.charged.seed)
    }
}

/// A single seed, replaced by better or equal ones; an equal one inherits the remaining energy: hill climbing.
///
/// ```
/// use forall::choice::Random;
/// use forall::guide::{Directive, Energy, Pool, Seed, Singleton};
/// use forall::run::Case;
/// let (mut pool, mut random) = (Singleton::resetting(Energy::constant(1)), Random::from_key(1));
/// for utility in [1.0, 3.0, 2.0] {
///     pool.invest(Seed::new(Case::default(), utility));
/// }
/// assert!(matches!(pool.sample(&mut random), Directive::Mutate(seed) if seed.utility == 3.0));
/// pool.revise();
/// assert_eq!(pool.sample(&mut random), Directive::Generate, "its energy is spent");
/// ```
#[derive(Clone, Debug)]
pub struct Singleton {
    seed: Option<Charged>,
    charger: Charger,
    when_spent: WhenSpent,
}

/// The action of a singleton for a seed whose energy is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WhenSpent {
    /// Energy does not matter.
    Never,
    /// It stays the best, but inputs are generated from scratch until one is better.
    Generate,
    /// It is dropped; the next useful input replaces it.
    Forget,
}

impl Singleton {
    #[inline]
    fn with(energy: Energy, when_spent: WhenSpent) -> Self {
        Self { seed: None, charger: Charger::new(energy), when_spent }
    }

    /// Creates a pool that mutates its seed forever, and replaces it only with one that is at least as good.
    ///
    /// ```
    /// # use forall::{choice::Random, guide::{Directive, Pool, Seed, Singleton}, run::Case};
    /// let mut pool = Singleton::fixed();
    /// pool.invest(Seed::new(Case::default(), 1.0));
    /// (0..1000).for_each(|_| pool.revise());
    /// assert!(matches!(pool.sample(&mut Random::from_key(1)), Directive::Mutate(_)));
    /// ```
    #[inline]
    pub fn fixed() -> Self {
        Self::with(Energy::constant(1), WhenSpent::Never)
    }

    /// Creates a pool that generates once the energy of its seed is spent, until there is a better one.
    ///
    /// ```
    /// # use forall::{choice::Random, guide::{Directive, Energy, Pool, Seed, Singleton}, run::Case};
    /// let mut pool = Singleton::monotonic(Energy::constant(1));
    /// pool.invest(Seed::new(Case::default(), 3.0));
    /// pool.revise();
    /// pool.invest(Seed::new(Case::default(), 2.0));
    /// assert_eq!(pool.sample(&mut Random::from_key(1)), Directive::Generate, "2 is not better");
    /// assert_eq!(pool.best().unwrap().utility, 3.0);
    /// ```
    #[inline]
    pub fn monotonic(energy: Energy) -> Self {
        Self::with(energy, WhenSpent::Generate)
    }

    /// Creates a pool that drops its seed when the energy is spent.
    ///
    /// ```
    /// # use forall::{choice::Random, guide::{Directive, Energy, Pool, Seed, Singleton}, run::Case};
    /// let mut pool = Singleton::resetting(Energy::constant(1));
    /// pool.invest(Seed::new(Case::default(), 3.0));
    /// pool.revise();
    /// pool.invest(Seed::new(Case::default(), 2.0));
    /// assert_eq!(pool.best().unwrap().utility, 2.0);
    /// ```
    #[inline]
    pub fn resetting(energy: Energy) -> Self {
        Self::with(energy, WhenSpent::Forget)
    }
}

impl Pool for Singleton {
    fn invest(&mut self, seed: Seed) {
        match &mut self.seed {
            Some(held) if seed.utility < held.seed.utility => {}
            Some(held) if seed.utility == held.seed.utility => {
                held.seed = seed;
                self.revise();
            }
            _ => self.seed = Some(self.charger.charge(seed)),
        }
    }

    fn revise(&mut self) {
        let spent = self.seed.as_mut().is_some_and(|held| !held.spend());
        if spent && self.when_spent == WhenSpent::Forget {
            self.seed = None;
            self.charger.best = f64::NEG_INFINITY;
        }
    }

    fn sample(&mut self, _: &mut Random) -> Directive<'_> {
        let usable = |held: &&Charged| held.energy > 0 || self.when_spent == WhenSpent::Never;
        mutate_or_generate(self.seed.as_ref().filter(usable))
    }

    fn best(&self) -> Option<&Seed> {
        self.seed.as_ref().map(|held| &held.seed)
    }
}

/// Keeps every seed: for long campaigns, and for feedback by novelty rather than by score.
///
/// Seeds that were tried less, and recent ones, are sampled more often; the newest come first, since their
/// neighbourhood is unexplored. Inputs are also generated from scratch, since a generator reaches forms that are many
/// changes away from all seeds: initially as often as mutants, and later more of whichever kind was useful more often.
///
/// ```
/// use forall::choice::Random;
/// use forall::guide::{Corpus, Directive, Pool, Seed};
/// use forall::run::Case;
/// let (mut pool, mut random) = (Corpus::new(), Random::from_key(1));
/// for utility in [1.0, 3.0, 2.0] {
///     pool.invest(Seed::new(Case::default(), utility));
/// }
/// assert_eq!((pool.len(), pool.best().unwrap().utility), (3, 3.0));
/// let mutated = (0..100).filter(|_| pool.sample(&mut random) != Directive::Generate).count();
/// assert!((30..70).contains(&mutated));
/// ```
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct Corpus {
    seeds: Vec<Charged>,
    /// Those with energy left, the newest last.
    fresh: Vec<usize>,
    /// The one with the highest utility.
    best: usize,
    last: Sampled,
    /// The recent success of inputs from scratch, and of mutants.
    from_scratch: Yield,
    mutants: Yield,
}

/// The last sampled one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sampled {
    /// None, or its result is known.
    #[default]
    Nothing,
    FromScratch,
    Seed(usize),
}

/// The number of inputs, and of useful ones.
#[derive(Clone, Copy, Debug, Default)]
struct Yield {
    made: f64,
    useful: f64,
}

/// After this many inputs the older ones count half.
const LATELY: f64 = 4096.0;

/// The minimum and maximum share of mutants.
const MUTANTS: (f64, f64) = (1.0 / 16.0, 0.75);

impl Yield {
    /// The weight of a kind of input, damped so that the first few inputs do not dominate it. Squared, so that a
    /// slightly better kind is soon preferred most of the time.
    #[inline]
    fn weight(self) -> f64 {
        ((self.useful + 8.0) / (self.made + 16.0)).powi(2)
    }
}

/// The number of attempts that a new seed gets before all others.
const FRESH: u32 = 32;

impl Corpus {
    /// Creates an empty corpus.
    ///
    /// ```
    /// # use forall::guide::Corpus;
    /// assert!(Corpus::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a seed that another worker found and tries first: here it is treated as one of many.
    ///
    /// Otherwise each of several workers that share their seeds would do the same work.
    ///
    /// ```
    /// use forall::choice::Random;
    /// use forall::guide::{Corpus, Directive, Pool, Seed};
    /// use forall::run::Case;
    /// let (mut pool, mut random) = (Corpus::new(), Random::from_key(1));
    /// pool.invest(Seed::new(Case::default(), 1.0));
    /// pool.invest_shared(Seed::new(Case::default(), 2.0));
    /// let mut own = 0;
    /// for _ in 0..40 {
    ///     own += usize::from(matches!(pool.sample(&mut random), Directive::Mutate(seed) if seed.utility == 1.0));
    /// }
    /// assert!(own > 10, "its own comes first");
    /// ```
    #[doc(hidden)]
    #[inline]
    pub fn invest_shared(&mut self, seed: Seed) {
        self.push(seed, 0);
    }

    /// The seed to mutate next, if any.
    #[inline]
    fn choose(&self, random: &mut Random) -> Option<usize> {
        let last = self.seeds.len().checked_sub(1)? as u64;
        let (from_scratch, mutants) = (self.from_scratch.weight(), self.mutants.weight());
        let share = (mutants / (from_scratch + mutants)).clamp(MUTANTS.0, MUTANTS.1);
        if random.up_to(u64::from(u32::MAX)) as f64 >= share * f64::from(u32::MAX) {
            return None;
        }
        // Every other draw takes the newest seed with energy left; otherwise the one with the most energy out of three
        // random ones.
        let newest = self.fresh.last().copied().filter(|_| random.up_to(1) == 0);
        newest.or_else(|| {
            let three = [(); 3].map(|()| random.up_to(last) as usize);
            three.into_iter().max_by_key(|&i| (self.seeds[i].energy, i))
        })
    }

    #[inline]
    fn push(&mut self, seed: Seed, energy: u32) {
        if self.seeds.get(self.best).is_some_and(|best| seed.utility > best.seed.utility) {
            self.best = self.seeds.len();
        }
        if energy > 0 {
            self.fresh.push(self.seeds.len());
        }
        self.seeds.push(Charged { seed, energy });
    }

    /// Returns the number of seeds.
    ///
    /// ```
    /// # use forall::guide::Corpus;
    /// assert_eq!(Corpus::new().len(), 0);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        self.seeds.len()
    }

    /// Returns whether the corpus is empty.
    ///
    /// ```
    /// # use forall::{guide::{Corpus, Pool, Seed}, run::Case};
    /// let mut corpus = Corpus::new();
    /// corpus.invest(Seed::new(Case::default(), 1.0));
    /// assert!(!corpus.is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.seeds.is_empty()
    }

    /// Returns the seeds, the oldest first.
    ///
    /// ```
    /// # use forall::{guide::{Corpus, Pool, Seed}, run::Case};
    /// let mut corpus = Corpus::new();
    /// corpus.invest(Seed::new(Case::default(), 1.0));
    /// assert_eq!(corpus.seeds().count(), 1);
    /// ```
    pub fn seeds(&self) -> impl Iterator<Item = &Seed> {
        self.seeds.iter().map(|charged| &charged.seed)
    }
}

impl Pool for Corpus {
    fn invest(&mut self, seed: Seed) {
        match std::mem::take(&mut self.last) {
            Sampled::Nothing => {}
            Sampled::FromScratch => self.from_scratch.useful += 1.0,
            Sampled::Seed(_) => self.mutants.useful += 1.0,
        }
        self.push(seed, FRESH);
    }

    fn revise(&mut self) {
        // It gets no credit for what another guide finds next.
        let Sampled::Seed(last) = std::mem::take(&mut self.last) else { return };
        if !self.seeds[last].spend() {
            self.fresh.retain(|&fresh| fresh != last);
        }
    }

    fn sample(&mut self, random: &mut Random) -> Directive<'_> {
        if self.from_scratch.made + self.mutants.made > LATELY {
            for Yield { made, useful } in [&mut self.from_scratch, &mut self.mutants] {
                (*made, *useful) = (*made / 2.0, *useful / 2.0);
            }
        }
        match self.choose(random) {
            Some(seed) => {
                self.mutants.made += 1.0;
                self.last = Sampled::Seed(seed);
                Directive::Mutate(&self.seeds[seed].seed)
            }
            None => {
                self.from_scratch.made += 1.0;
                self.last = Sampled::FromScratch;
                Directive::Generate
            }
        }
    }

    fn best(&self) -> Option<&Seed> {
        self.seeds.get(self.best).map(|best| &best.seed)
    }
}
