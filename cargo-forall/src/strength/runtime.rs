//! The mutant switch: the crate that rewritten code calls. `switch.rs` compiles it once and links it into the tests.
//!
//! Every mutant is a branch on [`is`]. Environment variables select the active mutant, enable the recording of reached
//! mutants, or enable the comparison of a mutant with the original: in a comparing property, or in the calls that tests
//! make.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fs::{File, OpenOptions};
use std::hash::Hasher as _;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

pub use std::collections::hash_map::DefaultHasher as Hasher;
pub use std::option::Option::{self, Some};
pub use std::string::String;

/// No mutant is active.
const NONE: u32 = 0;
/// The compared mutant, if any, is active, and steps are counted.
const COMPARING: u32 = u32::MAX - 2;
/// Reached mutants are recorded.
const RECORDING: u32 = u32::MAX - 1;
/// The environment was not read yet.
const UNREAD: u32 = u32::MAX;

static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);

/// Returns whether this mutant is the active one.
#[inline(always)]
pub fn is(mutant: u32) -> bool {
    let active = ACTIVE.load(Relaxed);
    active == mutant || (active >= COMPARING && asked(mutant))
}

/// Activates a mutant; 0 deactivates all.
pub fn activate(mutant: u32) {
    ACTIVE.store(mutant, Relaxed);
}

#[cold]
#[inline(never)]
fn asked(mutant: u32) -> bool {
    if ACTIVE.load(Relaxed) == UNREAD {
        let active = match std::env::var("__FORALL_MUTANT").as_deref() {
            Ok("reach") => RECORDING,
            Ok(number) => number.parse().unwrap_or(NONE),
            Err(_) => NONE,
        };
        ACTIVE.store(active, Relaxed);
    }
    match ACTIVE.load(Relaxed) {
        RECORDING => record(mutant),
        COMPARING => {
            step();
            let is_it = COMPARED.load(Relaxed) == mutant;
            if is_it {
                REACHED.store(true, Relaxed);
            }
            return is_it;
        }
        active => return active == mutant,
    }
    false
}

struct Reached {
    counts: Vec<AtomicU64>,
    file: Option<File>,
}

/// Writes a line when a mutant is reached for the 1st, 4th, 16th … time: a crash would lose a file that is written at
/// the end.
fn record(mutant: u32) {
    static REACHED: OnceLock<Reached> = OnceLock::new();
    // An allocator may be mutated: calls that this module causes are not recorded.
    static ALONE: Mutex<()> = Mutex::new(());
    if REACHED.get().is_none() {
        let Ok(_alone) = ALONE.try_lock() else { return };
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
        let counts = (0..=number("__FORALL_MUTANTS").unwrap_or(0)).map(|_| AtomicU64::new(0)).collect();
        let path = std::env::var_os("__FORALL_REACHED").unwrap_or_default();
        let file = OpenOptions::new().append(true).create(true).open(path).ok();
        let _ = REACHED.set(Reached { counts, file });
    }
    let Some(reached) = REACHED.get() else { return };
    let Some(count) = reached.counts.get(mutant as usize) else { return };
    let count = count.fetch_add(1, Relaxed) + 1;
    if count.is_power_of_two() && count.trailing_zeros() % 2 == 0 {
        if let Some(mut file) = reached.file.as_ref() {
            let _ = file.write_all(format!("{mutant} {count}\n").as_bytes());
        }
    }
}

/// The mutant that is compared with the original, while it is active.
static COMPARED: AtomicU32 = AtomicU32::new(NONE);

/// Whether the compared mutant was reached by any call.
static REACHED: AtomicBool = AtomicBool::new(false);

/// The number of calls after which a property that does not reach the mutant stops calling.
const HOPELESS: u64 = 2_000;

/// The number of queries since the run began, and its limit.
static STEPS: AtomicU64 = AtomicU64::new(0);
static MOST_STEPS: AtomicU64 = AtomicU64::new(u64::MAX);

