//! docify (issue 16): indentation is not removed if the block has blank lines. In this model, an empty line counts as a
//! line without indentation.

use crate::Bug;

/// Indenting a block and removing the common indentation gives the block back.
pub fn holds(bug: Bug, lines: &[String], indent: &u8) -> Option<bool> {
    // Otherwise the block itself is indented.
    if !lines.iter().any(|line| !line.is_empty() && !line.starts_with(' ')) {
        return None;
    }
    let margin = " ".repeat((*indent).into());
    let indented: Vec<String> =
        lines.iter().map(|line| if line.is_empty() { String::new() } else { format!("{margin}{line}") }).collect();
    Some(dedent(bug, &indented) == lines)
}

pub fn witness() -> (Vec<String>, u8) {
    (vec!["a".to_owned(), String::new()], 4)
}

fn dedent(bug: Bug, lines: &[String]) -> Vec<&str> {
    let counted = lines.iter().filter(|line| bug == Bug::Present || !line.is_empty());
    let margin = counted.map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
    lines.iter().map(|line| line.get(margin..).unwrap_or("")).collect()
}
