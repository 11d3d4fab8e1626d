//! Properties that have one name, and what becomes of what is stored for them.

use forall::prelude::*;
use forall::run::{Report, Run, Settings, Store, Verdict};
use std::path::Path;

fn settings(store: &Path) -> Settings {
    Settings::new().seed(1).store(Store::Directory(store.to_owned()))
}

fn told(report: &Report) -> Vec<String> {
    let warnings = report.warnings.iter().filter(|warning| warning.name() == "same-name");
    warnings.map(ToString::to_string).collect()
}

#[test]
fn two_properties_with_the_same_name_are_reported_and_share_their_failures() {
    let store = forall::scratch_dir().unwrap();
    let fails = property! { forall n: u32; check *n < 1000 };
    let first = Run::new("the same", &fails).settings(settings(&store)).report();
    assert_eq!(first.verdict, Verdict::Failed);
    assert!(told(&first).is_empty(), "{:?}", first.warnings);
    let stored = first.counterexample.unwrap().stored.unwrap();

    let holds = property! { forall n: u32; check n.count_ones() <= 32 };
    let second = Run::new("the same", &holds).settings(settings(&store)).report();
    assert_eq!(second.verdict, Verdict::Passed);
    let [warning] = &told(&second)[..] else { panic!("one warning, not {:?}", second.warnings) };
    let lines = [first.identity.line, second.identity.line];
    assert!(lines.iter().all(|line| warning.contains(&format!("{}:{line}", file!()))), "{warning}");
    assert!(Path::new(&stored).is_file(), "the find of the first is still there");
}

#[test]
fn one_property_with_several_types_is_reported() {
    fn round_trips<T: Arbitrary>(store: &Path) -> Report {
        let property = property! { forall value: T; check { let _ = value; } };
        Run::new("round trips", &property).settings(settings(store)).report()
    }
    let store = forall::scratch_dir().unwrap();
    assert!(told(&round_trips::<u64>(&store)).is_empty());
    assert!(told(&round_trips::<u64>(&store)).is_empty(), "the same again is no other");
    let report = round_trips::<String>(&store);
    assert!(told(&report)[0].contains("over (value: u64)"), "{:?}", report.warnings);
}

#[test]
fn without_a_store_or_with_another_one_names_do_not_matter() {
    let run = |settings: Settings| {
        let number = property! { forall n: u64; check n.count_ones() <= 64 };
        let text = property! { forall text: String; check text.len() < 1_000_000 };
        let reports = [&number as &dyn forall::property::Property, &text]
            .map(|property| Run::new("unimportant", property).settings(settings.clone()).report());
        assert!(reports.iter().all(|report| told(report).is_empty()), "{reports:?}");
    };
    run(Settings::new().store(Store::Off));
    let property = property! { forall n: u64; check n.count_ones() <= 64 };
    for _ in 0..2 {
        let store = forall::scratch_dir().unwrap();
        assert!(told(&Run::new("elsewhere", &property).settings(settings(&store)).report()).is_empty());
    }
}

mod in_functions {
    #[allow(dead_code)]
    pub fn one() {
        #[forall::property]
        fn twice_declared(n: u32) -> bool {
            n.count_ones() <= 32
        }
    }

    #[allow(dead_code)]
    pub fn other() {
        #[forall::property]
        fn twice_declared(text: String) -> bool {
            text.len() < 1_000_000
        }
    }
}

#[test]
fn the_registry_contains_both() {
    let entries = forall::registry::all();
    let both: Vec<_> = entries.iter().filter(|entry| entry.identity.name.ends_with("::twice_declared")).collect();
    assert_eq!(both.len(), 2);
    let store = forall::scratch_dir().unwrap();
    for (own, other) in [(both[0], both[1]), (both[1], both[0])] {
        let property = (own.property)();
        let report = Run::named(own.identity.clone(), &*property).settings(settings(&store)).report();
        assert!(
            told(&report)[0].contains(&format!("and the one at {}:{}", file!(), other.identity.line)),
            "{report:?}"
        );
    }
}
