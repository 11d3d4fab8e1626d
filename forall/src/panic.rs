//! Panics of tested code: caught, silenced, recorded.
//!
//! One hook for the whole process forwards to the previous hook unless the thread is quiet. It is installed on demand,
//! and again if tested code has replaced it. Catching costs nothing until a panic happens. Threads that tests spawn are
//! handled in `panic/strays.rs`.

pub(crate) mod location;
mod strays;
#[cfg(feature = "tokio")]
pub(crate) mod tasks;

use crate::choice::{Overrun, Rejected, SeveralThreads};
use crate::fact::{Fact, urgent};
use crate::generate::Misuse;
use crate::text::joined;
use crate::within;
use location::Location;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::LocalKey;
pub(crate) use strays::{Hold, printed, printed_since};

thread_local! {
    static QUIET: Cell<u32> = const { Cell::new(0) };
    static LAST: RefCell<Option<Caught>> = const { RefCell::new(None) };
    /// The panic before the last one.
    static BEFORE: RefCell<Option<Caught>> = const { RefCell::new(None) };
}

const NO_MESSAGE: &str = "a panic without a message";

/// A panic: its message and location.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Caught {
    pub(crate) message: String,
    pub(crate) location: Option<Location>,
    pub(crate) backtrace: Option<String>,
}

impl Caught {
    fn of(info: &PanicHookInfo<'_>) -> Self {
        let location = info.location().map(|place| Location {
            file: place.file().to_owned(),
            line: place.line(),
            column: place.column(),
        });
        let message = text_of(info.payload()).unwrap_or_else(|| NO_MESSAGE.to_owned());
        Self { message, location, backtrace: None }
    }
}

impl fmt::Display for Caught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{}, at {location}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Silences panics of this thread until dropped.
pub(crate) struct Quiet(());

impl Quiet {
    pub(crate) fn begin() -> Self {
        // A panicking thread cannot change the hook.
        if GONE.load(Ordering::Relaxed) && !std::thread::panicking() && GONE.swap(false, Ordering::Relaxed) {
            install();
        }
        QUIET.set(QUIET.get() + 1);
        Self(())
    }
}

/// Whether our hook is missing: not installed yet, or replaced by the tested code.
static GONE: AtomicBool = AtomicBool::new(true);

/// Dropped together with our hook.
struct Present;

impl Drop for Present {
    fn drop(&mut self) {
        GONE.store(true, Ordering::Relaxed);
    }
}

#[cold]
fn install() {
    let before = take_hook();
    let present = Present;
    set_hook(Box::new(move |info| {
        let _here = &present;
        // At thread exit the locals may be gone; then the panic is not ours.
        if QUIET.try_with(Cell::get).unwrap_or(0) == 0 {
            if !strays::holds(|| Caught::of(info)) {
                before(info);
            }
            return;
        }
        let mut caught = Caught::of(info);
        if around().is_some_and(|around| (around.is_shown)()) {
            caught.backtrace = backtrace();
        }
        if ENDS.contains(&&*caught.message) {
            report_abort();
        }
        #[cfg(feature = "tokio")]
        tasks::panicked(&caught);
        let before = remember(&LAST, Some(caught));
        remember(&BEFORE, before);
    }));
}

/// Replaces the recorded panic.
fn remember(place: &'static LocalKey<RefCell<Option<Caught>>>, caught: Option<Caught>) -> Option<Caught> {
    place.try_with(|last| last.replace(caught)).ok().flatten()
}

impl Drop for Quiet {
    fn drop(&mut self) {
        QUIET.set(QUIET.get() - 1);
    }
}

/// The test on this thread.
pub(crate) struct Around {
    /// Whether this run of it will be reported.
    pub(crate) is_shown: fn() -> bool,
    /// The property, the index of the test and the seed.
    pub(crate) test: fn() -> (String, u64, u64),
}

inventory::collect!(Around);

fn around() -> Option<&'static Around> {
    inventory::iter::<Around>().next()
}

/// Messages of Rust's runtime when a panic cannot unwind and aborts the process.
const ENDS: [&str; 2] = ["panic in a destructor during cleanup", "panic in a function that cannot unwind"];

/// The process is about to abort in the middle of a test, so the report is printed now.
#[cold]
fn report_abort() {
    let mut panics = Vec::new();
    for place in &[&BEFORE, &LAST] {
        if let Ok(Some(caught)) = place.try_with(RefCell::take) {
            panics.push(caught.to_string());
        }
    }
    let Some((property, index, seed)) = around().map(|around| (around.test)()) else { return };
    let named = property.clone();
    urgent::announce(&named, &[Fact::PanickedTwice { property, index, seed, panics }]);
}

/// The functions that call tested code: bodies, generators, and the executors of async bodies and tasks.
const OURS: [&str; 5] = [
    "forall::property::",
    "forall::panic::catch",
    "forall::__private::asynchronous::",
    "forall::__private::under_tokio::",
    "tokio::runtime::task::core::Core<T,S>::poll",
];

