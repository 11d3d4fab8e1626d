//! Ready generators for what people would otherwise write by hand.
//!
//! | to get | write |
//! | --- | --- |
//! | dates and times, as the calendar has them | [`date`], [`date_time`] |
//! | addresses of the internet | [`email`], [`host_name`], [`url`]; `any::<IpAddr>()` for numbers |
//! | JSON | [`json`], a value that writes itself |
//! | paths of files | [`file_path`] |
//! | an order of things | [`permutation`]; [`shuffle`](crate::generate::shuffle) for things of your own |
//! | graphs: connected, without cycles, in two parts, directed | [`graph`] |
//! | intervals, apart or not | [`interval`], [`disjoint_intervals`] |
//! | matrices of shapes that fit | [`matrix`], [`matrix_chain`] |
//! | bytes that are almost UTF-8 | [`nearly_utf8`]; `any::<String>()` for those that are |
//! | lists that are sorted, or almost | [`sorted`], [`nearly_sorted`] |
//! | functions that only rise | [`monotone`] |
//! | a text with another one in it | [`planted`] |
//! | sequences of operations, each possible after those before it | [`operations`]; `vec(any::<Operation>())` with a derived `Operation` where all are always possible, better still with [`swarm`](crate::generate::GeneratorExt::swarm); `forall::machine` where there is a model |
//!
//! All of them are made of the generators of [`generate`](crate::generate), and shrink as those do: to few and small parts.
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

/// The labels of the parts of what is generated here begin with this one.
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
