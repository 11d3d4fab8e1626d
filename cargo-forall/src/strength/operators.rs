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

    /// Moves the end of a range by one, up or down.
    pub(super) fn bounds(&mut self, range: &syn::ExprRange) {
        let Some(end) = &range.end else { return };
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
        let Some(last) = matched.arms.iter().rposition(is_catch_all) else { return };
        for arm in matched.arms.iter().take(last) {
            let (range, pattern) = (self.range(arm), self.range(&arm.pat));
            let what = format!("remove the arm `{}`", shortened(self.text(&pattern)));
            match guard(arm) {
                None => self.add(range, "", what, Edit::NoMatch(pattern.end)),
                Some(guard) if !has_let(guard) => {
                    let guard = self.range(guard);
                    self.add(range, "", what, Edit::NoGuard(guard));
                }
                Some(_) => {}
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
