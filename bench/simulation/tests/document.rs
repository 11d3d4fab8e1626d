//! The document says what the simulator says.

use bench_simulation::document;
use std::fs;

#[test]
fn the_figures_of_the_document_are_those_of_the_simulator() {
    let (text, drawing) = document::renew().unwrap();
    let there = fs::read_to_string(document::path()).unwrap();
    let advice = "run `cargo run --release -p bench-simulation` in bench/, and read whether the prose still holds";
    assert!(there == text, "the tables have changed; {advice}");
    assert!(fs::read_to_string(document::drawing_path()).unwrap() == drawing, "the drawing has changed; {advice}");
}
