//! Long runs of one system: does it grow?

use super::generating::{advance, kind_of};
use super::sequential::called;
use super::{Ref, Results, Spec};
use crate::choice::Source;
use crate::generate::Misuse;
use crate::panic::{self, Unwound};
use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// The settings of a soak test: how long it runs, and what counts as growth.
///
/// See [`soak`].
#[derive(Clone, Debug)]
pub struct Soak {
    /// The number of commands, at least 60. Default 30,000. Commands that the precondition rejects do not count.
    pub commands: u64,
    /// The seed of the commands. Default 0.
    pub seed: u64,
    /// The size at which commands are generated. Default 30.
    pub size: u32,
    /// The bytes that a command may add in the long run, on average. Default 1: a leak of one small block per hundred
    /// commands exceeds it.
    pub bytes_per_command: f64,
}

impl Default for Soak {
    #[inline]
    fn default() -> Self {
        Self { commands: 30_000, seed: 0, size: 30, bytes_per_command: 1.0 }
    }
}

/// The result of a soak test.
///
/// See [`soak`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Soaked {
    /// The number of commands that ran.
    pub commands: u64,
    /// The bytes that the commands allocated and did not free, at equal intervals. Empty without [`Counting`].
    pub live_bytes: Vec<i64>,
    /// The resident memory of the process at the same times, in bytes. Empty where it is unknown.
    pub resident_bytes: Vec<i64>,
    /// For each kind of command, the number of runs and the bytes left behind in total.
    pub kinds: Vec<(String, u64, i64)>,
}

impl fmt::Display for Soaked {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, count, bytes) in &self.kinds {
            let each = *bytes as f64 / (*count).max(1) as f64;
            writeln!(f, "  {kind:<16} {count:>8} times   {bytes:>+12} bytes   {each:>+10.1} each")?;
        }
        Ok(())
    }
}

/// An allocator that counts live bytes: `#[global_allocator] static ALLOCATOR: Counting = Counting;` in the test
/// program, for [`soak`].
///
/// ```
/// use forall::machine::Counting;
/// #[global_allocator]
/// static ALLOCATOR: Counting = Counting;
///
/// let before = Counting::live_bytes().unwrap();
/// let bytes = vec![0u8; 1000];
/// assert!(Counting::live_bytes().unwrap() >= before + 1000);
/// # drop(bytes);
/// ```
pub struct Counting;

static LIVE: AtomicI64 = AtomicI64::new(0);
static COUNTS: AtomicBool = AtomicBool::new(false);

impl Counting {
    /// Returns the currently allocated bytes; `None` if the program has another allocator.
    ///
    /// See [`Counting`].
    #[doc(hidden)]
    #[inline]
    pub fn live_bytes() -> Option<i64> {
        COUNTS.load(Ordering::Relaxed).then(|| LIVE.load(Ordering::Relaxed))
    }
}

// SAFETY: everything is left to the system's allocator, which is one; counting changes nothing about it.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract, which is the same.
        let block = unsafe { System.alloc(layout) };
        if !block.is_null() {
            COUNTS.store(true, Ordering::Relaxed);
            LIVE.fetch_add(layout.size() as i64, Ordering::Relaxed);
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) };
    }
}

impl Soak {
    /// The number of commands between two samples of memory.
    #[inline]
    fn every(&self) -> u64 {
        self.commands / SAMPLES
    }
}

/// The number of samples of memory.
const SAMPLES: u64 = 60;

/// The minimum growth of resident memory per command that counts as a leak, if Rust's own allocations are known not to
/// grow.
const BYTES_OF_PAGES: f64 = 32.0;

/// After this many refused commands in a row, no command is taken to be possible any more.
const REFUSED: u64 = 10_000;

