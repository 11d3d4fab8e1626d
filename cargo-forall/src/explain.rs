//! `forall explain`: which parts of a counterexample matter, and how it was shrunk.

use crate::arguments::{number, seed};
use crate::list::shortened;
use crate::process::{Process, aloud};
use crate::properties::{self, Property};
use crate::results::{self, HowShrunk, Remembered, Results, STEPS};
use crate::screen::{Paint, Screen, visible};
use crate::workspace::{self, Place};
use crate::{Error, values, words};
use clap::Args;
use forall::protocol::{Claim, Counterexample, Explained, Finished, Found};
use std::process::ExitCode;

/// The arguments of `explain`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Explain {
    /// The property: its name, or a unique part of it. Not needed if there is only one
    pub property: Option<String>,
    /// The maximum number of inputs to run for the explanation
    #[arg(long, value_name = "N", default_value = "20000", value_parser = number)]
    pub runs: u64,
    /// The seed, if there is no saved counterexample and one must be found first
    #[arg(long, value_name = "SEED", value_parser = seed)]
    pub seed: Option<u64>,
    /// Which tests to build.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Takes the saved counterexample, or finds one, then varies its parts to see which of them matter. Each claim held in every run that
was tried; the number of runs is printed.

  forall explain sorts
  forall explain sorts --runs 200000    with more runs

Exit codes: 0 the property passes and there is nothing to explain, 1 it does not pass, 2 it could not run.";

