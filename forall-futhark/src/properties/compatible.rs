//! Properties as `futhark test` runs them: same candidates, same shrinking, same messages.

use super::automatic::{self, NoCandidate};
use super::random::SplitMix;
use super::{Failure, Property, Settings};
use crate::client::{Error, Refused, Server, Variable};
use crate::data::Value;
use crate::datum::print::Sums;
use std::cell::RefCell;

/// The failure of a property's run.
///
/// ```
/// use forall_futhark::properties::Stopped;
/// fn is_failure(stopped: &Stopped) -> bool {
///     matches!(stopped, Stopped::Failed(_))
/// }
/// ```
#[non_exhaustive]
pub enum Stopped {
    /// The property failed.
    Failed(Failure),
    /// An error that ends the whole file, as with `futhark test`.
    Critical(String),
    /// The time limit was reached, during this activity.
    TimedOut(String),
    /// The server was lost, or a file cannot be written.
    Lost(Error),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refused) => Self::Critical(critical(&refused.message.join("\n"))),
            other => Self::Lost(other),
        }
    }
}

/// Returns the message for an unexpected error.
fn critical(what: &str) -> String {
    format!(
        "user error (Unexpected critical error: {what}\n\nProbably a bug please report as issue on the GitHub repository.)"
    )
}

/// Runs a property.
pub(super) fn run(server: &Server, property: &Property, settings: &Settings) -> Result<(), Stopped> {
    let size = property.attribute.size.unwrap_or(settings.size);
    let mut random = SplitMix::new(settings.seed);
    let running = Running { server, property, size, settings, phase: RefCell::default() };
    run_tests(&running, &mut random).map_err(|stopped| match stopped {
        Stopped::Lost(Error::Lost(lost)) if lost.is_timeout() => Stopped::TimedOut(running.phase.take()),
        other => other,
    })
}

fn run_tests(running: &Running<'_>, random: &mut SplitMix) -> Result<(), Stopped> {
    let Running { server, property, size, settings, .. } = *running;
    for test in 1..=settings.tests {
        let seed = random.next_u64();
        if property.attribute.generator.is_some() {
            running.enter(&format!("User Generator at size={size} and seed={seed}"));
        }
        let candidate = match running.candidate(size, seed)? {
            Ok(candidate) => candidate,
            Err(Trouble::Generator(refused)) => {
                let generator = property.attribute.generator.as_deref().unwrap_or_default();
                let error = listed(&refused.message);
                let text = format!(
                    "User Generator {generator} failed with size={size} and seed={seed} with error: Runtime error: {error}"
                );
                let inputs = server.put(&[Value::scalar(size), Value::scalar(seed)])?;
                let inputs: Vec<&Variable> = inputs.iter().collect();
                running.keep(&inputs)?;
                return Err(running.failed(text, &format!("generator {generator}"), None));
            }
            Err(Trouble::NoCandidate(why)) => {
                return Err(running.failed(format!("Automatic generator failed: {why}"), "generator", None));
            }
        };
        running.enter(&format!("{} at size={size}", property.name));
        match running.holds(&candidate)? {
            Ok(true) => {}
            Ok(false) => return Err(running.shrink(candidate, seed, test, random)),
            Err(refused) => {
                let name = &property.name;
                let (shown, error) = (server.text(&candidate, Sums::Opaque)?, listed(&refused.message));
                running.keep(&[&candidate])?;
                let text = format!(
                    "Property {name} failed with candidate={shown} with error: {name} has Runtime error: {error}"
                );
                return Err(running.failed(text, &format!("property {name}"), Some(shown)));
            }
        }
    }
    Ok(())
}

/// The reason why there is no candidate.
enum Trouble {
    Generator(Refused),
    NoCandidate(String),
}

struct Running<'a> {
    server: &'a Server,
    property: &'a Property,
    size: i64,
    settings: &'a Settings,
    /// The current activity, for the message at the time limit.
    phase: RefCell<String>,
}

