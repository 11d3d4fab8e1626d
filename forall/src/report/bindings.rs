//! The variables of a counterexample as Rust code that compiles when pasted; values without a code form are comments.

use super::drawn;
use super::style::{Paint, Style};
use super::types;
use crate::explain::{Any, Claim, Open};
use crate::property::Binding;
use crate::testing;
use crate::text::counted;
use crate::text::{Language, layout, marks};
use crate::text::{beginning, columns, count, joined, one_line, visible, visible_code};
use crate::within;

/// Values are truncated to this many characters, so that the rest of the report stays on the screen.
const MAX_CHARACTERS: usize = 2_000;

/// Values are truncated to this many lines.
const MAX_LINES: usize = 24;

/// Longer values are truncated without layout.
const MAX_LAID_OUT: usize = 100_000;

/// A longer `#[example(…)]` is not suggested: a regression file is the better place for such an input.
const MAX_EXAMPLE: usize = 500;

/// Patterns are truncated to this many columns: the value is printed above.
const MAX_PATTERN: usize = 120;

/// Returns the variables as a block of code, one `let` for each. `whole` says where to find the full text of truncated
/// values.
///
/// ```
/// use forall::property::{Binding, Printed};
/// use forall::report::{Style, let_lines};
///
/// let xs = Binding { name: "xs", type_text: Some("Vec<i32>"), printed: Printed::code(&vec![1, 0]) };
/// let e = Binding { name: "e", type_text: None, printed: Printed::debug(&"no code") };
/// let lines = let_lines(&[xs, e], &Style::plain(), "");
/// assert_eq!(lines, "let xs: Vec<i32> = vec![1, 0];\n// e = \"no code\"   (Debug output; derive `Arbitrary` to print it as Rust code)\n");
/// ```
#[inline]
#[doc(hidden)]
pub fn let_lines(bindings: &[Binding], style: &Style, whole: &str) -> String {
    let (mut out, mut why) = (String::new(), WHY);
    for binding in bindings {
        out += &let_line(binding, style, whole, &mut why);
    }
    out
}

/// Why a value is a comment: in full at the first one, then briefly.
const BRIEFLY: &str = "(Debug output)";
const WHY: &str = "(Debug output; derive `Arbitrary` to print it as Rust code)";

fn let_line(binding: &Binding, style: &Style, whole: &str, why: &mut &'static str) -> String {
    if binding.printed.in_body {
        return drawn_line(binding, style, whole);
    }
    let head = head(binding);
    match (&binding.printed.code, &binding.printed.debug) {
        (Some(code), _) => statement(&head, &visible_code(&shown(code, Language::Code, style)), style, whole),
        (None, Some(debug)) => {
            let debug = shown(debug, Language::Debug, style);
            comment(&format!("{} =", binding.name), &debug, style, whole, std::mem::replace(why, BRIEFLY))
        }
        (None, None) => format!("// {}: {}\n", binding.name, one_line(binding.printed.type_name)),
    }
}

/// A value that the body drew; it replaces the draw when pasted: `let draw_1: u8 = 7;`, or `// draw 1 = Point` without
/// code.
fn drawn_line(binding: &Binding, style: &Style, whole: &str) -> String {
    if let Some((head, code)) = drawn::code(binding) {
        return statement(&head, &visible_code(&shown(&code, Language::Code, style)), style, whole);
    }
    let Some(debug) = &binding.printed.debug else { return String::new() };
    let (name, debug) = (visible(binding.name), visible(&shown(debug, Language::Debug, style)));
    let short = format!("// {name} = {debug}");
    if !within::contains(&debug, "\n") && columns(&short) <= style.width {
        return format!("{short}\n");
    }
    let lines = layout(&debug, Language::Debug, style.width - 3, columns(&name) + 3, 0);
    commented(&format!("{name} = {}", joined(&lines, "\n")), style, debug.chars().count(), whole)
}

/// The text of a value for the report: runs of equal elements are counted, and the paths of standard collections are
/// omitted, since the type annotation has them.
pub(super) fn shown(text: &str, language: Language, style: &Style) -> String {
    if style.verbose { within::replaced(text, "std::collections::", "") } else { testing::shown(text, language) }
}

/// `let xs: Vec<i32> =`
fn head(binding: &Binding) -> String {
    let written = binding.type_text.and_then(types::written);
    match written.or_else(|| types::annotation(binding.printed.type_name)) {
        Some(annotation) => format!("let {}: {annotation} =", binding.name),
        None => format!("let {} =", binding.name),
    }
}

