//! The random stream: a counter and a mixing function, so that any word of a test can be computed from its position.
//!
//! The meaning of a seed is a promise: the constants and the order of operations here are pinned by tests
//! (`tests/library/tests/generate/streams.rs`) and change only with the version of the sequence format.

/// The step of the counter. Odd, so that the counter visits every `u64`.
///
/// The three constants are those of the wyrand generator (Wang Yi, public domain), as `fastrand` uses them.
const STEP: u64 = 0x2d35_8dcc_aa6c_78a5;
/// Mixed into the counter before it is multiplied by itself.
const TWIST: u64 = 0x8bb8_4b93_962e_acc9;
/// Separates the streams of neighbouring tests.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random words.
///
/// ```
/// use forall::choice::Random;
///
/// let mut a = Random::for_test(7, 0);
/// let mut b = Random::for_test(7, 0);
/// assert_eq!(a.word(), b.word());
/// assert_ne!(a.word(), Random::for_test(7, 1).word());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    counter: u64,
}

/// One word of a stream and, independent of it, selector bits that decide what to do with the word.
///
/// The selector bits come from the middle of the low half of the product. The word folds the high half over the low
/// one, and the middle of the high half is uniform whatever the low half is, so word and selector are independent.
/// (The top bits are not suitable: the high half of a square is not uniform there.
/// `tests/library/tests/generate/distributions.rs` checks.)
///
/// ```
/// use forall::choice::Random;
/// let draw = Random::for_test(7, 0).draw();
/// // One test in 16 gets 0, the others anything: the word is not used up by the decision.
/// let value = if draw.selector % 16 == 0 { 0 } else { draw.word };
/// # let _ = value;
/// assert_eq!(draw.word, Random::for_test(7, 0).word());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct Draw {
    /// 64 random bits.
    pub word: u64,
    /// 32 further bits, independent of `word`.
    pub selector: u32,
}

impl Random {
    /// Creates the stream of test `index` of a run with `seed`: a function of only these two.
    ///
    /// ```
    /// use forall::choice::Random;
    /// assert_eq!(Random::for_test(7, 3), Random::for_test(7, 3));
    /// assert_ne!(Random::for_test(7, 3), Random::for_test(7, 4));
    /// ```
    #[inline(always)]
    #[doc(hidden)]
    pub const fn for_test(seed: u64, index: u64) -> Self {
        Self::from_key(seed.wrapping_add(index.wrapping_mul(SPREAD)))
    }

    /// Creates the stream for `key`. Keys that differ in any bit give unrelated streams.
    ///
    /// ```
    /// use forall::choice::Random;
    /// assert_ne!(Random::from_key(1).word(), Random::from_key(2).word());
    /// ```
    #[inline(always)]
    pub const fn from_key(key: u64) -> Self {
        let product = ((key ^ TWIST) as u128).wrapping_mul(SPREAD as u128);
        Self { counter: (product >> 64) as u64 ^ product as u64 }
    }

    /// The stream at this position.
    pub(crate) const fn at(place: u64) -> Self {
        Self { counter: place }
    }

    /// The position of the stream.
    pub(crate) const fn place(&self) -> u64 {
        self.counter
    }

    /// Returns the next word.
    ///
    /// ```
    /// use forall::choice::Random;
    /// let mut random = Random::from_key(1);
    /// assert_ne!(random.word(), random.word());
    /// ```
    #[inline(always)]
    pub const fn word(&mut self) -> u64 {
        self.draw().word
    }

    /// Returns the next word with its selector bits.
    ///
    /// ```
    /// use forall::choice::Random;
    /// let mut random = Random::from_key(1);
    /// assert_ne!(random.draw(), random.draw());
    /// ```
    #[inline(always)]
    #[doc(hidden)]
    pub const fn draw(&mut self) -> Draw {
        self.counter = self.counter.wrapping_add(STEP);
        Self::mix(self.counter)
    }

    /// Returns the result of [`Random::draw`] `back` draws ago (0: the latest), recomputed.
    ///
    /// ```
    /// use forall::choice::Random;
    /// let mut random = Random::from_key(1);
    /// let (first, second) = (random.draw(), random.draw());
    /// assert_eq!((random.earlier(1), random.earlier(0)), (first, second));
    /// ```
    #[inline(always)]
    #[doc(hidden)]
    pub const fn earlier(&self, back: u64) -> Draw {
        Self::mix(self.counter.wrapping_sub(back.wrapping_mul(STEP)))
    }

    /// Returns a uniform value from 0 to `max`, both included.
    ///
    /// ```
    /// use forall::choice::Random;
    /// let mut random = Random::from_key(1);
    /// assert!((0..100).all(|_| random.up_to(9) <= 9));
    /// ```
    #[inline(always)]
    pub const fn up_to(&mut self, max: u64) -> u64 {
        scale(self.word(), max)
    }

    #[inline(always)]
    const fn mix(counter: u64) -> Draw {
        let product = (counter as u128).wrapping_mul((counter ^ TWIST) as u128);
        let low = product as u64;
        Draw { word: (product >> 64) as u64 ^ low, selector: (low >> 16) as u32 }
    }
}

/// Maps a random word to 0..=`max` by multiplying and keeping the high half: no division, no loop.
/// The bias is at most `max / 2^64`, far below what any test could see.
///
/// ```
/// use forall::choice::scale;
/// assert_eq!((scale(0, 9), scale(u64::MAX / 2, 9), scale(u64::MAX, 9)), (0, 4, 9));
/// ```
#[doc(hidden)]
#[inline(always)]
pub const fn scale(word: u64, max: u64) -> u64 {
    ((word as u128).wrapping_mul(max as u128).wrapping_add(word as u128) >> 64) as u64
}
