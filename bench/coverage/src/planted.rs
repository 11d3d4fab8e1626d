//! Planted bugs.

#[path = "../../../cargo-forall/tests/fuzzed/src/maze.rs"]
mod maze;

/// A maze, in which all positions take the same branches.
pub fn maze(path: &[u8]) {
    assert!(!maze::leads_out(path), "found the way");
}

/// A stack machine with a planted state.
pub fn machine(code: &[u8]) {
    let mut stack: Vec<i64> = Vec::new();
    let mut armed = false;
    for &operation in code {
        match operation {
            b'0'..=b'9' => stack.push(i64::from(operation - b'0')),
            b'+' | b'*' => {
                let (Some(a), Some(b)) = (stack.pop(), stack.pop()) else { return };
                stack.push(if operation == b'+' { a.wrapping_add(b) } else { a.wrapping_mul(b) });
            }
            b'd' => stack.extend(stack.last().copied()),
            b'!' => armed |= stack.pop() == Some(42),
            _ => return,
        }
        assert!(!armed || stack.last() != Some(&81), "the planted state");
    }
}

/// A keyword inside a nested section.
pub fn keyword(bytes: &[u8]) {
    let Some(rest) = bytes.strip_prefix(b"BEGIN ") else { return };
    let Some(rest) = rest.strip_prefix(b"section:") else { return };
    let Some((length, rest)) = rest.split_first() else { return };
    if usize::from(*length) == rest.len() && rest.ends_with(b"END") {
        panic!("the section is read");
    }
}

/// A checksum before a field that is read.
pub fn checksum(bytes: &[u8]) {
    let Some((data, sum)) = bytes.split_last_chunk::<2>() else { return };
    let expected = data.iter().fold(7u16, |sum, byte| sum.wrapping_mul(31).wrapping_add(u16::from(*byte)));
    if data.len() > 5 && u16::from_be_bytes(*sum) == expected {
        assert!(data[2..4] != [0xca, 0xfe], "the field");
    }
}

/// A version that is written as a number.
pub fn version(text: &str) {
    if let Some(number) = text.strip_prefix("version ")
        && let Ok(number) = number.parse::<u32>()
    {
        assert!(number != 40_961, "this version");
    }
}

/// The states of a connection.
pub fn automaton(bytes: &[u8]) {
    // From state and symbol to the next state; 9 is the bug.
    const NEXT: [[u8; 4]; 9] = [
        [1, 0, 0, 0],
        [0, 2, 0, 1],
        [0, 0, 3, 0],
        [4, 0, 0, 3],
        [0, 4, 5, 0],
        [0, 6, 0, 0],
        [6, 0, 0, 7],
        [0, 0, 8, 0],
        [0, 9, 0, 0],
    ];
    let mut state = 0;
    for byte in bytes {
        state = NEXT[usize::from(state)][usize::from(byte % 4)];
        assert!(state != 9, "the last state");
    }
}

/// Lengths that have to fit together.
pub fn length(bytes: &[u8]) {
    let Some((&[kind, outer], rest)) = bytes.split_first_chunk() else { return };
    if kind != 0x30 || usize::from(outer) != rest.len() {
        return;
    }
    let Some((&[kind, inner], rest)) = rest.split_first_chunk() else { return };
    if kind == 0x02 && usize::from(inner) <= rest.len() && inner >= 3 {
        assert!(rest[usize::from(inner) - 1] != 0x7f, "the integer");
    }
}
