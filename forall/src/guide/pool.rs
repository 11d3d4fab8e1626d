//! Seeds, and what a pool of them can do.

use super::Operands;
use crate::choice::Random;
use crate::run::Case;

/// A useful input to mutate.
///
/// ```
/// use forall::guide::Seed;
/// use forall::run::Case;
/// let seed = Seed::new(Case::default(), 3.5);
/// assert_eq!(seed.utility, 3.5);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Seed {
    /// The input.
    pub case: Case,
    /// Its utility; higher is better, and never NaN.
    pub utility: f64,
    /// The comparisons of the run, if they were observed.
    #[doc(hidden)]
    pub operands: Operands,
}

impl Seed {
    /// Creates a seed with a utility. NaN counts as the lowest.
    ///
    /// ```
    /// use forall::guide::Seed;
    /// use forall::run::Case;
    /// assert_eq!(Seed::new(Case::default(), f64::NAN).utility, f64::NEG_INFINITY);
    /// ```
    pub fn new(case: Case, utility: f64) -> Self {
        let utility = if utility.is_nan() { f64::NEG_INFINITY } else { utility };
        Self { case, utility, operands: Operands::default() }
    }
}

/// The next action of a guided run, chosen by the pool.
///
/// ```
/// use forall::choice::Random;
/// use forall::guide::{Directive, Energy, Fifo, Pool, Seed};
/// use forall::run::Case;
/// let (mut pool, mut random) = (Fifo::new(Energy::constant(1)), Random::from_key(7));
/// assert!(matches!(pool.sample(&mut random), Directive::Generate), "an empty pool generates");
/// pool.invest(Seed::new(Case::default(), 1.0));
/// assert!(matches!(pool.sample(&mut random), Directive::Mutate(seed) if seed.utility == 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Directive<'a> {
    /// Generate an input from scratch.
    Generate,
    /// Mutate this seed.
    Mutate(&'a Seed),
    /// Run this seed unchanged: another worker found it, and its worth here is unknown. Its comparisons are not
    /// followed up here, because the other worker does that.
    Try(&'a Seed),
}

/// A pool of seeds: keeps them, and decides which to use next and for how long.
///
/// The built-in ones are [`Fifo`](super::Fifo), [`Filo`](super::Filo), [`Heap`](super::Heap),
/// [`Singleton`](super::Singleton) and [`Corpus`](super::Corpus). A custom pool:
///
/// ```
/// use forall::choice::Random;
/// use forall::guide::{Directive, Pool, Seed};
/// use forall::run::Case;
///
/// /// Keeps everything, and treats all alike.
/// #[derive(Default)]
/// struct Everything(Vec<Seed>);
///
/// impl Pool for Everything {
///     fn invest(&mut self, seed: Seed) { self.0.push(seed); }
///     fn revise(&mut self) {}
///     fn sample(&mut self, random: &mut Random) -> Directive<'_> {
///         match self.0.len() {
///             0 => Directive::Generate,
///             n => Directive::Mutate(&self.0[random.up_to(n as u64 - 1) as usize]),
///         }
///     }
///     fn best(&self) -> Option<&Seed> { self.0.iter().max_by(|a, b| a.utility.total_cmp(&b.utility)) }
/// }
///
/// let mut pool = Everything::default();
/// pool.invest(Seed::new(Case::default(), 2.0));
/// assert!(matches!(pool.sample(&mut Random::from_key(1)), Directive::Mutate(_)));
/// ```
pub trait Pool {
    /// Adds a useful seed.
    ///
    /// ```
    /// # use forall::{guide::{Energy, Filo, Pool, Seed}, run::Case};
    /// let mut pool = Filo::new(Energy::constant(1));
    /// pool.invest(Seed::new(Case::default(), 2.0));
    /// assert!(pool.best().is_some());
    /// ```
    fn invest(&mut self, seed: Seed);

    /// Takes energy from the seed that was sampled last, because its mutant was not useful.
    ///
    /// ```
    /// # use forall::{choice::Random, guide::{Directive, Energy, Filo, Pool, Seed}, run::Case};
    /// let (mut pool, mut random) = (Filo::new(Energy::constant(1)), Random::from_key(1));
    /// pool.invest(Seed::new(Case::default(), 2.0));
    /// pool.sample(&mut random);
    /// pool.revise();
    /// assert_eq!(pool.sample(&mut random), Directive::Generate, "its energy was 1");
    /// ```
    fn revise(&mut self);

    /// Returns the next action.
    ///
    /// ```
    /// # use forall::{choice::Random, guide::{Directive, Energy, Heap, Pool}};
    /// let mut pool = Heap::new(Energy::constant(1));
    /// assert_eq!(pool.sample(&mut Random::from_key(1)), Directive::Generate);
    /// ```
    fn sample(&mut self, random: &mut Random) -> Directive<'_>;

    /// Returns the best seed.
    ///
    /// ```
    /// # use forall::{guide::{Energy, Fifo, Pool, Seed}, run::Case};
    /// let mut pool = Fifo::new(Energy::constant(1));
    /// pool.invest(Seed::new(Case::default(), 2.0));
    /// pool.invest(Seed::new(Case::default(), 1.0));
    /// assert_eq!(pool.best().unwrap().utility, 2.0);
    /// ```
    fn best(&self) -> Option<&Seed>;
}

/// The energy of a seed: how many unsuccessful mutations it is allowed, as a function of its utility.
///
/// ```
/// use forall::guide::Energy;
/// assert_eq!(Energy::constant(10).of(3.0, 7.0), 10);
/// assert_eq!(Energy::up_to(100).of(7.0, 7.0), 100, "as good as the best");
/// assert_eq!(Energy::by(|utility, _| utility as u32).of(3.0, 7.0), 3);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Energy(Schedule);

#[derive(Clone, Copy, Debug)]
enum Schedule {
    Constant(u32),
    UpTo(u32),
    By(fn(f64, f64) -> u32),
}

impl Energy {
    /// Creates an energy that is the same for every seed.
    ///
    /// ```
    /// # use forall::guide::Energy;
    /// assert_eq!(Energy::constant(10).of(0.0, 7.0), 10);
    /// ```
    pub const fn constant(energy: u32) -> Self {
        Self(Schedule::Constant(energy))
    }

    /// Creates an energy of `most` for a seed with the best utility, proportionally less for others, and at least 1.
    ///
    /// ```
    /// # use forall::guide::Energy;
    /// assert_eq!(Energy::up_to(100).of(2.0, 4.0), 50);
    /// assert_eq!(Energy::up_to(100).of(-1.0, 4.0), 1);
    /// assert_eq!(Energy::up_to(100).of(-8.0, -4.0), 50, "twice as far from zero");
    /// ```
    pub const fn up_to(most: u32) -> Self {
        Self(Schedule::UpTo(most))
    }

    /// Creates an energy from a function of the seed's utility and of the best utility so far.
    ///
    /// ```
    /// # use forall::guide::Energy;
    /// let patient = Energy::by(|utility, best| if utility < best { 1 } else { 1000 });
    /// assert_eq!((patient.of(1.0, 2.0), patient.of(2.0, 2.0)), (1, 1000));
    /// ```
    pub const fn by(energy: fn(f64, f64) -> u32) -> Self {
        Self(Schedule::By(energy))
    }

    /// Returns the energy of a seed with this `utility`, when the best so far, itself included, has `best`. At least 1.
    ///
    /// ```
    /// # use forall::guide::Energy;
    /// assert_eq!(Energy::constant(0).of(1.0, 1.0), 1, "a seed is tried once at least");
    /// ```
    #[doc(hidden)]
    pub fn of(&self, utility: f64, best: f64) -> u32 {
        let energy = match self.0 {
            Schedule::Constant(energy) => energy,
            Schedule::UpTo(most) if utility >= best => most,
            // Below zero the smaller number is the better one. An undefined quotient gives 0.
            Schedule::UpTo(most) => {
                let share = if best > 0.0 { utility / best } else { best / utility };
                (f64::from(most) * share.clamp(0.0, 1.0)) as u32
            }
            Schedule::By(energy) => energy(utility, best),
        };
        energy.max(1)
    }
}
