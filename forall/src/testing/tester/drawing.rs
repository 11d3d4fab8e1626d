//! Properties that draw while their body runs: what they draw is known only when it has run.

use super::{MORE, Tested, Tester};
use crate::choice::{Sequence, Shown, Source};
use crate::interned::interned;
use crate::panic::{self, Unwound};
use crate::property::{Binding, Printed, Step, Stop};
use crate::statistics::ByName;
use crate::testing::Case;
use std::sync::PoisonError;

/// The variables; or why there are none.
type Printing = Result<Result<Vec<Binding>, Stop>, Unwound>;

impl Tester<'_> {
    /// Whether the body draws.
    pub(crate) fn draws(&self) -> bool {
        *self.draws.get_or_init(|| self.property.outline().draws())
    }

    /// What `print` makes of a case, once: a test that hangs is not to hang each time that it is shown.
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

    /// As [`Tester::run_as`], and what the body drew, if that is to be shown.
    pub(crate) fn run_showing(&self, index: u64, source: Source, steps: &[Step]) -> (Case, Tested, Vec<Shown>) {
        let shown = source.shown();
        let (case, tested) = self.run_as(index, source, steps);
        (case, tested, shown.take())
    }

    /// Generates and shows the values, and those that the body draws: for that, it runs. And what was
    /// drawn, and what the test came to if it ran.
    pub(super) fn print_from(&self, mut source: Source, steps: &[Step]) -> (Printing, Sequence, Option<Tested>) {
        if !self.draws() || source.is_random() {
            let printed = panic::catch(|| self.property.print(&mut source, steps));
            return (printed, source.into_sequence(), None);
        }
        let (Case { sequence, .. }, tested, shown) = self.draw(source, steps);
        if let Tested::Discard(Some(discarded)) = tested {
            return (Ok(Err(Stop::Discarded(Box::new(discarded)))), sequence, None);
        }
        // The variables, of the same choices.
        let mut printed = panic::catch(|| self.property.print(&mut Source::replay(&sequence), steps));
        if let Ok(Ok(bindings)) = &mut printed {
            add_draws(shown, bindings);
        }
        (printed, sequence, Some(tested))
    }

    /// What `print` makes of the case of a search, by running it, and what the body draws meanwhile.
    pub(super) fn print_searched(&self, print: impl FnOnce() -> Vec<Binding>) -> Vec<Binding> {
        if !self.draws() {
            return print();
        }
        let (mut bindings, shown) = crate::choice::collect_shown(print);
        add_draws(shown, &mut bindings);
        bindings
    }

    /// The variables of a case, what was drawn for them, and what the test came to if it was run for that; nothing if it is discarded
    /// or cannot be printed.
    pub(crate) fn print_and_run(&self, case: &Case) -> Option<(Vec<Binding>, Sequence, Option<Tested>)> {
        let source = Source::replay_within(&case.sequence, case.sequence.len() + MORE);
        let (printed, drawn, tested) = self.print_from(source, &case.steps);
        Some((printed.ok()?.ok()?, drawn, tested))
    }

    /// What a source makes a test draw, without running the check unless that draws.
    pub(crate) fn drawn_from(&self, mut source: Source, steps: &[Step]) -> Sequence {
        if self.draws() {
            return self.draw(source, steps).0.sequence;
        }
        let _ = self.generate(&mut source, steps);
        source.into_sequence()
    }

    /// Runs a test for what its body draws. What it says does not count.
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

/// Adds the draws to the variables, each by its name or its number.
fn add_draws(shown: Vec<Shown>, bindings: &mut Vec<Binding>) {
    for binding in &mut *bindings {
        if binding.printed.type_name == std::any::type_name::<Source>() {
            // There is nothing to see in it but what was drawn.
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
