//! The specification of red-black trees, as plain functions. Preconditions are not checked here.
//!
//! A property is false if an operation on either side of its equation encounters a broken invariant.

use super::tree::{BrokenInvariant, Built, Tree, delete, insert, is_rbt};
use crate::bst::spec::{deleted, inserted};

/// The names of the properties.
pub const PROPERTIES: &[&str] = &[
    "InsertValid",
    "DeleteValid",
    "InsertPost",
    "DeletePost",
    "InsertModel",
    "DeleteModel",
    "InsertInsert",
    "InsertDelete",
    "DeleteInsert",
    "DeleteDelete",
];

/// Insertion preserves the invariants.
pub fn insert_valid(t: &Tree, k: i32, v: i32) -> bool {
    is_rbt(&insert(k, v, t.clone()))
}

/// Deletion preserves the invariants.
pub fn delete_valid(t: &Tree, k: i32) -> bool {
    delete(k, t.clone()).is_ok_and(|tree| is_rbt(&tree))
}

/// Insertion changes the value of its key and of no other key.
pub fn insert_post(t: &Tree, k: i32, k2: i32, v: i32) -> bool {
    insert(k, v, t.clone()).find(k2) == if k == k2 { Some(v) } else { t.find(k2) }
}

/// Deletion removes its key and no other key.
pub fn delete_post(t: &Tree, k: i32, k2: i32) -> bool {
    let expected = if k == k2 { None } else { t.find(k2) };
    delete(k, t.clone()).is_ok_and(|tree| tree.find(k2) == expected)
}

/// Insertion agrees with the model, a sorted list.
pub fn insert_model(t: &Tree, k: i32, v: i32) -> bool {
    insert(k, v, t.clone()).entries() == inserted(k, v, t.entries())
}

/// Deletion agrees with the model, a list.
pub fn delete_model(t: &Tree, k: i32) -> bool {
    delete(k, t.clone()).is_ok_and(|tree| tree.entries() == deleted(k, t.entries()))
}

/// Insertions commute, except that the last one of a key wins.
pub fn insert_insert(t: &Tree, k: i32, k2: i32, v: i32, v2: i32) -> bool {
    let one = insert(k, v, insert(k2, v2, t.clone()));
    let other = if k == k2 { insert(k, v, t.clone()) } else { insert(k2, v2, insert(k, v, t.clone())) };
    one.entries() == other.entries()
}

/// Insertion and deletion of different keys commute.
pub fn insert_delete(t: &Tree, k: i32, k2: i32, v: i32) -> bool {
    let one = delete(k2, t.clone()).map(|tree| insert(k, v, tree));
    let other = if k == k2 { Ok(insert(k, v, t.clone())) } else { delete(k2, insert(k, v, t.clone())) };
    same_entries(one, other)
}

/// Deletion and insertion of different keys commute.
pub fn delete_insert(t: &Tree, k: i32, k2: i32, v2: i32) -> bool {
    let one = delete(k, insert(k2, v2, t.clone()));
    let other = delete(k, t.clone()).map(|tree| if k == k2 { tree } else { insert(k2, v2, tree) });
    same_entries(one, other)
}

/// Deletions commute.
pub fn delete_delete(t: &Tree, k: i32, k2: i32) -> bool {
    let both = |first, second| delete(first, t.clone()).and_then(|tree| delete(second, tree));
    same_entries(both(k2, k), both(k, k2))
}

fn same_entries(one: Built, other: Built) -> bool {
    let same = |one: Built, other: Built| Ok::<_, BrokenInvariant>(one?.entries() == other?.entries());
    same(one, other) == Ok(true)
}
