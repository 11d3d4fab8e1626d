//! `forall fuzz --minimise`: removes redundant inputs from the local corpus.

use crate::corpus::command::minimise::left;
use crate::properties::Property;
use crate::screen::{Screen, aside};
use crate::words::count;
use crate::{Error, results, scratch, trouble};
use forall::store::Seeds;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

/// Minimises the local corpus of each property.
pub(super) fn minimise(properties: &[&Property]) -> Result<ExitCode, Error> {
    let screen = Screen::of_this_process();
    let (mut found, mut all) = (false, true);
    for property in properties {
        let package = &property.binary.package_directory;
        let store = results::local_store(package).unwrap_or_else(|| package.join(".forall"));
        let here = Seeds::new(&store, &property.name);
        let inputs = here.load().seeds;
        if inputs.is_empty() {
            continue;
        }
        found = true;
        let scratch = scratch::folder(property.binary.path.parent().unwrap_or(Path::new(".")), ".minimise")?;
        let left = left(property, inputs.iter().map(|(_, case)| case), &scratch);
        let _ = fs::remove_dir_all(&scratch);
        let Ok(left) = left? else {
            all = false;
            let why = one_fails(property.test_name());
            screen.print(&(screen.line(&property.name, &unchanged(inputs.len())) + &screen.wrap("    ", &why)));
            continue;
        };
        let mut kept = inputs.len();
        for (path, case) in &inputs {
            if !left.contains(&Seeds::file_name(case)) {
                fs::remove_file(path).map_err(|error| trouble::no_build("remove", path, error))?;
                kept -= 1;
            }
        }
        screen.print(&screen.line(&property.name, &format!("{kept} of {} left", inputs_of(inputs.len()))));
    }
    if !found {
        aside(NOTHING);
    }
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

const NOTHING: &str =
    "forall: the local corpus has no inputs of these properties; `forall fuzz PROPERTY` collects some\n";

fn inputs_of(number: usize) -> String {
    count(number as u64, "input")
}

fn unchanged(inputs: usize) -> String {
    format!("{} unchanged", inputs_of(inputs))
}

fn one_fails(test: &str) -> String {
    format!("an input fails or crashes; run `forall fuzz {test}` to see it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_fails_is_reported_with_the_command_that_shows_it() {
        assert_eq!(one_fails("parses"), "an input fails or crashes; run `forall fuzz parses` to see it");
        assert_eq!(unchanged(1), "1 input unchanged");
    }
}
