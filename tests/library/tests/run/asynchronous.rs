//! Async properties: on the executor of the library, under tokio, under any other; with deadlines, cancellation, shrinking.

use forall::prelude::*;
use forall::property::FailureKind;
use forall::registry::Declared;
use forall::run::{Cancel, Found, Report, Run, Settings, Store, Verdict};
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

fn run<D: Declared>(settings: impl FnOnce(Settings) -> Settings) -> Report {
    let property = D::property();
    // The settings of the attribute, then those of the test.
    let settings = settings((D::ENTRY.settings)(Settings::new()).seed(1)).store(Store::Off);
    Run::named(D::ENTRY.identity, &property).settings(settings).examples(D::ENTRY.examples).report()
}

fn shown(report: &Report) -> Vec<&str> {
    let counterexample = report.counterexample.as_ref().expect("it failed");
    counterexample.bindings.iter().map(|binding| binding.printed.text()).collect()
}

/// Lets others go first, a number of times.
struct Yield(u32);

impl Future for Yield {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, waiting: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        waiting.waker().wake_by_ref();
        Poll::Pending
    }
}

#[forall::test]
#[example(vec![1, 2])]
async fn futures_are_run_to_their_end(xs: Vec<u8>) -> bool {
    let mut sum = 0u32;
    for x in &xs {
        Yield(u32::from(*x % 3)).await;
        sum += u32::from(*x);
    }
    sum == xs.iter().map(|x| u32::from(*x)).sum::<u32>()
}

#[forall::test]
async fn wakers_work_from_other_threads(n: u8, text: &str) {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let length = text.len();
    std::thread::spawn(move || sender.send(usize::from(n) + length));
    assert_eq!(receiver.await, Ok(usize::from(n) + text.len()));
}

#[forall::property]
async fn small(n: u32, #[forall(0..=*n)] m: u32) {
    Yield(2).await;
    assume!(n.is_multiple_of(2));
    assert!(n - m < 100, "{n}, {m}");
}

#[test]
fn counterexamples_shrink_across_awaits() {
    for seed in 0..5 {
        let report = run::<small>(|settings| settings.seed(seed));
        assert_eq!(shown(&report), ["100", "0"]);
        assert_eq!(report.counterexample.unwrap().failure.message, "100, 0");
    }
}

#[forall::property]
#[example(7)]
async fn refuses_seven(n: u32) -> Result<(), String> {
    Yield(1).await;
    if n == 7 { Err("seven".to_owned()) } else { Ok(()) }
}

#[test]
fn examples_run_on_the_executor() {
    let found = run::<refuses_seven>(|settings| settings).counterexample.expect("it fails for the example");
    assert_eq!((found.found, found.failure.message.contains("seven")), (Found::Example(0), true));
}

static DROPPED: AtomicU32 = AtomicU32::new(0);

struct Cleanup;

impl Drop for Cleanup {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::Relaxed);
    }
}

#[forall::property]
async fn waits_for_ever(n: u32) {
    let _cleanup = Cleanup;
    if n >= 10 {
        std::future::pending::<()>().await;
    }
}

#[test]
fn a_pending_future_is_abandoned_at_the_deadline_and_shrinks() {
    let report = run::<waits_for_ever>(|settings| settings.deadline("20ms").shrink_evaluations(60).explain(0));
    let found = report.counterexample.as_ref().expect("it hangs");
    assert_eq!(found.failure.kind, FailureKind::Deadline);
    assert_eq!(
        found.failure.message,
        "the test was still waiting at its deadline of 20 ms and was cancelled; to allow more time, set `deadline`"
    );
    assert_eq!(shown(&report), ["10"]);
    assert!(DROPPED.load(Ordering::Relaxed) > 0, "what a future holds is dropped");
}

#[forall::property]
async fn waits_until_stopped(n: u64) {
    let _ = n;
    std::future::pending::<()>().await;
}

#[test]
#[ignore = "slow: 1 s"]
fn a_run_that_is_cancelled_does_not_wait_for_a_future() {
    let cancel = Cancel::new();
    let other = cancel.clone();
    let start = Instant::now();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        other.cancel();
    });
    let property = waits_until_stopped::property();
    let report =
        Run::new("waits", &property).settings(Settings::new().store(Store::Off)).cancelled_by(&cancel).report();
    assert_eq!(report.statistics.valid, 0);
    assert!(start.elapsed() < Duration::from_secs(10));
    stopper.join().unwrap();
}

#[forall::test(runtime = tokio, tests = 50)]
async fn timers_and_tasks_of_tokio_work(#[forall(0..5u64)] n: u64) {
    let task = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(n)).await;
        n * 2
    });
    assert_eq!(task.await.unwrap(), n * 2);
}

