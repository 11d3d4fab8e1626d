//! The properties of red-black trees once more, as closures that draw, check the precondition and conclude: what a property is
//! to tools that know nothing about it. They draw exactly what the properties in `mod.rs` draw.

use super::generate::generators;
use super::spec::*;
use super::tree::{Tree, is_rbt};
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
        _ => panic!("red-black trees have no property {name:?}; they have {PROPERTIES:?}"),
    }
}

fn valid_tree(g: &Generators<Tree>, trees: &[&Tree], source: &mut Source) -> Option<Tree> {
    let tree = source.draw(g.tree(trees));
    (!source.is_rejected() && is_rbt(&tree)).then_some(tree)
}
