//! The functions and methods that properties call, looked up in the sources of the workspace.

use super::argument::{Argument, Generics, text};
use crate::{Error, rust};
use serde_json::Value;
use std::path::{Path, PathBuf};
use syn::ext::IdentExt;

/// A source file of a package.
#[derive(Debug)]
pub struct Source {
    /// Its path.
    pub path: PathBuf,
    /// Its contents.
    pub text: String,
    /// The package.
    pub package: String,
    /// The directory of the package.
    pub directory: PathBuf,
    /// The library's name in code; empty for files of programs.
    pub krate: String,
    /// The modules of the file.
    modules: Vec<String>,
}

#[cfg(test)]
impl Source {
    /// The root of a library for tests.
    pub fn example(text: &str) -> Self {
        let (package, krate) = ("shop".to_owned(), "shop".to_owned());
        Self {
            path: "src/lib.rs".into(),
            text: text.to_owned(),
            package,
            directory: ".".into(),
            krate,
            modules: Vec::new(),
        }
    }
}

/// The sources of the workspace's packages.
pub fn sources(metadata: &Value) -> Vec<Source> {
    let mut sources = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let Some(directory) = package["manifest_path"].as_str().and_then(|path| Path::new(path).parent()) else {
            continue;
        };
        let is_library = |target: &&Value| {
            let kinds = target["kind"].as_array().cloned().unwrap_or_default();
            kinds.iter().any(|kind| kind.as_str().is_some_and(|kind| kind.ends_with("lib")))
        };
        let library = package["targets"].as_array().into_iter().flatten().find(is_library);
        let krate = library.and_then(|target| target["name"].as_str()).unwrap_or_default().replace('-', "_");
        let root = library.and_then(|target| target["src_path"].as_str()).and_then(|path| Path::new(path).parent());
        let folder = root.map_or_else(|| directory.join("src"), Path::to_owned);
        let mut files = Vec::new();
        walk(&folder, &mut files);
        files.sort();
        for path in files {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let inside = path.strip_prefix(&folder).unwrap_or(&path).with_extension("");
            let mut modules: Vec<String> =
                inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            let is_program = modules == ["main"] || modules.first().is_some_and(|first| first == "bin");
            if modules.last().is_some_and(|last| ["lib", "main", "mod"].contains(&&**last)) {
                modules.pop();
            }
            let krate = if is_program { String::new() } else { krate.clone() };
            let package = package["name"].as_str().unwrap_or_default().to_owned();
            sources.push(Source { path, text, package, directory: directory.to_owned(), krate, modules });
        }
    }
    sources
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        // Symlinks may form cycles.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&path, files),
            Ok(_) if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            _ => {}
        }
    }
}

/// A parameter of a property.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// How it is generated and passed.
    pub argument: Argument,
}

/// A function or method that a property calls.
#[derive(Clone, Debug)]
pub struct Callee {
    /// Its name, for the property's name.
    pub name: String,
    /// The expression that calls it: `encode`, `Version::parse`, `<Version as FromStr>::from_str`.
    pub call: String,
    /// Its parameters; a receiver is the first.
    pub parameters: Vec<Parameter>,
    /// The type that it returns.
    pub result: Option<String>,
    /// The `use` path of the item, if it is public in a library.
    pub import: Option<String>,
    /// The package.
    pub package: String,
    /// The directory of the package.
    pub directory: PathBuf,
    /// Its file.
    pub path: PathBuf,
}

/// The item to search for: a function, or a method with the name of its type.
struct Wanted<'a> {
    of: Option<&'a str>,
    name: &'a str,
}

/// Finds a function or method by its name, which may have its type or its modules before it.
pub fn find(sources: &[Source], wanted: &str) -> Result<(Callee, Vec<PathBuf>), Error> {
    let mut parts: Vec<&str> = wanted.split("::").collect();
    let name = parts.pop().unwrap_or_default();
    let of = parts.pop().filter(|part| part.starts_with(|c: char| c.is_uppercase()));
    let wanted = Wanted { of, name };
    let mut found: Vec<Result<Callee, String>> = Vec::new();
    let mut files = Vec::new();
    for source in sources {
        let before = found.len();
        look_into(source, sources, &wanted, &mut found);
        files.extend(std::iter::repeat_n(source.path.clone(), found.len() - before));
    }
    // Callable functions come first, and public ones before private ones.
    let rank = |found: &Result<Callee, String>| match found {
        Ok(callee) => u8::from(callee.import.is_none()),
        Err(_) => 2,
    };
    let best = (0..found.len()).min_by_key(|at| rank(&found[*at]));
    let Some(best) = best else {
        let what = if of.is_some() { "method" } else { "function or method" };
        return Err(format!(
            "there is no {what} `{}` in this workspace; write `function` or `Type::method`",
            of.map_or(name.to_owned(), |of| format!("{of}::{name}"))
        )
        .into());
    };
    let taken = files[best].clone();
    let others =
        files.iter().enumerate().filter(|(at, path)| *at != best && **path != taken).map(|(_, path)| path.clone());
    let others: Vec<PathBuf> = others.collect();
    match found.swap_remove(best) {
        Ok(callee) => Ok((callee, others)),
        Err(why) => {
            Err(format!("{name} cannot be called with generated values: {why}. Write a wrapper function that can")
                .into())
        }
    }
}

