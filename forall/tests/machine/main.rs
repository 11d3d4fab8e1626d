//! State machines: sequential, parallel, stress and negative tests from one specification.

mod bad_input;
mod methods;
mod parallel;
mod rare;
mod sequential;
mod support;
