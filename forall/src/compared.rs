//! Operands of comparisons: written by the hooks, and read by a runner.
//!
//! A loop may compare thousands of times, but a runner can use only a few dozen pairs. So the log keeps the last few pairs
//! of each location in the program.

use std::cell::Cell;
use std::ptr::NonNull;

/// Two unequal operands of a comparison.
///
/// ```
/// use forall::coverage::Comparison;
/// let compared = Comparison::Numbers { left: 0xdead_beef, right: 7, width: 4 };
/// assert_eq!(compared.bytes(), [([0xef, 0xbe, 0xad, 0xde].to_vec(), [7, 0, 0, 0].to_vec())][0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(hidden)]
pub enum Comparison<'a> {
    /// Integers.
    Numbers {
        /// An operand: the constant, if one of the two is a constant.
        left: u64,
        /// The other operand.
        right: u64,
        /// Their width in bytes: 1, 2, 4 or 8.
        width: u8,
    },
    /// Strings, slices or arrays of equal length. Long ones are truncated.
    Bytes {
        /// An operand.
        left: &'a [u8],
        /// The other operand.
        right: &'a [u8],
    },
}

impl Comparison<'_> {
    /// Returns the operands as bytes in memory: numbers are little endian.
    ///
    /// ```
    /// use forall::coverage::Comparison;
    /// let compared = Comparison::Bytes { left: b"GET", right: b"PUT" };
    /// assert_eq!(compared.bytes(), (b"GET".to_vec(), b"PUT".to_vec()));
    /// ```
    pub fn bytes(&self) -> (Vec<u8>, Vec<u8>) {
        match *self {
            Comparison::Numbers { left, right, width } => {
                let bytes = |number: u64| number.to_le_bytes()[..usize::from(width)].to_vec();
                (bytes(left), bytes(right))
            }
            Comparison::Bytes { left, right } => (left.to_vec(), right.to_vec()),
        }
    }
}

/// The maximum number of locations. Most programs have fewer, including their dependencies; further locations are not logged.
const PLACES: usize = 1 << 14;

/// The maximum distance of a location from its slot in the table.
const PROBES: usize = 8;

/// The number of pairs to keep for each location: the last ones.
const PAIRS: usize = 8;

/// The number of pairs of byte strings to keep: the first ones.
const STRINGS: usize = 64;

/// The number of bytes of a byte string to keep.
const STRING: usize = 64;

/// A location in the program that compares two values.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Its address; 0 if the slot is free.
    address: usize,
    /// The test that the following data belongs to. Data of earlier tests is ignored.
    test: u64,
    /// The number of pairs.
    count: usize,
    pairs: [(u64, u64); PAIRS],
    width: u8,
    /// The proximity of the operands, from 0 (far) to 63.
    near: u8,
    /// Whether they were ever equal.
    equal: bool,
    /// The proximities in accepted tests, one bit each.
    known: u64,
    /// Whether they were equal in the last accepted test.
    held: bool,
}

const NOWHERE: Place = Place {
    address: 0,
    test: 0,
    count: 0,
    pairs: [(0, 0); PAIRS],
    width: 0,
    near: 0,
    equal: false,
    known: 0,
    held: false,
};

#[derive(Clone, Copy, Debug)]
struct Strings {
    length: u8,
    left: [u8; STRING],
    right: [u8; STRING],
}

/// The number of bits of a state's hash.
const STATE_BITS: u32 = 16;

/// The number of new states of one test to keep.
const NEW_STATES: usize = 32;

/// The maximum number of new states: a program that counts would reach a new one in each test.
const MOST_STATES: usize = 1 << (STATE_BITS - 2);

/// The number of scores with different names to keep.
const SCORES: usize = 16;

/// Hashes of states that accepted tests reached, and of those that this test is the first to reach.
#[derive(Debug)]
struct States {
    seen: Box<[u64]>,
    known: usize,
    new: [u16; NEW_STATES],
    used: usize,
}

impl States {
    fn new() -> Self {
        let seen = vec![0; 1 << (STATE_BITS - 6)].into_boxed_slice();
        Self { seen, known: 0, new: [0; NEW_STATES], used: 0 }
    }

    #[inline]
    fn reach(&mut self, hash: u64) {
        let state = (hash >> (u64::BITS - STATE_BITS)) as u16;
        let is_seen = self.seen[usize::from(state >> 6)] >> (state & 63) & 1 == 1;
        if !is_seen && self.used < NEW_STATES && self.known < MOST_STATES {
            self.new[self.used] = state;
            self.used += 1;
        }
    }

