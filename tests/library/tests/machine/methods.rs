//! The macro for the common case.

use super::support::*;
use forall::machine::{Parallel, Sequential};
use forall::prelude::*;
use forall::report::{Style, render};
use forall::run::{Settings, Verdict};

/// A map that forgets the third key.
#[derive(Default)]
struct Map(std::sync::Mutex<Vec<(u8, String)>>);

impl Map {
    fn insert(&self, key: u8, text: String) -> bool {
        let mut entries = self.0.lock().unwrap();
        let is_new = entries.iter().all(|(other, _)| *other != key);
        if is_new && entries.len() < 2 {
            entries.push((key, text));
        }
        is_new
    }

    fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

#[derive(Clone, Default, PartialEq)]
struct Model(Vec<u8>);

impl Model {
    fn insert(&mut self, key: u8, _: String) -> bool {
        let is_new = !self.0.contains(&key);
        if is_new {
            self.0.push(key);
        }
        is_new
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

forall::machine! {
    spec MapSpec for shared Map = Map::default(), like Model = Model::default();
    fn insert(key: u8, text: String) -> bool;
    fn len() -> usize;
}

#[test]
fn commands_of_methods_have_code_and_can_be_pasted() {
    let property = property! { forall commands: Sequential<MapSpec>; check commands.check() };
    let text = render(&report(&property, 1), &Style::plain());
    let expected = r#"of([MapSpec::insert(0, String::from("")), MapSpec::insert(1, String::from("")), MapSpec::insert(2, String::from("")), MapSpec::len()]).test();"#;
    assert!(text.contains(expected), "{text}");
    let pasted = Sequential::<MapSpec>::of([
        MapSpec::insert(0, String::new()),
        MapSpec::insert(1, String::new()),
        MapSpec::insert(2, String::new()),
        MapSpec::len(),
    ]);
    assert!(pasted.check().is_fail());
}

#[test]
#[ignore = "slow: 25 s"]
fn parallel_programs_of_methods_have_code() {
    let property = property! { forall program: Parallel<MapSpec>; check program.check() };
    let counterexample = report(&property, 1).counterexample.unwrap();
    assert!(counterexample.bindings[0].printed.text().starts_with("Parallel::of(vec![MapSpec::insert(0, "));
}

/// A map whose keys are few, so that they come again.
#[derive(Clone, Default, PartialEq)]
struct Few(std::collections::BTreeMap<u8, u8>);

impl Few {
    fn insert(&mut self, key: u8, value: u8) -> Option<u8> {
        assert!(key < 4, "the generator of the argument is not used");
        self.0.insert(key, value)
    }

    fn remove(&mut self, key: u8) -> u8 {
        self.0.remove(&key).expect("the condition does not hold")
    }
}

forall::machine! {
    spec FewSpec for Few = Few::default(), like Few = Few::default();
    #[forall(weight = 3)]
    fn insert(#[forall(0..4u8)] key: u8, value: u8) -> Option<u8>;
    fn remove(#[forall(0..4u8)] key: u8) -> u8 where |model| model.0.contains_key(key);
}

#[forall::test]
fn arguments_have_generators_and_methods_have_weights_and_conditions(
    commands: forall::machine::Sequential<FewSpec>,
) -> forall::property::Outcome {
    commands.check()
}

/// Methods that are named like crates.
#[derive(Clone, Default, PartialEq)]
struct Named(u8);

impl Named {
    fn std(&mut self) -> u8 {
        self.0 += 1;
        self.0
    }
    fn core(&self) -> u8 {
        self.0
    }
    fn forall(&self) {}
}

forall::machine! {
    spec NamedSpec for Named = Named::default(), like Named = Named::default();
    fn std() -> u8;
    fn core() -> u8;
    fn forall();
}

#[test]
fn methods_may_be_named_like_crates() {
    let property = property! { forall commands: Sequential<NamedSpec>; check commands.check() };
    assert!(report_with(&property, Settings::new().tests(20)).verdict.is_success());
    Sequential::<NamedSpec>::of([NamedSpec::std(), NamedSpec::core(), NamedSpec::forall()]).test();
}

#[test]
fn a_specification_without_instances_is_invalid() {
    type None = forall::machine::Instances<NamedSpec, 0>;
    let property = property! { forall commands: Sequential<None>; check commands.check() };
    let Verdict::Faulty(why) = report_with(&property, Settings::new()).verdict else { panic!("it is faulty") };
    assert!(why.to_string().contains("it has no instances: use `Instances<S, 1>` or more"), "{why}");
}

#[test]
fn several_instances_have_models_of_their_own_and_code() {
    type Two = forall::machine::Instances<NamedSpec, 2>;
    let property = property! { forall commands: Sequential<Two>; check commands.check() };
    assert!(report_with(&property, Settings::new().tests(50)).verdict.is_success());
    let commands = Sequential::<Two>::of([Two::on(0, NamedSpec::std()), Two::on(3, NamedSpec::core())]);
    commands.test();
    assert_eq!(format!("{commands:?}"), "[std() on 0, core() on 1]");
    assert_eq!(
        forall::generate::Code::of(&commands).as_deref(),
        Some(
            "Sequential::of([Instances::<NamedSpec, 2>::on(0, NamedSpec::std()), Instances::<NamedSpec, 2>::on(1, NamedSpec::core())])"
        )
    );
}
