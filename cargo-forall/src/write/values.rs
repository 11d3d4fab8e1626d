//! Values of types that do not implement `Arbitrary`: a constructor, the variants of an enum, a constant, or the default.

use super::argument::text;
use super::callee::{self, Callee, Parameter};
use super::sources::{Source, Sources, is_last, is_public};
use crate::list::shortened;
use syn::ext::IdentExt;

/// How a parameter gets a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// The parameters of the property that it is made from.
    pub variables: Vec<String>,
    /// The expression; none if the only variable has the value.
    pub expression: Option<String>,
    /// What tests import for it.
    pub imports: Vec<String>,
    /// What to do if a single value says little.
    pub note: Option<String>,
    /// How many other ways there are to choose from constants.
    pub others: usize,
}

impl Made {
    /// Adds what a part needs.
    fn add(&mut self, part: Self) {
        self.variables.extend(part.variables);
        self.imports.extend(part.imports);
        self.note = self.note.take().or(part.note);
        self.others = self.others.max(part.others);
    }
}

/// How deep constructors of parameters of constructors go.
const DEPTH: usize = 3;

/// Decides how a callee's parameters are made.
pub fn settle(callee: &mut Callee, sources: &Sources) {
    let several = callee.parameters.len() > 1;
    for parameter in &mut callee.parameters {
        let prefix = if several { format!("{}_", parameter.name) } else { String::new() };
        parameter.made = made(sources, &parameter.argument.owned, &parameter.name, &prefix, DEPTH);
    }
}

fn made(sources: &Sources, of: &str, name: &str, prefix: &str, depth: usize) -> Option<Made> {
    let head = of.split('<').next().unwrap_or(of);
    if depth == 0 || !sources.lacks_arbitrary(head) {
        return None;
    }
    let built = constructor(sources, head, of, prefix, depth);
    let is_constant = |variable: &String| variable.starts_with("#[forall(elements");
    let varies = built.clone().filter(|made| !made.variables.iter().all(is_constant));
    varies
        .or_else(|| collected(sources, head, of, prefix))
        .or_else(|| variants(sources, head, name))
        .or_else(|| constants(sources, head, of, name))
        .or(built)
        .or_else(|| default(sources, head))
}

/// A call of a constructor: `new` and its like, the public fields, `From`, or another function that only needs types of the
/// standard library.
fn constructor(sources: &Sources, head: &str, of: &str, prefix: &str, depth: usize) -> Option<Made> {
    let called = |function: &str| {
        let callee = callee::find_bare(sources, &format!("{head}::{function}")).ok()?.into_iter().next()?;
        // `new` may be for one hasher or allocator only, so that its type has fewer parameters.
        let gives = callee.result.as_deref().is_some_and(|result| result.split('<').next() == Some(head));
        let is_other = callee.parameters.iter().all(|one| one.argument.owned.split('<').next() != Some(head));
        (gives && is_other && !callee.is_dotted).then_some(callee)
    };
    let of_callee = |callee: Callee| {
        let source = callee.source(sources)?;
        let (mut built, mut arguments) = (Made::default(), Vec::new());
        built.imports.extend(callee.imports.clone()?);
        for Parameter { name, argument, .. } in &callee.parameters {
            let (part, value) = part(sources, source, &argument.owned, name, prefix, depth)?;
            built.add(part);
            arguments.push(argument.passing(&value));
        }
        built.expression = Some(format!("{}({})", callee.call, arguments.join(", ")));
        Some(built)
    };
    let from = |sources: &Sources| {
        let taken = sources.converted(of)?;
        let path = sources.declared(sources.files().first()?, head)??;
        let name = format!("{prefix}value");
        let expression = Some(format!("{head}::from({name})"));
        Some(Made { variables: vec![format!("{name}: {taken}")], expression, imports: vec![path], ..Made::default() })
    };
    ["new", "from_parts", "with_capacity"]
        .iter()
        .find_map(|function| of_callee(called(function)?))
        .or_else(|| literal(sources, head, prefix, depth))
        .or_else(|| from(sources))
        .or_else(|| of_callee(sources.functions_named(head, "from_").iter().find_map(|name| called(name))?))
}