/// The stack between the panic and our code, if `RUST_BACKTRACE` is set.
fn backtrace() -> Option<String> {
    let backtrace = Backtrace::capture();
    if backtrace.status() != BacktraceStatus::Captured {
        return None;
    }
    let text = backtrace.to_string();
    // A frame is a line with its number and name, and usually one with its location.
    let mut frames: Vec<String> = Vec::new();
    for line in text.lines() {
        match frames.last_mut() {
            Some(frame) if line.trim_start().starts_with("at ") => *frame += &format!("\n{line}"),
            _ => frames.push(line.to_owned()),
        }
    }
    let mut first = 0;
    for (at, frame) in frames.iter().enumerate() {
        if within::contains(frame, "core::panicking")
            || within::contains(frame, "std::panicking::begin_panic")
            || within::contains(frame, "rust_begin_unwind")
        {
            first = at + 1;
        }
    }
    let mut length = 0;
    for frame in &frames[first..] {
        // Functions of state machines that were inlined into each other have lost their paths.
        if OURS.iter().any(|ours| within::contains(frame, ours))
            || within::contains(frame, concat!(env!("CARGO_MANIFEST_DIR"), "/src/machine/"))
        {
            break;
        }
        length += 1;
    }
    let mut own = Vec::new();
    for frame in &frames[first..first + length] {
        if is_own(frame) {
            own.push(frame.clone());
        }
    }
    if own.is_empty() { None } else { Some(joined(&own, "\n")) }
}

/// Whether a frame belongs to the user's code, not to the standard library or a registry crate.
fn is_own(frame: &str) -> bool {
    let name = frame.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ' || c == ':');
    let mut is_own = !within::contains(frame, "/rustc/") && !within::contains(frame, "/.cargo/registry/");
    for library in &["std::", "core::", "alloc::", "<alloc::", "<core::", "<std::", "__rust"] {
        is_own &= !name.starts_with(library);
    }
    is_own
}

/// The last panic that the hook saw on this thread.
pub(crate) fn take_last() -> Option<Caught> {
    LAST.take()
}

/// Drops a value. A panic in its `Drop` is ignored.
pub(crate) fn drop_quietly<T>(value: T) {
    let mut value = Some(value);
    catch_call(&mut || value = None);
}

/// Why a call did not return.
pub(crate) enum Unwound {
    /// It panicked.
    Panic(Caught),
    /// It unwound with one of our signals, which is not a panic.
    Signal(Box<dyn Any + Send>),
}

/// Calls `body`, silently, and catches unwinding.
pub(crate) fn catch<T>(mut body: impl FnMut() -> T) -> Result<T, Unwound> {
    let mut value = None;
    match catch_call(&mut || value = Some(body())) {
        Some(unwound) => Err(unwound),
        None => Ok(value.expect("what did not unwind has returned")),
    }
}

/// The same for `FnOnce`.
pub(crate) fn catch_once<T>(body: impl FnOnce() -> T) -> Result<T, Unwound> {
    let mut body = Some(body);
    catch(|| body.take().map(|body| body())).map(|value| value.expect("it is called once"))
}

/// Calls `body`, and returns the reason if it unwinds. Not generic, so that it is compiled once.
fn catch_call(body: &mut dyn FnMut()) -> Option<Unwound> {
    let _quiet = Quiet::begin();
    LAST.take();
    let payload = catch_unwind(AssertUnwindSafe(body)).err()?;
    let last = take_last();
    let payload = match payload.downcast::<Caught>() {
        // It was caught in another process.
        Ok(caught) => return Some(Unwound::Panic(*caught)),
        Err(payload) => payload,
    };
    if is_signal(&*payload) {
        // Earlier panics that the hook saw were caught by the tested code itself.
        return Some(Unwound::Signal(payload));
    }
    let text = text_of(&*payload);
    // The payload may panic when it is dropped.
    drop_quietly(payload);
    Some(Unwound::Panic(match last {
        // The hook may have seen an older panic, which the tested code caught before it resumed another.
        Some(last) if text.as_ref().is_none_or(|text| *text == last.message) => last,
        // If the hook saw nothing, the tested code has replaced it, or resumes a caught panic.
        _ => Caught { message: text.unwrap_or_else(|| NO_MESSAGE.to_owned()), location: None, backtrace: None },
    }))
}

/// A function that recognises the signals of a higher-level module among payloads.
pub(crate) struct Signals(pub(crate) fn(&(dyn Any + Send)) -> bool);

inventory::collect!(Signals);

/// A payload of a higher-level module that is not a panic.
pub(crate) struct Guest(Box<dyn Any + Send>);

impl Guest {
    #[cold]
    pub(crate) fn unwind(signal: impl Any + Send) -> ! {
        resume_unwind(Box::new(Guest(Box::new(signal))))
    }

    /// The signal in a payload, if it is one of this type.
    pub(crate) fn signal<T: Any>(payload: &(dyn Any + Send)) -> Option<&T> {
        payload.downcast_ref::<Guest>()?.0.downcast_ref()
    }
}

/// Whether it is the payload of a panic, and not one of our signals.
pub(crate) fn is_panic(payload: &(dyn Any + Send)) -> bool {
    !is_signal(payload)
}

fn is_signal(payload: &(dyn Any + Send)) -> bool {
    if payload.is::<Guest>() || payload.is::<Overrun>() || payload.is::<SeveralThreads>() {
        return true;
    }
    if payload.is::<Rejected>() || payload.is::<Misuse>() {
        return true;
    }
    inventory::iter::<Signals>().any(|signals| (signals.0)(payload))
}

fn text_of(payload: &(dyn Any + Send)) -> Option<String> {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
}
