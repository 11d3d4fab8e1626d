//! Inflector (issue 74): a digit begins a word after a lowercase letter, but not after an uppercase one. So `V2` becomes
//! `v2`, and `v2` becomes `v_2`.

use crate::Bug;

/// Conversion to snake case is idempotent.
pub fn holds(bug: Bug, name: &str) -> Option<bool> {
    let snake = snake_case(bug, name);
    Some(snake_case(bug, &snake) == snake)
}

pub fn witness() -> (String,) {
    ("counterV2".to_owned(),)
}

fn snake_case(bug: Bug, name: &str) -> String {
    let mut snake = String::new();
    let mut previous = '_';
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            let inner = match c {
                'A'..='Z' => !previous.is_ascii_uppercase(),
                '0'..='9' => previous.is_ascii_lowercase() && bug == Bug::Present,
                _ => false,
            };
            if (inner || !previous.is_ascii_alphanumeric()) && !snake.is_empty() {
                snake.push('_');
            }
            snake.push(c.to_ascii_lowercase());
        }
        previous = c;
    }
    snake
}
