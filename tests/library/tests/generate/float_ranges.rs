//! Floats of ranges: the codes of floats, on tape and at random.

use forall::choice::{AtEnd, Sequence, Source};
use forall::generate::{Misuse, Ranged, any, sample};
use forall::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The float that a code selects from a range, and the code that is recorded for it.
fn settled<G: Generator>(generator: &G, code: u64) -> (G::Value, u64) {
    let mut source = Source::replay(&Sequence::from_values(0, &[code]));
    let value = source.draw(generator);
    (value, source.into_sequence().values().next().unwrap())
}

/// Codes behind those of numbers stand for parts of the way through the range.
const PARTS: [(u64, u64); 2] = [(0xffe0_0000_0000_0002, 0xfff0_0000_0000_0001), (0xff00_0002, 0xff80_0001)];

macro_rules! every_code_stands_for_a_float_of_the_range {
    ($name:ident, $t:ident, $bits:ident, $parts:expr) => {
        #[forall::test(tests = 5_000)]
        fn $name(low: $t, high: $t, codes: [$bits; 3], is_near: bool) {
            let (low, high) = match (low.partial_cmp(&high), is_near) {
                (None, _) => return,
                // Few floats, since ranges are mostly wide otherwise.
                (_, true) if low < $t::MAX => (low, low.next_up().next_up().next_up()),
                _ => (low.min(high), low.max(high)),
            };
            let range = low..=high;
            let mut recorded = Vec::new();
            for code in codes.map(|code| u64::from(code) % $parts.0) {
                let (whole, _) = settled(&any::<$t>(), code);
                let (value, own) = settled(&range, code);
                assert!(range.contains(&value), "only floats of the range");
                if range.contains(&whole) {
                    assert_eq!((value.to_bits(), own), (whole.to_bits(), code), "each of them");
                }
                assert_eq!(settled(&any::<$t>(), own).0.to_bits(), value.to_bits(), "by the code that is its own");
                assert_eq!(settled(&range, own), (value, own), "and stays");
                assert!(
                    own <= code || own == settled(&range, 0).1,
                    "the last one before the code, or the first of all"
                );
                recorded.push((code, own));
            }
            recorded.sort_unstable();
            assert!(recorded.is_sorted_by_key(|(_, own)| *own), "a lower code is no less simple: {recorded:?}");
            for (code, _) in &recorded {
                for (_, own) in &recorded {
                    assert!(own > code || *own <= settled(&range, *code).1, "none is left out before the code");
                }
            }
        }
    };
}

every_code_stands_for_a_float_of_the_range!(every_code_stands_for_an_f64_of_the_range, f64, u64, PARTS[0]);
every_code_stands_for_a_float_of_the_range!(every_code_stands_for_an_f32_of_the_range, f32, u32, PARTS[1]);

#[test]
fn floats_come_in_the_order_of_their_digits() {
    fn order<T: Ranged>(range: std::ops::RangeInclusive<T>, simpler: &[T])
    where
        std::ops::RangeInclusive<T>: Generator<Value = T>,
    {
        let code = |value: &T| settled(&(*value..=*value), 0).1;
        assert!(simpler.iter().all(|value| range.contains(value)));
        assert!(simpler.is_sorted_by_key(code), "{simpler:?}");
        let first = settled(&range, 0);
        assert_eq!((format!("{:?}", first.0), first.1), (format!("{:?}", simpler[0]), code(&simpler[0])));
    }
    order(0.0..=1.0, &[0.0, 1.0, 0.5, 0.25, 0.75, 0.125, 0.1]);
    order(12345.0..=99999.0, &[12345.0, 12346.0, 99999.0, 12345.5, 99998.5, 12345.25, 12345.1]);
    order(-20.5..=-10.0, &[-10.0, -11.0, -20.0, -10.5, -20.5, -10.25]);
    order(-2.0..=100.0f32, &[0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 100.0, 0.5, -0.5, 1.5, 0.25, 0.1]);
    order(0.1..=0.2, &[0.125, 0.1875, 0.15625, 0.1]);
    order(5e-324..=2e-323, &[2e-323, 1e-323, 5e-324, 1.5e-323]);
    order(f64::MAX..=f64::INFINITY, &[f64::MAX, f64::INFINITY]);
    order(f32::NEG_INFINITY..=-1.0, &[-1.0, -2.0, f32::MIN, -1.5, f32::NEG_INFINITY]);
    order(f64::INFINITY..=f64::INFINITY, &[f64::INFINITY]);
    // As `contains` says, both zeros are in a range that one of them is an end of.
    order(-0.0..=0.0, &[0.0]);
    assert_eq!(settled(&(0.0..=0.0f64), 1).0.to_bits(), (-0.0f64).to_bits());
    assert_eq!(settled(&(-1.0..0.0), 0).0, -1.0);
}

