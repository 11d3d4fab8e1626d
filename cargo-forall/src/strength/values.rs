//! Values that can replace the result of a function, by its return type.

use syn::{GenericArgument, PathArguments, ReturnType, Type};

/// Returns the values as Rust code. `()` means an immediate return.
pub fn of(signature: &syn::Signature) -> Vec<String> {
    let generic: Vec<String> = signature.generics.type_params().map(|parameter| parameter.ident.to_string()).collect();
    match &signature.output {
        ReturnType::Default => vec!["()".to_owned()],
        ReturnType::Type(_, of) => of_type(of, &generic),
    }
}

/// Returns whether the function returns an integer.
pub fn is_integer(output: &ReturnType) -> bool {
    match output {
        ReturnType::Type(_, of) => name(of).is_some_and(|(name, _)| INTEGERS.contains(&&*name)),
        ReturnType::Default => false,
    }
}

const INTEGERS: &[&str] = &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// Returns the last segment of a path, and its type arguments.
fn name(of: &Type) -> Option<(String, Vec<Type>)> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last()?;
    let arguments = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(inner) => Some(inner.clone()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    Some((last.ident.to_string(), arguments))
}

fn of_type(of: &Type, generic: &[String]) -> Vec<String> {
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<String>>();
    let within = |before: &str, inner: Option<&Type>| {
        let values = inner.map_or_else(|| texts(&["Default::default()"]), |inner| of_type(inner, generic));
        values.into_iter().map(|value| format!("{before}({value})")).collect::<Vec<_>>()
    };
    match of {
        Type::Tuple(tuple) if tuple.elems.is_empty() => texts(&["()"]),
        Type::Tuple(tuple) => {
            let first: Option<Vec<String>> =
                tuple.elems.iter().map(|inner| of_type(inner, generic).into_iter().next()).collect();
            first.map(|parts| format!("({},)", parts.join(", "))).into_iter().collect()
        }
        Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => texts(&["\"\"", "\"xyzzy\""]),
            Type::Slice(_) => texts(&["&[]"]),
            _ => Vec::new(),
        },
        Type::Paren(paren) => of_type(&paren.elem, generic),
        Type::Path(_) => {
            let Some((name, arguments)) = name(of) else { return Vec::new() };
            match &*name {
                "bool" => texts(&["true", "false"]),
                "f32" | "f64" => texts(&["0.0", "1.0"]),
                integer if INTEGERS.contains(&integer) => texts(&["0", "1"]),
                "String" => texts(&["String::new()", "\"xyzzy\".into()"]),
                "Option" => {
                    let mut values = texts(&["None"]);
                    values.extend(within("Some", arguments.first()).into_iter().take(2));
                    values
                }
                "Result" => within("Ok", arguments.first()),
                "Vec" => {
                    let mut values = texts(&["Vec::new()"]);
                    let inner = arguments.first().map_or_else(Vec::new, |inner| of_type(inner, generic));
                    values.extend(inner.first().map(|value| format!("[{value}].into()")));
                    values
                }
                "Box" | "Rc" | "Arc" => within(&format!("{name}::new"), arguments.first()),
                "Ordering" => ["Less", "Equal", "Greater"].map(|kind| format!("::core::cmp::Ordering::{kind}")).into(),
                other if generic.iter().any(|parameter| parameter == other) => Vec::new(),
                _ => texts(&["Default::default()"]),
            }
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn values_fit_the_type() {
        let of = |output: &str| {
            let item: syn::ItemFn = syn::parse_str(&format!("fn f<T>(){output} {{ todo!() }}")).unwrap();
            super::of(&item.sig).join(" | ")
        };
        assert_eq!(of(""), "()");
        assert_eq!(of("-> Result<(), Error>"), "Ok(())");
        assert_eq!(of("-> fmt::Result"), "Ok(Default::default())");
        assert_eq!(of("-> Option<Vec<u8>>"), "None | Some(Vec::new()) | Some([0].into())");
        assert_eq!(of("-> (bool, &str)"), "(true, \"\",)");
        assert_eq!(of("-> Self"), "Default::default()");
        assert_eq!(of("-> T") + &of("-> impl Iterator<Item = u8>") + &of("-> &mut u8") + &of("-> !"), "");
    }
}
