//! The file of a suite's results: `results/<suite>.md`.
//!
//! Its first part is written by hand: notes on the figures. Behind [`MARK`] stands what the suite printed.

use crate::process::{self, bench_directory};
use std::path::PathBuf;
use std::process::Command;

/// Where the part of the suite begins.
const MARK: &str = "<!-- As the suite printed it. Everything below is written by `--write`. -->";

/// Writes what a suite printed into its file, below what people wrote there. The file.
pub fn write(suite: &str, printed: &str) -> Result<PathBuf, String> {
    let path = bench_directory().join("results").join(format!("{suite}.md"));
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--write").collect();
    let said = |command: &mut Command| {
        process::run(command).map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let date = said(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    let compiler = said(Command::new("rustc").arg("--version"))?;
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let run = format!(
        "    cargo run --release --manifest-path bench/Cargo.toml -- {}\n\n{date}, {compiler}, {cores} cores.\n",
        arguments.join(" ")
    );
    // A suite that was never written has no file.
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let text = text(suite, &before, &run, printed);
    std::fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

/// The new text of a file.
fn text(suite: &str, before: &str, run: &str, printed: &str) -> String {
    let by_people = before.split(MARK).next().unwrap_or_default().trim_end();
    let by_people = if by_people.is_empty() { format!("# {suite}") } else { by_people.to_owned() };
    format!("{by_people}\n\n{MARK}\n\n{run}\n{}\n", printed.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_written_notes_stay_and_printed_tables_are_replaced() {
        let first = text("lazy", "", "    run\n", "a table\n\n");
        assert_eq!(first, format!("# lazy\n\n{MARK}\n\n    run\n\na table\n"));
        let commented = first.replace("# lazy\n", "# lazy\n\nA comment.\n");
        let second = text("lazy", &commented, "    run\n", "another table\n");
        assert_eq!(second, format!("# lazy\n\nA comment.\n\n{MARK}\n\n    run\n\nanother table\n"));
    }

    #[test]
    fn the_files_of_suites_have_at_most_one_such_part() {
        for suite in crate::suites::SUITES {
            let path = bench_directory().join("results").join(format!("{}.md", suite.name));
            if let Ok(file) = std::fs::read_to_string(&path) {
                assert!(file.starts_with(&format!("# {}\n", suite.name)), "{}", path.display());
                assert!(file.matches(MARK).count() <= 1, "{}", path.display());
            }
        }
    }
}
