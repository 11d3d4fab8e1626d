//! Graphs, and related orders, sets and intervals.

crate::tasks! {
    "graphs";
    bellman_ford_last_round(nodes: u8, edges: Vec<(u8, u8, u8)>);
    bipartite_disconnected(nodes: u8, edges: Vec<(u8, u8)>);
    bridges_parallel_edges(nodes: u8, edges: Vec<(u8, u8)>);
    coloring_of_a_pair(nodes: u8, edges: Vec<(u8, u8)>);
    duplicates_at_the_end(versions: Vec<(u8, u8)>);
    intervals_contained(intervals: Vec<(u8, u8)>);
    neighbors_self_loop(edges: Vec<(u8, u8)>);
    remove_by_index(items: Vec<u16>, removed: Vec<usize>);
    remove_while_walking(edges: Vec<(u8, u8)>, node: u8);
    toposort_false_cycle(graph: Vec<Vec<u8>>);
    toposort_self_loop(graph: Vec<Vec<u8>>);
    union_find_size(unions: Vec<(u8, u8)>);
}
