//! Programs that show what `forall` does. They are examples of this package: `cargo run --release --example tour`.
