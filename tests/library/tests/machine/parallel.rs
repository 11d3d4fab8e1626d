use super::support::*;
use forall::machine::{Parallel, Provoke, Ref, Results, Shared, Spec, Tuning, refute};
use forall::prelude::*;
use forall::property::FailureKind;
use forall::run::Settings;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A specification that is another one but for some methods.
macro_rules! delegate {
    ($name:ty, $other:expr, { $($method:item)* }) => {
        impl Spec for $name {
            type Command = Queued;
            type Model = Vec<u8>;
            type System = Arc<Mutex<std::collections::VecDeque<u8>>>;
            type Response = Option<usize>;
            fn model(&self) -> Vec<u8> {
                $other.model()
            }
            fn generate(&self, model: &Vec<u8>, source: &mut Source) -> Queued {
                $other.generate(model, source)
            }
            fn next(&self, model: &mut Vec<u8>, command: &Queued) {
                $other.next(model, command)
            }
            fn system(&self) -> Self::System {
                $other.system()
            }
            fn run(&self, system: &mut Self::System, command: &Queued) -> Option<usize> {
                $other.run(system, command)
            }
            fn postcondition(&self, model: &Vec<u8>, command: &Queued, response: &Option<usize>) -> bool {
                $other.postcondition(model, command, response)
            }
            $($method)*
        }
        impl Shared for $name {
            fn share(&self, system: &mut Self::System) -> Self::System {
                Arc::clone(system)
            }
        }
    };
}

#[test]
fn a_queue_behind_a_lock_is_linearizable() {
    let property = property! { forall program: Parallel<QueueSpec<NO_BUG>>; check program.check() };
    let report = report_with(&property, Settings::new().tests(40));
    assert!(report.verdict.is_success(), "{:?}", report.counterexample);
}

/// A bell that counts how many of it are made: one for each time that a program is run.
struct Bell(AtomicBool);

static BELLS: AtomicU64 = AtomicU64::new(0);

impl Bell {
    fn new() -> Self {
        BELLS.fetch_add(1, Ordering::Relaxed);
        Self(AtomicBool::new(false))
    }

    fn ring(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }
}

#[derive(Clone, Default, PartialEq)]
struct Rung(bool);

impl Rung {
    fn ring(&mut self) -> bool {
        std::mem::replace(&mut self.0, true)
    }
}

forall::machine! {
    spec BellSpec for shared Bell = Bell::new(), like Rung = Rung::default();
    tuning Tuning { repetitions: 3, at_least: Duration::ZERO, ..Tuning::default() };
    fn ring() -> bool;
}

#[test]
fn a_program_that_a_runner_chose_is_repeated_no_more_than_others() {
    let property = property! { forall program: Parallel<BellSpec>; check program.check() };
    for runner in ["generational", "targeted", "combinatorial", "constructors"] {
        let before = BELLS.load(Ordering::Relaxed);
        let report = report_with(&property, Settings::new().seed(1).tests(3).runner(runner));
        assert!(report.verdict.is_success(), "{runner}: {:?}", report.counterexample);
        let bells = BELLS.load(Ordering::Relaxed) - before;
        assert!((3..=9).contains(&bells), "{runner}: {bells} bells for 3 tests");
    }
}

#[test]
#[ignore = "slow: 19 s"]
fn a_race_is_found_and_shrunk_to_few_commands() {
    let property = property! { forall program: Parallel<QueueSpec<RACES>>; check program.check() };
    let start = Instant::now();
    let report = refute("a racing queue", &property, Settings::new().tests(200));
    let counterexample = report.counterexample.unwrap();
    let text = counterexample.bindings[0].printed.text().to_owned();
    let commands = text.matches("Queued::").count();
    assert!(commands <= 4, "{commands} commands: {text}, {:?}", start.elapsed());
    assert!(counterexample.failure.message.starts_with("no order of the commands explains the responses\n\n"));
}

#[test]
fn a_panic_in_a_branch_is_an_error() {
    let property = property! { forall program: Parallel<QueueSpec<PANICS>>; check program.stress() };
    let failure = report(&property, 1).counterexample.unwrap().failure;
    assert_eq!(failure.kind, FailureKind::Panic);
    assert!(failure.message.starts_with("nothing to pop\n(the system panicked in Pop"), "{}", failure.message);
}

#[test]
fn three_branches_run_at_once() {
    let property = property! { forall program: Parallel<QueueSpec<NO_BUG>, 3>; check program.check() };
    let report = report_with(&property, Settings::new().tests(20));
    assert!(report.verdict.is_success(), "{:?}", report.counterexample);
}

