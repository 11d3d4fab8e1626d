//! State machines: sequential, parallel, stress and negative tests from one specification.

mod bad_input;
mod cleanup;
mod controlled;
mod drawing;
mod hangs;
mod interleavings;
mod linearizability;
mod messages;
mod methods;
mod parallel;
mod rare;
mod sequential;
mod soak;
mod support;
