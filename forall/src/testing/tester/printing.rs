//! The values of a case as printed, and the candidates of its shrinkers.

use super::{Fault, Tester};
use crate::choice::{Rejected, Sequence, Source};
use crate::panic::{self, Unwound};
use crate::property::{Binding, Measure, Printed, Step, Stop};
use crate::testing::{Case, guest};

impl Tester<'_> {
    /// Returns the variables of a case. A `Debug` or a printer that panics is replaced by its panic message.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::{choice::Sequence, run::{Case, Tester}};
    /// let property = property! { forall n in 0..10u32; check *n < 10 };
    /// let three = Case { sequence: Sequence::from_values(100, &[3]), steps: vec![] };
    /// let bindings = Tester::new("below ten", &property, 7).print(&three);
    /// assert_eq!((bindings[0].name, bindings[0].printed.text()), ("n", "3"));
    /// ```
    pub fn print(&self, case: &Case) -> Vec<Binding> {
        if let Some(depth) = case.searched_to() {
            let Some(search) = guest::searching() else { return Vec::new() };
            return self.print_searched(|| (search.print)(self.property, case, depth));
        }
        self.printed_once(case, || self.print_source(Source::replay(&case.sequence), &case.steps))
    }

    /// The variables of a source.
    pub(crate) fn print_source(&self, source: Source, steps: &[Step]) -> Vec<Binding> {
        match self.print_from(source, steps).0 {
            Ok(Ok(bindings)) => bindings,
            Ok(Err(Stop::Discarded(discarded))) => discarded.bindings,
            Ok(Err(Stop::NoSuchStep)) => Vec::new(),
            // A generator found no value: there is none to print.
            Err(Unwound::Signal(signal)) if signal.is::<Rejected>() => Vec::new(),
            Err(unwound) => {
                let said = match unwound {
                    Unwound::Panic(caught) => caught.to_string(),
                    Unwound::Signal(_) => "it gave up".to_owned(),
                };
                let quantifiers = self.property.outline().quantifiers;
                let mut bindings = Vec::new();
                for quantifier in &quantifiers {
                    let debug = Some(format!("<printing it panicked: {said}>"));
                    let printed = Printed { debug, type_name: quantifier.type_name, ..Printed::default() };
                    bindings.push(Binding { name: quantifier.name, type_text: None, printed });
                }
                bindings
            }
        }
    }

    /// The variables of a case and its choices; `None` if it is discarded or cannot be printed.
    pub(crate) fn print_drawn(&self, case: &Case) -> Option<(Vec<Binding>, Sequence)> {
        let (bindings, drawn, _) = self.print_and_run(case)?;
        Some((bindings, drawn))
    }

    /// Returns a measure of each candidate that a variable's shrinker proposes for a case (empty if the case cannot be
    /// reached), and the fault of the shrinker, if any. Candidates before the fault are included.
    ///
    /// ```
    /// # use forall::prelude::*;
    /// # use forall::{choice::Sequence, run::{Case, Tester}};
    /// let property = property! { forall n in 0..10u32, shrink |n| 0..*n; check *n < 10 };
    /// let three = Case { sequence: Sequence::from_values(100, &[3]), steps: vec![] };
    /// let (candidates, fault) = Tester::new("below ten", &property, 7).candidates(&three, 0);
    /// assert_eq!((candidates.len(), fault), (3, None));
    /// ```
    #[doc(hidden)]
    pub fn candidates(&self, case: &Case, quantifier: u32) -> (Vec<Measure>, Option<Fault>) {
        let (mut candidates, mut source) = (Vec::new(), Source::replay(&case.sequence));
        let looked =
            panic::catch(|| self.property.candidates(&mut source, &case.steps, quantifier, &mut candidates).is_ok());
        let fault = match looked {
            Err(Unwound::Panic(caught)) => {
                let name = self.property.outline().quantifiers.get(quantifier as usize).map(|variable| variable.name);
                Some(Fault::ShrinkerPanic { quantifier: name, failure: caught.into() })
            }
            _ => None,
        };
        (candidates, fault)
    }
}
