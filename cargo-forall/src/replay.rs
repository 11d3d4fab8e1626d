//! `forall replay`: an input again, with its values.

use crate::process::{Process, aloud};
use crate::properties::{self, Property};
use crate::screen::{Paint, Screen};
use crate::workspace::{self, Place, Workspace};
use crate::{Error, list, results, values, words};
use clap::Args;
use forall::protocol::{Request, Step};
use forall::run::Case;
use std::process::ExitCode;

/// The arguments of `replay`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Replay {
    /// The property: its name, or any part of it that fits no other. Or the whole text after `replay:` in a report
    pub property: Option<String>,
    /// The input: as a report shows it (`2-…`), or a file of .forall or forall-regressions. All that are kept, if not given
    pub case: Option<String>,
    /// Where to look.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Each input runs once. Its values are shown, after each step where a shrinker of yours took steps on them, with its notes and what
came of it.

  forall replay sorts                     what is kept of the property, one after the other
  forall replay sorts 2-ZQAAAA…           an input from a report, or from somebody else's
  forall replay sorts .forall/x/y.case    an input in a file
  forall replay \"FORALL_DO='replay my_crate::sorts 2-ZQAAAA…'\"

Exit codes: 0 all pass, 1 one fails, 2 there is nothing to replay, or it cannot be read.";

