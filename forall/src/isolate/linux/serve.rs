//! The child process: answers its parent's requests, one by one.
//!
//! It is the same program, in the same test, at the same property. Effects of the test on its process happen here, and
//! nothing else runs here: no watcher, no store, no report.

use super::TIMEOUT;
use super::message::{self, BlockRan, Ran, Request, Walk, Walked};
use super::slate::Slate;
use super::system::{self, Resource};
use crate::choice::{Rejected, Source};
use crate::context::Phase;
use crate::generate::Misuse;
use crate::isolate::text;
use crate::panic::{self, Unwound};
use crate::property::{ContractBroken, Property, Stop};
use crate::run::{Example, Settings, Tested, Tester, run_example};
use crate::testing::{Beside, Input};
use std::fs::{self, File};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Whether this was a child, and there are no more requests.
static SERVED: AtomicBool = AtomicBool::new(false);

/// The data that survives a crash of this process.
static SLATE: OnceLock<Slate> = OnceLock::new();

/// Where the output of this process goes.
static OUTPUT: OnceLock<OwnedFd> = OnceLock::new();

/// Whether this process has served its run: later runs on its way to the end are skipped.
pub(super) fn has_served() -> bool {
    SERVED.load(Ordering::Relaxed)
}

/// The limits on the tests of this process.
#[derive(Debug)]
pub(super) struct Limits {
    pub(super) timeout: Duration,
    pub(super) memory: Option<u64>,
    pub(super) stack: Option<u64>,
}

static LIMITS: OnceLock<Limits> = OnceLock::new();

/// The limits on tests here; `None` without a supervisor.
pub(super) fn limits() -> Option<&'static Limits> {
    LIMITS.get()
}

/// The property that a child serves.
pub(super) struct Service<'a> {
    pub(super) name: &'a str,
    pub(super) property: &'a dyn Property,
    /// The property, if threads may share it.
    pub(super) shared: Option<&'a (dyn Property + Sync)>,
    pub(super) settings: &'a Settings,
    pub(super) seed: u64,
    pub(super) examples: &'a [Example],
    pub(super) worker: usize,
}

