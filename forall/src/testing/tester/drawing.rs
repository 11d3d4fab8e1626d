//! Properties whose body draws: the draws are known only after it has run.

use super::{MORE, Tested, Tester};
use crate::choice::{Sequence, Shown, Source};
use crate::interned::interned;
use crate::panic::{self, Unwound};
use crate::property::{Binding, Printed, Step, Stop};
use crate::statistics::ByName;
use crate::testing::Case;
use std::sync::PoisonError;

/// The variables, or the reason why there are none.
type Printing = Result<Result<Vec<Binding>, Stop>, Unwound>;

impl Tester<'_> {
    /// Whether the body draws.
    pub(crate) fn draws(&self) -> bool {
        *self.draws.get_or_init(|| self.property.outline().draws())
    }

    /// Prints a case once, and caches the result: a test that hangs should not hang each time it is printed.
    pub(super) fn printed_once(&self, case: &Case, print: impl FnOnce() -> Vec<Binding>) -> Vec<Binding> {
        if !self.draws() {
            return print();
        }
        let known = || self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((last, bindings)) = &*known()
            && last == case
        {
            return bindings.clone();
        }
        let bindings = print();
        *known() = Some((case.clone(), bindings.clone()));
        bindings
    }

    /// As [`Tester::run_as`], with the draws of the body, if requested.
    pub(crate) fn run_showing(&self, index: u64, source: Source, steps: &[Step]) -> (Case, Tested, Vec<Shown>) {
        let shown = source.shown();
        let (case, tested) = self.run_as(index, source, steps);
        (case, tested, shown.take())
    }

    /// Generates and prints the values, including those that the body draws, for which the test runs. Also returns the
    /// choices, and the result of the test if it ran.
    pub(super) fn print_from(&self, mut source: Source, steps: &[Step]) -> (Printing, Sequence, Option<Tested>) {
        if !self.draws() || source.is_random() {
            let printed = panic::catch(|| self.property.print(&mut source, steps));
            return (printed, source.into_sequence(), None);
        }
        let (Case { sequence, .. }, tested, shown) = self.draw(source, steps);
        // The variables, from the same choices.
        let mut printed = panic::catch(|| self.property.print(&mut Source::replay(&sequence), steps));
        if let Ok(Ok(bindings)) = &mut printed {
            add_draws(shown, bindings);
        }
        (printed, sequence, Some(tested))
    }

    /// Prints the case of a search by running it, with the draws of the body.
    pub(super) fn print_searched(&self, print: impl FnOnce() -> Vec<Binding>) -> Vec<Binding> {
        if !self.draws() {
            return print();
        }
        let (mut bindings, shown) = crate::choice::collect_shown(print);
        add_draws(shown, &mut bindings);
        bindings
    }

    /// The variables of a case, its choices, and the result of the test if it was run for that; `None` if it is
    /// discarded or cannot be printed.
    pub(crate) fn print_and_run(&self, case: &Case) -> Option<(Vec<Binding>, Sequence, Option<Tested>)> {
        let source = Source::replay_within(&case.sequence, case.sequence.len() + MORE);
        let (printed, drawn, tested) = self.print_from(source, &case.steps);
        Some((printed.ok()?.ok()?, drawn, tested))
    }

    /// The choices of a test from a source. The check runs only if it draws.
    pub(crate) fn drawn_from(&self, mut source: Source, steps: &[Step]) -> Sequence {
        if self.draws() {
            return self.draw(source, steps).0.sequence;
        }
        let _ = self.generate(&mut source, steps);
        source.into_sequence()
    }

    /// Runs a test to obtain the draws of its body. Its labels do not count.
    fn draw(&self, source: Source, steps: &[Step]) -> (Case, Tested, Vec<Shown>) {
        source.show_draws();
        let (context, shown) = (&self.context, source.shown());
        let (notes, score) = (context.replace_notes_wanted(false), context.take_score());
        let labels = context.counts_labels();
        context.count_labels(false);
        let (case, tested, _) = self.test_once(source, steps);
        context.count_labels(labels);
        context.replace_notes_wanted(notes);
        context.replace_score(score);
        (case, tested, shown.take())
    }
}

/// Adds the draws to the variables, each by its name or number.
fn add_draws(shown: Vec<Shown>, bindings: &mut Vec<Binding>) {
    for binding in &mut *bindings {
        if binding.printed.type_name == std::any::type_name::<Source>() {
            // Only its draws are printed.
            binding.printed = Printed { in_body: true, ..Printed::type_name(&Source::BLANK) };
        }
    }
    let mut times: ByName<u64> = ByName::default();
    for (place, draw) in shown.into_iter().enumerate() {
        let text = match &draw.name {
            None => format!("draw {}", place + 1),
            Some(name) => {
                let times = times.entry(name.clone(), 0);
                *times += 1;
                if *times == 1 { name.clone() } else { format!("{name} {times}") }
            }
        };
        bindings.push(Binding { name: interned(&text), type_text: None, printed: Printed::drawn(draw) });
    }
}
