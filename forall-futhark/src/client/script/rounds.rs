//! Rounds: several scripts in one exchange, one after the other.
//!
//! A server has room for few variables, but waiting for it costs as much for few commands as for many. All rounds use
//! the same variable names. The server rejects a name that an earlier round failed to free, so there are never more
//! variables than one round has. After a failed round, the answers to all later rounds are ignored.

use super::{Ended, Got, Script, State, Wanted};
use crate::client::Error;
use crate::client::server::{DOES_NOT_HAVE, push_name};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

/// The commands of a round, in addition to those of its script.
struct Round {
    restores: Vec<(String, Range<usize>)>,
    put: Vec<(usize, usize)>,
    file: PathBuf,
    store: String,
    /// The command that frees the remaining variables of the script before the next round.
    free: String,
    commands: usize,
}

/// An error, and the index of its round.
type Trouble = (usize, Error);

impl<'a> Script<'a> {
    /// Creates the round after this script, with the same variable names.
    pub(crate) fn next_round(&self) -> Self {
        // Queried now, while the variables are within the server's limit. If the query fails, the run reports it.
        let _ = self.server.echo();
        self.server.shared.next.set(self.first);
        let mut next = Self::new(self.server);
        next.others = self.others;
        next
    }

    /// Returns whether the script can be one of several rounds.
    pub(crate) fn is_one_wave(&self) -> bool {
        self.pending.iter().all(|line| line.wave == 0)
    }

    /// Runs several scripts in one exchange, each as [`run`](Self::run) does.
    pub(crate) fn run_rounds(scripts: &mut [Self], wanted: &[Wanted]) -> Vec<Vec<Result<Got, Ended>>> {
        if let ([only], [wanted]) = (&mut *scripts, wanted) {
            return vec![only.run(wanted)];
        }
        let got = Self::send_rounds(scripts, wanted).unwrap_or_else(|(at, error)| {
            scripts[at].end_all(&error);
            scripts.iter_mut().for_each(Self::know_nothing);
            Vec::new()
        });
        let mut got = got.into_iter();
        let result = |(script, wanted): (&mut Self, &Wanted)| {
            script.is_sent();
            script.results(wanted, got.next().unwrap_or_default())
        };
        scripts.iter_mut().zip(wanted).map(result).collect()
    }

    /// Sends all scripts and returns the results of each.
    fn send_rounds(scripts: &mut [Self], wanted: &[Wanted]) -> Result<Vec<Vec<Got>>, Trouble> {
        let first = |error| (0, error);
        for (at, script) in scripts.iter_mut().enumerate() {
            script.can_run().map_err(|error| (at, error))?;
        }
        let (server, meanwhile) = (scripts[0].server, scripts[0].meanwhile);
        let echo = server.echo().map_err(first)?;
        let mut rounds = Vec::with_capacity(scripts.len());
        for (at, (script, wanted)) in scripts.iter_mut().zip(wanted).enumerate() {
            rounds.push(script.round(at, wanted).map_err(|error| (at, error))?);
        }
        let mut text: Vec<&str> = Vec::new();
        for (at, (script, round)) in scripts.iter().zip(&rounds).enumerate() {
            text.extend(at.checked_sub(1).map(|before| &*rounds[before].free));
            text.extend(round.restores.iter().map(|(line, _)| &**line));
            text.extend([&*script.text, &round.store]);
        }
        text.push(&echo.line);
        let commands = rounds.iter().map(|round| round.commands + 1).sum();
        let sent = Instant::now();
        let mut connection = server.send(&text, commands, meanwhile).map_err(first)?;
        // The first failed round.
        let mut wrong = None;
        let mut not_put = None;
        for (at, round) in rounds.iter().enumerate() {
            if let Some(before) = at.checked_sub(1) {
                let line = rounds[before].free.trim_end();
                match connection.is_done(line) {
                    Ok(()) => connection.says_nothing(line).map_err(|error| (before, error))?,
                    Err(Error::Refused(_)) if wrong.is_some() => {}
                    Err(Error::Refused(refused)) => {
                        return Err((before, connection.distrust(line, DOES_NOT_HAVE, refused.message)));
                    }
                    Err(error) => return Err((before, error)),
                }
            }
            if wrong.is_some() {
                for _ in 0..round.commands {
                    match connection.is_done("") {
                        Ok(()) | Err(Error::Refused(_)) => {}
                        Err(error) => return Err((at, error)),
                    }
                }
                continue;
            }
            let script = &mut scripts[at];
            let lines: Vec<usize> = (0..script.pending.len()).collect();
            let read = script.read(&mut connection, &round.restores, &round.put, lines, Some(&round.store));
            let read = read.map_err(|error| (at, error))?;
            if read.is_lost {
                scripts.iter_mut().for_each(Self::know_nothing);
                return Ok(Vec::new());
            }
            not_put = read.not_put.map(|error| (at, error));
            if !read.is_stored || not_put.is_some() {
                wrong = Some(at);
            }
        }
        connection.is_echo(&echo).map_err(first)?;
        connection.note_pace(commands, sent.elapsed());
        drop(connection);
        // Read before the pipes are emptied.
        let stored = rounds.iter().take(wrong.unwrap_or(rounds.len())).enumerate();
        let got = stored.map(|(at, round)| scripts[at].stored_in(&round.file, &wanted[at]).map_err(first));
        let got: Result<Vec<Vec<Got>>, Trouble> = got.collect();
        if let Some(at) = wrong {
            Self::tidy(scripts);
            server.empty_pipes();
            if let Some(trouble) = not_put {
                scripts[at].sections.iter_mut().for_each(|section| section.ended = None);
                return Err(trouble);
            }
            scripts[at..].iter_mut().for_each(Self::know_nothing);
        } else if let [freed @ .., _] = scripts {
            freed.iter_mut().for_each(Self::all_are_freed);
        }
        got
    }

