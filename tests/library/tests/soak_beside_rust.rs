//! A memory leak outside of Rust's allocator.

use forall::machine::{Counting, Soak, Spec, soak};
use forall::prelude::*;
use std::ffi::c_void;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn memset(block: *mut c_void, value: i32, size: usize) -> *mut c_void;
}

/// A register that keeps its value in Rust, and leaks in C.
struct Register {
    leaks: usize,
}

#[derive(Arbitrary, Debug)]
enum Command {
    Get,
    Set(u8),
}

impl Spec for Register {
    type Command = Command;
    type Model = u8;
    type System = u8;
    type Response = u8;

    fn model(&self) -> u8 {
        0
    }

    fn generate(&self, _: &u8, source: &mut Source) -> Command {
        source.draw(any())
    }

    fn next(&self, model: &mut u8, command: &Command) {
        if let Command::Set(value) = command {
            *model = *value;
        }
    }

    fn system(&self) -> u8 {
        0
    }

    fn run(&self, system: &mut u8, command: &Command) -> u8 {
        let before = *system;
        if let Command::Set(value) = command {
            *system = *value;
            if self.leaks > 0 {
                // SAFETY: the block is as large as is said, and if there is none, this test cannot go on.
                unsafe { memset(malloc(self.leaks), 1, self.leaks) };
            }
        }
        before
    }

    fn postcondition(&self, model: &u8, _: &Command, response: &u8) -> bool {
        response == model
    }
}

#[test]
fn a_leak_outside_rust_is_detected_by_resident_memory() {
    let fine = soak(&Register { leaks: 0 }, &Soak::default()).unwrap();
    assert!(!fine.live_bytes.is_empty());
    let error = soak(&Register { leaks: 512 }, &Soak::default()).unwrap_err();
    assert!(error.starts_with("the resident memory of the process grows by about "), "{error}");
    assert!(error.contains(", but Rust's allocations do not: C code or the system may allocate it\n"), "{error}");
    assert!(error.contains("  Set ") && error.contains(" times\n"), "{error}");
}
