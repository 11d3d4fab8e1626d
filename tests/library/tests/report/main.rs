//! Messages, failure reports, and what they print as Rust code.

mod messages;
mod pasted;
mod report;
