//! Mutations of expressions and statements, and their positions.

use super::find::Finder;
use super::mutant::Edit;
use std::ops::Range;
use syn::{BinOp, Expr, UnOp};

impl Finder<'_> {
    pub(super) fn binary(&mut self, binary: &syn::ExprBinary) {
        let others = other_operators(&binary.op);
        if others.is_empty() || has_let(&binary.left) || has_let(&binary.right) {
            return;
        }
        let (whole, sign) = (self.range(binary), self.range(&binary.op));
        let (left, right) = (self.range(&binary.left), self.range(&binary.right));
        for other in others {
            let code = match other.ends_with('=') && !is_comparison(&binary.op) {
                true => format!("{} {other} {}", self.text(&left), self.text(&right)),
                false => format!("({}) {other} ({})", self.text(&left), self.text(&right)),
            };
            let what = format!("replace `{}` by `{other}`", self.text(&sign));
            self.add(sign.clone(), *other, what, Edit::Instead(whole.clone(), code));
        }
    }

    /// Mutates the condition of an `if`, a `while` or a guard. Comparisons have their own mutants.
    pub(super) fn condition(&mut self, condition: &Expr) {
        let is_own = match condition {
            Expr::Binary(binary) => !other_operators(&binary.op).is_empty(),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
            Expr::Lit(_) => true,
            // Replacing the method negates the condition.
            Expr::MethodCall(call) => {
                OTHER_METHODS.iter().any(|(name, _)| name.starts_with("is_") && call.method == name)
            }
            other => has_let(other),
        };
        if !is_own {
            let range = self.range(condition);
            let shown = format!("!({})", self.text(&range));
            self.add(range.clone(), shown, "negate the condition", Edit::Not(range));
        }
    }

    pub(super) fn unary(&mut self, unary: &syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_) | UnOp::Neg(_)) {
            let (whole, inside) = (self.range(unary), self.range(&unary.expr));
            let what = format!("remove `{}`", self.text(&self.range(&unary.op)));
            let code = self.text(&inside).to_owned();
            self.add(whole.clone(), code.clone(), what, Edit::Instead(whole, code));
        }
    }

    pub(super) fn literal(&mut self, literal: &syn::ExprLit) {
        let range = self.range(literal);
        let other = match &literal.lit {
            syn::Lit::Bool(value) => (!value.value).to_string(),
            syn::Lit::Int(number) => {
                let Ok(value) = number.base10_parse::<u128>() else { return };
                let is_largest =
                    [8, 16, 32, 64].iter().any(|bits| value + 1 == 1 << bits || value + 1 == 1 << (bits - 1));
                let other = if value == 1 || is_largest { value - 1 } else { value + 1 };
                format!("{other}{}", number.suffix())
            }
            syn::Lit::Float(number) => {
                let Ok(value) = number.base10_parse::<f64>() else { return };
                // Adding one does not change a large float.
                let other = if value == 1.0 || value + 1.0 == value { 0.0 } else { value + 1.0 };
                format!("{other:?}{}", number.suffix())
            }
            syn::Lit::Char(character) => format!("{:?}", if character.value() == 'x' { 'y' } else { 'x' }),
            syn::Lit::Byte(byte) => format!("b{:?}", if byte.value() == b'x' { 'y' } else { 'x' }),
            syn::Lit::Str(text) => if text.value().is_empty() { "\"xyzzy\"" } else { "\"\"" }.to_owned(),
            // The length is part of the type.
            syn::Lit::ByteStr(text) => match text.value().split_first() {
                Some((first, rest)) => {
                    let other = if *first == b'x' { b'y' } else { b'x' };
                    format!("b\"{}\"", [&[other], rest].concat().escape_ascii())
                }
                None => return,
            },
            _ => return,
        };
        let what = format!("replace `{}` by `{other}`", self.text(&range));
        self.add(range.clone(), other.clone(), what, Edit::Instead(range, other));
    }

    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        if let Some((_, other)) = OTHER_METHODS.iter().find(|(method, _)| *method == name) {
            let (whole, sign) = (self.range(call), self.range(&call.method));
            let code = format!("{}{other}{}", &self.source[whole.start..sign.start], &self.source[sign.end..whole.end]);
            self.add(sign, *other, format!("replace `{name}` by `{other}`"), Edit::Instead(whole, code));
        }
        self.swapped(&name, &call.args, self.range(call));
    }

    /// Swaps two arguments of the same type.
    pub(super) fn swapped(
        &mut self,
        name: &str,
        arguments: &syn::punctuated::Punctuated<Expr, syn::Token![,]>,
        whole: Range<usize>,
    ) {
        let Some((_, types)) = self.signatures.iter().find(|(known, _)| known == name) else { return };
        let types = types.clone();
        // A method may be called as a function, with its receiver first.
        if types.len() != arguments.len() {
            return;
        }
        for at in 1..types.len() {
            let (first, second) = (self.range(&arguments[at - 1]), self.range(&arguments[at]));
            if types[at - 1] != types[at] || self.text(&first) == self.text(&second) {
                continue;
            }
            let (one, other) = (self.text(&first).to_owned(), self.text(&second).to_owned());
            let between = &self.source[first.end..second.start];
            let changed = format!("{other}{between}{one}");
            let code =
                format!("{}{changed}{}", &self.source[whole.start..first.start], &self.source[second.end..whole.end]);
            let what = format!("swap the arguments `{one}` and `{other}`");
            self.add(first.start..second.end, changed, what, Edit::Instead(whole.clone(), code));
        }
    }

    /// Replaces an error that `?` returns by a default value. If the statement is only the expression, it has a mutant of
    /// its own that ignores the error.
    pub(super) fn attempt(&mut self, attempt: &syn::ExprTry) {
        let (whole, inside) = (self.range(attempt), self.range(&attempt.expr));
        if self.ignored.as_ref() != Some(&whole) {
            let mark = inside.end..whole.end;
            let code = format!("({}).unwrap_or_default()", self.text(&inside));
            self.add(mark, ".unwrap_or_default()", "replace `?` by `unwrap_or_default`", Edit::Instead(whole, code));
        }
    }

    /// Moves the start of a range by one, up, and its end by one, up or down. A literal has a mutant of its own.
    pub(super) fn bounds(&mut self, range: &syn::ExprRange) {
        let is_literal = |bound: &Expr| matches!(bound, Expr::Lit(_));
        if let Some(start) = range.start.as_ref().filter(|start| !is_literal(start)) {
            let (whole, start) = (self.range(range), self.range(start));
            let code = format!("({}) + 1{}", self.text(&start), &self.source[start.end..whole.end]);
            let replacement = format!("{} + 1", self.text(&start));
            self.add(start, replacement, "start the range one later", Edit::Instead(whole, code));
        }
        let is_half_open = matches!(range.limits, syn::RangeLimits::HalfOpen(_));
        let Some(end) = range.end.as_ref().filter(|end| !is_half_open || !is_literal(end)) else { return };
        let (whole, end) = (self.range(range), self.range(end));
        let before = &self.source[whole.start..end.start];
        let (change, shown) = match range.limits {
            syn::RangeLimits::HalfOpen(_) => ("+ 1", "one later"),
            syn::RangeLimits::Closed(_) => ("- 1", "one earlier"),
        };
        let code = format!("{before}({}) {change}", self.text(&end));
        let replacement = format!("{} {change}", self.text(&end));
        self.add(end, replacement, format!("end the range {shown}"), Edit::Instead(whole, code));
    }

    pub(super) fn arms(&mut self, matched: &syn::ExprMatch) {
        let last = matched.arms.iter().rposition(is_catch_all);
        for (at, arm) in matched.arms.iter().enumerate() {
            let (range, pattern) = (self.range(arm), self.range(&arm.pat));
            let what = format!("remove the arm `{}`", shortened(self.text(&pattern)));
            match guard(arm) {
                None if last.is_some_and(|last| at < last) => self.add(range, "", what, Edit::NoMatch(pattern.end)),
                // The other arms match every value, since a guard may be false.
                Some(guard) if !has_let(guard) => {
                    let guard = self.range(guard);
                    self.add(range, "", what, Edit::NoGuard(guard));
                }
                _ => {}
            }
        }
    }
}

