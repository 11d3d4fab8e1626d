//! Source code that calls functions with generated arguments.

use super::super::library::Definitions;
use super::super::switch::CRATE;
use super::made;
use super::observed::{is_owned, printed, traits};
use super::parameter::{Parameter, Passing, owned, stand_ins};
use crate::rust;
use std::collections::BTreeMap;
use syn::{FnArg, Pat, ReturnType, Type};

/// The signature of a function that can be called with generated arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The function's name, without a path.
    name: String,
    /// The type whose method or associated function this is, without type arguments.
    owner: Option<String>,
    /// The same type as written, with type arguments.
    whole: Option<String>,
    /// The trait that the function implements.
    of_trait: Option<String>,
    receiver: Option<Receiver>,
    parameters: Vec<Parameter>,
    makes: Makes,
    has_result: bool,
    /// The name of the returned type, for a function without an owner.
    returns: Option<String>,
    /// The index of the function's file.
    file: usize,
    /// An expression that formats the variable `result`.
    printed: String,
    /// Whether `result` can be compared by `PartialEq`.
    by_equality: bool,
    /// The position in the file after which a test of the function is inserted.
    pub after: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Receiver {
    Value,
    Shared,
    Mutable,
}

/// Whether a function returns a value of its owner, so that it is a constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Makes {
    Nothing,
    Own,
    /// Wrapped in an `Option`.
    Perhaps,
    /// Wrapped in a `Result`.
    Fallibly,
}

/// The context of a function.
#[derive(Clone, Copy)]
#[allow(missing_debug_implementations, reason = "parameters have none")]
pub struct Around<'a> {
    /// The type of the surrounding `impl`, without type arguments.
    pub owner: Option<&'a str>,
    /// The same type as written, with type arguments.
    pub whole: Option<&'a str>,
    /// The trait of the surrounding `impl`.
    pub of_trait: Option<&'a str>,
    /// The generic parameters of the `impl`.
    pub generics: Option<&'a syn::Generics>,
    /// The end of the outermost item around the function.
    pub after: usize,
    /// The index of the function's file.
    pub file: usize,
}

impl Signature {
    /// Returns the signature of a function, if its arguments can be generated.
    pub fn of(signature: &syn::Signature, around: Around<'_>, source: &str) -> Option<Self> {
        if signature.asyncness.is_some()
            || signature.abi.is_some()
            || matches!(signature.safety, syn::Safety::Unsafe(_))
        {
            return None;
        }
        let mut generic = BTreeMap::new();
        for generics in around.generics.into_iter().chain([&signature.generics]) {
            if generics.const_params().next().is_some() {
                return None;
            }
            generic.extend(stand_ins(generics, source));
        }
        let mut receiver = None;
        let mut parameters = Vec::new();
        for (at, input) in signature.inputs.iter().enumerate() {
            match input {
                FnArg::Receiver(own) => {
                    let text = rust::text(source, own);
                    receiver = Some(match (text.contains('&'), text.contains("mut")) {
                        (true, true) => Receiver::Mutable,
                        (true, false) => Receiver::Shared,
                        _ if text.contains(':') => return None,
                        _ => Receiver::Value,
                    });
                }
                FnArg::Typed(typed) => {
                    let name = match &*typed.pat {
                        Pat::Ident(name) => name.ident.to_string(),
                        _ => format!("argument_{at}"),
                    };
                    let (owned, passing) = owned(&typed.ty, &generic, around.owner, source)?;
                    parameters.push(Parameter { name, owned, passing });
                }
            }
        }
        let has_result = matches!(&signature.output, ReturnType::Type(_, result) if rust::text(source, result) != "()");
        let makes = match (&signature.output, around.owner) {
            (ReturnType::Type(_, result), Some(owner)) if receiver.is_none() => {
                let text: String = rust::text(source, result).split_whitespace().collect();
                let is_own = |text: &str| text == "Self" || text.split('<').next() == Some(owner);
                let inside = |holder: &str| {
                    text.strip_prefix(holder)
                        .is_some_and(|rest| is_own(rest.split([',', '>']).next().unwrap_or_default()))
                };
                match () {
                    () if is_own(&text) => Makes::Own,
                    () if inside("Option<") => Makes::Perhaps,
                    () if inside("Result<") => Makes::Fallibly,
                    () => Makes::Nothing,
                }
            }
            _ => Makes::Nothing,
        };
        Some(Self {
            name: signature.ident.to_string(),
            owner: around.owner.map(str::to_owned),
            // If the `impl` is generic, the compiler infers the type.
            whole: around.whole.filter(|_| around.generics.is_none_or(|it| it.params.is_empty())).map(str::to_owned),
            of_trait: around.of_trait.map(str::to_owned),
            receiver,
            parameters,
            makes,
            has_result,
            returns: returned(&signature.output).filter(|_| around.owner.is_none()),
            file: around.file,
            printed: printed(
                if let ReturnType::Type(_, of) = &signature.output { Some(&**of) } else { None },
                "result",
            ),
            by_equality: is_owned(
                &signature.output,
                &[around.generics.as_slice(), &[&signature.generics]].concat(),
                source,
            ),
            after: around.after,
        })
    }

