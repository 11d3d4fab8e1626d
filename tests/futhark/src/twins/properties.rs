//! Programs about properties.

use forall_futhark::serve::Program;

pub(super) fn twin(name: &str) -> Option<Program> {
    let _ = name;
    None
}
