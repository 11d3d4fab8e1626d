//! The targeted runner: a search for high scores.

use super::shared_best::SharedBest;
use crate::guide::guided;
use crate::guide::{Energy, Guide, Heap, Score};
use crate::run::runners::Named;
use crate::run::{Report, Session};

inventory::submit! { Named { learns: true, ..Named::new("targeted", targeted) } }

/// A runner guided by scores: it searches for inputs that maximise `target!`, or the `feedback` annotation of a
/// variable.
///
/// Workers of `cargo forall run --corpus` share their best inputs.
///
/// Tests without a score are not useful to it; a property without scores is tested as by the generational runner.
///
/// ```
/// use forall::prelude::*;
/// use forall::run::{Run, Settings, Store, Verdict};
/// use forall::guide::targeted;
///
/// // A sum that must stay below a limit: the closer to it, the higher the score.
/// let property = property! {
///     forall xs in vec(0..1000i64).len(4);
///     check {
///         let sum: i64 = xs.iter().sum();
///         target!(-(sum - 3990).abs() as f64);
///         sum < 3990
///     }
/// };
/// let settings = Settings::new().tests(10_000).seed(1).store(Store::Off);
/// let session = Run::new("far away", &property).settings(settings).session().unwrap();
/// assert_eq!(targeted(session).verdict, Verdict::Failed);
/// ```
pub fn targeted(session: Session<'_>) -> Report {
    let pool = Heap::new(Energy::up_to(10_000));
    let pool = match SharedBest::from_environment(pool, &session.identity.name) {
        Ok(shared) => {
            return guided(session, &mut [Guide::new(Score::default(), shared).watch_discards(false)]);
        }
        Err(pool) => pool,
    };
    guided(session, &mut [Guide::new(Score::default(), pool).watch_discards(false)])
}