    /// Builds the commands of a round.
    fn round(&mut self, at: usize, wanted: &Wanted) -> Result<Round, Error> {
        let restores = self.restores(&format!("put{at}_"))?;
        let put = self.take_put();
        let pipe = if self.are_truths(wanted) { self.server.pipe(&format!("pipe{at}")) } else { None };
        let file = pipe.unwrap_or_else(|| self.server.file(&format!("get{at}")));
        let store = self.store(&file, wanted);
        // Some slots never become variables: older servers have only the parts of some tuples.
        let mut is_left = vec![false; self.slots.len()];
        put.iter().for_each(|(slot, _)| is_left[*slot] = true);
        for line in &self.pending {
            is_left[line.makes.clone()].fill(true);
            self.needs[line.frees.clone()].iter().for_each(|slot| is_left[*slot] = false);
        }
        let mut free = "free".to_owned();
        for (slot, _) in self.slots.iter().zip(is_left).filter(|(_, is_left)| *is_left) {
            free.push(' ');
            push_name(&mut free, slot.number);
        }
        free.push('\n');
        let commands = restores.len() + self.pending.len() + 1;
        Ok(Round { restores, put, file, store, free, commands })
    }

    /// Marks the results of all unfinished sections as unknown.
    fn know_nothing(&mut self) {
        self.sections.iter_mut().for_each(|section| {
            section.ended.get_or_insert(Ended::Unknown);
        });
    }

    /// Marks all variables of the script as freed.
    fn all_are_freed(&mut self) {
        (0..self.slots.len()).for_each(|slot| self.leave(slot));
    }

    /// Frees all remaining variables after a failed round.
    fn tidy(scripts: &mut [Self]) {
        let server = scripts[0].server;
        let first = scripts[0].first;
        let most = scripts.iter().map(|script| script.slots.len() as u64).max().unwrap_or(0);
        scripts.iter_mut().for_each(|script| {
            script
                .slots
                .iter_mut()
                .filter(|slot| slot.state == State::Leaked)
                .for_each(|slot| slot.state = State::Exists);
            script.all_are_freed();
        });
        let line = |number| {
            let mut line = "free ".to_owned();
            push_name(&mut line, number);
            line
        };
        // A variable may or may not exist, so errors are ignored. If the server is lost here, the next command reports
        // it.
        drop(server.exchange(&(first..first + most).map(line).collect::<Vec<String>>()));
    }
}
