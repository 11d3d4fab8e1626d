//! Programs that make every mistake about properties, to test the messages.

use super::{get, part};
use forall_futhark::serve::{Datum, Fault, Native, Program};
use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

pub(super) fn twin(name: &str) -> Option<Program> {
    match name {
        "called" => Some(called()),
        "mistakes" => Some(states(labels(roles(called())))),
        "late" => Some(late()),
        "rare" => Some(rare()),
        "slow" => Some(slow()),
        _ => None,
    }
}

/// Entry points for direct calls.
fn called() -> Program {
    Program::new()
        .record("point", &[("x", "i32"), ("y", "i32")])
        .function("same", |x: i32| x)
        .function("flag", |b: bool| b)
        .function("add", |x: i32, y: i32| x.wrapping_add(y))
        .function("bytes", |bytes: Vec<u8>| bytes)
        .entry("abscissa", &["point"], "i32", |inputs| Ok(part::<i32>(&inputs[0], 0)?.into_datum()))
        .entry("origin", &[], "point", |_| Ok(Datum::Record(vec![0i32.into_datum(), 0i32.into_datum()])))
        .entry("fails", &["i32"], "i32", |_| Err(Fault::Error("Error: division by zero".to_owned())))
}

/// A property that is slow once, at its twentieth call, and false for the candidate of that call.
fn late() -> Program {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    static CULPRIT: OnceLock<u64> = OnceLock::new();
    Program::new()
        .function("is_not_the_twentieth", |x: u64| {
            if CALLS.fetch_add(1, Ordering::Relaxed) == 19 && CULPRIT.set(x).is_ok() {
                std::thread::sleep(Duration::from_millis(2100));
            }
            CULPRIT.get() != Some(&x)
        })
        .attribute("is_not_the_twentieth", "prop")
}

/// Properties that fail for few inputs: with a run-time error, for the largest arrays, or for repeated elements.
fn rare() -> Program {
    Program::new()
        .entry("rarely_divides", &["u32"], "bool", |inputs| match get::<u32>(inputs, 0)? % 251 {
            250 => Err(Fault::Error("Error: division by zero".to_owned())),
            _ => Ok(true.into_datum()),
        })
        .attribute("rarely_divides", "prop")
        .property("prop", "odd3", |xs: Vec<i8>| xs.len() < 50)
        .property("prop", "all_distinct", |xs: Vec<i64>| {
            let distinct: HashSet<&i64> = xs.iter().collect();
            distinct.len() == xs.len()
        })
}

/// Generators that are slow, either below size 50 or always.
fn slow() -> Program {
    let forever = || std::thread::sleep(Duration::from_secs(60));
    Program::new()
        .function("never_made", move |size: i64, _: u64| {
            forever();
            size
        })
        .function("only_large", move |size: i64, _: u64| {
            if size < 50 {
                forever();
            }
            size
        })
        .function("is_made", |_: i64| true)
        .attribute("is_made", "prop(gen(never_made))")
        .function("is_made_smaller", |_: i64| false)
        .attribute("is_made_smaller", "prop(gen(only_large))")
        .function("is_tried_smaller", move |size: i64| {
            if size < 50 {
                forever();
            }
            false
        })
        .function("its_size", |size: i64, _: u64| size)
        .attribute("is_tried_smaller", "prop(gen(its_size))")
}

/// Functions of wrong types that properties name.
fn roles(program: Program) -> Program {
    program
        .property("prop(cond(nowhere))", "cond_is_nowhere", |_: i32| true)
        .property("prop(cond(same))", "cond_is_no_condition", |_: i32| true)
        .property("prop(print(same))", "print_is_no_text", |_: i32| true)
        .property("prop(label(origin))", "label_is_no_label", |_: i32| true)
        .property("prop(siez(3), size(abc))", "says_nonsense", |_: i32| true)
        .property("property", "is_misspelled", |_: i32| true)
        .property("prop(size(5000000000))", "is_too_large", |_: i32| true)
        .property("prop(size(-3))", "is_negative", |_: i32| true)
        .property("prop(gen(from_nowhere), size(0))", "is_of_size_zero", |x: i32| x == 0)
        .function("from_nowhere", |size: i64, _: u64| size as i32)
        .property("prop(gen(from_nowhere), cond(never))", "never_counts", |_: i32| true)
        .function("never", |_: i32| false)
}

