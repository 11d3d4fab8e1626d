//! The programs under test, without a mutant, on examples small enough to check by hand.

use etna::ifc::label::Label;
use etna::ifc::machine::{Atom, Instruction, Memory, Pc, State, Value};
use etna::{bst, fsub, ifc, rbt, stlc};

#[test]
fn search_trees_insert_delete_and_unite() {
    bst::WORKLOAD.with_mutant(None, || {
        let tree = [(2, 20), (1, 10), (3, 30)]
            .into_iter()
            .fold(bst::tree::Tree::Empty, |tree, (k, v)| bst::tree::insert(k, v, tree));
        assert_eq!(tree.entries(), [(1, 10), (2, 20), (3, 30)]);
        assert_eq!(bst::tree::delete(2, tree.clone()).entries(), [(1, 10), (3, 30)]);
        let other = bst::tree::insert(3, 33, bst::tree::Tree::single(4, 40));
        assert_eq!(bst::tree::union(tree, other).entries(), [(1, 10), (2, 20), (3, 30), (4, 40)]);
    });
}

#[test]
fn red_black_trees_stay_balanced() {
    rbt::WORKLOAD.with_mutant(None, || {
        let mut tree = (0..100).fold(rbt::tree::Tree::Empty, |tree, key| rbt::tree::insert(key, -key, tree));
        assert!(rbt::tree::is_rbt(&tree));
        for key in 0..100 {
            tree = rbt::tree::delete(key, tree).expect("the invariants hold");
            assert!(rbt::tree::is_rbt(&tree), "after deleting {key}");
        }
        assert_eq!(tree, rbt::tree::Tree::Empty);
    });
}

#[test]
fn lambda_terms_reduce() {
    use stlc::term::{Term, Type, normal_form, type_of};
    stlc::WORKLOAD.with_mutant(None, || {
        // (λx. λy. x) true false
        let first = Term::abs(Type::Bool, Term::abs(Type::Bool, Term::Var(1)));
        let term = Term::app(Term::app(first, Term::Bool(true)), Term::Bool(false));
        assert_eq!((type_of(&term), term.size()), (Some(Type::Bool), 7));
        assert_eq!(normal_form(40, &term), Some(Term::Bool(true)));
    });
}

#[test]
fn terms_of_system_f_reduce() {
    use fsub::syntax::{Term, Type};
    fsub::WORKLOAD.with_mutant(None, || {
        // (Λ X <: ⊤. λ x: X. x) [⊤]: the identity, at one type.
        let identity = Term::type_abs(Type::Top, Term::abs(Type::Var(0), Term::Var(0)));
        let term = Term::type_app(identity, Type::Top);
        let expected = Type::fun(Type::Top, Type::Top);
        assert_eq!(fsub::typing::type_of(&term, fsub::spec::BEFORE), Some(expected));
        assert_eq!(term.size(), 7);
        assert_eq!(fsub::reduce::normal_form(40, &term), Some(Term::abs(Type::Top, Term::Var(0))));
    });
}

/// A machine that has this one instruction, and these registers.
fn state(instruction: Instruction, registers: Vec<Atom>) -> State {
    let pc = Pc { address: 0, label: Label::M1 };
    State { code: vec![instruction], memory: Memory::default(), stack: Vec::new(), registers, pc }
}

#[test]
fn secrets_stay_labelled() {
    ifc::WORKLOAD.with_mutant(None, || {
        let atom = |number, label| Atom { value: Value::Int(number), label };
        let add = Instruction::BinOp { operator: ifc::machine::Operator::Add, left: 0, right: 1, to: 2 };
        let registers = vec![atom(2, Label::L), atom(3, Label::M2), atom(0, Label::L)];
        let next = state(add, registers.clone()).step().expect("not stuck");
        assert_eq!(next.registers[2], atom(5, Label::M2));
        assert_eq!(next.pc, Pc { address: 1, label: Label::M1 });
        // Where the program goes on tells what the register holds.
        let next = state(Instruction::Jump { address: 1 }, registers).step().expect("not stuck");
        assert_eq!(next.pc, Pc { address: 3, label: Label::H });
    });
}
