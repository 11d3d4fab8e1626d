//! Values as text and bytes, compared with the results of the real tools for the same input (`recordings/formats/`).

use forall_futhark::data::{Tolerance, differences, parse_values, read_values};
use forall_futhark_tests::{bytes, hex};

/// Texts that our parser reads differently from the recorded tool, and the reasons.
const OTHERWISE: &[(&str, &str)] = &[
    ("\"æ\"", "the recorded tool encodes characters twice"),
    ("-0.0f16", "the recorded tool loses the sign of zero"),
    ("-0.0f32", "the recorded tool loses the sign of zero"),
    ("-0.0f64", "the recorded tool loses the sign of zero"),
    ("[1.0, 2.5, -0.0]", "the recorded tool loses the sign of zero"),
    ("6202012069333200000000000000ff", "the recorded tool takes 255 · 2⁵⁶ for a length; the data ends before"),
];

/// Returns the paragraphs of a recording, each a list of `key: value`; keys may repeat.
fn recorded(name: &str) -> Vec<Vec<(String, String)>> {
    let path = format!("{}/recordings/formats/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let (key, value) = line.split_once(':').unwrap();
        (key.to_owned(), value.strip_prefix(' ').unwrap_or(value).to_owned())
    };
    text.split("\n\n").map(|part| part.lines().filter(|text| !text.is_empty()).map(line).collect()).collect()
}

fn all<'a>(part: &'a [(String, String)], key: &str) -> Vec<&'a str> {
    part.iter().filter(|(name, _)| name == key).map(|(_, value)| &**value).collect()
}

fn one<'a>(part: &'a [(String, String)], key: &str) -> Option<&'a str> {
    all(part, key).first().copied()
}

fn is_otherwise(input: &str) -> bool {
    OTHERWISE.iter().any(|(known, _)| *known == input)
}

#[test]
fn text_is_read_and_bytes_are_printed_as_by_the_real_tool() {
    let mut seen = 0;
    for part in recorded("pairs").iter().filter(|part| !part.is_empty()) {
        let (text, wanted) = (one(part, "in").unwrap(), one(part, "hex").unwrap());
        let printed: Vec<String> =
            read_values(&mut &bytes(wanted)[..]).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(printed.join("\n"), all(part, "out").join("\n"), "{text}");
        if !is_otherwise(text) {
            // The recording writes line ends as `\n`, except in strings, where `\n` is part of the text.
            let lines = if text.contains('"') { text.to_owned() } else { text.replace("\\n", "\n") };
            let values = parse_values(&lines).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(values, read_values(&mut &bytes(wanted)[..]).unwrap(), "{text}");
            let written: Vec<u8> = values.iter().flat_map(|value| value.to_bytes()).collect();
            // The recorded tool writes NaNs with other bits.
            assert!(hex(&written) == wanted || text.contains("nan"), "{text}");
        }
        seen += 1;
    }
    assert!(seen > 80, "only {seen}");
}

#[test]
fn values_that_the_real_tool_rejects_are_rejected() {
    for part in recorded("odd").iter().filter(|part| !part.is_empty()) {
        let (input, read) = match (one(part, "in"), one(part, "hex")) {
            (Some(text), _) => (text, parse_values(text).map_err(|error| error.to_string())),
            (None, hex) => {
                (hex.unwrap(), read_values(&mut &bytes(hex.unwrap())[..]).map_err(|error| error.to_string()))
            }
        };
        if is_otherwise(input) {
            continue;
        }
        match (read, one(part, "err")) {
            (Err(_), Some(_)) => {}
            (Ok(values), None) => {
                let printed: Vec<String> = values.iter().map(ToString::to_string).collect();
                assert_eq!(printed.join("\n"), all(part, "out").join("\n"), "{input}");
                let written: Vec<u8> = values.iter().flat_map(|value| value.to_bytes()).collect();
                if let Some(wanted) = one(part, "again").or(one(part, "accepted")) {
                    assert_eq!(hex(&written), wanted, "{input}");
                }
            }
            (read, recorded) => panic!("{input}: {read:?}, recorded {recorded:?}"),
        }
    }
}

#[test]
fn values_are_compared_as_by_the_real_tool() {
    for part in recorded("datacmp").iter().filter(|part| !part.is_empty()) {
        let [got, expected] = ["a", "b"].map(|key| parse_values(one(part, key).unwrap()).unwrap());
        let found = differences(&got, &expected, Tolerance::default());
        let wanted: Vec<&str> = all(part, "out").into_iter().filter(|line| !line.is_empty()).collect();
        assert_eq!(found, wanted, "{part:?}");
    }
}

#[test]
fn hostile_headers_cost_nothing() {
    let mut claims_much = b"b\x02\x01 f64".to_vec();
    claims_much.extend_from_slice(&(u64::MAX / 16).to_le_bytes());
    assert_eq!(read_values(&mut &claims_much[..]).unwrap_err().to_string(), "the data ends before the value does");
    let mut overflows = b"b\x02\x02 f64".to_vec();
    overflows.extend_from_slice(&[0xff; 16]);
    assert!(read_values(&mut &overflows[..]).unwrap_err().to_string().contains("too many elements"));
    let brackets = "[".repeat(1_000_000);
    assert!(parse_values(&brackets).unwrap_err().message.contains("dimensions"));
}
