//! Tests with literals of the tested code, before those that are random. See [`literals`](crate::literals).

use super::session::{Ending, Session};
use super::tester::Tested;
use super::{Found, environment};
use crate::choice::Source;
use crate::literals::Pool;
use std::time::Instant;

/// One of so many tests more there may be. Where time is what limits the run, they have one of so many parts of it: a package has
/// thousands of literals, and a run that tests nothing else has no verdict.
const SHARE: u32 = 4;

/// Observers know them by indices from here on, which no random test has.
const INDICES: u64 = 1 << 63;

/// The variable that names a file of literals, or says `off`.
const VARIABLE: &str = "FORALL_LITERALS";

/// Runs the tests with literals. What the run ends with, if one of them does not pass.
///
/// They are told to observers, and not counted, neither as tests nor by their labels: what is demanded of random tests is
/// demanded of those.
pub(super) fn test_with_literals(session: &mut Session<'_>) -> Option<Ending> {
    let pool = pool(session);
    let count = pool.tests().min(session.settings.tests / u64::from(SHARE));
    let until = session.settings.time.map(|limit| session.elapsed() + limit / SHARE);
    // What they say of themselves is told, and forgotten then.
    session.tester.context().count_labels(session.one_by_one());
    let (mut ending, mut ran, mut complete) = (None, 0, true);
    for number in 0..count {
        complete = ending.is_none() && !session.is_over() && until.is_none_or(|until| session.elapsed() < until);
        if !complete {
            break;
        }
        if is_here(session, number) {
            ran += 1;
            ending = test(session, &pool, number, count);
        }
    }
    session.tester.context().count_labels(true);
    #[cfg(feature = "observe")]
    session.recorders.tested_with_literals(ran, complete);
    #[cfg(not(feature = "observe"))]
    let _: (u64, bool) = (ran, complete);
    ending
}

/// Whether it is for this shard to run.
#[cfg(feature = "campaign")]
fn is_here(session: &Session<'_>, number: u64) -> bool {
    session.settings.shard.is_none_or(|shard| shard.has_input(number))
}

#[cfg(not(feature = "campaign"))]
fn is_here(_: &Session<'_>, _: u64) -> bool {
    true
}

/// Runs one of them.
fn test(session: &mut Session<'_>, pool: &Pool, number: u64, count: u64) -> Option<Ending> {
    // From small to large, as random tests are.
    let size = session.size((session.settings.tests / count).saturating_mul(number));
    let source = Source::quoting(&pool.quotes(number, session.seed), session.seed, number, size);
    let began = session.one_by_one().then(Instant::now);
    let (case, tested) = session.tester.run_as(number, source, &[]);
    if let Some(began) = began {
        let took = began.elapsed();
        #[cfg(feature = "observe")]
        session.record(number, Some(&case), size, &tested, took, "literals");
        session.tell(INDICES + number, size, &tested, took);
        session.tester.context().forget();
    }
    match tested {
        Tested::Pass | Tested::Discard(_) | Tested::NoSuchStep => None,
        Tested::Fail(failure) => Some(session.found(case, failure, Found::Literals { number, size })),
        Tested::Fault(fault) => Some(session.fault(&case, fault)),
    }
}

/// The literals that are known of the property.
fn pool(session: &mut Session<'_>) -> Pool {
    let handed_over = match environment::variable(VARIABLE).filter(|path| !path.is_empty()) {
        None => String::new(),
        Some(off) if off == "off" || off == "0" => return Pool::default(),
        Some(path) => std::fs::read_to_string(&path).unwrap_or_else(|error| {
            session.warn(format!(
                "The literals in `{VARIABLE}={path}` cannot be read: {error}.\nName a file with a literal in each line, or say \
                 `{VARIABLE}=off`; the property is tested without them."
            ));
            String::new()
        }),
    };
    let pool = Pool::new(session.tester.property().literals(), &handed_over, session.identity.file);
    if let (Some((line, text)), Some(path)) = (&pool.not_read, environment::variable(VARIABLE)) {
        session.warn(format!(
            "`{text}`, line {line} of `{VARIABLE}={path}`, is no literal of Rust.\nWrite one in each line, texts in quotes; a line \
             that begins with `#` names a file. It is left out, as others like it are."
        ));
    }
    pool
}