/// Runs many commands on one system and watches its memory. Steady growth is an error, with the bytes that each kind of
/// command left behind. It also runs the other checks of the specification.
///
/// Commands should keep the size of the model bounded; otherwise growth is expected. Allocations in Rust, and the
/// commands that made them, are known if the test program uses the allocator [`Counting`]. The resident memory of the
/// process is also checked: it detects only large leaks, but works without that allocator, and for memory that is
/// allocated elsewhere, such as in C. Allocations of other threads count, so soak in a separate test program.
/// Responses are not stored, so commands with [references](super::Ref) cannot be soaked: that is an error, as is a
/// specification that allows no command before all have run.
///
/// ```
/// # use forall::choice::Source;
/// use forall::machine::{Counting, Soak, Spec, soak};
///
/// #[global_allocator]
/// static ALLOCATOR: Counting = Counting;
///
/// /// A cell that can be set and cleared; clearing forgets to free.
/// struct Cell<const LEAKS: bool>;
/// #[derive(Debug)]
/// enum Command { Set, Clear }
///
/// impl<const LEAKS: bool> Spec for Cell<LEAKS> {
///     type Command = Command;
///     type Model = bool;
///     type System = Option<Box<[u8; 40]>>;
///     type Response = bool;
///     fn model(&self) -> bool { false }
///     fn generate(&self, _: &bool, source: &mut Source) -> Command {
///         if source.choice(1) == 0 { Command::Set } else { Command::Clear }
///     }
///     fn next(&self, model: &mut bool, command: &Command) { *model = matches!(command, Command::Set) }
///     fn system(&self) -> Option<Box<[u8; 40]>> { None }
///     fn run(&self, system: &mut Option<Box<[u8; 40]>>, command: &Command) -> bool {
///         match command {
///             Command::Set => system.replace(Box::new([0; 40])).is_some(),
///             Command::Clear => match system.take() {
///                 Some(block) if LEAKS => { Box::leak(block); true }
///                 block => block.is_some(),
///             },
///         }
///     }
///     fn postcondition(&self, model: &bool, _: &Command, response: &bool) -> bool { response == model }
/// }
///
/// assert!(soak(&Cell::<false>, &Soak::default()).is_ok());
/// let error = soak(&Cell::<true>, &Soak::default()).unwrap_err();
/// assert!(error.starts_with("the system grows by about "), "{error}");
/// assert!(error.contains("  Set "), "what each kind of command left behind");
/// ```
pub fn soak<S: Spec>(spec: &S, soak: &Soak) -> Result<Soaked, String> {
    if soak.commands < SAMPLES {
        return Err(format!(
            "a soak of {} commands is too short to measure memory growth: set `Soak::commands` to {SAMPLES} or more",
            soak.commands
        ));
    }
    let mut system = caught(|| Ok(spec.system())).map_err(|why| format!("the system could not be created: {why}"))?;
    let soaked = caught(|| soak_on(spec, soak, &mut system));
    let cleaned = caught(|| spec.cleanup(system)).map_err(|why| format!("cleaning up failed: {why}"));
    let soaked = soaked?;
    cleaned?;
    let growth = |samples: &[i64], least: f64| growth(samples, soak.every()).filter(|growth| *growth > least);
    let each = |growth: f64| format!("grows by about {growth:.1} bytes with each command, of {}", soaked.commands);
    if let Some(growth) = growth(&soaked.live_bytes, soak.bytes_per_command) {
        return Err(format!("the system {}:\n{soaked}", each(growth)));
    }
    // Apart from counted allocations, pages come and go for many reasons.
    let is_counted = !soaked.live_bytes.is_empty();
    let least = if is_counted { soak.bytes_per_command.max(BYTES_OF_PAGES) } else { soak.bytes_per_command };
    let Some(growth) = growth(&soaked.resident_bytes, least) else { return Ok(soaked) };
    let what = match is_counted {
        true => ", but Rust's allocations do not: C code or the system may allocate it",
        false => "; the allocator `machine::Counting` shows which commands allocate it",
    };
    let mut ran = String::new();
    for (kind, count, _) in &soaked.kinds {
        ran += &format!("  {kind:<16} {count:>8} times\n");
    }
    Err(format!("the resident memory of the process {}{what}\n{ran}", each(growth)))
}