#[test]
#[ignore = "slow: 5 s"]
fn provoking_races_does_not_fail_a_correct_system() {
    #[derive(Clone, Default)]
    struct Provoked;
    delegate!(Provoked, QueueSpec::<NO_BUG>, {
        fn tuning(&self) -> Tuning {
            let provoke = Provoke { jitter: true, pauses: true, pin: true, signals: true };
            Tuning { provoke, ..Tuning::short() }
        }
    });
    let property = property! { forall program: Parallel<Provoked, 3>; check program.check() };
    let report = report_with(&property, Settings::new().tests(3));
    assert!(report.verdict.is_success(), "{:?}", report.counterexample);
}

#[test]
#[ignore = "slow: 16 s"]
fn interrupts_find_races_that_are_missed_otherwise() {
    #[derive(Clone, Default)]
    struct Interrupted;
    delegate!(Interrupted, QueueSpec::<RACES>, {
        fn tuning(&self) -> Tuning {
            Tuning { provoke: Provoke { signals: true, ..Provoke::default() }, ..Tuning::default() }
        }
    });
    let property = property! { forall program: Parallel<Interrupted>; check program.check() };
    refute("an interrupted queue", &property, Settings::new().tests(500).size(20));
}

#[test]
fn branches_may_have_generators_of_their_own() {
    /// The first branch pushes, the others pop; nothing else.
    #[derive(Clone, Default)]
    struct Roles;
    delegate!(Roles, QueueSpec::<NO_BUG>, {
        fn generate_in(&self, branch: usize, _: &Vec<u8>, source: &mut Source) -> Queued {
            if branch == 0 { Queued::Push(source.draw(0..9)) } else { Queued::Pop }
        }
    });
    let mut seen = 0;
    for index in 0..50 {
        let program = Source::random(1, index, 50).draw(any::<Parallel<Roles, 3>>());
        let text = format!("{program:?}");
        let branches = text.split_once("branches: ").unwrap().1;
        let (first, others) = branches.trim_start_matches('[').split_once("], [").unwrap();
        assert!(!first.contains("Pop") && !others.contains("Push"), "{text}");
        seen += usize::from(first.contains("Push") && others.contains("Pop"));
    }
    assert!(seen > 20);
}

/// A flag that may be taken down only when it is up.
#[derive(Clone, Default)]
struct Flag;

impl Spec for Flag {
    type Command = bool;
    type Model = bool;
    type System = Arc<AtomicBool>;
    type Response = bool;

    fn model(&self) -> bool {
        false
    }

    fn generate(&self, up: &bool, source: &mut Source) -> bool {
        if source.choice(3) == 0 { *up } else { !*up }
    }

    fn precondition(&self, up: &bool, command: &bool) -> bool {
        up != command
    }

    fn next(&self, up: &mut bool, command: &bool) {
        *up = *command;
    }

    fn system(&self) -> Arc<AtomicBool> {
        Arc::default()
    }

    fn run(&self, system: &mut Arc<AtomicBool>, command: &bool) -> bool {
        system.swap(*command, Ordering::SeqCst)
    }

    fn postcondition(&self, up: &bool, _: &bool, response: &bool) -> bool {
        up == response
    }
}

impl Shared for Flag {
    fn share(&self, system: &mut Arc<AtomicBool>) -> Arc<AtomicBool> {
        Arc::clone(system)
    }
}

#[test]
fn preconditions_hold_in_every_interleaving() {
    // Up in one branch and down in another is allowed in one order only, so that no program has commands in two branches.
    let property = property! {
        forall program: Parallel<Flag>;
        check {
            let text = format!("{program:?}");
            let branches = text.split_once("branches: [[").unwrap().1;
            assert!(branches.starts_with("], [") || branches.ends_with(", []] }"), "{text}");
            program.check()
        }
    };
    let report = report_with(&property, Settings::new().tests(30));
    assert!(report.verdict.is_success(), "{:?}", report.counterexample);
}

/// Two flags that are set and then read: a write of one processor may not be visible to the other yet.
#[derive(Clone, Default)]
struct Flags;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Flagged {
    Set(usize),
    Get(usize),
}

impl Spec for Flags {
    type Command = Flagged;
    type Model = [bool; 2];
    type System = Arc<[AtomicBool; 2]>;
    type Response = bool;

