//! Sequences of commands, applied to a model and to a system.
//!
//! All of a sequence is one exchange with the server: the commands are sent, both states stay where they are, and what comes back is
//! whether they agree after each. With a condition there is an exchange for each command, because it decides what comes next.
//! A sequence is drawn by choices, so shrinking drops commands, simplifies them, and makes both states smaller at first.

use super::candidate::generator_size;
use super::draw;
use super::lost::is_out_of_time;
use super::machine::{Commands, Initial, Machine};
use super::shown::text_of;
use super::testing::{Answer, FALSE, Start, Testing};
use crate::client::{Ended, Made, Script, Server, Wanted, is_stopping, truth};
use crate::data::Value;
use crate::datum::print::Sums;
use crate::datum::{Datum, Native};
use forall::choice::Source;
use forall::generate::{any, from_fn, vec};

/// The maximum length of a sequence: the results of all commands are requested on one line.
const LONGEST: u32 = 400;

/// Commands, and the initial states.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sequence {
    size: i64,
    seed: u64,
    commands: Vec<Command>,
}

/// The origin of a command.
#[derive(Clone, Debug, PartialEq)]
enum Command {
    /// By its type.
    Drawn(Datum),
    /// By the program.
    Made { size: i64, seed: u64 },
}

impl Sequence {
    pub(super) fn draw(machine: &Machine, testing: &Testing, source: &mut Source) -> Self {
        let (mut size, mut seed) = (0, 0);
        if machine.model.is_random || machine.system.is_random {
            size = generator_size(testing, source);
            seed = source.draw(any::<u64>());
        }
        let server = testing.server.borrow();
        let types = server.known();
        let command = from_fn(|source: &mut Source| match machine.command {
            Commands::ByType => {
                let (of, largest) = (&machine.command_type, testing.largest_size);
                Command::Drawn(draw::candidate(of, &machine.lengths, &types, largest, source))
            }
            Commands::Made(_) | Commands::MadeFor(_) => {
                Command::Made { size: generator_size(testing, source), seed: source.draw(any::<u64>()) }
            }
        });
        let longest = source.size().min(LONGEST) as usize;
        let commands = source.draw(vec(command).len(0..=longest));
        Self { size, seed, commands }
    }
}

/// The required number of free variables, beyond those of the largest command so far, before the next command.
const ROOM: usize = 12;

/// The execution of a sequence in a server.
struct Walk<'a, 's> {
    script: Script<'s>,
    machine: &'a Machine,
    testing: &'a Testing,
    model: Made,
    system: Made,
    /// The additional calls for each command.
    each: Option<Each<'a>>,
    /// The number of executed commands.
    done: usize,
    /// The results of the property after each command, not fetched yet.
    agree: Vec<Made>,
    /// The results of additional calls, not fetched yet: the command's number, the section, and the variable.
    asked: Vec<(usize, usize, Made)>,
    /// Whether both agreed in all fetched results.
    agreed: bool,
    /// The fetched results of additional calls, by command number.
    answers: Vec<(usize, Vec<Value>)>,
    /// The failure, if the sequence did not complete.
    ended: Option<Ended>,
    /// The maximum number of variables of a command.
    taken: usize,
    /// The description of each call.
    phases: Vec<String>,
}