/// Returns the code on one line, for display.
fn shortened(text: &str) -> String {
    crate::list::shortened(&text.split_whitespace().collect::<Vec<_>>().join(" "), 40)
}

pub(super) fn is_block(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::If(_)
            | Expr::Match(_)
            | Expr::Block(_)
            | Expr::Loop(_)
            | Expr::Unsafe(_)
            | Expr::Return(_)
            | Expr::Macro(_)
    )
}

/// Returns whether the arm matches every value that reaches it.
fn is_catch_all(arm: &syn::Arm) -> bool {
    let is_name = |name: &syn::Ident| name.to_string().starts_with(|c: char| c.is_lowercase() || c == '_');
    match &arm.pat {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(name) => name.subpat.is_none() && is_name(&name.ident),
        _ => false,
    }
}

/// Returns the guard of an arm.
pub(super) fn guard(arm: &syn::Arm) -> Option<&Expr> {
    match &arm.pat {
        syn::Pat::Guard(guarded) => Some(&guarded.guard),
        _ => None,
    }
}

/// Returns whether the expression contains a `let` of a surrounding condition.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

fn is_comparison(operator: &BinOp) -> bool {
    matches!(operator, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

/// Returns the replacements of an operator.
fn other_operators(operator: &BinOp) -> &'static [&'static str] {
    match operator {
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Lt(_) => &["<=", ">"],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "<"],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::Add(_) => &["-", "*"],
        BinOp::Sub(_) => &["+", "/"],
        BinOp::Mul(_) => &["+", "/"],
        BinOp::Div(_) => &["%", "*"],
        BinOp::Rem(_) => &["/", "+"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::BitAnd(_) => &["|", "^"],
        BinOp::BitOr(_) => &["&", "^"],
        BinOp::BitXor(_) => &["|", "&"],
        BinOp::AddAssign(_) => &["-=", "*="],
        BinOp::SubAssign(_) => &["+=", "/="],
        BinOp::MulAssign(_) => &["+=", "/="],
        BinOp::DivAssign(_) => &["%=", "*="],
        BinOp::RemAssign(_) => &["/=", "+="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        BinOp::BitAndAssign(_) => &["|=", "^="],
        BinOp::BitOrAssign(_) => &["&=", "^="],
        BinOp::BitXorAssign(_) => &["|=", "&="],
        _ => &[],
    }
}

/// Methods, and replacements with the same signature.
const OTHER_METHODS: &[(&str, &str)] = &[
    ("min", "max"),
    ("max", "min"),
    ("any", "all"),
    ("all", "any"),
    ("is_some", "is_none"),
    ("is_none", "is_some"),
    ("is_ok", "is_err"),
    ("is_err", "is_ok"),
    ("starts_with", "ends_with"),
    ("ends_with", "starts_with"),
    ("saturating_add", "wrapping_add"),
    ("saturating_sub", "wrapping_sub"),
];

/// Returns whether a statement has an effect that can be removed.
pub(super) fn can_be_left_out(expression: &Expr) -> bool {
    match expression {
        Expr::Call(call) => {
            !matches!(&*call.func, Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "drop"))
        }
        Expr::MethodCall(_) | Expr::Assign(_) => true,
        // Expressions with an operator have their own mutants.
        Expr::Try(attempt) => can_be_left_out(&attempt.expr),
        Expr::Await(waiting) => can_be_left_out(&waiting.base),
        Expr::Return(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::find::{self, Options};
    use super::super::mutant::{Edition, Mutant};
    use super::super::rewrite::rewrite;

    /// The mutants of a function without a result: its body with each change.
    fn mutants(body: &str) -> Vec<String> {
        let source =
            format!("fn f() -> ! {{ {body} }} fn pair(a: u8, b: u8) -> ! {{}} fn other(a: u8, b: u16) -> ! {{}}");
        let found = find::find(&source, 0, &[], &Options::default()).unwrap();
        let all: Vec<&Mutant> = found.mutants.iter().collect();
        let rewritten = rewrite(&source, &all, Edition::Since2018).text;
        assert!(crate::rust::items(&rewritten).is_some(), "{rewritten}");
        let changed = |mutant: &Mutant| {
            let (start, end) = (&source[..mutant.range.start], &source[mutant.range.end..]);
            let text = format!("{start}{}{end}", mutant.replacement);
            let text = text.split(" } fn pair").next().unwrap().trim_start_matches("fn f() -> ! {");
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        found.mutants.iter().map(changed).collect()
    }

    #[test]
    fn each_operator_has_its_mutants() {
        for (operator, others) in [
            ("==", "!="),
            ("!=", "=="),
            ("<", "<= >"),
            ("<=", "< >"),
            (">", ">= <"),
            (">=", "> <"),
            ("&&", "||"),
            ("||", "&&"),
            ("+", "- *"),
            ("-", "+ /"),
            ("*", "+ /"),
            ("/", "% *"),
            ("%", "/ +"),
            ("<<", ">>"),
            (">>", "<<"),
            ("&", "| ^"),
            ("|", "& ^"),
            ("^", "| &"),
            ("+=", "-= *="),
            ("-=", "+= /="),
            ("*=", "+= /="),
            ("/=", "%= *="),
            ("%=", "/= +="),
            ("<<=", ">>="),
            (">>=", "<<="),
            ("&=", "|= ^="),
            ("|=", "&= ^="),
            ("^=", "|= &="),
        ] {
            let expected: Vec<String> = others.split(' ').map(|other| format!("a {other} b")).collect();
            assert_eq!(mutants(&format!("a {operator} b")), expected);
        }
    }

    #[test]
    fn each_method_has_its_mutant() {
        for (one, other) in
            [("min", "max"), ("any", "all"), ("is_some", "is_none"), ("is_ok", "is_err"), ("starts_with", "ends_with")]
        {
            for (one, other) in [(one, other), (other, one)] {
                assert_eq!(mutants(&format!("a.{one}(b)")), [format!("a.{other}(b)")]);
            }
        }
        assert_eq!(
            mutants("a.saturating_add(b).saturating_sub(c)"),
            ["a.saturating_add(b).wrapping_sub(c)", "a.wrapping_add(b).saturating_sub(c)"]
        );
    }

    #[test]
    fn each_expression_and_statement_has_its_mutants() {
        let table: &[(&str, &[&str])] = &[
            // Negation.
            ("!a", &["a"]),
            ("-a", &["a"]),
            ("-128", &["128"]),
            ("-1.5", &["1.5"]),
            // Conditions.
            ("if a() { b }", &["if !(a()) { b }"]),
            ("while a() { b }", &["while !(a()) { b }"]),
            ("if !a { b }", &["if a { b }"]),
            ("if a.is_some() { b }", &["if a.is_none() { b }"]),
            ("if a < b { c }", &["if a <= b { c }", "if a > b { c }"]),
            ("if let A = b && c == d { e }", &["if let A = b && c != d { e }"]),
            // Literals.
            ("true", &["false"]),
            ("0", &["1"]),
            ("1u8", &["0u8"]),
            ("8", &["9"]),
            ("0xff", &["254"]),
            ("127", &["126"]),
            ("2.5", &["3.5"]),
            ("1.0f32", &["0.0f32"]),
            ("1e300", &["0.0"]),
            ("'a'", &["'x'"]),
            ("'x'", &["'y'"]),
            ("b'\\n'", &["b'x'"]),
            ("b'x'", &["b'y'"]),
            ("\"text\"", &["\"\""]),
            ("r#\"a\"#", &["\"\""]),
            ("\"\"", &["\"xyzzy\""]),
            ("b\"a\\0\"", &["b\"x\\x00\""]),
            ("b\"x\"", &["b\"y\""]),
            ("b\"\"", &[]),
            ("c\"text\"", &[]),
            ("[1; 3]", &["[0; 3]"]),
            // Ranges.
            ("a..b", &["a + 1..b", "a..b + 1"]),
            ("a..=b", &["a + 1..=b", "a..=b - 1"]),
            ("0..b", &["0..b + 1", "1..b"]),
            ("a..8", &["a + 1..8", "a..9"]),
            ("a..", &["a + 1.."]),
            ("..a", &["..a + 1"]),
            ("..=8", &["..=8 - 1", "..=9"]),
            ("..", &[]),
            // Statements, and errors.
            ("a();", &[""]),
            ("a.b();", &[""]),
            ("a = b;", &[""]),
            ("return;", &[""]),
            ("drop(a);", &[]),
            ("a();b", &["b"]),
            ("a()?;", &["", "let _ = a();"]),
            ("a().await?;", &["", "let _ = a().await;"]),
            ("let a = b()?;", &["let a = b().unwrap_or_default();"]),
            ("b()?", &["b().unwrap_or_default()"]),
            ("Ok(b()?.c)", &["Ok(b().unwrap_or_default().c)"]),
            ("a()?.b();", &["", "a().unwrap_or_default().b();"]),
            ("m!(a)?;", &["m!(a).unwrap_or_default();"]),
            ("let A = b else { return; };", &[]),
            // Arms.
            ("match a { A => b, _ => c }", &["match a { _ => c }"]),
            ("match a { A => b, B => c }", &[]),
            ("match a { A => b, n => c, B => d }", &["match a { n => c, B => d }"]),
            (
                "match a { A if b() => c, A => d, B => e }",
                &["match a { A => d, B => e }", "match a { A if !(b()) => c, A => d, B => e }"],
            ),
            ("match a { A if let C = b => c, _ => d }", &[]),
            // Arguments.
            ("pair(a, b);", &["", "pair(b, a);"]),
            ("pair(a, a);", &[""]),
            ("other(a, b);", &[""]),
            // Code without mutants.
            ("a.expect(\"text\")", &[]),
            ("a.expect_err(\"text\")", &[]),
            ("m!(1 + 2)", &[]),
            ("const { 1 + 2 }", &[]),
            ("unsafe { a + b }", &[]),
        ];
        for (body, expected) in table {
            // An arm's comma stays where it was.
            let mutants: Vec<String> = mutants(body).into_iter().map(|it| it.replace("{ , ", "{ ")).collect();
            assert_eq!(mutants, *expected, "{body}");
        }
    }

    #[test]
    fn each_mutant_has_a_description() {
        let table: &[(&str, &[&str])] = &[
            ("a < b", &["replace `<` by `<=`", "replace `<` by `>`"]),
            ("if a() { b }", &["negate the condition"]),
            ("!a", &["remove `!`"]),
            ("'a'", &["replace `'a'` by `'x'`"]),
            ("a..b", &["start the range one later", "end the range one later"]),
            ("a..=8", &["start the range one later", "end the range one earlier", "replace `8` by `9`"]),
            ("a.min(b)", &["replace `min` by `max`"]),
            ("a()?;", &["remove the statement", "remove `?`"]),
            ("b()?", &["replace `?` by `unwrap_or_default`"]),
            ("match a { A if !b => c, A => d }", &["remove the arm `A if !b`", "remove `!`"]),
        ];
        for (body, expected) in table {
            let found = find::find(&format!("fn f() -> ! {{ {body} }}"), 0, &[], &Options::default()).unwrap();
            let descriptions: Vec<String> = found.mutants.into_iter().map(|mutant| mutant.what).collect();
            assert_eq!(descriptions, *expected, "{body}");
        }
    }
}