#[test]
fn the_last_codes_are_fractions_of_the_range() {
    for (first, last) in [(PARTS[0].0, PARTS[0].1), (PARTS[0].0, u64::MAX)] {
        assert_eq!((settled(&(-2.5..=7.5), first).0, settled(&(-2.5..=7.5), last).0), (-2.5, 7.5));
    }
    let middle = PARTS[0].0 + (PARTS[0].1 - PARTS[0].0) / 2;
    assert!((settled(&(-2.5..=7.5f64), middle).0 - 2.5).abs() < 1e-9);
    assert_eq!((settled(&(0.0..1.0f32), PARTS[1].0).0, settled(&(0.0..=9.0f32), PARTS[1].1).0), (0.0, 9.0));
    assert_eq!(settled(&(0.0..=f64::INFINITY), PARTS[0].1).0, f64::INFINITY);
}

#[test]
fn arbitrary_bytes_are_spread_over_the_range() {
    let mut below = 0;
    for byte in 0..=255u8 {
        let mut source = Source::from_bytes(&[byte.wrapping_mul(37), 3, 5, 7, 11, 13, byte, byte], 100);
        below += u32::from(source.draw(0.0..1.0) < 0.5);
    }
    assert!((64..192).contains(&below), "{below}");
}

#[test]
fn ranges_with_infinite_ends_hold_numbers_and_the_infinities() {
    fn values(range: std::ops::RangeInclusive<f64>) -> Vec<f64> {
        let values = sample(range.clone(), 2000);
        assert!(values.iter().all(|value| range.contains(value)));
        values
    }
    let above = values(0.0..=f64::INFINITY);
    assert!(above.contains(&f64::INFINITY) && above.iter().filter(|value| value.is_finite()).count() > 1000);
    let all = values(f64::NEG_INFINITY..=f64::INFINITY);
    assert!(all.contains(&f64::NEG_INFINITY) && all.iter().any(|value| value.abs() < 100.0));
    assert_eq!(values(f64::INFINITY..=f64::INFINITY).iter().filter(|value| value.is_infinite()).count(), 2000);
    assert!(sample(0.0..f64::INFINITY, 2000).iter().all(|value| value.is_finite()));
}

#[test]
fn ranges_without_floats_are_rejected() {
    fn message<G: Generator>(generator: G) -> String {
        let caught =
            catch_unwind(AssertUnwindSafe(|| Source::tape(&Sequence::default(), AtEnd::Simplest).draw(generator)));
        caught.err().and_then(|payload| payload.downcast::<Misuse>().ok()).expect("a misuse").to_string()
    }
    assert_eq!(message(f64::NAN..), "the range NaN.. is empty; the start must be a finite number");
    assert_eq!(message(f64::INFINITY..), "the range inf.. is empty; the start must be a finite number");
    assert_eq!(message(..f32::NAN), "the range ..NaN is empty; the end must be above -3.4028235e38");
    assert_eq!(
        message(..f64::NEG_INFINITY),
        "the range ..-inf is empty; the end must be above -1.7976931348623157e308"
    );
    assert_eq!(message(..=f64::NAN), "the range ..=NaN is empty; the end must be a finite number");
    assert_eq!(message(f64::NAN..=1.0), "the range NaN..=1.0 is empty; NaN cannot be an end of a range: use a number");
    assert_eq!(message(-0.0..0.0), "the range -0.0..0.0 is empty; the start must be below the end");
}
