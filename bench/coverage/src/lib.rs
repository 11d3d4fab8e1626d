//! Targets that forall was not tuned on.
//!
//! Most are old versions of published parsers and decoders, as dependencies: their bugs were reported, mostly by fuzzing, and are fixed
//! in later versions. A few are planted. A target takes bytes or a string, and fails by panicking.

pub mod planted;

use std::io::Cursor;

/// A target.
#[derive(Clone, Copy)]
pub enum Target {
    Bytes(fn(&[u8])),
    Text(fn(&str)),
}

/// Defines the list of targets, and a property for each.
macro_rules! targets {
    ($($name:ident: $kind:ident = $run:expr;)*) => {
        /// All targets, by name.
        pub const TARGETS: &[(&str, Target)] = &[$((stringify!($name), Target::$kind($run)),)*];

        #[cfg(test)]
        mod properties {
            #[allow(unused_imports)]
            use super::*;
            $(targets!(@property $kind $name $run);)*
        }
    };
    (@property Bytes $name:ident $run:expr) => {
        #[forall::test]
        fn $name(input: Vec<u8>) {
            let run: fn(&[u8]) = $run;
            run(&input);
        }
    };
    (@property Text $name:ident $run:expr) => {
        #[forall::test]
        fn $name(input: String) {
            let run: fn(&str) = $run;
            run(&input);
        }
    };
}

targets! {
    base32: Text = |text| drop(::base32::decode(::base32::Alphabet::Crockford, text));
    css_color: Text = |text| drop(text.parse::<::css_color_parser::Color>());
    dns: Bytes = |bytes| drop(::dns_parser::Packet::parse(bytes));
    eui48: Text = |text| drop(::eui48::MacAddress::parse_str(text));
    gif: Bytes = read_gif;
    httpdate: Text = |text| drop(::httpdate::parse_http_date(text));
    humantime: Text = |text| drop(::humantime::parse_duration(text));
    inflate: Bytes = |bytes| drop(::inflate::inflate_bytes(bytes));
    ini: Text = |text| drop(::ini::Ini::load_from_str(text));
    iso8601: Text = |text| drop(::iso8601::datetime(text));
    json: Text = |text| drop(::json::parse(text));
    mime: Text = |text| drop(text.parse::<::mime::Mime>());
    mp3: Bytes = |bytes| drop(::mp3_metadata::read_from_slice(bytes));
    punycode: Text = |text| drop(::punycode::decode(text));
    markdown: Text = render_markdown;
    demangle: Text = |text| drop(::rustc_demangle::demangle(text).to_string());
    uuid: Text = |text| drop(::uuid::Uuid::parse_str(text));
    xml: Bytes = read_xml;
    yaml: Text = |text| drop(::yaml_rust::YamlLoader::load_from_str(text));
    planted_maze: Bytes = planted::maze;
    planted_machine: Bytes = planted::machine;
    planted_keyword: Bytes = planted::keyword;
    planted_checksum: Bytes = planted::checksum;
    planted_version: Text = planted::version;
    planted_automaton: Bytes = planted::automaton;
    planted_length: Bytes = planted::length;
}

fn read_gif(bytes: &[u8]) {
    let decoder = gif::Decoder::new(Cursor::new(bytes));
    if let Ok(mut reader) = decoder.read_info() {
        while let Ok(Some(_)) = reader.read_next_frame() {}
    }
}

fn render_markdown(text: &str) {
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, pulldown_cmark::Parser::new(text));
}

fn read_xml(bytes: &[u8]) {
    let mut reader = quick_xml::reader::Reader::from_reader(bytes);
    let mut buffer = Vec::new();
    loop {
        match reader.read_event(&mut buffer) {
            Ok(quick_xml::events::Event::Eof) | Err(_) => return,
            Ok(_) => buffer.clear(),
        }
    }
}
