//! The combinatorial runner: of several generated inputs, run the one in which the most constructors meet for the first time.

use super::{Budget, Found, Report, Session, Tested};
use crate::choice::{AtEnd, Sequence, Source};
use crate::guide::Interactions;

/// Of how many generated inputs one is run.
const CANDIDATES: u64 = 8;

/// How many constructors meet.
const STRENGTH: u32 = 2;

/// How often each interaction was seen, by the low bits of its hash. Two that share a place are rare, and no harm.
const PLACES: usize = 1 << 16;

/// Runs a property on thinned-out inputs: of eight generated ones the one whose constructors meet in the newest ways.
///
/// Worth it when running a test costs more than generating eight inputs, or when executions are what counts.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Store, Verdict, combinatorial};
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
        let sequence = cover.newest(candidates.map(|candidate| session.tester.choices(candidate, size)));
        // What is decided when the property looks at it has no choices yet, and draws them now.
        let source = Source::tape(&sequence, AtEnd::Random(session.seed.wrapping_add(index)));
        let (case, tested) = budget.run(&mut session, index, source, &[]);
        ending = match tested {
            Tested::Fail(failure) => Some(session.found(case, failure, Found::Guided { index })),
            Tested::Fault(fault) => Some(session.fault(&case, fault)),
            // What is discarded counts too: it would be the newest for ever.
            Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => {
                cover.count(&case.sequence);
                None
            }
        };
        if ending.is_some() {
            break;
        }
    }
    budget.finish(session, ending)
}

/// How often constructors met in the inputs that were run.
struct Cover {
    interactions: Interactions,
    met: Vec<u64>,
    places: Vec<Place>,
    looks: u64,
}

/// What is known of an interaction.
#[derive(Clone, Copy, Default)]
struct Place {
    count: u32,
    /// The look at which it was met last: in one input each interaction counts once.
    look: u64,
}

impl Cover {
    fn new() -> Self {
        Self {
            interactions: Interactions::new(STRENGTH),
            met: Vec::new(),
            places: vec![Place::default(); PLACES],
            looks: 0,
        }
    }

    /// The input with the most that is rare: each interaction counts the less the more often it was seen.
    fn newest(&mut self, candidates: impl Iterator<Item = Sequence>) -> Sequence {
        let mut best = (f64::NEG_INFINITY, Sequence::default());
        for candidate in candidates {
            let mut gain = 0.0;
            self.look(&candidate, |place| gain += 1.0 / f64::from(1 + place.count));
            if gain > best.0 {
                best = (gain, candidate);
            }
        }
        best.1
    }

    fn count(&mut self, input: &Sequence) {
        self.look(input, |place| place.count += 1);
    }

    /// Visits what meets in an input.
    fn look(&mut self, input: &Sequence, mut visit: impl FnMut(&mut Place)) {
        self.met.clear();
        self.interactions.of(input, &mut self.met);
        self.looks += 1;
        for &interaction in &self.met {
            let place = &mut self.places[interaction as usize % PLACES];
            if place.look != self.looks {
                place.look = self.looks;
                visit(place);
            }
        }
    }
}
