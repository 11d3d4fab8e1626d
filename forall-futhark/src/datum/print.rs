//! Printing of values by their structure: `{x = 1i32, y = [true]}`, `(1u8, 2u8)`, `#circle 1.5f32`.

use super::Datum;
use super::types::{Structure, Types};

/// The format of sum types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sums {
    /// With variant and payload.
    Open,
    /// As `<opaque:type>`.
    Opaque,
}

impl Datum {
    /// Returns the value in Futhark syntax.
    pub(crate) fn text(&self, type_name: &str, types: &Types, sums: Sums) -> String {
        match (self, &*types.structure_of(type_name)) {
            (Self::Value(value), _) => value.to_string(),
            (Self::Record(fields), Structure::Record(of)) => record(fields, of, types, sums),
            (Self::Sum { variant, payload }, Structure::Sum(variants)) if sums == Sums::Open => {
                let (name, of) = &variants[*variant];
                let parts = payload.iter().zip(of).map(|(part, of)| format!(" {}", part.text(of, types, sums)));
                format!("#{name}{}", parts.collect::<String>())
            }
            (Self::Array { shape, elements }, Structure::Array { element, .. }) => {
                rows(elements, shape, &|one| one.text(element, types, sums))
            }
            _ => format!("<opaque:{type_name}>"),
        }
    }
}

fn record(fields: &[Datum], of: &[(String, String)], types: &Types, sums: Sums) -> String {
    let is_tuple = of.iter().enumerate().all(|(at, (name, _))| *name == at.to_string());
    let shown = fields.iter().zip(of).map(|(field, (name, of))| {
        let text = field.text(of, types, sums);
        if is_tuple { text } else { format!("{name} = {text}") }
    });
    let parts = shown.collect::<Vec<_>>().join(", ");
    if is_tuple { format!("({parts})") } else { format!("{{{parts}}}") }
}

fn rows(elements: &[Datum], shape: &[usize], show: &dyn Fn(&Datum) -> String) -> String {
    let Some((length, inner)) = shape.split_first() else {
        return elements.first().map(show).unwrap_or_default();
    };
    let size = inner.iter().product::<usize>().max(1);
    let parts: Vec<String> = (0..*length).map(|at| rows(&elements[at * size..(at + 1) * size], inner, show)).collect();
    format!("[{}]", parts.join(", "))
}
