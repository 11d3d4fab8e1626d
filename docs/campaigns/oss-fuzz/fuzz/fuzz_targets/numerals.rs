//! Numbers survive being printed and parsed, and nothing but a numeral is parsed.
#![no_main]

#[forall::property]
fn numerals(number: u16, signs: Vec<char>) {
    if let Some(numeral) = roman::print(number) {
        assert_eq!(roman::parse(&numeral), Some(number));
    }
    let text: String = signs.into_iter().collect();
    if let Some(number) = roman::parse(&text) {
        assert_eq!(roman::print(number), Some(text));
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    forall::libfuzzer::run::<numerals>(bytes);
});
