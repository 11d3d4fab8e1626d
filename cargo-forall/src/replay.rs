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
    let Pasted { property: wanted, case: given, beside } =
        pasted(arguments.property.as_deref(), arguments.case.as_deref());
    let workspace = workspace::build_with(&arguments.place, more)?;
    let all = properties::of(&workspace.binaries)?;
    let property = properties::choose(&all, wanted.as_deref())?;
    let screen = Screen::of_this_process();
    let inputs = match given {
        Some(given) => {
            let input = given_input(property, &given)?;
            vec![Input { beside: beside.unwrap_or(input.beside), ..input }]
        }
        None => stored(property, &all, &screen)?,
    };
    let mut failed = false;
    for input in &inputs {
        failed |= one(property, input, &workspace, &screen)?;
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// An input to run again.
#[derive(Debug, PartialEq, Eq)]
struct Input {
    /// Its file, or nothing.
    origin: String,
    /// The input, after the cases that run before it.
    case: String,
    /// The number of threads that ran it at once when it failed.
    beside: u32,
}

/// The arguments, or their parts in a command from a report.
#[derive(Debug, Default, PartialEq, Eq)]
struct Pasted {
    property: Option<String>,
    case: Option<String>,
    beside: Option<u32>,
}

/// Splits the arguments into property and input: both may be in one command from a report.
fn pasted(property: Option<&str>, case: Option<&str>) -> Pasted {
    let Some(text) = property.filter(|text| case.is_none() && text.contains(' ')) else {
        return Pasted { property: property.map(str::to_owned), case: case.map(str::to_owned), beside: None };
    };
    let text = text.trim().trim_start_matches("replay:").trim_start();
    // After the request, before the call of cargo.
    let beside = text.split_once("FORALL_BESIDE=").and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
    let text = text.trim_start_matches("FORALL_DO=");
    // The request is in quotes, before the call of cargo.
    let text = match text.strip_prefix('\'') {
        Some(quoted) => quoted.split('\'').next().unwrap_or(quoted),
        None => text,
    };
    let text = text.trim_start_matches("replay ").trim();
    // The name of a property value may contain spaces; an input does not.
    match text.rsplit_once(char::is_whitespace).filter(|(_, last)| is_input(last)) {
        Some((name, case)) => Pasted { property: Some(name.trim().to_owned()), case: Some(case.to_owned()), beside },
        None => Pasted { property: Some(text.to_owned()), case: None, beside },
    }
}

/// Whether a word is an input: it begins with its format version.
fn is_input(word: &str) -> bool {
    let version = word.split_once('-').map_or("", |(version, _)| version);
    !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads an input from the argument, or from the file that it names.
fn given_input(property: &Property, given: &str) -> Result<Input, Error> {
    let last = given.rsplit(',').next().unwrap_or(given);
    let wrong = match Case::from_text(last) {
        Ok(_) => return Ok(Input { origin: String::new(), case: given.to_owned(), beside: 1 }),
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
    match (belongs_to, input_in(String::new(), &text)) {
        (Some(name), _) if name != property.name => {
            Err(format!("{given} is an input of {name}, not of {}; replay that property", property.name).into())
        }
        (_, Some(input)) => Ok(input),
        _ => Err(format!(
            "{given} contains no input; saved inputs are the .case files in {} and forall-regressions",
            results::store_shown()
        )
        .into()),
    }
}

/// The input in a file with this text.
fn input_in(origin: String, text: &str) -> Option<Input> {
    let lines = |key: &'static str| text.lines().filter_map(move |line| line.strip_prefix(key)).map(str::trim);
    let before: String = lines("after ").map(|case| format!("{case},")).collect();
    let case = before + lines("case ").next()?;
    let beside = lines("beside ").find_map(|threads| threads.parse().ok()).unwrap_or(1);
    Some(Input { origin, case, beside })
}

/// The saved failures of the property.
fn stored(property: &Property, all: &[Property], screen: &Screen) -> Result<Vec<Input>, Error> {
    let (mut inputs, mut unreadable) = (Vec::new(), Vec::new());
    for (origin, entry) in list::places(&property.binary.package_directory).failures(&property.name) {
        match entry {
            Ok(_) => {
                // Unless it was deleted in the meantime.
                let text = std::fs::read_to_string(&origin).unwrap_or_default();
                inputs.extend(input_in(origin, &text));
            }
            Err(error) => unreadable.push((origin, error.to_string())),
        }
    }
    if let Some(text) = list::unreadable(&unreadable) {
        screen.warn(&format!("forall: warning: {text}"));
    }
    if inputs.is_empty() {
        let name = properties::telling(all, property, false).unwrap_or_else(|| properties::as_argument(&property.name));
        return Err(format!(
            "there is no saved failure of {}. `forall run {name}` searches for one; replay one from a report with \
             `forall replay {name} 2-…`",
            property.name
        )
        .into());
    }
    Ok(inputs)
}

/// The request for an input, with the cases that run before it.
fn request(property: &Property, case: &str) -> Result<Request, Error> {
    let read = Request::read(&format!("replay {} {case}", property.name));
    let wrong = |why: &dyn std::fmt::Display| Error::Refused(format!("cannot replay `{case}`: {why}"));
    read.map_err(|why| wrong(&why))?.ok_or_else(|| wrong(&"it is empty"))
}

/// Runs an input, prints its result, and returns whether it fails.
fn one(property: &Property, input: &Input, workspace: &Workspace, screen: &Screen) -> Result<bool, Error> {
    let Input { origin, case, beside } = input;
    let process = Process::new(property, workspace, screen)?.even_if_ignored();
    let request = request(property, case)?;
    let ended = process.replaying(&request, *beside).run(&mut aloud)?;
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
        out += &match beside {
            0 | 1 => "\nThis input no longer fails.\n".to_owned(),
            _ => format!("\nThis input no longer fails on {beside} threads at once.\n"),
        };
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
        let parts = |property: &str, case: Option<&str>| Pasted {
            property: Some(property.to_owned()),
            case: case.map(str::to_owned),
            beside: None,
        };
        let both = parts("a::b", Some("2-xyz"));
        assert_eq!(pasted(Some("a::b"), Some("2-xyz")), both);
        assert_eq!(pasted(Some("replay:   FORALL_DO='replay a::b 2-xyz' cargo test b"), None), both);
        assert_eq!(pasted(Some("replay a::b 2-xyz"), None), both);
        let race = "replay:   FORALL_DO='replay a::b 2-xyz' FORALL_BESIDE=4 cargo test b";
        assert_eq!(pasted(Some(race), None), Pasted { beside: Some(4), ..both });
        let older = parts("a::b", Some("1-xyz"));
        assert_eq!(pasted(Some("replay a::b 1-xyz"), None), older, "the test reports what to do about an old format");
        assert_eq!(pasted(Some("b"), None), parts("b", None));
        let value = parts("nth is get", Some("2-xyz"));
        assert_eq!(pasted(Some("FORALL_DO='replay nth is get 2-xyz' cargo test nth_is_get"), None), value);
        assert_eq!(pasted(Some("nth is get"), None), parts("nth is get", None));
    }

    #[test]
    fn the_input_of_a_file_has_its_earlier_cases_and_threads() {
        let text = "forall\nproperty a::b\nafter 2-x\ncase 2-y\nbeside 3\n";
        let input = input_in("f".to_owned(), text).unwrap();
        assert_eq!(input, Input { origin: "f".to_owned(), case: "2-x,2-y".to_owned(), beside: 3 });
        assert_eq!(input_in(String::new(), "case 2-y\n").unwrap().beside, 1);
        assert_eq!(input_in(String::new(), "property a::b\n"), None);
    }
}