#[forall::test(runtime = tokio, tests = 20)]
async fn sockets_of_tokio_work(bytes: Vec<u8>) -> std::io::Result<()> {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let sent = bytes.clone();
    tokio::spawn(async move { tokio::net::TcpStream::connect(address).await?.write_all(&sent).await });
    let mut received = Vec::new();
    listener.accept().await?.0.read_to_end(&mut received).await?;
    assert_eq!(received, bytes);
    Ok(())
}

#[forall::property(runtime = tokio)]
async fn slow_above_ten(#[forall(0..1000u64)] n: u64) {
    if n > 10 {
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
}

#[test]
fn deadlines_and_shrinking_work_under_tokio() {
    let report = run::<slow_above_ten>(|settings| settings.deadline("20ms").shrink_evaluations(60).explain(0));
    assert_eq!(report.counterexample.as_ref().map(|found| found.failure.kind), Some(FailureKind::Deadline));
    assert_eq!(shown(&report), ["11"]);
}

static LEFT: AtomicU32 = AtomicU32::new(0);

#[forall::property(runtime = tokio)]
async fn leaves_a_task_behind(n: u64) {
    assert_eq!(LEFT.load(Ordering::Relaxed), 0, "a task of another test goes on: {n}");
    tokio::spawn(async {
        tokio::task::yield_now().await;
        LEFT.fetch_add(1, Ordering::Relaxed);
    });
}

#[test]
fn tasks_do_not_leak_between_tests() {
    assert_eq!(run::<leaves_a_task_behind>(|settings| settings).verdict, Verdict::Passed);
}

#[forall::property]
async fn needs_tokio(n: u8) {
    let _ = n;
    tokio::time::sleep(Duration::ZERO).await;
}

#[test]
fn a_body_that_needs_a_runtime_gets_advice() {
    let found = run::<needs_tokio>(|settings| settings).counterexample.expect("there is no reactor");
    assert!(found.failure.message.contains("no reactor running"), "{:?}", found.failure);
    assert!(found.notes.iter().any(|note| note.contains("runtime = tokio")), "{:?}", found.notes);
}

/// A runtime as a test suite has set it up.
fn shared<F: Future>(future: F) -> F::Output {
    static RUNTIME: std::sync::OnceLock<tokio::runtime::Runtime> = std::sync::OnceLock::new();
    let build = || tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    RUNTIME.get_or_init(build).block_on(future)
}

#[forall::test(runtime = shared, threads = 2, tests = 200)]
async fn any_function_from_a_future_to_its_value_is_a_runtime(n: u32) -> bool {
    tokio::task::spawn_blocking(move || n).await.is_ok_and(|same| same == n)
}

/// The thread that is not the test's: with one worker, tasks run beside the body.
#[forall::test(tests = 20)]
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_arguments_of_tokio_test_apply_to_each_test(n: u32) {
    let here = std::thread::current().id();
    let (there, same) = tokio::spawn(async move { (std::thread::current().id(), n) }).await.unwrap();
    assert!(there != here && same == n);
}

#[forall::test(runtime = tokio, tests = 50)]
#[tokio::test(start_paused = true)]
async fn paused_time_advances_automatically(#[forall(0..1_000_000u64)] seconds: u64) {
    let start = tokio::time::Instant::now();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    assert_eq!(start.elapsed(), Duration::from_secs(seconds));
}

#[forall::property(runtime = tokio)]
async fn pauses_by_itself(#[forall(0..1_000_000u64)] seconds: u64) {
    tokio::time::pause();
    let start = tokio::time::Instant::now();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    assert!(start.elapsed() < Duration::from_secs(1000), "a timer goes off by the time of the test");
    // Beside it, a sleep that is never awaited.
    let (_sender, receiver) = tokio::sync::oneshot::channel::<()>();
    assert!(tokio::time::timeout(Duration::from_secs(3600), receiver).await.is_err());
}

#[test]
fn deadlines_use_wall_clock_time_even_if_time_is_paused() {
    let report = run::<pauses_by_itself>(|settings| settings.deadline("5s").explain(0));
    assert_eq!(shown(&report), ["1000"]);
    assert_eq!(report.counterexample.map(|found| found.failure.kind), Some(FailureKind::Panic));
}

#[forall::property(runtime = tokio)]
async fn waits_for_nothing_while_time_is_paused(n: u8) {
    let _ = n;
    tokio::time::pause();
    std::future::pending::<()>().await;
}

#[test]
fn a_test_that_waits_while_time_is_paused_is_cancelled() {
    let report = run::<waits_for_nothing_while_time_is_paused>(|settings| {
        settings.deadline("20ms").shrink_evaluations(3).explain(0)
    });
    assert_eq!(report.counterexample.map(|found| found.failure.kind), Some(FailureKind::Deadline));
}

#[inline(never)]
async fn deep_inside(n: u64) {
    Yield(1).await;
    assert!(n < 1000, "too deep");
}

#[forall::test]
#[ignore = "run by its parent"]
async fn child_that_panics_on_our_executor(n: u64) {
    deep_inside(n).await;
}

#[forall::test(runtime = tokio)]
#[ignore = "run by its parent"]
async fn child_that_panics_under_tokio(n: u64) {
    deep_inside(n).await;
}

#[forall::test(runtime = tokio)]
#[ignore = "run by its parent"]
async fn child_whose_task_panics(n: u64) {
    let _ = tokio::spawn(async move { deep_inside(n).await }).await;
}

#[test]
fn the_stack_of_a_panic_is_that_of_the_tested_code_and_not_of_an_executor() {
    for name in ["child_that_panics_on_our_executor", "child_that_panics_under_tokio", "child_whose_task_panics"] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &format!("asynchronous::{name}"), "--ignored", "--nocapture"])
            .envs([("RUST_BACKTRACE", "1"), ("FORALL_STORE", "off")])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let stack = said.split("stack:").nth(1).and_then(|rest| rest.split("replay:").next()).expect("a stack");
        assert!(stack.contains("deep_inside"), "{said}");
        for other in ["catch_unwind", "block_on", "__private", "tokio::runtime"] {
            assert!(!stack.contains(other), "{other} in {said}");
        }
    }
}

