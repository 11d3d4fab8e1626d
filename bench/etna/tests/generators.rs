//! The promises of the generators: bespoke ones are correct by construction, and no generator is trivial.

use etna::ifc::label::Label;
use etna::ifc::observe::{Observer, is_well_stamped};
use etna::{Strategy, bst, fsub, ifc, rbt, stlc};
use forall::choice::Source;
use forall::generate::Generator;

const CORRECT: [Strategy; 3] = [Strategy::Specification, Strategy::Bespoke, Strategy::Plain];

fn sources() -> impl Iterator<Item = Source> {
    (0..2_000).map(|index| Source::random(7, index, index as u32 % 101))
}

#[test]
fn search_trees_are_in_order() {
    for strategy in CORRECT {
        let generators = bst::generate::generators(strategy);
        let trees: Vec<_> = sources().map(|mut source| source.draw(generators.tree(&[]))).collect();
        assert!(trees.iter().all(bst::tree::is_bst));
        assert!(trees.iter().any(|tree| tree.entries().len() > 5));
    }
}

#[test]
fn red_black_trees_are_in_order_and_balance() {
    for strategy in CORRECT {
        let generators = rbt::generate::generators(strategy);
        let draw = |mut source: Source| Some(source.draw(generators.tree(&[]))).filter(|_| !source.is_rejected());
        let trees: Vec<_> = sources().filter_map(draw).collect();
        assert!(trees.iter().all(rbt::tree::is_rbt));
        assert!(trees.iter().any(|tree| tree.entries().len() > 5));
    }
}

#[test]
fn bespoke_keys_are_often_known() {
    let generators = bst::generate::generators(Strategy::Bespoke);
    let tree = bst::generate::from_entries(vec![(1, 10), (1_000_000, 20), (-1_000_000, 30)]);
    let known = |mut source: Source| tree.find(source.draw(generators.known_key(&[&tree], &[]))).is_some();
    let times = sources().map(known).filter(|known| *known).count();
    assert!((1_600..1_900).contains(&times), "{times} of 2000");
}

#[test]
fn lambda_terms_have_a_type() {
    for strategy in CORRECT {
        let terms: Vec<_> = sources().map(|mut source| stlc::generate::terms(strategy).generate(&mut source)).collect();
        assert!(terms.iter().all(|term| stlc::term::type_of(term).is_some()));
        assert!(terms.iter().any(|term| term.size() > 10));
    }
}

#[test]
fn terms_of_system_f_have_a_type() {
    for strategy in [Strategy::Specification, Strategy::Bespoke] {
        let generator = fsub::generate::terms(strategy).expect("a strategy");
        let draw = |mut source: Source| Some(generator.generate(&mut source)).filter(|_| !source.is_rejected());
        let terms: Vec<_> = sources().filter_map(draw).collect();
        assert!(terms.len() > 1_000, "{} of 2000 are not rejected", terms.len());
        assert!(terms.iter().all(|term| fsub::typing::type_of(term, fsub::spec::BEFORE).is_some()));
        assert!(terms.iter().any(|term| term.size() > 20));
    }
}

#[test]
fn pairs_of_states_look_alike_and_make_sense() {
    let generators = ifc::generate::generators(Strategy::Bespoke).expect("a strategy");
    let (mut differ, mut steps) = (0, 0);
    for mut source in sources() {
        for observer in Label::ALL.map(Observer) {
            let one = (generators.first)(&mut source);
            let other = (generators.second)(observer, &one, &mut source);
            assert!(observer.confuses(&one, &other), "{observer:?}\n{one:#?}\n{other:#?}");
            assert!(is_well_stamped(&one) && is_well_stamped(&other));
            differ += usize::from(one != other);
            steps += usize::from(one.step().is_some());
        }
    }
    assert!(differ > 5_000, "{differ} of 8000 pairs differ");
    assert!(steps > 4_000, "{steps} of 8000 states can take a step");
}