fn soak_on<S: Spec>(spec: &S, soak: &Soak, system: &mut S::System) -> Result<Soaked, String> {
    let mut model = spec.model();
    let (mut soaked, mut live) = (Soaked::default(), 0);
    let (mut drawn, mut refused) = (0, 0);
    while soaked.commands < soak.commands {
        let command = spec.generate(&model, &mut Source::random(soak.seed, drawn, soak.size));
        drawn += 1;
        if !spec.precondition(&model, &command) || spec.known_issue(&command).is_some_and(|issue| issue.applies()) {
            refused += 1;
            if refused == REFUSED {
                return Err(stuck(soaked.commands));
            }
            continue;
        }
        refused = 0;
        let number = soaked.commands;
        let resolved = spec.resolve(&command, &Results::in_sequence(&[]));
        let ran = resolved.as_ref().unwrap_or(&command);
        // Only allocations of the system count, and the response until it is dropped: not the model, and not the data
        // of this test.
        let before = Counting::live_bytes();
        let response = called(|| spec.run(system, ran))
            .map_err(|caught| format!("command {number}, {command:?}, panicked: {caught}"))?;
        let after = Counting::live_bytes();
        if !spec.postcondition(&model, ran, &response) {
            return Err(format!(
                "command {number}, {command:?}: the system disagrees with the model: it returned {response:?}"
            ));
        }
        let kept = Counting::live_bytes();
        drop(response);
        let change = change(before, after) + change(kept, Counting::live_bytes());
        live += change;
        soaked.count(kind_of(&command), change);
        advance(spec, &mut model, &command, Ref::nth(number as u32));
        spec.invariant(&model, system).map_err(|why| format!("an invariant does not hold after {command:?}: {why}"))?;
        soaked.commands += 1;
        if soaked.commands % soak.every() == 0 {
            soaked.sample(live);
        }
    }
    spec.at_end(&model, system).map_err(|why| format!("the final check (`at_end`) failed: {why}"))?;
    Ok(soaked)
}

/// The message when no command is allowed any more.
#[inline]
fn stuck(commands: u64) -> String {
    format!(
        "no command is allowed after {commands} commands: the precondition or a known issue refuses all of {REFUSED} generated \
         commands; a soak needs a specification that always allows another command"
    )
}

/// Runs code of the specification. A panic becomes an ordinary error; signals for an enclosing test pass through.
fn caught<T>(body: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    match panic::catch_once(body) {
        Ok(result) => result,
        Err(Unwound::Panic(caught)) => Err(caught.to_string()),
        Err(Unwound::Signal(signal)) => match signal.downcast::<Misuse>() {
            Ok(misuse) => Err(misuse.message().to_owned()),
            Err(signal) => resume_unwind(signal),
        },
    }
}

#[inline]
fn change(before: Option<i64>, after: Option<i64>) -> i64 {
    after.unwrap_or(0) - before.unwrap_or(0)
}

impl Soaked {
    #[inline]
    fn count(&mut self, kind: String, change: i64) {
        match self.kinds.iter_mut().find(|(other, ..)| *other == kind) {
            Some((_, count, bytes)) => {
                *count += 1;
                *bytes += change;
            }
            None => self.kinds.push((kind, 1, change)),
        }
    }

    #[inline]
    fn sample(&mut self, live: i64) {
        if Counting::live_bytes().is_some() {
            self.live_bytes.push(live);
        }
        self.resident_bytes.extend(resident());
    }
}

/// The bytes that each command adds in the long run, from samples with `every` commands between them; `None` if memory
/// does not grow steadily, or is unknown.
#[inline]
fn growth(samples: &[i64], every: u64) -> Option<f64> {
    // The first quarter fills caches. After that, the minimum of each third must exceed that of the previous one.
    let steady = &samples[samples.len() / 4..];
    let third = steady.len() / 3;
    if third < 3 {
        return None;
    }
    let least = |part: usize| steady[part * third..(part + 1) * third].iter().min().copied().unwrap_or(0);
    let grows = least(0) < least(1) && least(1) < least(2);
    grows.then(|| (least(2) - least(0)) as f64 / (2 * third as u64 * every) as f64)
}

/// The resident memory of this process.
#[inline]
fn resident() -> Option<i64> {
    // The second number is in pages, taken to be 4 KiB; on systems with larger pages the growth is underestimated.
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split(' ').nth(1)?.parse::<i64>().ok()? * 4096)
}
