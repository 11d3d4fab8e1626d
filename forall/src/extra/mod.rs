//! Ready-made generators: dates, URLs, JSON, graphs, matrices and more.
//!
//! | to get | write |
//! | --- | --- |
//! | valid dates and times | [`date`], [`date_time`] |
//! | e-mail addresses, hosts, URLs | [`email`], [`host_name`], [`url`]; `any::<IpAddr>()` for IP addresses |
//! | JSON | [`json`], a value with `Display` |
//! | file paths | [`file_path`] |
//! | permutations | [`permutation`]; [`shuffle`](crate::generate::shuffle) for your own values |
//! | graphs: connected, acyclic, bipartite, directed | [`graph`] |
//! | intervals, disjoint or not | [`interval`], [`disjoint_intervals`] |
//! | matrices of matching shapes | [`matrix`], [`matrix_chain`] |
//! | bytes that are almost UTF-8 | [`nearly_utf8`]; `any::<String>()` for those that are |
//! | sorted or nearly sorted lists | [`sorted`], [`nearly_sorted`] |
//! | monotonic functions | [`monotone`] |
//! | a string that contains another | [`planted`] |
//! | sequences of operations, each possible after those before it | [`operations`]; `vec(any::<Operation>())` with a derived `Operation` where all are always possible, better still with [`swarm`](crate::generate::GeneratorExt::swarm); `forall::machine` where there is a model |
//!
//! All of them are built from the generators of [`generate`](crate::generate), and shrink as those do: to few and small
//! parts.
//!
//! ```
//! use forall::{extra, prelude::*};
//!
//! #[forall::test]
//! fn trees_have_one_edge_less_than_nodes(#[forall(extra::graph(1..20).connected().acyclic())] tree: extra::Graph) {
//!     assert_eq!(tree.edges.len() + 1, tree.nodes);
//! }
//! # forall::check("trees", &trees_have_one_edge_less_than_nodes::property());
//! ```

/// The labels of the parts of these generators begin here.
const OWN_LABELS: u32 = 1 << 30;

mod bytes;
mod calendar;
mod data;
mod graphs;
mod internet;
mod operations;
mod order;
mod paths;
mod shapes;

pub use bytes::{Planted, nearly_utf8, planted};
pub use calendar::{Date, DateTime, date, date_time};
pub use data::{Json, json};
pub use graphs::{Graph, Graphs, graph};
pub use internet::{email, host_name, url};
pub use operations::{Operations, operations};
pub use order::{Monotone, monotone, nearly_sorted, permutation, sorted};
pub use paths::file_path;
pub use shapes::{Matrix, disjoint_intervals, interval, matrix, matrix_chain};