    /// Returns the source of a property that compares mutants of this function with the original. `number` is part of
    /// its module's name.
    pub fn property(&self, number: usize, forall: &str, types: &Types) -> Option<String> {
        let (mut variables, mut declared, mut body) = (Vec::new(), made::declaration(forall), String::new());
        let mut kinds: Vec<&str> = Vec::new();
        for (at, parameter) in self.parameters.iter().enumerate() {
            if parameter.passing == Passing::Formatter {
                continue;
            }
            if let Some(variants) = types.variants(&parameter.owned, self.file) {
                variables.push(format!("a{at}: u8"));
                let (name, owned) = (format!("a{at}"), &parameter.owned);
                body += &format!(
                    "let n{at} = {}; ",
                    unit(variants, &name, &|it| format!("{:?}", format!("{owned}::{it}")))
                );
                body += &format!("let a{at} = {}; ", unit(variants, &name, &|it| format!("{owned}::{it}")));
                continue;
            }
            let makers = types.makers(&parameter.owned, self.file);
            if makers.is_empty() {
                variables.push(format!("a{at}: {}", made::generated(&parameter.owned)));
                body += &made::unpacked(&parameter.owned, &format!("a{at}"));
                continue;
            }
            // The type has constructors: generate a call of one of them.
            let kind = kinds.iter().position(|kind| *kind == parameter.owned).unwrap_or(kinds.len());
            if kind == kinds.len() {
                kinds.push(&parameter.owned);
                declared += &enumeration(&format!("Make{kind}"), &makers, forall);
            }
            variables.push(format!("a{at}: Make{kind}"));
            let making = |(index, maker): (usize, &&Signature)| maker.made(&format!("Make{kind}"), index);
            let arms: String = makers.iter().enumerate().map(making).collect();
            body += &format!("let a{at} = match &a{at} {{ {arms} }}; ");
        }
        if self.receiver.is_some() {
            let (makers, steps) = types.of(self.owner.as_deref()?, self.file);
            declared += &enumeration("Make", &makers, forall);
            variables.push("make: Make".to_owned());
            let arms: String = makers.iter().enumerate().map(|(at, maker)| maker.making("Make", at)).collect();
            body += &format!("let mut it = match &make {{ {arms} }}; ");
            if !steps.is_empty() {
                declared += &enumeration("Step", &steps, forall);
                variables.push("steps: Vec<Step>".to_owned());
                let arms: String = steps.iter().enumerate().map(|(at, step)| step.step("Step", at)).collect();
                body += &format!("for step in &steps {{ match step {{ {arms} }} }} ");
            }
        }
        let is_unit = |it: &Parameter| types.variants(&it.owned, self.file).is_some();
        let is_made = |it: &Parameter| !types.makers(&it.owned, self.file).is_empty() || is_unit(it);
        let mut shown = self.shown(&|at| format!("&a{at}"));
        for (at, it) in self.parameters.iter().enumerate().filter(|(_, it)| is_unit(it)) {
            // The variant's name is known even if the type does not implement `Debug`.
            shown = shown.replace(&it.as_code(&format!("&a{at}")), &format!("String::from(n{at})"));
        }
        body += &format!("let arguments = {shown}; ");
        for (at, it) in self.parameters.iter().enumerate().filter(|(_, it)| it.passing == Passing::Mutable) {
            body += &format!("let mut m{at} = a{at}{}; ", if is_made(it) { "" } else { ".clone()" });
        }
        let argument = |(at, it): (usize, &Parameter)| match is_made(it) && it.passing == Passing::Copy {
            true => format!("a{at}"),
            false => it.passed(&format!("a{at}"), at, "&"),
        };
        let arguments: Vec<String> = self.parameters.iter().enumerate().map(argument).collect();
        let path = self.path();
        let call = match (self.receiver, &self.of_trait) {
            (Some(receiver), of_trait) => {
                let it = match receiver {
                    Receiver::Value => "it",
                    Receiver::Shared => "&it",
                    Receiver::Mutable => "&mut it",
                };
                let own = of_trait.as_ref().map_or_else(|| self.owner.clone().unwrap_or_default(), Clone::clone);
                let all: Vec<String> = std::iter::once(it.to_owned()).chain(arguments).collect();
                format!("{own}::{}({})", self.name, all.join(", "))
            }
            (None, _) => format!("{path}({})", arguments.join(", ")),
        };
        let target = if self.receiver.is_some() { format!("it.{}", self.name) } else { path };
        body += &format!("*code += &format!(\"{target}({{}})\", arguments); ");
        // The mutant is active while the function runs, but not while its result is printed.
        body += &match self.is_formatting() {
            true => format!(
                "::{CRATE}::begin(); let shown = ::{CRATE}::formatted(&mut |formatter| {call}); ::{CRATE}::end(); "
            ),
            false => {
                format!("::{CRATE}::begin(); let result = {call}; ::{CRATE}::end(); let shown = {}; ", self.printed)
            }
        };
        body += "#[allow(unused_mut)] let mut shown = shown; ";
        for (at, _) in self.parameters.iter().enumerate().filter(|(_, it)| it.passing == Passing::Mutable) {
            body += &format!("shown += &format!(\", then {{}}\", (&Shown(&m{at})).shown()); ");
        }
        if self.receiver == Some(Receiver::Mutable) {
            body += "shown += &format!(\", then {}\", (&Shown(&it)).shown()); ";
        }
        Some(format!(
            " #[cfg(test)] mod __forall_differ_{number} {{ extern crate std as __std; #[allow(unused_imports)] use self::__std::{{format, prelude::v1::*}}; #[allow(unused_imports)] use super::*; use ::{C}::{{{traits}}}; \
             {declared} #[::{forall}::test] fn differ({}) {{ ::{C}::compare(&mut |code: &mut String| -> Option<String> {{ {body} Some(shown) }}); }} }} ",
            variables.join(", "),
            C = CRATE,
            traits = traits(self.by_equality),
        ))
    }