/// A mutant may take this many times the steps of the original, plus a constant. Beyond that, it counts as
/// non-terminating: a step count is deterministic, and shrinks.
const TIMES: u64 = 1_000;
const MORE: u64 = 1_000_000;

/// The payload that ends a mutant with too many steps.
struct Endless;

fn step() {
    if STEPS.fetch_add(1, Relaxed) >= MOST_STEPS.load(Relaxed) && !std::thread::panicking() {
        std::panic::panic_any(Endless);
    }
}

/// Activates the compared mutant.
pub fn begin() {
    activate(COMPARING);
}

/// Deactivates the compared mutant.
pub fn end() {
    activate(NONE);
}

/// Runs a function without and with the mutant that the environment selects, and panics if the results differ. The
/// function writes its call as code to the given string, which is saved to a file with both results. Inputs on which
/// the original panics are ignored.
pub fn compare(run: &mut dyn FnMut(&mut String) -> Option<String>) {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    if CALLS.fetch_add(1, Relaxed) >= HOPELESS && !REACHED.load(Relaxed) {
        return;
    }
    if let Some(difference) = difference(run) {
        write(&difference);
        panic!("the mutant and the original differ");
    }
}

/// Compares a call in a test, like [`compare`]. Only the shortest difference is written: a test makes many calls.
pub fn compare_call(run: &mut dyn FnMut(&mut String) -> Option<String>) {
    static SHORTEST: AtomicUsize = AtomicUsize::new(usize::MAX);
    let difference = difference(run);
    BUSY.store(false, Relaxed);
    if let Some(difference) = difference {
        if difference.len() < SHORTEST.fetch_min(difference.len(), Relaxed) {
            write(&difference);
        }
        panic!("the mutant and the original differ");
    }
}

/// Records that results were compared, in a file next to that of the difference: calls whose arguments cannot be copied
/// and calls that do not reach the mutant are not compared.
fn note_comparison() {
    static NOTED: AtomicBool = AtomicBool::new(false);
    if REACHED.load(Relaxed) && !NOTED.swap(true, Relaxed) {
        if let Some(path) = std::env::var_os("__FORALL_COMPARISONS") {
            let _ = File::create(path);
        }
    }
}

fn write(difference: &str) {
    if let Some(path) = std::env::var_os("__FORALL_DIFFERENCE") {
        let _ = std::fs::write(path, difference);
    }
}

fn difference(run: &mut dyn FnMut(&mut String) -> Option<String>) -> Option<String> {
    difference_of(std::env::var("__FORALL_COMPARED").ok()?.parse().ok()?, run)
}

fn difference_of(mutant: u32, run: &mut dyn FnMut(&mut String) -> Option<String>) -> Option<String> {
    let mut outcome = |active: u32, most: u64| {
        COMPARED.store(active, Relaxed);
        STEPS.store(0, Relaxed);
        MOST_STEPS.store(most, Relaxed);
        let mut code = String::new();
        let run = std::panic::AssertUnwindSafe(|| run(&mut code));
        let result = std::panic::catch_unwind(run);
        end();
        COMPARED.store(NONE, Relaxed);
        (code, result)
    };
    keep(Kept::default());
    let (code, Ok(Some(original))) = outcome(NONE, u64::MAX) else { return None };
    let results = keep(Kept::default()).results;
    keep(Kept { originals: Some(results.into_iter()), ..Kept::default() });
    let most = STEPS.load(Relaxed).saturating_mul(TIMES).saturating_add(MORE);
    let changed = match outcome(mutant, most).1 {
        Ok(changed) => changed?,
        Err(why) if why.is::<Endless>() => "does not terminate".to_owned(),
        Err(_) => "panics".to_owned(),
    };
    note_comparison();
    let text = || [&*code, &*original, &*changed].map(|line| line.replace('\n', " ")).join("\n");
    (original != changed).then(text)
}

