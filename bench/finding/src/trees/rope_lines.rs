//! an-rope (issue 31): the lines of a rope are the chained lines of its leaves, so a line that spans two leaves is
//! split.

use crate::Bug;

/// A rope has the same lines as the string that it represents.
pub fn holds(bug: Bug, leaves: &[String]) -> Option<bool> {
    Some(lines(bug, leaves).iter().eq(leaves.concat().split_inclusive('\n')))
}

pub fn witness() -> (Vec<String>,) {
    (vec!["a".into(), "b\n".into()],)
}

fn lines(bug: Bug, leaves: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for leaf in leaves {
        for line in leaf.split_inclusive('\n') {
            match lines.last_mut() {
                Some(last) if open && bug == Bug::Fixed => last.push_str(line),
                _ => lines.push(line.to_string()),
            }
            open = !line.ends_with('\n');
        }
    }
    lines
}
