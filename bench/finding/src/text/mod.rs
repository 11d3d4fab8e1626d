//! Strings: case, truncation, similarity, order, quoting, patterns, positions.

crate::tasks! {
    "text";
    dedent_blank_line(lines: Vec<String>, indent: u8);
    diff_final_newline(left: String, right: String);
    find_ignoring_case(before: String, word: String, after: String);
    glob_backtrack(prefix: String, middle: String, suffix: String);
    jaro_single_character(a: String, b: String);
    line_column_crlf(text: String, offset: usize);
    natural_order_prefix(a: String, b: String);
    quote_apostrophe(path: String);
    slug_trailing_dash(title: String);
    snake_case_digit(name: String);
    truncate_inside_character(text: String, max: u8);
}
