//! One exchange: sends candidates to the server, and reads the answers.

use super::candidate::{Candidate, Origin};
use super::lost::{breaks_protocol, is_about_variables, is_out_of_time};
use super::shown::text_of;
use super::testing::{Answer, FALSE, Testing};
use crate::client::{Ended, Error, Got, Made, Script, Wanted};

/// The program's message for arguments whose array lengths do not match its types.
pub(super) const MISFIT: &str = "entry point arguments have invalid sizes";

/// The maximum number of candidates in one round. Servers search all variables by name, so more variables are slower;
/// but each round needs some additional commands.
const MOST_IN_ROUND: usize = 32;

/// The number of candidates whose inputs are freed with one command.
const FREED_TOGETHER: usize = 16;

/// The maximum number of rounds in one exchange.
const MOST_ROUNDS: usize = 8;

/// The maximum length of the commands in one exchange: they must fit into a pipe, or both sides would block.
const MOST_TEXT: usize = 1 << 14;

/// The loss of the server.
pub(super) struct Loss {
    /// The index of the candidate that the server was working on.
    pub(super) at: usize,
    pub(super) is_timeout: bool,
    /// Whether the time limit of the program was reached.
    pub(super) is_out_of_time: bool,
    /// Whether the server violated the protocol, which implies nothing about the candidate.
    pub(super) breaks_protocol: bool,
    /// Whether a value could not be sent, which is no fault of the server.
    pub(super) is_own: bool,
    /// The error, if there is one.
    pub(super) why: String,
    /// Whether the program's generator was running: there is no candidate.
    pub(super) is_generator: bool,
    /// Whether the program's label function was running, which implies nothing about the candidate.
    pub(super) is_label: bool,
}

impl Loss {
    /// Returns the loss that a failure implies, if it does: the server was lost, or violated the protocol.
    pub(super) fn of(at: usize, ended: &Ended) -> Option<Self> {
        match ended {
            Ended::Error { error, .. } => Some(Self {
                is_timeout: matches!(error, Error::Lost(lost) if lost.is_timeout()),
                is_out_of_time: is_out_of_time(error),
                breaks_protocol: breaks_protocol(error),
                is_own: matches!(error, Error::Impossible(_) | Error::File(_)),
                why: error.to_string(),
                ..Self::of_protocol(at)
            }),
            Ended::Refused { refused, .. } if is_about_variables(refused) => Some(Self::of_protocol(at)),
            Ended::Refused { .. } | Ended::Unknown => None,
        }
    }

    /// Returns the loss of a server that violated the protocol.
    pub(super) fn of_protocol(at: usize) -> Self {
        Self {
            at,
            is_timeout: false,
            is_out_of_time: false,
            breaks_protocol: true,
            is_own: false,
            why: String::new(),
            is_generator: false,
            is_label: false,
        }
    }
}

/// The candidates of one script, each in its own section.
struct Part<'a> {
    script: Script<'a>,
    /// The inputs of the property: for each candidate, one per parameter.
    inputs: Vec<Made>,
    candidates: &'a [Candidate],
}

impl Part<'_> {
    fn input(&self, at: usize) -> &[Made] {
        let arity = self.inputs.len() / self.candidates.len();
        &self.inputs[at * arity..(at + 1) * arity]
    }
}

