//! The checker of histories: against a check by brute force, and on input that is no history.

use forall::linearizability::{Checker, History, Object, Operation, Order, Verdict, check, read_json_lines};
use forall::prelude::*;

/// A register with compare-and-set.
struct Register;

#[derive(Arbitrary, Clone, Debug, PartialEq)]
enum Access {
    Read,
    Write(#[forall(with = 0..3u8)] u8),
    Cas(#[forall(with = 0..3u8)] u8, #[forall(with = 0..3u8)] u8),
}

impl Object for Register {
    type State = u8;
    type Input = Access;
    type Output = u8;

    fn initial(&self) -> u8 {
        0
    }

    /// A read answers the value, a compare-and-set whether it did.
    fn apply(&self, state: &u8, input: &Access, output: Option<&u8>) -> Option<u8> {
        let (answer, after) = match *input {
            Access::Read => (*state, *state),
            Access::Write(value) => (0, value),
            Access::Cas(from, to) => (u8::from(*state == from), if *state == from { to } else { *state }),
        };
        output.is_none_or(|output| *output == answer).then_some(after)
    }

    fn only_reads(&self, input: &Access, output: Option<&u8>) -> bool {
        matches!((input, output), (Access::Read, _) | (Access::Cas(..), Some(0)))
    }
}

/// Short histories of a few processes with answers that are often right.
fn histories(s: &mut Source) -> Vec<Operation<Access, u8>> {
    let mut operations = Vec::new();
    for process in 0..s.draw(1..4u64) {
        let mut time = s.draw(0..6u64);
        for _ in 0..s.draw(0..4usize) {
            let call = time;
            let returns = call + s.draw(0..8u64);
            time = returns + s.draw(0..3u64);
            let lost = s.choice(5) == 5;
            let (input, answer) = (s.draw(any::<Access>()), s.draw(0..3u8));
            let output = (!lost).then_some(if let Access::Write(_) = input { 0 } else { answer });
            operations.push(Operation { process, input, output, call, returned: (!lost).then_some(returns) });
            if lost {
                break;
            }
        }
    }
    operations
}

/// Tries every order of every subset that has all operations that returned.
fn by_brute_force(operations: &[Operation<Access, u8>], order: Order) -> bool {
    fn go(operations: &[Operation<Access, u8>], order: Order, left: &mut Vec<usize>, state: u8) -> bool {
        if left.iter().all(|&at| operations[at].returned.is_none()) {
            return true;
        }
        for index in 0..left.len() {
            let at = left[index];
            let one = &operations[at];
            let comes_before = |other: &Operation<Access, u8>| match order {
                Order::RealTime => {
                    other.returned.is_some_and(|returned| returned < one.call) || same_and_before(other, one)
                }
                Order::PerProcess => same_and_before(other, one),
            };
            if left.iter().any(|&other| other != at && comes_before(&operations[other])) {
                continue;
            }
            let Some(after) = Register.apply(&state, &one.input, one.output.as_ref()) else { continue };
            left.remove(index);
            let found = go(operations, order, left, after);
            left.insert(index, at);
            if found {
                return true;
            }
        }
        false
    }
    /// Of one process, and given before it: operations of a process are given in their order.
    fn same_and_before(other: &Operation<Access, u8>, one: &Operation<Access, u8>) -> bool {
        let key = |operation: &Operation<Access, u8>| (operation.call, operation.returned.unwrap_or(u64::MAX));
        other.process == one.process && key(other) < key(one)
    }
    go(operations, order, &mut (0..operations.len()).collect(), 0)
}

#[forall::test(tests = 3000)]
fn verdicts_are_those_of_brute_force(
    #[forall(from_fn(histories))] operations: Vec<Operation<Access, u8>>,
    real_time: bool,
) {
    // Two operations of one process at the same instant have no order that brute force knows.
    assume!(operations.iter().all(|one| one.returned.is_none_or(|returned| returned > one.call)));
    let order = if real_time { Order::RealTime } else { Order::PerProcess };
    let expected = by_brute_force(&operations, order);
    classify!(expected, "linearizable");
    let history = History::new(operations).unwrap();
    let verdict = Checker::new(&Register).order(order).check(&history);
    assert_eq!(verdict.is_linearizable(), expected);
    match verdict {
        Verdict::Linearizable(found) => {
            let mut state = 0;
            for at in &found {
                let operation = &history.operations()[*at];
                state = Register.apply(&state, &operation.input, operation.output.as_ref()).unwrap();
            }
            let returned = history.operations().iter().filter(|operation| operation.returned.is_some()).count();
            assert!(found.len() >= returned);
        }
        Verdict::Violation(stuck) => {
            assert!(!stuck.candidates.is_empty());
            assert!(stuck.explain(&Register, &history).contains("could have answered what it did"));
        }
        Verdict::Undecided { .. } => panic!("there is no limit"),
    }
}

#[test]
fn an_object_that_must_not_end_in_a_state_is_told_apart() {
    struct Even;
    impl Object for Even {
        type State = u8;
        type Input = u8;
        type Output = ();
        fn initial(&self) -> u8 {
            0
        }
        fn apply(&self, state: &u8, add: &u8, _: Option<&()>) -> Option<u8> {
            Some(state + add)
        }
        fn may_end(&self, state: &u8) -> bool {
            state.is_multiple_of(2)
        }
    }
    let add = |process, input| Operation { process, input, output: Some(()), call: 0, returned: Some(9) };
    assert!(check(&Even, &History::new(vec![add(1, 1), add(2, 3)]).unwrap()).is_linearizable());
    let odd = History::new(vec![add(1, 1), add(2, 2)]).unwrap();
    let Verdict::Violation(stuck) = check(&Even, &odd) else { panic!("3 is odd") };
    assert!(stuck.candidates.is_empty());
    assert!(stuck.explain(&Even, &odd).contains("then the state is 3, which it must not be at the end"));
}

#[test]
fn files_that_are_no_histories_get_clear_errors() {
    let error = |text: &str| read_json_lines(text).unwrap_err().to_string();
    let call = r#"{"process": 1, "type": "invoke", "id": 7, "time": 5}"#;
    for (line, expected) in [
        (
            r#"{"process": 1, "type": "invoke", "time": 6}"#,
            "line 2: process 1 calls something while its call of line 1",
        ),
        (r#"{"process": 2, "type": "invoke", "id": 7, "time": 6}"#, "line 2: the id of line 1 stands for another call"),
        (r#"{"process": 1, "type": "ok", "id": 8, "time": 6}"#, "line 2: the id is not that of the call of process 1"),
        (r#"{"process": 1, "type": "ok", "time": 4}"#, "line 2: the clock goes backwards, from 5 to 4"),
        (r#"{"process": 1, "type": "ok"}"#, "line 2: some events have a `time` and others have none"),
        (r#"{"process": 1, "type": "ok", "time": 1.5}"#, "line 2: `time` must be a whole number"),
        (r#"{"process": 1, "type": "done", "time": 6}"#, "line 2: `type` must be \"invoke\", \"ok\""),
        (r#"{"process": -1, "type": "ok", "time": 6}"#, "line 2: `process` must be a whole number"),
        (r#"{"process": 2, "type": "ok", "time": 6}"#, "line 2: process 2 is answered, but has called nothing"),
        ("[]", "line 2: an event is an object"),
        ("{", "line 2: a text in quotes is expected at column 2"),
    ] {
        let error = error(&format!("{call}\n{line}\n"));
        assert!(error.starts_with(expected), "{line}: {error}");
    }
    let goes_on = r#"
{"process": 1, "type": "invoke"}
{"process": 1, "type": "info"}
{"process": 1, "type": "invoke"}
"#;
    let expected = "line 4: process 1 goes on although nobody knows what became of its call of line 2";
    assert!(error(goes_on).starts_with(expected), "{}", error(goes_on));
}

#[test]
fn what_never_returned_or_failed_is_read_as_such() {
    let text = r#"
{"process": 1, "type": "invoke", "value": "lost"}
{"process": 2, "type": "invoke", "value": "failed"}

{"process": 2, "type": "fail"}
{"process": 2, "type": "invoke", "value": "done"}
{"process": 2, "type": "ok", "value": 3}
"#;
    let history = read_json_lines(text).unwrap();
    let names: Vec<_> = history.operations().iter().map(|operation| operation.input.as_str().unwrap()).collect();
    assert_eq!(names, ["lost", "done"]);
    assert_eq!(history.operations()[0].returned, None);
    assert!(read_json_lines("").unwrap().operations().is_empty());
}
