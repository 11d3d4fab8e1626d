//! Properties that hold, one for every way of generating and testing candidates, so that no fault of a server goes
//! unnoticed.

use forall_futhark::serve::Program;

/// The properties of the program.
pub const PROPERTIES: &[&str] = &["typed", "made", "several", "conditioned", "labelled", "counted", "stepped"];

pub(super) fn twin(name: &str) -> Option<Program> {
    if name != "steady" {
        return None;
    }
    let program = Program::new()
        .function("numbers", |size: i64, seed: u64| {
            (0..size).map(|at| (seed >> (at % 60)) as i32).collect::<Vec<i32>>()
        })
        .function("pair", |size: i64, seed: u64| (size, seed as i32))
        .function("is_small", |x: i32| !x.unsigned_abs().is_multiple_of(3))
        .function("kind", |xs: Vec<u8>| if xs.len() < 3 { b"short".to_vec() } else { b"long".to_vec() })
        .function("zero", || 0i64)
        .function("add", |sum: i64, x: i32| sum.wrapping_add(x.into()))
        .function("any_number", |size: i64, seed: u64| (seed % (size as u64 + 1)) as i32)
        .function("may_be_added", |sum: i64, _: i32| sum < 1 << 40)
        .function("typed", |xs: Vec<i32>| xs.len() <= 1_000_000)
        .attribute("typed", "prop")
        .function("made", |xs: Vec<i32>| xs.len() <= 1_000_000)
        .attribute("made", "prop(gen(numbers))")
        .function("conditioned", |x: i32| x != 0)
        .attribute("conditioned", "prop(cond(is_small))")
        .function("labelled", |xs: Vec<u8>| xs.len() <= 1_000_000)
        .attribute("labelled", "prop(label(kind))")
        .function("several", |size: i64, _: i32| size < 1_000_000)
        .attribute("several", "prop(gen(pair))");
    let machine = |condition: &str| {
        format!("prop(model(zero), system(zero), step_model(add), step_system(add), command(any_number){condition})")
    };
    let agree = |model: i64, system: i64| model == system;
    Some(
        program
            .function("counted", agree)
            .attribute("counted", &machine(""))
            .function("stepped", agree)
            .attribute("stepped", &machine(", cond(may_be_added)")),
    )
}
