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
use std::cell::RefCell;
use std::fs;
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
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
Goes through the local counterexamples in .forall, each on a screen with its source, and waits for a key (in a pipe, for a line):

  k  keep it as a regression: move it to forall-regressions/, to be committed; every run replays it first
  e  insert it into the source as #[example(…)] above the function; offered if all values are code
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
    let (mut found, mut unreadable) = (Vec::new(), Vec::new());
    // The failure of a property that is expected to panic is not a bug.
    for property in all.iter().filter(|property| !property.should_panic) {
        for (origin, entry) in list::places(&property.binary.package_directory).failures(&property.name) {
            match entry {
                Ok(entry) if !list::is_committed(&origin) => found.push((property, origin, entry)),
                Ok(_) => {}
                Err(error) => unreadable.push((origin, error.to_string())),
            }
        }
    }
    if let Some(text) = list::unreadable(&unreadable) {
        screen.warn(&format!("forall: warning: {text}"));
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
    let full = Full::of_this_process().filter(|_| given.is_none());
    let (number, mut trouble) = (found.len(), false);
    let mut written = Written::default();
    for (at, (property, origin, entry)) in found.iter().enumerate() {
        let offered = Offered { example: has_code(property, &entry.printed) };
        let counterexample = shown(property, entry, (at + 1, number), &screen);
        let answer = match (given, &full) {
            (Some(answer), _) => {
                screen.print(&counterexample);
                answer
            }
            (None, Some(full)) => {
                let source = excerpt(&workspace.root, &property.place, &written, &screen);
                let answer = full.ask(&screen.shown(&(counterexample + &source)), offered, &screen);
                answer.inspect_err(|_| full.end(&screen))?
            }
            (None, None) => {
                screen.print(&counterexample);
                ask(&screen, offered)?
            }
        };
        if answer == Answer::Quit {
            break;
        }
        let name = || if full.is_some() { format!("{}: ", property.name) } else { String::new() };
        match act(answer, (property, origin, entry), &workspace, &mut written, arguments) {
            Ok(done) => {
                let done = screen.wrap("    ", &format!("{}{done}", name()));
                match &full {
                    Some(full) => full.done.borrow_mut().push(done),
                    None => screen.print(&done),
                }
            }
            Err(why) => {
                trouble = true;
                match &full {
                    Some(full) => full.done.borrow_mut().push(screen.wrap("", &format!("forall: {why}"))),
                    None => screen.warn(&format!("forall: {why}")),
                }
            }
        }
    }
    if let Some(full) = full {
        full.end(&screen);
    }
    Ok(ExitCode::from(if trouble { 2 } else { 0 }))
}

/// The answers that are possible only for some counterexamples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offered {
    /// Whether it can be written into the source.
    example: bool,
}

/// Whether a counterexample can be written as `#[example(…)]`: the property is a function, and all values are code.
fn has_code(property: &Property, values: &[Variable]) -> bool {
    let is_code = |variable: &Variable| syn::parse_str::<syn::Expr>(&variable.text).is_ok();
    !property.is_value() && !values.is_empty() && values.iter().all(is_code)
}

/// The number of source lines shown.
const LINES: usize = 16;

/// The source of a property, with line numbers; empty if it cannot be read. Its place is that of the build, before examples
/// were written.
fn excerpt(root: &Path, place: &str, written: &Written, screen: &Screen) -> String {
    let Some((file, line)) = place.rsplit_once(':') else { return String::new() };
    let (Ok(text), Ok(first)) = (fs::read_to_string(root.join(file)), line.parse::<usize>()) else {
        return String::new();
    };
    let first = written.now(file, first);
    let lines: Vec<&str> = text.lines().skip(first.saturating_sub(1)).collect();
    let Some(begin) = lines.first() else { return String::new() };
    let indent = &begin[..begin.len() - begin.trim_start().len()];
    let end = format!("{indent}}}");
    // An item on one line ends there; others at the brace below their first letter.
    let length = match begin.trim_end().ends_with('}') {
        true => 1,
        false => lines.iter().position(|line| line.trim_end() == end).map_or(LINES, |at| at + 1),
    };
    let mut out = String::from("\n");
    for (at, line) in lines.iter().take(length.min(LINES)).enumerate() {
        let line = visible(line.strip_prefix(indent).unwrap_or_else(|| line.trim_start()));
        let number = screen.paint(Paint::Dim, &format!("{:>5} |", first + at));
        out += format!("{number} {}", list::shortened(&line, screen.width - 8)).trim_end();
        out.push('\n');
    }
    if length > LINES {
        out += &format!("{}\n", screen.paint(Paint::Dim, "      | …"));
    }
    out
}

/// The whole terminal as one screen: a counterexample at a time, with the keys below it.
struct Full {
    terminal: console::Term,
    /// The actions so far.
    done: RefCell<Vec<String>>,
}

impl Full {
    /// Creates the screen, if input and output are a terminal.
    fn of_this_process() -> Option<Self> {
        let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && !is_dumb;
        is_terminal.then(|| Self { terminal: console::Term::stdout(), done: RefCell::default() })
    }

