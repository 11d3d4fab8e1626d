//! Everything that is written is read back unchanged, and the wire format stays compatible.

use super::*;
use crate::generate::{Generator, from_fn};
use crate::json::{JsonValue, quoted};
use crate::run::Case;
use std::fmt::Debug;

/// A line of each event, as programs outside of this repository may read it.
const EVENTS: &[&str] = &[
    r#"{"v":1,"event":"started","property":"a::b","file":"src/lib.rs","line":7,"seed":"0x1f","tests":18446744073709551615,"runner":"targeted","threads":2,"time_limit":0.5,"at":1700000000.25}"#,
    r#"{"v":1,"event":"replaying","property":"a::b","origin":".forall/1.case"}"#,
    r#"{"v":1,"event":"replayed","property":"a::b","origin":".forall/1.case","outcome":"still fails","fact":{"name":"still-fails","text":"still fails","origin":"1.case"}}"#,
    r#"{"v":1,"event":"failed","property":"a::b","case":"2-x","message":"it \"fails\"\n\u001b[31m"}"#,
    r#"{"v":1,"event":"shrunk","property":"a::b","case":"2-x","evaluations":9,"pass":"zero","values":[{"name":"n","type":"u8","text":"7"}]}"#,
    r#"{"v":1,"event":"tried","property":"a::b","evaluations":9,"pass":"zero","outcome":"passed","values":[]}"#,
    r#"{"v":1,"event":"drawn","property":"a::b","picture":{"prefix":[],"branches":[[{"command":"pop","response":null,"from":0,"to":2}],[]]}}"#,
    r#"{"v":1,"event":"quoted","property":"a::b","tests":64,"complete":true}"#,
    r#"{"v":1,"event":"explained","property":"a::b","claims":1,"evaluations":40}"#,
    r#"{"v":1,"event":"kept","property":"a::b","path":".forall/1.case"}"#,
    r#"{"v":1,"event":"searched","property":"a::b","depth":3,"evaluations":15,"inputs":null,"complete":false}"#,
    r#"{"v":1,"event":"warned","property":"a::b","text":"few tests","fact":{"name":"few","text":"few tests","tests":1,"percent":0.5,"flaky":true,"names":["a"],"limit":null}}"#,
    r#"{"v":1,"event":"urgent","property":"a::b","text":"still running","fact":{"name":"still-running","text":"still running","index":3}}"#,
    r#"{"v":1,"event":"sampled","property":"a::b","index":0,"size":30,"values":[],"discarded":true}"#,
    r#"{"v":1,"event":"profiled","property":"a::b","inputs":2,"duplicates":1,"draws":[{"variable":"n","seconds":0.5,"slowest":0.25,"test":4}]}"#,
    r#"{"v":1,"event":"step","property":"a::b","number":1,"of":2,"values":[]}"#,
    r#"{"v":1,"event":"measured","property":"a::b","tests":10,"seconds":1.5,"generating":1}"#,
    r#"{"v":1,"event":"finished","property":"a::b","verdict":"failed","why":null,"fact":null,"valid":3,"discarded":1,"inputs":null,"seed":"0x1f","time":0.5,"labels":{"even":2},"tables":{"digits":{"1":3}},"covers":{"odd":{"percent":20,"hits":1}},"features":{"n":{"7":3}},"warnings":["w"],"facts":[{"name":"w","text":"w"}],"workers":[2,2],"counterexample":{"case":"2-x","found":"random","values":[{"name":"n","type":"u8","text":"7"}],"message":"m","location":"src/lib.rs:9:5","notes":["n"],"caveats":[],"claims":[{"variable":null,"whole":false,"text":"c","runs":40,"every":true,"together":false}],"stored":null,"shrinking":{"accepted":1,"evaluations":9,"time":0.5,"passes":[{"name":"zero","tried":4,"accepted":1}]},"reruns":{"runs":0,"failed":0}},"text":"report"}"#,
];

#[test]
fn events_on_the_wire_keep_their_form() {
    for line in EVENTS {
        let told = Told::read(line).unwrap().unwrap_or_else(|| panic!("not read: {line}"));
        assert_eq!(told.encode(), *line);
    }
}