    fn is_formatting(&self) -> bool {
        self.parameters.iter().any(|it| it.passing == Passing::Formatter)
    }

    /// Returns the stub of a property, with a placeholder for the expected value. Empty if a test cannot call the
    /// function.
    pub fn stub(&self, types: &Types) -> String {
        if self.is_formatting() {
            return String::new();
        }
        let mut parameters: Vec<String> =
            self.parameters.iter().map(|it| format!("{}: {}", it.name, it.owned)).collect();
        let passed: Vec<String> = self
            .parameters
            .iter()
            .enumerate()
            .map(|(at, it)| it.passed(&it.name, at, "").replace(&format!("m{at}"), &it.name))
            .collect();
        let (mut before, mut call) = (String::new(), format!("{}({})", self.path(), passed.join(", ")));
        if self.receiver.is_some() {
            let owner = self.owner.as_deref().unwrap_or_default();
            let (makers, _) = types.of(owner, self.file);
            if let Some(maker) = makers.first() {
                let own: Vec<String> =
                    maker.parameters.iter().enumerate().map(|(at, it)| it.passed(&it.name, at, "")).collect();
                parameters.splice(0..0, maker.parameters.iter().map(|it| format!("{}: {}", it.name, it.owned)));
                before = format!("    let mut it = {}({}){};\n", maker.path(), own.join(", "), maker.unwrap());
            }
            call = format!("it.{}({})", self.name, passed.join(", "));
        }
        for it in self.parameters.iter().filter(|it| it.passing == Passing::Mutable) {
            let typed = format!("{}: {}", it.name, it.owned);
            parameters.iter_mut().filter(|text| **text == typed).for_each(|text| *text = format!("mut {text}"));
        }
        let changed = self.parameters.iter().filter(|it| it.passing == Passing::Mutable).map(|it| &*it.name);
        let changed = changed.chain((self.receiver == Some(Receiver::Mutable)).then_some("it")).next();
        let (suffix, compared) = match changed.filter(|_| !self.has_result) {
            Some(changed) => {
                before += &format!("    {call};\n");
                ("is_correct", changed)
            }
            None => ("returns_the_expected_value", &*call),
        };
        format!(
            "#[forall::test]\nfn {}_{suffix}({}) {{\n{before}    assert_eq!({compared}, todo!(\"expected value\"));\n}}\n",
            self.name,
            parameters.join(", ")
        )
    }