    fn model(&self) -> [bool; 2] {
        [false; 2]
    }

    fn generate(&self, _: &[bool; 2], source: &mut Source) -> Flagged {
        let which = source.draw(0..2usize);
        if source.choice(1) == 0 { Flagged::Get(which) } else { Flagged::Set(which) }
    }

    fn next(&self, model: &mut [bool; 2], command: &Flagged) {
        if let Flagged::Set(which) = command {
            model[*which] = true;
        }
    }

    fn system(&self) -> Arc<[AtomicBool; 2]> {
        Arc::default()
    }

    fn run(&self, system: &mut Arc<[AtomicBool; 2]>, command: &Flagged) -> bool {
        match command {
            Flagged::Set(which) => {
                system[*which].store(true, Ordering::Relaxed);
                true
            }
            Flagged::Get(which) => system[*which].load(Ordering::Relaxed),
        }
    }

    fn postcondition(&self, model: &[bool; 2], command: &Flagged, response: &bool) -> bool {
        match command {
            Flagged::Set(_) => true,
            Flagged::Get(which) => model[*which] == *response,
        }
    }
}

impl Shared for Flags {
    fn share(&self, system: &mut Arc<[AtomicBool; 2]>) -> Arc<[AtomicBool; 2]> {
        Arc::clone(system)
    }
}

#[test]
fn relaxed_flags_are_linearizable_command_by_command() {
    // The fences around commands are what makes this so: times mean something only with them.
    let property = property! { forall program: Parallel<Flags>; check program.check() };
    let report = report_with(&property, Settings::new().tests(60).size(20));
    assert!(report.verdict.is_success(), "{:?}", report.counterexample);
}

#[test]
fn a_failure_can_be_rendered_as_svg() {
    let program =
        Parallel::<QueueSpec<PANICS>>::of(vec![Queued::Push(1)], vec![vec![Queued::Pop, Queued::Pop], vec![]]);
    let ran = program.run();
    let svg = ran.picture.expect("it panics each time").svg();
    assert!(svg.contains("Pop : Some(1)") && svg.contains("Pop : panicked: nothing to pop"), "{svg}");
    assert_eq!((svg.matches("<rect").count(), svg.matches("</svg>").count()), (2, 1));
}

#[test]
fn branches_refer_to_the_prefix_and_to_themselves() {
    /// Tickets are taken, and handed back by what was returned.
    #[derive(Clone, Default)]
    struct Tickets;
    #[derive(Clone, Debug)]
    enum Command {
        Take,
        Back(Ref),
        BackNumber(u64),
    }
    impl Spec for Tickets {
        type Command = Command;
        type Model = Vec<Ref>;
        type System = Arc<Mutex<(u64, Vec<u64>)>>;
        type Response = Option<u64>;
        fn model(&self) -> Vec<Ref> {
            Vec::new()
        }
        fn generate(&self, out: &Vec<Ref>, source: &mut Source) -> Command {
            match out.is_empty() || source.choice(1) == 0 {
                true => Command::Take,
                false => Command::Back(source.draw(elements(out.clone()))),
            }
        }
        fn precondition(&self, out: &Vec<Ref>, command: &Command) -> bool {
            !matches!(command, Command::Back(ticket) if !out.contains(ticket))
        }
        fn next(&self, out: &mut Vec<Ref>, command: &Command) {
            if let Command::Back(ticket) = command {
                out.retain(|other| other != ticket);
            }
        }
        fn bind(&self, out: &mut Vec<Ref>, command: &Command, result: Ref) {
            if let Command::Take = command {
                out.push(result);
                // The order in which the branches took theirs does not matter.
                out.sort();
            }
        }
        fn resolve(&self, command: &Command, results: &Results<'_, Option<u64>>) -> Option<Command> {
            match command {
                Command::Back(ticket) => results.get(*ticket).map(Command::BackNumber),
                _ => None,
            }
        }
        fn system(&self) -> Self::System {
            Arc::default()
        }
        fn run(&self, system: &mut Self::System, command: &Command) -> Option<u64> {
            let (next, out) = &mut *system.lock().unwrap();
            match command {
                Command::Take => {
                    *next += 1;
                    out.push(*next);
                    Some(*next)
                }
                Command::BackNumber(ticket) => {
                    let at = out.iter().position(|out| out == ticket).expect("it is out");
                    out.remove(at);
                    None
                }
                Command::Back(_) => unreachable!("it was resolved"),
            }
        }
        fn postcondition(&self, _: &Vec<Ref>, command: &Command, response: &Option<u64>) -> bool {
            response.is_some() == matches!(command, Command::Take)
        }
        fn at_end(&self, out: &Vec<Ref>, system: &mut Self::System) -> Result<(), String> {
            let really = system.lock().unwrap().1.len();
            if really == out.len() { Ok(()) } else { Err(format!("{really} are out")) }
        }
    }
    impl Shared for Tickets {
        fn share(&self, system: &mut Self::System) -> Self::System {
            Arc::clone(system)
        }
    }
    let property = property! { forall program: Parallel<Tickets>; check program.check() };
    let report = report_with(&property, Settings::new().tests(30).size(20));
    assert!(report.verdict.is_success(), "{:?} {:?}", report.verdict, report.counterexample);
    // A branch also uses handles that it took itself, in both branches.
    let (mut first, mut second) = (0, 0);
    for index in 0..50 {
        let text = format!("{:?}", Source::random(1, index, 50).draw(any::<Parallel<Tickets>>()));
        first += usize::from(text.contains("Back(#b1."));
        second += usize::from(text.contains("Back(#b2."));
    }
    assert!(first > 10 && second > 10, "{first} {second}");
}

