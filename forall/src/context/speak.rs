//! The functions that the macros of a body call: each finds the test of its thread and records something.

use super::told;
use super::{CURRENT, Record, current, is_active};
use crate::choice::Rejected;
use crate::compared;
use crate::fact::Fact;
use crate::generate::misuse;
use crate::panic;
use std::panic::resume_unwind;

#[doc(hidden)]
#[inline]
#[track_caller]
pub fn assume(holds: bool, text: &str) {
    if !holds {
        if !is_active() {
            panic!("{}", Fact::AssumedOutsideOfATest { condition: text.to_owned() });
        }
        #[cfg(feature = "tokio")]
        if let Some(context) = current().filter(|_| crate::panic::tasks::in_a_task()) {
            // The runtime catches it, and the code that awaits the task sees a panic.
            context.rejected();
        }
        Rejected::unwind();
    }
}

#[doc(hidden)]
pub fn wants_notes() -> bool {
    CURRENT.with_borrow(|current| matches!(current, Some(context) if context.wants_notes()))
}

#[doc(hidden)]
pub fn note(text: String) {
    if let Some(context) = current() {
        context.note(text);
    }
}

#[doc(hidden)]
pub fn label(text: impl Into<String>) {
    record(Record::Label(text.into()));
}

#[doc(hidden)]
pub fn tabulate(table: impl Into<String>, row: impl Into<String>) {
    record(Record::Row { table: table.into(), row: row.into() });
}

#[doc(hidden)]
#[track_caller]
pub fn cover(percent: f64, hit: bool, label: impl Into<String>) {
    assert!((0.0..=100.0).contains(&percent), "`cover!` requires {percent} % of the tests; use a number from 0 to 100");
    record(Record::Cover { label: label.into(), percent, hit });
}

/// Returns whether features are recorded. This is a constant in builds that cannot record them.
#[doc(hidden)]
#[inline]
pub fn wants_features() -> bool {
    told::is_asked_for() || compared::is_recording()
}

#[doc(hidden)]
pub fn feature(name: String, value: String) {
    compared::announce_feature(&name, &value);
    if told::is_asked_for() {
        record(Record::Feature { name: told::cut(&name), value: told::cut(&value) });
    }
}

#[doc(hidden)]
pub fn target(score: f64) {
    compared::announce_score("", score);
    if let Some(context) = current() {
        context.score(score);
    }
}

#[doc(hidden)]
pub fn target_named(score: f64, name: impl Into<String>) {
    target(score);
    let name: String = name.into();
    compared::announce_score(&name, score);
    record(Record::Score { name, score });
}

/// Like [`target`], for a score that a user's function computes outside the body.
pub(crate) fn target_by(score: &mut dyn FnMut() -> f64) {
    match panic::catch(score) {
        Ok(score) => target(score),
        Err(panic::Unwound::Panic(caught)) => misuse(Fact::FeedbackPanicked { message: caught.message }.to_string()),
        Err(panic::Unwound::Signal(signal)) => resume_unwind(signal),
    }
}

fn record(record: Record) {
    if let Some(context) = current() {
        context.record(record);
    }
}
