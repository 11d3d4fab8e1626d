//! Generators, types and random numbers of other crates in properties, and the other way round.

use chrono::Datelike;
use forall::generate::{Code, check_generator, check_shrinker};
use forall::interop::{SourceRng, arbitrary, as_json, as_strategy, distribution, strategy};
use forall::prelude::*;
use forall::property::Property;
use forall::run::{Report, Run, Settings, Store, Verdict};
use std::fmt::Debug;

fn run(property: &dyn Property, seed: u64) -> Report {
    Run::new("interop", property).settings(Settings::new().seed(seed).tests(2000).store(Store::Off)).report()
}

/// The shrunk value of a variable.
fn shown(report: &Report) -> &str {
    report.counterexample.as_ref().expect("it fails").bindings[0].printed.text()
}

#[track_caller]
fn shrinks_to<T: Arbitrary + Debug + 'static>(holds: fn(&T) -> bool, smallest: &str) {
    let property = property! { forall value: T; check holds(value) };
    for seed in 0..5 {
        assert_eq!(shown(&run(&property, seed)), smallest);
    }
}

#[test]
fn types_of_other_crates_shrink_and_print_as_code() {
    shrinks_to::<uuid::Uuid>(|id| id.is_nil(), "uuid::Uuid::from_u128(0x1)");
    shrinks_to::<bytes::Bytes>(|bytes| bytes.len() < 2, "bytes::Bytes::from(vec![0, 0])");
    shrinks_to::<bytes::BytesMut>(|bytes| !bytes.contains(&7), "bytes::BytesMut::from_iter(vec![7])");
    shrinks_to::<chrono::NaiveDate>(
        |date| *date < chrono::NaiveDate::from_ymd_opt(1970, 2, 1).unwrap(),
        "chrono::NaiveDate::from_ymd_opt(1970, 2, 1).unwrap()",
    );
    shrinks_to::<chrono::NaiveDate>(
        |date| (date.month(), date.day()) != (2, 29),
        "chrono::NaiveDate::from_ymd_opt(1972, 2, 29).unwrap()",
    );
    shrinks_to::<time::Date>(
        |date| (date.month(), date.day()) != (time::Month::February, 29),
        "time::Date::from_calendar_date(1972, time::Month::February, 29).unwrap()",
    );
    shrinks_to::<chrono::DateTime<chrono::Utc>>(
        |time| time.timestamp() < 86_400,
        "chrono::NaiveDate::from_ymd_opt(1970, 1, 2).unwrap().and_time(chrono::NaiveTime::from_num_seconds_from_midnight_opt(0, 0).unwrap()).and_utc()",
    );
    shrinks_to::<chrono::DateTime<chrono::FixedOffset>>(
        |time| time.offset().local_minus_utc() < 3600,
        "chrono::NaiveDate::from_ymd_opt(1970, 1, 1).unwrap().and_time(chrono::NaiveTime::from_num_seconds_from_midnight_opt(0, 0).unwrap()).and_utc().with_timezone(&chrono::FixedOffset::east_opt(3600).unwrap())",
    );
    shrinks_to::<chrono::Weekday>(|day| day.num_days_from_monday() < 5, "chrono::Weekday::Sat");
    shrinks_to::<chrono::Month>(|month| month.number_from_month() < 2, "chrono::Month::February");
    shrinks_to::<time::Weekday>(|day| day.number_days_from_monday() < 5, "time::Weekday::Saturday");
    shrinks_to::<time::Month>(|month| u8::from(*month) < 2, "time::Month::February");
    shrinks_to::<serde_json::Map<String, serde_json::Value>>(
        |entries| entries.is_empty(),
        "serde_json::json!({\"\": null}).as_object().unwrap().clone()",
    );
    shrinks_to::<time::Date>(
        |date| date.year() < 1971,
        "time::Date::from_calendar_date(1971, time::Month::January, 1).unwrap()",
    );
    shrinks_to::<time::Duration>(|time| time.whole_seconds() < 1, "time::Duration::milliseconds(1000)");
    shrinks_to::<serde_json::Value>(|value| !value.is_array(), "serde_json::json!([])");
    shrinks_to::<serde_json::Value>(
        |value| value.as_array().is_none_or(|values| values.iter().all(|value| !value.is_string())),
        "serde_json::json!([\"\"])",
    );
}

#[test]
fn generators_and_shrinkers_of_these_types_obey_their_laws() {
    fn check<T: Arbitrary + Debug + PartialEq>() {
        check_generator(any::<T>()).run().unwrap();
        check_shrinker(any::<T>(), |value: &T| value.shrink()).run().unwrap();
    }
    check::<uuid::Uuid>();
    check::<bytes::Bytes>();
    check::<chrono::NaiveDate>();
    check::<chrono::NaiveTime>();
    check::<chrono::NaiveDateTime>();
    check::<chrono::DateTime<chrono::Utc>>();
    check::<chrono::FixedOffset>();
    check::<chrono::TimeDelta>();
    check::<chrono::DateTime<chrono::FixedOffset>>();
    check::<chrono::Weekday>();
    check::<chrono::Month>();
    check::<time::Weekday>();
    check::<time::Month>();
    check::<serde_json::Map<String, serde_json::Value>>();
    check::<time::Date>();
    check::<time::Time>();
    check::<time::PrimitiveDateTime>();
    check::<time::OffsetDateTime>();
    check::<time::Duration>();
    check::<serde_json::Value>();
}