    fn accept(&mut self) {
        for &state in &self.new[..self.used] {
            let word = &mut self.seen[usize::from(state >> 6)];
            self.known += usize::from(*word >> (state & 63) & 1 == 0);
            *word |= 1 << (state & 63);
        }
        self.used = 0;
    }
}

/// The scores of `target!` with one name.
#[derive(Clone, Copy, Debug)]
struct Score {
    name: u64,
    /// The highest score of accepted tests, and that of this one.
    best: f64,
    now: f64,
}

/// The log that the hooks write.
#[derive(Debug)]
pub(super) struct Log {
    /// Pairs of small values that were compared one after the other.
    states: States,
    /// The last of them.
    before: u64,
    /// The values of `feature!`.
    features: States,
    scores: [Score; SCORES],
    test: u64,
    places: Box<[Place]>,
    /// The locations of this test, in the order of their first comparison.
    order: [u16; PLACES],
    used: usize,
    strings: [Strings; STRINGS],
    strings_used: usize,
}

impl Place {
    /// Whether the test compared different operands: numbers, which are kept, or strings, which are not kept here.
    fn is_unequal(&self) -> bool {
        self.count > 0 || !self.equal
    }
}

impl Log {
    pub(super) fn new() -> Box<Self> {
        let strings = Strings { length: 0, left: [0; STRING], right: [0; STRING] };
        let score = Score { name: 0, best: f64::NEG_INFINITY, now: f64::NEG_INFINITY };
        Box::new(Self {
            states: States::new(),
            before: 0,
            features: States::new(),
            scores: [score; SCORES],
            test: 1,
            places: vec![NOWHERE; PLACES].into_boxed_slice(),
            order: [0; PLACES],
            used: 0,
            strings: [strings; STRINGS],
            strings_used: 0,
        })
    }

    pub(super) fn clear(&mut self) {
        self.test += 1;
        self.used = 0;
        self.strings_used = 0;
        (self.states.used, self.before, self.features.used) = (0, 0, 0);
        for score in &mut self.scores {
            score.now = f64::NEG_INFINITY;
        }
    }

    /// Logs a small value that controls the program: an array index, or the value of a `match`. Two of them in
    /// a row are a state, such as the row and the column of a maze. (IJON, Aschermann et al., S&P 2020, has users annotate
    /// such state.)
    #[cfg_attr(not(forall_instrumented), allow(dead_code, reason = "hooks are in instrumented builds alone"))]
    #[inline]
    pub(super) fn state(&mut self, value: u64, address: usize) {
        let here = mixed(value ^ (address as u64) << 16);
        self.states.reach(mixed(self.before.rotate_left(23) ^ here));
        self.before = here;
    }

    /// Logs a value of `feature!`, as a hash.
    pub(super) fn feature(&mut self, hash: u64) {
        self.features.reach(mixed(hash));
    }

    /// Logs a score of `target!`; `name` is the hash of its name.
    pub(super) fn score(&mut self, name: u64, score: f64) {
        let is_free = |known: &Score| known.best == f64::NEG_INFINITY && known.now == f64::NEG_INFINITY;
        if let Some(known) = self.scores.iter_mut().find(|known| known.name == name || is_free(known)) {
            known.name = name;
            known.now = known.now.max(score);
        }
    }

    /// The number of values of `feature!` that no accepted test had, and of scores above those of all of them.
    pub(super) fn announced(&self) -> usize {
        self.features.used + self.scores.iter().filter(|score| score.now > score.best).count()
    }

    /// The number of states that no accepted test reached.
    pub(super) fn new_states(&self) -> usize {
        self.states.used
    }

