use super::*;
use crate::json::read;

#[test]
fn rejected_candidates_belong_to_the_next_step() {
    let event = |kind: &str, n: u64| {
        let line = json!({"v": protocol::VERSION, "event": kind, "evaluations": n, "pass": "zero", "outcome": "passed", "values": [{"name": "n", "text": n.to_string()}]});
        protocol::Told::read(&line.to_string()).unwrap().unwrap().event
    };
    let events = [event("tried", 1), event("tried", 2), event("shrunk", 3), event("shrunk", 4), event("tried", 5)];
    let steps = steps(&events, usize::MAX);
    let tried: Vec<usize> =
        steps.as_array().unwrap().iter().map(|step| step["tried"].as_array().unwrap().len()).collect();
    assert_eq!(tried, [2, 0, 1]);
    assert_eq!(steps[0]["tried"][1]["values"], "n = 2");
    let many: Vec<Event> = (0..1000).map(|n| event("shrunk", n)).collect();
    let steps = super::steps(&many, usize::MAX);
    assert_eq!(steps.as_array().unwrap().len(), STEPS + 1);
    assert_eq!(steps[STEPS / 2]["left_out"], 1000 - STEPS);
    let few = super::steps(&many, 1000);
    assert!(few.to_string().len() < 1200 && few.as_array().unwrap().len() > 6, "{few}");
    let numbers: Vec<u64> = few.as_array().unwrap().iter().filter_map(|step| step["run"].as_u64()).collect();
    assert_eq!((numbers.first(), numbers.last()), (Some(&0), Some(&999)));
    assert_eq!(few.as_array().unwrap().iter().filter(|step| step["left_out"].is_u64()).count(), 1);
}

#[test]
fn a_label_of_every_test_is_pointed_out() {
    let finished: Finished = read(json!({"verdict": "passed", "valid": 50, "labels": {"error": 50}}));
    let ended = Ended { events: vec![finished.into()], how: protocol::Death::Exit(0), last_words: String::new() };
    let ran = Ran { ended: &ended, fresh: None, tests: &[] };
    let page = property(&Property::example("a::b"), &ran, (None, &Remembered::default()), 10_000);
    assert_eq!(page["covers"], json!(["every test has the label `error`: are other cases ever generated?"]));
}

#[test]
fn a_page_of_300_failing_properties_is_smaller_than_2_mb() {
    const NUMBER: usize = 300;
    let long = "x".repeat(50_000);
    let step = |n: u64| {
        read::<Shrunk>(json!({"evaluations": n, "pass": "zero", "values": [{"name": "s", "text": long}]})).into()
    };
    let labels: serde_json::Map<String, Value> = (0..500).map(|n| (format!("label {n} {long}"), json!(n))).collect();
    let finished: Finished = read(json!({
        "verdict": "failed", "valid": 100_000, "text": long, "labels": labels, "tables": {"t": labels},
        "counterexample": {"found": "random", "message": long, "values": [{"name": "s", "text": long}]},
    }));
    let events = (0..300).map(step).chain([finished.into()]).collect();
    let ended = Ended { events, how: protocol::Death::Exit(101), last_words: String::new() };
    let test = |n: usize| read(json!({"status": "passed", "representation": format!("a(\n    n = {n}{long},\n)")}));
    let tests: Vec<TestCase> = (0..200).map(test).collect();
    let ran = Ran { ended: &ended, fresh: None, tests: &tests };
    let now = Remembered::default();
    let one = property(&Property::example("a::b"), &ran, (None, &now), crate::report::budget(NUMBER));
    assert!(one["counterexample"]["code"].as_str().unwrap().starts_with("let s = xxx"), "{one}");
    assert!(one["tests"].as_array().unwrap().len() > 1 && one["steps"].as_array().unwrap().len() > 1, "{one}");
    let size = NUMBER * one.to_string().len();
    assert!(size < 1_900_000, "{size} bytes, without the page's own 45 KB");
}

#[test]
fn examples_stay_within_the_budget() {
    let test = |n: usize| {
        read(json!({"status": "passed", "representation": format!("a(\n    n = {n}{},\n)", "x".repeat(5000))}))
    };
    let tests: Vec<TestCase> = (0..5000).map(test).collect();
    let (examples, told) = examples(&tests, &Finished::default(), 100_000);
    assert_eq!(told, 5000);
    assert!(examples.len() > 50 && Value::from(examples.clone()).to_string().len() < 130_000, "{}", examples.len());
    assert!(examples.last().unwrap()["r"].as_str().unwrap().starts_with("n = 4999x"));
}

