//! countUp.js (issue 190) and Rust formatters such as the one of reinhardt-i18n (issue 715): the sign counts as a digit
//! when digits are grouped, so -123456 becomes "-,123,456".

use crate::Bug;

/// All groups but the first have three digits, and the number parses back.
pub fn holds(bug: Bug, number: &i64) -> Option<bool> {
    let text = group(bug, *number);
    let mut groups = text.trim_start_matches('-').split(',');
    let first = groups.next()?;
    let sizes = (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3);
    Some(sizes && text.replace(',', "").parse() == Ok(*number))
}

pub fn witness() -> (i64,) {
    (-123,)
}

fn group(bug: Bug, number: i64) -> String {
    let text = number.to_string();
    let (sign, digits) = match bug {
        Bug::Fixed if number < 0 => text.split_at(1),
        _ => ("", text.as_str()),
    };
    let mut grouped = sign.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