/// Functions that fail at run time.
fn labels(program: Program) -> Program {
    program
        .entry("bad_label", &["i32"], "[]u8", |_| Err(Fault::Error("Error: no label".to_owned())))
        .property("prop(label(bad_label))", "is_badly_labelled", |_: i32| true)
        .entry("is_fatal", &["i32"], "bool", |inputs| match get::<i32>(inputs, 0)? {
            100.. => Err(Fault::Fatal("out of memory".to_owned())),
            _ => Ok(true.into_datum()),
        })
        .attribute("is_fatal", "prop")
        .entry("refuses", &["[]i32"], "bool", |_| {
            Err(Fault::Error("Error: entry point arguments have invalid sizes.".to_owned()))
        })
        .attribute("refuses", "prop")
        .entry("refuses_some", &["[]i32"], "bool", |inputs| match get::<Vec<i32>>(inputs, 0)?.len() {
            7.. => Err(Fault::Error("Error: entry point arguments have invalid sizes.".to_owned())),
            _ => Ok(true.into_datum()),
        })
        .attribute("refuses_some", "prop(size(12))")
        .function("is_huge", |_: Vec<i32>| true)
        .attribute("is_huge", "prop")
        .function("is_moody", |_: i32| {
            static CALLS: AtomicU32 = AtomicU32::new(0);
            CALLS.fetch_add(1, Ordering::Relaxed) != 5
        })
        .attribute("is_moody", "prop")
}

/// Systems with state that are specified incorrectly, and one whose commands fail.
fn states(program: Program) -> Program {
    let with = "model(nothing), system(nothing), step_model(more), step_system(more)";
    let step = |program: Program, name: &str, attribute: &str| {
        program.function(name, |m: i32, s: i32| m == s).attribute(name, &format!("prop({attribute})"))
    };
    let program = program
        .function("nothing", || 0i32)
        .function("more", |state: i32, by: u8| state.wrapping_add(by.into()))
        .function("none", |state: i32| state)
        .entry("breaks", &["i32", "u8"], "i32", |_| Err(Fault::Error("Error: broken".to_owned())))
        .entry("no_command", &["i64", "u64"], "u8", |_| Err(Fault::Error("Error: no command".to_owned())))
        .entry("no_condition", &["i32", "u8"], "bool", |_| Err(Fault::Error("Error: no condition".to_owned())))
        .entry("no_label", &["u8"], "[]u8", |_| Err(Fault::Error("Error: no label".to_owned())));
    let all = [
        ("state_without_steps", "model(nothing), system(nothing)".to_owned()),
        ("state_with_generator", format!("{with}, gen(from_nowhere)")),
        ("state_steps_nowhere", with.replace("step_model(more)", "step_model(nowhere)")),
        ("state_steps_wrongly", with.replace("step_model(more)", "step_model(none)")),
        ("state_system_steps_wrongly", with.replace("step_system(more)", "step_system(none)")),
        ("state_commands_wrongly", format!("{with}, command(none)")),
        ("state_begins_wrongly", with.replace("model(nothing), s", "model(none), s")),
        ("state_model_breaks", with.replace("step_model(more)", "step_model(breaks)")),
        ("state_system_breaks", with.replace("step_system(more)", "step_system(breaks)")),
        ("state_without_commands", format!("{with}, command(no_command)")),
        ("state_without_condition", format!("{with}, cond(no_condition)")),
        ("state_without_label", format!("{with}, label(no_label)")),
    ];
    let program = all.iter().fold(program, |program, (name, attribute)| step(program, name, attribute));
    program.function("state_of_one", |_: i32| true).attribute("state_of_one", &format!("prop({with})"))
}

trait Properties {
    /// Adds a property.
    fn property<T: Native + 'static>(self, attribute: &str, name: &str, holds: fn(T) -> bool) -> Self;
}

impl Properties for Program {
    fn property<T: Native + 'static>(self, attribute: &str, name: &str, holds: fn(T) -> bool) -> Self {
        self.function(name, holds).attribute(name, attribute)
    }
}
