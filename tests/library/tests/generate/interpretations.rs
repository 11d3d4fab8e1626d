//! Properties as data: built-in and custom interpretations of a property.

use forall::choice::{Sequence, Source};
use forall::generate::{any, vec};
use forall::property::{
    Binding, Check, Checking, Contract, Empty, Forall, Generating, Implies, Mutating, Outcome, Predicate, Printing,
    Property, Quantify, Shrinking, Step, Stop, Telescope,
};
use forall::run::{Run, Settings, Store};

fn settings() -> Settings {
    Settings::new().seed(1).store(Store::Off)
}

fn texts(bindings: &[Binding]) -> Vec<String> {
    bindings
        .iter()
        .map(|binding| format!("{}={}", binding.name, binding.printed.debug.as_deref().unwrap_or("?")))
        .collect()
}

#[test]
fn a_shrinker_may_depend_on_earlier_variables() {
    // The shrinker of `n` halves the distance to `low`: it never leaves what the generator makes.
    let property = Empty
        .forall("low", |(), s| s.draw(10..20usize))
        .forall("n", |(low, ()), s| s.draw(*low..100_000))
        .shrink(|(low, ()), n| {
            Box::new([low + (n - low) / 2, n - 1].into_iter().filter({
                let low = *low;
                move |m| *m >= low
            }))
        })
        .contract(|(n, (low, ()))| n >= low)
        .check(|(n, _)| *n < 777);
    let report = Run::new("dependent shrinker", &property).settings(settings()).report();
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    let found = report.counterexample.unwrap();
    assert_eq!(texts(&found.bindings), ["low=10", "n=777"]);
}

#[test]
fn a_printer_may_depend_on_earlier_variables() {
    let property = Empty
        .forall("base", |(), s| s.draw(2..=16usize))
        .forall("n", |_, s| s.draw(0..1000usize))
        .print(|(base, ()), n| format!("{n} in base {base}"))
        .check(|(n, _)| *n < 5);
    let found = Run::new("dependent printer", &property).settings(settings()).report().counterexample.unwrap();
    assert_eq!(texts(&found.bindings), ["base=2", "n=5 in base 2"]);
}

#[test]
fn a_mutator_may_depend_on_earlier_variables_and_later_ones_follow() {
    let telescope = Empty
        .forall("step", |(), s| s.draw(1..=1usize))
        .forall("n", |_, s| s.draw(0..10usize))
        .mutate(|(step, ()), n, s| n + step + s.draw(100..=100usize))
        .forall("m", |(n, _), s| s.draw(0..=*n));
    let choices = Sequence::from_values(100, &[0, 3, 1_000]);
    let path = [Step::Mutate { quantifier: 1, seed: 7 }];
    assert_eq!(telescope.walk(&mut Source::replay(&choices), &[]), Ok((3, (3, (1, ())))));
    assert_eq!(telescope.walk(&mut Source::replay(&choices), &path), Ok((104, (104, (1, ())))));
}

#[test]
fn a_printed_discard_has_its_assumption_and_the_bound_variables() {
    let property = Empty
        .forall("a", |(), s| s.draw(0..10usize))
        .implies(|(a, ())| *a < 5)
        .forall("b", |_, s| s.draw(0..10usize))
        .implies(|(b, _)| *b < 5)
        .forall("c", |_, s| s.draw(0..10usize))
        .check(|_| true);
    let source = |values: &[u64]| Source::replay(&Sequence::from_values(0, values));
    assert_eq!(property.run(&mut source(&[1, 1, 1]), &[]), Ok(Outcome::Pass));
    let Err(Stop::Discarded(quiet)) = property.run(&mut source(&[7, 1, 1]), &[]) else { panic!("discarded") };
    assert_eq!((quiet.clause, quiet.bindings), (1, vec![]), "printing takes longer than most tests");
    let print = |values: &[u64]| property.print(&mut source(values), &[]);
    let Err(Stop::Discarded(first)) = print(&[7, 1, 1]) else { panic!("discarded") };
    assert_eq!((first.clause, texts(&first.bindings)), (1, vec!["a=7".to_owned()]));
    let Err(Stop::Discarded(second)) = print(&[1, 8, 1]) else { panic!("discarded") };
    assert_eq!((second.clause, texts(&second.bindings)), (3, vec!["a=1".to_owned(), "b=8".to_owned()]));
}

#[test]
fn a_step_that_does_not_exist_is_reported() {
    let property = Empty.forall("n", |(), s| s.draw(0..10usize)).check(|_| true);
    let step = Step::Shrink { quantifier: 0, candidate: 0 };
    assert_eq!(property.run(&mut Source::record(1, 0, 10), &[step]), Err(Stop::NoSuchStep));
}

