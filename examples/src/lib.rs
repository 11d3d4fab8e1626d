//! Example programs: `cargo run --release --example tour`.