#[test]
fn lines_on_stdout_are_read_after_output_of_the_harness() {
    fn keeps<T: Line + Decode>(line: &str) {
        let read = T::find(&format!("test a ... {line}\n")).unwrap_or_else(|| panic!("not read: {line}"));
        assert_eq!(read.line(), line);
    }
    keeps::<Library>(r#"forall-library {"v":1,"forall":"0.1.0"}"#);
    keeps::<Library>(r#"forall-library {"v":1,"forall":"0.1.0","runners":["downwards"]}"#);
    keeps::<Listed>(r#"forall-property {"name":"a::b","file":"src/lib.rs","line":7,"test":true}"#);
    keeps::<Listed>(
        r#"forall-property {"name":"a::b","file":"src/lib.rs","line":7,"test":true,"package":"a","runner":"generational","tests":256,"serial":false,"should_panic":false,"run_by":"tests::b"}"#,
    );
    keeps::<Answer>(
        r#"forall-result {"property":"a::b","verdict":"failed","valid":3,"discarded":0,"seed":18446744073709551615,"kept":true,"case":"2-x"}"#,
    );
    keeps::<Status>(
        r#"forall-status {"phase":"searching","executions":7,"edges":3,"places":9,"corpus":2,"elapsed":12000,"last_new":null}"#,
    );
    keeps::<Problem>("forall-problem inputs are not kept: disk full");
    assert_eq!(Problem("two\nlines".to_owned()).line(), "forall-problem two lines");
    assert_eq!(Status::find("what a test printed"), None);
    assert_eq!(Status::find(r#"forall-status {"phase":"#), None, "a line that is cut off is none");
}

#[test]
fn tests_on_the_wire_keep_their_form() {
    let line = r#"{"type":"test_case","run_start":1.5,"property":"a::b","status":"passed","status_reason":"","representation":"b(\n    n = 7,\n)","arguments":{"n":"7"},"how_generated":"at random","features":{"size":30,"kind":"a"},"coverage":null,"timing":{"execute:test":0.5},"metadata":{"stands_for":1,"labels":["even"]}}"#;
    assert_eq!(TestCase::read(line).unwrap().encode(), line);
}

#[test]
fn another_version_is_rejected_by_name() {
    let line = |version: &str| format!(r#"{{"v":{version},"event":"warned","property":"a","text":"x"}}"#);
    assert!(matches!(Told::read(&line("1")), Ok(Some(_))));
    assert_eq!(Told::read(&line("2")), Err(OtherVersion(2)));
    assert_eq!(Told::read(r#"{"event":"warned","property":"a","text":"x"}"#), Err(OtherVersion(0)));
}

#[test]
fn fields_and_events_of_later_versions_are_skipped() {
    assert_eq!(Told::read(r#"{"v":1,"event":"danced","property":"a"}"#), Ok(None));
    let told = Told::read(r#"{"v":1,"mood":[1],"event":"warned","property":"a","text":"x","code":{"a":1}}"#);
    let warned = Warned { text: "x".to_owned(), fact: None }.into();
    assert_eq!(told, Ok(Some(Told { property: "a".to_owned(), event: warned })));
    let listed = Listed::read(r#"{"name":"a","mood":"good"}"#).unwrap();
    assert_eq!(listed, Listed { name: "a".to_owned(), ..Listed::default() });
    let answer = Answer::read(r#"{"verdict":"delighted"}"#).unwrap();
    assert_eq!(answer.verdict, Verdict::Unknown);
    assert!(!answer.verdict.is_success());
}

#[test]
fn every_keyword_round_trips() {
    fn same<T: Encode + Decode + Copy + Debug + PartialEq>(all: &[T]) {
        for word in all {
            assert_eq!(T::read(&word.encode()).as_ref(), Some(word));
        }
    }
    same(Verdict::ALL);
    same(Phase::ALL);
    same(Found::ALL);
}

/// Keys of all records, so that many fields of a random object mean something.
fn keys() -> Vec<String> {
    fn collect(json: &JsonValue, keys: &mut Vec<String>) {
        match json {
            JsonValue::Object(fields) => {
                for (key, value) in fields {
                    keys.push(key.clone());
                    collect(value, keys);
                }
            }
            JsonValue::Array(items) => items.iter().for_each(|item| collect(item, keys)),
            _ => {}
        }
    }
    let mut keys = vec!["searched".to_owned()];
    for line in EVENTS {
        collect(&JsonValue::read(line).unwrap(), &mut keys);
    }
    keys.sort();
    keys.dedup();
    keys
}

/// JSON in one line, with the keys of the protocol in its objects.
fn json(source: &mut crate::choice::Source, keys: &[String], depth: u32) -> String {
    let most = if depth == 0 { 4 } else { 6 };
    match source.draw(0..=most) {
        0 => "null".to_owned(),
        1 => source.draw(crate::generate::any::<bool>()).to_string(),
        2 => source.draw(crate::generate::any::<u64>()).to_string(),
        3 => source.draw(crate::generate::any::<f64>()).encode(),
        4 => quoted(&source.draw(crate::generate::any::<String>())),
        5 => {
            let items: Vec<String> = (0..source.draw(0..3usize)).map(|_| json(source, keys, depth - 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => {
            let mut object = crate::json::Object::new();
            for _ in 0..source.draw(0..12usize) {
                let key = source.draw(0..keys.len());
                object.raw(&keys[key], &json(source, keys, depth - 1));
            }
            object.end()
        }
    }
}

fn any_json() -> impl Generator<Value = String> {
    let keys = keys();
    from_fn(move |source| json(source, &keys, 3))
}

/// Checks that a value read from the text is unchanged after writing and reading it again.
fn settles<T: Decode + Encode + PartialEq + Debug>(text: &str) {
    if let Some(read) = T::read(text) {
        let written = read.encode();
        assert_eq!(T::read(&written), Some(read), "{written}");
        assert!(!written.contains('\n'), "{written}");
    }
}

#[forall::test(crate = crate)]
fn whatever_is_read_is_written_and_read_as_the_same(#[forall(any_json())] text: String) {
    settles::<Listed>(&text);
    settles::<Answer>(&text);
    settles::<Status>(&text);
    settles::<TestCase>(&text);
    for line in EVENTS {
        let event = Told::read(line).unwrap().unwrap().event.word();
        let Some(rest) = text.strip_prefix('{').filter(|rest| *rest != "}") else { continue };
        let line = format!(r#"{{"v":1,"event":"{event}","property":"p",{rest}"#);
        let told = Told::read(&line).unwrap().unwrap_or_else(|| panic!("not read: {line}"));
        assert_eq!(Told::read(&told.encode()), Ok(Some(told)), "{line}");
    }
}

#[forall::test(crate = crate)]
fn no_text_is_misread_or_makes_the_reader_panic(text: String, #[forall(0..EVENTS.len())] at: usize, cut: usize) {
    let _ = Told::read(&text);
    let line = EVENTS[at];
    assert_eq!(Told::read(&line[..cut % line.len()]), Ok(None), "a line that is cut off is no event");
}

#[forall::test(crate = crate)]
fn requests_are_read_as_they_were_written(
    #[forall(0..10u8)] verb: u8,
    name: String,
    numbers: (u64, u64),
    choices: Vec<u64>,
) {
    // Names have no leading or trailing blanks and no NUL characters: see `unusable_name` in `run/prepared.rs`.
    let property = name.split_whitespace().collect::<Vec<_>>().join(" ");
    crate::assume!(!property.is_empty());
    let case = |choices: &[u64]| {
        let sequence = crate::choice::Sequence::from_values(30, choices);
        Case::from_text(&Case { sequence, steps: Vec::new() }.to_text()).unwrap()
    };
    let request = match verb {
        0 => Request::List,
        8 => Request::Names,
        1 => Request::Run { property, indices: numbers.0..numbers.1 },
        2 => Request::Keep { property },
        3 => Request::Replay {
            property,
            case: case(&choices),
            shape: numbers.0,
            before: vec![case(&[]), case(&choices)],
        },
        4 => Request::Fuzz { property },
        5 => Request::Crashed { property, how: Death::Signal((numbers.0 % 64) as i32) },
        6 => Request::Sample { property, count: numbers.0 },
        7 => Request::Bench { property, count: numbers.0 },
        _ => Request::Isolated { property, run: numbers.0, worker: numbers.1 as usize },
    };
    assert_eq!(Request::read(&request.to_string()), Ok(Some(request)));
}

#[test]
fn deaths_are_read_as_they_were_written() {
    for death in [Death::Signal(11), Death::Exit(3), Death::Hung(10_000)] {
        assert_eq!(Death::read(&death.to_string()), Some(death));
    }
    assert_eq!([Death::read("signal"), Death::read("bored-3"), Death::read("exit--1")], [None; 3]);
}

#[test]
fn the_file_determines_whether_an_input_is_running() {
    let start = |state: u64| -> [u8; 16] { [state, 5].map(u64::to_le_bytes).as_flattened().try_into().unwrap() };
    assert_eq!((running::pulse(&start(running::RUNNING)), running::pulse(&start(running::IDLE))), (Some(5), None));
}
