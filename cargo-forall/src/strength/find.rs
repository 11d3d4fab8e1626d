//! The functions and mutants of a source file.
//!
//! Compile-time code (`const`, patterns, types, macros) and tests have none; code in `unsafe` has some on request.

use super::cfg::Condition;
use super::mutant::{Edit, Function, Mutant};
use super::operators::{can_be_left_out, guard, is_block};
use super::{differ, values};
use crate::rust;
use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, UnOp};

/// The code to mutate.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether code in `unsafe` is mutated.
    pub in_unsafe: bool,
}

/// The functions of a file and their mutants; mutants refer to functions by index, and are numbered from 1.
#[derive(Debug, Default)]
pub struct Found {
    /// The functions.
    pub functions: Vec<Function>,
    /// The mutants.
    pub mutants: Vec<Mutant>,
    /// The types of the file; for enums whose variants have no fields, the variants.
    pub types: BTreeMap<String, Vec<String>>,
    /// The number of functions left out because they are `const` or `unsafe`.
    pub left_out: usize,
    /// The modules declared as `mod name;`.
    pub modules: Vec<Module>,
    /// The position of the first item.
    pub start: usize,
}

/// A module in a separate file.
#[derive(Debug)]
pub struct Module {
    /// The name of the module.
    pub name: String,
    /// The file that `#[path]` names.
    pub path: Option<String>,
    /// The surrounding inline modules.
    pub inside: Vec<String>,
    /// The `cfg` conditions under which the module is compiled.
    pub conditions: Vec<Condition>,
}

/// Finds the mutants of a source. `None` if the source is not valid Rust.
pub fn find(source: &str, file: usize, conditions: &[Condition], options: &Options) -> Option<Found> {
    let syn::File { attrs, items, .. } = rust::file(source)?;
    let mut finder = Finder {
        source,
        file,
        options,
        found: Found::default(),
        modules: Vec::new(),
        owner: None,
        block: None,
        conditions: conditions.to_vec(),
        inside: None,
        tail: None,
        ignored: None,
        signatures: signatures(&items, source),
    };
    // A module can have its attributes in its own file.
    finder.within(&attrs, |finder| items.iter().for_each(|item| finder.visit_item(item)));
    finder.found.start = items.first().map_or(source.len(), |first| first.span().byte_range().start);
    Some(finder.found)
}

/// Returns the parameter types of all functions with a unique name, as text.
fn signatures(items: &[syn::Item], source: &str) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    let mut add = |signature: &syn::Signature| {
        let types = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(rust::text(source, &typed.ty).to_owned()),
            syn::FnArg::Receiver(_) => None,
        });
        all.push((signature.ident.to_string(), types.collect()));
    };
    rust::walk(items, &mut |item| match item {
        syn::Item::Fn(function) => add(&function.sig),
        syn::Item::Impl(block) => block.items.iter().for_each(|item| {
            if let syn::ImplItem::Fn(method) = item {
                add(&method.sig);
            }
        }),
        _ => {}
    });
    let names: Vec<String> = all.iter().map(|(name, _)| name.clone()).collect();
    all.retain(|(name, _)| names.iter().filter(|other| *other == name).count() == 1);
    all
}

/// Returns whether an expression without spaces is only a call of `default`, of any type.
fn is_default(text: &str) -> bool {
    let of = text.strip_suffix("::default()");
    of.is_some_and(|of| of.chars().all(|c| c.is_alphanumeric() || "_:<>,".contains(c)))
}

/// Visits the syntax of a file. Mutants of expressions are found by `operators`.
pub(super) struct Finder<'a> {
    pub(super) source: &'a str,
    file: usize,
    options: &'a Options,
    found: Found,
    /// The surrounding inline modules.
    modules: Vec<String>,
    /// The surrounding type or trait.
    owner: Option<String>,
    block: Option<Block>,
    conditions: Vec<Condition>,
    /// The function whose body is visited.
    inside: Option<usize>,
    /// The range of the expression that the function returns, if it is an integer.
    tail: Option<Range<usize>>,
    /// The range of an expression with `?` that is a statement.
    pub(super) ignored: Option<Range<usize>>,
    pub(super) signatures: Vec<(String, Vec<String>)>,
}