/// A part of a value: how it is made, and the expression; `None` if its type has no generator.
fn part(
    sources: &Sources,
    source: &Source,
    of: &str,
    name: &str,
    prefix: &str,
    depth: usize,
) -> Option<(Made, String)> {
    let variable = format!("{prefix}{name}");
    if let Some(inner) = made(sources, of, &variable, &format!("{variable}_"), depth - 1) {
        let value = inner.expression.clone().unwrap_or(variable);
        return Some((inner, value));
    }
    let mut words = of.split(|c: char| !c.is_alphanumeric() && c != '_');
    if words.any(|word| sources.lacks_arbitrary(word)) {
        return None;
    }
    let imports = sources.imports_of(source, of);
    Some((Made { variables: vec![format!("{variable}: {of}")], imports, ..Made::default() }, variable))
}

/// A collection, of its elements.
fn collected(sources: &Sources, head: &str, of: &str, prefix: &str) -> Option<Made> {
    let item = sources.collected(head)?;
    let mut words = item.split(|c: char| !c.is_alphanumeric() && c != '_');
    if item.contains('&') || words.any(|word| sources.lacks_arbitrary(word)) {
        return None;
    }
    let path = sources.declared(sources.files().first()?, head)??;
    let name = format!("{prefix}items");
    let expression = Some(format!("{name}.into_iter().collect::<{of}>()"));
    Some(Made { variables: vec![format!("{name}: Vec<{item}>")], expression, imports: vec![path], ..Made::default() })
}

/// A struct whose fields are public.
fn literal(sources: &Sources, head: &str, prefix: &str, depth: usize) -> Option<Made> {
    let mut found = None;
    sources.each(&mut |place, item| {
        if let syn::Item::Struct(item) = item
            && item.ident == head
            && found.is_none()
        {
            found = literal_of(sources, place.source, item, prefix, depth);
        }
    });
    found
}

fn literal_of(sources: &Sources, source: &Source, item: &syn::ItemStruct, prefix: &str, depth: usize) -> Option<Made> {
    let is_closed = item.attrs.iter().any(|one| one.path().is_ident("non_exhaustive"));
    let is_open =
        |field: &syn::Field| is_public(&field.vis) && !field.attrs.iter().any(|one| text(one).contains("hidden"));
    if item.fields.is_empty() || !item.generics.params.is_empty() || is_closed || !item.fields.iter().all(is_open) {
        return None;
    }
    let head = item.ident.to_string();
    let (mut built, mut values) =
        (Made { imports: vec![sources.declared(source, &head)??], ..Made::default() }, Vec::new());
    for (at, field) in item.fields.iter().enumerate() {
        let number = if item.fields.len() == 1 { String::new() } else { (at + 1).to_string() };
        let name = field.ident.as_ref().map_or(format!("value{number}"), |name| name.unraw().to_string());
        let (part, value) = part(sources, source, &text(&field.ty), &name, prefix, depth)?;
        built.add(part);
        values.push(match &field.ident {
            Some(name) if *name != value => format!("{name}: {value}"),
            _ => value,
        });
    }
    built.expression = Some(match &item.fields {
        syn::Fields::Named(_) => format!("{head} {{ {} }}", values.join(", ")),
        _ => format!("{head}({})", values.join(", ")),
    });
    Some(built)
}

/// One of the variants without fields.
fn variants(sources: &Sources, head: &str, name: &str) -> Option<Made> {
    let mut found = None;
    sources.each(&mut |place, item| {
        let syn::Item::Enum(item) = item else { return };
        if item.ident != head || !is_public(&item.vis) {
            return;
        }
        let plain =
            item.variants.iter().filter(|variant| variant.fields.is_empty() && variant.attrs.iter().all(is_doc));
        let plain: Vec<String> = plain.map(|variant| format!("{head}::{}", variant.ident)).collect();
        let rest = item.variants.len() - plain.len();
        let lifetimes: Vec<&str> = item.generics.lifetimes().map(|_| "'static").collect();
        let lifetimes = if lifetimes.is_empty() { String::new() } else { format!("<{}>", lifetimes.join(", ")) };
        if let Some(path) = sources.import(place, head).filter(|_| !plain.is_empty()) {
            found = Some(Made {
                variables: vec![format!("#[forall(elements([{}]))] {name}: {head}{lifetimes}", plain.join(", "))],
                expression: None,
                imports: vec![path, "forall::prelude::elements".to_owned()],
                note: (rest > 0)
                    .then(|| format!("{head} has variants with fields: add values of them to its `elements`")),
                ..Made::default()
            });
        }
    });
    found
}

