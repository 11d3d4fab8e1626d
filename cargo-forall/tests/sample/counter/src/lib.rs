//! A counter with a race: its report has the drawing of a parallel run.

use std::sync::atomic::{AtomicU64, Ordering};

/// Hands out numbers; each should be handed out once.
#[derive(Debug, Default)]
pub struct Tickets(AtomicU64);

impl Tickets {
    /// The next number.
    pub fn take(&self) -> u64 {
        let ticket = self.0.load(Ordering::SeqCst);
        std::thread::yield_now();
        self.0.store(ticket + 1, Ordering::SeqCst);
        ticket
    }
}

#[cfg(test)]
mod tests {
    use super::Tickets;
    use forall::machine::Parallel;
    use forall::property::Outcome;

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Plain(u64);

    impl Plain {
        fn take(&mut self) -> u64 {
            self.0 += 1;
            self.0 - 1
        }
    }

    forall::machine! {
        spec Spec for shared Tickets = Tickets::default(), like Plain = Plain::default();
        fn take() -> u64;
    }

    #[forall::test]
    fn each_number_is_handed_out_once(program: Parallel<Spec>) -> Outcome {
        program.check()
    }
}
