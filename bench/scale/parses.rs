//! Short texts for a parser of SQL, which must not panic. Workers of the suite `scale` search it; see `src/suites/scale/coverage.rs`.

use forall::prelude::*;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;

#[forall::test]
fn parses(#[forall(vec(range(b' '..=b'~')).len(0..=24))] bytes: Vec<u8>) {
    let text = std::str::from_utf8(&bytes).expect("all of it is ASCII");
    let _ = std::hint::black_box(Parser::parse_sql(&GenericDialect {}, text));
}