    /// The location with this address.
    #[inline]
    fn place(&mut self, address: usize) -> Option<&mut Place> {
        let first = address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - PLACES.trailing_zeros());
        for probe in 0..PROBES {
            let at = (first + probe) % PLACES;
            if self.places[at].address == 0 {
                self.places[at].address = address;
            }
            if self.places[at].address == address {
                let place = &mut self.places[at];
                if place.test != self.test {
                    (place.test, place.count, place.near, place.equal) = (self.test, 0, 0, false);
                    self.order[self.used] = at as u16;
                    self.used += 1;
                }
                return Some(place);
            }
        }
        None
    }

    /// Logs a pair of numbers that were compared at `address`. Comparisons with 0 are skipped: they are frequent,
    /// mostly of lengths, and 0 is generated anyway.
    #[cfg_attr(not(forall_instrumented), allow(dead_code, reason = "hooks are in instrumented builds alone"))]
    #[inline]
    pub(super) fn numbers(&mut self, left: u64, right: u64, width: u8, address: usize) {
        if left == 0 || right == 0 || width == 8 && (is_address(left) || is_address(right)) {
            return;
        }
        let Some(place) = self.place(address) else { return };
        if left == right {
            place.equal = true;
            return;
        }
        let last = place.pairs[place.count.wrapping_sub(1) % PAIRS];
        if place.count == 0 || last != (left, right) {
            place.pairs[place.count % PAIRS] = (left, right);
            place.count += 1;
            place.width = width;
            // The logarithm of the distance, which is never 0.
            place.near = place.near.max(left.abs_diff(right).leading_zeros() as u8);
        }
    }

    /// Logs a pair of different byte strings of one length that were compared at `address`.
    #[cfg_attr(not(forall_instrumented), allow(dead_code, reason = "hooks are in instrumented builds alone"))]
    pub(super) fn strings(&mut self, left: &[u8], right: &[u8], address: usize) {
        let length = left.len().min(right.len()).min(STRING);
        let mut pair = Strings { length: length as u8, left: [0; STRING], right: [0; STRING] };
        let mut same = 0;
        // Byte by byte, like everything here: copying or comparing slices may call a hook.
        for at in 0..length {
            (pair.left[at], pair.right[at]) = (left[at], right[at]);
            same += u8::from(usize::from(same) == at && left[at] == right[at]);
        }
        // Without optimisation, all strings are compared at one location; their length distinguishes some of them.
        if let Some(place) = self.place(address.wrapping_add(length << 32)) {
            place.near = place.near.max(same.min(63));
        }
        if self.strings_used == STRINGS {
            return;
        }
        for known in &self.strings[..self.strings_used] {
            let same = |at: usize| known.left[at] == pair.left[at] && known.right[at] == pair.right[at];
            if known.length == pair.length && (0..length).all(same) {
                return;
            }
        }
        self.strings[self.strings_used] = pair;
        self.strings_used += 1;
    }

    /// The number of locations at which operands came closer than in any accepted test.
    pub(super) fn nearer(&self) -> usize {
        let mut nearer = 0;
        for &at in &self.order[..self.used] {
            let place = &self.places[usize::from(at)];
            nearer += usize::from(place.is_unequal() && place.known >> place.near == 0);
        }
        nearer
    }

    /// Accepts this test.
    pub(super) fn accept(&mut self) {
        for &at in &self.order[..self.used] {
            let place = &mut self.places[usize::from(at)];
            place.known |= u64::from(place.is_unequal()) << place.near;
            place.held |= place.equal;
        }
        self.states.accept();
        self.features.accept();
        for score in &mut self.scores {
            score.best = score.best.max(score.now);
        }
    }

    /// The last pairs of locations whose operands were equal in accepted tests but not in this one. The location
    /// of the last comparison comes first.
    pub(super) fn broken(&self) -> impl Iterator<Item = Comparison<'_>> {
        let places = self.order[..self.used].iter().rev().map(|&at| &self.places[usize::from(at)]);
        places.filter(|place| place.held && !place.equal && place.count > 0).map(|place| {
            let (left, right) = place.pairs[(place.count - 1) % PAIRS];
            Comparison::Numbers { left, right, width: place.width }
        })
    }

    pub(super) fn comparisons(&self) -> impl Iterator<Item = Comparison<'_>> {
        let strings = self.strings[..self.strings_used].iter().map(|pair| {
            let length = usize::from(pair.length);
            Comparison::Bytes { left: &pair.left[..length], right: &pair.right[..length] }
        });
        // One pair of each location before two of any, for callers that use only the first few.
        let numbers = (0..PAIRS).flat_map(|round| {
            let places = self.order[..self.used].iter().map(|&at| &self.places[usize::from(at)]);
            places.filter(move |place| round < place.count).map(move |place| {
                let (left, right) = place.pairs[(place.count - 1 - round) % PAIRS];
                Comparison::Numbers { left, right, width: place.width }
            })
        });
        strings.chain(numbers)
    }
}

