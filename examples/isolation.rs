//! Tests that crash their process: `cargo run --release --example isolation`.
//!
//! A message parser with three bugs that no panic reveals: it overflows the stack on a nested empty message, aborts because of state that
//! an earlier message left behind, and loops for ever. Isolated, all three are counterexamples like any other.

use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Run, Settings, Store};
use std::sync::atomic::{AtomicBool, Ordering};

fn main() {
    // Tests run in child processes of this same program, which take the same path to the same property.
    forall::isolate::entry();
    println!("1. A stack overflow\n");
    show(
        "reading a message",
        &property! { forall bytes: Vec<u8>; check { note!("reads {} bytes", bytes.len()); read(bytes); } },
    );
    println!("\n2. State left by an earlier test\n");
    show("reading one message after the other", &property! { forall bytes: Vec<u8>; check read_again(bytes) });
    println!("\n3. An infinite loop\n");
    show("reading to the end", &property! { forall bytes: Vec<u8>; check read_to_the_end(bytes) });
}

/// Returns the length of a message, whose first byte is the length; recurses for nested messages.
fn read(bytes: &[u8]) -> usize {
    match bytes {
        // Bug: an empty message is treated as nested in itself.
        [0, 0, ..] => 1 + read(bytes),
        [length, rest @ ..] => usize::from(*length).min(rest.len()),
        [] => 0,
    }
}

/// Aborts on the second message of three or more bytes, because a flag is never reset.
fn read_again(bytes: &[u8]) {
    static IN_USE: AtomicBool = AtomicBool::new(false);
    if bytes.len() >= 3 && IN_USE.swap(true, Ordering::Relaxed) {
        std::process::abort();
    }
}

fn read_to_the_end(bytes: &[u8]) {
    let mut at = 0;
    while at < bytes.len() {
        // A byte of 255 means that more follows.
        at += usize::from(bytes[at] != 255);
    }
}

fn show(name: &'static str, property: &dyn Property) {
    let settings = Settings::new().isolate(true).timeout("300ms").stack("256KiB").seed(1).store(Store::Off);
    let report = Run::new(name, property).settings(settings).report();
    print!("{}", render(&report, &Style::plain()));
}