#[test]
#[ignore = "slow: 10 s"]
fn the_test_to_paste_makes_the_same_checks() {
    let pasted = |property: &dyn forall::property::Property| {
        let report = report_with(property, Settings::new().seed(1).explain(0));
        report.counterexample.unwrap().notes.join("\n")
    };
    let stressed = property! { forall program: Parallel<QueueSpec<PANICS>>; check program.stress() };
    let notes = pasted(&stressed);
    assert!(
        notes.contains("Parallel::<QueueSpec<3>, 2>::of(vec![Queued::Pop], vec![vec![], vec![]]).test_stress();"),
        "{notes}"
    );
    let weaker =
        property! { forall program: Parallel<QueueSpec<FORGETS>>; check program.check_sequential_consistency() };
    let notes = pasted(&weaker);
    assert!(notes.contains(".test_sequential_consistency();\n}"), "{notes}");
    let checked = property! { forall program: Parallel<QueueSpec<FORGETS>>; check program.check() };
    let notes = pasted(&checked);
    assert!(notes.contains(").test();\n}"), "{notes}");
}

#[test]
fn a_pasted_test_fails_in_the_same_way() {
    let one = || {
        Parallel::<QueueSpec<FORGETS>>::of(
            vec![1, 2, 3, 4].into_iter().map(Queued::Push).collect(),
            vec![vec![Queued::Len]],
        )
    };
    one().test_stress();
    for test in [Parallel::test, Parallel::test_sequential_consistency] {
        let payload = std::panic::catch_unwind(|| test(&one())).unwrap_err();
        let text = payload.downcast_ref::<String>().unwrap();
        assert!(text.starts_with("no order of the commands explains the responses"), "{text}");
    }
}

/// Commands of the prefix pass, and those of branches fail.
#[derive(Default)]
struct FailsInBranches;

impl Spec for FailsInBranches {
    type Command = bool;
    type Model = ();
    type System = ();
    type Response = bool;
    fn model(&self) {}
    fn generate(&self, _: &(), _: &mut Source) -> bool {
        true
    }
    fn generate_in(&self, _: usize, _: &(), _: &mut Source) -> bool {
        false
    }
    fn next(&self, _: &mut (), _: &bool) {}
    fn system(&self) {}
    fn run(&self, _: &mut (), passes: &bool) -> bool {
        *passes
    }
    fn postcondition(&self, _: &(), _: &bool, response: &bool) -> bool {
        *response
    }
    fn tuning(&self) -> Tuning {
        Tuning { prefix: 2, branch: 2, repetitions: 1, ..Tuning::default() }
    }
    fn code(&self, command: &bool) -> Option<String> {
        Some(command.to_string())
    }
}

impl Shared for FailsInBranches {
    fn share(&self, _: &mut ()) {}
}

#[test]
fn a_full_prefix_shrinks_to_an_empty_one() {
    let property = property! { forall program: Parallel<FailsInBranches>; check program.check() };
    for seed in 0..8 {
        let report = report_with(&property, Settings::new().seed(seed));
        let program = report.counterexample.expect("it fails").bindings[0].printed.text().to_owned();
        assert_eq!(program.matches("true").count(), 0, "seed {seed}: {program}");
    }
}