/// Spreads a number over all bits.
#[inline]
fn mixed(number: u64) -> u64 {
    let product = number.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (product ^ product >> 29).wrapping_mul(0x94d0_49bb_1331_11eb)
}

/// Whether a number is most likely an address. Addresses differ from process to process, so a runner that learnt from
/// them would not be reproducible.
#[cfg_attr(not(forall_instrumented), allow(dead_code, reason = "hooks are in instrumented builds alone"))]
fn is_address(number: u64) -> bool {
    (0x5500_0000_0000..0x8000_0000_0000).contains(&number)
}

thread_local! {
    /// The log of this thread's comparisons; none unless a test runs.
    static LOG: Cell<Option<NonNull<Log>>> = const { Cell::new(None) };
}

thread_local! {
    /// The log to restore when a generator has ended.
    static PAUSED: Cell<Option<NonNull<Log>>> = const { Cell::new(None) };
}

/// Pauses logging on this thread.
pub(super) fn pause() {
    PAUSED.set(LOG.take());
}

/// Resumes logging.
pub(super) fn go_on() {
    LOG.set(PAUSED.take());
}

/// Logs the comparisons of this thread into `log`.
pub(super) fn record_into(log: Option<NonNull<Log>>) {
    LOG.set(log);
}

/// Drops the comparisons of this thread so far.
pub(super) fn forget() {
    if let Some(mut log) = LOG.get() {
        // SAFETY: the owner takes the log out of here before it reads or frees it, and is on this thread; hooks run on this
        // thread only, and none is running now.
        unsafe { log.as_mut() }.clear();
    }
}

/// Ends [`record_into`], if that log is still the one in use.
pub(super) fn stop_recording_into(log: NonNull<Log>) {
    if is_recording_into(log) {
        LOG.set(None);
    }
}

pub(super) fn is_recording_into(log: NonNull<Log>) -> bool {
    LOG.get() == Some(log)
}

/// Whether comparisons of this thread are recorded.
#[inline(always)]
pub(super) fn is_recording() -> bool {
    LOG.get().is_some()
}

/// Logs a value of the test's `feature!`, if the test is recorded.
pub(crate) fn announce_feature(name: &str, value: &str) {
    if let Some(mut log) = LOG.get() {
        let hash = kind_of(value).wrapping_mul(31).wrapping_add(hash_of(name));
        // SAFETY: the owner takes the log out of here before it reads or frees it, and is on this thread; no hook runs
        // meanwhile.
        unsafe { log.as_mut() }.feature(hash);
    }
}

/// Smaller numbers are distinct features. Larger ones are grouped by magnitude: otherwise a price or a size would make nearly
/// every test useful.
const EXACT: f64 = 64.0;

fn kind_of(value: &str) -> u64 {
    match value.parse::<f64>() {
        // The sign and the exponent.
        Ok(number) if number.abs() >= EXACT => mixed(number.to_bits() >> 52),
        _ => hash_of(value),
    }
}

/// Logs a score of the test's `target!`, if the test is recorded.
pub(crate) fn announce_score(name: &str, score: f64) {
    if let Some(mut log) = LOG.get() {
        let hash = hash_of(name);
        // SAFETY: as in `announce_feature`.
        unsafe { log.as_mut() }.score(hash, score);
    }
}

fn hash_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The log of this thread, for a hook. `None` if nothing is recorded.
///
/// # Safety
///
/// The reference must not outlive the hook, and the hook must not call code that may run another hook.
#[cfg(all(forall_instrumented, target_arch = "x86_64", target_os = "linux"))]
#[inline(always)]
pub(super) unsafe fn log_of_this_thread<'a>() -> Option<&'a mut Log> {
    // SAFETY: the owner takes the log out of here before it reads or frees it, and is on this thread; so while it is here,
    // hooks alone use it, one after the other.
    LOG.get().map(|mut log| unsafe { log.as_mut() })
}

/// Runs a generator without logging. It is compiled into the user's crates, so its comparisons would be logged; but
/// they are not those of the program under test, and logging them would take longer than the generator itself.
pub(crate) fn unlogged<T>(generate: impl FnOnce() -> T) -> T {
    pause();
    let value = generate();
    go_on();
    value
}

/// Ends generating and starts the check: drops the comparisons of assumptions.
#[inline(never)]
pub(crate) fn check_begins() {
    forget();
}

#[cfg(test)]
mod tests;
