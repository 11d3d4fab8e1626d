//! `CyberChef` (pull request 2755): Ascii85 writes four zero bytes as `z`. A last group of fewer zero bytes was also
//! written as `z`, and decoded as four.

use crate::Bug;

pub fn holds(bug: Bug, bytes: &[u8]) -> Option<bool> {
    Some(decode(&encode(bug, bytes)) == bytes)
}

pub fn witness() -> (Vec<u8>,) {
    (vec![1, 2, 3, 4, 0],)
}

fn encode(bug: Bug, bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(4) {
        let mut padded = [0; 4];
        padded[..group.len()].copy_from_slice(group);
        let mut number = u32::from_be_bytes(padded);
        if number == 0 && (bug == Bug::Present || group.len() == 4) {
            text.push('z');
            continue;
        }
        let mut digits = [0; 5];
        for digit in digits.iter_mut().rev() {
            *digit = b'!' + (number % 85) as u8;
            number /= 85;
        }
        text.extend(digits[..=group.len()].iter().map(|digit| char::from(*digit)));
    }
    text
}

fn decode(text: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (vec![], text.as_bytes());
    while let Some(first) = rest.first() {
        if *first == b'z' {
            bytes.extend([0; 4]);
            rest = &rest[1..];
            continue;
        }
        let (group, after) = rest.split_at(rest.len().min(5));
        let digits = group.iter().chain(&[b'u'; 5]).take(5);
        let number = digits.fold(0u64, |number, digit| number * 85 + u64::from(digit - b'!'));
        bytes.extend(&(number as u32).to_be_bytes()[..group.len() - 1]);
        rest = after;
    }
    bytes
}
