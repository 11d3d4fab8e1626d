//! Properties of a corpus that are not in the tests, because they were renamed or removed.

use super::link::Link;
use crate::properties::{Property, in_common};
use crate::screen::one_line;
use crate::words::{count, shell_word};

/// The maximum number of properties named in the message.
const NAMED: usize = 3;

/// Reports properties of the corpus that are not in these tests, with their likely new names.
pub fn report(link: &mut Link, here: &[Property]) {
    let Some(there) = link.ask(|corpus| corpus.properties()) else { return };
    let is_here = |name: &str| here.iter().any(|property| property.name == name);
    let strangers: Vec<&String> = there.iter().filter(|name| !is_here(name)).collect();
    if strangers.is_empty() {
        return;
    }
    // A property without entries may be the new name of one of them.
    let new: Vec<&str> = here.iter().map(|property| &*property.name).filter(|name| !there.contains(*name)).collect();
    let mut text =
        format!("forall: the corpus has entries of {} not in these tests", count(strangers.len() as u64, "property"));
    for name in strangers.iter().take(NAMED) {
        let shown = one_line(name);
        text += &match likely(name, &new) {
            Some(new) => format!(
                "\n    {shown}; if it was renamed to {new}, run `forall corpus rename {} {} {new}`",
                shell_word(link.name()),
                shell_word(&shown)
            ),
            None => format!("\n    {shown}"),
        };
    }
    if strangers.len() > NAMED {
        text += &format!("\n    and {} more: `forall corpus stats` lists them", strangers.len() - NAMED);
    }
    link.note(text + "\nThese entries stay in the corpus");
}

/// Returns the most similar name, if it is similar enough.
fn likely<'a>(old: &str, new: &[&'a str]) -> Option<&'a str> {
    let best = new.iter().max_by_key(|name| in_common(name, old))?;
    let pairs = old.chars().count().saturating_sub(1);
    (in_common(best, old) * 4 >= pairs * 3).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_name_is_suggested_only_if_it_is_similar() {
        assert_eq!(likely("shop::sums", &["shop::sums_of_prices", "shop::parses"]), Some("shop::sums_of_prices"));
        assert_eq!(likely("shop::sums", &["bank::transfers"]), None);
        assert_eq!(likely("shop::sums", &[]), None);
    }
}
