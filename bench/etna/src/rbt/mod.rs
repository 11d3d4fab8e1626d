//! Red-black trees: 10 properties, 15 mutants, 58 tasks.

pub mod generate;
pub mod shallow;
pub mod spec;
pub mod tree;

use crate::task::{Falsifies, common, tasks};
use crate::{Strategy, Workload};
use forall::prelude::*;
use forall::property::Property;
use spec::*;
use tree::{MUTANTS, SWITCH, is_rbt};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "rbt",
    mutants: MUTANTS,
    properties: PROPERTIES,
    switch: &SWITCH,
    tasks: || tasks(TASKS),
    property,
    shallow: Some(shallow::shallow),
};

const TASKS: &[Falsifies] = &[
    common("insert_1", &["InsertPost", "InsertModel", "DeleteInsert", "InsertInsert"]),
    common("insert_2", &["InsertPost", "InsertModel", "InsertDelete", "DeleteInsert", "InsertInsert"]),
    common("insert_3", &["InsertPost", "InsertModel", "InsertDelete", "InsertInsert"]),
    common("delete_4", &["DeleteModel", "DeletePost", "DeleteDelete", "DeleteInsert", "InsertDelete"]),
    common("delete_5", &["DeleteModel", "DeletePost", "DeleteDelete", "DeleteInsert"]),
    common("miscolor_insert", &["InsertValid", "DeleteInsert"]),
    common("miscolor_delete", &["DeleteValid"]),
    common("miscolor_balLeft", &["DeleteValid", "DeleteDelete"]),
    common("miscolor_balRight", &["DeleteValid", "DeleteDelete"]),
    common("miscolor_join_1", &["DeleteValid"]),
    common("miscolor_join_2", &["DeleteValid", "DeleteDelete"]),
    common("no_balance_insert_1", &["InsertValid", "DeleteInsert", "InsertDelete"]),
    common("no_balance_insert_2", &["InsertValid", "DeleteInsert", "InsertDelete"]),
    Falsifies { mutant: "swap_cd", common: &[], original: PROPERTIES },
    Falsifies { mutant: "swap_bc", common: &[], original: PROPERTIES },
];

/// The property of this name, over the generators of a strategy.
pub fn property(name: &str, strategy: Strategy) -> Option<Box<dyn Property + Sync>> {
    let g = generate::generators(strategy);
    Some(match name {
        "InsertValid" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.new_key(&[t], &[]);
            forall v: i32;
            check insert_valid(t, *k, *v)
        }),
        "DeleteValid" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.known_key(&[t], &[]);
            check delete_valid(t, *k)
        }),
        "InsertPost" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.new_key(&[t], &[]);
            forall k2 in g.known_key(&[t], &[*k]);
            forall v: i32;
            check insert_post(t, *k, *k2, *v)
        }),
        "DeletePost" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.known_key(&[t], &[]);
            forall k2 in g.known_key(&[t], &[*k]);
            check delete_post(t, *k, *k2)
        }),
        "InsertModel" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.new_key(&[t], &[]);
            forall v: i32;
            check insert_model(t, *k, *v)
        }),
        "DeleteModel" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.known_key(&[t], &[]);
            check delete_model(t, *k)
        }),
        "InsertInsert" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.new_key(&[t], &[]);
            forall k2 in g.new_key(&[t], &[*k]);
            forall v: i32;
            forall v2: i32;
            check insert_insert(t, *k, *k2, *v, *v2)
        }),
        "InsertDelete" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.new_key(&[t], &[]);
            forall k2 in g.known_key(&[t], &[*k]);
            forall v: i32;
            check insert_delete(t, *k, *k2, *v)
        }),
        "DeleteInsert" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.known_key(&[t], &[]);
            forall k2 in g.new_key(&[t], &[*k]);
            forall v2: i32;
            check delete_insert(t, *k, *k2, *v2)
        }),
        "DeleteDelete" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_rbt(t);
            forall k in g.known_key(&[t], &[]);
            forall k2 in g.known_key(&[t], &[*k]);
            check delete_delete(t, *k, *k2)
        }),
        _ => panic!("red-black trees have no property {name:?}; they have {PROPERTIES:?}"),
    })
}
