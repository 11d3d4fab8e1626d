//! The methods of a type, read from its source: what a model of it must have, too.

use super::signature::Function;
use crate::Error;

/// A method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name, its parameters without `self`, and what it returns.
    pub function: Function,
    /// Whether it takes `&mut self`.
    pub changes: bool,
}

/// What a source has of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Methods {
    /// The methods that a command can call.
    pub usable: Vec<Method>,
    /// The names of others, and why no command can.
    pub others: Vec<(String, &'static str)>,
    /// Whether there is a `new` without parameters.
    pub has_new: bool,
    /// Whether it is `Default`.
    pub has_default: bool,
    /// The signatures of other functions that make one.
    pub makers: Vec<String>,
}

impl Methods {
    /// Those of the type of this name in a source, in all of its `impl`s; none if it has none.
    pub fn find(source: &str, name: &str) -> Result<Option<Self>, Error> {
        let mut methods = Self::default();
        let mut found = false;
        for (at, _) in source.match_indices("impl") {
            let line = source[..at].rsplit('\n').next().unwrap_or_default();
            if !line.trim().is_empty() && !line.trim().ends_with("unsafe") {
                continue;
            }
            let Some(open) = source[at..].find('{').map(|open| at + open) else { continue };
            let head = source[at + "impl".len()..open].trim();
            if head.starts_with('<') && head.contains(&format!(" {name}<")) && !head.contains(" for ") {
                return Err(format!(
                    "{name} is generic; write a type with the methods that are to be tested, around {name} with types of your choice"
                ));
            }
            if head != name {
                continue;
            }
            found = true;
            for signature in signatures(&source[open + 1..]) {
                methods.add(&signature, name);
            }
        }
        Ok(found.then_some(methods))
    }

    fn add(&mut self, signature: &str, type_name: &str) {
        let Some(at) = signature.find("fn ").filter(|_| signature.trim_start().starts_with("pub")) else { return };
        let rest = &signature[at + "fn ".len()..];
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let rest = &rest[name.len()..];
        let Some(inside) = rest.strip_prefix('(') else { return self.others.push((name, "it is generic")) };
        let receiver = inside.split([',', ')']).next().unwrap_or_default().trim();
        let changes = match receiver {
            "&self" => false,
            "&mut self" => true,
            "self" | "mut self" => return self.others.push((name, "it takes `self` away")),
            _ => {
                let result = inside.rsplit("->").next().unwrap_or_default().trim();
                match receiver {
                    "" if name == "new" && ["Self", type_name].contains(&result) => self.has_new = true,
                    _ if result.contains("Self") || result.contains(type_name) => {
                        self.makers.push(format!("{name}{rest}"));
                    }
                    _ => {}
                }
                return;
            }
        };
        let plain = format!(
            "fn {name}({}",
            inside[inside.find("self").map_or(0, |at| at + "self".len())..].trim_start_matches(',')
        );
        let Ok(Some(function)) = Function::find(&plain, &name) else {
            return self.others.push((name, "a parameter is a pattern"));
        };
        if self.usable.iter().any(|method| method.function.name == name) {
            return self.others.push((name, "there is another of the name, above"));
        }
        let borrows = |text: &str| text.contains('&') || text.contains('\'') || text.contains("impl ");
        if function.parameters.iter().any(|parameter| borrows(&parameter.type_text)) {
            return self.others.push((name, "a parameter borrows"));
        }
        if function.result.as_deref().is_some_and(borrows) {
            return self.others.push((name, "what it returns borrows"));
        }
        self.usable.push(Method { function, changes });
    }
}