#[forall::test]
fn values_of_json_are_read_back(value: serde_json::Value) {
    // All but the last digits of numbers, which need a feature of serde_json.
    let read: serde_json::Value = serde_json::from_str(&value.to_string()).unwrap();
    let names =
        |value: &serde_json::Value| value.as_object().map(|entries| entries.keys().cloned().collect::<Vec<_>>());
    assert_eq!(names(&read), names(&value));
    assert!(Code::of(&value).is_some_and(|code| code.starts_with("serde_json::json!(")));
}

#[test]
fn a_value_is_shown_as_json_on_request() {
    let property =
        property! { forall map: Vec<(String, Option<u8>)>, print |map| as_json(&map[..]); check map.is_empty() };
    assert_eq!(shown(&run(&property, 1)), "[[\"\",null]]");
    assert!(as_json(&std::collections::BTreeMap::from([((1, 2), 3)])).starts_with("<not JSON: key must be a string"));
}

#[derive(Debug, Clone, arbitrary::Arbitrary)]
enum Shape {
    Point,
    Circle { radius: u16 },
    Group(Vec<Shape>),
}

#[test]
fn a_type_of_the_crate_arbitrary_is_generated_and_shrinks_somewhat() {
    fn large(shape: &Shape) -> bool {
        match shape {
            Shape::Point => false,
            Shape::Circle { radius } => *radius > 1000,
            Shape::Group(shapes) => shapes.iter().any(large),
        }
    }
    let property = property! { forall shape in arbitrary::<Shape>(); check !large(shape) };
    for seed in 0..5 {
        let report = run(&property, seed);
        assert!(shown(&report).len() < 60, "{}", shown(&report));
    }
}

#[derive(Debug)]
struct Never;

impl<'a> arbitrary::Arbitrary<'a> for Never {
    fn arbitrary(_: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        Err(arbitrary::Error::IncorrectFormat)
    }
}

#[test]
fn a_type_that_rejects_every_input_is_reported() {
    let property = property! { forall never in arbitrary::<Never>(); check matches!(never, Never) };
    let Verdict::Faulty(why) = run(&property, 1).verdict else { panic!("it is at fault") };
    let why = why.to_string();
    assert!(why.contains("Never as arbitrary::Arbitrary>` rejected 1000 inputs in a row, the last one with "), "{why}");
    let next = "; it must accept most bytes: check where it returns an error, or write a generator for `";
    assert!(why.contains(next), "{why}");
    assert!(why.contains("The generator of `never`"), "{why}");
}

#[test]
fn random_numbers_of_rand_are_choices() {
    let dice = || distribution(rand::distr::Uniform::new_inclusive(1u8, 6).unwrap());
    let property = property! { forall throws in vec(dice()).len(1..10); check throws.iter().all(|n| *n < 5) };
    for seed in 0..5 {
        assert_eq!(shown(&run(&property, seed)), "vec![5]");
    }
    let shuffled = from_fn(|source| {
        use rand::seq::SliceRandom;
        let mut list = [1, 2, 3, 4];
        list.shuffle(&mut SourceRng(source));
        list
    });
    check_generator(shuffled).valid(|list| list.iter().sum::<i32>() == 10).run().unwrap();
}

#[test]
fn strategies_of_proptest_are_generators() {
    let words = || strategy("[a-z]{1,8}");
    check_generator(words()).valid(|word| (1..=8).contains(&word.len())).run().unwrap();
    let property = property! { forall word in words(), shrink |word| word.simpler(); check word.len() < 3 };
    for seed in 0..5 {
        assert_eq!(shown(&run(&property, seed)), "\"aaa\"");
    }
}

#[test]
fn generators_are_strategies_of_proptest() {
    use proptest::strategy::Strategy;
    use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
    let config = || Config { failure_persistence: None, cases: 500, ..Config::default() };
    fn failed<T: Debug>(result: Result<(), TestError<T>>) -> T {
        match result {
            Err(TestError::Fail(_, value)) => value,
            other => panic!("{other:?}"),
        }
    }
    let holds = |condition: bool| condition.then_some(()).ok_or_else(|| TestCaseError::fail("it does not hold"));
    let lists = || as_strategy(vec(any::<u16>()));
    for _ in 0..5 {
        let long = |list: Vec<u16>| holds(list.iter().all(|n| *n < 1000));
        assert_eq!(failed(TestRunner::new(config()).run(&lists(), long)), [1000]);
    }
    // Inside of a strategy.
    let pairs = (lists(), 0..10u8).prop_map(|(list, n)| (list.len(), n));
    let short = |(length, n): (usize, u8)| holds(length < 4 || n < 5);
    let (length, n) = failed(TestRunner::new(config()).run(&pairs, short));
    assert!(length == 4 && n >= 5, "{length}, {n}");
    // One that finds nothing.
    let nothing = as_strategy(any::<u8>().filter(|_| false));
    let result = TestRunner::new(config()).run(&nothing, |_| Ok(()));
    assert!(matches!(result, Err(TestError::Abort(why)) if why.message().contains("rejected 1000 inputs")));
}
