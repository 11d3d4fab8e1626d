//! `forall review`: counterexamples one after the other, and what to do with each.

use crate::corpus::exchange;
use crate::process::{Process, aloud};
use crate::properties::{self, Property};
use crate::screen::{Paint, Screen, aside, visible};
use crate::source::{self, Written};
use crate::trouble;
use crate::workspace::{self, Place, Workspace};
use crate::{Error, list, orphans, values};
use clap::Args;
use forall::protocol::{Step, Value};
use forall::store::{Entry, Variable};
use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;

/// The arguments of `review`.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct Review {
    /// Only properties with this in their name
    pub filter: Option<String>,
    /// Ask nothing: keep all of them as regressions to commit
    #[arg(long, conflicts_with_all = ["example", "drop"])]
    pub keep: bool,
    /// Ask nothing: write all of them into the source, as `#[example(…)]`
    #[arg(long, conflicts_with = "drop")]
    pub example: bool,
    /// Ask nothing: drop all of them
    #[arg(long)]
    pub drop: bool,
    /// Where to look.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Goes through the counterexamples in .forall, which are on this machine only, and asks what to do with each:

  k  keep it for good: it moves to forall-regressions/, to be committed; every run tries it first
  e  write it into the source, as #[example(…)] above the function: for values that read well there
  d  drop it: it is deleted
  s  leave it as it is
  q  stop here

An example is written only if the tests still build with it; if not, the source is left as it was.

Exit codes: 0 done, 2 something could not be done. Where there is nothing to review, it says so.";

/// What to do with a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Keep,
    Example,
    Drop,
    Skip,
    Quit,
}

impl Answer {
    fn parse(text: &str) -> Option<Self> {
        Some(match text.trim().to_lowercase().as_str() {
            "k" | "keep" => Answer::Keep,
            "e" | "example" => Answer::Example,
            "d" | "drop" => Answer::Drop,
            "s" | "skip" | "" => Answer::Skip,
            "q" | "quit" => Answer::Quit,
            _ => return None,
        })
    }
}

/// Reviews.
pub fn review(arguments: &Review) -> Result<ExitCode, Error> {
    let workspace = workspace::build(&arguments.place)?;
    let known = properties::of(&workspace.binaries)?;
    let screen = Screen::of_this_process();
    aside(&screen.shown(&orphans::told(&workspace, &known, &arguments.place, &screen)));
    let all = properties::filter(known, arguments.filter.as_deref())?;
    let mut found = Vec::new();
    // What is to fail is not to be repaired.
    for property in all.iter().filter(|property| !property.should_panic) {
        for (origin, entry) in list::places(&property.binary.package_directory).failures(&property.name) {
            match entry {
                Ok(entry) if !list::is_committed(&origin) => found.push((property, origin, entry)),
                Ok(_) => {}
                Err(error) => {
                    screen.warn(&format!("forall: warning: cannot read {}: {error}", visible(&origin)));
                }
            }
        }
    }
    if found.is_empty() {
        let text = "There is nothing to review: no counterexample of these properties is kept on this machine. `forall run` searches for one.";
        screen.say(&screen.wrap("", text));
        return Ok(ExitCode::SUCCESS);
    }
    let given = match arguments {
        Review { keep: true, .. } => Some(Answer::Keep),
        Review { example: true, .. } => Some(Answer::Example),
        Review { drop: true, .. } => Some(Answer::Drop),
        _ => None,
    };
    if given.is_none() {
        forget_what_was_typed();
    }
    let (number, mut trouble) = (found.len(), false);
    let mut written = Written::default();
    for (at, (property, origin, entry)) in found.iter().enumerate() {
        screen.say(&shown(property, entry, (at + 1, number), &screen));
        let answer = match given {
            Some(answer) => answer,
            None => ask(&screen)?,
        };
        if answer == Answer::Quit {
            break;
        }
        match act(answer, (property, origin, entry), &workspace, &mut written, arguments) {
            Ok(done) => screen.say(&screen.wrap("    ", &done)),
            Err(why) => {
                trouble = true;
                screen.warn(&format!("forall: {why}"));
            }
        }
    }
    Ok(ExitCode::from(if trouble { 2 } else { 0 }))
}

