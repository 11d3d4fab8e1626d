//! The verbose report of shrinking: each step while it runs, then a table of passes.

use super::style::{Paint, Style};
use crate::fact::Fact;
use crate::property::Binding;
use crate::run::{Counterexample, Shrinking};
use crate::testing::summary;
use crate::text::{count, number, time};

/// Columns for the name of a pass.
const NAME: usize = 26;

/// One step: the pass that made it, after how many runs, and the value then.
pub(crate) fn step(pass: &str, evaluations: u64, bindings: &[Binding], style: &Style) -> String {
    let start = format!("forall: shrunk ({pass}, run {}): ", number(evaluations));
    let room = style.width.saturating_sub(start.chars().count()).max(20);
    format!("{start}{}\n", summary(bindings, room))
}

/// A summary of shrinking, by pass, and of the explanation.
pub(crate) fn story(found: &Counterexample, style: &Style) -> String {
    let mut out = String::new();
    let Counterexample { shrinking, explanation, repeats, .. } = found;
    let Shrinking { accepted, evaluations, candidates, handed_over, wasted, passes, time: took, cut_short, .. } =
        shrinking;
    if *evaluations > 0 {
        let (steps, runs) = (count(*accepted, "step"), count(*evaluations, "run"));
        let mut text = format!("{steps}, {runs} of {}, {}", count(*candidates, "candidate"), time(*took));
        if *handed_over > 0 {
            text += &format!(", {} run ahead on other threads, {} more wasted", number(*handed_over), number(*wasted));
        }
        line(&mut out, "shrinking:", &text, cut_short.as_ref(), style);
        for pass in passes {
            if pass.tried > 0 {
                let (steps, runs) = (count(pass.accepted, "step"), count(pass.tried, "run"));
                out += &format!("  {:NAME$}  {runs:>10}  {steps:>9}\n", pass.name);
            }
        }
    }
    if explanation.evaluations > 0 {
        let text = format!("{}, {}", count(explanation.evaluations, "run"), time(explanation.time));
        line(&mut out, "explaining:", &text, explanation.cut_short.as_ref(), style);
    }
    if *repeats > 1 {
        line(&mut out, "confirming:", &count(*repeats, "run"), None, style);
    }
    out
}

fn line(out: &mut String, label: &str, text: &str, stopped: Option<&Fact>, style: &Style) {
    let stopped = if let Some(why) = stopped { format!(", stopped {why}") } else { String::new() };
    *out += &format!("{} {text}{stopped}\n", style.paint(Paint::Bold, label));
}