fn statement(head: &str, code: &str, style: &Style, whole: &str) -> String {
    let length = code.chars().count();
    if length > MAX_LAID_OUT && !style.verbose {
        return commented(&format!("{head} {}", start(code)), style, length, whole);
    }
    let lines = layout(code, Language::Code, style.width, columns(head) + 1, 1);
    if length > MAX_CHARACTERS && !style.verbose {
        return commented(&format!("{head} {}", joined(&lines, "\n")), style, length, whole);
    }
    format!("{head} {};\n", joined(&lines, "\n"))
}

fn comment(head: &str, debug: &str, style: &Style, whole: &str, why: &str) -> String {
    let debug = visible(debug);
    let length = debug.chars().count();
    let why = if columns(head) + columns(why) + 6 > style.width { BRIEFLY } else { why };
    if length > MAX_CHARACTERS && !style.verbose {
        return commented(&format!("{head}   {why}\n{}", start(&debug)), style, length, whole);
    }
    let short = format!("// {head} {debug}   {why}");
    if !within::contains(&debug, "\n") && columns(&short) <= style.width {
        return format!("{short}\n");
    }
    let lines = layout(&debug, Language::Debug, style.width - 3, 0, 0);
    commented(&format!("{head}   {why}\n{}", joined(&lines, "\n")), &style.verbose(true), length, whole)
}

/// The text as comment lines, truncated if it is too long.
fn commented(text: &str, style: &Style, length: usize, whole: &str) -> String {
    let mut out = String::new();
    let mut left = if style.verbose { usize::MAX } else { MAX_CHARACTERS };
    let mut lines = if style.verbose { usize::MAX } else { MAX_LINES };
    for line in text.lines() {
        for piece in &pieces(line, style.width - 3) {
            let size = piece.chars().count();
            lines -= 1;
            if size > left || lines == 0 {
                out.push_str(&format!("// … ({} in all{whole})\n", count(length as u64, "character")));
                return out;
            }
            left -= size;
            out.push_str(format!("// {piece}").trim_end());
            out.push('\n');
        }
    }
    out
}

/// A prefix that is longer than the report shows.
fn start(text: &str) -> &str {
    beginning(text, MAX_CHARACTERS + 1)
}

/// Splits a line into pieces of at most `width` columns.
fn pieces(line: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for c in line.chars() {
        let piece = pieces.last_mut().expect("there is always a piece");
        used += crate::text::columns_of(c);
        if used > width && !piece.is_empty() {
            used = crate::text::columns_of(c);
            pieces.push(String::from(c));
        } else {
            piece.push(c);
        }
    }
    pieces
}

/// The `#[example(…)]` attribute for the input, if its code compiles there and is short enough.
pub(crate) fn example(bindings: &[Binding], property: &str) -> Option<String> {
    let mut codes = Vec::new();
    for binding in bindings {
        if outside_of(binding, property).is_some() {
            return None;
        }
        codes.push(visible_code(binding.printed.code.as_deref()?));
    }
    let codes = joined(&codes, ", ");
    let fits = !bindings.is_empty() && !within::contains(&codes, "\n") && codes.len() <= MAX_EXAMPLE;
    if fits { Some(format!("#[example({codes})]")) } else { None }
}

/// The module outside of which the code does not compile because it names private fields, if the property is outside
/// it.
fn outside_of(binding: &Binding, property: &str) -> Option<&'static str> {
    let is_inside = |module: &str| matches!(property.strip_prefix(module), Some(rest) if rest.starts_with("::"));
    binding.printed.private_to.iter().find(|module| !is_inside(module)).copied()
}

