//! Twelve kinds of trouble that a test can make for its process, and what it is to contain one: the run comes to its end, with a
//! counterexample that is named, as small as can be and stored, and no process is left.
//! The benchmark suite `isolation` includes this file.

use forall::prelude::*;
use forall::run::{Counterexample, Run, Settings, Store, Verdict};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread::scope;

pub struct Trouble {
    pub name: &'static str,
    /// The message of the counterexample.
    says: &'static str,
    /// The smallest input that makes it, and how many tests must run before that.
    smallest: (&'static str, usize),
    limits: fn(Settings) -> Settings,
    /// Makes it, unless the number is small.
    make: fn(u32),
}

const TEN: (&str, usize) = ("10", 0);

pub const ALL: [Trouble; 12] = [
    Trouble { name: "null-write", says: "SIGSEGV", smallest: TEN, limits: |settings| settings, make: null_write },
    Trouble { name: "abort", says: "SIGABRT", smallest: TEN, limits: |settings| settings, make: abort },
    Trouble {
        name: "stack-overflow",
        says: "stack overflow",
        smallest: TEN,
        limits: |settings| settings.stack("256KiB"),
        make: stack_overflow,
    },
    Trouble { name: "double-panic", says: "SIGABRT", smallest: TEN, limits: |settings| settings, make: double_panic },
    Trouble { name: "infinite-loop", says: DID_NOT_END, smallest: TEN, limits: soon, make: infinite_loop },
    Trouble { name: "deadlock", says: DID_NOT_END, smallest: TEN, limits: soon, make: deadlock },
    Trouble { name: "livelock", says: DID_NOT_END, smallest: TEN, limits: soon, make: livelock },
    Trouble {
        name: "memory-balloon",
        says: "out of memory",
        smallest: TEN,
        limits: |settings| settings.memory("32MB"),
        make: memory_balloon,
    },
    Trouble { name: "exit", says: "`exit(0)`", smallest: TEN, limits: |settings| settings, make: exit },
    Trouble {
        name: "closed-stdout",
        says: "nobody hears this",
        smallest: TEN,
        limits: |settings| settings,
        make: closed_stdout,
    },
    Trouble { name: "panic-in-drop", says: "dropped", smallest: TEN, limits: |settings| settings, make: panic_in_drop },
    Trouble { name: "state", says: "SIGABRT", smallest: ("11", 3), limits: |settings| settings, make: state },
];

const DID_NOT_END: &str = "did not end within 400 ms";

fn soon(settings: Settings) -> Settings {
    settings.timeout("400ms")
}

fn null_write(n: u32) {
    if n >= 10 {
        let nowhere: *mut u32 = black_box(std::ptr::null_mut());
        // SAFETY: there is none; that is the point.
        unsafe { nowhere.write_volatile(n) }
    }
}

fn abort(n: u32) {
    if n >= 10 {
        std::process::abort();
    }
}

fn stack_overflow(n: u32) {
    fn deeper(depth: u64) -> u64 {
        let here = black_box([depth; 100]);
        if here[0] == u64::MAX { 0 } else { deeper(depth + 1) + here[0] }
    }
    if n >= 10 {
        black_box(deeper(0));
    }
}

struct Panics;

impl Drop for Panics {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

fn double_panic(n: u32) {
    if n >= 10 {
        let _panics = Panics;
        panic!("first");
    }
}

fn infinite_loop(n: u32) {
    while black_box(n) >= 10 {}
}

fn deadlock(n: u32) {
    let (one, other, both) = (Mutex::new(0), Mutex::new(0), Barrier::new(2));
    let lock = |first: &Mutex<i32>, second: &Mutex<i32>| {
        let _first = first.lock();
        both.wait();
        drop(second.lock());
    };
    if n >= 10 {
        scope(|scope| {
            scope.spawn(|| lock(&one, &other));
            lock(&other, &one);
        });
    }
}

/// Two threads that take a step in turn.
fn livelock(n: u32) {
    let turn = AtomicU32::new(0);
    let step = |me: u32| while turn.swap(me, Ordering::Relaxed) < 2 {};
    if n >= 10 {
        scope(|scope| {
            scope.spawn(|| step(1));
            step(0);
        });
    }
}

fn memory_balloon(n: u32) {
    let mut balloon = Vec::new();
    while n >= 10 && balloon.len() < 1 << 33 {
        balloon.extend_from_slice(&[1u8; 1 << 16]);
    }
}

fn exit(n: u32) {
    if n >= 10 {
        std::process::exit(0);
    }
}

fn closed_stdout(n: u32) {
    unsafe extern "C" {
        fn close(file: std::ffi::c_int) -> std::ffi::c_int;
    }
    if n >= 10 {
        // SAFETY: nothing but printing uses these, and that copes.
        unsafe { (close(0), close(1), close(2)) };
        println!("so much for that");
        panic!("nobody hears this");
    }
}

fn panic_in_drop(n: u32) {
    if n >= 10 {
        drop(Panics);
    }
}

/// Ends the process from ten on, when three tests before it have made a notch.
fn state(n: u32) {
    static NOTCHES: AtomicU32 = AtomicU32::new(0);
    if n % 7 == 3 {
        NOTCHES.fetch_add(1, Ordering::Relaxed);
    } else if n >= 10 && NOTCHES.load(Ordering::Relaxed) >= 3 {
        std::process::abort();
    }
}

/// Whether a process of this number runs. One that is dead and not waited for does not.
pub fn runs(pid: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    status.rsplit_once(')').is_some_and(|(_, state)| !state.starts_with(" Z"))
}

/// Lets tests make the trouble, and says in what it is not contained. `place` is a directory that child processes know as well.
pub fn contained(trouble: &Trouble, place: &Path) -> Result<Counterexample, String> {
    let (finds, processes) = (place.join("finds"), place.join("processes"));
    let property = property! {
        forall n in 0..1000u32;
        check {
            note!("n is {n}");
            let _ = fs::create_dir_all(processes.join(std::process::id().to_string()));
            (trouble.make)(*n)
        }
    };
    let settings = Settings::new().isolate(true).seed(1).store(Store::Directory(finds));
    let report = Run::new(trouble.name, &property).settings((trouble.limits)(settings)).report();
    let shown = forall::report::render(&report, &forall::report::Style::plain());
    let is = |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("{}: {what}\n{shown}", trouble.name)) };
    is(report.verdict == Verdict::Failed, "not a failure")?;
    let found = report.counterexample.ok_or("no counterexample")?;
    is(found.failure.message.contains(trouble.says), "not named")?;
    let (smallest, before) = trouble.smallest;
    is(found.bindings[0].printed.text() == smallest && found.before.len() == before, "not as small as can be")?;
    is(found.notes.first().is_some_and(|note| *note == format!("n is {smallest}")), "what was noted is lost")?;
    is(found.stored.as_ref().is_some_and(|path| Path::new(path).exists()), "not stored")?;
    let processes = fs::read_dir(&processes).map_err(|error| error.to_string())?;
    for process in processes {
        let process = process.map_err(|error| error.to_string())?.file_name();
        is(!runs(&process.to_string_lossy()), "a process is left")?;
    }
    Ok(found)
}
