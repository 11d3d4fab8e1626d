//! Candidates as text: for reports, and as keys for the library.

use super::candidate::{Candidate, Origin};
use super::testing::Testing;
use crate::client::{Script, Server, Wanted};
use crate::data::{Element, Primitive, Value};
use crate::datum::Datum;
use crate::datum::print::Sums;
use forall::__private::json;
use std::io::Write;
use std::rc::Rc;

impl Testing {
    /// Returns the candidate with this key, as formatted by the program's printer, if it has one.
    pub(super) fn shown_as_printed(self: &Rc<Self>, value: &str) -> Option<String> {
        let origin = self.written.borrow().get(value)?.clone();
        Some(self.shown(&Candidate { origin, testing: self.clone() }))
    }

    /// Returns the key of a candidate for the library: its value, since a program's printer may print different values
    /// alike.
    pub(super) fn written(&self, candidate: &Candidate) -> String {
        let text = self.shown_by(candidate, None);
        if self.property.attribute.print.is_some() {
            self.written.borrow_mut().insert(text.clone(), candidate.origin.clone());
        }
        text
    }

    /// Formats a candidate in Futhark syntax, or with the program's printer.
    pub(super) fn shown(&self, candidate: &Candidate) -> String {
        self.shown_by(candidate, self.property.attribute.print.as_deref())
    }

    /// Formats a candidate with this printer, or in Futhark syntax. Uses its origin if the server cannot describe it.
    pub(super) fn shown_by(&self, candidate: &Candidate, print: Option<&str>) -> String {
        let Ok(server) = self.server.try_borrow() else { return "_".to_owned() };
        if let Origin::Sequence(sequence) = &candidate.origin {
            return self.shown_sequence(&server, sequence, print);
        }
        if let Some(print) = print {
            let mut script = Script::new(&server);
            let mut input = Vec::new();
            candidate.put(&mut script, &mut input);
            let text = script.call(print, &input);
            if let Some(Ok(got)) = script.run(&Wanted::of(0, [text])).pop() {
                return text_of(&got.values().concat());
            }
        }
        let of = &self.property.type_name;
        match (self.datum_of(candidate), &candidate.origin) {
            (Some(datum), _) => {
                let text = datum.text(of, &server.known(), Sums::Open);
                // Several parameters are printed as in a call.
                match &*self.property.parameters {
                    [_] => text,
                    _ => self.parameters_shown(&datum, &server),
                }
            }
            (None, Origin::Made { size, seed, steps }) if steps.is_empty() => {
                format!("<{of} of size={size} and seed={seed}>")
            }
            (None, Origin::Made { size, seed, steps }) => {
                let steps: Vec<String> = steps.iter().map(u64::to_string).collect();
                format!("<{of} of size={size} and seed={seed}, shrunk with {}>", steps.join(", "))
            }
            (None, _) => format!("<{of}>"),
        }
    }

    fn parameters_shown(&self, datum: &Datum, server: &Server) -> String {
        let Datum::Record(parts) = datum else { return String::new() };
        let known = server.known();
        let parts = self.property.parameters.iter().zip(parts);
        let texts: Vec<String> = parts.map(|(of, part)| part.text(of, &known, Sums::Open)).collect();
        texts.join(" ")
    }

    /// Logs a candidate and its outcome.
    pub(super) fn write_down(&self, candidate: &Candidate, said: &str) {
        let mut log = self.log.borrow_mut();
        let Some(file) = &mut *log else { return };
        let line = format!(
            "{{\"property\":{},\"candidate\":{},\"outcome\":{}}}\n",
            json(&self.property.name),
            json(&self.shown(candidate)),
            json(said)
        );
        // After a write error, logging stops.
        if file.write_all(line.as_bytes()).is_err() {
            *log = None;
        }
    }
}

/// Converts a string or a number that the program returned.
pub(super) fn text_of(values: &[Value]) -> String {
    match values {
        [text, ..] if text.shape().len() == 1 && text.primitive() == Primitive::U8 => {
            String::from_utf8_lossy(u8::of(text.elements()).unwrap_or_default()).into_owned()
        }
        [other, ..] => other.to_string(),
        [] => String::new(),
    }
}