/// The function whose calls are compared.
static OBSERVED: AtomicU32 = AtomicU32::new(UNREAD);
/// No function's calls are compared.
const NO_FUNCTION: u32 = u32::MAX - 1;
/// Whether a comparison is running.
static BUSY: AtomicBool = AtomicBool::new(false);
/// The maximum number of compared calls.
const MOST_CALLS: u64 = 100_000;

/// Returns whether this call of a function is compared. If so, [`compare_call`] must follow.
#[inline(always)]
pub fn observes(function: u32) -> bool {
    let observed = OBSERVED.load(Relaxed);
    (observed == function || observed == UNREAD) && is_compared(function)
}

#[cold]
#[inline(never)]
fn is_compared(function: u32) -> bool {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    if OBSERVED.load(Relaxed) == UNREAD {
        let wanted = std::env::var("__FORALL_OBSERVED").ok().and_then(|text| text.parse().ok());
        OBSERVED.store(wanted.unwrap_or(NO_FUNCTION), Relaxed);
    }
    OBSERVED.load(Relaxed) == function
        && !std::thread::panicking()
        && !BUSY.load(Relaxed)
        && CALLS.fetch_add(1, Relaxed) < MOST_CALLS
        && !BUSY.swap(true, Relaxed)
}

/// Records a string that a function is called with, if the environment names a file for it.
#[inline(always)]
pub fn note<T: AsRef<[u8]> + ?Sized>(function: u32, text: &T) {
    if NOTES.get().map_or(true, |notes| notes.is_some()) {
        write_note(function, text.as_ref());
    }
}

type Notes = Mutex<(File, std::collections::BTreeSet<(u32, Vec<u8>)>)>;
static NOTES: OnceLock<Option<Notes>> = OnceLock::new();

/// The limits for recorded strings: their length, and their number.
const LONGEST_NOTE: usize = 200;
const MOST_NOTES: usize = 1_000;

#[cold]
#[inline(never)]
fn write_note(function: u32, text: &[u8]) {
    let open = || {
        let path = std::env::var_os("__FORALL_NOTES")?;
        let file = OpenOptions::new().append(true).create(true).open(path).ok()?;
        Some(Mutex::new((file, Default::default())))
    };
    let Some(notes) = NOTES.get_or_init(open) else { return };
    let Ok(mut notes) = notes.try_lock() else { return };
    if text.len() <= LONGEST_NOTE && notes.1.len() < MOST_NOTES && notes.1.insert((function, text.to_vec())) {
        let line: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = notes.0.write_all(format!("{function} {line}\n").as_bytes());
    }
}

/// Returns the recorded strings, the shortest first.
fn known() -> &'static [Vec<u8>] {
    static KNOWN: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let path = std::env::var_os("__FORALL_KNOWN").unwrap_or_default();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let byte = |line: &str, at: usize| u8::from_str_radix(&line[at..at + 2], 16).unwrap_or(0);
        text.lines().map(|line| (0..line.len() / 2).map(|at| byte(line, at * 2)).collect()).collect()
    })
}

/// Returns the integer literals of the function.
fn numbers() -> &'static [u64] {
    static NUMBERS: OnceLock<Vec<u64>> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let text = std::env::var("__FORALL_NUMBERS").unwrap_or_default();
        text.split(' ').filter_map(|number| number.parse().ok()).collect()
    })
}

/// Replaces the digits at or after a position by a numeric literal of the function, or by a neighbour of it.
fn renumber<T: Copy + PartialEq>(text: &mut [T], place: usize, other: usize, digits: &[T; 10]) {
    let is_digit = |element: &T| digits.contains(element);
    let Some(found) = text.iter().skip(place).position(is_digit) else { return };
    let start = text[..place + found].iter().rposition(|element| !is_digit(element)).map_or(0, |at| at + 1);
    let length = text[start..].iter().take_while(|element| is_digit(element)).count();
    let known = numbers();
    let Some(number) = known.get(other % known.len().max(1)) else { return };
    let mut number = (number + (other / known.len().max(1) % 3) as u64).saturating_sub(1);
    for element in text[start..start + length].iter_mut().rev() {
        *element = digits[(number % 10) as usize];
        number /= 10;
    }
}

