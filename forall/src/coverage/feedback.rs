//! Coverage as feedback of a guided run.

use super::{Comparison, Coverage};
use crate::guide::{Feedback, Observed, Operands, Worth};

/// Of the comparisons that a test breaks, the last ones are to be mended: they ended its way.
const MENDED: usize = 2;

/// Useful is a valid test that does something new, or comes nearer to doing it: its utility is how many new features it has,
/// and at how many comparisons it comes nearer.
impl Feedback for Coverage {
    fn prepare(&mut self) {
        // What was discarded meanwhile, and not asked about.
        self.counters.take(|_, _| {});
        self.start();
    }

    /// What they did must not count as seen.
    fn needs_discards(&self) -> bool {
        false
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
