//! Binary search trees: 18 properties, 8 mutants, 53 tasks.

pub mod generate;
pub mod shallow;
pub mod spec;
pub mod tree;

use crate::task::{Falsifies, common, tasks};
use crate::{Strategy, Workload};
use forall::prelude::*;
use forall::property::Property;
use spec::*;
use tree::{MUTANTS, SWITCH, is_bst};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "bst",
    mutants: MUTANTS,
    properties: PROPERTIES,
    switch: &SWITCH,
    tasks: || tasks(TASKS),
    property,
    shallow: Some(shallow::shallow),
};

/// The property that the union violates when it confuses the order of keys.
const ORDER: &[&str] =
    &["UnionValid", "UnionPost", "UnionModel", "DeleteUnion", "InsertUnion", "UnionDeleteInsert", "UnionUnionAssoc"];

const TASKS: &[Falsifies] = &[
    common(
        "insert_1",
        &["InsertPost", "InsertModel", "DeleteInsert", "InsertInsert", "InsertUnion", "UnionDeleteInsert"],
    ),
    common(
        "insert_2",
        &[
            "InsertPost",
            "InsertModel",
            "InsertDelete",
            "DeleteInsert",
            "InsertInsert",
            "InsertUnion",
            "UnionDeleteInsert",
        ],
    ),
    common(
        "insert_3",
        &["InsertPost", "InsertModel", "InsertDelete", "InsertInsert", "InsertUnion", "UnionDeleteInsert"],
    ),
    common(
        "delete_4",
        &[
            "DeleteModel",
            "DeletePost",
            "DeleteDelete",
            "DeleteInsert",
            "DeleteUnion",
            "InsertDelete",
            "UnionDeleteInsert",
        ],
    ),
    common(
        "delete_5",
        &["DeleteModel", "DeletePost", "DeleteDelete", "DeleteInsert", "DeleteUnion", "UnionDeleteInsert"],
    ),
    Falsifies { mutant: "union_6", common: ORDER, original: &["UnionUnionIdem"] },
    common("union_7", ORDER),
    common(
        "union_8",
        &["UnionPost", "UnionModel", "DeleteUnion", "InsertUnion", "UnionDeleteInsert", "UnionUnionAssoc"],
    ),
];

/// The property of this name, over the generators of a strategy.
pub fn property(name: &str, strategy: Strategy) -> Option<Box<dyn Property + Sync>> {
    let g = generate::generators(strategy);
    Some(match name {
        "InsertValid" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.new_key(&[t], &[]);
            forall v: i32;
            check insert_valid(t, *k, *v)
        }),
        "DeleteValid" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.known_key(&[t], &[]);
            check delete_valid(t, *k)
        }),
        "UnionValid" => Box::new(property! {
            move forall t1 in g.tree(&[]);
            implies is_bst(t1);
            forall t2 in g.tree(&[t1]);
            implies is_bst(t2);
            check union_valid(t1, t2)
        }),
        "InsertPost" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.new_key(&[t], &[]);
            forall k2 in g.known_key(&[t], &[*k]);
            forall v: i32;
            check insert_post(t, *k, *k2, *v)
        }),
        "DeletePost" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.known_key(&[t], &[]);
            forall k2 in g.known_key(&[t], &[*k]);
            check delete_post(t, *k, *k2)
        }),
        "UnionPost" => Box::new(property! {
            move forall t1 in g.tree(&[]);
            implies is_bst(t1);
            forall t2 in g.tree(&[t1]);
            implies is_bst(t2);
            forall k in g.known_key(&[t1, t2], &[]);
            check union_post(t1, t2, *k)
        }),
        "InsertModel" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.new_key(&[t], &[]);
            forall v: i32;
            check insert_model(t, *k, *v)
        }),
        "DeleteModel" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.known_key(&[t], &[]);
            check delete_model(t, *k)
        }),
        "UnionModel" => Box::new(property! {
            move forall t1 in g.tree(&[]);
            implies is_bst(t1);
            forall t2 in g.tree(&[t1]);
            implies is_bst(t2);
            check union_model(t1, t2)
        }),
        "InsertInsert" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.new_key(&[t], &[]);
            forall k2 in g.new_key(&[t], &[*k]);
            forall v: i32;
            forall v2: i32;
            check insert_insert(t, *k, *k2, *v, *v2)
        }),
        "InsertDelete" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.new_key(&[t], &[]);
            forall k2 in g.known_key(&[t], &[*k]);
            forall v: i32;
            check insert_delete(t, *k, *k2, *v)
        }),
        "InsertUnion" => Box::new(property! {
            move forall t1 in g.tree(&[]);
            implies is_bst(t1);
            forall t2 in g.tree(&[t1]);
            implies is_bst(t2);
            forall k in g.new_key(&[t1, t2], &[]);
            forall v: i32;
            check insert_union(t1, t2, *k, *v)
        }),
        "DeleteInsert" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.known_key(&[t], &[]);
            forall k2 in g.new_key(&[t], &[*k]);
            forall v2: i32;
            check delete_insert(t, *k, *k2, *v2)
        }),
        "DeleteDelete" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            forall k in g.known_key(&[t], &[]);
            forall k2 in g.known_key(&[t], &[*k]);
            check delete_delete(t, *k, *k2)
        }),
        "DeleteUnion" => Box::new(property! {
            move forall t1 in g.tree(&[]);
            implies is_bst(t1);
            forall t2 in g.tree(&[t1]);
            implies is_bst(t2);
            forall k in g.known_key(&[t1, t2], &[]);
            check delete_union(t1, t2, *k)
        }),
        "UnionDeleteInsert" => Box::new(property! {
            move forall t1 in g.tree(&[]);
            implies is_bst(t1);
            forall t2 in g.tree(&[t1]);
            implies is_bst(t2);
            forall k in g.new_key(&[t1, t2], &[]);
            forall v: i32;
            check union_delete_insert(t1, t2, *k, *v)
        }),
        "UnionUnionIdem" => Box::new(property! {
            move forall t in g.tree(&[]);
            implies is_bst(t);
            check union_union_idem(t)
        }),
        "UnionUnionAssoc" => Box::new(property! {
            move forall t1 in g.tree(&[]);
            implies is_bst(t1);
            forall t2 in g.tree(&[t1]);
            implies is_bst(t2);
            forall t3 in g.tree(&[t1, t2]);
            implies is_bst(t3);
            check union_union_assoc(t1, t2, t3)
        }),
        _ => panic!("binary search trees have no property {name:?}; they have {PROPERTIES:?}"),
    })
}
