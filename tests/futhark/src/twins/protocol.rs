//! Programs about the protocol.

use super::{get, part};
use forall_futhark::data::{Elements, Value, f16};
use forall_futhark::serve::{Datum, Fault, Native, Program};

pub(super) fn twin(name: &str) -> Option<Program> {
    Some(match name {
        "abbrevs" => abbrevs(),
        "consume" => consume(),
        "exists" => exists(),
        "faults" => faults(),
        "opaques" => opaques(),
        "prims" => prims(),
        "ranks" => ranks(),
        "recarrays" => recarrays(),
        "records" => records(),
        "sums" => sums(),
        "tuples" => tuples(),
        "units" => units(),
        _ => return None,
    })
}

/// Creates a matrix, or an array of higher rank.
fn shaped<T: forall_futhark::data::Element>(elements: Vec<T>, shape: &[usize]) -> Datum {
    Datum::Value(Value::shaped(elements, shape).unwrap_or_else(|| Value::array(Vec::<T>::new())))
}

/// Rounds the quotient down, as Futhark's `/` on signed integers does.
fn floor_quotient(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// Returns the program's error for arrays whose lengths do not match its types.
fn wrong_sizes() -> Fault {
    Fault::Error("Error: entry point arguments have invalid sizes.\n".to_owned())
}

fn value(datum: &Datum) -> Result<&Value, Fault> {
    match datum {
        Datum::Value(value) => Ok(value),
        _ => Err(Fault::Fatal("not an array".to_owned())),
    }
}

fn prims() -> Program {
    Program::new()
        .function("add_i8", i8::wrapping_add)
        .function("add_i16", i16::wrapping_add)
        .function("add_i32", i32::wrapping_add)
        .function("add_i64", i64::wrapping_add)
        .function("add_u8", u8::wrapping_add)
        .function("add_u16", u16::wrapping_add)
        .function("add_u32", u32::wrapping_add)
        .function("add_u64", u64::wrapping_add)
        .function("half_f16", |x: f16| f16::from_f32(x.to_f32() / 2.0))
        .function("half_f32", |x: f32| x / 2.0)
        .function("half_f64", |x: f64| x / 2.0)
        .function("negate", |b: bool| !b)
        .entry(
            "everything",
            &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"],
            "f64",
            |inputs| {
                let sum = get::<i8>(inputs, 0)? as f64
                    + get::<i16>(inputs, 1)? as f64
                    + get::<i32>(inputs, 2)? as f64
                    + get::<i64>(inputs, 3)? as f64
                    + get::<u8>(inputs, 4)? as f64
                    + get::<u16>(inputs, 5)? as f64
                    + get::<u32>(inputs, 6)? as f64
                    + get::<u64>(inputs, 7)? as f64
                    + get::<f16>(inputs, 8)?.to_f64()
                    + get::<f32>(inputs, 9)? as f64
                    + get::<f64>(inputs, 10)?
                    + get::<bool>(inputs, 11)? as u8 as f64;
                Ok(sum.into_datum())
            },
        )
}

fn ranks() -> Program {
    Program::new()
        .function("double", |xs: Vec<i32>| xs.iter().map(|x| x.wrapping_mul(2)).collect::<Vec<i32>>())
        .function("total", |xs: Vec<f64>| xs.iter().sum::<f64>())
        .function("allsame", |bs: Vec<bool>| bs.iter().all(|b| *b) || !bs.iter().any(|b| *b))
        .function("halves", |xs: Vec<f16>| xs.iter().map(|x| f16::from_f32(x.to_f32() / 2.0)).collect::<Vec<f16>>())
        .entry("outer", &["[]i64", "[]i64"], "[][]i64", |inputs| {
            let (xs, ys): (Vec<i64>, Vec<i64>) = (get(inputs, 0)?, get(inputs, 1)?);
            let products = xs.iter().flat_map(|x| ys.iter().map(|y| x.wrapping_mul(*y))).collect();
            Ok(shaped::<i64>(products, &[xs.len(), ys.len()]))
        })
        .entry("flip", &["[][]u8"], "[][]u8", |inputs| {
            let matrix = value(&inputs[0])?;
            let ([rows, columns], Elements::U8(all)) = (matrix.shape(), matrix.elements()) else {
                return Err(Fault::Fatal("not a matrix".to_owned()));
            };
            let flipped = (0..*columns).flat_map(|column| (0..*rows).map(move |row| all[row * columns + column]));
            Ok(shaped(flipped.collect(), &[*columns, *rows]))
        })
        .entry("cube", &["i64"], "[][][]i16", |inputs| {
            let n: i64 = get(inputs, 0)?;
            let all = (0..n * n * n).map(|at| (100 * (at / (n * n)) + 10 * (at / n % n) + at % n) as i16).collect();
            Ok(shaped(all, &[n as usize; 3]))
        })
        .entry("planes", &["[][][]i16"], "[]i16", |inputs| {
            let cube = value(&inputs[0])?;
            let ([planes, rows, columns], Elements::I16(all)) = (cube.shape(), cube.elements()) else {
                return Err(Fault::Fatal("not a cube".to_owned()));
            };
            let size = rows * columns;
            let sum =
                |plane: usize| all[plane * size..(plane + 1) * size].iter().fold(0i16, |sum, x| sum.wrapping_add(*x));
            Ok((0..*planes).map(sum).collect::<Vec<i16>>().into_datum())
        })
}

fn point(x: f64, y: f64) -> Datum {
    Datum::Record(vec![x.into_datum(), y.into_datum()])
}

fn records() -> Program {
    Program::new()
        .record("point", &[("x", "f64"), ("y", "f64")])
        .record("segment", &[("from", "point"), ("to", "point"), ("tag", "u8")])
        .record("poly", &[("name", "i32"), ("xs", "[]f64"), ("ys", "[]f64")])
        .entry("origin", &[], "point", |_| Ok(point(0.0, 0.0)))
        .entry("move", &["point", "f64", "f64"], "point", |inputs| {
            let (x, y): (f64, f64) = (part(&inputs[0], 0)?, part(&inputs[0], 1)?);
            Ok(point(x + get::<f64>(inputs, 1)?, y + get::<f64>(inputs, 2)?))
        })
        .entry("segment", &["point", "point", "u8"], "segment", |inputs| {
            // Fields in alphabetical order: from, tag, to.
            Ok(Datum::Record(vec![inputs[0].clone(), inputs[2].clone(), inputs[1].clone()]))
        })
        .entry("length2", &["segment"], "f64", |inputs| {
            let Datum::Record(parts) = &inputs[0] else { return Err(Fault::Fatal("not a segment".to_owned())) };
            let apart = |at| Ok(part::<f64>(&parts[2], at)? - part::<f64>(&parts[0], at)?);
            let (dx, dy): (f64, f64) = (apart(0)?, apart(1)?);
            Ok((dx * dx + dy * dy).into_datum())
        })
        .entry("regular", &["i64"], "poly", |inputs| {
            let n: i64 = get(inputs, 0)?;
            let xs: Vec<f64> = (0..n).map(|x| x as f64).collect();
            Ok(Datum::Record(vec![7i32.into_datum(), xs.into_datum(), vec![1.5f64; n as usize].into_datum()]))
        })
        .entry("width", &["poly"], "f64", |inputs| {
            let (xs, ys): (Vec<f64>, Vec<f64>) = (part(&inputs[0], 1)?, part(&inputs[0], 2)?);
            if xs.len() != ys.len() {
                return Err(wrong_sizes());
            }
            let least = xs.iter().copied().fold(f64::INFINITY, f64::min);
            let most = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            Ok((most - least).into_datum())
        })
        .entry("anon", &["{count: i32, flag: bool}"], "{count: i64, flag: bool}", |inputs| {
            let (count, flag): (i32, bool) = (part(&inputs[0], 0)?, part(&inputs[0], 1)?);
            Ok(Datum::Record(vec![i64::from(count).into_datum(), (!flag).into_datum()]))
        })
}

fn tuples() -> Program {
    Program::new()
        .function("swap", |p: (i32, bool)| (p.1, p.0))
        .function("divmod", |a: i64, b: i64| {
            (floor_quotient(a, b), a.wrapping_sub(b.wrapping_mul(floor_quotient(a, b))))
        })
        .function("stats", |xs: Vec<f64>| {
            let least = xs.iter().copied().fold(f64::INFINITY, f64::min);
            let most = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            (least, most, xs.len() as i64)
        })
        .function("nest", |x: i8| (x, (x as u8, (i16::from(x), x > 0))))
        .function("inner", |t: (i8, (u8, (i16, bool)))| t.1.1.0)
        .function("with_array", |n: i64| (n, (0..n).collect::<Vec<i64>>()))
        .function("sum_pair", |t: (i64, Vec<i64>)| t.0 + t.1.iter().sum::<i64>())
}

fn units() -> Program {
    Program::new()
        .function("unit", || ())
        .function("drop", |_: i32| ())
        .function("from_unit", |_: ()| 11i32)
        .function("answer", || 42i32)
        .function("table", || vec![1u8, 1, 2, 3])
        .function("three_units", |_: (), _: (), x: u8| ((), x))
}

fn counter(n: i32, sum: i64) -> Datum {
    Datum::Record(vec![n.into_datum(), sum.into_datum()])
}

fn bump(k: i32, c: &Datum) -> Result<Datum, Fault> {
    let (n, sum): (i32, i64) = (part(c, 0)?, part(c, 1)?);
    Ok(counter(n + 1, sum + i64::from(k)))
}

fn opaques() -> Program {
    Program::new()
        .record("counter", &[("n", "i32"), ("sum", "i64")])
        .entry("zero", &[], "counter", |_| Ok(counter(0, 0)))
        .entry("bump", &["i32", "counter"], "counter", |inputs| bump(get(inputs, 0)?, &inputs[1]))
        .entry("count", &["counter"], "i32", |inputs| Ok(part::<i32>(&inputs[0], 0)?.into_datum()))
        .entry("total", &["counter"], "i64", |inputs| Ok(part::<i64>(&inputs[0], 1)?.into_datum()))
        .entry("many", &["i64"], "[]counter", |inputs| {
            let n: i64 = get(inputs, 0)?;
            Ok(Datum::Array { shape: vec![n as usize], elements: (0..n).map(|i| counter(1, i)).collect() })
        })
        .entry("totals", &["[]counter"], "i64", |inputs| {
            let Datum::Array { elements, .. } = &inputs[0] else { return Err(Fault::Fatal("not an array".to_owned())) };
            let totals: Result<Vec<i64>, Fault> = elements.iter().map(|one| part(one, 1)).collect();
            Ok(totals?.iter().sum::<i64>().into_datum())
        })
        .entry("boxed", &["i32"], "{c: counter, label: u8}", |inputs| {
            Ok(Datum::Record(vec![bump(get(inputs, 0)?, &counter(0, 0))?, 9u8.into_datum()]))
        })
        .entry("unbox", &["{c: counter, label: u8}"], "i64", |inputs| {
            let Datum::Record(parts) = &inputs[0] else { return Err(Fault::Fatal("not a record".to_owned())) };
            Ok((part::<i64>(&parts[0], 1)? + i64::from(get::<u8>(parts, 1)?)).into_datum())
        })
}

fn sum(variant: usize, payload: Vec<Datum>) -> Datum {
    Datum::Sum { variant, payload }
}

fn sum_parts(datum: &Datum) -> Result<(usize, &[Datum]), Fault> {
    match datum {
        Datum::Sum { variant, payload } => Ok((*variant, payload)),
        _ => Err(Fault::Fatal("not a sum".to_owned())),
    }
}

fn elements(datum: &Datum) -> Result<&[Datum], Fault> {
    match datum {
        Datum::Array { elements, .. } => Ok(elements),
        _ => Err(Fault::Fatal("not an array of them".to_owned())),
    }
}

/// The variants in alphabetical order: circle, nothing, rect.
fn area(shape: &Datum) -> Result<f32, Fault> {
    let (variant, payload) = sum_parts(shape)?;
    Ok(match variant {
        0 => 3.0 * get::<f32>(payload, 0)? * get::<f32>(payload, 0)?,
        2 => get::<f32>(payload, 0)? * get::<f32>(payload, 1)?,
        _ => 0.0,
    })
}

fn sums() -> Program {
    let array = |elements: Vec<Datum>| Datum::Array { shape: vec![elements.len()], elements };
    Program::new()
        .sum("shape", &[("circle", &["f32"]), ("rect", &["f32", "f32"]), ("nothing", &[])])
        .sum("colour", &[("red", &[]), ("green", &[]), ("blue", &[])])
        .sum("mixed", &[("num", &["i64"]), ("vec", &["{x: i32, y: i32}"]), ("flags", &["bool", "bool"])])
        .sum("wrap", &[("only", &["i32"])])
        .sum("bag", &[("empty", &[]), ("full", &["[]i32"])])
        .entry("circle", &["f32"], "shape", |inputs| Ok(sum(0, vec![inputs[0].clone()])))
        .entry("rect", &["f32", "f32"], "shape", |inputs| Ok(sum(2, inputs.to_vec())))
        .entry("nothing", &[], "shape", |_| Ok(sum(1, vec![])))
        .entry("area", &["shape"], "f32", |inputs| Ok(area(&inputs[0])?.into_datum()))
        .entry("next", &["colour"], "colour", |inputs| {
            // Red to green, green to blue, blue to red. The alphabetical order is blue, green, red.
            Ok(sum((sum_parts(&inputs[0])?.0 + 2) % 3, vec![]))
        })
        .entry("palette", &["i64"], "[]colour", move |inputs| {
            let n: i64 = get(inputs, 0)?;
            Ok(array((0..n).map(|i| sum([2, 1, 0][(i % 3) as usize], vec![])).collect()))
        })
        .entry("blues", &["[]colour"], "i64", |inputs| {
            let mut blues = 0i64;
            for colour in elements(&inputs[0])? {
                blues += i64::from(sum_parts(colour)?.0 == 0);
            }
            Ok(blues.into_datum())
        })
        .entry("shapes", &["i64"], "[]shape", move |inputs| {
            let n: i64 = get(inputs, 0)?;
            let shape = |i: i64| match i % 2 {
                0 => sum(0, vec![(i as f32).into_datum()]),
                _ => sum(2, vec![1f32.into_datum(), (i as f32).into_datum()]),
            };
            Ok(array((0..n).map(shape).collect()))
        })
        .entry("areas", &["[]shape"], "[]f32", |inputs| {
            let areas: Result<Vec<f32>, Fault> = elements(&inputs[0])?.iter().map(area).collect();
            Ok(areas?.into_datum())
        })
        .entry("mixed", &["i32"], "mixed", |inputs| {
            // The variants in alphabetical order: flags, num, vec.
            Ok(match get::<i32>(inputs, 0)? {
                0 => sum(1, vec![42i64.into_datum()]),
                1 => sum(2, vec![(1i32, 2i32).into_datum()]),
                _ => sum(0, vec![true.into_datum(), false.into_datum()]),
            })
        })
        .entry("weigh", &["mixed"], "i64", |inputs| {
            let (variant, payload) = sum_parts(&inputs[0])?;
            let weight = match variant {
                1 => get::<i64>(payload, 0)?,
                2 => i64::from(part::<i32>(&payload[0], 0)? + part::<i32>(&payload[0], 1)?),
                _ => i64::from(get::<bool>(payload, 0)?) + i64::from(get::<bool>(payload, 1)?),
            };
            Ok(weight.into_datum())
        })
        .entry("pack", &["[]i32"], "bag", |inputs| {
            let xs: Vec<i32> = get(inputs, 0)?;
            Ok(if xs.is_empty() { sum(0, vec![]) } else { sum(1, vec![xs.into_datum()]) })
        })
        .entry("unpack", &["bag"], "[]i32", |inputs| {
            let (variant, payload) = sum_parts(&inputs[0])?;
            Ok(if variant == 0 { Vec::<i32>::new().into_datum() } else { payload[0].clone() })
        })
        .entry("wrapped", &["i64"], "[]wrap", move |inputs| {
            let n: i64 = get(inputs, 0)?;
            Ok(array((0..n).map(|i| sum(0, vec![(10 * i as i32).into_datum()])).collect()))
        })
        .entry("unwrap", &["wrap"], "i32", |inputs| Ok(sum_parts(&inputs[0])?.1[0].clone()))
}

fn recarrays() -> Program {
    let array = |elements: Vec<Datum>| Datum::Array { shape: vec![elements.len()], elements };
    // Fields in alphabetical order: b, g, r.
    let pixel = |r: u8, g: u8, b: u8| Datum::Record(vec![b.into_datum(), g.into_datum(), r.into_datum()]);
    let column = |datum: &Datum, at: usize| -> Result<Vec<u8>, Fault> {
        elements(datum)?.iter().map(|one| part(one, at)).collect()
    };
    Program::new()
        .record("pixel", &[("r", "u8"), ("g", "u8"), ("b", "u8")])
        .record("pair", &[("0", "i32"), ("1", "f32")])
        .record("mark", &[("at", "(i64, i64)"), ("ok", "bool")])
        .entry("grey", &["i64"], "[]pixel", move |inputs| {
            let n: i64 = get(inputs, 0)?;
            Ok(array((0..n).map(|i| pixel(i as u8, i as u8, i as u8)).collect()))
        })
        .entry("reds", &["[]pixel"], "[]u8", move |inputs| Ok(column(&inputs[0], 2)?.into_datum()))
        .entry("image", &["[][]u8"], "[][]pixel", move |inputs| {
            let matrix = value(&inputs[0])?;
            let Elements::U8(all) = matrix.elements() else { return Err(Fault::Fatal("not bytes".to_owned())) };
            let elements = all.iter().map(|v| pixel(*v, 255 - v, 0)).collect();
            Ok(Datum::Array { shape: matrix.shape().to_vec(), elements })
        })
        .entry("greens", &["[][]pixel"], "[][]u8", move |inputs| {
            let Datum::Array { shape, .. } = &inputs[0] else { return Err(Fault::Fatal("not an image".to_owned())) };
            Ok(shaped(column(&inputs[0], 1)?, shape))
        })
        .entry("pairs", &["[]i32", "[]f32"], "[]pair", move |inputs| {
            let (xs, ys): (Vec<i32>, Vec<f32>) = (get(inputs, 0)?, get(inputs, 1)?);
            Ok(array(xs.into_iter().zip(ys).map(Native::into_datum).collect()))
        })
        .entry("firsts", &["[]pair"], "[]i32", |inputs| {
            let firsts: Result<Vec<i32>, Fault> = elements(&inputs[0])?.iter().map(|one| part(one, 0)).collect();
            Ok(firsts?.into_datum())
        })
        .entry("loose", &["[](u16, bool)"], "[](bool, u16)", move |inputs| {
            let swap = |one: &Datum| Ok((part::<bool>(one, 1)?, part::<u16>(one, 0)?).into_datum());
            let swapped: Result<Vec<Datum>, Fault> = elements(&inputs[0])?.iter().map(swap).collect();
            Ok(array(swapped?))
        })
        .entry("marks", &["[]mark"], "i64", |inputs| {
            let mut all = 0;
            for mark in elements(&inputs[0])? {
                let Datum::Record(parts) = mark else { return Err(Fault::Fatal("not a mark".to_owned())) };
                if get::<bool>(parts, 1)? {
                    all += part::<i64>(&parts[0], 0)? + part::<i64>(&parts[0], 1)?;
                }
            }
            Ok(all.into_datum())
        })
        .entry("mkmarks", &["i64"], "[]mark", move |inputs| {
            let n: i64 = get(inputs, 0)?;
            Ok(array((0..n).map(|i| ((i, i * i), i % 2 == 0).into_datum()).collect()))
        })
        .entry("rows", &["[]{cells: []i32, id: i8}"], "[]i32", |inputs| {
            let mut all = Vec::new();
            for row in elements(&inputs[0])? {
                match part::<Vec<i32>>(row, 0)?[..] {
                    [a, b] => all.push(a.wrapping_add(b)),
                    _ => return Err(wrong_sizes()),
                }
            }
            Ok(all.into_datum())
        })
}

fn abbrevs() -> Program {
    Program::new()
        .record("couple", &[("0", "i32"), ("1", "i32")])
        .record("named", &[("first", "couple"), ("second", "[]f32")])
        .function("warm", |t: f64| t + 1.5)
        .function("scale", |k: f32, v: Vec<f32>| v.iter().map(|x| x * k).collect::<Vec<f32>>())
        .entry("diag", &["[]i32"], "[][]i32", |inputs| {
            let v: Vec<i32> = get(inputs, 0)?;
            let n = v.len();
            let all = (0..n * n).map(|at| if at / n == at % n { v[at / n] } else { 0 }).collect();
            Ok(shaped::<i32>(all, &[n, n]))
        })
        .entry("both", &["couple"], "i32", |inputs| {
            Ok((part::<i32>(&inputs[0], 0)?.wrapping_add(part::<i32>(&inputs[0], 1)?)).into_datum())
        })
        .entry("mirror", &["couple"], "couple", |inputs| {
            Ok((part::<i32>(&inputs[0], 1)?, part::<i32>(&inputs[0], 0)?).into_datum())
        })
        .entry("build", &["i32"], "named", |inputs| {
            let a: i32 = get(inputs, 0)?;
            Ok(Datum::Record(vec![(a, a + 1).into_datum(), vec![1f32, 2.0].into_datum()]))
        })
        .entry("read", &["named"], "f32", |inputs| {
            let Datum::Record(parts) = &inputs[0] else { return Err(Fault::Fatal("not a record".to_owned())) };
            match get::<Vec<f32>>(parts, 1)?[..] {
                [first, _] => Ok((first + part::<i32>(&parts[0], 1)? as f32).into_datum()),
                _ => Err(wrong_sizes()),
            }
        })
        .function("upto", |n: i64| (0..n).collect::<Vec<i64>>())
}

fn consume() -> Program {
    let out_of_bounds = |i: i64, n: usize, place: &str| {
        Fault::at(&format!("Index [{i}] out of bounds for array of shape [{n}]."), place)
    };
    Program::new()
        .entry("put", &["*[]i32", "i64", "i32"], "*[]i32", move |inputs| {
            let (mut xs, i, v): (Vec<i32>, i64, i32) = (get(inputs, 0)?, get(inputs, 1)?, get(inputs, 2)?);
            let n = xs.len();
            let place = usize::try_from(i).ok().and_then(|i| xs.get_mut(i));
            *place.ok_or_else(|| out_of_bounds(i, n, "consume.fut:3:59-74"))? = v;
            Ok(xs.into_datum())
        })
        .entry("read", &["[]i32", "i64"], "i32", move |inputs| {
            let (xs, i): (Vec<i32>, i64) = (get(inputs, 0)?, get(inputs, 1)?);
            let x = usize::try_from(i).ok().and_then(|i| xs.get(i));
            Ok(x.copied().ok_or_else(|| out_of_bounds(i, xs.len(), "consume.fut:4:48-52"))?.into_datum())
        })
        .function("same", |xs: Vec<i32>| xs)
        .entry("fresh", &["[]i32"], "*[]i32", |inputs| Ok(inputs[0].clone()))
        .entry("swap_parts", &["*([]u8, []u8)"], "([]u8, []u8)", |inputs| {
            Ok((part::<Vec<u8>>(&inputs[0], 1)?, part::<Vec<u8>>(&inputs[0], 0)?).into_datum())
        })
        .entry("zero_row", &["*[][]f32", "i64"], "*[][]f32", |inputs| {
            let matrix = value(&inputs[0])?;
            let i = get::<i64>(inputs, 1)? as usize;
            let ([_, columns], Elements::F32(all)) = (matrix.shape(), matrix.elements()) else {
                return Err(Fault::Fatal("not a matrix".to_owned()));
            };
            let mut all = all.clone();
            all[i * columns..(i + 1) * columns].fill(0.0);
            Ok(shaped(all, matrix.shape()))
        })
}

fn exists() -> Program {
    Program::new()
        .record("found", &[("hits", "[]i64"), ("limit", "i64")])
        .record("ragged", &[("0", "[]u8"), ("1", "[]u8")])
        .function("evens", |xs: Vec<i64>| xs.into_iter().filter(|x| x % 2 == 0).collect::<Vec<i64>>())
        .entry("find", &["i64", "[]i64"], "found", |inputs| {
            let (limit, xs): (i64, Vec<i64>) = (get(inputs, 0)?, get(inputs, 1)?);
            let hits: Vec<i64> = xs.into_iter().filter(|x| *x < limit).collect();
            Ok((hits, limit).into_datum())
        })
        .entry("nhits", &["found"], "i64", |inputs| Ok((part::<Vec<i64>>(&inputs[0], 0)?.len() as i64).into_datum()))
        .entry("split", &["[]u8"], "ragged", |inputs| {
            let (small, large): (Vec<u8>, Vec<u8>) = get::<Vec<u8>>(inputs, 0)?.into_iter().partition(|x| *x < 128);
            Ok((small, large).into_datum())
        })
        .entry("sizes", &["ragged"], "(i64, i64)", |inputs| {
            let length = |at| Ok(part::<Vec<u8>>(&inputs[0], at)?.len() as i64);
            Ok((length(0)?, length(1)?).into_datum())
        })
        .function("none", Vec::<bool>::new)
        .function("grow", |n: i64| (0..n * n).map(|x| x as u16).collect::<Vec<u16>>())
        .entry("square", &["[][]i32"], "i32", move |inputs| {
            let matrix = value(&inputs[0])?;
            match (matrix.shape(), matrix.elements()) {
                ([n, m], Elements::I32(all)) if n == m => {
                    Ok((0..*n).fold(0i32, |sum, i| sum.wrapping_add(all[i * n + i])).into_datum())
                }
                _ => Err(wrong_sizes()),
            }
        })
        .entry("three", &["[]i32"], "i32", |inputs| match get::<Vec<i32>>(inputs, 0)?[..] {
            [a, b, c] => Ok(a.wrapping_mul(b).wrapping_mul(c).into_datum()),
            _ => Err(wrong_sizes()),
        })
        .entry("dot", &["[]i32", "[]i32"], "i32", move |inputs| {
            let (xs, ys): (Vec<i32>, Vec<i32>) = (get(inputs, 0)?, get(inputs, 1)?);
            if xs.len() != ys.len() {
                return Err(wrong_sizes());
            }
            let products = xs.iter().zip(&ys).map(|(x, y)| x.wrapping_mul(*y));
            Ok(products.fold(0i32, i32::wrapping_add).into_datum())
        })
}

fn faults() -> Program {
    Program::new()
        .entry("quotient", &["i32", "i32"], "i32", |inputs| match (get::<i32>(inputs, 0)?, get::<i32>(inputs, 1)?) {
            (_, 0) => Err(Fault::at("division by zero", "faults.fut:19:44-47")),
            (a, b) => Ok((floor_quotient(a.into(), b.into()) as i32).into_datum()),
        })
        .entry("remainder", &["u8", "u8"], "u8", |inputs| match (get::<u8>(inputs, 0)?, get::<u8>(inputs, 1)?) {
            (_, 0) => Err(Fault::at("division by zero", "faults.fut:20:42-45")),
            (a, b) => Ok((a % b).into_datum()),
        })
        .entry("pick", &["[]i32", "i64"], "i32", |inputs| {
            let (xs, i): (Vec<i32>, i64) = (get(inputs, 0)?, get(inputs, 1)?);
            match usize::try_from(i).ok().and_then(|i| xs.get(i)) {
                Some(x) => Ok(x.into_owned_datum()),
                None => {
                    let message = format!("Index [{i}] out of bounds for array of shape [{}].", xs.len());
                    Err(Fault::at(&message, "faults.fut:21:46-51"))
                }
            }
        })
        .entry("pick2", &["[][]f32", "i64", "i64"], "f32", |inputs| {
            let matrix = value(&inputs[0])?;
            let (i, j): (i64, i64) = (get(inputs, 1)?, get(inputs, 2)?);
            let ([rows, columns], Elements::F32(all)) = (matrix.shape(), matrix.elements()) else {
                return Err(Fault::Fatal("not a matrix".to_owned()));
            };
            if (0..*rows as i64).contains(&i) && (0..*columns as i64).contains(&j) {
                return Ok(all[i as usize * columns + j as usize].into_datum());
            }
            let message = format!("Index [{i}, {j}] out of bounds for array of shape [{rows}][{columns}].");
            Err(Fault::at(&message, "faults.fut:22:62-69"))
        })
        .entry("window", &["[]i32", "i64", "i64"], "[]i32", |inputs| {
            let (xs, a, b): (Vec<i32>, i64, i64) = (get(inputs, 0)?, get(inputs, 1)?, get(inputs, 2)?);
            if 0 <= a && a <= b && b <= xs.len() as i64 {
                return Ok(xs[a as usize..b as usize].to_vec().into_datum());
            }
            let message = format!("Index [{a}:{b}] out of bounds for array of shape [{}].", xs.len());
            Err(Fault::at(&message, "faults.fut:23:59-66"))
        })
        .entry("positive", &["i32"], "i32", |inputs| match get::<i32>(inputs, 0)? {
            x if x > 0 => Ok(x.into_datum()),
            _ => Err(Fault::at("Assertion is false: (x > 0)", "faults.fut:24:33-49")),
        })
        .entry("blank", &["i64"], "[]i32", |inputs| match get::<i64>(inputs, 0)? {
            n if n < 0 => Err(Fault::Fatal(format!(
                "Negative allocation of {} bytes attempted for mem_8010 in default space.",
                4 * n
            ))),
            n => Ok(vec![1i32; n as usize].into_datum()),
        })
        .entry("force", &["[]i32"], "[]i32", |inputs| match get::<Vec<i32>>(inputs, 0)? {
            xs if xs.len() == 4 => Ok(xs.into_datum()),
            xs => {
                let message =
                    format!("Value of (desugared) shape [{}] cannot match shape of type \"[4]i32\".", xs.len());
                Err(Fault::at(&message, "unknown location"))
            }
        })
        .entry("power", &["i32", "i32"], "i32", |inputs| match (get::<i32>(inputs, 0)?, get::<i32>(inputs, 1)?) {
            (_, e) if e < 0 => Err(Fault::at("negative exponent", "faults.fut:27:41-45")),
            (x, e) => Ok(x.wrapping_pow(e as u32).into_datum()),
        })
        .entry("deep", &["i32"], "i32", |inputs| {
            let x: i32 = get(inputs, 0)?;
            let mut sum = 0i32;
            for y in x..x + 5 {
                if y == 3 {
                    return Err(Fault::at("division by zero", "faults.fut:29:27-39"));
                }
                sum += floor_quotient(100, i64::from(y - 3)) as i32;
            }
            Ok(sum.into_datum())
        })
        .function("spin", |n: i64| n.max(0))
}

/// Conversion of a borrowed value to an owned one for the server.
trait IntoOwnedDatum {
    fn into_owned_datum(self) -> Datum;
}

impl<T: Native + Copy> IntoOwnedDatum for &T {
    fn into_owned_datum(self) -> Datum {
        (*self).into_datum()
    }
}