fn shown(property: &Property, entry: &Entry, (at, number): (usize, usize), screen: &Screen) -> String {
    let title = format!("{at} of {number}: {}", property.name);
    let mut out = screen.line(&screen.paint(Paint::Bold, &title), &screen.paint(Paint::Dim, &property.place));
    let value = |Variable { name, type_text, text, .. }: &Variable| Value {
        name: name.clone(),
        type_text: type_text.clone(),
        text: text.clone(),
    };
    out += &values::lines(&entry.printed.iter().map(value).collect::<Vec<_>>());
    let message = list::shortened(visible(&entry.message).lines().next().unwrap_or_default(), screen.width - 6);
    out + &format!("    {}\n", screen.paint(Paint::Bad, &message))
}

/// What was typed while the tests were built is no answer to a question that was not there: a find could be dropped by it. In a
/// pipe nobody types.
fn forget_what_was_typed() {
    #[cfg(unix)]
    if std::io::stdin().is_terminal() {
        use std::ffi::c_int;
        const STDIN: c_int = 0;
        const TCIFLUSH: c_int = if cfg!(target_os = "linux") { 0 } else { 1 };
        unsafe extern "C" {
            fn tcflush(descriptor: c_int, queue: c_int) -> c_int;
        }
        // SAFETY: it takes numbers, and nothing but the terminal's queue is changed.
        unsafe { tcflush(STDIN, TCIFLUSH) };
    }
}

fn ask(screen: &Screen) -> Result<Answer, Error> {
    loop {
        screen.say("    [k]eep, write as [e]xample, [d]rop, [s]kip, [q]uit? ");
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line).map_err(trouble::no_answer)?;
        if !std::io::stdin().is_terminal() {
            let _ = writeln!(std::io::stdout());
        }
        if read == 0 {
            let why = "nobody answers. Run this in a terminal, or say --keep, --example or --drop";
            return Err(why.into());
        }
        match Answer::parse(&line) {
            Some(answer) => return Ok(answer),
            None => screen.say("    Answer with one letter.\n"),
        }
    }
}

/// Does what was answered, and says so.
fn act(
    answer: Answer,
    (property, origin, entry): (&Property, &str, &Entry),
    workspace: &Workspace,
    written: &mut Written,
    arguments: &Review,
) -> Result<String, Error> {
    let places = list::places(&property.binary.package_directory);
    let delete = || places.delete(origin).map_err(|error| error.to_string());
    match answer {
        Answer::Keep => {
            let path = places.keep(entry).map_err(|error| error.to_string())?;
            delete()?;
            Ok(format!("kept as {}: commit it", workspace.short(&path).display()))
        }
        Answer::Drop => {
            delete()?;
            Ok("dropped".to_owned())
        }
        Answer::Example => {
            let values = replayed(property, entry, workspace)?;
            let builds = || workspace::build(&arguments.place).map(|_| ()).map_err(|_| ());
            let place = source::write_example(workspace, property, &values, written, &builds)?;
            delete()?;
            let differs = !entry.printed.iter().map(|variable| &variable.text).eq(&values);
            let values = if differs { ", with the values that it has in this build" } else { "" };
            Ok(format!("written to {place}{values}: commit it"))
        }
        Answer::Skip | Answer::Quit => Ok("left as it is".to_owned()),
    }
}

/// The values of an input, as this build makes them of its choices. Those in the file are for people, and anybody may have written
/// them: they are no code to put into the source.
fn replayed(property: &Property, entry: &Entry, workspace: &Workspace) -> Result<Vec<String>, Error> {
    let process = Process::new(property, workspace, &Screen::plain())?.even_if_ignored();
    let ended = process.asking(&exchange::replay(entry)).run(&mut aloud)?;
    let Some(Step { values, .. }) = ended.last::<Step>().filter(|step| !step.values.is_empty()) else {
        let name = &property.name;
        return Err(format!(
            "this build of {name} makes no values of the input any more; keep it as a regression, or drop it"
        )
        .into());
    };
    Ok(values.iter().map(|value| value.text.clone()).collect())
}
