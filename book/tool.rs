//! `cargo forall`, as a program of this package: a test may run only those of its own.

fn main() -> std::process::ExitCode {
    cargo_forall::main()
}
