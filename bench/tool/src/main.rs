//! The tool of forall, with a corpus in Redis.

fn main() -> std::process::ExitCode {
    cargo_forall::main()
}