/// The indented block of code, with the claims about each variable after its line.
pub(crate) fn block(bindings: &[Binding], claims: &[Claim], property: &str, style: &Style, whole: &str) -> String {
    let narrower = Style { width: style.width - INDENT.len(), ..*style };
    let (mut out, mut why) = (String::new(), WHY);
    for (variable, binding) in bindings.iter().enumerate() {
        // If the code has its own line breaks, white space may be part of a literal.
        let fixed = matches!(binding.printed.code.as_deref(), Some(code) if within::contains(code, "\n"));
        let text = let_line(binding, &narrower, whole, &mut why);
        let mut said = Vec::new();
        for claim in claims {
            if let Claim::Any(any) = claim
                && any.variable == variable
            {
                said.push(one_line(&Claim::Any(shortened(any)).to_string()));
            }
        }
        for (i, line) in text.lines().enumerate() {
            let paint = if line.starts_with("//") { Paint::Dim } else { Paint::Bold };
            let indent = if fixed && i > 0 { "" } else { INDENT };
            out.push_str(&format!("{indent}{}", style.paint(paint, line)));
            let one = text.lines().count() == 1 && said.len() == 1 && !line.starts_with("//");
            if one && columns(line) + columns(&said[0]) + BEHIND.len() <= narrower.width {
                out.push_str(&style.paint(Paint::Dim, &format!("{BEHIND}{}", said.remove(0))));
            }
            out.push('\n');
        }
        for claim in &said {
            out.push_str(&remark(claim, style));
        }
        if let Some(module) = outside_of(binding, property) {
            out.push_str(&remark(&format!("has private fields: compiles only inside `{module}`"), style));
        }
    }
    for claim in claims {
        if let Claim::Related(_) = claim {
            out.push_str(&remark(&within::replaced(&claim.to_string(), "std::collections::", ""), style));
        }
    }
    out
}

const INDENT: &str = "    ";

/// Between code and a claim.
const BEHIND: &str = " // ";

/// The claim with a shortened pattern.
fn shortened(any: &Any) -> Any {
    let mut any = any.clone();
    if let Open::Pattern(pattern) = &mut any.open {
        *pattern = fewer_items(&within::replaced(pattern, "std::collections::", ""));
    }
    any
}

