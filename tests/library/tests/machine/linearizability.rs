//! The checker of histories: against a check by brute force, and on input that is no history.

use forall::linearizability::{
    Checker, History, JsonValue, Linearizability, Object, Operation, Order, check, read_json_lines,
};
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
            let comes_before = |place: usize| {
                let other = &operations[place];
                // Operations of a process are given in their order.
                let same_and_before = other.process == one.process && place < at;
                let earlier = other.returned.is_some_and(|returned| returned < one.call);
                same_and_before || (order == Order::RealTime && earlier)
            };
            if left.iter().any(|&other| other != at && comes_before(other)) {
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
    go(operations, order, &mut (0..operations.len()).collect(), 0)
}

#[forall::test(tests = 3000)]
fn verdicts_are_those_of_brute_force(
    #[forall(from_fn(histories))] operations: Vec<Operation<Access, u8>>,
    real_time: bool,
) {
    let order = if real_time { Order::RealTime } else { Order::PerProcess };
    let expected = by_brute_force(&operations, order);
    classify!(expected, "linearizable");
    let history = History::new(operations).unwrap();
    let verdict = Checker::new(&Register).order(order).check(&history);
    assert_eq!(verdict.is_linearizable(), expected);
    match verdict {
        Linearizability::Linearizable(found) => {
            let mut state = 0;
            for at in &found {
                let operation = &history.operations()[*at];
                state = Register.apply(&state, &operation.input, operation.output.as_ref()).unwrap();
            }
            let returned = history.operations().iter().filter(|operation| operation.returned.is_some()).count();
            assert!(found.len() >= returned);
        }
        Linearizability::Violation(stuck) => {
            assert!(!stuck.candidates.is_empty());
            assert!(stuck.explain(&Register, &history).contains("can have returned its output"));
        }
        Linearizability::Undecided { .. } => panic!("there is no limit"),
    }
}

#[test]
fn final_states_are_checked() {
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
    let told = |operations| History::<u8, ()>::new(operations).unwrap_err().to_string();
    let backwards = "operation 0 returns before it is called: take both times from one monotonic clock";
    assert_eq!(told(vec![Operation { call: 10, ..add(1, 1) }]), backwards);
    let again = "process 1 calls operation 1 although its operation 0 never returned: give the client a new process number after an \
                 operation with an unknown outcome";
    assert_eq!(told(vec![Operation { returned: None, ..add(1, 1) }, Operation { call: 5, ..add(1, 1) }]), again);
    let at_once = "process 1 calls operation 1 while its operation 0 is pending: give concurrent operations different process numbers";
    assert_eq!(told(vec![add(1, 1), Operation { call: 5, ..add(1, 1) }]), at_once);
    assert!(check(&Even, &History::new(vec![add(1, 1), add(2, 3)]).unwrap()).is_linearizable());
    let odd = History::new(vec![add(1, 1), add(2, 2)]).unwrap();
    let Linearizability::Violation(stuck) = check(&Even, &odd) else { panic!("3 is odd") };
    assert!(stuck.candidates.is_empty());
    let told = "All operations can be explained, but the final state would be 3, which is not allowed.\n";
    assert_eq!(stuck.explain(&Even, &odd), told);
}

#[test]
fn a_history_without_a_first_operation_is_reported() {
    struct Never;
    impl Object for Never {
        type State = u8;
        type Input = u8;
        type Output = ();
        fn initial(&self) -> u8 {
            7
        }
        fn apply(&self, _: &u8, _: &u8, _: Option<&()>) -> Option<u8> {
            None
        }
    }
    let only = vec![Operation { process: 1, input: 3, output: Some(()), call: 0, returned: Some(9) }];
    let history = History::new(only).unwrap();
    let Linearizability::Violation(stuck) = check(&Never, &history) else { panic!("it never answers") };
    let told = "No operation can come first. The state is 7, and none of these can have returned its output:\n";
    assert!(stuck.explain(&Never, &history).starts_with(told));
}

