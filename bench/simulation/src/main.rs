//! Runs the simulation, and writes its figures into the document and the drawing beside it.

use bench_simulation::document;
use std::process::ExitCode;

fn main() -> ExitCode {
    let written = document::renew().and_then(|(text, drawing)| {
        let write = |path: std::path::PathBuf, text: String| {
            std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
        };
        write(document::path(), text)?;
        write(document::drawing_path(), drawing)
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
