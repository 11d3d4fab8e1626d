//! The program under its short name: `forall …`.

fn main() -> std::process::ExitCode {
    cargo_forall::main()
}
