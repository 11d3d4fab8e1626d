//! `forall sample`: what the generators of a property make.

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
    /// The property: its name, or any part of it that fits no other. Not needed where there is only one
    pub property: Option<String>,
    /// How many inputs
    #[arg(short = 'n', long, value_name = "N", default_value = "10", value_parser = number)]
    pub number: u64,
    /// How large, from 0 to about 100. From small to large, if not given
    #[arg(long, value_name = "SIZE")]
    pub size: Option<u32>,
    /// What random choices depend on, as in 7 or 0x1f. A fresh one each time, if not given
    #[arg(long, value_name = "SEED", value_parser = seed)]
    pub seed: Option<u64>,
    /// Each value in full, in lines of its own
    #[arg(short, long)]
    pub verbose: bool,
    /// Where to look.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Shows inputs as a run would generate them, small ones first, without testing them. Those that a clause of the property or a filter
discards are marked: if most are, build inputs that satisfy it instead. An `assume!` in the body is part of the test, and is not run
here: `forall run` says how many inputs it discards.

  forall sample sorts               ten inputs
  forall sample sorts -n 100 --size 100

Exit codes: 0 there they are, 2 there are none to show.";

/// Samples.
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
        // Where a generator gave up there is nothing to show; how many there were is said below.
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
        screen.say(&if is_discarded { screen.paint(Paint::Dim, &text) } else { text });
    }
    match ended.finished() {
        None => return Err(ended.why_nothing(property).into()),
        Some(finished) if !finished.verdict.is_success() => {
            let why = finished.why.as_deref();
            return Err(why.unwrap_or("the inputs could not be generated; `forall run` says why").into());
        }
        Some(_) => {}
    }
    if discarded > 0 {
        let made = words::count(shown + discarded, "input");
        screen.warn(&format!("forall: {discarded} of {made} would be discarded by the property"));
    }
    if shown == 0 {
        return Err("every input is discarded: generate inputs that satisfy the assumptions of the property".into());
    }
    Ok(ExitCode::SUCCESS)
}
