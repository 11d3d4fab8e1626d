//! A guided tour: `cargo run --release --example tour`.
//!
//! Each stop is a property of a small piece of code with a bug that real programs have had, and prints what `cargo test` would
//! print. The code is in `src/tour.rs`.

use forall::report::{Style, render};
use forall_examples::tour::STOPS;

/// The tour prints the same for everyone.
const SEED: u64 = 2026;

fn main() {
    print_paragraph(
        "forall generates inputs for your properties, shrinks those that fail, and prints them as Rust code.",
    );
    for stop in &STOPS {
        println!("\n\n{}\n{}\n", stop.title, "─".repeat(stop.title.chars().count()));
        print_paragraph(stop.claim);
        println!();
        for line in render(&stop.report(SEED), &Style::from_env()).lines() {
            println!("  │ {line}");
        }
        println!();
        print_paragraph(stop.lesson);
    }
    println!();
    print_paragraph(
        "In your own crate: add `forall` to `[dev-dependencies]` as in README.md, write `#[forall::test]` above a function \
         with parameters, and run `cargo test`.",
    );
}

/// Prints a paragraph, broken into lines.
fn print_paragraph(text: &str) {
    let mut width = 0;
    for word in text.split_whitespace() {
        if width + word.chars().count() > 96 {
            println!();
            width = 0;
        }
        print!("{}{word}", if width == 0 { "" } else { " " });
        width += 1 + word.chars().count();
    }
    println!();
}
