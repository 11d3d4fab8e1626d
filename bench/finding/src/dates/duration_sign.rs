//! `samyama-graph` (pull request 776): minus 0.4 seconds was printed as `PT-1.6S`, because the duration was split by
//! floored division into -1 second and 0.6 seconds.

use crate::Bug;

pub fn holds(bug: Bug, millis: &i64) -> Option<bool> {
    Some(parse(&format(bug, *millis)) == Some(*millis))
}

pub fn witness() -> (i64,) {
    (-400,)
}

fn format(bug: Bug, millis: i64) -> String {
    match bug {
        Bug::Present => format!("PT{}.{:03}S", millis.div_euclid(1000), millis.rem_euclid(1000)),
        Bug::Fixed => {
            let sign = if millis < 0 { "-" } else { "" };
            let millis = millis.unsigned_abs();
            format!("PT{sign}{}.{:03}S", millis / 1000, millis % 1000)
        }
    }
}

fn parse(text: &str) -> Option<i64> {
    let number = text.strip_prefix("PT")?.strip_suffix('S')?;
    number.replace('.', "").parse().ok()
}
