//! `forall review`: decides for each saved counterexample whether to keep or drop it.

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
    /// Only properties whose name contains this
    pub filter: Option<String>,
    /// Move all to forall-regressions/, to be committed, without asking
    #[arg(long, conflicts_with_all = ["example", "drop"])]
    pub keep: bool,
    /// Write all into the source as `#[example(…)]`, without asking
    #[arg(long, conflicts_with = "drop")]
    pub example: bool,
    /// Delete all, without asking
    #[arg(long)]
    pub drop: bool,
    /// Which tests to build.
    #[command(flatten)]
    pub place: Place,
}

const HELP: &str = "\
Goes through the local counterexamples in .forall and asks what to do with each:

  k  keep it as a regression: move it to forall-regressions/, to be committed; every run replays it first
  e  insert it into the source as #[example(…)] above the function, for values that are readable as code
  d  drop it: delete the file
  s  skip: leave it as it is
  q  stop here

An example is written only if the tests still build with it; otherwise the source is restored.

Exit codes: 0 done (or nothing to review), 2 an action failed.";

/// An answer.
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

/// Reviews counterexamples.
pub fn review(arguments: &Review) -> Result<ExitCode, Error> {
    let workspace = workspace::build(&arguments.place)?;
    let known = properties::of(&workspace.binaries)?;
    let screen = Screen::of_this_process();
    aside(&screen.shown(&orphans::message(&workspace, &known, &arguments.place, &screen)));
    let all = properties::filter(known, arguments.filter.as_deref())?;
    let mut found = Vec::new();
    // The failure of a property that is expected to panic is not a bug.
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
        let text = "nothing to review: these properties have no saved counterexamples on this machine. `forall run` searches for counterexamples";
        screen.print(&screen.wrap("", text));
        return Ok(ExitCode::SUCCESS);
    }
    let given = match arguments {
        Review { keep: true, .. } => Some(Answer::Keep),
        Review { example: true, .. } => Some(Answer::Example),
        Review { drop: true, .. } => Some(Answer::Drop),
        _ => None,
    };
    if given.is_none() {
        discard_typed_keys();
    }
    let (number, mut trouble) = (found.len(), false);
    let mut written = Written::default();
    for (at, (property, origin, entry)) in found.iter().enumerate() {
        screen.print(&shown(property, entry, (at + 1, number), &screen));
        let answer = match given {
            Some(answer) => answer,
            None => ask(&screen)?,
        };
        if answer == Answer::Quit {
            break;
        }
        match act(answer, (property, origin, entry), &workspace, &mut written, arguments) {
            Ok(done) => screen.print(&screen.wrap("    ", &done)),
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

/// Discards keys typed during the build: they must not answer a later question. Does nothing in a pipe.
fn discard_typed_keys() {
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
        screen.print("    [k]eep, write as [e]xample, [d]rop, [s]kip, [q]uit? ");
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line).map_err(trouble::no_answer)?;
        if !std::io::stdin().is_terminal() {
            let _ = writeln!(std::io::stdout());
        }
        if read == 0 {
            let why = "standard input is closed. Run this in a terminal, or add --keep, --example or --drop";
            return Err(why.into());
        }
        match Answer::parse(&line) {
            Some(answer) => return Ok(answer),
            None => screen.print("    Answer with one letter.\n"),
        }
    }
}

/// Carries out an answer and returns the message.
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
            Ok(format!("saved as a regression; commit it:\n{}", workspace.short(&path).display()))
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
            let values = if differs { ", with this build's values" } else { "" };
            Ok(format!("written to {place}{values}: commit it"))
        }
        Answer::Skip | Answer::Quit => Ok("skipped".to_owned()),
    }
}

/// The values that this build generates for an input. The values in the file are untrusted, so they are never written to
/// the source.
fn replayed(property: &Property, entry: &Entry, workspace: &Workspace) -> Result<Vec<String>, Error> {
    let process = Process::new(property, workspace, &Screen::plain())?.even_if_ignored();
    let ended = process.asking(&exchange::replay(entry)).run(&mut aloud)?;
    let Some(Step { values, .. }) = ended.last::<Step>().filter(|step| !step.values.is_empty()) else {
        let name = &property.name;
        return Err(format!(
            "this build of {name} no longer generates values for the input; keep it as a regression, or drop it"
        )
        .into());
    };
    Ok(values.iter().map(|value| value.text.clone()).collect())
}
