//! `forall replay`: runs an input again and prints its values.

use crate::process::{Process, aloud};
use crate::properties::{self, Property};
use crate::screen::{Paint, Screen};
use crate::workspace::{self, More, Place, Workspace};
use crate::{Error, list, results, values, words};
use clap::Args;
use forall::protocol::{Request, Step};
use forall::run::Case;
use std::process::ExitCode;

/// The arguments of `replay`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Replay {
    /// The property: its name, or a unique part of it. Or the whole command after `replay:` in a report
    pub property: Option<String>,
    /// The input: `2-…` from a report, or a file of .forall or forall-regressions. By default, all saved failures
    pub case: Option<String>,
    /// Which tests to build.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Runs each input once and prints its values, notes and result. If a custom shrinker changed the values, they are printed after each
step.

  forall replay sorts                     all saved failures of the property, one after the other
  forall replay sorts 2-ZQAAAA…           an input from a report, yours or somebody else's
  forall replay sorts .forall/x/y.case    an input in a file
  forall replay \"FORALL_DO='replay my_crate::sorts 2-ZQAAAA…'\"

Exit codes: 0 all pass, 1 one fails, 2 there is nothing to replay, or an input cannot be read.";

/// Replays inputs.
pub fn replay(arguments: &Replay) -> Result<ExitCode, Error> {
    replay_with(arguments, More::Nothing)
}