/// The exclusive maximum of generated sizes, on request.
const SMALL: u64 = 256;

/// A number that may be the size of an allocation.
pub trait Size {
    /// Returns the number, or a small one if the environment requests it: a function that allocates as much memory as an
    /// argument says can end the process.
    fn limited(&self) -> Self;
}

macro_rules! sizes {
    ($($of:ty)*) => {
        $(impl Size for $of {
            fn limited(&self) -> Self {
                static ARE_SMALL: OnceLock<bool> = OnceLock::new();
                let are_small = *ARE_SMALL.get_or_init(|| std::env::var_os("__FORALL_SMALL").is_some());
                if are_small { self % SMALL as $of } else { *self }
            }
        })*
    };
}

sizes!(usize u32 u64);

/// Returns a recorded string with changes.
pub fn known_text(at: u16, changes: &[Option<(u8, u8, u8)>]) -> String {
    static TEXTS: OnceLock<Vec<Vec<char>>> = OnceLock::new();
    let texts =
        || known().iter().filter_map(|bytes| String::from_utf8(bytes.clone()).ok()).map(|it| it.chars().collect());
    let digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    changed(TEXTS.get_or_init(|| texts().collect()), at, changes, &digits).into_iter().collect()
}

/// Returns recorded bytes with changes.
pub fn known_bytes(at: u16, changes: &[Option<(u8, u8, u8)>]) -> Vec<u8> {
    changed(known(), at, changes, b"0123456789")
}

fn changed<T: Copy + PartialEq>(
    known: &[Vec<T>],
    at: u16,
    changes: &[Option<(u8, u8, u8)>],
    digits: &[T; 10],
) -> Vec<T> {
    let Some(original) = known.get(usize::from(at) % known.len().max(1)) else { return Vec::new() };
    let mut text = original.clone();
    for (kind, place, other) in changes.iter().copied().flatten() {
        let (place, other) = (usize::from(place) % (text.len() + 1), usize::from(other));
        // An element of the recorded strings.
        let mut all = known.iter().flatten().copied();
        let element = all.nth(other * 7 % known.iter().map(Vec::len).sum::<usize>().max(1));
        // Numbers are changed most often, since code compares them with limits.
        match (kind % 10, element) {
            (0, _) => text.truncate(place),
            (1, _) if place < text.len() => drop(text.remove(place)),
            (2, Some(element)) => text.insert(place, element),
            (3, Some(element)) if place < text.len() => text[place] = element,
            (4, _) if place < text.len() => text.insert(place, text[place]),
            (5, _) => text.extend_from_slice(&known[other % known.len()]),
            (6.., _) => renumber(&mut text, place, other, digits),
            _ => {}
        }
    }
    text
}

/// Describes a call as code.
pub fn describe(code: &mut String, name: &str, receiver: Option<String>, arguments: &[String]) {
    if let Some(receiver) = &receiver {
        *code += receiver;
        code.push('.');
    }
    // With a receiver, its type is known from the call.
    let name = if receiver.is_some() { name.rsplit("::").next().unwrap_or(name) } else { name };
    *code += &format!("{name}({})", arguments.join(", "));
}

/// Returns an argument as code: `_` if it cannot be printed.
pub fn argument(sign: &str, shown: String) -> String {
    if shown.starts_with(UNPRINTED) { "_".to_owned() } else { format!("{sign}{shown}") }
}

/// Returns a formatted part of a result in its variant.
pub fn wrapped(variant: &str, part: String) -> String {
    format!("{variant}({part})")
}

/// Returns the formatted parts of a result as a tuple.
pub fn tuple(parts: &[String]) -> String {
    format!("({})", parts.join(", "))
}

