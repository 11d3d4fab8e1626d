//! A shop with a bug: the sample for the tests of the tool.

/// The price of an order, with a discount for many pieces.
pub fn price(pieces: u32, each: u32) -> u64 {
    let whole = u64::from(pieces) * u64::from(each);
    if pieces >= 100 { whole - whole / 10 } else { whole }
}

#[cfg(test)]
mod tests {
    use super::price;
    use forall::prelude::*;

    #[forall::test]
    fn more_pieces_cost_more(#[forall(0..200u32)] pieces: u32, #[forall(1..50u32)] each: u32) {
        assert!(price(pieces + 1, each) > price(pieces, each));
    }

    #[forall::test(tests = 50)]
    fn nothing_costs_nothing(each: u32) {
        classify!(each % 2 == 0, "even");
        tabulate!("digits", each.to_string().len());
        feature!("price of ten", price(10, each));
        feature!("kind", if each < 1000 { "cheap" } else { "dear" });
        assert_eq!(price(0, each), 0);
    }

    #[forall::test]
    fn signs_agree(a: bool, b: bool) {
        assert_eq!(a && b, b && a);
    }

    #[forall::test]
    fn never_tested(n: u64) {
        assume!(n == 123_456_789);
    }

    /// Shown as no Rust that compiles.
    struct Token(u32);

    impl std::fmt::Debug for Token {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "<token {}>", self.0)
        }
    }

    #[forall::test]
    fn tokens_are_small(#[forall(range(0..1000u32).map(Token))] token: Token) {
        note!("the token is {token:?}");
        assert!(token.0 < 10);
    }

    #[derive(Arbitrary, Clone, Debug)]
    struct Basket {
        weights: Vec<u8>,
    }

    #[forall::test(shrink_on = values)]
    fn baskets_are_light(basket: Basket) {
        assert!(basket.weights.iter().map(|&weight| u32::from(weight)).sum::<u32>() < 100);
    }

    #[forall::test]
    #[should_panic(expected = "assertion failed")]
    fn orders_are_free(#[forall(0..9u32)] pieces: u32) {
        assert!(price(pieces, 1) == 0);
    }

    #[forall::test]
    #[ignore = "it ends its process"]
    fn ends_its_process(n: u8) {
        if n > 3 {
            std::process::abort();
        }
    }
}