    fn path(&self) -> String {
        match (self.owner.as_ref(), &self.of_trait) {
            (Some(owner), Some(of_trait)) => {
                format!("<{} as {of_trait}>::{}", self.whole.as_ref().unwrap_or(owner), self.name)
            }
            (Some(owner), None) => format!("{owner}::{}", self.name),
            (None, _) => self.name.clone(),
        }
    }

    /// Returns an expression that formats the arguments as code, separated by commas.
    fn shown(&self, name: &dyn Fn(usize) -> String) -> String {
        let is_shown = |(_, it): &(usize, &Parameter)| it.passing != Passing::Formatter;
        let each: Vec<String> =
            self.parameters.iter().enumerate().filter(is_shown).map(|(at, it)| it.as_code(&name(at))).collect();
        format!("<[String]>::join(&[{}], \", \")", each.join(", "))
    }

    fn fields(&self) -> String {
        let types: Vec<&str> = self.parameters.iter().map(|it| made::generated(&it.owned)).collect();
        if types.is_empty() { String::new() } else { format!("({})", types.join(", ")) }
    }

    fn pattern(&self, of: &str, at: usize) -> String {
        let names: Vec<String> = (0..self.parameters.len()).map(|at| format!("b{at}")).collect();
        if names.is_empty() { format!("{of}::V{at}") } else { format!("{of}::V{at}({})", names.join(", ")) }
    }

    fn passed_fields(&self) -> String {
        let all: Vec<String> =
            self.parameters.iter().enumerate().map(|(at, it)| it.passed_once(&format!("b{at}"))).collect();
        all.join(", ")
    }

    /// Returns the code that extracts the value from the function's result in the printed call.
    fn unwrap(&self) -> &'static str {
        if matches!(self.makes, Makes::Perhaps | Makes::Fallibly) { ".unwrap()" } else { "" }
    }

    /// Returns the code that extracts the value from the function's result, or gives up if there is none.
    fn get(&self) -> &'static str {
        match self.makes {
            Makes::Perhaps => "?",
            Makes::Fallibly => ".ok()?",
            _ => "",
        }
    }

    /// Returns the statements that unpack the variables of the arm's pattern.
    fn unpacked(&self) -> String {
        let each = |(at, it): (usize, &Parameter)| made::unpacked(&it.owned, &format!("b{at}"));
        self.parameters.iter().enumerate().map(each).collect()
    }

    /// Returns a match arm that calls this constructor.
    fn made(&self, of: &str, at: usize) -> String {
        let (pattern, path, arguments) = (self.pattern(of, at), self.path(), self.passed_fields());
        format!("{pattern} => {{ {}{path}({arguments}){} }} ", self.unpacked(), self.get())
    }

    /// Returns a match arm that calls this constructor and adds the call to the printed code.
    fn making(&self, of: &str, at: usize) -> String {
        let (path, get) = (self.path(), self.get());
        format!(
            "{} => {{ {}*code += &format!(\"let mut it = {path}({{}}){}; \", {}); {path}({}){get} }} ",
            self.pattern(of, at),
            self.unpacked(),
            self.unwrap(),
            self.shown(&|at| format!("b{at}")),
            self.passed_fields()
        )
    }

    fn step(&self, of: &str, at: usize) -> String {
        format!(
            "{} => {{ {}*code += &format!(\"it.{}({{}}); \", {}); let _ = it.{}({}); }} ",
            self.pattern(of, at),
            self.unpacked(),
            self.name,
            self.shown(&|at| format!("b{at}")),
            self.name,
            self.passed_fields()
        )
    }
}

/// Returns a `match` expression with an arm per variant, selected by a number.
fn unit(variants: &[String], number: &str, case: &dyn Fn(&str) -> String) -> String {
    let last = variants.len() - 1;
    let arm = |(at, variant): (usize, &String)| match at == last {
        true => format!("_ => {}", case(variant)),
        false => format!("{at} => {}, ", case(variant)),
    };
    let arms: String = variants.iter().enumerate().map(arm).collect();
    format!("match usize::from({number}) % {} {{ {arms} }}", variants.len())
}

