//! What is said of blocks and data that make no sense, pinned: each names the place, and what is expected there.

use forall_futhark::blocks::Blocks;
use forall_futhark::data::{parse_values, read_values};

fn listed(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().map(|text| text + "\n\n").collect()
}

#[test]
fn blocks_that_make_no_sense() {
    let blocks = [
        "tags { a",
        "error: wrong\n-- input { 1 }",
        "property:",
        "property: p\n-- input { 1 }",
        "entry:",
        "input { 1 } output { 1 }\n-- nonsense",
        "input 1",
        "input { 1",
        "input @",
        "input { 1 } output 2",
        "\"no end",
        "\"a\" input { 1 }\n-- \"a\" input { 2 }",
        "input { 1 }\n\n-- ==\n-- tags { late }",
        "input { 1 }\n-- ==\n-- input { 2 }",
        "random input { nonsense }",
    ];
    let told = blocks.map(|block| match Blocks::parse(&format!("-- ==\n-- {block}\nentry main = 1\n")) {
        Ok(_) => format!("{block}\nis fine"),
        Err(error) => format!("{block}\n{error}"),
    });
    insta::assert_snapshot!(listed(told));
}

#[test]
fn texts_that_are_no_values() {
    let texts = [
        "1x8",
        "hello",
        "[1, 2",
        "[]",
        "[[1], []]",
        "[[1], 2]",
        "[1, [2]]",
        "[[1, 2], [3]]",
        "[1i32, 2u8]",
        "[1, \"a\"]",
        "\"no end",
        "\"\\q\"",
        "empty([1]i32)",
        "empty([x]i32)",
        "empty([0]text)",
        "empty([0]i32",
    ];
    let told = texts.map(|text| match parse_values(text) {
        Ok(values) => format!("{text}\nis {}", values.len()),
        Err(error) => format!("{text}\n{error}"),
    });
    insta::assert_snapshot!(listed(told));
}

#[test]
fn bytes_that_are_no_values() {
    let bytes: [&[u8]; 6] = [
        b"b\x03\x00 i32",
        b"b\x02\x00text\x00\x00",
        b"b\x02\x00 i32\x01",
        b"b\x02\x02  i8\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\xff\xfe",
        b"1 nonsense",
    ];
    let told = bytes.map(|bytes| match read_values(&mut &*bytes) {
        Ok(values) => format!("{bytes:?}\nis {}", values.len()),
        Err(error) => format!("{bytes:?}\n{error}"),
    });
    insta::assert_snapshot!(listed(told));
}