/// The surrounding `impl`.
struct Block {
    /// The type of the `impl`, without type arguments.
    of: String,
    /// The same type as written, with type arguments.
    whole: String,
    of_trait: Option<String>,
    generics: syn::Generics,
    end: usize,
}

/// Returns whether an item is left out: by an attribute, or because it is a test.
fn is_left_out(attributes: &[syn::Attribute]) -> bool {
    let is_test = |attribute: &syn::Attribute| {
        let path: Vec<String> = attribute.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
        let inside = match &attribute.meta {
            syn::Meta::List(list) => list.tokens.to_string().replace(' ', ""),
            _ => String::new(),
        };
        matches!(path.last().map(|last| &**last), Some("test" | "bench" | "property" | "quickcheck"))
            || path == ["mutants", "skip"]
            || path == ["cfg_attr"] && inside.contains("mutants::skip")
    };
    attributes.iter().any(is_test) || Condition::of(attributes).iter().any(Condition::is_for_tests)
}

impl Finder<'_> {
    pub(super) fn text(&self, range: &Range<usize>) -> &str {
        &self.source[range.clone()]
    }

    pub(super) fn range(&self, of: &impl Spanned) -> Range<usize> {
        of.span().byte_range()
    }

    pub(super) fn add(
        &mut self,
        range: Range<usize>,
        replacement: impl Into<String>,
        what: impl Into<String>,
        edit: Edit,
    ) {
        let Some(function) = self.inside else { return };
        let id = self.found.mutants.len() as u32 + 1;
        let (replacement, what) = (replacement.into(), what.into());
        self.found.mutants.push(Mutant { id, function, range, replacement, what, edit });
    }

    /// Visits an item with additional conditions, and restores the context.
    fn within(&mut self, attributes: &[syn::Attribute], visit: impl FnOnce(&mut Self)) {
        if is_left_out(attributes) {
            return;
        }
        let known = self.conditions.len();
        self.conditions.extend(Condition::of(attributes));
        visit(self);
        self.conditions.truncate(known);
    }

    fn function(
        &mut self,
        attributes: &[syn::Attribute],
        signature: &syn::Signature,
        block: &syn::Block,
        whole: Range<usize>,
    ) {
        let is_main = signature.ident == "main" && self.owner.is_none() && self.modules.is_empty();
        if is_left_out(attributes) || is_main {
            return;
        }
        if signature.constness.is_some()
            || (matches!(signature.safety, syn::Safety::Unsafe(_)) && !self.options.in_unsafe)
        {
            self.found.left_out += 1;
            return;
        }
        let own = signature.ident.to_string();
        let mut path = self.modules.clone();
        path.extend(self.owner.clone());
        path.push(own);
        let mut conditions = self.conditions.clone();
        conditions.extend(Condition::of(attributes));
        let function = self.found.functions.len();
        let around = differ::Around {
            owner: self.block.as_ref().map(|block| &*block.of),
            whole: self.block.as_ref().map(|block| &*block.whole),
            of_trait: self.block.as_ref().and_then(|block| block.of_trait.as_deref()),
            generics: self.block.as_ref().map(|block| &block.generics),
            after: self.block.as_ref().map_or(whole.end, |block| block.end),
            file: self.file,
        };
        // A test next to them can call neither the methods of a trait nor nested functions.
        let is_callable = self.inside.is_none() && self.owner.is_some() == self.block.is_some();
        let known = if is_callable { differ::Signature::of(signature, around, self.source) } else { None };
        let name = path.join("::");
        let own_path = match (&self.block, &self.owner) {
            _ if self.inside.is_some() => signature.ident.to_string(),
            (Some(Block { of_trait: Some(of_trait), .. }), _) => format!("<Self as {of_trait}>::{}", signature.ident),
            (_, Some(_)) => format!("Self::{}", signature.ident),
            (_, None) => signature.ident.to_string(),
        };
        let mut generics: Vec<&syn::Generics> = self.block.iter().map(|block| &block.generics).collect();
        generics.push(&signature.generics);
        let start = block.brace_token.span.open().byte_range().end;
        let start = block.stmts.first().map_or(start, |first| self.range(first).start);
        let observed = differ::Observed::of(signature, &generics, &name, &own_path, self.source);
        let notes = differ::notes(signature, &generics, self.source);
        self.found.functions.push(Function {
            file: self.file,
            name,
            range: whole,
            conditions,
            signature: known,
            start,
            notes,
            observed,
        });
        // A nested function has its own mutants.
        let before = (self.inside.replace(function), self.tail.take());
        self.returned_values(signature, block);
        if let Some(syn::Stmt::Expr(tail, None)) = block.stmts.last()
            && values::is_integer(&signature.output)
            && !matches!(tail, Expr::Lit(_))
            && !is_block(tail)
        {
            self.tail = Some(self.range(tail));
        }
        self.visit_block(block);
        (self.inside, self.tail) = before;
    }

    fn returned_values(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let braces = block.brace_token.span;
        let inside = braces.open().byte_range().end..braces.close().byte_range().start;
        let written: String = self.text(&inside).split_whitespace().collect();
        let is_empty = block.stmts.is_empty();
        let at = block.stmts.first().map_or(inside.start, |first| self.range(first).start);
        for value in values::of(signature) {
            let same = value.split_whitespace().collect::<String>() == written
                || (value == "Default::default()" && is_default(&written));
            if same || (is_empty && value == "()") || (signature.ident == "default" && value.contains("Default")) {
                continue;
            }
            let what = match &*value {
                "()" => "return at once".to_owned(),
                value => format!("return `{value}`"),
            };
            let shown = if value == "()" { " ".to_owned() } else { format!(" {value} ") };
            self.add(inside.clone(), shown, what, Edit::Return(at, value));
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.within(&module.attrs, |this| {
            let name = module.ident.to_string();
            if module.content.is_none() {
                let path = module.attrs.iter().find(|attribute| attribute.path().is_ident("path"));
                let path = path.and_then(|attribute| match &attribute.meta {
                    syn::Meta::NameValue(pair) => match &pair.value {
                        Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
                        _ => None,
                    },
                    _ => None,
                });
                let (inside, conditions) = (this.modules.clone(), this.conditions.clone());
                this.found.modules.push(Module { name, path, inside, conditions });
                return;
            }
            this.modules.push(name);
            visit::visit_item_mod(this, module);
            this.modules.pop();
        });
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block, self.range(item));
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        self.within(&block.attrs, |this| {
            let of = match &*block.self_ty {
                // Without its lifetime.
                syn::Type::Reference(reference) => {
                    let before = if reference.mutability.is_some() { "&mut " } else { "&" };
                    format!("{before}{}", rust::text(this.source, &reference.elem))
                }
                other => rust::text(this.source, other).to_owned(),
            };
            // Type arguments begin at `<`.
            let of = of.split('<').next().unwrap_or_default().trim_end().to_owned();
            let of_trait = block.trait_.as_ref().map(|(path, ..)| {
                let last = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                (last, rust::text(this.source, path).to_owned())
            });
            let name = match &of_trait {
                Some((last, _)) => format!("<{of} as {last}>"),
                None => of.clone(),
            };
            let around = Block {
                of,
                whole: rust::text(this.source, &block.self_ty).to_owned(),
                of_trait: of_trait.map(|(_, whole)| whole),
                generics: block.generics.clone(),
                end: this.range(block).end,
            };
            let before = (this.owner.replace(name), this.block.replace(around));
            visit::visit_item_impl(this, block);
            (this.owner, this.block) = before;
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block, self.range(item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.within(&item.attrs, |this| {
            let before = (this.owner.replace(item.ident.to_string()), this.block.take());
            visit::visit_item_trait(this, item);
            (this.owner, this.block) = before;
        });
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        let has_none = |variant: &syn::Variant| matches!(variant.fields, syn::Fields::Unit) && variant.attrs.is_empty();
        let is_plain = item.generics.params.is_empty() && item.variants.iter().all(has_none);
        let names = item.variants.iter().filter(|_| is_plain).map(|variant| variant.ident.to_string());
        self.found.types.insert(item.ident.to_string(), names.collect());
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.attrs, &item.sig, block, self.range(item));
        }
    }

    fn visit_stmt(&mut self, statement: &'ast syn::Stmt) {
        if let syn::Stmt::Expr(expression, Some(_)) = statement
            && can_be_left_out(expression)
        {
            let range = self.range(statement);
            self.add(range.clone(), "", "remove the statement", Edit::Without(range.clone()));
            if let Expr::Try(attempt) = expression {
                let code = format!("let _ = {};", self.text(&self.range(&attempt.expr)));
                self.add(range.clone(), code.clone(), "remove `?`", Edit::Statement(range, code));
                self.ignored = Some(self.range(expression));
            }
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let Some(init) = &local.init else { return };
        self.visit_expr(&init.expr);
        // The block after `else` must diverge, so its statements stay.
        let diverging = init.diverge.iter().map(|(_, block)| &**block);
        for statement in diverging.filter_map(|block| if let Expr::Block(block) = block { Some(block) } else { None }) {
            for statement in &statement.block.stmts {
                visit::visit_stmt(self, statement);
            }
        }
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        if self.tail.as_ref().is_some_and(|tail| *tail == self.range(expression)) {
            let range = self.tail.take().unwrap_or_default();
            let shown = format!("({}).wrapping_add(1)", self.text(&range));
            self.add(range.clone(), shown, "return one more", Edit::OneMore(range));
        }
        match expression {
            Expr::Binary(binary) => self.binary(binary),
            Expr::Unary(unary) => {
                self.unary(unary);
                // `-128` is one number.
                if matches!(unary.op, UnOp::Neg(_)) && matches!(*unary.expr, Expr::Lit(_)) {
                    return;
                }
            }
            Expr::Lit(literal) => self.literal(literal),
            Expr::MethodCall(call) => {
                self.method(call);
                // The message of a panic is no result.
                if call.method == "expect" || call.method == "expect_err" {
                    return self.visit_expr(&call.receiver);
                }
            }
            Expr::Call(call) => {
                if let Expr::Path(path) = &*call.func
                    && let Some(last) = path.path.segments.last()
                {
                    self.swapped(&last.ident.to_string(), &call.args, self.range(call));
                }
            }
            Expr::Range(range) => self.bounds(range),
            Expr::Try(attempt) => self.attempt(attempt),
            Expr::If(branch) => self.condition(&branch.cond),
            Expr::While(repeated) => self.condition(&repeated.cond),
            Expr::Match(matched) => self.arms(matched),
            Expr::Repeat(repeat) => return self.visit_expr(&repeat.expr),
            Expr::Unsafe(_) if !self.options.in_unsafe => return,
            Expr::Const(_) => return,
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.within(&arm.attrs, |this| {
            if let Some(guard) = guard(arm) {
                this.condition(guard);
                this.visit_expr(guard);
            }
            visit::visit_arm(this, arm);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        if closure.constness.is_none() {
            visit::visit_expr_closure(self, closure);
        }
    }

    // Compile-time constants cannot contain branches.
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_macro(&mut self, _: &'ast syn::Macro) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.found.types.insert(item.ident.to_string(), Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The functions with mutants, and the number of functions left out.
    fn functions(source: &str, options: &Options) -> (Vec<String>, usize) {
        let found = find(source, 0, &[], options).unwrap();
        let mut names: Vec<String> =
            found.mutants.iter().map(|mutant| found.functions[mutant.function].name.clone()).collect();
        names.dedup();
        (names, found.left_out)
    }

    #[test]
    fn code_left_out_by_an_attribute_tests_and_compile_time_code_have_no_mutants() {
        for (source, expected) in [
            ("fn f() { a(); fn g() { b(); } }", "f f::g"),
            ("#[mutants::skip] fn f() { a(); }", ""),
            ("#[cfg_attr(test, mutants::skip)] fn f() { a(); }", ""),
            ("#[cfg_attr(test, inline, mutants :: skip)] fn f() { a(); }", ""),
            ("#[cfg_attr(test, inline)] fn f() { a(); }", "f"),
            ("#[skip] fn f() { a(); }", "f"),
            ("#[mutants::skip] impl S { fn f() { a(); } } impl S { fn g() { a(); } }", "S::g"),
            ("#[cfg_attr(test, mutants::skip)] impl T for S { fn f() { a(); } }", ""),
            ("impl S { #[mutants::skip] fn f() { a(); } fn g() { a(); } }", "S::g"),
            ("#[mutants::skip] mod m { fn f() { a(); } } mod n { fn g() { a(); } }", "n::g"),
            ("#[cfg_attr(test, mutants::skip)] mod m { impl S { fn f() { a(); } } }", ""),
            ("mod m { #![cfg_attr(test, mutants::skip)] fn f() { a(); } }", ""),
            ("trait T { #[mutants::skip] fn f() { a(); } fn g() { a(); } fn h(); }", "T::g"),
            ("#[mutants::skip] trait T { fn f() { a(); } }", ""),
            ("#![cfg(test)] fn f() { a(); }", ""),
            ("#![cfg_attr(test, mutants::skip)] fn f() { a(); }", ""),
            ("#[cfg(test)] mod tests { fn f() { a(); } }", ""),
            ("#[test] fn f() { a(); } #[forall::test] fn g() { a(); } #[tokio::test] fn h() { a(); }", ""),
            ("fn main() { a(); } mod m { fn main() { a(); } }", "m::main"),
            ("fn f(a: [u8; 1 + 2]) -> ! { m!(a + b) } const A: u8 = 1 + 2; static B: u8 = 1;", ""),
        ] {
            // The name of a nested function is that of its module.
            let names = functions(source, &Options::default()).0.join(" ");
            assert_eq!(names, expected.replace("f::g", "g"), "{source}");
        }
    }

    #[test]
    fn methods_are_named_by_their_type_without_arguments_and_lifetimes() {
        for (block, expected) in [
            ("S", "S"),
            ("S <'a, T>", "S"),
            ("m::S<T>", "m::S"),
            ("&'a S<T>", "&S"),
            ("&'a mut S", "&mut S"),
            ("dyn T", "dyn T"),
            ("[T]", "[T]"),
        ] {
            let names = functions(&format!("impl {block} {{ fn f() {{ a(); }} }}"), &Options::default()).0;
            assert_eq!(names, [format!("{expected}::f")], "{block}");
        }
    }

    #[test]
    fn a_function_that_returns_the_default_value_is_not_replaced_by_it() {
        let returns = |body: &str| !functions(&format!("fn f() -> S {{ {body} }}"), &Options::default()).0.is_empty();
        for body in ["S::default()", "Self::default()", "Default::default()", "m::S::<u8>::default()"] {
            assert!(!returns(body), "{body}");
        }
        for body in ["S::new()", "a().default()", "S::from(m::default())", "a(); S::default()"] {
            assert!(returns(body), "{body}");
        }
    }

    #[test]
    fn const_functions_are_counted_and_unsafe_code_is_mutated_on_request() {
        let source = "const fn c() -> u8 { 1 } unsafe fn f() { a(); } fn g() -> ! { unsafe { a + b } }";
        assert_eq!(functions(source, &Options::default()), (Vec::new(), 2));
        let all = functions(source, &Options { in_unsafe: true });
        assert_eq!(all, (vec!["f".to_owned(), "g".to_owned()], 1));
    }
}