#[test]
fn values_need_neither_clone_nor_debug_nor_equality_nor_send() {
    struct Bare(std::rc::Rc<std::cell::Cell<u32>>);
    let property = Empty
        .forall_opaque("bare", |(), s| Bare(std::rc::Rc::new(std::cell::Cell::new(s.draw(any::<u32>())))))
        .check_owned(|(bare, ())| {
            bare.0.set(bare.0.get() / 2);
            bare.0.get() < 100
        });
    let found = Run::new("bare", &property).settings(settings()).report().counterexample.unwrap();
    assert!(found.bindings[0].printed.type_name.ends_with("Bare"));
    assert_eq!(found.case.sequence.values().collect::<Vec<_>>(), [200]);
}

#[test]
fn values_may_borrow_from_outside() {
    let words = ["a".to_owned(), "bb".to_owned(), "ccc".to_owned()];
    let property = Empty.forall("word", |(), s| &words[s.draw(0..words.len())]).check(|(word, ())| word.len() < 3);
    let found = Run::new("borrow", &property).settings(settings()).report().counterexample.unwrap();
    assert_eq!(texts(&found.bindings), ["word=\"ccc\""]);
}

#[test]
fn a_generator_may_borrow_from_the_variables_before() {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(any::<u8>()).len(1..=5)))
        .forall("x", |(xs, ()), s| xs[s.draw(0..xs.len())])
        .check(|(x, (xs, ()))| xs.contains(x));
    assert!(Run::new("element", &property).settings(settings()).report().verdict.is_success());
}

/// A sixth interpretation, outside the crate: the property as a sentence.
trait Sentence {
    fn sentence(&self) -> String;
}

impl Sentence for Empty {
    fn sentence(&self) -> String {
        String::new()
    }
}

impl<P: Telescope + Sentence, Q: Quantify<P::Env>> Sentence for Forall<P, Q> {
    fn sentence(&self) -> String {
        format!("{}for all {}, ", self.previous.sentence(), self.name)
    }
}

impl<P: Sentence, F> Sentence for Implies<P, F> {
    fn sentence(&self) -> String {
        format!("{}if so, ", self.previous.sentence())
    }
}

impl<P: Sentence, F> Sentence for Contract<P, F> {
    fn sentence(&self) -> String {
        self.previous.sentence()
    }
}

impl<P: Sentence, F> Sentence for Check<P, F> {
    fn sentence(&self) -> String {
        self.previous.sentence() + "it holds"
    }
}

#[test]
fn users_can_write_interpretations() {
    let property = Empty
        .forall("xs", |(), s| s.draw(vec(any::<u8>())))
        .implies(|(xs, ())| !xs.is_empty())
        .forall("n", |(xs, ()), s| s.draw(0..xs.len()))
        .check(|(n, (xs, ()))| *n < xs.len());
    assert_eq!(property.sentence(), "for all xs, if so, for all n, it holds");
}

/// A custom runner for any property whose telescope can be generated: it skips the assumptions.
fn run_without_assumptions<P, F>(property: &Check<P, F>, tests: u64) -> u64
where
    P: BypassingAssumptions,
    F: Fn(&P::Env) -> bool,
{
    (0..tests)
        .filter(|&index| (property.conclusion)(&property.previous.bypass(&mut Source::random(1, index, 100))))
        .count() as u64
}

trait BypassingAssumptions: Telescope {
    fn bypass(&self, source: &mut Source) -> Self::Env;
}

impl BypassingAssumptions for Empty {
    fn bypass(&self, _: &mut Source) {}
}

impl<P: BypassingAssumptions, Q: Quantify<P::Env>> BypassingAssumptions for Forall<P, Q> {
    fn bypass(&self, source: &mut Source) -> Self::Env {
        let env = self.previous.bypass(source);
        (self.quantify.generate(&env, source), env)
    }
}

impl<P: BypassingAssumptions, F: Predicate<P::Env>> BypassingAssumptions for Implies<P, F> {
    fn bypass(&self, source: &mut Source) -> Self::Env {
        self.previous.bypass(source)
    }
}

#[test]
fn users_can_write_runners() {
    let property =
        Empty.forall("n", |(), s| s.draw(any::<u64>())).implies(|(n, ())| n % 2 == 0).check(|(n, ())| n % 2 == 0);
    let held = run_without_assumptions(&property, 1000);
    assert!((300..700).contains(&held), "about half of all numbers are even: {held}");
}

#[test]
fn the_five_interpretations_agree() {
    let telescope =
        Empty.forall("a", |(), s| s.draw(0..100usize)).shrink(|(), a| Box::new(0..*a)).implies(|(a, ())| a % 2 == 0);
    for index in 0..200 {
        let generated = telescope.generate(&mut Source::random(1, index, 50));
        let mutated = telescope.walk(&mut Source::record(1, index, 50), &[]).ok();
        assert_eq!(generated, mutated);
        if let Some(env) = generated {
            assert!(telescope.assumptions_hold(&env));
            let (mut bindings, mut candidates) = (Vec::new(), Vec::new());
            telescope.show(&env, &mut bindings);
            telescope.candidates(&env, 0, &mut candidates);
            assert_eq!((texts(&bindings), candidates.len()), (vec![format!("a={}", env.0)], env.0));
        }
    }
}
