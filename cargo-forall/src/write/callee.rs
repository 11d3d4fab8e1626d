//! The functions and methods that properties call, looked up in the sources of the workspace.

use super::argument::{Argument, Generics, text};
use super::sources::{Place, Source, Sources, is_public};
use super::values::{self, Made};
use crate::Error;
use std::collections::BTreeSet;
use std::path::PathBuf;
use syn::ext::IdentExt;

/// A parameter of a callee.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// How it is generated and passed.
    pub argument: Argument,
    /// How it is made, if its type has no generator.
    pub made: Option<Made>,
}

impl Parameter {
    /// The expression that passes it.
    pub fn passing(&self) -> String {
        self.constant().unwrap_or_else(|| self.argument.passing(&self.name))
    }

    /// The same, leaving its variable usable.
    pub fn passing_a_copy(&self) -> String {
        self.constant().unwrap_or_else(|| self.argument.passing_a_copy(&self.name))
    }

    /// The expression that passes a constant, which has no variable; `None` if it has one.
    pub fn constant(&self) -> Option<String> {
        let made = self.made.as_ref().filter(|made| made.variables.is_empty() && !self.argument.is_mutable())?;
        let constant = made.expression.as_ref()?;
        Some(match (&*self.argument.pass, constant.strip_prefix('*')) {
            ("&$", Some(borrowed)) => borrowed.to_owned(),
            ("&$", None) => format!("&{constant}"),
            (_, Some(borrowed)) => format!("{borrowed}.clone()"),
            (_, None) => constant.clone(),
        })
    }
}

/// A function or method that a property calls.
#[derive(Clone, Debug)]
pub struct Callee {
    /// Its name, for the property's name.
    pub name: String,
    /// The expression that calls it: `encode`, `Version::parse`, `<Version as FromStr>::from_str`.
    pub call: String,
    /// Whether it is called with a dot, as are methods of traits: their type may be unsized or a type parameter.
    pub is_dotted: bool,
    /// Its parameters; a receiver is the first.
    pub parameters: Vec<Parameter>,
    /// The type that it returns.
    pub result: Option<String>,
    /// What tests import to call it, if it is public in a library.
    pub imports: Option<BTreeSet<String>>,
    /// Its path, by which `forall write` finds it among others of its name.
    pub full_name: String,
    /// The package.
    pub package: String,
    /// The directory of the package.
    pub directory: PathBuf,
    /// Its file.
    pub path: PathBuf,
    is_deprecated: bool,
}

impl Callee {
    /// The call with these arguments.
    pub fn calling(&self, arguments: &[String]) -> String {
        match arguments {
            [receiver, rest @ ..] if self.is_dotted => {
                let receiver = receiver.trim_start_matches("&mut ").trim_start_matches('&');
                format!("{receiver}.{}({})", self.call, rest.join(", "))
            }
            _ => format!("{}({})", self.call, arguments.join(", ")),
        }
    }

    /// Its file.
    pub fn source<'a>(&self, sources: &'a Sources) -> Option<&'a Source> {
        sources.files().iter().find(|source| source.path == self.path)
    }

    /// Callees that tests reach come first, of those the ones that are not deprecated, and of those the ones near the root.
    fn rank(&self) -> (bool, bool, usize) {
        (self.imports.is_none(), self.is_deprecated, self.full_name.matches("::").count())
    }
}

/// The item to search for: its modules, the name of its type or trait, and its own.
struct Wanted<'a> {
    modules: Vec<&'a str>,
    of: Option<&'a str>,
    name: &'a str,
}

impl Wanted<'_> {
    /// Whether an item in a module is meant, which tests import by this path.
    fn is_in(&self, place: Place<'_>, import: Option<&str>) -> bool {
        let krate = std::iter::once(&*place.source.krate);
        let full: Vec<&str> = krate.chain(place.modules.iter().map(String::as_str)).collect();
        let imported: Vec<&str> = import
            .and_then(|path| path.rsplit_once("::"))
            .map_or(Vec::new(), |(modules, _)| modules.split("::").collect());
        full.ends_with(&self.modules) || imported.ends_with(&self.modules)
    }
}

/// Finds the functions and methods of a name, which may have its type, its trait or its modules before it; the best comes first.
pub fn find(sources: &Sources, wanted: &str) -> Result<Vec<Callee>, Error> {
    let mut found = find_bare(sources, wanted)?;
    for callee in &mut found {
        values::settle(callee, sources);
    }
    Ok(found)
}

