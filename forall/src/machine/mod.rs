//! State machines.