#[forall::property(runtime = tokio)]
async fn a_task_that_is_not_awaited(n: u32) {
    tokio::spawn(async move {
        tokio::task::yield_now().await;
        assert!(n < 100, "{n} is too much");
    });
    Yield(3).await;
    tokio::task::yield_now().await;
    tokio::task::yield_now().await;
}

#[test]
fn a_panic_of_a_task_that_is_not_awaited_fails_the_test_and_shrinks() {
    let report = run::<a_task_that_is_not_awaited>(|settings| settings);
    assert_eq!((&report.verdict, shown(&report)), (&Verdict::Failed, vec!["100"]));
    let found = report.counterexample.unwrap();
    assert_eq!((found.failure.kind, &*found.failure.message), (FailureKind::Panic, "100 is too much"));
    assert!(found.failure.location.is_some_and(|place| place.file.ends_with("asynchronous.rs")));
    assert_eq!(
        found.notes,
        ["a task that the test spawned panicked, although the body passed: fix it, or await the task and handle its \
             result. If tasks may panic in this test, write `#[forall::test(runtime = tokio, allow_task_panics)]`"]
    );
}

#[forall::test(runtime = tokio, allow_task_panics, tests = 20)]
async fn tasks_may_panic_where_that_is_allowed(n: u32) {
    let ended = tokio::spawn(async move { panic!("{n} is too much") }).await;
    assert!(ended.is_err_and(|error| error.is_panic()));
}

#[forall::property(runtime = tokio)]
async fn an_awaited_task(n: u32) {
    tokio::spawn(async move { assert!(n < 100, "{n} is too much") }).await.unwrap();
}

#[test]
fn the_place_of_a_panic_in_a_task_is_a_note_where_the_body_fails_for_it() {
    let found = run::<an_awaited_task>(|settings| settings).counterexample.expect("it fails");
    assert!(found.failure.message.contains("JoinError"), "{}", found.failure.message);
    assert!(
        matches!(&found.notes[..], [note] if note.starts_with("a task of this test panicked: 100 is too much, at ")),
        "{:?}",
        found.notes
    );
}

#[forall::property(runtime = tokio)]
async fn panics_where_it_may_block(n: u32) {
    let _ = tokio::task::spawn_blocking(move || {
        note!("on another thread");
        assert!(n < 100, "{n} is too much");
    })
    .await;
}

#[test]
fn threads_of_the_runtime_are_those_of_the_test() {
    let report = run::<panics_where_it_may_block>(|settings| settings);
    assert_eq!((&report.verdict, shown(&report)), (&Verdict::Failed, vec!["100"]));
    let found = report.counterexample.unwrap();
    assert_eq!(found.notes, ["on another thread".to_owned(), forall::run::Fact::TaskPanicked.to_string()]);
}

/// A task that panics on another thread than the test's.
#[forall::test(tests = 100)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[should_panic = "100 is too much"]
async fn panics_of_tasks_on_other_threads_are_seen(n: u32) {
    let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
    tokio::spawn(async move {
        // Dropped when it unwinds: then the panic was seen.
        let _sender = sender;
        assert!(n < 100, "{n} is too much");
    });
    let _ = receiver.await;
}

#[forall::property(runtime = tokio, tests = 100)]
async fn assumes_in_a_task(n: u32) {
    let half = tokio::spawn(async move {
        assume!(n.is_multiple_of(2));
        n / 2
    });
    assert_eq!(half.await.unwrap() * 2, n);
}

#[test]
fn an_assumption_in_a_task_that_is_awaited_discards_the_test() {
    let report = run::<assumes_in_a_task>(|settings| settings);
    assert_eq!(report.verdict, Verdict::Passed);
    assert!(report.statistics.discarded > 10, "{:?}", report.statistics);
}
