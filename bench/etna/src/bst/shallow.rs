//! The properties of binary search trees once more, as closures that draw, check the precondition and conclude: what a property is
//! to tools that know nothing about it. They draw exactly what the properties in `mod.rs` draw.

use super::generate::generators;
use super::spec::*;
use super::tree::{Tree, is_bst};
use crate::Strategy;
use crate::runner::Closure;
use crate::search_tree::Generators;
use forall::prelude::*;

/// The property of this name as a closure, over the generators of a strategy.
pub fn shallow(name: &str, strategy: Strategy) -> Box<Closure> {
    let g = generators(strategy);
    match name {
        "InsertValid" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.new_key(&[&t], &[]));
            let v = source.draw(any());
            Some(insert_valid(&t, k, v))
        }),
        "DeleteValid" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.known_key(&[&t], &[]));
            Some(delete_valid(&t, k))
        }),
        "UnionValid" => Box::new(|source| {
            let t1 = valid_tree(g, &[], source)?;
            let t2 = valid_tree(g, &[&t1], source)?;
            Some(union_valid(&t1, &t2))
        }),
        "InsertPost" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.new_key(&[&t], &[]));
            let k2 = source.draw(g.known_key(&[&t], &[k]));
            let v = source.draw(any());
            Some(insert_post(&t, k, k2, v))
        }),
        "DeletePost" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.known_key(&[&t], &[]));
            let k2 = source.draw(g.known_key(&[&t], &[k]));
            Some(delete_post(&t, k, k2))
        }),
        "UnionPost" => Box::new(|source| {
            let t1 = valid_tree(g, &[], source)?;
            let t2 = valid_tree(g, &[&t1], source)?;
            let k = source.draw(g.known_key(&[&t1, &t2], &[]));
            Some(union_post(&t1, &t2, k))
        }),
        "InsertModel" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.new_key(&[&t], &[]));
            let v = source.draw(any());
            Some(insert_model(&t, k, v))
        }),
        "DeleteModel" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.known_key(&[&t], &[]));
            Some(delete_model(&t, k))
        }),
        "UnionModel" => Box::new(|source| {
            let t1 = valid_tree(g, &[], source)?;
            let t2 = valid_tree(g, &[&t1], source)?;
            Some(union_model(&t1, &t2))
        }),
        "InsertInsert" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.new_key(&[&t], &[]));
            let k2 = source.draw(g.new_key(&[&t], &[k]));
            let v = source.draw(any());
            let v2 = source.draw(any());
            Some(insert_insert(&t, k, k2, v, v2))
        }),
        "InsertDelete" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.new_key(&[&t], &[]));
            let k2 = source.draw(g.known_key(&[&t], &[k]));
            let v = source.draw(any());
            Some(insert_delete(&t, k, k2, v))
        }),
        "InsertUnion" => Box::new(|source| {
            let t1 = valid_tree(g, &[], source)?;
            let t2 = valid_tree(g, &[&t1], source)?;
            let k = source.draw(g.new_key(&[&t1, &t2], &[]));
            let v = source.draw(any());
            Some(insert_union(&t1, &t2, k, v))
        }),
        "DeleteInsert" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.known_key(&[&t], &[]));
            let k2 = source.draw(g.new_key(&[&t], &[k]));
            let v2 = source.draw(any());
            Some(delete_insert(&t, k, k2, v2))
        }),
        "DeleteDelete" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            let k = source.draw(g.known_key(&[&t], &[]));
            let k2 = source.draw(g.known_key(&[&t], &[k]));
            Some(delete_delete(&t, k, k2))
        }),
        "DeleteUnion" => Box::new(|source| {
            let t1 = valid_tree(g, &[], source)?;
            let t2 = valid_tree(g, &[&t1], source)?;
            let k = source.draw(g.known_key(&[&t1, &t2], &[]));
            Some(delete_union(&t1, &t2, k))
        }),
        "UnionDeleteInsert" => Box::new(|source| {
            let t1 = valid_tree(g, &[], source)?;
            let t2 = valid_tree(g, &[&t1], source)?;
            let k = source.draw(g.new_key(&[&t1, &t2], &[]));
            let v = source.draw(any());
            Some(union_delete_insert(&t1, &t2, k, v))
        }),
        "UnionUnionIdem" => Box::new(|source| {
            let t = valid_tree(g, &[], source)?;
            Some(union_union_idem(&t))
        }),
        "UnionUnionAssoc" => Box::new(|source| {
            let t1 = valid_tree(g, &[], source)?;
            let t2 = valid_tree(g, &[&t1], source)?;
            let t3 = valid_tree(g, &[&t1, &t2], source)?;
            Some(union_union_assoc(&t1, &t2, &t3))
        }),
        _ => panic!("binary search trees have no property {name:?}; they have {PROPERTIES:?}"),
    }
}

fn valid_tree(g: &Generators<Tree>, trees: &[&Tree], source: &mut Source) -> Option<Tree> {
    let tree = source.draw(g.tree(trees));
    (!source.is_rejected() && is_bst(&tree)).then_some(tree)
}