impl Testing {
    /// Tests the first candidates in one exchange, as many as the server has room for.
    pub(super) fn try_some(&self, candidates: &[Candidate]) -> (Vec<Answer>, Option<Loss>) {
        // A sequence of commands fills an exchange alone.
        if let [Candidate { origin: Origin::Sequence(sequence), .. }, ..] = candidates {
            let (answer, loss) = self.follow(sequence);
            return (vec![answer], loss);
        }
        let server = self.server.borrow();
        let prepare = || self.prepare();
        let mut script = Script::new(&server);
        script.meanwhile(&prepare);
        let mut parts = vec![self.part(script, candidates)];
        let mut answers: Vec<Option<Answer>> = vec![None; parts[0].candidates.len()];
        let mut loss = None;
        if let Some(condition) = &self.property.attribute.condition {
            // The property is not called with candidates that the condition rejects, since it may do anything with
            // them.
            let part = &mut parts[0];
            let mut wanted = Wanted::with_capacity(answers.len());
            for at in 0..answers.len() {
                let input = part.input(at).to_vec();
                wanted.push(at, [part.script.call_in(at, condition, &input)]);
            }
            for (at, result) in part.script.run(&wanted).into_iter().enumerate() {
                answers[at] = match result {
                    Ok(got) if got.is_true() => None,
                    Ok(_) => Some(Answer::Discarded),
                    Err(ended) => Some(self.gone_wrong(candidates, at, condition, ended, &mut loss)),
                };
            }
        }
        let label = self.label();
        let mut wanted = vec![self.ask(&mut parts[0], label, |at| answers[at].is_none())];
        let mut length = parts[0].script.length();
        while self.property.attribute.condition.is_none()
            && !self.has_broken_rounds.get()
            && answers.len() < candidates.len()
            && parts.len() < MOST_ROUNDS
            && length < MOST_TEXT
            && parts[0].script.is_one_wave()
        {
            let mut part = self.part(parts[0].script.next_round(), &candidates[answers.len()..]);
            answers.resize(answers.len() + part.candidates.len(), None);
            wanted.push(self.ask(&mut part, label, |_| true));
            length += part.script.length();
            parts.push(part);
        }
        if wanted[0].len() == 0 {
            return (known(answers), loss);
        }
        let (mut scripts, counts): (Vec<Script<'_>>, Vec<usize>) =
            parts.into_iter().map(|part| (part.script, part.candidates.len())).unzip();
        let mut first = 0;
        for ((wanted, results), count) in wanted.iter().zip(Script::run_rounds(&mut scripts, &wanted)).zip(counts) {
            for (section, result) in wanted.sections().zip(results) {
                let at = first + section;
                answers[at] = Some(match result {
                    Ok(got) => self.tried(&candidates[at], got, label.is_some()),
                    Err(ended) => {
                        // A failure may recur, and all other candidates of its exchange would have to be retried each
                        // time.
                        self.has_broken_rounds.set(true);
                        self.gone_wrong_at_last(candidates, at, label, ended, &mut loss)
                    }
                });
            }
            first += count;
        }
        (known(answers), loss)
    }

    /// Adds the first candidates to a script, as many as it has room for.
    fn part<'a>(&self, mut script: Script<'a>, candidates: &'a [Candidate]) -> Part<'a> {
        let attribute = &self.property.attribute;
        // Each call with a candidate returns one value.
        let calls = 1 + usize::from(attribute.condition.is_some()) + usize::from(self.label().is_some());
        let mut inputs = Vec::with_capacity(candidates.len() * self.property.parameters.len());
        // Servers search all variables by name, so the generators' inputs are freed before further variables are
        // created.
        let is_made =
            |candidate: &Candidate| matches!(&candidate.origin, Origin::Made { steps, .. } if steps.is_empty());
        let frees_put = candidates.iter().all(is_made);
        let (mut count, mut taken) = (0, 0);
        for candidate in candidates {
            if count > 0 {
                script.next_section();
            }
            let room = script.room();
            candidate.put(&mut script, &mut inputs);
            count += 1;
            // The next candidate needs at most as much room as the largest so far.
            taken = taken.max(room - script.room());
            let called = calls * (count + 1);
            let is_full = match frees_put {
                true => script.room() <= taken || script.room_without_put() <= taken + called,
                false => script.room() <= taken + called,
            };
            if is_full || count == MOST_IN_ROUND {
                break;
            }
        }
        if frees_put {
            script.free_put();
        }
        Part { script, inputs, candidates: &candidates[..count] }
    }

    /// Calls the property and the label function with some of the candidates.
    fn ask(&self, part: &mut Part<'_>, label: Option<&str>, is_asked: impl Fn(usize) -> bool) -> Wanted {
        let Part { script, inputs, candidates } = part;
        let arity = inputs.len() / candidates.len();
        let mut wanted = Wanted::with_capacity(candidates.len());
        // Servers search all variables by name: without the inputs of earlier candidates, they find the others sooner.
        let is_freed = matches!(candidates[0].origin, Origin::Drawn(_) | Origin::Reduced(_));
        let together = if is_freed { FREED_TOGETHER } else { candidates.len() };
        for at in (0..candidates.len()).step_by(together) {
            let end = candidates.len().min(at + together);
            for at in (at..end).filter(|at| is_asked(*at)) {
                let input = &inputs[at * arity..(at + 1) * arity];
                let holds = script.call_in(at, &self.property.name, input);
                let label = label.map(|label| script.call_in(at, label, input));
                let looked_at = if self.is_looked_at(&candidates[at]) { input } else { &[] };
                wanted.push(at, [holds].into_iter().chain(label).chain(looked_at.iter().copied()));
            }
            if is_freed {
                script.free_all(&inputs[at * arity..end * arity]);
            }
        }
        wanted
    }

    /// Handles a failure of the property or of the label function for a candidate.
    fn gone_wrong_at_last(
        &self,
        candidates: &[Candidate],
        at: usize,
        label: Option<&str>,
        ended: Ended,
        loss: &mut Option<Loss>,
    ) -> Answer {
        let property_call = candidates[at].calls() + usize::from(self.property.attribute.condition.is_some());
        let during = match (ended.call(), label) {
            (Some(call), Some(label)) if call > property_call => label,
            _ => &self.property.name,
        };
        let answer = self.gone_wrong(candidates, at, during, ended, loss);
        let is_lost = loss.as_ref().is_some_and(|loss| loss.at == at);
        if let (Answer::Tried(Err(why), _), true) = (&answer, during != self.property.name)
            && !self.label_is_bad.get()
        {
            let why = format!("label {why}");
            match loss.as_mut().filter(|_| is_lost) {
                Some(loss) => {
                    loss.is_label = true;
                    self.lose_label(&why);
                }
                None => self.note_label(&why),
            }
        }
        answer
    }

    /// Returns the outcome of a candidate from its results: the property's result, the label if there is one, and the
    /// candidate's values if they were requested.
    fn tried(&self, candidate: &Candidate, got: Got, has_label: bool) -> Answer {
        let holds = got.is_true();
        let mut label = None;
        match got {
            Got::Truth(_) => self.look_at(candidate, Vec::new()),
            Got::Values(values) => {
                let mut rest = values.into_iter().skip(1);
                label = if has_label { rest.next().map(|label| text_of(&label)) } else { None };
                self.look_at(candidate, rest.flatten().collect());
            }
        }
        Answer::Tried(if holds { Ok(()) } else { Err(FALSE.to_owned()) }, label)
    }

    fn gone_wrong(
        &self,
        candidates: &[Candidate],
        at: usize,
        entry_point: &str,
        ended: Ended,
        loss: &mut Option<Loss>,
    ) -> Answer {
        let candidate = &candidates[at];
        if let Some(lost) = Loss::of(at, &ended) {
            if loss.is_some() {
                // One loss is handled at a time; this candidate is tested again.
                return Answer::Unknown;
            }
            *loss = Some(lost);
        }
        let is_generator = matches!(candidate.origin, Origin::Made { .. }) && ended.call() == Some(0);
        if let Some(loss) = loss.as_mut().filter(|loss| loss.at == at) {
            loss.is_generator = is_generator;
        }
        // A failed step of the program's shrinker implies nothing about the property.
        if let (Origin::Made { steps, .. }, Ended::Refused { call, .. } | Ended::Error { call: Some(call), .. }) =
            (&candidate.origin, &ended)
            && (1..=steps.len()).contains(call)
        {
            self.note_shrinker(steps[call - 1], &ended);
            return Answer::Discarded;
        }
        match ended {
            Ended::Refused { refused, call } if is_about_variables(&refused) => {
                let phase = candidate.phase(call, entry_point);
                Answer::Tried(Err(format!("{phase}: {refused}")), None)
            }
            Ended::Refused { call, refused } => {
                let message = refused.message.join("\n");
                if matches!(candidate.origin, Origin::Drawn(_) | Origin::Reduced(_)) && message.contains(MISFIT) {
                    return Answer::Misfit;
                }
                let phase = candidate.phase(call, entry_point);
                let why = format!("{phase} failed:\n{}", message.trim_end());
                if is_generator && !self.generator_counts.get() {
                    self.note_unmade(&why);
                    return Answer::Unmade;
                }
                Answer::Tried(Err(why), None)
            }
            Ended::Error { call, error } => {
                let phase = candidate.phase(call.unwrap_or(candidate.calls()), entry_point);
                if is_out_of_time(&error) {
                    let value = match candidate.origin {
                        Origin::Made { .. } => String::new(),
                        _ => format!(" and the candidate {}", self.shown_by(candidate, None)),
                    };
                    self.out_of_time(&format!("{phase}{value}"), &error);
                    return Answer::Discarded;
                }
                Answer::Tried(Err(format!("{phase}: {error}")), None)
            }
            Ended::Unknown => Answer::Unknown,
        }
    }
}

fn known(answers: Vec<Option<Answer>>) -> Vec<Answer> {
    answers.into_iter().map(|answer| answer.unwrap_or(Answer::Unknown)).collect()
}
