//! `time` (issue 522): the offset `-0057` was read as `+00:57`, because the sign was kept with the hours, and there is
//! no negative zero.

use crate::Bug;

pub fn holds(bug: Bug, minutes: &i16) -> Option<bool> {
    let minutes = minutes % (24 * 60);
    Some(parse(bug, &format(minutes)) == Some(minutes))
}

pub fn witness() -> (i16,) {
    (-57,)
}

fn format(minutes: i16) -> String {
    let (sign, minutes) = (if minutes < 0 { '-' } else { '+' }, minutes.abs());
    format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
}

fn parse(bug: Bug, text: &str) -> Option<i16> {
    let (hours, minutes) = text.split_at_checked(3)?;
    let (hours, minutes): (i16, i16) = (hours.parse().ok()?, minutes.parse().ok()?);
    let negative = match bug {
        Bug::Present => hours < 0,
        Bug::Fixed => text.starts_with('-'),
    };
    Some(hours * 60 + if negative { -minutes } else { minutes })
}
