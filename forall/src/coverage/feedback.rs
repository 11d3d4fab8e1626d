//! Coverage as feedback of a guided run.

use super::{Comparison, Coverage};
use crate::guide::{Feedback, Observed, Operands, Worth};

/// The number of a test's broken comparisons that are repaired, from the last: these ended its path.
const MENDED: usize = 2;

/// A valid test is useful if it has new coverage, or comes closer to it: its utility is the number of its new features,
/// plus the number of comparisons at which it comes closer.
impl Feedback for Coverage {
    fn prepare(&mut self) {
        // The coverage of discarded tests in between is dropped.
        self.counters.take(|_, _| {});
        self.start();
    }

    /// The coverage of discarded tests must not count as seen.
    fn needs_discards(&self) -> bool {
        false
    }

    fn scouts(&self) -> bool {
        true
    }

    fn is_new(&mut self, _: Option<f64>) -> bool {
        let trace = self.collect();
        trace.new.len() + trace.nearer > 0
    }

    fn observe(&mut self, test: &Observed<'_>) -> Option<Worth> {
        let trace = self.collect();
        let new = trace.new.len() + trace.nearer;
        if new == 0 || !test.is_valid() {
            return None;
        }
        self.accept();
        Some(Worth { operands: self.compared(), ..Worth::new(new as f64) })
    }

    fn compared(&mut self) -> Operands {
        let mut operands = Operands::default();
        for compared in self.comparisons() {
            match compared {
                Comparison::Numbers { left, right, width: 1 } => operands.byte(left as u8, right as u8),
                Comparison::Numbers { left, right, .. } => operands.number(left, right),
                Comparison::Bytes { left, right } => operands.text(left, right),
            }
        }
        operands
    }

    fn broken(&mut self) -> Operands {
        let mut operands = Operands::default();
        for compared in self.broken_comparisons().take(MENDED) {
            if let Comparison::Numbers { left, right, .. } = compared {
                operands.number(left, right);
            }
        }
        operands
    }
}
