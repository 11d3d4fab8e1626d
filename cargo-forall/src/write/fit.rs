//! Whether a value of one type can go where another is taken, as far as their names show it.

use super::signature::parts;

/// What a source says of a type: its last name and what it is made of, without references and boxes.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    name: String,
    parts: Vec<Shape>,
}

/// Types of the standard library that are no other, and turn into no other.
const STANDARD: &str = " u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char String PathBuf OsString Vec VecDeque \
                        LinkedList BinaryHeap HashMap BTreeMap HashSet BTreeSet Option Result Duration ";

/// Whether these types are surely different. `is_own` says of a name that it is a type of the workspace and stands for no other.
pub fn differ(one: &str, other: &str, is_own: &dyn Fn(&str) -> bool) -> bool {
    shapes_differ(&Shape::read(one), &Shape::read(other), is_own)
}

/// What is in an `Option` or a `Result`, with the name of what holds it.
pub fn held(result: &str) -> Option<(&'static str, &str)> {
    let open = result.find('<')?;
    let holder = match last_segment(&result[..open]) {
        "Option" => "Some",
        "Result" => "Ok",
        _ => return None,
    };
    parts(result[open + 1..].strip_suffix('>')?).first().map(|first| (holder, first.trim()))
}

fn shapes_differ(one: &Shape, other: &Shape, is_own: &dyn Fn(&str) -> bool) -> bool {
    let is_known = |shape: &Shape| {
        let name = &shape.name;
        name.starts_with('(') || STANDARD.contains(&format!(" {name} ")) || is_own(name)
    };
    if one.name != other.name {
        return is_known(one) && is_known(other);
    }
    one.parts.iter().zip(&other.parts).any(|(one, other)| shapes_differ(one, other, is_own))
}

impl Shape {
    fn read(text: &str) -> Self {
        let text = text.trim();
        if let Some(borrowed) = text.strip_prefix('&') {
            let borrowed = borrowed.trim_start();
            let is_named = borrowed.starts_with('\'');
            let borrowed = if is_named { borrowed.split_once(' ').map_or("", |(_, rest)| rest) } else { borrowed };
            return Self::read(borrowed.trim_start().trim_start_matches("mut "));
        }
        // An array is a slice where it is borrowed.
        if let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            let element = inside.rsplit_once(';').map_or(inside, |(element, _)| element);
            return Self { name: "Vec".to_owned(), parts: vec![Self::read(element)] };
        }
        if let Some(inside) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            let parts: Vec<Self> = parts(inside).into_iter().map(Self::read).collect();
            return Self { name: format!("({})", parts.len()), parts };
        }
        let (path, inside) = match text.split_once('<') {
            Some((path, inside)) => (path, inside.strip_suffix('>').unwrap_or(inside)),
            None => (text, ""),
        };
        let types = parts(inside).into_iter().filter(|part| !part.trim().starts_with('\''));
        let mut parts: Vec<Self> = types.map(Self::read).collect();
        let name = match last_segment(path) {
            "Box" | "Rc" | "Arc" | "Cow" if parts.len() == 1 => return parts.remove(0),
            "str" => "String",
            "Path" => "PathBuf",
            "OsStr" => "OsString",
            name => name,
        };
        Self { name: name.to_owned(), parts }
    }
}

fn last_segment(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_differ_where_their_names_show_it() {
        let is_own = |name: &str| name == "Tree" || name == "Token";
        let differ = |one, other| differ(one, other, &is_own);
        for (one, other) in [
            ("&str", "Vec<u8>"),
            ("Result<u32, String>", "u32"),
            ("Vec<u8>", "Vec<u16>"),
            ("(u8, u8)", "(u8, u8, u8)"),
            ("Tree", "&Token"),
            ("Option<Tree>", "Tree"),
        ] {
            assert!(differ(one, other) && differ(other, one), "{one} and {other}");
        }
        for (one, other) in [
            ("&'a str", "String"),
            ("Cow<'a, str>", "&str"),
            ("&mut [u8]", "Vec<u8>"),
            ("[u8; 4]", "&[u8]"),
            ("std::collections::BTreeMap<u8, Tree>", "&BTreeMap<u8, Tree>"),
            // It may stand for any other.
            ("Alias", "u8"),
            ("io::Result<u8>", "Result<u8, Error>"),
        ] {
            assert!(!differ(one, other) && !differ(other, one), "{one} and {other}");
        }
    }

    #[test]
    fn what_may_be_missing_is_looked_into() {
        assert_eq!(held("Option<Vec<u8>>"), Some(("Some", "Vec<u8>")));
        assert_eq!(held("io::Result<(u8, u8)>"), Some(("Ok", "(u8, u8)")));
        assert_eq!(held("Vec<Option<u8>>"), None);
    }
}