fn look_into(source: &Source, sources: &[Source], wanted: &Wanted<'_>, found: &mut Vec<Result<Callee, String>>) {
    let items = rust::items(&source.text).unwrap_or_default();
    look_at(&items, source, sources, &source.modules, true, wanted, found);
}

fn look_at(
    items: &[syn::Item],
    source: &Source,
    sources: &[Source],
    modules: &[String],
    is_open: bool,
    wanted: &Wanted<'_>,
    found: &mut Vec<Result<Callee, String>>,
) {
    for item in items {
        match item {
            syn::Item::Mod(module) if !is_test(&module.attrs) => {
                if let Some((_, items)) = &module.content {
                    let inner = [modules, &[module.ident.to_string()]].concat();
                    look_at(items, source, sources, &inner, is_open && is_public(&module.vis), wanted, found);
                }
            }
            syn::Item::Fn(function) if wanted.of.is_none() && function.sig.ident.unraw() == wanted.name => {
                let is_public = is_open && is_public(&function.vis);
                let import = is_public.then(|| import(source, sources, modules, wanted.name)).flatten();
                let call = wanted.name.to_owned();
                found.push(callee(source, sources, &function.sig, Generics::default(), None, call, import));
            }
            syn::Item::Impl(block) => {
                let syn::Type::Path(path) = &*block.self_ty else { continue };
                let Some(last) = path.path.segments.last() else { continue };
                let of = last.ident.unraw().to_string();
                if wanted.of.is_some_and(|wanted| wanted != of) || wanted.of.is_none() && block.trait_.is_some() {
                    continue;
                }
                for item in &block.items {
                    let syn::ImplItem::Fn(method) = item else { continue };
                    if method.sig.ident.unraw() != wanted.name {
                        continue;
                    }
                    let is_public = is_open && (block.trait_.is_some() || is_public(&method.vis));
                    let import = is_public.then(|| import(source, sources, modules, &of)).flatten();
                    let mut generics = Generics::default();
                    let implementor = |name: &str| implementor(sources, name);
                    if let Err(why) = generics.choose(&block.generics, &implementor) {
                        found.push(Err(why));
                        continue;
                    }
                    let self_type = generics.concrete(&text(&block.self_ty));
                    let generics = generics.with_self(&self_type);
                    let call = match &block.trait_ {
                        Some((path, ..)) => format!("<{self_type} as {}>::{}", trait_path(path), wanted.name),
                        None if self_type.contains('<') => format!("<{self_type}>::{}", wanted.name),
                        None => format!("{of}::{}", wanted.name),
                    };
                    found.push(callee(source, sources, &method.sig, generics, Some(&self_type), call, import));
                }
            }
            _ => {}
        }
    }
}

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

fn callee(
    source: &Source,
    sources: &[Source],
    signature: &syn::Signature,
    mut generics: Generics,
    self_type: Option<&str>,
    call: String,
    import: Option<String>,
) -> Result<Callee, String> {
    if signature.asyncness.is_some() {
        return Err("it is async".to_owned());
    }
    if matches!(signature.safety, syn::Safety::Unsafe(_)) {
        return Err("it is unsafe".to_owned());
    }
    let implementor = |name: &str| implementor(sources, name);
    generics.choose(&signature.generics, &implementor)?;
    let mut parameters = Vec::new();
    let mut inputs = Vec::new();
    for input in &signature.inputs {
        match input {
            syn::FnArg::Receiver(receiver) => {
                let of = self_type.unwrap_or("Self").to_owned();
                let pass = match text(receiver) {
                    shown if shown.starts_with("&mut") => "&mut $",
                    shown if shown.starts_with('&') => "&$",
                    _ => "$",
                };
                let name = snake(of.split('<').next().unwrap_or(&of));
                parameters.push(Parameter {
                    name,
                    argument: Argument { owned: of, pass: pass.to_owned(), is_generic: false },
                });
            }
            syn::FnArg::Typed(typed) => {
                let name = match &*typed.pat {
                    syn::Pat::Ident(pattern) => pattern.ident.unraw().to_string(),
                    _ => format!("input{}", parameters.len() + 1),
                };
                inputs.push(text(&typed.ty));
                let argument = generics
                    .argument(&typed.ty, &implementor)
                    .map_err(|why| format!("its parameter `{name}` {why}"))?;
                parameters.push(Parameter { name, argument });
            }
        }
    }
    let (result, turbofish) = match &signature.output {
        syn::ReturnType::Type(_, result) => {
            let written = text(result);
            (Some(generics.concrete(&written)), generics.turbofish(&signature.generics, &inputs, &written))
        }
        syn::ReturnType::Default => (None, String::new()),
    };
    Ok(Callee {
        name: signature.ident.unraw().to_string(),
        call: call + &turbofish,
        parameters,
        result: result.filter(|result| result != "()"),
        import,
        package: source.package.clone(),
        directory: source.directory.clone(),
        path: source.path.clone(),
    })
}

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| text(attribute).contains("test"))
}

