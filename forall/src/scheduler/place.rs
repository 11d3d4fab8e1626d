//! Where in the source a thread was, from a backtrace.

use std::backtrace::Backtrace;

/// The first frame of the tested code: the function and its line. Frames of the scheduler, of this crate and of the standard library
/// come before it.
pub(super) fn of(backtrace: &Backtrace) -> Option<String> {
    in_text(&backtrace.to_string())
}

fn in_text(text: &str) -> Option<String> {
    let mut function = "";
    for line in text.lines().map(str::trim) {
        if let Some(place) = line.strip_prefix("at ") {
            let place = place.strip_prefix("./").unwrap_or(place);
            if is_foreign(function) || place.starts_with("/rustc/") || is_here(place) {
                continue;
            }
            // The column is not meaningful to users.
            let place = match place.rsplit_once(':') {
                Some((line, column)) if line.contains(':') && column.bytes().all(|byte| byte.is_ascii_digit()) => line,
                _ => place,
            };
            return Some(format!("{} ({})", in_registry(place), short(function)));
        }
        function = line.split_once(": ").map_or(line, |(_, name)| name);
    }
    None
}

/// The path of a file in a published crate, without that of cargo's registry: it starts with the name and version of
/// the crate.
fn in_registry(place: &str) -> &str {
    let inside = place.split_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/'));
    inside.map_or(place, |(_, file)| file)
}

/// Whether a file belongs to this crate: inlined functions have lost their paths.
fn is_here(place: &str) -> bool {
    let relative = file!().trim_end_matches("scheduler/place.rs");
    place.starts_with(concat!(env!("CARGO_MANIFEST_DIR"), "/src/")) || place.starts_with(relative)
}

/// Whether a function is not part of the tested code.
fn is_foreign(function: &str) -> bool {
    let function = function.trim_start_matches('<');
    ["forall::", "std::", "core::", "alloc::", "__", "syscall", "sched_yield", "pthread_", "clone", "start_thread"]
        .iter()
        .any(|prefix| function.starts_with(prefix))
}

/// The last two parts of a function's path, without the types of a trait's implementation.
fn short(function: &str) -> String {
    let function = match function.strip_prefix('<').and_then(|rest| rest.split_once(">::")) {
        Some((of, method)) => {
            let of = of.split(" as ").next().unwrap_or(of);
            format!("{}::{method}", of.rsplit("::").next().unwrap_or(of))
        }
        None => function.to_owned(),
    };
    let parts: Vec<&str> = function.split("::").filter(|part| !is_hash(part)).collect();
    parts[parts.len().saturating_sub(2)..].join("::")
}

fn is_hash(part: &str) -> bool {
    part.len() == 17 && part.starts_with('h') && part[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::in_text;

    #[test]
    fn the_first_frame_of_the_tested_code_is_the_place() {
        let text = "   0: forall::scheduler::core::slow\n             at /forall/src/core.rs:1:2\n   1: std::sync::Mutex<T>::lock\n             \
                    at /rustc/abc/library/std/src/sync/mutex.rs:10:5\n   2: <bank::Bank as bank::Ledger>::transfer\n             at ./src/bank.rs:21:9\n   \
                    3: bank::main\n             at ./src/main.rs:1:1\n";
        assert_eq!(in_text(text).as_deref(), Some("src/bank.rs:21 (Bank::transfer)"));
        let inlined =
            format!("   0: hand_to\n             at {}/src/scheduler/state.rs:431:9\n", env!("CARGO_MANIFEST_DIR"));
        assert_eq!(in_text(&(inlined + text)).as_deref(), Some("src/bank.rs:21 (Bank::transfer)"));
        assert_eq!(in_text("   0: <unknown>\n"), None);
        let published = "   0: spin::once::Once<T>::get\n             at /home/me/.cargo/registry/src/index-1a2b/spin-0.9.7/src/once.rs:96:5\n";
        assert_eq!(in_text(published).as_deref(), Some("spin-0.9.7/src/once.rs:96 (Once<T>::get)"));
    }
}
