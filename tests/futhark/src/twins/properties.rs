//! Programs about properties, and about cases.

use super::{get, part};
use forall_futhark::data::{Element, Elements, Value, f16};
use forall_futhark::serve::{Datum, Fault, Native, Program};

pub(super) fn twin(name: &str) -> Option<Program> {
    Some(match name {
        "extras" => extras(),
        "gen_crash" => gen_crash(),
        "gen_crash_shrinking" => gen_crash_shrinking(),
        "io_cases" => io_cases(),
        "io_server_lost" | "io_wrong_types" => io_wrong_types(),
        "lost" => lost(),
        "prop_auto_arrays" => prop_auto_arrays(),
        "prop_auto_composite" => prop_auto_composite(),
        "prop_auto_prims" => prop_auto_prims(),
        "prop_bad_types" => prop_bad_types(),
        "prop_bare_gen" => prop_bare_gen(),
        "prop_consume" => prop_consume(),
        "prop_crash" => prop_crash(),
        "prop_gen_shrink" => prop_gen_shrink(),
        "prop_malformed" => prop_malformed(),
        "prop_mixed" => prop_mixed(),
        "prop_pass" => prop_pass(),
        "prop_sum_array" => prop_sum_array(),
        "prop_sum_gen" => prop_sum_gen(),
        "prop_sum_nogen" => prop_sum_nogen(),
        "prop_undeclared" => prop_undeclared(),
        "shrink_crash" => shrink_crash(),
        "shrink_crash_both" => shrink_crash_both(),
        "shrink_cycle" => shrink_cycle(),
        "shrink_identity" => shrink_identity(),
        _ => return None,
    })
}

/// Adds properties to a program.
trait Properties {
    fn property<T: Native + 'static>(self, attribute: &str, name: &str, holds: impl Fn(T) -> bool + 'static) -> Self;
    /// Adds a property over a type that has no Rust twin.
    fn property_over(
        self,
        attribute: &str,
        name: &str,
        of: &str,
        holds: impl Fn(&Datum) -> Result<bool, Fault> + 'static,
    ) -> Self;
}

impl Properties for Program {
    fn property<T: Native + 'static>(self, attribute: &str, name: &str, holds: impl Fn(T) -> bool + 'static) -> Self {
        self.function(name, holds).attribute(name, attribute)
    }

    fn property_over(
        self,
        attribute: &str,
        name: &str,
        of: &str,
        holds: impl Fn(&Datum) -> Result<bool, Fault> + 'static,
    ) -> Self {
        let run = move |inputs: &[Datum]| holds(&inputs[0]).map(Native::into_datum);
        self.entry(name, &[of], "bool", run).attribute(name, attribute)
    }
}

fn shape(datum: &Datum) -> Vec<usize> {
    match datum {
        Datum::Value(value) => value.shape().to_vec(),
        Datum::Array { shape, .. } => shape.clone(),
        _ => Vec::new(),
    }
}

