//! `forall sample`: prints values of a property's generators.

use crate::arguments::{number, seed};
use crate::process::{Process, aloud};
use crate::properties;
use crate::screen::{Paint, Screen};
use crate::workspace::{self, Place};
use crate::{Error, values, words};
use clap::Args;
use forall::protocol::{Request, Sampled};
use std::process::ExitCode;

/// The arguments of `sample`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Sample {
    /// The property: its name, or a unique part of it. Not needed if there is only one
    pub property: Option<String>,
    /// The number of inputs
    #[arg(short = 'n', long, value_name = "N", default_value = "10", value_parser = number)]
    pub number: u64,
    /// The size, from 0 to about 100. By default, sizes from 0 to 100 in a shuffled order
    #[arg(long, value_name = "SIZE")]
    pub size: Option<u32>,
    /// The seed, as in 7 or 0x1f. By default, a new one for each run
    #[arg(long, value_name = "SEED", value_parser = seed)]
    pub seed: Option<u64>,
    /// Print each value in full, on separate lines
    #[arg(short, long)]
    pub verbose: bool,
    /// Which tests to build.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Prints inputs of all sizes, as a run generates them, without testing them. Inputs that a clause or a filter discards are marked: if
most are, generate inputs that satisfy it instead. An `assume!` in the body is not run here: `forall run` counts its discards.

  forall sample sorts               ten inputs
  forall sample sorts -n 100 --size 100

Exit codes: 0 inputs were printed, 2 none could be generated.";

/// Prints inputs.
pub fn sample(arguments: &Sample) -> Result<ExitCode, Error> {
    let workspace = workspace::build(&arguments.place)?;
    let all = properties::of(&workspace.binaries)?;
    let property = properties::choose(&all, arguments.property.as_deref())?;
    let screen = Screen::of_this_process();
    let mut process = Process::new(property, &workspace, &screen)?.even_if_ignored();
    process = process.asking(&Request::Sample { property: property.name.clone(), count: arguments.number });
    if let Some(size) = arguments.size {
        process = process.with("FORALL_SIZE", size.to_string());
    }
    if let Some(seed) = arguments.seed {
        process = process.with("FORALL_SEED", seed.to_string());
    }
    let ended = process.run(&mut aloud)?;
    let (mut shown, mut discarded) = (0, 0);
    for sampled in ended.all::<Sampled>() {
        let is_discarded = sampled.discarded;
        discarded += u64::from(is_discarded);
        shown += u64::from(!is_discarded);
        // A generator that gave up has no values; the number is printed below.
        if is_discarded && sampled.values.is_empty() {
            continue;
        }
        let mark = if is_discarded { "discarded  " } else { "" };
        let text = match arguments.verbose {
            true => {
                let end = if is_discarded { ", discarded" } else { "" };
                format!("size {}{end}\n{}", sampled.size, values::lines(&sampled.values))
            }
            false => format!("{mark}{}\n", values::line(&sampled.values, mark.len(), &screen)),
        };
        screen.print(&if is_discarded { screen.paint(Paint::Dim, &text) } else { text });
    }
    match ended.finished() {
        None => return Err(ended.why_nothing(property).into()),
        Some(finished) if !finished.verdict.is_success() => {
            let why = finished.why.as_deref();
            return Err(why.unwrap_or("no inputs could be generated; `forall run` reports why").into());
        }
        Some(_) => {}
    }
    if discarded > 0 {
        let made = words::count(shown + discarded, "input");
        screen.warn(&format!("forall: the property discards {discarded} of {made}"));
    }
    if shown == 0 {
        return Err("every input is discarded: generate inputs that satisfy the assumptions of the property".into());
    }
    Ok(ExitCode::SUCCESS)
}
