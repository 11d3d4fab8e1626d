//! Tests that crash their process: `cargo run --release --example isolation`.
//!
//! A message parser with two bugs that cause no panic: it trusts a length field, and it trusts a mark that an earlier
//! message left behind. Both crash the process; isolated, both are counterexamples like any other.

use forall::prelude::*;
use forall::property::Property;
use forall::report::{Style, render};
use forall::run::{Run, Settings, Store};
use std::sync::atomic::{AtomicBool, Ordering};

fn main() {
    // This program is started again for the processes that tests run in: by the same way it comes to the same property.
    forall::isolate::entry();
    println!("1. A length that is believed\n");
    show(
        "reading a message",
        &property! { forall bytes: Vec<u8>; check { note!("reads {} bytes", bytes.len()); read(bytes); } },
    );
    println!("\n2. What an earlier test left behind\n");
    show("reading one message after the other", &property! { forall bytes: Vec<u8>; check read_again(bytes) });
    println!("\n3. A reader that waits for what never comes\n");
    show("reading to the end", &property! { forall bytes: Vec<u8>; check read_to_the_end(bytes) });
}

/// Returns the bytes of a message, whose first byte is the length. Recursive for nested messages.
fn read(bytes: &[u8]) -> usize {
    match bytes {
        // A message that says it is empty contains itself.
        [0, 0, ..] => 1 + read(bytes),
        [length, rest @ ..] => usize::from(*length).min(rest.len()),
        [] => 0,
    }
}

/// Reads with a buffer that the first message allocates, and that must not be requested twice.
fn read_again(bytes: &[u8]) {
    static IN_USE: AtomicBool = AtomicBool::new(false);
    if bytes.len() >= 3 && IN_USE.swap(true, Ordering::Relaxed) {
        std::process::abort();
    }
}

fn read_to_the_end(bytes: &[u8]) {
    let mut at = 0;
    while at < bytes.len() {
        // A byte of 255 says: more to come.
        at += usize::from(bytes[at] != 255);
    }
}

fn show(name: &'static str, property: &dyn Property) {
    let settings = Settings::new().isolate(true).timeout("300ms").stack("256KiB").seed(1).store(Store::Off);
    let report = Run::new(name, property).settings(settings).report();
    print!("{}", render(&report, &Style::plain()));
}
