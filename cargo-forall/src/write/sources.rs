//! The sources of the workspace: which items there are, which traits they implement, and how tests name them.

use super::argument::{Generics, text};
use crate::rust;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::ext::IdentExt;

/// A source file of a package.
pub struct Source {
    /// Its path.
    pub path: PathBuf,
    /// Its contents.
    pub text: String,
    /// Its items; none if it is not valid Rust.
    pub items: Vec<syn::Item>,
    /// The package.
    pub package: String,
    /// The directory of the package.
    pub directory: PathBuf,
    /// The library's name in code; empty for files of programs.
    pub krate: String,
    /// The modules of the file.
    modules: Vec<String>,
}

/// An item, and where it is.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Its file.
    pub source: &'a Source,
    /// Its modules.
    pub modules: &'a [String],
}

/// The modules of a library.
struct Modules {
    public: BTreeSet<Vec<String>>,
    exports: Vec<Export>,
}

/// An item of a module, or all of them, that another one exports.
struct Export {
    by: Vec<String>,
    from: Vec<String>,
    /// Its name or `*`.
    name: String,
}

/// The sources of the workspace's packages.
#[derive(Default)]
pub struct Sources {
    files: Vec<Source>,
    /// Which way to choose a constant properties take, of those that there are; the first by default.
    pub constant: usize,
}

