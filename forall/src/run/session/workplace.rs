//! The workplace of a run's tests: threads, directory, processes.

use crate::effects::OwnCwd;
use crate::property::Property;
use crate::run::elsewhere::Isolation;

/// Where tests run. By default: on the thread and in the process of the run.
#[derive(Default)]
pub(in crate::run) struct Workplace<'a> {
    /// The property, if threads may share it.
    pub(in crate::run) shared: Option<&'a (dyn Property + Sync)>,
    /// Whether to use workers even for one thread.
    pub(in crate::run) by_workers: bool,
    /// The separate current directory of this thread's tests, if any.
    pub(in crate::run) own_cwd: Option<OwnCwd>,
    /// The child processes of isolated tests, if any.
    pub(in crate::run) isolation: Option<Box<dyn Isolation<'a> + 'a>>,
    /// Whether a scheduler controls the threads of parallel state machines.
    pub(in crate::run) is_controlled: bool,
}
