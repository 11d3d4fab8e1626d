//! bytesize (issue 26): the logarithms of 1000 and 1024 were swapped, so the unit was chosen by the other base. 1090 GB
//! printed as "1090.0 GB", not as "1.1 TB".

use crate::Bug;

const UNITS: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

/// The number before the unit is at least 1 and at most 1000.
pub fn holds(bug: Bug, bytes: &u64) -> Option<bool> {
    let text = display(bug, *bytes);
    let (number, unit) = text.split_once(' ')?;
    let number: f64 = number.parse().ok()?;
    // One digit after the point may round 999.95 up.
    let in_range = number <= 1000.0 && (number >= 1.0 || *bytes == 0);
    Some(in_range && UNITS.contains(&unit))
}

pub fn witness() -> (u64,) {
    (1_010_000,)
}

fn display(bug: Bug, bytes: u64) -> String {
    let base: u64 = match bug {
        Bug::Present => 1024,
        Bug::Fixed => 1000,
    };
    let exponent = bytes.checked_ilog(base).unwrap_or(0);
    format!("{:.1} {}", bytes as f64 / 1000_f64.powi(exponent as i32), UNITS[exponent as usize])
}
