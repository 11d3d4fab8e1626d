//! Searches one program at one depth, for profilers: `bench-lazy redblack 4`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let program =
        arguments.next().and_then(|name| lazy_programs::all().into_iter().find(|program| program.name == name));
    let depth = arguments.next().and_then(|depth| depth.parse().ok());
    let (Some(program), Some(depth)) = (program, depth) else {
        eprintln!("usage: bench-lazy PROGRAM DEPTH\n\nprograms:");
        for program in lazy_programs::all() {
            eprintln!("  {}", program.name);
        }
        return ExitCode::from(2);
    };
    let explored = forall::lazy::search(&*(program.property)(), depth);
    println!("{} evaluations, {}", explored.evaluations, if explored.failure.is_none() { "holds" } else { "fails" });
    ExitCode::SUCCESS
}
