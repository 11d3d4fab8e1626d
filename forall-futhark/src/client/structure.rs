//! The structure of types, as far as a server reports it.

use super::Error;
use super::kinds::{Field, Generation, Kind, Variant};
use super::server::Server;
use crate::data::Primitive;
use crate::datum::types::{Structure, Types};

impl Server {
    /// Returns the structure of a type. Each type is queried once.
    ///
    /// ```no_run
    /// # use forall_futhark::client::{Kind, Options, Server};
    /// # let server = Server::start("./program", &Options::default()).unwrap();
    /// assert!(matches!(server.kind("(i32, bool)").unwrap(), Kind::Record(fields) if fields.len() == 2));
    /// ```
    pub fn kind(&self, type_name: &str) -> Result<Kind, Error> {
        if let Ok(primitive) = type_name.parse() {
            return Ok(Kind::Primitive(primitive));
        }
        if let Some(kind) = self.shared.kinds.borrow().get(type_name) {
            return Ok(kind.clone());
        }
        // A query for an unknown type would end the server.
        if !self.types.iter().any(|known| known == type_name) {
            return Err(Error::Impossible(format!(
                "the server has no type {type_name}; `Server::types` has those that it knows"
            )));
        }
        let kind = match self.generation {
            Generation::Current => self.ask_kind(type_name)?,
            Generation::Legacy => self.guess_kind(type_name)?,
        };
        self.shared.kinds.borrow_mut().insert(type_name.to_owned(), kind.clone());
        Ok(kind)
    }

    fn ask_kind(&self, type_name: &str) -> Result<Kind, Error> {
        let kind = self.ask(&["kind", type_name])?;
        Ok(match kind.first().map(String::as_str) {
            Some("array") => {
                let rank = self.ask(&["rank", type_name])?;
                let element = self.ask(&["elemtype", type_name])?;
                let rank = rank.first().and_then(|rank| rank.parse().ok());
                match (element.first(), rank) {
                    (Some(element), Some(rank)) => Kind::Array { element: element.clone(), rank },
                    _ => Kind::Opaque,
                }
            }
            Some("record") => Kind::Record(fields(&self.ask(&["fields", type_name])?)),
            Some("sum") => Kind::Sum(variants(&self.ask(&["variants", type_name])?)),
            _ => Kind::Opaque,
        })
    }

    /// Derives the structure of a type for an older server, which reports only the fields of records.
    fn guess_kind(&self, type_name: &str) -> Result<Kind, Error> {
        let element = type_name.trim_start_matches("[]");
        let rank = (type_name.len() - element.len()) / 2;
        if rank > 0 {
            return Ok(match element.parse::<Primitive>() {
                Ok(_) => Kind::Array { element: element.to_owned(), rank },
                Err(_) => Kind::Opaque,
            });
        }
        match self.ask(&["fields", type_name]) {
            Ok(lines) => Ok(Kind::Record(fields(&lines))),
            Err(Error::Refused(_)) => Ok(Kind::Opaque),
            Err(lost) => Err(lost),
        }
    }

    /// Returns the first opaque type among this type and its parts.
    pub(crate) fn unknown_in(&self, type_name: &str) -> Result<String, Error> {
        let parts = match self.kind(type_name) {
            Ok(Kind::Array { element, .. }) => vec![element],
            Ok(Kind::Record(fields)) => fields.into_iter().map(|field| field.type_name).collect(),
            Ok(Kind::Sum(variants)) => variants.into_iter().flat_map(|variant| variant.payload).collect(),
            Ok(Kind::Primitive(_) | Kind::Opaque) | Err(Error::Impossible(_)) => return Ok(type_name.to_owned()),
            Err(lost) => return Err(lost),
        };
        for part in parts {
            if matches!(self.learn(&part), Err(Error::Impossible(_))) {
                return self.unknown_in(&part);
            }
        }
        Ok(type_name.to_owned())
    }

    /// Returns the structures of the types seen so far.
    pub(crate) fn known(&self) -> std::cell::Ref<'_, Types> {
        self.shared.known.borrow()
    }

    /// Queries the structures of several types, as [`Server::learn`] does.
    pub(crate) fn learn_all(&self, type_names: &[String]) -> Result<(), Error> {
        type_names.iter().try_for_each(|type_name| self.learn(type_name))
    }

    /// Queries the structure of a type, and of its parts.
    pub(crate) fn learn(&self, type_name: &str) -> Result<(), Error> {
        if type_name.parse::<Primitive>().is_ok() || self.shared.known.borrow().get(type_name).is_some() {
            return Ok(());
        }
        let structure = match self.kind(type_name)? {
            Kind::Primitive(primitive) => Structure::Primitive(primitive),
            Kind::Array { element, rank } => {
                self.learn(&element)?;
                Structure::Array { element, rank }
            }
            Kind::Record(fields) => {
                for field in &fields {
                    self.learn(&field.type_name)?;
                }
                Structure::Record(fields.into_iter().map(|field| (field.name, field.type_name)).collect())
            }
            Kind::Sum(variants) => {
                for part in variants.iter().flat_map(|variant| &variant.payload) {
                    self.learn(part)?;
                }
                Structure::Sum(variants.into_iter().map(|variant| (variant.name, variant.payload)).collect())
            }
            Kind::Opaque => {
                return Err(Error::Impossible(format!(
                    "{type_name} is opaque: write an entry point that returns what you need of it"
                )));
            }
        };
        let mut known = self.shared.known.borrow_mut();
        known.name(type_name, structure);
        known.mention(type_name);
        Ok(())
    }
}

fn fields(lines: &[String]) -> Vec<Field> {
    let field = |line: &String| {
        let (name, type_name) = line.split_once(' ').unwrap_or((line, ""));
        Field { name: name.to_owned(), type_name: type_name.to_owned() }
    };
    lines.iter().map(field).collect()
}

fn variants(lines: &[String]) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    for line in lines {
        match (line.strip_prefix("- "), variants.last_mut()) {
            (Some(part), Some(variant)) => variant.payload.push(part.to_owned()),
            _ => variants.push(Variant { name: line.clone(), payload: Vec::new() }),
        }
    }
    variants
}