/// Adds the value of an argument after the call.
pub fn then(shown: &mut String, value: String) {
    *shown += &format!(", then {value}");
}

/// Returns a copy of a slice.
pub fn twins<T: Clone>(values: &[T]) -> Vec<T> {
    values.to_vec()
}

/// Returns the bytes written to a hasher.
pub fn hashed(hasher: &Hasher) -> String {
    format!("the hash {:x}", hasher.finish())
}

/// Returns the text written to a formatter.
pub fn formatted(call: &mut dyn FnMut(&mut std::fmt::Formatter<'_>) -> std::fmt::Result) -> String {
    struct Written<'a>(RefCell<&'a mut dyn FnMut(&mut std::fmt::Formatter<'_>) -> std::fmt::Result>);
    impl std::fmt::Display for Written<'_> {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            (self.0.borrow_mut())(formatter)
        }
    }
    let mut text = String::new();
    match std::fmt::Write::write_fmt(&mut text, format_args!("{}", Written(RefCell::new(call)))) {
        Ok(()) => format!("{text:?}"),
        Err(_) => format!("{text:?} and an error"),
    }
}

/// A value that is copied if it implements `Clone`.
pub struct Twin<'a, T: ?Sized>(pub &'a T);

/// Copies values that implement `Clone`.
pub trait ByClone {
    /// The type of the copy.
    type Copy;
    /// Returns the copy.
    fn twin(&self) -> Option<Self::Copy>;
}

impl<T: Clone> ByClone for Twin<'_, T> {
    type Copy = T;
    fn twin(&self) -> Option<T> {
        Some(self.0.clone())
    }
}

/// The fallback for values that do not implement `Clone`.
pub trait ByNone {
    /// Returns `None`.
    fn twin<T>(&self) -> Option<T>;
}

impl<V: ?Sized> ByNone for &Twin<'_, V> {
    fn twin<T>(&self) -> Option<T> {
        None
    }
}

/// A result that is printed if possible.
pub struct Seen<T>(Cell<Option<T>>);

/// The number of iterator items that are printed.
const ITEMS: usize = 100;

impl<T> Seen<T> {
    /// Wraps a result.
    pub fn of(value: T) -> Self {
        Self(Cell::new(Some(value)))
    }
}

/// Prints results that implement `Debug`. A call on a third reference resolves to the four traits in this order.
pub trait ByDebug {
    /// Returns the formatted result.
    fn seen(&self) -> String;
}

impl<T: std::fmt::Debug> ByDebug for &&Seen<T> {
    fn seen(&self) -> String {
        self.0.take().map_or_else(String::new, |value| format!("{value:?}"))
    }
}

/// Prints results that are iterators.
pub trait ByIterating {
    /// Returns the first items, formatted.
    fn seen(&self) -> String;
}

impl<T: Iterator> ByIterating for &&&Seen<T>
where
    T::Item: std::fmt::Debug,
{
    fn seen(&self) -> String {
        // The compared mutant is active while the items are produced.
        activate(COMPARING);
        let items: Vec<String> =
            self.0.take().into_iter().flatten().take(ITEMS).map(|item| format!("{item:?}")).collect();
        end();
        format!("the items {}", items.join(", "))
    }
}

/// Compares results that implement `PartialEq` with those of the original.
pub trait ByEquality {
    /// Returns the same text for equal results.
    fn seen(&self) -> String;
}

impl<T: PartialEq + 'static> ByEquality for &Seen<T> {
    fn seen(&self) -> String {
        let Some(value) = self.0.take() else { return String::new() };
        let text = unprinted(&value);
        match KEPT.with(|kept| kept.borrow_mut().originals.as_mut().map(Iterator::next)) {
            Some(original) => match original.and_then(|original| original.downcast::<T>().ok()) {
                Some(original) if *original != value => DIFFERENT.to_owned(),
                _ => text,
            },
            None => {
                // A value that differs from itself, as NaN does, is not compared.
                let same = &value;
                let is_reflexive = *same == value;
                let result: Box<dyn Any> = if is_reflexive { Box::new(value) } else { Box::new(()) };
                KEPT.with(|kept| kept.borrow_mut().results.push(result));
                text
            }
        }
    }
}