impl Service<'_> {
    /// Serves until the parent has no more requests, or is gone. Then the test ends by unwinding, so that it cleans up,
    /// and the process exits.
    pub(super) fn serve(&self) -> ! {
        let Some(connection) = self.connect() else {
            // The parent is gone, or is not forall.
            std::process::exit(1);
        };
        let tester = Tester::new(self.name, self.property, self.seed).deadline(self.settings.deadline);
        let mut tester = tester.for_child(self.worker, self.settings.tests);
        let Settings { beside: threads, own_cwd, .. } = *self.settings;
        let beside = self.shared.map(|property| Beside { property, threads, own_cwd });
        tester.run_beside(beside.filter(|beside| beside.threads > 1));
        tester.context().say_time_limit(self.settings.timeout.unwrap_or(TIMEOUT));
        if let Some(slate) = SLATE.get() {
            tester.context().publish(slate.place_progress(), slate);
        }
        let mut answer = super::fingerprint(&self.property.outline()).into_bytes();
        let this_process = std::process::id();
        loop {
            if std::process::id() != this_process {
                // The test has forked the process, and this is the copy, which has returned here as well. The original
                // answers.
                system::end_at_once();
            }
            if message::send(&connection, &answer).is_err() {
                // The parent is gone, or the test has closed the connection: then the parent is notified.
                cut();
                break;
            }
            let Some(request) = message::receive(&connection) else { break };
            let Some(request) = Request::read(&request) else { break };
            let Some(answered) = self.answer(&tester, request) else {
                cut();
                break;
            };
            answer = answered;
        }
        SERVED.store(true, Ordering::Relaxed);
        std::panic::resume_unwind(Box::new("no more tests"));
    }

    /// Takes over the descriptors from the parent, and applies the limits.
    fn connect(&self) -> Option<UnixStream> {
        let connection = UnixStream::from(std::io::stdin().as_fd().try_clone_to_owned().ok()?);
        OUTPUT.set(std::io::stdout().as_fd().try_clone_to_owned().ok()?).ok()?;
        // The test has no standard input.
        system::redirect(0, File::open("/dev/null").ok()?);
        let slate = File::options().read(true).write(true).open(std::env::var_os("FORALL_RUNNING")?).ok()?;
        let slate = Slate::new(&slate).ok()?;
        slate.keep_from_copies();
        SLATE.set(slate).ok()?;
        system::die_with_parent();
        // If memory runs out, the system should kill this process before others.
        let _ = fs::write("/proc/self/oom_score_adj", "1000");
        // Writing a core dump for each crash takes long. A limit of one byte disables core dumps, even if they are
        // piped to a program.
        let _ = system::limit(Resource::Core, 1);
        if let Some(memory) = self.settings.memory {
            let _ = system::limit(Resource::Data, memory_in_use().saturating_add(memory));
        }
        let Settings { timeout, memory, stack, .. } = *self.settings;
        LIMITS.set(Limits { timeout: timeout.unwrap_or(TIMEOUT), memory, stack }).ok()?;
        crate::context::serve();
        Some(connection)
    }

    /// The answer to a request; `None` if it cannot be trusted: the parent then finds the test that is to blame.
    fn answer(&self, tester: &Tester<'_>, request: Request) -> Option<Vec<u8>> {
        let (context, property) = (tester.context(), self.property);
        Some(match request {
            Request::Block(block) => {
                context.count_labels(true);
                let mut ended = tester.run_block(&block);
                if ended.stopped_by.is_none() && has_closed_output() {
                    if block.indices.end - block.indices.start > 1 {
                        return None;
                    }
                    (ended.index, ended.stopped_by) = (block.indices.start, Some(Tested::Fail(text::closed_output())));
                }
                message::written(&BlockRan {
                    index: ended.index,
                    discarded: ended.discarded,
                    stopped_by: ended.stopped_by,
                    statistics: context.take_statistics(),
                })
            }
            Request::Run { index, manner, input } => {
                context.want_notes(manner.notes);
                context.count_labels(manner.labels);
                context.wait_for_tests(manner.to_the_end);
                {
                    context.hurry(manner.hurries);
                    context.say_fails_after(manner.fails_after);
                }
                context.begin(if manner.is_candidate { Phase::Shrinking } else { Phase::Testing });
                context.say_chosen(manner.is_one_of_many);
                let mut source = input.source();
                if let Some(slate) = SLATE.get() {
                    source.keep_journal(slate);
                }
                if manner.shows_draws {
                    source.show_draws();
                }
                let (case, mut tested, shown) = tester.run_showing(index, source, &input.steps);
                context.say_chosen(false);
                if !matches!(tested, Tested::Fail(_)) && has_closed_output() {
                    tested = Tested::Fail(text::closed_output());
                }
                context.want_notes(false);
                context.wait_for_tests(false);
                let (said, score) = (context.take_said(), context.take_score());
                message::written(&Ran { tested, drawn: case.sequence, shown, said, score })
            }
            Request::Generate(input) => walked(&input, &mut |source, _| property.generate(source, &input.steps)),
            Request::Print(input) => walked(&input, &mut |source, walked| {
                walked.bindings = property.print(source, &input.steps)?;
                Ok(())
            }),
            Request::Candidates(quantifier, input) => walked(&input, &mut |source, walked| {
                property.candidates(source, &input.steps, quantifier, &mut walked.measures)
            }),
            Request::Example(place) => {
                let _active = context.activate();
                context.want_notes(true);
                context.count_labels(false);
                let tested = self.examples.get(place as usize).map(run_example).unwrap_or(Tested::NoSuchStep);
                context.want_notes(false);
                let said = context.take_said();
                message::written(&Ran { tested, drawn: Default::default(), shown: Vec::new(), said, score: None })
            }
        })
    }
}

/// Whether the test has closed its process's output. It is reopened, so that later tests are not affected.
fn has_closed_output() -> bool {
    let mut has_closed = false;
    for number in [1, 2] {
        if let Some(output) = OUTPUT.get().filter(|_| !system::is_open(number)) {
            system::redirect(number, output);
            has_closed = true;
        }
    }
    has_closed
}

/// Notifies the parent that this process cannot answer any more.
fn cut() {
    if let Some(slate) = SLATE.get() {
        slate.cut();
    }
}

/// Generates, and applies `act` to the values.
fn walked(input: &Input, act: &mut dyn FnMut(&mut Source, &mut Walked) -> Result<(), Stop>) -> Vec<u8> {
    let mut source = input.source();
    let mut walked = Walked {
        drawn: Default::default(),
        size_was_read: false,
        walk: Walk::Done,
        bindings: Vec::new(),
        measures: Vec::new(),
    };
    walked.walk = match panic::catch(|| act(&mut source, &mut walked)) {
        Ok(Ok(())) => Walk::Done,
        Ok(Err(Stop::Discarded(discarded))) => Walk::Discarded(*discarded),
        Ok(Err(Stop::NoSuchStep)) => Walk::NoSuchStep,
        Err(Unwound::Panic(caught)) => Walk::Panicked(caught),
        Err(Unwound::Signal(signal)) => match signal.downcast::<ContractBroken>() {
            Ok(broken) => Walk::ContractBroken(*broken),
            Err(signal) => match signal.downcast::<Misuse>() {
                Ok(misuse) => Walk::Misused(*misuse),
                Err(signal) => {
                    debug_assert!(signal.is::<Rejected>(), "generators unwind with nothing else");
                    Walk::Rejected
                }
            },
        },
    };
    walked.size_was_read = source.size_was_read();
    walked.drawn = source.into_sequence();
    message::written(&walked)
}

/// The writable memory of this process in bytes, as far as the system reports it.
fn memory_in_use() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmData:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