/// The same, without a decision on how parameters are made.
pub fn find_bare(sources: &Sources, written: &str) -> Result<Vec<Callee>, Error> {
    let mut modules: Vec<&str> = written.split("::").filter(|part| *part != "crate").collect();
    let name = modules.pop().unwrap_or_default();
    let of = modules.pop_if(|part| part.starts_with(|c: char| c.is_uppercase()) || PRIMITIVE.contains(part));
    let wanted = Wanted { modules, of, name };
    let mut found: Vec<Result<Callee, String>> = Vec::new();
    sources.each(&mut |place, item| look_at(item, place, sources, &wanted, &mut found));
    let (mut callees, mut reasons) = (Vec::new(), Vec::new());
    for one in found {
        match one {
            Ok(callee) => callees.push(callee),
            Err(why) => reasons.push(why),
        }
    }
    callees.sort_by_key(Callee::rank);
    match reasons.into_iter().next() {
        _ if !callees.is_empty() => Ok(callees),
        Some(why) => {
            Err(format!("{name} cannot be called with generated values: {why}. Write a wrapper function that can")
                .into())
        }
        None => {
            let what = if wanted.of.is_some() { "method" } else { "function or method" };
            Err(format!(
                "there is no {what} `{written}` in the sources of this workspace; write `function`, `module::function`, \
                 `Type::method` or `Trait::method`. Functions that macros define are not found: write a function that calls it"
            )
            .into())
        }
    }
}

fn look_at(
    item: &syn::Item,
    place: Place<'_>,
    sources: &Sources,
    wanted: &Wanted<'_>,
    found: &mut Vec<Result<Callee, String>>,
) {
    match item {
        syn::Item::Fn(function) if wanted.of.is_none() && function.sig.ident.unraw() == wanted.name => {
            let import = is_public(&function.vis).then(|| sources.import(place, wanted.name)).flatten();
            if wanted.is_in(place, import.as_deref()) {
                let of = Item {
                    place,
                    attributes: &function.attrs,
                    of: None,
                    imports: import.map(|path| BTreeSet::from([path])),
                };
                found.push(callee(sources, &of, &function.sig, Generics::default(), Form::Path(String::new())));
            }
        }
        syn::Item::Impl(block) => {
            let of_trait = block.trait_.as_ref().and_then(|(path, ..)| path.segments.last());
            let of_trait = of_trait.map(|last| last.ident.unraw().to_string());
            let own_trait = of_trait.as_deref().filter(|name| sources.declares_trait(name));
            let of_type = match &*block.self_ty {
                syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.unraw().to_string()),
                _ => None,
            };
            let is_wanted = match wanted.of {
                Some(of) => of_type.as_deref() == Some(of) || of_trait.as_deref() == Some(of),
                None => of_trait.is_none() || own_trait.is_some(),
            };
            if !is_wanted {
                return;
            }
            let methods = block.items.iter().filter_map(|item| match item {
                syn::ImplItem::Fn(method) => Some(method),
                _ => None,
            });
            for method in methods.filter(|method| method.sig.ident.unraw() == wanted.name) {
                let of = block.trait_.is_some() || is_public(&method.vis);
                let owner = Owner { self_type: &block.self_ty, own_trait, is_public: of };
                let form = match (&block.trait_, own_trait) {
                    (Some(_), Some(_)) => Form::Dotted,
                    (Some((path, ..)), None) => Form::OfTrait(trait_path(path)),
                    (None, _) => Form::OfType,
                };
                found.extend(method_of(
                    sources,
                    place,
                    &owner,
                    Method { of_block: &block.generics, attributes: &method.attrs, signature: &method.sig, form },
                    wanted,
                ));
            }
            // `to_string` is written for no type.
            if of_trait.as_deref() == Some("Display") && wanted.name == "to_string" && wanted.of.is_some() {
                let owner = Owner { self_type: &block.self_ty, own_trait: None, is_public: true };
                let signature: syn::Signature = syn::parse_quote!(fn to_string(&self) -> String);
                let method = Method {
                    of_block: &block.generics,
                    attributes: &block.attrs,
                    signature: &signature,
                    form: Form::Dotted,
                };
                found.extend(method_of(sources, place, &owner, method, wanted));
            }
        }
        // Methods with a default implementation are called on a type that has the trait.
        syn::Item::Trait(item) if wanted.of.is_none_or(|of| item.ident.unraw() == of) => {
            let trait_name = item.ident.unraw().to_string();
            for method in &item.items {
                let syn::TraitItem::Fn(method) = method else { continue };
                if method.sig.ident.unraw() != wanted.name || method.default.is_none() {
                    continue;
                }
                for of in sources.implementors(&trait_name) {
                    let Ok(self_type) = syn::parse_str::<syn::Type>(&of) else { continue };
                    let owner =
                        Owner { self_type: &self_type, own_trait: Some(&trait_name), is_public: is_public(&item.vis) };
                    let generics = syn::Generics::default();
                    let method = Method {
                        of_block: &generics,
                        attributes: &method.attrs,
                        signature: &method.sig,
                        form: Form::Dotted,
                    };
                    found.extend(method_of(sources, place, &owner, method, wanted));
                }
            }
        }
        _ => {}
    }
}

