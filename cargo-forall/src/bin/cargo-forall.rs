//! The program as cargo knows it: `cargo forall …`.

fn main() -> std::process::ExitCode {
    cargo_forall::main()
}