fn enumeration(name: &str, variants: &[&Signature], forall: &str) -> String {
    let variants: Vec<String> = variants.iter().enumerate().map(|(at, it)| format!("V{at}{}", it.fields())).collect();
    format!("#[derive(Debug, Clone, ::{forall}::Arbitrary)] enum {name} {{ {} }} ", variants.join(", "))
}

/// The constructors and methods that build values of a library's types.
#[derive(Debug, Default)]
pub struct Types {
    all: Vec<Signature>,
    defined: Definitions,
}

impl Types {
    /// Collects the functions of a library that build values of its types.
    pub fn new<'a>(all: impl Iterator<Item = &'a Signature>, defined: &Definitions) -> Self {
        let makes = |it: &Signature| it.returns.as_ref().is_some_and(|of| defined.contains_key(of));
        let is_wanted = |it: &&Signature| it.of_trait.is_none() && (it.owner.is_some() || makes(it));
        Self { all: all.filter(is_wanted).cloned().collect(), defined: defined.clone() }
    }

    /// Returns the file that defines the type that a name in a file means. Names are not resolved: `None` if several other
    /// files define a type of this name, or none does.
    fn home(&self, name: &str, file: usize) -> Option<usize> {
        let files = self.defined.get(name)?;
        match files.len() {
            _ if files.contains_key(&file) => Some(file),
            1 => files.keys().next().copied(),
            _ => None,
        }
    }

    /// Returns the variants of an enum whose variants have no fields.
    fn variants(&self, name: &str, file: usize) -> Option<&[String]> {
        let variants = self.defined.get(name)?.get(&self.home(name, file)?)?;
        Some(variants.as_slice()).filter(|variants| !variants.is_empty())
    }

    /// Returns the constructors of a type, and its methods that take `&mut self`, as far as their own arguments can be
    /// generated.
    fn of(&self, owner: &str, file: usize) -> (Vec<&Signature>, Vec<&Signature>) {
        let is_known = |owned: &str| {
            self.variants(owned, file).is_some() || self.all.iter().any(|it| it.owner.as_deref() == Some(owned))
        };
        let is_plain =
            |it: &&Signature| !it.is_formatting() && it.parameters.iter().all(|parameter| !is_known(&parameter.owned));
        // Another file may define another type of this name.
        let home = self.home(owner, file);
        let is_own = |it: &&Signature| it.owner.as_deref() == Some(owner) && self.home(owner, it.file) == home;
        let own = || self.all.iter().filter(is_own).filter(is_plain);
        // Free functions of the same file that return this type; those of other files may not be in scope.
        let is_beside = |it: &&Signature| it.file == file && it.returns.as_deref() == Some(owner);
        let beside = self.all.iter().filter(is_beside).filter(is_plain);
        let makers = own().filter(|it| it.makes != Makes::Nothing).chain(beside).take(MOST).collect();
        let steps = own().filter(|it| it.receiver == Some(Receiver::Mutable)).take(MOST).collect();
        (makers, steps)
    }

    /// Returns the constructors of a library type; none for other types.
    fn makers(&self, of: &str, file: usize) -> Vec<&Signature> {
        self.of(of.split('<').next().unwrap_or_default().trim(), file).0
    }

    /// Returns whether a value for the function's receiver can be built, if it has a receiver.
    pub fn has(&self, signature: &Signature) -> bool {
        signature.receiver.is_none()
            || signature.owner.as_deref().is_some_and(|owner| !self.of(owner, signature.file).0.is_empty())
    }
}

/// Returns the name of the returned type.
fn returned(output: &ReturnType) -> Option<String> {
    let ReturnType::Type(_, of) = output else { return None };
    let Type::Path(path) = &**of else { return None };
    path.path.segments.last().map(|last| last.ident.to_string())
}

/// The maximum number of constructors, and of methods with `&mut self`, per type.
const MOST: usize = 12;

#[cfg(test)]
mod tests {
    use super::super::super::find::{self, Options};
    use super::*;

    fn of_file_0(types: &BTreeMap<String, Vec<String>>) -> Definitions {
        types.iter().map(|(name, variants)| (name.clone(), BTreeMap::from([(0, variants.clone())]))).collect()
    }

