//! The twins, one function per program. Their bodies match the Futhark sources in `recordings/programs`.

mod mistakes;
mod properties;
mod protocol;
pub(crate) mod steady;

use forall_futhark::serve::{Datum, Fault, Native, Program};

/// The names of all twins.
pub const TWINS: &[&str] = &[
    "abbrevs",
    "consume",
    "exists",
    "faults",
    "opaques",
    "prims",
    "ranks",
    "recarrays",
    "records",
    "sums",
    "tuples",
    "units",
    "extras",
    "gen_crash",
    "gen_crash_shrinking",
    "io_cases",
    "io_server_lost",
    "io_wrong_types",
    "lost",
    "called",
    "late",
    "mistakes",
    "rare",
    "slow",
    "prop_auto_arrays",
    "prop_auto_composite",
    "prop_auto_prims",
    "prop_bad_types",
    "prop_bare_gen",
    "prop_consume",
    "prop_crash",
    "prop_gen_shrink",
    "prop_malformed",
    "prop_mixed",
    "prop_pass",
    "prop_sum_array",
    "prop_sum_gen",
    "prop_sum_nogen",
    "prop_undeclared",
    "shrink_crash",
    "shrink_crash_both",
    "shrink_cycle",
    "shrink_identity",
    "steady",
];

/// Returns the twin of a program.
pub fn twin(name: &str) -> Option<Program> {
    protocol::twin(name)
        .or_else(|| properties::twin(name))
        .or_else(|| mistakes::twin(name))
        .or_else(|| steady::twin(name))
}

/// Returns an input as a Rust value.
fn get<T: Native>(inputs: &[Datum], at: usize) -> Result<T, Fault> {
    let value = inputs.get(at).and_then(T::from_datum);
    value.ok_or_else(|| Fault::Fatal(format!("input {at} is of another type than its twin has")))
}

/// Returns a part of a record.
fn part<T: Native>(datum: &Datum, at: usize) -> Result<T, Fault> {
    match datum {
        Datum::Record(parts) => get(parts, at),
        _ => Err(Fault::Fatal("not a record".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_twin() {
        for name in TWINS {
            assert!(twin(name).is_some(), "{name}");
        }
    }
}