impl Running<'_> {
    /// Sets the current activity.
    fn enter(&self, phase: &str) {
        *self.phase.borrow_mut() = format!(". Was evaluating property:\n{} during phase {phase}", self.property.name);
    }

    fn candidate(&self, size: i64, seed: u64) -> Result<Result<Variable, Trouble>, Stopped> {
        let type_name = &self.property.type_name;
        let by_convention = format!("gen_{type_name}");
        let (generator, seed) = match &self.property.attribute.generator {
            Some(generator) => (generator, seed),
            None => {
                // Opaque values need an entry point that generates them.
                let known = match self.server.learn(type_name) {
                    Ok(()) => Ok(automatic::candidate(type_name, &self.server.known(), size, seed)),
                    Err(Error::Impossible(_)) => Ok(Err(NoCandidate::AskGenerator)),
                    Err(other) => Err(other),
                };
                match known? {
                    Ok(datum) => {
                        let mut made = self.server.put_all(&[(type_name, datum)])?;
                        return Ok(made.pop().ok_or_else(|| Trouble::NoCandidate(type_name.clone())));
                    }
                    Err(NoCandidate::NotImplemented(why)) => return Ok(Err(Trouble::NoCandidate(why))),
                    Err(NoCandidate::AskGenerator) => (&by_convention, SplitMix::new(seed).next_u64()),
                }
            }
        };
        if !self.server.entry_points().contains(generator) {
            return Err(Stopped::Critical(critical("getValue failed for runPBT_ok: Unknown variable: runPBT_ok")));
        }
        let inputs = self.server.put(&[Value::scalar(size), Value::scalar(seed)])?;
        match self.server.call(generator, &[&inputs[0], &inputs[1]]) {
            Ok(candidate) => Ok(Ok(candidate)),
            Err(Error::Refused(refused)) if refused.is_runtime_error() => Ok(Err(Trouble::Generator(refused))),
            Err(error) => Err(error.into()),
        }
    }

    fn holds(&self, candidate: &Variable) -> Result<Result<bool, Refused>, Stopped> {
        match self.server.call(&self.property.name, &[candidate]) {
            Ok(answer) => {
                let answer = self.server.get(&[&answer])?;
                Ok(Ok(answer.first().and_then(Value::get).unwrap_or(false)))
            }
            Err(Error::Refused(refused)) if refused.is_runtime_error() => Ok(Err(refused)),
            Err(error) => Err(error.into()),
        }
    }

    /// Shrinks a failing candidate, and reports the result.
    fn shrink(&self, candidate: Variable, seed: u64, test: u64, random: &mut SplitMix) -> Stopped {
        let mut candidate = candidate;
        let shrunk = match &self.property.attribute.shrinker {
            Some(shrinker) => self.shrink_by(shrinker, &mut candidate, seed, random),
            None => self.shrink_by_size(&mut candidate, seed).map(|failed| failed.map(Note::Failed)),
        };
        let note = match shrunk {
            Ok(note) => note,
            Err(stopped) => return stopped,
        };
        let told = || -> Result<Stopped, Stopped> {
            let (name, size, seed) = (&self.property.name, self.size, self.settings.seed);
            let shown = self.server.text(&candidate, Sums::Opaque)?;
            let between = match &note {
                None => String::new(),
                Some(Note::Fallback(text)) => format!("Shrinking note: {text}\n"),
                Some(Note::Failed(text)) => format!("Shrinking failed: {text}\n"),
            };
            if !matches!(note, Some(Note::Fallback(_))) {
                self.keep(&[&candidate])?;
            }
            let text = format!(
                "Property {name} (size={size}, seed={seed}) failed after {test} tests:\n{between}Counterexample: {shown}"
            );
            Ok(self.failed(text, &format!("property {name}"), Some(shown)))
        };
        told().unwrap_or_else(|stopped| stopped)
    }

    fn failed(&self, text: String, phase: &str, counterexample: Option<String>) -> Stopped {
        Stopped::Failed(Failure {
            text,
            property: self.property.name.clone(),
            phase: phase.to_owned(),
            size: self.size,
            seed: self.settings.seed,
            counterexample,
        })
    }

    /// Shrinks by the program's own shrinker, until this many candidates in a row were rejected.
    fn shrink_by(
        &self,
        shrinker: &str,
        candidate: &mut Variable,
        seed: u64,
        random: &mut SplitMix,
    ) -> Result<Option<Note>, Stopped> {
        let mut refusals = 0;
        while refusals < self.settings.tries {
            let number = random.next_u64();
            self.enter(&format!("{shrinker} at size={} with tactic={number}", self.size));
            let input = self.server.put(&[Value::scalar(number)])?;
            let failed = match self.server.call(shrinker, &[candidate, &input[0]]) {
                Ok(smaller) => match self.holds(&smaller)? {
                    Ok(false) => {
                        *candidate = smaller;
                        refusals = 0;
                        continue;
                    }
                    Ok(true) => {
                        refusals += 1;
                        continue;
                    }
                    Err(refused) => {
                        let name = &self.property.name;
                        format!("Property {name} has Runtime error: {}", listed(&refused.message))
                    }
                },
                Err(Error::Refused(refused)) if refused.is_runtime_error() => {
                    format!("{shrinker} has Runtime error: {}", listed(&refused.message))
                }
                Err(error) => return Err(error.into()),
            };
            let end = match self.shrink_by_size(candidate, seed)? {
                None => "Auto-shrinker fallback completed.".to_owned(),
                Some(why) => format!("Auto-shrinker fallback also failed: {why}"),
            };
            return Ok(Some(Note::Fallback(format!(
                "User shrinker failed: Error in shrinker {shrinker} with random={number}: {failed}\nAttempted auto-shrinker \
                 fallback.\n{end}"
            ))));
        }
        Ok(None)
    }

    /// Shrinks by regenerating the candidate at decreasing sizes. Returns the error, if there was one.
    fn shrink_by_size(&self, candidate: &mut Variable, seed: u64) -> Result<Option<String>, Stopped> {
        let enter = |with: &str| {
            self.enter(&format!("autoShrinkLoop while shrinking with {with} at size={} and seed={seed}", self.size));
        };
        for size in (1..self.size).rev() {
            let smaller = match self.candidate(size, seed)? {
                Ok(smaller) => smaller,
                Err(Trouble::Generator(_)) => {
                    let what = "getValue failed for auto_shrink_ok: Unknown variable: auto_shrink_ok";
                    return Err(Stopped::Critical(critical(what)));
                }
                // A type without an automatic generator has no automatic shrinker either.
                Err(Trouble::NoCandidate(why)) => return Ok(Some(why)),
            };
            enter(&self.property.name);
            let holds = self.holds(&smaller)?;
            enter("Automatic generator");
            match holds {
                Ok(false) => *candidate = smaller,
                Ok(true) => {}
                Err(refused) => {
                    let name = &self.property.name;
                    return Ok(Some(format!("Property {name} has Runtime error: {}", listed(&refused.message))));
                }
            }
        }
        Ok(None)
    }

    fn keep(&self, variables: &[&Variable]) -> Result<(), Stopped> {
        let file = self.settings.counterexample_file(&self.property.name);
        Ok(self.server.store(&file, variables)?)
    }
}

/// The text between the two lines of a report.
enum Note {
    Fallback(String),
    Failed(String),
}

/// Formats lines as a list of quoted strings.
fn listed(lines: &[String]) -> String {
    let quoted: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
    format!("[{}]", quoted.join(","))
}

/// Quotes a string, with Haskell's escapes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\t' => quoted += "\\t",
            '\r' => quoted += "\\r",
            ' '..='~' => quoted.push(c),
            other => {
                quoted += &format!("\\{}", other as u32);
                // A following digit would be read as part of the number.
                if chars.peek().is_some_and(char::is_ascii_digit) {
                    quoted += "\\&";
                }
            }
        }
    }
    quoted.push('"');
    quoted
}
