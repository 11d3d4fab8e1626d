//! Parsers: parsing inverts printing, and equivalent notations have the same meaning.

crate::tasks! {
    "parsers";
    csv_empty_record(record: Vec<String>);
    escape_at_end(text: String);
    glob_star(text: String, skip: u8);
    http_range_empty(body: Vec<u8>, first: Option<u8>, last: Option<u8>);
    ini_form_feed(entries: Vec<(String, String)>);
    json_empty_member(document: Json);
    json_minimum(number: i64);
    percent_multibyte(text: String);
    semver_numbers(a: Vec<Identifier>, b: Vec<Identifier>);
    shell_empty_word(words: Vec<String>);
    toml_empty_key(table: Vec<(String, i64)>);
    xml_line_end(text: String);
    xml_third_escape(text: String);
}

use crate::shapes::Json;
use semver_numbers::Identifier;
