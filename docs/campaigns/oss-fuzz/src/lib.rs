//! Roman numerals: the code under test.

/// The signs, the largest first.
const SIGNS: [(&str, u16); 13] = [
    ("M", 1000),
    ("CM", 900),
    ("D", 500),
    ("CD", 400),
    ("C", 100),
    ("XC", 90),
    ("L", 50),
    ("XL", 40),
    ("X", 10),
    ("IX", 9),
    ("V", 5),
    ("IV", 4),
    ("I", 1),
];

/// The numeral of a number from 1 to 3999; `None` for any other number.
pub fn print(mut number: u16) -> Option<String> {
    if !(1..4000).contains(&number) {
        return None;
    }
    let mut numeral = String::new();
    for (sign, value) in SIGNS {
        while number >= value {
            number -= value;
            numeral += sign;
        }
    }
    Some(numeral)
}

/// The number of a numeral, if it is written as [`print`] writes it.
pub fn parse(numeral: &str) -> Option<u16> {
    let (mut rest, mut number) = (numeral, 0u16);
    for (sign, value) in SIGNS {
        while let Some(behind) = rest.strip_prefix(sign) {
            rest = behind;
            number = number.checked_add(value)?;
        }
    }
    (rest.is_empty() && print(number).as_deref() == Some(numeral)).then_some(number)
}
