//! The parts of guided runners: feedback on each test, pools of inputs with good feedback, and mutation of these
//! inputs.
//!
//! A guided runner asks its [`Pool`] for the next action: generate an input from scratch, or mutate a [`Seed`] that was
//! useful before. It runs the input and asks its [`Feedback`] whether the test was useful. Useful inputs are added to
//! the pool; a seed whose mutants are not useful loses energy.
//!
//! Pool and feedback form pairs, [`Guide`]s. With several, each keeps its own best seeds, and they take turns: a search
//! for long inputs *and* for slow ones.
//!
//! ```
//! use forall::guide::{Energy, Guide, Heap, Score};
//! use forall::prelude::*;
//! use forall::guide::guided;
//! use forall::run::{Run, Settings, Store};
//!
//! // Nine in ten bits must be set, which practically never happens at random.
//! let property = property! {
//!     forall bits in vec(any::<bool>()).len(60);
//!     check {
//!         let set = bits.iter().filter(|&&bit| bit).count();
//!         target!(set as f64);
//!         set < 54
//!     }
//! };
//! let settings = Settings::new().tests(5_000).seed(1).store(Store::Off);
//! let session = Run::new("bits", &property).settings(settings).session().unwrap();
//! let report = guided(session, &mut [Guide::new(Score::default(), Heap::new(Energy::up_to(100)))]);
//! assert!(report.counterexample.is_some());
//! ```

mod cells;
mod combinatorial;
mod constructor_guided;
pub(crate) mod coverage_guided;
mod edited;
mod elites;
mod feedback;
mod followups;
mod growth;
mod guided;
mod interactions;
mod mutate;
mod numbers;
mod operands;
mod parts;
mod pool;
mod pools;
mod printed;
mod shape;
mod shared_best;
mod targeted;

pub use combinatorial::combinatorial;
pub use constructor_guided::constructor_guided;
pub use coverage_guided::coverage_guided;
pub use feedback::{Feedback, Guide, Novelty, Observed, Score, Worth, feedback_fn};
pub use growth::Growth;
pub use guided::guided;
pub use interactions::Interactions;
pub use mutate::Mutator;
pub use operands::Operands;
pub use pool::{Directive, Energy, Pool, Seed};
pub use pools::{Corpus, Fifo, Filo, Heap, Singleton};
pub use shape::shape;
pub use targeted::targeted;
