//! The properties of red-black trees as closures that draw, check the precondition and conclude: properties in a
//! shallow embedding. They draw exactly what the properties in `mod.rs` draw.

use super::generate::generators;
use super::spec::*;
use super::tree::{Tree, is_rbt};
use crate::Strategy;
use crate::runner::Closure;
use crate::search_tree::Inputs;

/// The property of this name as a closure, over the generators of a strategy.
pub fn shallow(name: &str, strategy: Strategy) -> Box<Closure> {
    let (generators, closure) = (generators(strategy), closure(name));
    Box::new(move |source| closure(generators, source))
}

/// The property of this name as a closure, for any source of inputs.
pub fn closure<G: Inputs<Tree>>(name: &str) -> fn(&G, &mut G::Source) -> Option<bool> {
    match name {
        "InsertValid" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.new_key(&[&t], &[], source);
            let v = g.value(source);
            Some(insert_valid(&t, k, v))
        },
        "DeleteValid" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.known_key(&[&t], &[], source);
            Some(delete_valid(&t, k))
        },
        "InsertPost" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.new_key(&[&t], &[], source);
            let k2 = g.known_key(&[&t], &[k], source);
            let v = g.value(source);
            Some(insert_post(&t, k, k2, v))
        },
        "DeletePost" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.known_key(&[&t], &[], source);
            let k2 = g.known_key(&[&t], &[k], source);
            Some(delete_post(&t, k, k2))
        },
        "InsertModel" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.new_key(&[&t], &[], source);
            let v = g.value(source);
            Some(insert_model(&t, k, v))
        },
        "DeleteModel" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.known_key(&[&t], &[], source);
            Some(delete_model(&t, k))
        },
        "InsertInsert" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.new_key(&[&t], &[], source);
            let k2 = g.new_key(&[&t], &[k], source);
            let v = g.value(source);
            let v2 = g.value(source);
            Some(insert_insert(&t, k, k2, v, v2))
        },
        "InsertDelete" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.new_key(&[&t], &[], source);
            let k2 = g.known_key(&[&t], &[k], source);
            let v = g.value(source);
            Some(insert_delete(&t, k, k2, v))
        },
        "DeleteInsert" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.known_key(&[&t], &[], source);
            let k2 = g.new_key(&[&t], &[k], source);
            let v2 = g.value(source);
            Some(delete_insert(&t, k, k2, v2))
        },
        "DeleteDelete" => |g, source| {
            let t = valid_tree(g, &[], source)?;
            let k = g.known_key(&[&t], &[], source);
            let k2 = g.known_key(&[&t], &[k], source);
            Some(delete_delete(&t, k, k2))
        },
        _ => panic!("red-black trees have no property {name:?}; they have {PROPERTIES:?}"),
    }
}

fn valid_tree<G: Inputs<Tree>>(g: &G, trees: &[&Tree], source: &mut G::Source) -> Option<Tree> {
    g.tree(trees, source).filter(is_rbt)
}
