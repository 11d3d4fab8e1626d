//! Trees and related structures: tries, heaps, range maps, ropes, documents and expressions.

mod types;

use crate::shapes::Json;
pub use types::{Expr, Tree};

crate::tasks! {
    "trees";
    arena_remove_subtree(tree: Tree);
    heap_remove(priorities: Vec<u8>, index: usize);
    interval_tree_index(intervals: Vec<(u8, u8)>, query: (u8, u8));
    merge_patch_nested_null(target: Json, patch: Json);
    print_right_operand(expr: Expr);
    radix_remove_absent(keys: Vec<String>, absent: String);
    range_gaps_empty(ranges: Vec<(u8, u8)>);
    range_map_coalesce(inserts: Vec<(u8, u8, bool)>);
    rope_lines(leaves: Vec<String>);
    trie_prune_valued(prefixes: Vec<Vec<bool>>, removed: Vec<bool>);
}