    #[test]
    fn types_of_one_name_in_two_files_have_their_own_constructors() {
        let bytes = "pub struct Words; pub enum Kind { A, B }\n\
                     impl Words { fn new(bytes: &[u8]) -> Self { a() } fn next(&mut self) -> u8 { b() } fn of(kind: Kind) -> u8 { 1 } }";
        let text = "pub struct Words; pub enum Kind { C }\n\
                    impl Words { fn new(text: &str) -> Self { a() } fn next(&mut self) -> char { b() } }";
        let other = "impl Words { fn later(&self) -> u8 { a() } }";
        let found: Vec<_> = [bytes, text, other]
            .iter()
            .enumerate()
            .map(|(file, source)| find::find(source, file, &[], &Options::default()).unwrap())
            .collect();
        let mut defined = Definitions::new();
        for (file, found) in found.iter().enumerate() {
            for (name, variants) in &found.types {
                defined.entry(name.clone()).or_default().insert(file, variants.clone());
            }
        }
        let signatures = || found.iter().flat_map(|it| &it.functions).filter_map(|it| it.signature.as_ref());
        let types = Types::new(signatures(), &defined);
        let property = |file: usize, name: &str| {
            let signature = signatures().find(|it| it.file == file && it.name == name).unwrap();
            signature.property(1, "forall", &types).unwrap()
        };
        assert!(property(0, "next").contains("enum Make { V0(Bytes) }"), "{}", property(0, "next"));
        assert!(property(1, "next").contains("enum Make { V0(Text) }"), "{}", property(1, "next"));
        assert!(property(0, "of").contains("Kind::A, _ => Kind::B"), "{}", property(0, "of"));
        // It is not known which of them is meant.
        assert!(!types.has(signatures().find(|it| it.name == "later").unwrap()));
    }

    #[test]
    fn a_property_compares_results_and_a_stub_leaves_the_expected_value_open() {
        let source = "struct Stack; impl Stack { fn new(most: usize) -> Option<Self> { None }\n\
                      fn push(&mut self, value: &[u8], other: &mut u8) -> bool { true } }\n\
                      fn encode<T: AsRef<[u8]>>(data: T) -> String { a() }\n\
                      impl FromHex for Vec<u8> { fn from_hex(text: &str) -> u8 { b() } }\n\
                      fn place(at: Position, of: &Stack) -> u8 { c() }\n\
                      enum Position { First, Last }\n\
                      impl Display for Stack { fn fmt(&self, f: &mut Formatter) -> Result { d() } }\n\
                      fn later(each: impl Fn()) { d(); }";
        let found = find::find(source, 0, &[], &Options::default()).unwrap();
        let functions = found.functions;
        let types =
            Types::new(functions.iter().filter_map(|function| function.signature.as_ref()), &of_file_0(&found.types));
        let mut text = String::new();
        for function in &functions[1..] {
            text += &format!("{}\n", function.name);
            if let Some(signature) = &function.signature {
                let property = signature.property(7, "forall", &types).unwrap();
                assert!(crate::rust::items(&property).is_some(), "{property}");
                text += &format!("{property}\n{}\n", signature.stub(&types));
            }
        }
        insta::assert_snapshot!(text);
    }

    #[test]
    fn the_stub_of_a_function_without_a_result_checks_its_mutable_argument() {
        let source = "fn insert(sorted: &mut Vec<u8>, value: u8) {}\n\
                      struct Stack; impl Stack { fn new() -> Self { Stack } fn push(&mut self, value: u8) {} }";
        let found = find::find(source, 0, &[], &Options::default()).unwrap();
        let functions = found.functions;
        let types =
            Types::new(functions.iter().filter_map(|function| function.signature.as_ref()), &of_file_0(&found.types));
        let stub = |name: &str| {
            let function = functions.iter().find(|function| function.name == name).unwrap();
            function.signature.as_ref().unwrap().stub(&types)
        };
        assert_eq!(
            stub("insert"),
            "#[forall::test]\nfn insert_is_correct(mut sorted: Vec<u8>, value: u8) {\n    insert(&mut sorted, value.clone());\n    \
             assert_eq!(sorted, todo!(\"expected value\"));\n}\n"
        );
        assert!(
            stub("Stack::push").contains("    it.push(value.clone());\n    assert_eq!(it, todo!("),
            "{}",
            stub("Stack::push")
        );
    }
}