/// Whether a source makes the type of this name `Default`, by an `impl` or by `derive`.
pub fn is_default(source: &str, name: &str) -> bool {
    let is_whole =
        |at: usize, word: &str| !source[at + word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let implemented = format!("Default for {name}");
    if source.match_indices(&implemented).any(|(at, word)| is_whole(at, word)) {
        return true;
    }
    let declared = [format!("struct {name}"), format!("enum {name}")];
    let mut places = declared.iter().flat_map(|word| source.match_indices(word.as_str()));
    places.any(|(at, word)| {
        // The lines above it, up to what comes before.
        let ends = |line: &&str| line.is_empty() || line.ends_with(['}', ';']);
        let lines = source[..at].lines().rev().map(str::trim).filter(|line| !line.starts_with("//"));
        let above: Vec<&str> = lines.take_while(|line| !ends(line)).collect();
        let mut words = above.iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
        is_whole(at, word) && words.any(|word| word == "Default")
    })
}

/// What stands before the bodies of a block that begins behind its brace, up to its end.
fn signatures(block: &str) -> Vec<String> {
    let (mut signatures, mut current, mut depth) = (Vec::new(), String::new(), 0);
    let mut rest = block;
    while let Some(c) = rest.chars().next() {
        let skipped = beginning_without_code(rest);
        if skipped > 0 {
            rest = &rest[skipped..];
            continue;
        }
        match c {
            '{' if depth == 0 => signatures.push(std::mem::take(&mut current)),
            '}' if depth == 0 => break,
            ';' if depth == 0 => current.clear(),
            _ if depth == 0 => current.push(c),
            _ => {}
        }
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    // Attributes and what else stands before the word that counts.
    for signature in &mut signatures {
        let start = signature.find("pub").or(signature.find("fn ")).unwrap_or(0);
        *signature = signature[start..].split_whitespace().collect::<Vec<_>>().join(" ");
    }
    signatures
}

/// How long the comment, text or character is that a source begins with, in bytes; 0 if it begins with none.
pub fn beginning_without_code(source: &str) -> usize {
    let until = |start: usize, end: &str| source[start..].find(end).map_or(source.len(), |at| start + at + end.len());
    if source.starts_with("//") {
        return until(2, "\n");
    }
    if source.starts_with("/*") {
        return until(2, "*/");
    }
    if let Some(raw) = source.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            return until(hashes + 2, &format!("\"{}", "#".repeat(hashes)));
        }
    }
    if source.starts_with('"') {
        let mut escaped = false;
        for (at, c) in source.char_indices().skip(1) {
            match c {
                '"' if !escaped => return at + 1,
                _ => escaped = c == '\\' && !escaped,
            }
        }
        return source.len();
    }
    // A character, and no lifetime: its end is near.
    let mut chars = source.char_indices().skip(1);
    match (source.starts_with('\''), chars.next(), chars.next()) {
        (true, Some((_, '\\')), Some(_)) => chars.find(|(_, c)| *c == '\'').map_or(0, |(at, _)| at + 1),
        (true, Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_methods_that_commands_can_call_are_found() {
        let source = "\
            /// impl Stack { pub fn comment(&self) {} }\n\
            impl Stack {\n    pub fn new() -> Self { Self }\n    /// Doc: `{`.\n    #[inline]\n    pub fn push(&mut self, value: u8) -> bool { \
            let brace = '{'; let text = \"}\\\"}\"; true }\n    pub fn pop(&mut self) -> Option<u8> { None }\n    fn secret(&self) {}\n    \
            pub fn top(&self) -> Option<&u8> { None }\n    pub fn into_vec(self) -> Vec<u8> { vec![] }\n    pub fn map<F>(&self, f: F) {}\n}\n\
            impl std::fmt::Debug for Stack { fn fmt(&self) {} }\nimpl Stack {\n    pub fn len(&self) -> usize { 0 }\n}\n";
        let methods = Methods::find(source, "Stack").unwrap().unwrap();
        let names: Vec<(&str, bool)> =
            methods.usable.iter().map(|method| (method.function.name.as_str(), method.changes)).collect();
        assert_eq!(names, [("push", true), ("pop", true), ("len", false)]);
        assert_eq!(methods.usable[0].function.parameters[0].type_text, "u8");
        let others: Vec<&str> = methods.others.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(others, ["top", "into_vec", "map"]);
        assert!(methods.has_new && methods.makers.is_empty());
        let made =
            "impl Ring {\n    pub fn new(cap: usize) -> Self { todo!() }\n    pub fn len(&self) -> usize { 0 }\n}\n";
        let methods = Methods::find(made, "Ring").unwrap().unwrap();
        assert_eq!((methods.has_new, &*methods.makers), (false, &["new(cap: usize) -> Self".to_owned()][..]));
        assert_eq!(Methods::find(source, "Queue"), Ok(None));
        let generic = Methods::find("impl<T> Stack<T> {\n pub fn push(&mut self, t: T) {}\n}", "Stack").unwrap_err();
        let told = "Stack is generic; write a type with the methods that are to be tested, around Stack with types of your choice";
        assert_eq!(generic, told);
    }

    #[test]
    fn what_is_left_out_is_told() {
        let source = "impl Ring {\n    pub fn swap(&mut self, (a, b): (u8, u8)) {}\n    #[cfg(unix)]\n    pub fn sync(&mut self) -> u8 { 1 }\n    \
                      #[cfg(not(unix))]\n    pub fn sync(&mut self) -> u8 { 2 }\n}\n";
        let methods = Methods::find(source, "Ring").unwrap().unwrap();
        let others = [
            ("swap".to_owned(), "a parameter is a pattern"),
            ("sync".to_owned(), "there is another of the name, above"),
        ];
        assert_eq!((methods.usable.len(), &methods.others[..]), (1, &others[..]));
        let written = crate::write::model::model("Ring", &methods).unwrap();
        assert!(written.contains("// Not `swap`: a parameter is a pattern. Write a method around it.\n"), "{written}");
    }

    #[test]
    fn default_is_seen_in_the_source() {
        assert!(is_default("#[derive(Debug,\n    Default)]\n/// Doc; doc.\npub struct Ring {", "Ring"));
        assert!(is_default("impl std::default::Default for Ring {", "Ring"));
        assert!(!is_default("#[derive(Default)]\nstruct Other;\npub struct Ring;\nimpl Default for Ringer {", "Ring"));
    }
}