/// Replays.
pub fn replay(arguments: &Replay) -> Result<ExitCode, Error> {
    let (wanted, given) = pasted(arguments.property.as_deref(), arguments.case.as_deref());
    let workspace = workspace::build(&arguments.place)?;
    let all = properties::of(&workspace.binaries)?;
    let property = properties::choose(&all, wanted.as_deref())?;
    let screen = Screen::of_this_process();
    let cases = match given {
        Some(given) => vec![(String::new(), given_case(property, &given)?)],
        None => stored(property, &all, &screen)?,
    };
    let mut failed = false;
    for (origin, case) in &cases {
        failed |= one(property, origin, case, &workspace, &screen)?;
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// The property and the input that are meant, where both may be in one text from a report.
fn pasted(property: Option<&str>, case: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(text) = property.filter(|text| case.is_none() && text.contains(' ')) else {
        return (property.map(str::to_owned), case.map(str::to_owned));
    };
    let text = text.trim().trim_start_matches("replay:").trim_start().trim_start_matches("FORALL_DO=");
    // What follows in quotes is the request; behind it is the call of cargo.
    let text = match text.strip_prefix('\'') {
        Some(quoted) => quoted.split('\'').next().unwrap_or(quoted),
        None => text,
    };
    let text = text.trim_start_matches("replay ").trim();
    // The name of a value may have spaces in it, and no input has.
    match text.rsplit_once(char::is_whitespace).filter(|(_, last)| is_input(last)) {
        Some((name, case)) => (Some(name.trim().to_owned()), Some(case.to_owned())),
        None => (Some(text.to_owned()), None),
    }
}

/// Whether a word is an input: it begins with the version of its format.
fn is_input(word: &str) -> bool {
    let version = word.split_once('-').map_or("", |(version, _)| version);
    !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit())
}

/// An input that was given: the text itself, or the file that it is in.
fn given_case(property: &Property, given: &str) -> Result<String, Error> {
    let last = given.rsplit(',').next().unwrap_or(given);
    let wrong = match Case::from_text(last) {
        Ok(_) => return Ok(given.to_owned()),
        Err(error) => error,
    };
    let text = match std::fs::read_to_string(given) {
        Ok(text) => text,
        Err(_) => {
            let why =
                format!("`{given}` is neither an input nor a file with one: {wrong}. Copy all of `2-…` from a report");
            return Err(why.into());
        }
    };
    let belongs_to = text.lines().find_map(|line| line.strip_prefix("property ")).map(str::trim);
    match (belongs_to, case_in(&text)) {
        (Some(name), _) if name != property.name => {
            Err(format!("{given} is an input of {name}, not of {}; name that property", property.name).into())
        }
        (_, Some(case)) => Ok(case),
        _ => Err(format!(
            "{given} has no input in it; files with one end in .case, and are in {} or forall-regressions",
            results::store_shown()
        )
        .into()),
    }
}

/// The input in a file, with those that run before it.
fn case_in(text: &str) -> Option<String> {
    let lines = |key: &'static str| text.lines().filter_map(move |line| line.strip_prefix(key)).map(str::trim);
    let before: String = lines("after ").map(|case| format!("{case},")).collect();
    Some(before + lines("case ").next()?)
}

/// What is kept of the property.
fn stored(property: &Property, all: &[Property], screen: &Screen) -> Result<Vec<(String, String)>, Error> {
    let mut cases = Vec::new();
    for (origin, entry) in list::places(&property.binary.package_directory).failures(&property.name) {
        match entry {
            Ok(_) => match std::fs::read_to_string(&origin).ok().as_deref().and_then(case_in) {
                Some(case) => cases.push((origin, case)),
                // It was there a moment ago.
                None => continue,
            },
            Err(error) => screen.warn(&format!("forall: warning: cannot read {origin}: {error}")),
        }
    }
    if cases.is_empty() {
        let name = properties::telling(all, property, false).unwrap_or_else(|| properties::as_argument(&property.name));
        return Err(format!(
            "nothing is kept of {}. `forall run {name}` searches for a counterexample; one from a report is replayed with \
             `forall replay {name} 2-…`",
            property.name
        ).into());
    }
    Ok(cases)
}

/// What asks for an input, with those that run before it.
fn request(property: &Property, case: &str) -> Result<Request, Error> {
    let read = Request::read(&format!("replay {} {case}", property.name));
    let wrong = |why: &dyn std::fmt::Display| Error::Refused(format!("cannot replay `{case}`: {why}"));
    read.map_err(|why| wrong(&why))?.ok_or_else(|| wrong(&"it is empty"))
}

/// Runs an input and says what came of it. Whether it fails.
fn one(property: &Property, origin: &str, case: &str, workspace: &Workspace, screen: &Screen) -> Result<bool, Error> {
    let process = Process::new(property, workspace, screen)?.even_if_ignored();
    let request = request(property, case)?;
    let ended = process.asking(&request).run(&mut aloud)?;
    let mut out = String::new();
    if !origin.is_empty() {
        let path = workspace.short(origin.as_ref()).display().to_string();
        out += &format!("{}\n", screen.paint(Paint::Dim, &path));
    }
    let steps: Vec<&Step> = ended.all().collect();
    if let [first, rest @ ..] = &steps[..]
        && !rest.is_empty()
    {
        out += "as it was generated:\n";
        out += &values::lines(&first.values);
        for step in rest {
            out += &format!("after step {} of {}:\n{}", step.number, step.of, values::lines(&step.values));
        }
    }
    let Some(finished) = ended.finished() else {
        screen.say(&out);
        screen.say(&screen.wrap("", &ended.why_nothing(property)));
        return Ok(true);
    };
    let verdict = finished.verdict;
    if verdict.is_success() {
        out += &format!("{} {} ({})\n", words::verdict(verdict, screen), property.name, property.place);
        out += &steps.last().map_or(String::new(), |last| format!("\n{}", values::lines(&last.values)));
        out += "\nThis input does not fail any more.\n";
    } else {
        out += &finished.text;
    }
    screen.say(&format!("{out}\n"));
    Ok(!verdict.is_success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_replayed_says_why() {
        let empty = request(&Property::example("a::b"), "").unwrap_err().to_string();
        assert_eq!(empty, "cannot replay ``: it is empty");
        let told = request(&Property::example("a::b"), "1-xyz").unwrap_err().to_string();
        assert!(told.starts_with("cannot replay `1-xyz`: "), "{told}");
    }

    #[test]
    fn what_a_report_shows_can_be_pasted_whole() {
        let both = (Some("a::b".to_owned()), Some("2-xyz".to_owned()));
        assert_eq!(pasted(Some("a::b"), Some("2-xyz")), both);
        assert_eq!(pasted(Some("replay:   FORALL_DO='replay a::b 2-xyz' cargo test b"), None), both);
        assert_eq!(pasted(Some("replay a::b 2-xyz"), None), both);
        let older = (Some("a::b".to_owned()), Some("1-xyz".to_owned()));
        assert_eq!(pasted(Some("replay a::b 1-xyz"), None), older, "the test says what to do about its format");
        assert_eq!(pasted(Some("b"), None), (Some("b".to_owned()), None));
        let value = (Some("nth is get".to_owned()), Some("2-xyz".to_owned()));
        assert_eq!(pasted(Some("FORALL_DO='replay nth is get 2-xyz' cargo test nth_is_get"), None), value);
        assert_eq!(pasted(Some("nth is get"), None), (Some("nth is get".to_owned()), None));
    }
}