#[test]
fn each_example_has_the_weight_of_the_tests_it_stands_for() {
    let test = |n: u64| read(json!({"status": "passed", "features": {"length": n}, "metadata": {"stands_for": 10}}));
    let tests: Vec<TestCase> = (0..5000).map(test).collect();
    let (examples, _) = examples(&tests, &Finished::default(), usize::MAX);
    let weight = |from: u64| -> u64 {
        examples
            .iter()
            .filter(|test| test["f"]["length"].as_u64() >= Some(from))
            .filter_map(|test| test["w"].as_u64())
            .sum()
    };
    assert!(examples.len() <= EXAMPLES && weight(0) == 50_000, "{} for {}", examples.len(), weight(0));
    assert!(weight(2500).abs_diff(25_000) < 100, "{}", weight(2500));
}

#[test]
fn long_names_with_the_same_beginning_stay_different() {
    let long = |end: &str| format!("{}{end}", "a".repeat(120));
    let finished = read(json!({"valid": 3, "labels": {long("0"): 1, long("1"): 2}}));
    let shown = labels(&finished, &[], usize::MAX);
    assert_eq!(shown["values"].as_array().unwrap().len(), 2, "{shown}");
    assert_eq!(key("short"), "short");
    let few = labels(&read(json!({"valid": 9, "labels": {"a": 9, "b": 8, "c": 7, "d": 6, "e": 5, "f": 4}})), &[], 1);
    assert_eq!((few["values"].as_array().unwrap().len(), &few["more"]), (LEAST, &json!(1)));
}

#[test]
fn counts_are_over_all_tests() {
    let finished: Finished = read(json!({
        "valid": 1000, "discarded": 3, "labels": {"long": 517}, "covers": {"odd": {"percent": 1.0, "hits": 400}},
        "tables": {"digits": {"1": 600, "18446744073709551615": 400}}, "features": {"n": {"7": 1, OTHERS: 999}},
    }));
    let counted = counted(&finished, usize::MAX);
    assert!(counted.get("long").is_none(), "labels have one chart");
    let examples = [json!({"s": "passed", "w": 2, "l": ["only with literals"], "f": {"odd": "yes", "n": "yes"}})];
    assert_eq!(labels(&finished, &examples, usize::MAX), json!({"whole": 1000, "values": [["long", 517]], "more": 0}));
    let failed = read(json!({"valid": 0, "labels": {}, "features": {"n": {}}, "covers": {"odd": {}}}));
    assert_eq!(
        labels(&failed, &examples, usize::MAX),
        json!({"whole": 2, "values": [["only with literals", 2]], "more": 0})
    );
    assert_eq!(counted["odd"]["values"], json!([["yes", 400], ["no", 600]]));
    assert_eq!(counted["digits"]["values"], json!([[1.0, 600], ["18446744073709551615", 400]]));
    assert!(counted.get("n").is_none(), "its values were not all counted");
    let with_literals =
        [read(json!({"how_generated": "literals", "status": "gave_up", "metadata": {"stands_for": 1}}))];
    assert_eq!(outcomes(&finished, 3, &with_literals), [("passed", 1002), ("discarded", 4)]);
    assert_eq!(extent(&finished, 3), "3 tests with literals, then 1,000 tests, 3 discarded");
    let found = |how: &str| read(json!({"valid": 0, "counterexample": {"found": how}}));
    assert_eq!(extent(&found("literals"), 1), "1 test with literals");
    assert_eq!(extent(&found("stored"), 0), "failed on a saved failure");
    assert_eq!(extent(&found("example"), 0), "failed on an example");
}

#[test]
fn a_page_without_charts_states_the_reason() {
    let property = Property {
        name: "nth is get".to_owned(),
        place: String::new(),
        runner: "value".to_owned(),
        tests: 0,
        serial: true,
        should_panic: false,
        value_of: Some("tests::nth".to_owned()),
        binary: crate::build::Binary { path: "a".into(), package: "a".to_owned(), package_directory: ".".into() },
    };
    let kept = |path: &str| json!({"counterexample": {"found": "stored", "stored": path}});
    let told = [
        kept(".forall/a/1.case"),
        kept("forall-regressions/a/1.case"),
        json!({"counterexample": {"found": "example"}}),
        json!({"searched": {"depth": 3}}),
    ];
    let told = told.map(|finished| notice(&property, &read(finished)).unwrap());
    insta::assert_snapshot!(told.join("\n\n"));
    assert_eq!(notice(&property, &read(json!({"verdict": "passed"}))), None);
}

#[test]
fn invisible_characters_are_escaped() {
    let page = shown(json!({"f": {"a\u{202e}b": ["\u{1b}[31m", 7]}}));
    assert_eq!(page, json!({"f": {"a\\u{202e}b": ["\\u{1b}[31m", 7]}}));
}
