//! The code behind the example programs. Run the tour with `cargo run --release --example tour`.

pub mod tour;