    /// Shows a counterexample and waits for a key.
    fn ask(&self, text: &str, offered: Offered, screen: &Screen) -> Result<Answer, Error> {
        let _ = self.terminal.clear_screen();
        if let Some(last) = self.done.borrow().last() {
            screen.print(&format!("{}\n", screen.paint(Paint::Dim, last.trim_end())));
        }
        screen.print(&format!("{text}\n{}", keys(offered, screen)));
        loop {
            use console::Key;
            let key = match self.terminal.read_key() {
                Ok(Key::Char(c)) => c.to_string(),
                Ok(Key::Enter | Key::ArrowDown | Key::ArrowRight) => "s".to_owned(),
                Ok(Key::Escape | Key::CtrlC) => "q".to_owned(),
                Ok(_) => continue,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => return Ok(Answer::Quit),
                Err(error) => return Err(trouble::no_answer(error)),
            };
            match Answer::parse(&key) {
                Some(Answer::Example) if !offered.example => {}
                Some(answer) if !key.trim().is_empty() => return Ok(answer),
                _ => {}
            }
        }
    }

    /// Leaves the list of actions on the terminal.
    fn end(&self, screen: &Screen) {
        let _ = self.terminal.clear_screen();
        screen.print(&self.done.borrow().concat());
    }
}

/// The keys and their actions.
fn keys(offered: Offered, screen: &Screen) -> String {
    let mut keys = vec![("k", "keep", "move it to forall-regressions/, to be committed: every run replays it")];
    if offered.example {
        keys.push(("e", "example", "write it into the source as #[example(…)]"));
    }
    keys.extend([("d", "drop", "delete it"), ("s", "skip", "leave it as it is"), ("q", "quit", "stop here")]);
    let line = |(key, name, meaning): (&str, &str, &str)| {
        let key = screen.paint(Paint::Bold, key);
        format!("    {key}  {name:<8} {}\n", screen.paint(Paint::Dim, meaning))
    };
    keys.into_iter().map(line).collect()
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

fn ask(screen: &Screen, offered: Offered) -> Result<Answer, Error> {
    loop {
        let example = if offered.example { "write as [e]xample, " } else { "" };
        screen.print(&format!("    [k]eep, {example}[d]rop, [s]kip, [q]uit? "));
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
            Some(Answer::Example) if !offered.example => {
                screen.print("    Its values are not code, so it cannot be written into the source.\n");
            }
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
    let ended = process.replaying(&exchange::replay(entry), entry.beside).run(&mut aloud)?;
    let Some(Step { values, .. }) = ended.last::<Step>().filter(|step| !step.values.is_empty()) else {
        let name = &property.name;
        return Err(format!(
            "this build of {name} no longer generates values for the input; keep it as a regression, or drop it"
        )
        .into());
    };
    Ok(values.iter().map(|value| value.text.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_offered_only_where_there_is_code() {
        let function = Property::example("shop::sums");
        let value = Property { value_of: Some("sums".to_owned()), ..function.clone() };
        let entry = |texts: &[&str]| texts.iter().map(|text| Variable::new("x", "", *text)).collect::<Vec<_>>();
        assert!(has_code(&function, &entry(&["99", "vec![Some(\"a\")]"])));
        assert!(!has_code(&function, &entry(&["99", "<token 10>"])) && !has_code(&function, &entry(&[])));
        assert!(!has_code(&value, &entry(&["99"])), "a value has no attribute");
        let screen = Screen::plain();
        insta::assert_snapshot!([true, false].map(|example| keys(Offered { example }, &screen)).join("\n"));
    }

    #[test]
    fn the_source_of_a_property_is_shown_up_to_its_end() {
        let root = std::env::temp_dir().join(format!("forall-excerpt-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let long = format!("#[forall::test]\nfn long() {{\n{}}}\n", "    a();\n".repeat(30));
        let text = format!(
            "mod m {{\n    #[forall::test]\n    fn f(x: u8) {{\n        g(x)\n    }}\n}}\nfn one() {{ 1 }}\n{long}"
        );
        fs::write(root.join("lib.rs"), text).unwrap();
        let screen = Screen::plain();
        let shown = |place: &str| excerpt(&root, place, &Written::default(), &screen);
        assert_eq!(
            shown("lib.rs:2"),
            "\n    2 | #[forall::test]\n    3 | fn f(x: u8) {\n    4 |     g(x)\n    5 | }\n"
        );
        assert_eq!(shown("lib.rs:7"), "\n    7 | fn one() { 1 }\n");
        // An example that was written meanwhile moved it.
        let mut written = Written::default();
        written.add("lib.rs", 1, 5);
        assert_eq!(excerpt(&root, "lib.rs:2", &written, &screen), shown("lib.rs:7"));
        let blank = "    #[forall::test]\n    fn f() {\n \u{a0}\u{a0}// no-break spaces\n    }\n";
        fs::write(root.join("blank.rs"), blank).unwrap();
        let expected = "\n    1 | #[forall::test]\n    2 | fn f() {\n    3 | // no-break spaces\n    4 | }\n";
        assert_eq!(shown("blank.rs:1"), expected);
        let long = shown("lib.rs:8");
        assert!(long.lines().count() == LINES + 2 && long.ends_with("      | …\n"), "{long}");
        assert_eq!([shown("gone.rs:1"), shown("lib.rs:999"), shown("lib.rs"), shown("lib.rs:x")], [""; 4]);
        fs::remove_dir_all(root).unwrap();
    }
}