#[test]
fn invalid_history_files_are_reported() {
    let error = |text: &str| read_json_lines(text).unwrap_err().to_string();
    let call = r#"{"process": 1, "type": "invoke", "id": 7, "time": 5}"#;
    for (line, expected) in [
        (r#"{"process": 1, "type": "invoke", "time": 6}"#, "line 2: process 1 makes a call while its call in line 1"),
        (
            r#"{"process": 2, "type": "invoke", "id": 7, "time": 6}"#,
            "line 2: this id is already used by the call in line 1",
        ),
        (
            r#"{"process": 1, "type": "ok", "id": 8, "time": 6}"#,
            "line 2: the id does not match that of the call of process 1",
        ),
        (r#"{"process": 1, "type": "ok", "time": 4}"#, "line 2: the time goes backwards, from 5 to 4"),
        (r#"{"process": 1, "type": "ok"}"#, "line 2: some events have a `time` and others do not"),
        (r#"{"process": 1, "type": "ok", "time": 1.5}"#, "line 2: `time` must be a non-negative integer"),
        (r#"{"process": 1, "type": "ok", "time": -1}"#, "line 2: `time` must be a non-negative integer"),
        (
            r#"{"process": 1, "type": "ok", "time": 18446744073709551616}"#,
            "line 2: `time` is larger than 18446744073709",
        ),
        (r#"{"type": "ok", "time": 6}"#, "line 2: `process` must be a non-negative integer"),
        (r#"{"process": 1, "type": "done", "time": 6}"#, "line 2: `type` must be \"invoke\", \"ok\""),
        (r#"{"process": -1, "type": "ok", "time": 6}"#, "line 2: `process` must be a non-negative integer"),
        (r#"{"process": 2, "type": "ok", "time": 6}"#, "line 2: process 2 returns, but has no pending call"),
        ("[]", "line 2: an event must be a JSON object"),
        ("{", "line 2: expected a string in quotes at column 2"),
    ] {
        let error = error(&format!("{call}\n{line}\n"));
        assert!(error.starts_with(expected), "{line}: {error}");
    }
    let goes_on = r#"
{"process": 1, "type": "invoke"}
{"process": 1, "type": "info"}
{"process": 1, "type": "invoke"}
"#;
    let expected = "line 4: process 1 continues although the outcome of its call in line 2 is unknown";
    assert!(error(goes_on).starts_with(expected), "{}", error(goes_on));
}

#[test]
fn pending_and_failed_operations_are_parsed() {
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

#[test]
fn a_call_at_the_time_of_the_previous_response_may_stay_pending() {
    let text = r#"
{"process": 0, "type": "invoke", "time": 5, "value": "write"}
{"process": 0, "type": "ok", "time": 5}
{"process": 0, "type": "invoke", "time": 5, "value": "read"}
"#;
    assert_eq!(read_json_lines(text).unwrap().operations().len(), 2);
    let at =
        |input, returned: Option<u64>| Operation { process: 0, input, output: returned.map(|_| 0), call: 5, returned };
    let (write, read) = (at(Access::Write(1), Some(5)), at(Access::Read, None));
    for order in [[write.clone(), read.clone()], [read, write]] {
        assert!(check(&Register, &History::new(order.to_vec()).unwrap()).is_linearizable());
    }
    // But in a file the order of the lines says what the process knew.
    let lost = r#"
{"process": 0, "type": "invoke", "time": 5}
{"process": 0, "type": "info", "time": 5}
{"process": 0, "type": "invoke", "time": 5}
{"process": 0, "type": "ok", "time": 5}
"#;
    let error = read_json_lines(lost).unwrap_err().to_string();
    assert!(error.starts_with("line 4: process 0 continues although the outcome"), "{error}");
}

#[test]
fn files_are_read_as_other_programs_write_them() {
    let text = concat!(
        "\u{feff}{\"process\": 0, \"type\": \"invoke\", \"id\": null, \"time\": 18446744073709551614}\r\n",
        "{\"process\": 1, \"type\": \"invoke\", \"id\": null, \"time\": 18446744073709551615}\r\n",
    );
    let calls: Vec<u64> = read_json_lines(text).unwrap().operations().iter().map(|one| one.call).collect();
    assert_eq!(calls, [u64::MAX - 1, u64::MAX]);
    let without = "{\"process\": 0, \"type\": \"invoke\", \"time\": null}";
    assert_eq!(read_json_lines(without).unwrap().operations()[0].call, 0, "the order of the lines");
}

/// Answers what it is asked.
struct Echo;

impl Object for Echo {
    type State = ();
    type Input = JsonValue;
    type Output = JsonValue;

    fn initial(&self) {}

    fn apply(&self, (): &(), input: &JsonValue, output: Option<&JsonValue>) -> Option<()> {
        output.is_none_or(|output| output == input).then_some(())
    }
}

/// A quadratic algorithm would not terminate here: there are 10^10 pairs of operations.
#[test]
#[ignore = "slow: 5 s"]
fn a_long_history_is_read_and_checked_in_time_that_grows_with_its_length() {
    const OPERATIONS: usize = 100_000;
    let mut text = String::new();
    for id in 0..OPERATIONS {
        let process = id % 3;
        text += &format!("{{\"process\":{process},\"type\":\"invoke\",\"id\":{id},\"value\":{id}}}\n");
        text += &format!("{{\"process\":{process},\"type\":\"ok\",\"id\":{id},\"value\":{id}}}\n");
    }
    let history = read_json_lines(&text).unwrap();
    let checker = Checker::new(&Echo);
    for verdict in [checker.check(&history), checker.check_by_key(&history, JsonValue::clone)] {
        let Linearizability::Linearizable(order) = verdict else { panic!("it is in order") };
        assert!(order.into_iter().eq(0..OPERATIONS));
    }
}

/// As many processes as operations, none of which is answered before the last one is called.
#[test]
fn many_processes_with_keys_of_their_own_are_checked_by_key() {
    let calls = (0..100_000u64).map(|process| Operation {
        process,
        input: JsonValue::Number(process.to_string()),
        output: (process % 2 == 0).then(|| JsonValue::Number(process.to_string())),
        call: process,
        returned: (process % 2 == 0).then_some(1_000_000 + process),
    });
    let history = History::new(calls.collect()).unwrap();
    assert!(Checker::new(&Echo).check_by_key(&history, JsonValue::clone).is_linearizable());
}

#[test]
fn invalid_histories_are_reported_with_line_and_advice() {
    let call = r#"{"process": 0, "type": "invoke"}"#;
    let files = [
        "7".to_owned(),
        "{\"process\": 0".to_owned(),
        "{\"process\": 0,, }".to_owned(),
        "{\"process\": 0, \"process\": 1}".to_owned(),
        "{\"process\": 1e}".to_owned(),
        "{\"process\": \"a".to_owned(),
        "{\"process\": \"\\x\"}".to_owned(),
        "{\"process\": \"\u{1}\"}".to_owned(),
        "{\"process\": \"\\ud800\"}".to_owned(),
        format!("{}{}", "[".repeat(1000), "]".repeat(1000)),
        r#"{"type": "invoke"}"#.to_owned(),
        r#"{"process": -1, "type": "invoke"}"#.to_owned(),
        r#"{"process": 18446744073709551616, "type": "invoke"}"#.to_owned(),
        r#"{"process": 0, "type": "call"}"#.to_owned(),
        r#"{"process": 3, "type": "ok"}"#.to_owned(),
        format!("{call}\n\n{call}"),
        format!("{call}\n{}\n{call}", r#"{"process": 0, "type": "info"}"#),
        format!(
            "{}\n{}",
            r#"{"process": 0, "type": "invoke", "id": 1}"#, r#"{"process": 1, "type": "invoke", "id": 1}"#
        ),
        format!("{}\n{}", r#"{"process": 0, "type": "invoke", "id": 1}"#, r#"{"process": 0, "type": "ok", "id": 2}"#),
        format!("{call}\n{}", r#"{"process": 1, "type": "invoke", "time": 5}"#),
        format!(
            "{}\n{}",
            r#"{"process": 0, "type": "invoke", "time": 9}"#, r#"{"process": 1, "type": "invoke", "time": 5}"#
        ),
    ];
    let told: Vec<String> =
        files.iter().map(|text| forall::linearizability::read_json_lines(text).unwrap_err().to_string()).collect();
    insta::assert_snapshot!(told.join("\n"));
}
