//! How a generator uses earlier variables: by value or by reference, judging by its tokens.
//!
//! Generators see earlier variables by reference. In the attribute form, primitives are copied for generators that do not
//! dereference them, so that both `0..n` and `0..*n` work.

use crate::compiler::{Ident, TokenStream, TokenTree};
use crate::parse::{Error, is};
use crate::tokens::is_named;

/// Keywords after which `*` dereferences.
const BEFORE_OPERANDS: &[&str] = &["in", "if", "else", "match", "while", "return", "break", "move"];

/// Whether a name occurs in the tokens.
pub fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    let name = name.to_string();
    any(tokens, &|_, token| is(token, &name))
}

/// Whether the tokens contain `*name` with a unary `*`.
pub fn dereferences(tokens: &TokenStream, name: &Ident) -> bool {
    let name = name.to_string();
    any(tokens, &|before, token| {
        let [.., operand, star] = before else {
            return matches!(before, [star] if is(star, "*")) && is(token, &name);
        };
        is(star, "*") && is(token, &name) && !ends_operand(operand)
    })
}

/// Whether `*` after this token multiplies.
fn ends_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => !BEFORE_OPERANDS.iter().any(|keyword| is_named(word, keyword)),
        TokenTree::Punct(mark) => mark.as_char() == '?',
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
    }
}

/// Whether a token, with those before it in its group, satisfies a predicate.
fn any(tokens: &TokenStream, found: &dyn Fn(&[TokenTree], &TokenTree) -> bool) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Group(group) => any(&group.stream(), found),
        token => found(&tokens[..at], token),
    })
}

/// The error for a range such as `n..=n + 5`, one end of which is a variable that is a reference. Such a range never
/// compiles as a generator, and rustc suggests borrowing the other end.
pub fn range_of_references(generator: &TokenStream, references: &[String]) -> Option<Error> {
    let tokens: Vec<TokenTree> = generator.clone().into_iter().collect();
    let dots = tokens.windows(2).position(|pair| is(&pair[0], ".") && is(&pair[1], "."))?;
    let inclusive = tokens.get(dots + 2).is_some_and(|token| is(token, "="));
    let (start, end) = (&tokens[..dots], &tokens[dots + 2 + usize::from(inclusive)..]);
    let is_reference = |operand: &[TokenTree]| match operand {
        [TokenTree::Ident(name)] if references.contains(&name.to_string()) => Some(name.clone()),
        _ => None,
    };
    let name = is_reference(start).or_else(|| is_reference(end))?;
    Some(Error::new(name.span(), format!("`{name}` is a reference here: write `*{name}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::hidden;

    fn dereferenced(clause: &str) -> bool {
        dereferences(&clause.parse().unwrap(), &hidden("n"))
    }

    #[test]
    fn a_unary_star_dereferences_and_a_binary_one_does_not() {
        for clause in ["*n", "0..*n", "0..=*n + 1", "f(|x| *n)", "vec(0..9).len(*n)", "if *n > 3 { 0 } else { *n }"] {
            assert!(dereferenced(clause), "{clause}");
        }
        for clause in ["n", "0..2 * n", "0..(3) * n", "xs[0] * n", "f(3)? * n", "m * n", "*m * n", "*m"] {
            assert!(!dereferenced(clause), "{clause}");
        }
    }

    #[test]
    fn a_range_with_a_bare_reference_is_an_error() {
        let error = |generator: &str| range_of_references(&generator.parse().unwrap(), &["n".to_owned()]).is_some();
        assert!(error("n..=n + 5") && error("0..n") && error("..n") && error("n.."));
        assert!(
            !error("*n..=*n + 5") && !error("0..n + 5") && !error("0..n.len()") && !error("0..m") && !error("f(n)")
        );
    }
}
