//! Where the tests of a run take place: on which threads, in which directory, in which processes.

use crate::effects::OwnCwd;
use crate::property::Property;
use crate::run::elsewhere::Isolation;

/// Where tests run. The default: on the thread and in the process of the run.
#[derive(Default)]
pub(in crate::run) struct Workplace<'a> {
    /// The property, if threads may share it.
    pub(in crate::run) shared: Option<&'a (dyn Property + Sync)>,
    /// Whether workers test even if there is only one.
    pub(in crate::run) by_workers: bool,
    /// The directory that the tests of this thread run in, if it is one of their own.
    pub(in crate::run) own_cwd: Option<OwnCwd>,
    /// The child processes that tests run in, if they do.
    pub(in crate::run) isolation: Option<Box<dyn Isolation<'a> + 'a>>,
}