/// Explains a counterexample.
pub fn explain(arguments: &Explain) -> Result<ExitCode, Error> {
    let workspace = workspace::build(&arguments.place)?;
    let all = properties::of(&workspace.binaries)?;
    let property = properties::choose(&all, arguments.property.as_deref())?;
    let screen = Screen::of_this_process();
    let mut process = Process::new(property, &workspace, &screen)?.even_if_ignored();
    process = process.with("FORALL_EXPLAIN", arguments.runs.to_string());
    if property.may_have_threads() {
        process = process.with("FORALL_THREADS", "all");
    }
    if let Some(seed) = arguments.seed {
        process = process.with("FORALL_SEED", seed.to_string());
    }
    let ended = process.run(&mut aloud)?;
    let Some(finished) = ended.finished() else { return Err(ended.why_nothing(property).into()) };
    if finished.verdict.is_success() {
        let text = format!(
            "{} {}: {}. There is nothing to explain; `forall run {} --for 1m` searches longer",
            words::verdict(finished.verdict, &screen),
            property.name,
            words::extent(finished),
            properties::as_argument(property.short_name())
        );
        screen.print(&screen.wrap("", &text));
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = finished.text.clone();
    if let Some(found) = &finished.counterexample {
        out += &format!("\n{}", what_matters(found, ended.last(), &screen));
        let shrunk = results::how_shrunk(&ended);
        let recorded = match &shrunk {
            Some(_) => {
                results::remember(property, &Remembered { shrunk: shrunk.clone(), ..results::remembered(finished) })
            }
            None => Ok(()),
        };
        if let Err(why) = recorded {
            screen.warn(&format!("forall: warning: {why}"));
        }
        let shrunk = shrunk.or_else(|| recorded_steps(property, finished));
        out += &shrinking(shrunk.as_ref(), found, &properties::as_argument(property.short_name()), &screen);
    }
    screen.print(&out);
    Ok(ExitCode::from(1))
}

fn what_matters(found: &Counterexample, explained: Option<&Explained>, screen: &Screen) -> String {
    let runs = explained.map_or(0, |explained| explained.evaluations);
    let claims = &found.claims;
    let mut out = format!("{}\n", screen.paint(Paint::Bold, "what matters:"));
    if runs == 0 {
        let text = "not analysed: examples and flaky failures are not explained. Remove the example to search for a \
                    counterexample instead";
        return out + &screen.wrap("    ", text);
    }
    if claims.is_empty() {
        let text = format!("all of it: changing any part made some inputs pass ({runs} runs)");
        return out + &screen.wrap("    ", &text);
    }
    for Claim { variable, text, .. } in claims {
        let variable = variable.as_ref().map_or(String::new(), |variable| format!("{variable}: "));
        let text = format!("{variable}{text}");
        out += &screen.wrap("    ", &visible(&text));
    }
    let rest = match claims.iter().filter(|claim| claim.whole).count() == found.values.len() {
        true => "none of it: every input that was tried failed",
        false => "everything else matters",
    };
    out + &screen.wrap("    ", &format!("{rest} ({runs} runs in total)"))
}

/// How the saved counterexample was shrunk by the run of the tool that found it.
fn recorded_steps(property: &Property, finished: &Finished) -> Option<HowShrunk> {
    let results = Results::of(&property.binary.package_directory);
    let run = results.of_run(&property.name).filter(|run| run.counterexample == results::counterexample(finished))?;
    run.shrunk.clone()
}

fn shrinking(shrunk: Option<&HowShrunk>, found: &Counterexample, name: &str, screen: &Screen) -> String {
    let mut out = format!("\n{}\n", screen.paint(Paint::Bold, "how it was shrunk:"));
    let Some(HowShrunk { steps, accepted, evaluations, time }) = shrunk else {
        let kept = found.stored.as_deref().unwrap_or_default();
        let text = match found.found {
            Found::Stored if kept.contains("forall-regressions") => {
                "not available: a committed regression is saved without its shrink steps".to_owned()
            }
            Found::Stored => format!(
                "not available: only `cargo forall` records the shrink steps. `FORALL_STORE=off forall explain {name}` searches \
                 again and prints them"
            ),
            Found::Example => "not shrunk: it comes from an `#[example]` in the source".to_owned(),
            _ => "no steps: no simpler input was found to fail".to_owned(),
        };
        return out + &screen.wrap("    ", &text);
    };
    let left_out = accepted.saturating_sub(steps.len() as u64);
    for (at, step) in steps.iter().enumerate() {
        if left_out > 0 && at == STEPS {
            out += &format!("    … {left_out} more steps …\n");
        }
        let start = format!("    run {:>5}  {:<20}  ", step.evaluations, shortened(&step.pass, 20));
        out += &format!("{start}{}\n", values::line(&step.values, start.chars().count(), screen));
    }
    let (steps, time) = (words::count(*accepted, "step"), words::seconds(*time));
    out + &screen.wrap("    ", &format!("{steps} in {evaluations} runs, {time}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;
    use serde_json::{Value, json};

    #[test]
    fn claims_do_not_exceed_their_evidence() {
        let screen = Screen::plain();
        let explained = Explained { claims: 0, evaluations: 40 };
        let all = what_matters(&Counterexample::default(), Some(&explained), &screen);
        let text = "all of it: changing any part made some inputs pass (40 runs)";
        assert!(all.split_whitespace().collect::<Vec<_>>().join(" ").contains(text), "{all}");
        assert!(what_matters(&Counterexample::default(), None, &screen).contains("not analysed"));
        let any = |whole: bool| {
            let claim = json!({"variable": "n", "whole": whole, "text": "failed for all 40 other values tried"});
            what_matters(&read(json!({"values": [{"name": "n"}], "claims": [claim]})), Some(&explained), &screen)
        };
        assert!(any(true).contains("none of it: every input that was tried failed"));
        assert!(any(false).contains("everything else matters"));
    }

    #[test]
    fn a_case_without_shrink_steps_is_explained() {
        let text = |found: Value| shrinking(None, &read(found), "sorts", &Screen { width: 200, ..Screen::plain() });
        let kept = |path: &str| json!({"found": "stored", "stored": path});
        let told = [
            kept(".forall/a/1.case"),
            kept("forall-regressions/a/1.case"),
            json!({"found": "enumerated"}),
            json!({"found": "example"}),
        ];
        insta::assert_snapshot!(told.map(text).concat());
        assert!(text(json!({"found": "example"})).contains("an `#[example]` in the source"));
    }

    #[test]
    fn long_lists_of_steps_are_truncated_in_the_middle() {
        let values = json!([{"name": "n", "type": "u8", "text": "7"}]);
        let step = |run: u64| read(json!({"evaluations": run, "pass": "zero", "values": values}));
        let steps = (1..=6).chain(15..=20).map(step).collect();
        let shrunk = HowShrunk { steps, accepted: 20, evaluations: 99, time: 0.5 };
        let text = shrinking(Some(&shrunk), &Counterexample::default(), "n", &Screen::plain());
        assert_eq!(text.lines().count(), 2 + 12 + 1 + 1, "{text}");
        assert!(
            text.contains("… 8 more steps …")
                && text.contains("run    20")
                && text.ends_with("20 steps in 99 runs, 500 ms\n"),
            "{text}"
        );
    }
}
