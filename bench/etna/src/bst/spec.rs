//! The specification of binary search trees, as plain functions. Preconditions are not checked here.
//!
//! Trees are compared by their entries; only associativity of the union demands the same shape.

use super::tree::{Tree, delete, insert, is_bst, union};

/// The names of the properties.
pub const PROPERTIES: &[&str] = &[
    "InsertValid",
    "DeleteValid",
    "UnionValid",
    "InsertPost",
    "DeletePost",
    "UnionPost",
    "InsertModel",
    "DeleteModel",
    "UnionModel",
    "InsertInsert",
    "InsertDelete",
    "InsertUnion",
    "DeleteInsert",
    "DeleteDelete",
    "DeleteUnion",
    "UnionDeleteInsert",
    "UnionUnionIdem",
    "UnionUnionAssoc",
];

/// Insertion preserves the order.
pub fn insert_valid(t: &Tree, k: i32, v: i32) -> bool {
    is_bst(&insert(k, v, t.clone()))
}

/// Deletion preserves the order.
pub fn delete_valid(t: &Tree, k: i32) -> bool {
    is_bst(&delete(k, t.clone()))
}

/// The union of search trees is a search tree.
pub fn union_valid(t1: &Tree, t2: &Tree) -> bool {
    is_bst(&union(t1.clone(), t2.clone()))
}

/// Insertion changes the value of its key and of no other key.
pub fn insert_post(t: &Tree, k: i32, k2: i32, v: i32) -> bool {
    insert(k, v, t.clone()).find(k2) == if k == k2 { Some(v) } else { t.find(k2) }
}

/// Deletion removes its key and no other key.
pub fn delete_post(t: &Tree, k: i32, k2: i32) -> bool {
    delete(k, t.clone()).find(k2) == if k == k2 { None } else { t.find(k2) }
}

/// The union maps a key to its value in the first tree, or else to its value in the second.
pub fn union_post(t1: &Tree, t2: &Tree, k: i32) -> bool {
    union(t1.clone(), t2.clone()).find(k) == t1.find(k).or(t2.find(k))
}

/// Insertion agrees with the model, a sorted list.
pub fn insert_model(t: &Tree, k: i32, v: i32) -> bool {
    insert(k, v, t.clone()).entries() == inserted(k, v, t.entries())
}

/// Deletion agrees with the model, a list.
pub fn delete_model(t: &Tree, k: i32) -> bool {
    delete(k, t.clone()).entries() == deleted(k, t.entries())
}

/// The union agrees with the model, a sorted list.
pub fn union_model(t1: &Tree, t2: &Tree) -> bool {
    let mut entries = t1.entries();
    entries.extend(t2.entries().into_iter().filter(|&(k, _)| t1.find(k).is_none()));
    entries.sort_unstable();
    union(t1.clone(), t2.clone()).entries() == entries
}

/// Insertions commute, except that the last one of a key wins.
pub fn insert_insert(t: &Tree, k: i32, k2: i32, v: i32, v2: i32) -> bool {
    let one = insert(k, v, insert(k2, v2, t.clone()));
    let other = if k == k2 { insert(k, v, t.clone()) } else { insert(k2, v2, insert(k, v, t.clone())) };
    same_entries(&one, &other)
}

/// Insertion and deletion of different keys commute.
pub fn insert_delete(t: &Tree, k: i32, k2: i32, v: i32) -> bool {
    let one = insert(k, v, delete(k2, t.clone()));
    let other = if k == k2 { insert(k, v, t.clone()) } else { delete(k2, insert(k, v, t.clone())) };
    same_entries(&one, &other)
}

/// Insertion into a union is insertion into its first tree.
pub fn insert_union(t1: &Tree, t2: &Tree, k: i32, v: i32) -> bool {
    let one = insert(k, v, union(t1.clone(), t2.clone()));
    same_entries(&one, &union(insert(k, v, t1.clone()), t2.clone()))
}

/// Deletion and insertion of different keys commute.
pub fn delete_insert(t: &Tree, k: i32, k2: i32, v2: i32) -> bool {
    let one = delete(k, insert(k2, v2, t.clone()));
    let other = if k == k2 { delete(k, t.clone()) } else { insert(k2, v2, delete(k, t.clone())) };
    same_entries(&one, &other)
}

/// Deletions commute.
pub fn delete_delete(t: &Tree, k: i32, k2: i32) -> bool {
    same_entries(&delete(k, delete(k2, t.clone())), &delete(k2, delete(k, t.clone())))
}

/// Deletion from a union is deletion from both trees.
pub fn delete_union(t1: &Tree, t2: &Tree, k: i32) -> bool {
    let one = delete(k, union(t1.clone(), t2.clone()));
    same_entries(&one, &union(delete(k, t1.clone()), delete(k, t2.clone())))
}

/// Keys that only the second tree has are in the union.
pub fn union_delete_insert(t1: &Tree, t2: &Tree, k: i32, v: i32) -> bool {
    let one = union(delete(k, t1.clone()), insert(k, v, t2.clone()));
    same_entries(&one, &insert(k, v, union(t1.clone(), t2.clone())))
}

/// The union is idempotent.
pub fn union_union_idem(t: &Tree) -> bool {
    same_entries(&union(t.clone(), t.clone()), t)
}

/// The union is associative, including the shape of the tree.
pub fn union_union_assoc(t1: &Tree, t2: &Tree, t3: &Tree) -> bool {
    let left = union(union(t1.clone(), t2.clone()), t3.clone());
    left == union(t1.clone(), union(t2.clone(), t3.clone()))
}

fn same_entries(one: &Tree, other: &Tree) -> bool {
    one.entries() == other.entries()
}

/// Returns the entries without a key.
pub fn deleted(key: i32, mut entries: Vec<(i32, i32)>) -> Vec<(i32, i32)> {
    entries.retain(|&(k, _)| k != key);
    entries
}

/// Returns sorted entries with an additional one.
pub fn inserted(key: i32, value: i32, entries: Vec<(i32, i32)>) -> Vec<(i32, i32)> {
    let mut entries = deleted(key, entries);
    let place = entries.partition_point(|&(k, _)| k < key);
    entries.insert(place, (key, value));
    entries
}
