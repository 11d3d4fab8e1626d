//! The combinatorial runner: of several generated inputs, it runs the one with the most new combinations of
//! constructors.

use crate::choice::{AtEnd, Sequence, Source};
use crate::guide::Interactions;
use crate::panic::{Unwound, catch};
use crate::property::Stop;
use crate::run::runners::Named;
use crate::run::{Budget, Found, Report, Session, Tested, Tester};
use crate::sort::sort_numbers;

inventory::submit! { Named { learns: true, ..Named::new("combinatorial", combinatorial) } }

/// The number of generated inputs of which one is run.
const CANDIDATES: u64 = 8;

/// The number of constructors in a combination.
const STRENGTH: u32 = 2;

/// Counts of interactions are indexed by the low bits of their hash. Collisions are rare and harmless.
const PLACES: usize = 1 << 16;

/// A runner that selects inputs: of eight generated inputs it runs the one with the rarest combinations of
/// constructors. Inputs that an assumption discards are skipped.
///
/// Constructors are read from printed values, by their code or their `Debug`, and from the choices where values are not
/// printed. This pays off if running a test costs more than generating and printing eight inputs, as with compilers, or
/// if the number of executions matters.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Store, Verdict};
/// use forall::guide::combinatorial;
/// # #[allow(dead_code)]
/// #[derive(Arbitrary, Debug)]
/// enum Op { Push(u8), Pop, Clear, Sort, Reverse }
/// let property = property! {
///     forall ops: Vec<Op>;
///     check !ops.windows(2).any(|pair| matches!(pair, [Op::Clear, Op::Reverse]))
/// };
/// let settings = Settings::new().tests(1000).seed(1).store(Store::Off);
/// let session = Run::new("pairs", &property).settings(settings).session().unwrap();
/// assert_eq!(combinatorial(session).verdict, Verdict::Failed);
/// ```
pub fn combinatorial(mut session: Session<'_>) -> Report {
    let mut budget = Budget::new(&session);
    let mut cover = Cover::new();
    let mut ending = None;
    for index in 0.. {
        if budget.is_spent(&session) {
            break;
        }
        let size = session.size(index);
        let candidates = index * CANDIDATES..(index + 1) * CANDIDATES;
        let newest = cover.newest(candidates.map(|candidate| Candidate::new(&session.tester, candidate, size)));
        // A lazy input has no choices yet, and draws them now.
        let source = Source::tape(&newest.sequence, AtEnd::Random(session.seed.wrapping_add(index)));
        let (case, tested) = budget.run(&mut session, index, source, &[]);
        ending = match tested {
            Tested::Fail(failure) => Some(session.found(case, failure, Found::Guided { index })),
            Tested::Fault(fault) => Some(session.fault(&case, fault)),
            // Discarded inputs are counted as well: otherwise their combinations would remain new forever.
            Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => {
                cover.count(&newest);
                None
            }
        };
        if ending.is_some() {
            break;
        }
    }
    budget.finish(session, ending)
}

/// A candidate input.
#[derive(Default)]
struct Candidate {
    sequence: Sequence,
    is_discarded: bool,
    /// Its interactions, each once.
    met: Vec<u64>,
}

impl Candidate {
    fn new(tester: &Tester<'_>, index: u64, size: u32) -> Self {
        let mut source = Source::record(tester.context().seed(), index, size);
        let printed = catch(|| tester.property().print(&mut source, &[]));
        let is_rejected = source.is_rejected();
        let sequence = source.into_sequence();
        let (values, is_discarded) = match printed {
            Ok(Ok(values)) => (values, is_rejected),
            Ok(Err(Stop::Discarded(discarded))) => (discarded.bindings, true),
            Ok(Err(Stop::NoSuchStep)) | Err(Unwound::Signal(_)) => (Vec::new(), true),
            // If the generator panics, running the test will report it.
            Err(Unwound::Panic(_)) => (Vec::new(), false),
        };
        let (mut met, mut interactions) = (Vec::new(), Interactions::new(STRENGTH));
        if values.iter().any(|value| value.printed.code.is_some() || value.printed.debug.is_some()) {
            interactions.of_values(&values, &mut met);
        } else {
            interactions.of(&sequence, &mut met);
        }
        sort_numbers(&mut met);
        met.dedup();
        Self { sequence, is_discarded, met }
    }
}

/// How often each interaction occurred in the inputs that were run.
struct Cover {
    /// By the low bits of the interaction's hash.
    counts: Vec<u32>,
}

impl Cover {
    fn new() -> Self {
        Self { counts: vec![0; PLACES] }
    }

    /// The input with the rarest interactions: an interaction counts less the more often it was seen.
    fn newest(&self, candidates: impl Iterator<Item = Candidate>) -> Candidate {
        let mut best = (f64::NEG_INFINITY, Candidate::default());
        for candidate in candidates {
            let mut gain = if candidate.is_discarded { -f64::from(u32::MAX) } else { 0.0 };
            for &interaction in &candidate.met {
                gain += 1.0 / f64::from(1 + self.counts[place(interaction)]);
            }
            if gain > best.0 {
                best = (gain, candidate);
            }
        }
        best.1
    }

    fn count(&mut self, input: &Candidate) {
        for &interaction in &input.met {
            self.counts[place(interaction)] += 1;
        }
    }
}

fn place(interaction: u64) -> usize {
    interaction as usize % PLACES
}