impl Sources {
    /// Reads those of all packages.
    pub fn read(metadata: &Value) -> Self {
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
                let items = rust::items(&text).unwrap_or_default();
                sources.push(Source { path, text, items, package, directory: directory.to_owned(), krate, modules });
            }
        }
        Self { files: sources, constant: 0 }
    }

    /// The root of a library `shop`.
    #[cfg(test)]
    pub fn example(text: &str) -> Self {
        let (package, krate) = ("shop".to_owned(), "shop".to_owned());
        let source = Source {
            path: "src/lib.rs".into(),
            text: text.to_owned(),
            items: rust::items(text).unwrap_or_default(),
            package,
            directory: ".".into(),
            krate,
            modules: Vec::new(),
        };
        Self { files: vec![source], constant: 0 }
    }

    /// The files.
    pub fn files(&self) -> &[Source] {
        &self.files
    }

    /// Visits all items outside of functions and of modules for tests.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(Place<'_>, &'a syn::Item)) {
        for source in &self.files {
            each_of(&source.items, source, &source.modules, visit);
        }
    }

    /// Whether there is a struct or an enum of this name, and neither an alias nor a `Deref` that makes it pass as another.
    pub fn is_own(&self, name: &str) -> bool {
        let (mut is_declared, mut is_alias) = (false, false);
        self.each(&mut |_, item| match item {
            syn::Item::Struct(item) => is_declared |= item.ident == name,
            syn::Item::Enum(item) => is_declared |= item.ident == name,
            syn::Item::Type(item) => is_alias |= item.ident == name,
            _ => {}
        });
        is_declared && !is_alias && !self.implements(name, "Deref")
    }

    /// Whether there is an `impl` of a trait for the type of this name.
    pub fn implements(&self, name: &str, wanted: &str) -> bool {
        self.impls_of(wanted).any(|block| matches!(&*block.self_ty, syn::Type::Path(path) if is_last(&path.path, name)))
    }

    /// Whether a struct or an enum of this name, declared here, neither derives nor implements forall's `Arbitrary`: other
    /// crates have traits of that name.
    pub fn lacks_arbitrary(&self, name: &str) -> bool {
        let derives = |attributes: &[syn::Attribute]| attributes.iter().any(|one| text(one).contains("Arbitrary"));
        let (mut is_declared, mut has_it) = (false, false);
        self.each(&mut |place, item| {
            let is_ours = place.source.text.contains("forall::");
            match item {
                syn::Item::Struct(item) if item.ident == name => {
                    is_declared = true;
                    has_it |= is_ours && derives(&item.attrs);
                }
                syn::Item::Enum(item) if item.ident == name => {
                    is_declared = true;
                    has_it |= is_ours && derives(&item.attrs);
                }
                syn::Item::Impl(block) if is_ours => {
                    let of = block.trait_.as_ref().is_some_and(|(path, ..)| is_last(path, "Arbitrary"));
                    has_it |= of && text(&block.self_ty).split('<').next() == Some(name);
                }
                _ => {}
            }
        });
        is_declared && !has_it
    }

    /// Whether the type of this name derives or implements a trait.
    pub fn has_trait(&self, name: &str, wanted: &str) -> bool {
        let derives = |attributes: &[syn::Attribute]| {
            let is_wanted =
                |one: &syn::Attribute| text(one).split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted);
            attributes.iter().any(|one| one.path().is_ident("derive") && is_wanted(one))
        };
        let mut has_it = self.implements(name, wanted);
        self.each(&mut |_, item| match item {
            syn::Item::Struct(item) if item.ident == name => has_it |= derives(&item.attrs),
            syn::Item::Enum(item) if item.ident == name => has_it |= derives(&item.attrs),
            _ => {}
        });
        has_it
    }

    /// Whether a trait of this name is declared here.
    pub fn declares_trait(&self, name: &str) -> bool {
        let mut found = false;
        self.each(&mut |_, item| found |= matches!(item, syn::Item::Trait(item) if item.ident.unraw() == name));
        found
    }

    /// The `impl` blocks of a trait.
    pub fn impls_of<'a>(&'a self, wanted: &str) -> impl Iterator<Item = &'a syn::ItemImpl> {
        let mut found = Vec::new();
        self.each(&mut |_, item| {
            if let syn::Item::Impl(block) = item
                && block.trait_.as_ref().is_some_and(|(path, ..)| is_last(path, wanted))
            {
                found.push(block);
            }
        });
        found.into_iter()
    }

    /// The types that implement a trait, except references and `str`; those with parameters have the default types for them.
    pub fn implementors(&self, wanted: &str) -> Vec<String> {
        let types = self.impls_of(wanted).filter_map(concrete_self);
        types.filter(|of| !of.contains('&') && !of.contains("dyn ") && of != "str").collect()
    }

    /// The associated types of the `impl` blocks for a type.
    pub fn associated_types(&self, of: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        self.each(&mut |_, item| {
            let syn::Item::Impl(block) = item else { return };
            let types = block.items.iter().filter_map(|item| match item {
                syn::ImplItem::Type(item) => Some((item.ident.to_string(), &item.ty)),
                _ => None,
            });
            let types: Vec<(String, &syn::Type)> = types.collect();
            if !types.is_empty() && concrete_self(block).as_deref() == Some(of) {
                let generics = default_types(block).unwrap_or_default();
                found.extend(types.into_iter().map(|(name, of)| (name, generics.concrete(&text(of)))));
            }
        });
        found
    }

    /// The elements that the collection of this name is made from, by `FromIterator`.
    pub fn collected(&self, name: &str) -> Option<String> {
        self.impls_of("FromIterator").find_map(|block| {
            let of = matches!(&*block.self_ty, syn::Type::Path(path) if is_last(&path.path, name));
            let mut generics = Generics::default();
            generics.choose(&block.generics, self).ok().filter(|()| of)?;
            let (path, ..) = block.trait_.as_ref()?;
            let syn::PathArguments::AngleBracketed(all) = &path.segments.last()?.arguments else { return None };
            all.args.first().map(|item| generics.concrete(&text(item)))
        })
    }

    /// The functions of a type, without a receiver, whose names start like this.
    pub fn functions_named(&self, of: &str, start: &str) -> Vec<String> {
        let mut found = Vec::new();
        self.each(&mut |_, item| {
            let syn::Item::Impl(block) = item else { return };
            let is_it = matches!(&*block.self_ty, syn::Type::Path(path) if is_last(&path.path, of));
            if !is_it || block.trait_.is_some() {
                return;
            }
            for item in &block.items {
                if let syn::ImplItem::Fn(function) = item
                    && is_public(&function.vis)
                    && function.sig.receiver().is_none()
                    && function.sig.ident.to_string().starts_with(start)
                {
                    found.push(function.sig.ident.to_string());
                }
            }
        });
        found
    }

    /// A type of the standard library that `into` is made from, by `impl From<…> for into`.
    pub fn converted(&self, into: &str) -> Option<String> {
        const SIMPLE: [&str; 18] = [
            "usize", "u8", "u16", "u32", "u64", "u128", "isize", "i8", "i16", "i32", "i64", "i128", "f64", "f32",
            "bool", "char", "String", "Vec<u8>",
        ];
        let of = |block: &syn::ItemImpl| text(&block.self_ty) == into;
        let taken = self.impls_of("From").filter(|block| of(block)).filter_map(|block| {
            let (path, ..) = block.trait_.as_ref()?;
            let syn::PathArguments::AngleBracketed(all) = &path.segments.last()?.arguments else { return None };
            all.args.first().map(text)
        });
        let taken: Vec<String> = taken.collect();
        SIMPLE.into_iter().find(|simple| taken.iter().any(|taken| taken == simple)).map(str::to_owned)
    }

    /// The path by which tests import an item; `None` if it is private.
    pub fn import(&self, place: Place<'_>, name: &str) -> Option<String> {
        let krate = &place.source.krate;
        if krate.is_empty() {
            return None;
        }
        let Modules { public, exports } = self.modules_of(krate);
        // An item is in its module, and in those that export it from there.
        let mut found = vec![place.modules.to_vec()];
        let mut at = 0;
        while let Some(module) = found.get(at).cloned() {
            let exported = exports.iter().filter(|one| one.from == module && (one.name == "*" || one.name == name));
            let new: Vec<Vec<String>> = exported.map(|one| one.by.clone()).filter(|by| !found.contains(by)).collect();
            found.extend(new);
            at += 1;
        }
        let is_open = |module: &Vec<String>| (0..=module.len()).all(|end| public.contains(&module[..end]));
        let module = found.into_iter().filter(is_open).min_by_key(Vec::len)?;
        Some([std::slice::from_ref(krate), &module, &[name.to_owned()]].concat().join("::"))
    }

    fn modules_of(&self, krate: &str) -> Modules {
        let mut modules = Modules { public: BTreeSet::from([Vec::new()]), exports: Vec::new() };
        self.each(&mut |place, item| {
            if place.source.krate != krate {
                return;
            }
            match item {
                syn::Item::Mod(module) if is_public(&module.vis) => {
                    modules.public.insert([place.modules, &[module.ident.unraw().to_string()]].concat());
                }
                syn::Item::Use(item) if is_public(&item.vis) => {
                    let mut leaves = Vec::new();
                    flatten(&item.tree, &mut Vec::new(), &mut leaves);
                    for (path, name) in leaves {
                        // In edition 2015, a path without a keyword is from the root of the crate.
                        let has_keyword = path.first().is_some_and(|one| ["crate", "self", "super"].contains(&&**one));
                        let from_root = (!has_keyword).then(|| resolved(&[], &path));
                        for from in from_root.into_iter().chain([resolved(place.modules, &path)]) {
                            modules.exports.push(Export { by: place.modules.to_vec(), from, name: name.clone() });
                        }
                    }
                }
                _ => {}
            }
        });
        modules
    }

    /// Whether a type or a trait of this name is declared here, and the path by which tests import it, if it is public. Of
    /// several, that in the same file is meant.
    pub fn declared(&self, near: &Source, name: &str) -> Option<Option<String>> {
        let mut found: Vec<(bool, Option<String>)> = Vec::new();
        self.each(&mut |place, item| {
            let (vis, ident) = match item {
                syn::Item::Struct(item) => (&item.vis, &item.ident),
                syn::Item::Enum(item) => (&item.vis, &item.ident),
                syn::Item::Union(item) => (&item.vis, &item.ident),
                syn::Item::Type(item) => (&item.vis, &item.ident),
                syn::Item::Trait(item) => (&item.vis, &item.ident),
                _ => return,
            };
            if ident.unraw() == name {
                let path = is_public(vis).then(|| self.import(place, name)).flatten();
                found.push((place.source.path != near.path, path));
            }
        });
        found.into_iter().min_by_key(|(is_far, path)| (*is_far, path.is_none())).map(|(_, path)| path)
    }

    /// The names that a file gives to types of the standard library and that are another type's elsewhere, each with its path.
    pub fn renamed(&self, source: &Source) -> Vec<(String, String)> {
        let names = standard_names(source).into_iter();
        names.filter(|(name, path)| !path.ends_with(name) || self.declared(source, name).is_some()).collect()
    }

    /// The imports of the types in a type that is written in `source`: those of the standard library that it imports, and
    /// the workspace's public ones.
    pub fn imports_of(&self, source: &Source, type_text: &str) -> Vec<String> {
        let words = type_text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let names: Vec<&str> = words.filter(|word| word.starts_with(|c: char| c.is_uppercase())).collect();
        let standard = standard_names(source);
        let mut found = Vec::new();
        for name in names {
            if let Some(path) = standard.get(name) {
                found.push(path.clone());
                continue;
            }
            found.extend(self.declared(source, name).flatten());
        }
        found
    }
}

