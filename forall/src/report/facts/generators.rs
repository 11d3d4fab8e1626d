//! Invalid generators.

use super::{MAX_VALUE, all_were_discarded, quoted, sentence};
use crate::text::{count, number, one_line, shorten};

/// A generator panicked: the check did not run.
pub(super) fn generator_panicked(variable: &str, message: &str, place: Option<&str>) -> String {
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    format!(
        "The generator of `{}` panicked{place}: {}\nThis is not a failure of the property: the check did not run. Make \
         the generator total; if it cannot produce a value, call `reject_now()` on the source, which discards the \
         test. If the panic is the bug you are looking for, draw in the body instead: `fn property(s: &mut Source)`.",
        quoted(variable),
        quoted(message)
    )
}

/// A generator crashed the process.
pub(super) fn generator_crashed(message: &str) -> String {
    format!(
        "A generator, or the `drop` of a generated value, crashed: {}\nThis is not a failure of the property: the \
         check did not run. Test the code that the generator calls in a separate property; or draw in the body: `fn \
         property(s: &mut Source)`.",
        sentence(message)
    )
}

/// A value violates its variable's contract. `text` is the contract's source, or empty.
pub(super) fn contract_broken(variable: &str, text: &str, value: &str, who: &str) -> String {
    let contract = if text.is_empty() { "its contract".to_owned() } else { format!("its contract `{}`", quoted(text)) };
    format!(
        "The {who} of `{variable}` produced a value that violates {contract}:\n    {variable} = {}\nThis is a bug in \
         the {who}, not in the property: the check did not run. Fix the {who}, or relax the contract.",
        quoted(value)
    )
}

/// A generator was built from invalid arguments, such as an empty range.
pub(super) fn misused(variable: &str, message: &str) -> String {
    format!(
        "The generator of `{}` cannot produce any value: {}\nFix the generator. If it depends on an earlier variable, \
         restrict that variable (for example with `.len(1..)`), or discard those tests with an `implies` between the \
         two in `property!`.",
        quoted(variable),
        sentence(message)
    )
}

/// The same choices produced different values.
pub(super) fn generator_not_deterministic() -> String {
    "The generator is not deterministic: given the same choices, it made different draws the second time. It depends on \
     something other than its source, such as the clock, a global, an address or the order of a hash map, so its \
     counterexamples cannot be shrunk or replayed.\nDraw all randomness from the source, and sort the elements of hash \
     maps."
        .to_owned()
}

/// The same choices produced two values of a variable: first `one`, then `other`.
pub(super) fn generator_makes_other_values(variable: &str, one: &str, other: &str) -> String {
    format!(
        "The generator of `{variable}` is not deterministic: the same choices produced {} first, and then {}. It \
         depends on something other than its source, such as the clock, a global or the order of a hash map, or equal \
         values print differently. The value shown need not be the one that failed. Draw all randomness from the \
         source, and sort the elements of hash maps.",
        shorten(&one_line(one), MAX_VALUE),
        shorten(&one_line(other), MAX_VALUE)
    )
}

/// An input needs more choices than can be recorded.
pub(super) fn input_too_large(variable: &str, limit: u64) -> String {
    format!(
        "The generator of `{}` made more than {}, the recording limit: it may not terminate.\nBound the recursion or \
         the length, for example by the source's size.",
        quoted(variable),
        count(limit, "choice")
    )
}

/// A body drew more choices than can be recorded.
pub(super) fn endless_draws(source: &str, limit: u64) -> String {
    let source = quoted(source);
    format!(
        "The body drew more than {} from `{source}`, the recording limit: it may not terminate.\nBound the number of \
         draws, for example: `for _ in 0..{source}.draw(0..100)`.",
        count(limit, "choice")
    )
}

/// A body drew from one source on several threads.
pub(super) fn drawn_on_several_threads(source: &str) -> String {
    let source = quoted(source);
    format!(
        "The body draws from `{source}` on several threads: the order of the draws varies from run to run, so failures \
         could not be replayed.\nDraw before starting the threads, or give each thread its own source: `let mut own = \
         {source}.fork();`."
    )
}

/// A test failed whose input exceeds the recording limit.
pub(super) fn unrecorded(limit: u64) -> String {
    format!(
        "the input has more than {}, the recording limit, so it was neither shrunk nor saved. Smaller inputs are \
         likely to fail as well: bound the length or the recursion (`vec(any::<T>()).len(..1000)`)",
        count(limit, "choice")
    )
}

/// The counterexample was shrunk from a prefix of such an input.
pub(super) fn beginning_of_unrecorded(limit: u64) -> String {
    format!(
        "the original input has more than {}, the recording limit; a prefix of it fails in the same way, and was \
         shrunk instead",
        count(limit, "choice")
    )
}

/// The generator of `variable` produced no sequence: `found` operations were possible, and the minimum is `least`.
pub(super) fn too_few_operations(variable: &str, discarded: u64, found: u64, least: u64) -> String {
    format!(
        "{}: the generator of `{}` must produce at least {}, but after {} of them `next` \
         always returned `None`.\nAllow shorter sequences (`.len(..{})`), or let `next` return an operation in every state.",
        all_were_discarded(discarded),
        quoted(variable),
        count(least, "operation"),
        number(found),
        number(found.saturating_add(1)),
    )
}

/// The generator of `variable` produced no value: a collection in it found `found` distinct elements, and needs
/// `least`.
pub(super) fn too_few_different(variable: &str, discarded: u64, found: u64, least: u64) -> String {
    format!(
        "{}: the generator of `{}` must produce a set, a map, or a vector of distinct elements with \
         at least {}, but found only {}.\nLower the minimum (`.len(..)`), or use an element generator with more \
         distinct values.",
        all_were_discarded(discarded),
        quoted(variable),
        count(least, "element"),
        count(found, "distinct element"),
    )
}

/// The specification of a state machine is invalid.
pub(super) fn senseless_specification(what: &str) -> String {
    let (first, rest) = what.split_at_checked(1).unwrap_or(("", what));
    format!("{}{rest}.\nThis is not a failure of the system under test.", first.to_uppercase())
}