fn is_doc(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("doc")
}

/// How many constants a property chooses from.
const CONSTANTS: usize = 8;

/// The public constants of the type: one of several, if its values can be cloned and printed, or the first. Another way to choose
/// is a single one of them.
fn constants(sources: &Sources, head: &str, of: &str, name: &str) -> Option<Made> {
    let mut found = declared_constants(sources, head, of);
    // Those of modules near the root come first, and those of the type, which are often empty, last.
    found.sort_by_key(|one| (one.name.contains("::"), one.import.matches("::").count()));
    let others = found.len().saturating_sub(1).min(CONSTANTS);
    let is_first_way = sources.constant == 0;
    let first = sources.constant.checked_rem(found.len())?;
    found.rotate_left(first);
    let first = found.first()?.clone();
    let group = |one: &&Constant| !one.is_borrowed && one.name.contains("::") == first.name.contains("::");
    let several: Vec<Constant> = found.iter().filter(group).take(CONSTANTS).cloned().collect();
    if is_first_way
        && several.len() > 1
        && !first.is_borrowed
        && ["Clone", "Debug"].iter().all(|name| sources.has_trait(head, name))
    {
        let names: Vec<&str> = several.iter().map(|one| &*one.name).collect();
        let mut imports: Vec<String> = several.iter().map(|one| one.import.clone()).collect();
        imports.extend(sources.declared(sources.files().first()?, head).flatten());
        imports.push("forall::prelude::elements".to_owned());
        let variables = vec![format!("#[forall(elements([{}]))] {name}: {of}", names.join(", "))];
        return Some(Made { variables, imports, others, ..Made::default() });
    }
    let names: Vec<&str> = found[1..].iter().map(|one| &*one.name).collect();
    let listed = match names.is_empty() {
        true => String::new(),
        false => format!(" (others: {})", shortened(&names.join(", "), 80)),
    };
    let star = if first.is_borrowed { "*" } else { "" };
    Some(Made {
        variables: Vec::new(),
        expression: Some(format!("{star}{}", first.name)),
        imports: vec![first.import],
        note: Some(format!("{} is a single {head}{listed}: replace it by a generator to test more", first.name)),
        others,
    })
}

/// A public constant or static.
#[derive(Clone)]
struct Constant {
    /// Its name; with its type, if it belongs to that.
    name: String,
    import: String,
    is_borrowed: bool,
}

fn declared_constants(sources: &Sources, head: &str, of: &str) -> Vec<Constant> {
    let mut found = Vec::new();
    sources.each(&mut |place, item| {
        let mut add = |attributes: &[syn::Attribute], of_constant: &syn::Type, import: Option<String>, name: String| {
            let shown = text(of_constant);
            let is_borrowed = shown.strip_prefix('&') == Some(of);
            let is_it = is_borrowed || shown == of || shown == "Self" && name.contains("::");
            let is_always =
                attributes.iter().all(|one| !one.path().is_ident("cfg") && !one.path().is_ident("deprecated"));
            found.extend(import.filter(|_| is_it && is_always).map(|import| Constant { name, import, is_borrowed }));
        };
        match item {
            syn::Item::Const(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                add(&item.attrs, &item.ty, sources.import(place, &name), name);
            }
            syn::Item::Static(item) if is_public(&item.vis) => {
                let name = item.ident.to_string();
                add(&item.attrs, &item.ty, sources.import(place, &name), name);
            }
            syn::Item::Impl(block) if block.trait_.is_none() => {
                let is_its = matches!(&*block.self_ty, syn::Type::Path(path) if is_last(&path.path, head));
                for item in block.items.iter().filter(|_| is_its) {
                    if let syn::ImplItem::Const(item) = item
                        && is_public(&item.vis)
                    {
                        let import = sources.declared(place.source, head).flatten();
                        add(&item.attrs, &item.ty, import, format!("{head}::{}", item.ident));
                    }
                }
            }
            _ => {}
        }
    });
    found
}

/// `Default::default()`.
fn default(sources: &Sources, head: &str) -> Option<Made> {
    let import = sources.declared(sources.files().first()?, head).flatten();
    Some(Made {
        variables: Vec::new(),
        expression: Some(format!("{head}::default()")),
        imports: vec![import.filter(|_| sources.has_trait(head, "Default"))?],
        note: Some(format!("the default is a single {head}: replace it by a generator to test more")),
        ..Made::default()
    })
}