/// What a method belongs to.
struct Owner<'a> {
    self_type: &'a syn::Type,
    /// The trait of the workspace that declares it.
    own_trait: Option<&'a str>,
    is_public: bool,
}

/// How an expression calls a function.
enum Form {
    /// By its name, with this before it.
    Path(String),
    /// By its name, after its type.
    OfType,
    /// By its name, after its type and this trait.
    OfTrait(String),
    /// With a dot, where it has a receiver.
    Dotted,
}

/// A method, as it is declared.
struct Method<'a> {
    /// The parameters of its `impl`.
    of_block: &'a syn::Generics,
    attributes: &'a [syn::Attribute],
    signature: &'a syn::Signature,
    form: Form,
}

/// The method as a callee; `None` if another one is wanted.
fn method_of(
    sources: &Sources,
    place: Place<'_>,
    owner: &Owner<'_>,
    Method { of_block, attributes, signature, form }: Method<'_>,
    wanted: &Wanted<'_>,
) -> Option<Result<Callee, String>> {
    let mut generics = Generics::default();
    if let Err(why) = generics.choose(of_block, sources) {
        return Some(Err(why));
    }
    let self_type = generics.concrete(&text(owner.self_type));
    let is_parameter = of_block.type_params().any(|parameter| parameter.ident == text(owner.self_type));
    let named =
        (!is_parameter && !PRIMITIVE.contains(&&*self_type)).then(|| self_type.split('<').next().unwrap_or_default());
    // A type is imported unless it is the standard library's.
    let imports = [named, owner.own_trait].into_iter().flatten().map(|name| sources.declared(place.source, name));
    let imports = imports.flatten().collect::<Option<BTreeSet<String>>>().filter(|_| owner.is_public);
    let first = imports.as_ref().and_then(|all| all.first().cloned());
    if !wanted.is_in(place, first.as_deref()) {
        return None;
    }
    let form = match form {
        Form::Dotted if signature.receiver().is_some() => form,
        Form::Dotted => Form::Path(format!("<{self_type} as {}>::", owner.own_trait.unwrap_or_default())),
        Form::OfTrait(path) => Form::Path(format!("<{self_type} as {}>::", generics.concrete(&path))),
        _ if self_type.contains('<') => Form::Path(format!("<{self_type}>::")),
        _ => Form::Path(format!("{self_type}::")),
    };
    let of = Item { place, attributes, of: Some(owner.own_trait.unwrap_or(&self_type)), imports };
    let generics = generics.with_self(&self_type);
    Some(callee(sources, &of, signature, generics, form))
}

/// Types of the language, which need no import.
const PRIMITIVE: [&str; 18] = [
    "str", "char", "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    "f32", "f64", "String",
];

/// A trait that tests can name: those of the standard library by their full paths.
fn trait_path(path: &syn::Path) -> String {
    let name = path.segments.last().map_or_else(String::new, |last| last.ident.to_string());
    match &*name {
        "FromStr" => "std::str::FromStr".to_owned(),
        "Display" | "Debug" => format!("std::fmt::{name}"),
        "Add" | "Sub" | "Mul" | "Div" | "Rem" | "Neg" | "Not" | "BitAnd" | "BitOr" | "BitXor" => {
            format!("std::ops::{name}")
        }
        _ => text(path),
    }
}