/// The type of an `impl` block, with the default types for its parameters.
fn concrete_self(block: &syn::ItemImpl) -> Option<String> {
    Some(default_types(block)?.concrete(&text(&block.self_ty)))
}

fn default_types(block: &syn::ItemImpl) -> Option<Generics> {
    let mut generics = Generics::default();
    generics.choose(&block.generics, &Sources::default()).ok()?;
    Some(generics)
}

fn each_of<'a>(
    items: &'a [syn::Item],
    source: &'a Source,
    modules: &[String],
    visit: &mut dyn FnMut(Place<'_>, &'a syn::Item),
) {
    for item in items {
        match item {
            syn::Item::Mod(module) if is_test(&module.attrs) => {}
            syn::Item::Mod(module) => {
                visit(Place { source, modules }, item);
                if let Some((_, items)) = &module.content {
                    each_of(items, source, &[modules, &[module.ident.unraw().to_string()]].concat(), visit);
                }
            }
            _ => visit(Place { source, modules }, item),
        }
    }
}

/// The names that a file imports from the standard library, each with the path that imports it, except those of the prelude.
fn standard_names(source: &Source) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for item in &source.items {
        let syn::Item::Use(item) = item else { continue };
        let mut leaves = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut leaves);
        for (path, leaf) in leaves {
            let is_standard = path.first().is_some_and(|first| ["std", "core", "alloc"].contains(&&**first));
            if !is_standard || ["String", "Vec", "Box", "ToString", "ToOwned"].contains(&&*leaf) {
                continue;
            }
            let (leaf, name) = leaf.split_once(" as ").unwrap_or((&leaf, &leaf));
            names.insert(name.to_owned(), format!("std::{}::{leaf}", path[1..].join("::")));
        }
    }
    names
}

/// The leaves of a `use` tree: the path to each, and its name, `*`, or `name as other`.
fn flatten(tree: &syn::UseTree, path: &mut Vec<String>, leaves: &mut Vec<(Vec<String>, String)>) {
    match tree {
        syn::UseTree::Path(inner) => {
            path.push(inner.ident.unraw().to_string());
            flatten(&inner.tree, path, leaves);
            path.pop();
        }
        syn::UseTree::Name(name) => leaves.push((path.clone(), name.ident.unraw().to_string())),
        syn::UseTree::Rename(name) => {
            leaves.push((path.clone(), format!("{} as {}", name.ident.unraw(), name.rename.unraw())));
        }
        syn::UseTree::Glob(_) => leaves.push((path.clone(), "*".to_owned())),
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, path, leaves);
            }
        }
    }
}

/// The modules that a path names, written in a module.
fn resolved(module: &[String], path: &[String]) -> Vec<String> {
    let mut at = module.to_vec();
    for part in path {
        match &**part {
            "crate" => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            part => at.push(part.to_owned()),
        }
    }
    at
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

/// Whether an item is `pub`.
pub fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

/// Whether a path ends in this name.
pub fn is_last(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident.unraw() == name)
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && text(attribute).contains("(test"))
}
