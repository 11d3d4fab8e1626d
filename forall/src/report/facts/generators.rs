//! Generators that do what they should not.

use super::{MAX_VALUE, quoted, sentence, were_discarded};
use crate::text::{count, number, one_line, shorten};

/// A generator panicked: the check did not run.
pub(super) fn generator_panicked(variable: &str, message: &str, place: Option<&str>) -> String {
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    format!(
        "The generator of `{}` panicked{place}: {}\nThat is no failure of the property: the check did not run. Make the generator \
         total; where there is no value to make, call `reject_now()` on the source, which discards the test. If the panic is the bug, \
         draw in the body instead: `fn property(s: &mut Source)`.",
        quoted(variable),
        quoted(message)
    )
}

/// A generator ended the process that it ran in.
pub(super) fn generator_crashed(message: &str) -> String {
    format!(
        "A generator, or the `drop` of what it made, did not come to its end: {}\nThat is no failure of the property: the check \
         did not run. Test what the generators call in a property of its own, on inputs that are made without it; or draw in the \
         body: `fn property(s: &mut Source)`.",
        sentence(message)
    )
}

/// A value breaks what the contract of its variable promises. `text` is the contract as it was written, or empty.
pub(super) fn contract_broken(variable: &str, text: &str, value: &str, who: &str) -> String {
    let contract = if text.is_empty() { "its contract".to_owned() } else { format!("its contract `{}`", quoted(text)) };
    format!(
        "The {who} of `{variable}` made a value that breaks {contract}:\n    {variable} = {}\nThat is a fault of the {who}, not \
         of the property: the check did not run. Correct the {who}, or the contract if it promises too much.",
        quoted(value)
    )
}

/// A generator was put together in a way that makes no sense, such as from an empty range.
pub(super) fn misused(variable: &str, message: &str) -> String {
    format!(
        "The generator of `{}` cannot produce any value: {}\nCorrect the generator. If an earlier variable can make it empty, see to \
         it that it does not, such as by `.len(1..)`, or discard those tests by an `implies` between the two in `property!`.",
        quoted(variable),
        sentence(message)
    )
}

/// The same choices made different values.
pub(super) fn generator_not_deterministic() -> String {
    "The same choices led the generator to draw differently when it ran again: it depends on something beside its source, such \
     as the clock, a global, an address or the order of a hash map. Its counterexamples cannot be shrunk or replayed \
     faithfully.\nDraw everything random from the source, and sort what comes out of a hash map."
        .to_owned()
}

/// The same choices made another value of a variable: first `one`, then `other`.
pub(super) fn generator_makes_other_values(variable: &str, one: &str, other: &str) -> String {
    format!(
        "The same choices made `{variable}` = {}, and {} when its generator ran again: the generator depends on something beside its \
         source, such as the clock, a global or the order of a hash map, or equal values are printed differently. The value shown need not be the one that failed. Draw \
         everything random from the source, and sort what comes out of a hash map.",
        shorten(&one_line(one), MAX_VALUE),
        shorten(&one_line(other), MAX_VALUE)
    )
}

/// An input needs more choices than can be recorded.
pub(super) fn input_too_large(variable: &str, limit: u64) -> String {
    format!(
        "The generator of `{}` made more than {}, the most that can be recorded: it may not terminate.\nBound the recursion or \
         the length, for example by the source's size.",
        quoted(variable),
        count(limit, "choice")
    )
}

/// A body drew more choices than can be recorded.
pub(super) fn endless_draws(source: &str, limit: u64) -> String {
    let source = quoted(source);
    format!(
        "The body drew more than {} from `{source}`, the most that can be recorded: it may not terminate.\nBound the number of draws, \
         for example: `for _ in 0..{source}.draw(0..100)`.",
        count(limit, "choice")
    )
}

/// A body drew from one source on several threads.
pub(super) fn drawn_on_several_threads(source: &str) -> String {
    let source = quoted(source);
    format!(
        "The body draws from `{source}` on several threads: the order of the draws differs from run to run, so a failure could not be \
         replayed.\nDraw before the threads start, or give each its own source: `let mut own = {source}.fork();`."
    )
}

/// A test failed whose input makes more choices than can be recorded.
pub(super) fn unrecorded(limit: u64) -> String {
    format!(
        "the input makes more than {}, the most that can be recorded: it is neither made smaller nor stored. Smaller inputs \
         are likely to fail, too: bound the length or the recursion (`vec(any::<T>()).len(..1000)`)",
        count(limit, "choice")
    )
}

/// What is shown was found among the beginnings of such an input.
pub(super) fn beginning_of_unrecorded(limit: u64) -> String {
    format!(
        "the input as it was found makes more than {}, the most that can be recorded; its beginning fails alike, and what is \
         shown was made of that",
        count(limit, "choice")
    )
}

/// The generator of `variable` made no sequence at all: `found` operations were possible, and there must be `least`.
pub(super) fn too_few_operations(variable: &str, discarded: u64, found: u64, least: u64) -> String {
    format!(
        "No test ran, and {} discarded: the generator of `{}` is to make at least {}, and only {} were possible one after the \
         other; then `next` gave `None` each time it was asked.\nAsk for fewer (`.len(..{})`), or let `next` offer an \
         operation in every state.",
        if discarded == 1 { "one was".to_owned() } else { format!("{} were", number(discarded)) },
        quoted(variable),
        count(least, "operation"),
        number(found),
        number(found.saturating_add(1)),
    )
}

/// The generator of `variable` made no value at all: a collection of it found `found` elements that differ, and needs `least`.
pub(super) fn too_few_different(variable: &str, discarded: u64, found: u64, least: u64) -> String {
    format!(
        "No test ran, and {}: the generator of `{}` is to make a set or a map, or a vector without repetition, of \
         at least {}, and found {} only. There may be no more.\nAsk for fewer (`.len(..)`), or give it a \
         generator of more different values.",
        were_discarded(discarded),
        quoted(variable),
        count(least, "element"),
        count(found, "different element"),
    )
}

/// A specification of a machine makes no sense. Its generator is not to blame, or not alone.
pub(super) fn senseless_specification(what: &str) -> String {
    let (first, rest) = what.split_at_checked(1).unwrap_or(("", what));
    format!("{}{rest}.\nThat is no failure of the system.", first.to_uppercase())
}