/// A pattern without the items that do not fit, and with their number. Items are not truncated.
fn fewer_items(pattern: &str) -> String {
    let pattern = counted(pattern, Language::Debug);
    let marks = if columns(&pattern) > MAX_PATTERN { marks(&pattern).unwrap_or_default() } else { Vec::new() };
    // The outermost brackets, and the commas between their items.
    let (mut depth, mut open, mut commas) = (0, None, Vec::new());
    for &at in &marks {
        match pattern.as_bytes()[at] {
            b'(' | b'[' | b'{' => {
                depth += 1;
                open = open.or(Some(at));
            }
            b')' | b']' | b'}' => depth -= 1,
            _ if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    let (Some(open), Some(close)) = (open, marks.last()) else { return pattern };
    let mut kept = 0;
    while kept < commas.len() && commas[kept] <= MAX_PATTERN - LEFT_OUT.min(MAX_PATTERN) {
        kept += 1;
    }
    let end = if kept > 0 { commas[kept - 1] + 1 } else { open + 1 };
    let space = if kept > 0 { " " } else { "" };
    format!("{}{space}… {} more{}", &pattern[..end], commas.len() + 1 - kept, &pattern[*close..])
}

/// Columns for the number of omitted items, and the text after them.
const LEFT_OUT: usize = 12;

/// A remark on the code, as comment lines.
fn remark(text: &str, style: &Style) -> String {
    let mut out = String::new();
    for line in style.wrap(&format!("{INDENT}// "), text).lines() {
        // All lines but the first are indented by the width of the prefix.
        let text = line.get(INDENT.len() + 3..).unwrap_or_default();
        out.push_str(&format!("{INDENT}{}\n", style.paint(Paint::Dim, &format!("// {text}"))));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::Printed;

    fn binding(code: Option<&str>, debug: Option<&str>) -> Binding {
        let (code, debug) = (code.map(Into::into), debug.map(Into::into));
        let printed =
            Printed { code, debug, type_name: "krate::Secret", private_to: vec!["krate::secrets"], in_body: false };
        Binding { name: "x", type_text: None, printed }
    }

    fn lines(code: Option<&str>, debug: Option<&str>) -> String {
        let_lines(&[binding(code, debug)], &Style::plain().width(60), "; all of it is in a file")
    }

    #[test]
    fn each_form_of_a_value_is_printed_as_expected() {
        assert_eq!(lines(Some("Secret(1)"), Some("Secret(1)")), "let x: Secret = Secret(1);\n");
        let why = "(Debug output; derive `Arbitrary` to print it as Rust code)";
        assert_eq!(lines(None, Some("Secret(1)")), "// x = Secret(1)   (Debug output)\n", "there is too little room");
        let wide = let_lines(&[binding(None, Some("Secret(1)"))], &Style::plain(), "");
        assert_eq!(wide, format!("// x = Secret(1)   {why}\n"));
        assert_eq!(lines(None, None), "// x: krate::Secret\n");
    }

    #[test]
    fn nothing_breaks_out_of_a_comment() {
        for hostile in ["a\nlet evil = 1;", "a\r\nb", "\x1b[2Jgone", "\u{2028}x\u{85}", "\n\n\n"] {
            let text = lines(None, Some(hostile));
            assert!(text.lines().all(|line| line.starts_with("//")), "{text}");
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        }
    }

    #[test]
    fn long_debug_text_stays_in_its_comment_and_in_its_columns() {
        let text = lines(None, Some(&format!("Secret({})", "1, ".repeat(400))));
        assert!(text.lines().all(|line| line.starts_with("// ") && columns(line) <= 60), "{text}");
        let text = lines(None, Some(&"x".repeat(300)));
        assert!(text.lines().all(|line| line.starts_with("// ") && columns(line) <= 60), "{text}");
    }

    #[test]
    fn an_overlong_value_is_truncated_with_a_comment_that_names_its_file() {
        let code = format!("vec![{}]", "100, 101, ".repeat(1_000));
        let text = lines(Some(&code), None);
        assert!(text.lines().all(|line| line.starts_with("//")), "{text}");
        assert!(text.ends_with("// … (10,006 characters in all; all of it is in a file)\n"), "{text}");
        assert!(text.len() < 8_000);
        for text in [lines(Some(&"(1)".repeat(1_000_000)), None), lines(None, Some(&"(1)".repeat(1_000_000)))] {
            assert!(text.ends_with("// … (3,000,000 characters in all; all of it is in a file)\n"), "{text}");
            assert!(text.len() < 8_000);
        }
        let whole = let_lines(&[binding(Some(&code), None)], &Style::plain().verbose(true), "");
        assert!(whole.starts_with("let x: Secret = vec![\n") && whole.ends_with("];\n"));
    }

    #[test]
    fn patterns_lose_whole_items_and_state_how_many() {
        for short in ["_", "vec![_, 1, ..]", "User { name: _, age: 18 }"] {
            assert_eq!(fewer_items(short), short);
        }
        let items = |separator: &str, count: usize| {
            (0..count).map(|number| format!("({number}, {})", 1_000 + number)).collect::<Vec<_>>().join(separator)
        };
        let shortened = fewer_items(&format!("vec![{}]", items(", ", 50)));
        let (kept, left_out) = shortened.split_once(" … ").unwrap();
        let count = kept.matches('(').count();
        assert!(columns(&shortened) <= MAX_PATTERN && count > 5, "{shortened}");
        assert_eq!(kept, format!("vec![{},", items(", ", count)), "the commas inside an item do not divide it");
        assert_eq!(left_out, format!("{} more]", 50 - count));
    }

    #[test]
    fn a_pattern_whose_first_item_is_too_long_has_only_their_number() {
        let long: String = (1_000..1_050).map(|number| number.to_string()).collect();
        assert_eq!(fewer_items(&format!("vec![\"{long}\", 1, 2]")), "vec![… 3 more]");
        assert_eq!(fewer_items(&format!("Some(\"{long}\")")), "Some(… 1 more)");
        // Without brackets there are no items.
        assert_eq!(fewer_items(&long), long);
    }

    #[test]
    fn examples_are_offered_when_all_variables_have_code() {
        let example = |bindings: &[Binding]| example(bindings, "krate::secrets::tests::p");
        assert_eq!(example(&[binding(Some("1"), None), binding(Some("2"), None)]).unwrap(), "#[example(1, 2)]");
        assert_eq!(example(&[binding(Some("1"), None), binding(None, None)]), None);
        assert_eq!(example(&[]), None);
    }

    #[test]
    fn no_example_is_suggested_for_private_fields_outside_their_module() {
        let bindings = [binding(Some("Secret(1)"), None)];
        let block = |property| block(&bindings, &[], property, &Style::plain(), "");
        for inside in ["krate::secrets::p", "krate::secrets::tests::p"] {
            assert_eq!(block(inside), "    let x: Secret = Secret(1);\n");
        }
        for outside in ["krate::p", "krate::secrets_of_others::p", "tests::p", "by name"] {
            let expected =
                "    let x: Secret = Secret(1);\n    // has private fields: compiles only inside `krate::secrets`\n";
            assert_eq!(block(outside), expected);
            assert_eq!(example(&bindings, outside), None);
        }
    }

    #[test]
    fn a_summary_is_one_short_line() {
        let text = crate::testing::summary(
            &[binding(Some("vec![1]"), None), binding(None, Some("a\nb")), binding(None, None)],
            60,
        );
        assert_eq!(text, "x = vec![1], x = a\\nb, x = _");
        assert_eq!(columns(&crate::testing::summary(&[binding(Some(&"1".repeat(1000)), None)], 40)), 40);
    }
}