fn elements<T: Element>(datum: &Datum) -> Vec<T> {
    match datum {
        Datum::Value(value) => T::of(value.elements()).map(<[T]>::to_vec).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn rows(datum: &Datum) -> &[Datum] {
    match datum {
        Datum::Array { elements, .. } => elements,
        _ => &[],
    }
}

fn fields(datum: &Datum) -> &[Datum] {
    match datum {
        Datum::Record(parts) => parts,
        _ => &[],
    }
}

fn prop_auto_prims() -> Program {
    Program::new()
        .property("prop", "p_i8", |x: i8| x > 0)
        .property("prop", "p_i16", |x: i16| x.rem_euclid(3) == 0)
        .property("prop", "p_i32", |x: i32| x < 0)
        .property("prop", "p_i64", |x: i64| x % 7 != 0)
        .property("prop", "p_u8", |x: u8| x < 200)
        .property("prop", "p_u16", |x: u16| x < 60000)
        .property("prop", "p_u32", |x: u32| x & 15 != 3)
        .property("prop", "p_u64", |x: u64| x >> 60 != 5)
        .property("prop", "p_f16", |x: f16| x < f16::from_f32(0.75))
        .property("prop", "p_f32", |x: f32| x > -0.5)
        .property("prop", "p_f64", |x: f64| x > 0.05)
        .property("prop", "p_bool", |x: bool| x)
}

fn prop_auto_arrays() -> Program {
    Program::new()
        .property("prop(size(6))", "short_i32", |xs: Vec<i32>| xs.len() < 4)
        .property("prop(size(3))", "short_bool", |xs: Vec<bool>| xs.len() < 3)
        .property("prop", "sum_u8", |xs: Vec<u8>| {
            xs.iter().fold(0u8, |sum, x| sum.wrapping_add(*x)) != 0 || xs.is_empty()
        })
        .property_over("prop(size(3))", "rank2", "[][]i8", |a| Ok(shape(a).iter().product::<usize>() < 4))
        .property_over("prop(size(2))", "rank3", "[][][]u32", |a| Ok(shape(a).iter().sum::<usize>() < 3))
        .property("prop(size(4))", "floats32", |xs: Vec<f32>| xs.iter().all(|x| *x < 0.5))
        .property("prop(size(4))", "floats64", |xs: Vec<f64>| xs.iter().all(|x| *x < 0.9))
        .property("prop(size(4))", "floats16", |xs: Vec<f16>| xs.iter().all(|x| x.to_f32() < 0.5))
        .property("prop(size(0))", "size_zero", |xs: Vec<i32>| !xs.is_empty())
        .property("prop(size(1))", "size_one", |xs: Vec<i64>| xs.is_empty())
        .property_over("prop(size(5))", "rank2_u16", "[][]u16", |a| {
            Ok(elements::<u16>(a).into_iter().max().unwrap_or(0) < 60000)
        })
}

fn prop_auto_composite() -> Program {
    Program::new()
        .record("point", &[("x", "i8"), ("y", "i8")])
        .record("cell", &[("pos", "(u8, u8)"), ("live", "bool")])
        .property("prop", "pair", |p: (i8, u8)| p.0 > 0)
        .property("prop(size(3))", "triple", |t: (i32, Vec<u8>, bool)| t.1.len() < 2)
        .property_over("prop", "rec", "{a: u8, b: i8}", |r| Ok(part::<u8>(r, 0)? < 100))
        .property_over("prop", "nested", "{k: u16, outer: {flag: bool, inner: i16}}", |r| part(&fields(r)[1], 0))
        .property_over("prop(size(4))", "rec_arr", "[]{a: u8, b: i8}", |xs| Ok(rows(xs).len() < 3))
        .property_over("prop(size(4))", "tup_arr", "[](i16, bool)", |xs| {
            let flags: Result<Vec<bool>, Fault> = rows(xs).iter().map(|one| part(one, 1)).collect();
            Ok(flags?.iter().all(|flag| *flag))
        })
        .property_over("prop(size(2))", "rec_arr2", "[][]{a: u8, b: i8}", |xs| Ok(rows(xs).len() < 4))
        .property_over("prop(size(2))", "deep", "(i8, (u8, (i16, [](u8, u8))))", |x| Ok(part::<i8>(x, 0)? > 100))
        .property_over("prop", "named", "point", |p| Ok(part::<i8>(p, 0)? < part::<i8>(p, 1)?))
        .property_over("prop(size(3))", "with_arr", "{name: u8, vals: []i8}", |r| {
            Ok(part::<Vec<i8>>(r, 1)?.iter().fold(0i8, |sum, x| sum.wrapping_add(*x)) > 0)
        })
        .property("prop(size(3))", "two_arrs", |r: (Vec<i8>, Vec<u8>)| r.0.len() + r.1.len() < 4)
        .property_over("prop(size(2))", "nested_arr", "[]cell", |cells| Ok(rows(cells).len() < 2))
}

fn prop_bad_types() -> Program {
    Program::new()
        .function("g_ok", |size: i64, seed: u64| (size as i32).wrapping_add(seed as i32))
        .function("g_i32", |size: i32, seed: u64| size.wrapping_add(seed as i32))
        .function("g_u8", |size: i64, seed: u64| (size as u8).wrapping_add(seed as u8))
        .function("g_one", |size: i64| size as i32)
        .function("s_three", |x: i32, _: u64, _: i32| x)
        .function("s_i64", |x: i64, _: u64| x)
        .function("s_seed", |x: i32, _: i64| x)
        .function("s_both", |x: Vec<i32>, _: u32| x)
        .function("s_out", |_: i32, _: u64| (0i32, true))
        .function("no_inputs", || true)
        .attribute("no_inputs", "prop")
        .function("two_inputs", |x: i32, y: i32| x == y)
        .attribute("two_inputs", "prop")
        .function("not_bool", |x: i32| x)
        .attribute("not_bool", "prop")
        .property("prop(gen(hidden))", "gen_absent", |x: i32| x == 0)
        .property("prop(gen(g_i32))", "gen_type", |x: i32| x == 0)
        .property("prop(gen(g_u8))", "gen_result", |x: i32| x == 0)
        .property("prop(gen(g_one))", "gen_arity", |x: i32| x == 0)
        .property("prop(shrink(hidden))", "shrink_absent", |x: i32| x == 0)
        .property("prop(shrink(s_three))", "shrink_arity", |x: i32| x == 0)
        .property("prop(shrink(s_i64))", "shrink_input", |x: i32| x == 0)
        .property("prop(shrink(s_seed))", "shrink_random", |x: i32| x == 0)
        .property("prop(shrink(s_both))", "shrink_both", |x: i32| x == 0)
        .property("prop(shrink(s_out))", "shrink_output", |x: i32| x == 0)
        .property("prop(gen(g_ok))", "fine", |x: i32| x == 0)
}

fn prop_bare_gen() -> Program {
    Program::new()
        .property("prop(gen, size(11))", "bare_gen", |x: u16| x < 30000)
        .property("prop(shrink)", "bare_shrink", |x: u16| x < 30000)
        .property("prop(size)", "bare_size", |x: u16| x < 30000)
        .property("prop(gen(prop(size(3))))", "empty_prop", |x: u16| x < 30000)
}

/// No candidate is of length 0 and has a sum of 1.
fn prop_consume() -> Program {
    Program::new().property_over("prop(size(2))", "eats", "*[]u8", |_| Ok(false)).property_over(
        "prop(size(2))",
        "keeps",
        "[]u8",
        |_| Ok(false),
    )
}

fn prop_crash() -> Program {
    let division = |place: &str| Fault::at("division by zero", place);
    Program::new()
        .property_over("prop(size(4))", "div_by", "[]i32", move |xs| match shape(xs)[0] {
            4 => Err(division("prop_crash.fut:6:38-65")),
            _ => Ok(true),
        })
        .property_over("prop(size(3))", "oob", "[]u8", |xs| {
            let n = shape(xs)[0];
            let message = format!("Index [{n}] out of bounds for array of shape [{n}].");
            Err(Fault::at(&message, "prop_crash.fut:8:31-44"))
        })
        .property_over("prop", "asserts", "i16", |x| match i16::from_datum(x) {
            Some(x) if x > 0 => Ok(true),
            _ => Err(Fault::at("Assertion is false: (x > 0)", "prop_crash.fut:10:33-55")),
        })
        .property_over("prop", "late", "u8", move |x| match u8::from_datum(x) {
            Some(250..) => Err(division("prop_crash.fut:12:48-56")),
            _ => Ok(true),
        })
        .property_over("prop(size(2))", "in_array", "[](u8, bool)", move |xs| {
            for one in rows(xs) {
                if !part::<bool>(one, 1)? {
                    return Err(division("prop_crash.fut:14:72-80"));
                }
            }
            Ok(true)
        })
        .property_over("prop(size(2))", "fixed_size", "[]i32", |xs| match elements::<i32>(xs)[..] {
            [a, b, _] => Ok(a == b),
            _ => Err(Fault::Error("Error: entry point arguments have invalid sizes.\n".to_owned())),
        })
        .property_over("prop(size(5))", "crash_while_shrinking", "[]i8", |xs| match shape(xs)[0] {
            3 => Err(Fault::at("Index [4] out of bounds for array of shape [3].", "prop_crash.fut:19:60-65")),
            _ => Ok(false),
        })
        .property("prop", "fine", |_: i32| true)
}

fn prop_gen_shrink() -> Program {
    Program::new()
        .function("gen_small", |size: i64, seed: u64| (seed % (size as u64 + 1)) as i32)
        .function("halve", |x: i32, _: u64| x.div_euclid(2))
        .function("dec", |x: i32, r: u64| x.wrapping_sub((r % 4) as i32))
        .function("gen_arr", |size: i64, seed: u64| {
            let n = (seed % (size as u64 + 1)) as i64;
            (0..n).map(|i| ((seed >> 20) as i64 + 31 * i).rem_euclid(100)).collect::<Vec<i64>>()
        })
        .function("chop", |mut xs: Vec<i64>, r: u64| {
            if !xs.is_empty() {
                xs.remove((r % xs.len() as u64) as usize);
            }
            xs
        })
        .function("gen_pair", |size: i64, seed: u64| (seed as u8, size))
        .function(
            "shrink_pair",
            |p: (u8, i64), r: u64| if r.is_multiple_of(2) { (p.0 / 2, p.1) } else { (p.0, p.1 - 1) },
        )
        .entry("gen_rec", &["i64", "u64"], "{n: i64, s: u64}", |inputs| Ok(Datum::Record(inputs.to_vec())))
        .property("prop(gen(gen_small))", "gen_only", |x: i32| x < 10)
        .property("prop(shrink(halve))", "shrink_only", |x: i32| x < 1000)
        .property("prop(gen(gen_small), shrink(dec))", "gen_and_shrink", |x: i32| x < 10)
        .property("prop(shrink(dec), size(1000), gen(gen_small))", "sized", |x: i32| x < 100)
        .property("prop(gen(gen_arr), shrink(chop), size(20))", "arr_shrink", |xs: Vec<i64>| xs.iter().all(|x| *x < 90))
        .property("prop(gen(gen_pair), shrink(shrink_pair), size(12))", "tuple_shrink", |p: (u8, i64)| {
            p.0 < 40 || p.1 < 3
        })
        .property_over(
            "prop(gen(gen_rec), size(5))",
            "rec_gen",
            "{n: i64, s: u64}",
            |r| Ok(part::<u64>(r, 1)? % 5 != 0),
        )
}

fn prop_malformed() -> Program {
    Program::new()
        .function("small", |size: i64, seed: u64| (seed % (size as u64 + 1)) as i32)
        .property("prop(genn(small), sze(10))", "unknown_arg", |x: i32| x < 0)
        .property("prop(size(ten))", "size_word", |xs: Vec<u8>| xs.len() != 50)
        .property("prop(size(2), size(3))", "size_twice", |xs: Vec<u8>| xs.len() < 2)
        .property("prop(gen(small), size(7), 5)", "bare_gen", |x: i32| x < 5)
        .property("prop(nothing)", "empty_args", |x: i8| !(0..=50).contains(&x))
        .property("prop(size(1), gen(small, small))", "extra", |x: i32| x < 0)
        .property("prop(size(2))", "other_attrs", |xs: Vec<bool>| xs.is_empty())
        .attribute("other_attrs", "inline")
        .attribute("other_attrs", "note(a, 3, b(c))")
        .property("prop(size(2))", "same_twice", |xs: Vec<i8>| xs.len() < 2)
        .attribute("same_twice", "prop(size(2))")
}

fn prop_mixed() -> Program {
    let sum = |xs: &[i32]| xs.iter().fold(0i32, |sum, x| sum.wrapping_add(*x));
    Program::new()
        .function("sum", move |xs: Vec<i32>| sum(&xs))
        .function("mean", |xs: Vec<f64>| xs.iter().sum::<f64>() / xs.len() as f64)
        .property("prop", "sum_rev", |_: Vec<i32>| true)
        .property("prop(size(3))", "sum_small", move |xs: Vec<i32>| sum(&xs) < 1000)
}

fn prop_pass() -> Program {
    Program::new()
        .function("gen_sorted", |size: i64, seed: u64| (0..size).map(|i| i + (seed % 10) as i64).collect::<Vec<i64>>())
        .property("prop", "rev_rev", |_: Vec<i32>| true)
        .property("prop", "add_comm", |p: (i64, i64)| p.0.wrapping_add(p.1) == p.1.wrapping_add(p.0))
        .property("prop(gen(gen_sorted), size(8))", "sorted_gen", |xs: Vec<i64>| xs.is_sorted())
}

fn prop_sum_array() -> Program {
    Program::new()
        .sum("pick", &[("a", &[]), ("b", &["i32"])])
        .property_over("prop(size(2))", "sums_arr", "[]pick", |ps| Ok(rows(ps).is_empty()))
        .property("prop", "unit_in", |_: ()| true)
        .property("prop", "after", |_: u8| false)
}

fn sum(variant: usize, payload: Vec<Datum>) -> Datum {
    Datum::Sum { variant, payload }
}

fn sum_parts(datum: &Datum) -> (usize, &[Datum]) {
    match datum {
        Datum::Sum { variant, payload } => (*variant, payload),
        _ => (0, &[]),
    }
}

/// The variants in alphabetical order: box, dot, line.
fn gen_shape(size: i64, seed: u64) -> Datum {
    let a = (seed % (size as u64 + 1)) as i32;
    match seed % 3 {
        0 => sum(1, vec![]),
        1 => sum(2, vec![a.into_datum()]),
        _ => sum(0, vec![a.into_datum(), (a + 1).into_datum()]),
    }
}

fn prop_sum_gen() -> Program {
    Program::new()
        .sum("shape", &[("dot", &[]), ("line", &["i32"]), ("box", &["i32", "i32"])])
        .entry("gen_shape", &["i64", "u64"], "shape", |inputs| Ok(gen_shape(get(inputs, 0)?, get(inputs, 1)?)))
        .function("gen_opaque", |size: i64, seed: u64| size + (seed % 100) as i64)
        .entry("shrink_shape", &["shape", "u64"], "shape", |inputs| {
            let (variant, payload) = sum_parts(&inputs[0]);
            let mut payload = payload.to_vec();
            if let Some(first) = payload.first_mut() {
                *first = (i32::from_datum(first).unwrap_or(0).div_euclid(2)).into_datum();
            }
            Ok(sum(variant, payload))
        })
        .entry("gen_rec", &["i64", "u64"], "{k: u8, s: shape}", |inputs| {
            let (size, seed): (i64, u64) = (get(inputs, 0)?, get(inputs, 1)?);
            Ok(Datum::Record(vec![(seed as u8).into_datum(), gen_shape(size, seed)]))
        })
        .property_over("prop(gen(gen_shape), shrink(shrink_shape))", "area_small", "shape", |s| {
            let (variant, payload) = sum_parts(s);
            Ok(match variant {
                0 => get::<i32>(payload, 0)? * get::<i32>(payload, 1)? < 100,
                2 => get::<i32>(payload, 0)? < 40,
                _ => true,
            })
        })
        .property("prop(gen(gen_opaque))", "opaque_ok", |h: i64| h < 140)
        .property_over("prop", "convention", "shape", |s| {
            let (variant, payload) = sum_parts(s);
            Ok(variant != 2 || get::<i32>(payload, 0)? < 45)
        })
        .property_over("prop(gen(gen_rec))", "in_record", "{k: u8, s: shape}", |r| Ok(part::<u8>(r, 0)? < 250))
}

fn prop_sum_nogen() -> Program {
    Program::new()
        .sum("pick", &[("a", &[]), ("b", &["i32"])])
        .property("prop", "before", |x: i8| x < 0)
        .property_over("prop", "no_gen", "pick", |p| {
            let (variant, payload) = sum_parts(p);
            Ok(variant == 0 || get::<i32>(payload, 0)? > 0)
        })
        .property("prop", "after", |x: i8| x < 0)
}

fn prop_undeclared() -> Program {
    Program::new()
        .function("no_attr", |_: i32| true)
        .property("propp(size(3))", "misspelled", |_: i32| true)
        .property("prop(size(3))", "twice_attr", |_: i32| true)
        .attribute("twice_attr", "prop(size(4))")
        .property("prop", "no_comment", |_: i32| true)
        .property("prop(size(1))", "no_comment_sized", |xs: Vec<i32>| xs.len() == 1)
        .property("prop", "good", |_: i32| true)
}

fn extras() -> Program {
    let pop_or = |inputs: &[Datum], pop: fn(&mut Vec<i32>)| -> Result<Datum, Fault> {
        let mut stack: Vec<i32> = get(inputs, 0)?;
        match sum_parts(&inputs[1]) {
            (1, payload) => stack.push(get(payload, 0)?),
            _ => pop(&mut stack),
        }
        Ok(stack.into_datum())
    };
    let is_small = |x: i32, ys: Vec<u8>| x < 5 || ys.len() < 2;
    let last_is_same = |m: Vec<i32>, s: Vec<i32>| m.is_empty() || m.last() == s.last();
    Program::new()
        .sum("command", &[("pop", &[]), ("push", &["i32"])])
        .function("gen_pair", |size: i64, seed: u64| ((seed % 100) as i32, vec![1u8; size as usize]))
        .function("smaller_pair", |(x, ys): (i32, Vec<u8>), tactic: u64| match tactic {
            0 => ((x / 2, ys), i8::from(x == 0)),
            1 => ((x, ys[..ys.len() / 2].to_vec()), i8::from(ys.is_empty())),
            2 => ((x - 1, ys), i8::from(x == 0)),
            3 => ((x, ys.get(1..).unwrap_or_default().to_vec()), i8::from(ys.is_empty())),
            _ => ((x, ys), 2),
        })
        .function("its_size", |size: i64, _: u64| size)
        .function("same", |x: i64, _: u64| x)
        .property("prop(gen(its_size), shrink(same), size(5))", "sizes_are_small", |x: i64| x < 3)
        .function("both_small", is_small)
        .attribute("both_small", "prop(gen(gen_pair))")
        .function("both_small_by_tactics", is_small)
        .attribute("both_small_by_tactics", "prop(gen(gen_pair), shrink(smaller_pair))")
        .function("both_small_by_type", is_small)
        .attribute("both_small_by_type", "prop(gen(gen_pair), shrink(auto))")
        .function("nothing", Vec::<i32>::new)
        .entry("push_or_pop", &["[]i32", "command"], "[]i32", move |inputs| {
            pop_or(inputs, |stack| {
                stack.pop();
            })
        })
        .entry("wrong_push_or_pop", &["[]i32", "command"], "[]i32", move |inputs| {
            pop_or(inputs, |stack| {
                stack.drain(..stack.len().min(1));
            })
        })
        .function("stack_is_a_stack", last_is_same)
        .attribute(
            "stack_is_a_stack",
            "prop(model(nothing), step_model(push_or_pop), system(nothing), step_system(wrong_push_or_pop))",
        )
        .sum("shape", &[("circle", &["f32"]), ("square", &["i32"])])
        .function("is_even", |x: i32| x % 2 == 0)
        .function("never", |_: i32| false)
        .function("kind", |xs: Vec<u8>| if xs.len() < 3 { b"short".to_vec() } else { b"long".to_vec() })
        .function("show_number", |x: i32| if x == 4 { b"four".to_vec() } else { b"another".to_vec() })
        .property("prop(cond(is_even), print(show_number))", "halves_of_even_numbers", |x: i32| {
            x / 2 * 2 == x && x != 4
        })
        .property("prop(cond(never))", "never_counts", |_: i32| true)
        .function("big_or_small", |x: i32| if x > 100 { b"big".to_vec() } else { b"small".to_vec() })
        .property("prop(print(big_or_small))", "shown_alike", |x: i32| x < 50)
        .property("prop", "is_a_finite_number", |x: f64| x.is_finite())
        .property("prop", "is_equal_to_itself", |x: f32| x.partial_cmp(&x).is_some())
        .property("prop(label(kind), size(8))", "short_or_long", |xs: Vec<u8>| xs.len() <= 8)
        .property_over("prop", "shapes_are_small", "shape", |s| {
            let (variant, payload) = sum_parts(s);
            Ok(variant == 0 || get::<i32>(payload, 0)? < 7)
        })
}

fn gen_crash() -> Program {
    Program::new()
        .entry("bad", &["i64", "u64"], "i32", |_| Err(Fault::at("division by zero", "gen_crash.fut:5:56-79")))
        .entry("picky", &["i64", "u64"], "u8", |inputs| match get::<u64>(inputs, 1)? {
            seed if seed % 8 != 0 => Ok((seed as u8).into_datum()),
            _ => Err(Fault::at("Assertion is false: (seed % 8 != 0)", "gen_crash.fut:6:41-77")),
        })
        .entry("rarely", &["i64", "u64"], "(i64, u64)", |inputs| {
            let (size, seed): (i64, u64) = (get(inputs, 0)?, get(inputs, 1)?);
            let at = seed % (size as u64 + 1);
            if at < size as u64 {
                return Ok((size, at).into_datum());
            }
            let message = format!("Index [{at}] out of bounds for array of shape [{size}].");
            Err(Fault::at(&message, "gen_crash.fut:9:13-55"))
        })
        .function("good", |size: i64, seed: u64| (size as u64).wrapping_add(seed))
        .property("prop(gen(bad))", "always", |_: i32| true)
        .property("prop(gen(picky))", "sometimes", |_: u8| true)
        .property("prop(gen(rarely), size(20))", "later", |x: (i64, u64)| x.0 == 20)
        .property("prop(gen(good))", "fine", |_: u64| true)
}

fn gen_crash_shrinking() -> Program {
    Program::new()
        .entry("too_small", &["i64", "u64"], "[]u64", |inputs| match get::<i64>(inputs, 0)? {
            size if size > 4 => Ok(vec![get::<u64>(inputs, 1)?; size as usize].into_datum()),
            _ => Err(Fault::at("Assertion is false: (size > 4)", "gen_crash_shrinking.fut:5:83-101")),
        })
        .property("prop", "before", |x: u8| x < 100)
        .property("prop(gen(too_small), size(7))", "at_small_size", |xs: Vec<u64>| xs.len() < 3)
        .property("prop", "after", |x: u8| x < 100)
}

/// `if length x <= 3 then x[:length x + 1] else tail x`.
fn to_three(xs: &Datum) -> Result<Datum, Fault> {
    let xs = elements::<u8>(xs);
    if xs.len() > 3 {
        return Ok(xs[1..].to_vec().into_datum());
    }
    let message = format!("Index [:{}] out of bounds for array of shape [{}].", xs.len() + 1, xs.len());
    Err(Fault::at(&message, "shrink_crash.fut:6:66-82"))
}

fn shrink_crash() -> Program {
    Program::new()
        .entry("boom", &["i32", "u64"], "i32", |_| Err(Fault::at("division by zero", "shrink_crash.fut:5:40-48")))
        .entry("to_three", &["[]u8", "u64"], "[]u8", |inputs| to_three(&inputs[0]))
        .function("to_zero", |_: i32, _: u64| 0i32)
        .function("gen_n", |size: i64, seed: u64| {
            (0..size).map(|i| (i as u8).wrapping_add(seed as u8)).collect::<Vec<u8>>()
        })
        .function("half", |x: i32, _: u64| x.div_euclid(2))
        .property("prop(shrink(boom))", "at_once", |x: i32| x < 0)
        .property("prop(gen(gen_n), shrink(to_three), size(6))", "after_some", |xs: Vec<u8>| xs.len() < 2)
        .property_over("prop(shrink(to_zero))", "prop_dies", "i32", |x| match i32::from_datum(x) {
            Some(0) | None => Err(Fault::at("division by zero", "shrink_crash.fut:16:37-40")),
            Some(x) => Ok(1i32.div_euclid(x) == 5),
        })
        .property_over("prop(gen(gen_n), shrink(to_three), size(6))", "auto_prop_dies", "[]u8", |xs| {
            match shape(xs)[0] {
                2 => Err(Fault::at("Index [2] out of bounds for array of shape [2].", "shrink_crash.fut:18:65-70")),
                n => Ok(n < 2),
            }
        })
        .property("prop(shrink(half))", "fine", |_: i32| true)
}

fn shrink_crash_both() -> Program {
    Program::new()
        .entry("to_three", &["[]u8", "u64"], "[]u8", |inputs| to_three(&inputs[0]))
        .entry("gen_fussy", &["i64", "u64"], "[]u8", |inputs| {
            let (size, seed): (i64, u64) = (get(inputs, 0)?, get(inputs, 1)?);
            if size > 4 {
                let xs: Vec<u8> = (0..size).map(|i| (i as u8).wrapping_add(seed as u8)).collect();
                return Ok(xs.into_datum());
            }
            Err(Fault::at("Assertion is false: (size > 4)", "shrink_crash_both.fut:8:6-24"))
        })
        .property("prop(gen(gen_fussy), shrink(to_three), size(6))", "both", |xs: Vec<u8>| xs.len() < 2)
}

fn shrink_cycle() -> Program {
    Program::new().function("rotate3", |x: i32, _: u64| x.wrapping_add(1).rem_euclid(3)).property(
        "prop(shrink(rotate3))",
        "circles",
        |x: i32| x < -2_000_000_000,
    )
}

fn shrink_identity() -> Program {
    Program::new()
        .function("up", |x: u8, _: u64| x.wrapping_add(16))
        .function("pseudo", |_: i16, r: u64| (r >> 3) as i16)
        .property("prop(shrink(up))", "upward", |x: u8| x < 128)
        .property("prop(shrink(pseudo))", "wander", |x: i16| x < 24000)
}

fn io_cases() -> Program {
    Program::new()
        .function("twice", |x: i64| x.wrapping_mul(2))
        .function("thrice", |x: i64| x.wrapping_mul(3))
        .entry("both", &["i64", "i64"], "(i64, i64)", |inputs| match (get::<i64>(inputs, 0)?, get::<i64>(inputs, 1)?) {
            (_, 0) => Err(Fault::at("division by zero", "io_cases.fut:36:59-64")),
            (a, b) => Ok((a.wrapping_div(b), a.wrapping_rem(b)).into_datum()),
        })
        .entry("matrix", &["[][]i32"], "[][]i32", |inputs| match &inputs[0] {
            Datum::Value(value) => {
                let Elements::I32(all) = value.elements() else { return Err(Fault::Fatal("not i32".to_owned())) };
                let doubled = all.iter().map(|x| x.wrapping_mul(2)).collect();
                let doubled = Value::shaped::<i32>(doubled, value.shape());
                doubled.map(Datum::Value).ok_or_else(|| Fault::Fatal("not a matrix".to_owned()))
            }
            _ => Err(Fault::Fatal("not a matrix".to_owned())),
        })
        .function("floats", |x: f64| 1.0 / x)
        .function("text", |s: Vec<u8>| s)
}

fn lost() -> Program {
    fn forever() -> ! {
        loop {
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
    }
    Program::new()
        .entry("boom", &["i64"], "i64", |inputs| match get::<i64>(inputs, 0)? {
            -1 => Err(Fault::Fatal("a negative size".to_owned())),
            ..0 => forever(),
            n => Ok(n.into_datum()),
        })
        .property("prop", "hangs", |x: i64| x <= 100 || forever())
        .property("prop", "fails", |x: i64| x < 1000)
        .entry("bad_label", &["i64"], "i64", |inputs| match get::<i64>(inputs, 0)? {
            -999_999..1_000_000 => Err(Fault::at("division by zero", "lost.fut:18:34-52")),
            x => Ok((1 / (x / 1_000_000)).into_datum()),
        })
        .property("prop(label(bad_label))", "labelled", |_: i64| true)
        .function("slow_label", |x: i64| if x > 7 { forever() } else { 3i64 })
        .property("prop(label(slow_label))", "slowly_labelled", |_: i64| true)
        .property("prop", "holds", |_: i64| true)
}

fn io_wrong_types() -> Program {
    Program::new()
        .entry("first", &["[]i32"], "i32", |inputs| match elements::<i32>(&inputs[0]).first() {
            Some(first) => Ok((*first).into_datum()),
            None => Err(Fault::at("Index [0] out of bounds for array of shape [0].", "io_wrong_types.fut:11:36-40")),
        })
        .property("prop", "p", |x: u8| x == 0)
}