/// An additional call for each command.
#[derive(Clone, Copy)]
enum Each<'a> {
    /// Its label.
    Label(&'a str),
    /// Its printed form. Some commands may be printed even if others cannot be generated.
    Print(&'a str),
    /// Its value.
    Value,
}

impl<'a, 's> Walk<'a, 's> {
    /// Creates both states and applies all commands.
    fn begin(
        testing: &'a Testing,
        machine: &'a Machine,
        server: &'s Server,
        sequence: &Sequence,
        each: Option<Each<'a>>,
    ) -> Self {
        let mut script = Script::new(server);
        let mut phases = Vec::new();
        let numbers = [script.put("i64", &sequence.size.into_datum()), script.put("u64", &sequence.seed.into_datum())];
        let mut initial = |what: &str, Initial { entry, is_random }: &Initial| {
            phases.push(match is_random {
                true => format!("{what} {entry} with size={} and seed={}", sequence.size, sequence.seed),
                false => format!("{what} {entry}"),
            });
            script.call(entry, if *is_random { &numbers } else { &[] })
        };
        let (model, system) = (initial("model", &machine.model), initial("system", &machine.system));
        let mut walk = Self {
            script,
            machine,
            testing,
            model,
            system,
            each,
            done: 0,
            agree: Vec::new(),
            asked: Vec::new(),
            agreed: true,
            answers: Vec::new(),
            ended: None,
            taken: ROOM,
            phases,
        };
        for (number, command) in sequence.commands.iter().enumerate() {
            if number == 0 {
                walk.compare(0);
            }
            if walk.script.room() <= walk.taken {
                walk.fetch(&[], &[]);
            }
            let room = walk.script.room();
            walk.command(number + 1, command);
            walk.taken = walk.taken.max(room.saturating_sub(walk.script.room()) + ROOM);
            if walk.ended.is_some() {
                break;
            }
        }
        if sequence.commands.is_empty() || machine.at_end {
            let all = walk.done;
            walk.compare_now(all);
        }
        walk
    }

    /// Fetches all answers so far, and the values of something more. The server keeps both states, and variables that
    /// are still needed.
    fn fetch(&mut self, more: &[Made], needed: &[Made]) -> Option<Vec<Vec<Value>>> {
        let mut own = more.to_vec();
        own.append(&mut self.agree);
        let asked = std::mem::take(&mut self.asked);
        let mut wanted = Wanted::of(0, own);
        asked.iter().for_each(|(_, section, answer)| wanted.push(*section, [*answer]));
        let mut results = self.script.run(&wanted).into_iter();
        self.script.keep(&[&[self.model, self.system], needed].concat());
        let own = results.next().unwrap_or(Err(Ended::Unknown));
        for ((number, ..), result) in asked.iter().zip(results) {
            self.answers.extend(result.ok().map(|got| (*number, got.values().concat())));
        }
        match own {
            Ok(got) => {
                let mut values = got.values();
                let agree = values.split_off(more.len());
                self.agreed &= agree.iter().all(|one| truth(std::slice::from_ref(one)));
                Some(values)
            }
            Err(ended) => {
                self.ended.get_or_insert(ended);
                None
            }
        }
    }

    fn call(&mut self, entry: &str, inputs: &[Made], phase: String) -> Made {
        self.phases.push(phase);
        self.script.call(entry, inputs)
    }

    fn command(&mut self, number: usize, command: &Command) {
        let property = &self.testing.property;
        let made = match (command, &self.machine.command) {
            (Command::Drawn(datum), _) => self.script.put(&self.machine.command_type, datum),
            (Command::Made { size, seed }, Commands::Made(entry) | Commands::MadeFor(entry)) => {
                let mut inputs =
                    vec![self.script.put("i64", &size.into_datum()), self.script.put("u64", &seed.into_datum())];
                if matches!(self.machine.command, Commands::MadeFor(_)) {
                    inputs.insert(0, self.model);
                }
                let phase = format!("command {entry} with size={size} and seed={seed}, for command {number}");
                self.call(entry, &inputs, phase)
            }
            (Command::Made { .. }, Commands::ByType) => return,
        };
        if let Some(condition) = &property.attribute.condition {
            let phase = format!("condition {condition}, for command {number}");
            let answer = self.call(condition, &[self.model, made], phase);
            let fetched = self.fetch(&[answer], &[made]);
            if !fetched.is_some_and(|values| truth(&values)) {
                return;
            }
        }
        let (step_model, step_system) = (&self.machine.step_model, &self.machine.step_system);
        self.model = self.call(step_model, &[self.model, made], format!("{step_model}, for command {number}"));
        self.system = self.call(step_system, &[self.system, made], format!("{step_system}, for command {number}"));
        self.done = number;
        self.compare(number);
        self.ask(number, made);
    }

    /// Makes the additional calls for a command.
    fn ask(&mut self, number: usize, command: Made) {
        let Some(each) = self.each else { return };
        let answer = match each {
            Each::Label(label) => {
                let answer = self.call(label, &[command], format!("label {label}, for command {number}"));
                self.asked.push((number, 0, answer));
                return;
            }
            Each::Print(print) => {
                self.script.next_section();
                self.script.call(print, &[command])
            }
            Each::Value => {
                self.script.next_section();
                command
            }
        };
        self.asked.push((number, self.script.section(), answer));
        self.script.go_on_in(0);
    }

    fn compare(&mut self, number: usize) {
        if !self.machine.at_end {
            self.compare_now(number);
        }
    }

    fn compare_now(&mut self, number: usize) {
        let name = &self.testing.property.name;
        let agree = self.call(name, &[self.model, self.system], format!("property {name}, after {number} commands"));
        self.agree.push(agree);
    }
}

impl Testing {
    /// Whether model and system agree throughout a sequence; otherwise the failure. If the result is unknown, the
    /// corresponding answer.
    pub(super) fn follow(&self, sequence: &Sequence, start: Start<'_>) -> Result<Result<(), String>, Answer> {
        let Some(machine) = &self.property.machine else { return Ok(Ok(())) };
        let server = self.server.borrow();
        let mut walk = Walk::begin(self, machine, &server, sequence, self.label().map(Each::Label));
        if walk.ended.is_none() {
            walk.fetch(&[], &[]);
        }
        let name = &self.property.name;
        let mut end_of_time = None;
        let (call, why, is_lost) = match walk.ended.take().map_or(Ok(()), Err) {
            Ok(()) => {
                for (_, label) in &walk.answers {
                    forall::label!("{}", text_of(label));
                }
                return Ok(if walk.agreed { Ok(()) } else { Err(FALSE.to_owned()) });
            }
            Err(Ended::Refused { call, refused }) => {
                (Some(call), format!(" failed:\n{}", refused.message.join("\n").trim_end()), false)
            }
            Err(Ended::Error { call, error }) => {
                let why = format!(": {error}");
                end_of_time = is_out_of_time(&error).then_some(error);
                (call, why, true)
            }
            Err(Ended::Unknown) => (None, ": nothing came back".to_owned(), true),
        };
        let phase = call.and_then(|call| walk.phases.get(call)).cloned().unwrap_or_else(|| format!("property {name}"));
        drop(walk);
        drop(server);
        if let Some(error) = end_of_time {
            self.out_of_time(&phase, &error);
            return Err(Answer::Discarded);
        }
        let is_label = phase.starts_with("label ");
        // If it cannot be restarted, no more candidates are tried.
        let started = match is_lost {
            true if is_label => self.start_another(start),
            true => self.start_again(start),
            false => Ok(()),
        };
        if started.is_err() && is_stopping() {
            return Err(Answer::Discarded);
        }
        let why = format!("{phase}{why}");
        match is_lost {
            true if is_label => self.lose_label(&why),
            false if is_label => self.note_label(&why),
            _ => {}
        }
        Ok(Err(why))
    }

    /// A sequence in Futhark syntax.
    pub(super) fn shown_sequence(&self, server: &Server, sequence: &Sequence, print: Option<&str>) -> String {
        let Some(machine) = &self.property.machine else { return String::new() };
        let mut text = match sequence.commands.len() {
            0 => "no commands".to_owned(),
            1 => "1 command".to_owned(),
            many => format!("{many} commands"),
        };
        if machine.model.is_random || machine.system.is_random {
            text += &format!(", from size={} and seed={}", sequence.size, sequence.seed);
        }
        let shown = self.commands_shown(server, machine, sequence, print);
        for (at, command) in sequence.commands.iter().enumerate() {
            let own = shown.get(at).cloned().flatten().unwrap_or_else(|| match command {
                Command::Drawn(datum) => datum.text(&machine.command_type, &server.known(), Sums::Open),
                Command::Made { size, seed } => {
                    format!("<{} of size={size} and seed={seed}>", machine.command_type)
                }
            });
            text += &format!("\n  {}. {own}", at + 1);
        }
        text
    }

    /// The executed commands, as the program prints them, or in Futhark syntax.
    fn commands_shown(
        &self,
        server: &Server,
        machine: &Machine,
        sequence: &Sequence,
        print: Option<&str>,
    ) -> Vec<Option<String>> {
        let mut all = vec![None; sequence.commands.len()];
        let is_known = server.learn(&machine.command_type).is_ok();
        if print.is_none() && (machine.command == Commands::ByType || !is_known) {
            return all;
        }
        let mut walk = Walk::begin(self, machine, server, sequence, Some(print.map_or(Each::Value, Each::Print)));
        walk.fetch(&[], &[]);
        for (number, values) in walk.answers {
            all[number - 1] = match print {
                Some(_) => Some(text_of(&values)),
                None => {
                    let known = server.known();
                    let datum = Datum::from_leaves(&machine.command_type, &mut values.into_iter(), &known);
                    datum.map(|datum| datum.text(&machine.command_type, &known, Sums::Open))
                }
            };
        }
        all
    }

    /// The final model and system, unless they are opaque.
    pub(super) fn states_shown(&self, sequence: &Sequence) -> Option<String> {
        let machine = self.property.machine.as_ref()?;
        let server = self.server.borrow();
        server.learn_all(&self.property.parameters).ok()?;
        let mut walk = Walk::begin(self, machine, &server, sequence, None);
        if walk.ended.is_some() {
            return None;
        }
        let states = [walk.model, walk.system];
        let values = walk.script.run(&Wanted::of(0, states)).pop()?.ok()?.values();
        let known = server.known();
        let shown = |at: usize| {
            let of = &self.property.parameters[at];
            let datum = Datum::from_leaves(of, &mut values.get(at)?.clone().into_iter(), &known)?;
            Some(datum.text(of, &known, Sums::Open))
        };
        Some(format!("model:  {}\nsystem: {}", shown(0)?, shown(1)?))
    }

    /// Size and seed, and the commands.
    pub(super) fn leaves_of_sequence(&self, server: &Server, sequence: &Sequence) -> Vec<Value> {
        let mut all = vec![Value::scalar(sequence.size), Value::scalar(sequence.seed)];
        let Some(machine) = &self.property.machine else { return all };
        for command in &sequence.commands {
            match command {
                Command::Drawn(datum) => all.extend(datum.leaves(&machine.command_type, &server.known())),
                Command::Made { size, seed } => all.extend([Value::scalar(*size), Value::scalar(*seed)]),
            }
        }
        all
    }
}