/// Where a function is declared.
struct Item<'a> {
    place: Place<'a>,
    attributes: &'a [syn::Attribute],
    /// The type or trait of a method.
    of: Option<&'a str>,
    imports: Option<BTreeSet<String>>,
}

fn callee(
    sources: &Sources,
    item: &Item<'_>,
    signature: &syn::Signature,
    mut generics: Generics,
    form: Form,
) -> Result<Callee, String> {
    if signature.asyncness.is_some() {
        return Err("it is async".to_owned());
    }
    if matches!(signature.safety, syn::Safety::Unsafe(_)) {
        return Err("it is unsafe".to_owned());
    }
    generics.choose(&signature.generics, sources)?;
    generics.name(sources.renamed(item.place.source));
    let mut parameters = Vec::new();
    let mut inputs = Vec::new();
    for input in &signature.inputs {
        let (name, of) = match input {
            syn::FnArg::Receiver(receiver) => (None, receiver_type(receiver)),
            syn::FnArg::Typed(typed) => {
                inputs.push(text(&typed.ty));
                let name = match &*typed.pat {
                    syn::Pat::Ident(pattern) => pattern.ident.unraw().to_string(),
                    _ => format!("input{}", parameters.len() + 1),
                };
                (Some(name), (*typed.ty).clone())
            }
        };
        let shown = name.clone().unwrap_or_else(|| "self".to_owned());
        let argument = generics.argument(&of, sources).map_err(|why| format!("its parameter `{shown}` {why}"))?;
        let name = name.unwrap_or_else(|| receiver_name(&argument.owned));
        parameters.push(Parameter { name, argument, made: None });
    }
    let (result, turbofish) = match &signature.output {
        syn::ReturnType::Type(_, result) => {
            let written = text(result);
            (Some(generics.concrete(&written)), generics.turbofish(&signature.generics, &inputs, &written))
        }
        syn::ReturnType::Default => (None, String::new()),
    };
    let name = signature.ident.unraw().to_string();
    let (is_dotted, before) = match form {
        Form::Path(before) => (false, before),
        _ => (true, String::new()),
    };
    let place = item.place;
    let modules = item.imports.as_ref().and_then(|all| {
        let own = |path: &&String| item.of.is_none_or(|of| path.rsplit("::").next() == of.split('<').next());
        all.iter().find(own)?.rsplit_once("::").map(|(modules, _)| modules.to_owned())
    });
    let modules =
        modules.unwrap_or_else(|| [std::slice::from_ref(&place.source.krate), place.modules].concat().join("::"));
    let of = item.of.map_or(String::new(), |of| format!("{}::", of.split('<').next().unwrap_or(of)));
    Ok(Callee {
        call: format!("{before}{name}{turbofish}"),
        is_dotted,
        parameters,
        result: result.filter(|result| result != "()"),
        imports: item.imports.clone(),
        full_name: format!("{modules}::{of}{name}"),
        package: place.source.package.clone(),
        directory: place.source.directory.clone(),
        path: place.source.path.clone(),
        is_deprecated: item.attributes.iter().any(|one| one.path().is_ident("deprecated")),
        name,
    })
}

/// The type of a receiver: `&Self` of `&self`.
fn receiver_type(receiver: &syn::Receiver) -> syn::Type {
    match text(receiver) {
        shown if shown.starts_with("&mut") => syn::parse_quote!(&mut Self),
        shown if shown.starts_with('&') => syn::parse_quote!(&Self),
        _ => syn::parse_quote!(Self),
    }
}

/// The variable of a receiver of this type.
fn receiver_name(of: &str) -> String {
    match of {
        "String" => "text".to_owned(),
        "char" => "character".to_owned(),
        "bool" => "flag".to_owned(),
        "f32" | "f64" => "number".to_owned(),
        of if PRIMITIVE.contains(&of) => "number".to_owned(),
        of if of.starts_with("Vec<") => "values".to_owned(),
        of => {
            let last = of.split('<').next().unwrap_or(of).rsplit("::").next().unwrap_or(of);
            let plain: String = last.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
            if plain.is_empty() { "value".to_owned() } else { snake(&plain) }
        }
    }
}

/// `RingBuffer` as `ring_buffer`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