/// Results that are compared by `PartialEq`.
#[derive(Default)]
struct Kept {
    /// The results of the current run, if it is the original's.
    results: Vec<Box<dyn Any>>,
    /// The results of the original, if the current run is the mutant's.
    originals: Option<std::vec::IntoIter<Box<dyn Any>>>,
}

std::thread_local! {
    static KEPT: RefCell<Kept> = RefCell::default();
}

/// Replaces the results. Returns the previous ones.
fn keep(results: Kept) -> Kept {
    KEPT.with(|kept| kept.replace(results))
}

/// The fallback for other results.
pub trait ByNothing {
    /// Returns the same text for all results of the same variant.
    fn seen(&self) -> String;
}

impl<T> ByNothing for Seen<T> {
    fn seen(&self) -> String {
        self.0.take().map_or_else(String::new, |value| unprinted(&value))
    }
}

const UNPRINTED: &str = "a value that is not printed";
const DIFFERENT: &str = "a different value";

/// Returns a text that distinguishes only the variants of an enum.
fn unprinted<T>(value: &T) -> String {
    format!("{UNPRINTED}: {:?}", std::mem::discriminant(value))
}

/// A value that is printed if it implements `Debug`.
pub struct Shown<'a, T: ?Sized>(pub &'a T);

/// Prints values that implement `Debug`.
pub trait ShownByDebug {
    /// Returns the formatted value.
    fn shown(&self) -> String;
}

impl<T: std::fmt::Debug + ?Sized> ShownByDebug for Shown<'_, T> {
    fn shown(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// The fallback for values that do not implement `Debug`. A call on a reference resolves to the other trait first.
pub trait ShownByNothing {
    /// Returns the same text for all values.
    fn shown(&self) -> String;
}

impl<T: ?Sized> ShownByNothing for &Shown<'_, T> {
    fn shown(&self) -> String {
        UNPRINTED.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares results as rewritten code does: without and with mutant 5.
    macro_rules! compared {
        ($original:expr, $mutant:expr) => {
            difference_of(5, &mut |code| {
                code.push_str("f()");
                begin();
                let result = if is(5) { $mutant } else { $original };
                end();
                Some((&&&Seen::of(result)).seen())
            })
        };
    }

    #[derive(PartialEq)]
    struct Opaque(f64);

    enum Choice {
        One(u8),
        Other,
    }

    #[test]
    fn results_are_compared_by_debug_their_items_equality_or_variant() {
        assert_eq!(compared!(1, 1), None);
        assert_eq!(compared!(1, 2).as_deref(), Some("f()\n1\n2"));
        assert_eq!(compared!(0..2u8, 1..2u8).as_deref(), Some("f()\n0..2\n1..2"));
        fn items(start: u8) -> impl Iterator<Item = u8> {
            (start..3).map(|item| item * 2)
        }
        assert_eq!(compared!(items(1), items(2)).as_deref(), Some("f()\nthe items 2, 4\nthe items 4"));
        assert_eq!(compared!(Opaque(1.0), Opaque(1.0)), None);
        let text = compared!(Opaque(1.0), Opaque(2.0)).unwrap();
        assert!(
            text.starts_with("f()\na value that is not printed: ") && text.ends_with("\na different value"),
            "{text}"
        );
        assert_eq!(compared!(Opaque(f64::NAN), Opaque(f64::NAN)), None, "it never equals itself");
        assert_eq!(compared!(Choice::One(1), Choice::One(2)), None, "neither printed nor compared");
        let text = compared!(Choice::One(1), Choice::Other).unwrap();
        assert_eq!(text.matches("a value that is not printed: ").count(), 2, "{text}");
    }
}