/// The path by which tests import an item: where its crate exports it, or its module.
fn import(source: &Source, sources: &[Source], modules: &[String], name: &str) -> Option<String> {
    if source.krate.is_empty() {
        return None;
    }
    let root = sources.iter().find(|other| other.krate == source.krate && other.modules.is_empty())?;
    let items = rust::items(&root.text).unwrap_or_default();
    let mut is_open = true;
    if let Some(first) = modules.first() {
        is_open = items
            .iter()
            .any(|item| matches!(item, syn::Item::Mod(module) if module.ident == *first && is_public(&module.vis)));
        let exported = items.iter().any(|item| match item {
            syn::Item::Use(item) if is_public(&item.vis) => {
                let shown = text(item);
                let named =
                    |word: &str| shown.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word);
                named(name) || shown.contains('*') && named(first)
            }
            _ => false,
        });
        if exported {
            return Some(format!("{}::{name}", source.krate));
        }
    }
    let path = [std::slice::from_ref(&source.krate), modules, &[name.to_owned()]].concat().join("::");
    is_open.then_some(path)
}

/// The imports of the workspace's public types in a type.
pub fn imports_of(sources: &[Source], type_text: &str) -> Vec<String> {
    let words = type_text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let names: Vec<&str> = words.filter(|word| word.starts_with(|c: char| c.is_uppercase())).collect();
    let mut found = Vec::new();
    for source in sources {
        for item in rust::items(&source.text).unwrap_or_default() {
            let declared = match &item {
                syn::Item::Struct(item) if is_public(&item.vis) => item.ident.to_string(),
                syn::Item::Enum(item) if is_public(&item.vis) => item.ident.to_string(),
                _ => continue,
            };
            if names.contains(&&*declared) {
                found.extend(import(source, sources, &source.modules, &declared));
            }
        }
    }
    found
}

/// A simple type that implements a trait of the workspace.
fn implementor(sources: &[Source], wanted: &str) -> Option<String> {
    let mut found = None;
    for source in sources {
        rust::walk(&rust::items(&source.text).unwrap_or_default(), &mut |item| {
            let syn::Item::Impl(block) = item else { return };
            let Some((path, ..)) = &block.trait_ else { return };
            let is_wanted = path.segments.last().is_some_and(|last| last.ident == wanted);
            let of = text(&block.self_ty);
            let is_simple =
                block.generics.params.is_empty() && !of.contains('&') && !of.contains("dyn ") && of != "str";
            if found.is_none() && is_wanted && is_simple {
                found = Some(of);
            }
        });
    }
    found
}

/// A constructor of a type that does not derive `Arbitrary`: its call and parameters.
pub fn constructor(sources: &[Source], of: &str) -> Option<Callee> {
    let name = of.split('<').next().unwrap_or(of);
    let declares = |item: &syn::Item| match item {
        syn::Item::Struct(item) => {
            (item.ident == name).then(|| item.attrs.iter().any(|one| text(one).contains("Arbitrary")))
        }
        syn::Item::Enum(item) => {
            (item.ident == name).then(|| item.attrs.iter().any(|one| text(one).contains("Arbitrary")))
        }
        _ => None,
    };
    let mut derives = None;
    for source in sources {
        rust::walk(&rust::items(&source.text).unwrap_or_default(), &mut |item| derives = derives.or(declares(item)));
    }
    if derives != Some(false) || implementor(sources, "Arbitrary").is_some_and(|known| known == of) {
        return None;
    }
    let is_usable = |callee: &Callee| {
        let gives = callee.result.as_deref().is_some_and(|result| {
            // `new` may be for one hasher or allocator only, so that its type has fewer parameters.
            result == "Self" || result.split('<').next() == Some(name)
        });
        gives && callee.import.is_some() && callee.parameters.iter().all(|one| one.argument.owned != of)
    };
    ["new", "from_parts", "with_capacity"].iter().find_map(|function| {
        find(sources, &format!("{name}::{function}")).ok().map(|(callee, _)| callee).filter(is_usable)
    })
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
