//! Caches and their containers: after any operations, they agree with a simple model.

crate::tasks! {
    "caches";
    lfu_next_frequency(uses: Vec<u8>);
    lru_get_refreshes(operations: Vec<LruOperation>);
    lru_reinsert(keys: Vec<u8>);
    map_reindex(operations: Vec<MapOperation>);
    ring_length(operations: Vec<Option<u8>>);
    slab_vacant_remove(operations: Vec<SlabOperation>);
    ttl_renewed(operations: Vec<TtlOperation>);
    weight_of_last(weights: Vec<u8>);
    weight_of_replaced(files: Vec<(String, u16)>);
}

use lru_get_refreshes::LruOperation;
use map_reindex::MapOperation;
use slab_vacant_remove::SlabOperation;
use ttl_renewed::TtlOperation;