/// The same, in a build with these extra requirements.
pub fn replay_with(arguments: &Replay, more: More<'_>) -> Result<ExitCode, Error> {
    let (wanted, given) = pasted(arguments.property.as_deref(), arguments.case.as_deref());
    let workspace = workspace::build_with(&arguments.place, more)?;
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

/// Splits the arguments into property and input: both may be in one command from a report.
fn pasted(property: Option<&str>, case: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(text) = property.filter(|text| case.is_none() && text.contains(' ')) else {
        return (property.map(str::to_owned), case.map(str::to_owned));
    };
    let text = text.trim().trim_start_matches("replay:").trim_start().trim_start_matches("FORALL_DO=");
    // The request is in quotes, before the call of cargo.
    let text = match text.strip_prefix('\'') {
        Some(quoted) => quoted.split('\'').next().unwrap_or(quoted),
        None => text,
    };
    let text = text.trim_start_matches("replay ").trim();
    // The name of a property value may contain spaces; an input does not.
    match text.rsplit_once(char::is_whitespace).filter(|(_, last)| is_input(last)) {
        Some((name, case)) => (Some(name.trim().to_owned()), Some(case.to_owned())),
        None => (Some(text.to_owned()), None),
    }
}

/// Whether a word is an input: it begins with its format version.
fn is_input(word: &str) -> bool {
    let version = word.split_once('-').map_or("", |(version, _)| version);
    !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads an input from the argument, or from the file that it names.
fn given_case(property: &Property, given: &str) -> Result<String, Error> {
    let last = given.rsplit(',').next().unwrap_or(given);
    let wrong = match Case::from_text(last) {
        Ok(_) => return Ok(given.to_owned()),
        Err(error) => error,
    };
    let text = match std::fs::read_to_string(given) {
        Ok(text) => text,
        Err(_) => {
            let why = format!(
                "`{given}` is neither an input nor a file with one: {wrong}. Copy the whole `2-…` from a report"
            );
            return Err(why.into());
        }
    };
    let belongs_to = text.lines().find_map(|line| line.strip_prefix("property ")).map(str::trim);
    match (belongs_to, case_in(&text)) {
        (Some(name), _) if name != property.name => {
            Err(format!("{given} is an input of {name}, not of {}; replay that property", property.name).into())
        }
        (_, Some(case)) => Ok(case),
        _ => Err(format!(
            "{given} contains no input; saved inputs are the .case files in {} and forall-regressions",
            results::store_shown()
        )
        .into()),
    }
}

/// The input in a file, with the cases that run before it.
fn case_in(text: &str) -> Option<String> {
    let lines = |key: &'static str| text.lines().filter_map(move |line| line.strip_prefix(key)).map(str::trim);
    let before: String = lines("after ").map(|case| format!("{case},")).collect();
    Some(before + lines("case ").next()?)
}

/// The saved failures of the property.
fn stored(property: &Property, all: &[Property], screen: &Screen) -> Result<Vec<(String, String)>, Error> {
    let (mut cases, mut unreadable) = (Vec::new(), Vec::new());
    for (origin, entry) in list::places(&property.binary.package_directory).failures(&property.name) {
        match entry {
            Ok(_) => match std::fs::read_to_string(&origin).ok().as_deref().and_then(case_in) {
                Some(case) => cases.push((origin, case)),
                // It was deleted in the meantime.
                None => continue,
            },
            Err(error) => unreadable.push((origin, error.to_string())),
        }
    }
    if let Some(text) = list::unreadable(&unreadable) {
        screen.warn(&format!("forall: warning: {text}"));
    }
    if cases.is_empty() {
        let name = properties::telling(all, property, false).unwrap_or_else(|| properties::as_argument(&property.name));
        return Err(format!(
            "there is no saved failure of {}. `forall run {name}` searches for one; replay one from a report with \
             `forall replay {name} 2-…`",
            property.name
        )
        .into());
    }
    Ok(cases)
}

/// The request for an input, with the cases that run before it.
fn request(property: &Property, case: &str) -> Result<Request, Error> {
    let read = Request::read(&format!("replay {} {case}", property.name));
    let wrong = |why: &dyn std::fmt::Display| Error::Refused(format!("cannot replay `{case}`: {why}"));
    read.map_err(|why| wrong(&why))?.ok_or_else(|| wrong(&"it is empty"))
}

/// Runs an input, prints its result, and returns whether it fails.
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
        screen.print(&out);
        screen.print(&screen.wrap("", &ended.why_nothing(property)));
        return Ok(true);
    };
    let verdict = finished.verdict;
    if verdict.is_success() {
        out += &format!("{} {} ({})\n", words::verdict(verdict, screen), property.name, property.place);
        out += &steps.last().map_or(String::new(), |last| format!("\n{}", values::lines(&last.values)));
        out += "\nThis input no longer fails.\n";
    } else {
        out += &finished.text;
    }
    screen.print(&format!("{out}\n"));
    Ok(!verdict.is_success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_inputs_are_reported() {
        let empty = request(&Property::example("a::b"), "").unwrap_err().to_string();
        assert_eq!(empty, "cannot replay ``: it is empty");
        let told = request(&Property::example("a::b"), "1-xyz").unwrap_err().to_string();
        assert!(told.starts_with("cannot replay `1-xyz`: "), "{told}");
    }

    #[test]
    fn a_command_from_a_report_can_be_pasted() {
        let both = (Some("a::b".to_owned()), Some("2-xyz".to_owned()));
        assert_eq!(pasted(Some("a::b"), Some("2-xyz")), both);
        assert_eq!(pasted(Some("replay:   FORALL_DO='replay a::b 2-xyz' cargo test b"), None), both);
        assert_eq!(pasted(Some("replay a::b 2-xyz"), None), both);
        let older = (Some("a::b".to_owned()), Some("1-xyz".to_owned()));
        assert_eq!(pasted(Some("replay a::b 1-xyz"), None), older, "the test reports what to do about an old format");
        assert_eq!(pasted(Some("b"), None), (Some("b".to_owned()), None));
        let value = (Some("nth is get".to_owned()), Some("2-xyz".to_owned()));
        assert_eq!(pasted(Some("FORALL_DO='replay nth is get 2-xyz' cargo test nth_is_get"), None), value);
        assert_eq!(pasted(Some("nth is get"), None), (Some("nth is get".to_owned()), None));
    }
}
