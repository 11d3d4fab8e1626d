//! The packages that are built: for each tool one with a single property, one with none and one with forty.
//!
//! The forty are alike but not the same: a number in a range, any number, and a vector of numbers in a range.

use crate::process::{Scratch, bench_directory};
use std::fmt::Write;

/// How a tool is used.
pub struct Package {
    pub tool: &'static str,
    /// Takes more than a minute.
    pub slow: bool,
    /// The lines of `[dev-dependencies]`; `{forall}` stands for the path of the library.
    dependencies: &'static str,
    /// The test file with one property, and one derived type if the tool can.
    one: &'static str,
    /// The common code above the properties.
    prelude: &'static str,
    /// One of forty properties; `{i}` stands for its number.
    property: &'static str,
    /// One of ten derived types, for tools whose derive has more to it; `{i}` stands for its number, `{twin}` for the attribute of a twin.
    derived: &'static str,
}

/// The name of the package with forty properties.
pub const FORTY: &str = "forty";

/// The names of the packages with ten derived types, and with ten that have a lazy twin as well.
pub const DERIVES: &str = "derives";
pub const TWINS: &str = "twins";

impl Package {
    /// Whether its derive is measured by itself.
    pub fn has_derives(&self) -> bool {
        !self.derived.is_empty()
    }

    /// Writes a workspace of the three packages.
    pub fn write(&self, scratch: &Scratch) -> Result<(), String> {
        let library = bench_directory().with_file_name("forall");
        let dependencies = self.dependencies.replace("{forall}", &library.display().to_string());
        let mut forty = self.prelude.to_owned();
        for i in 0..40 {
            let _ = writeln!(forty, "{}", self.property.replace("{i}", &i.to_string()));
        }
        let ten = |twin: &str| {
            let mut types = self.prelude.to_owned();
            for i in 0..10 {
                types += &self.derived.replace("{i}", &i.to_string()).replace("{twin}", twin);
            }
            types
        };
        let (derives, twins) = (ten(""), ten("#[forall(twin)]"));
        scratch.write("Cargo.toml", "[workspace]\nmembers = [\"*\"]\nexclude = [\"target\"]\nresolver = \"3\"\n")?;
        for (name, tests) in
            [("one", self.one), ("none", self.prelude), (FORTY, &forty), (DERIVES, &derives), (TWINS, &twins)]
        {
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
                 [dev-dependencies]\n{dependencies}\n"
            );
            scratch.write(&format!("{name}/Cargo.toml"), &manifest)?;
            scratch.write(&format!("{name}/src/lib.rs"), "")?;
            scratch.write(&format!("{name}/tests/properties.rs"), &format!("#![allow(unused_imports)]\n{tests}"))?;
        }
        Ok(())
    }
}

const FORALL: Package = Package {
    tool: "forall",
    slow: false,
    dependencies: r#"forall = { path = "{forall}" }"#,
    one: r#"
#[derive(Debug, Clone, PartialEq, forall::Arbitrary)]
enum Shape {
    Point,
    Circle { radius: u32 },
    Rectangle(u32, u32),
}

#[forall::test]
fn clone_is_equal(shape: Shape) -> bool {
    shape.clone() == shape
}
"#,
    prelude: "use forall::generate::vec;\n",
    property: r#"
#[forall::test]
fn property_{i}(#[forall(0..1000 + {i})] a: u32, b: i64, #[forall(vec(0..100u16).len(0..20))] xs: Vec<u16>) -> bool {
    a < 1000 + {i} && b.wrapping_add({i}).wrapping_sub({i}) == b && xs.len() < 20
}
"#,
    derived: r#"
#[derive(Debug, Clone, PartialEq, forall::Arbitrary)]
{twin}
pub enum Tree{i} {
    Leaf,
    Value { key: i64, name: String },
    Node(Box<Tree{i}>, u8, Vec<Tree{i}>),
}
"#,
};

pub const PACKAGES: &[Package] = &[
    FORALL,
    Package {
        tool: "forall lean",
        dependencies: r#"forall = { path = "{forall}", default-features = false }"#,
        derived: "",
        ..FORALL
    },
    Package {
        tool: "quickcheck",
        slow: false,
        dependencies: r#"quickcheck = "1.1""#,
        one: r#"
use quickcheck::{Arbitrary, Gen, quickcheck};

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Point,
    Circle { radius: u32 },
    Rectangle(u32, u32),
}

impl Arbitrary for Shape {
    fn arbitrary(g: &mut Gen) -> Self {
        match u8::arbitrary(g) % 3 {
            0 => Shape::Point,
            1 => Shape::Circle { radius: u32::arbitrary(g) },
            _ => Shape::Rectangle(u32::arbitrary(g), u32::arbitrary(g)),
        }
    }
}

quickcheck! {
    fn clone_is_equal(shape: Shape) -> bool {
        shape.clone() == shape
    }
}
"#,
        prelude: "use quickcheck::quickcheck;\n",
        property: r#"
quickcheck! {
    fn property_{i}(a: u32, b: i64, xs: Vec<u16>) -> bool {
        a % (1000 + {i}) < 1000 + {i} && b.wrapping_add({i}).wrapping_sub({i}) == b && xs.len() < 200
    }
}
"#,
        derived: "",
    },
    Package {
        tool: "proptest",
        slow: false,
        dependencies: r#"proptest = "1.12""#,
        one: r#"
use proptest::prelude::*;

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Point,
    Circle { radius: u32 },
    Rectangle(u32, u32),
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Point),
        any::<u32>().prop_map(|radius| Shape::Circle { radius }),
        any::<(u32, u32)>().prop_map(|(width, height)| Shape::Rectangle(width, height)),
    ]
}

proptest! {
    #[test]
    fn clone_is_equal(shape in shape()) {
        prop_assert_eq!(shape.clone(), shape);
    }
}
"#,
        prelude: PROPTEST_PRELUDE,
        property: PROPTEST_PROPERTY,
        derived: "",
    },
    Package {
        tool: "proptest+derive",
        slow: false,
        dependencies: "proptest = \"1.12\"\nproptest-derive = \"0.9\"",
        one: r#"
use proptest::prelude::*;
use proptest_derive::Arbitrary;

#[derive(Debug, Clone, PartialEq, Arbitrary)]
enum Shape {
    Point,
    Circle { radius: u32 },
    Rectangle(u32, u32),
}

proptest! {
    #[test]
    fn clone_is_equal(shape: Shape) {
        prop_assert_eq!(shape.clone(), shape);
    }
}
"#,
        prelude: PROPTEST_PRELUDE,
        property: PROPTEST_PROPERTY,
        derived: "",
    },
    Package {
        tool: "hegeltest",
        slow: true,
        dependencies: r#"hegel = { package = "hegeltest", version = "0.51" }"#,
        one: r#"
use hegel::{DefaultGenerator, generators};

#[derive(Debug, Clone, PartialEq, DefaultGenerator)]
enum Shape {
    Point,
    Circle { radius: u32 },
    Rectangle(u32, u32),
}

#[hegel::test]
fn clone_is_equal(tc: hegel::TestCase) {
    let shape: Shape = tc.draw(generators::default::<Shape>());
    assert_eq!(shape.clone(), shape);
}
"#,
        prelude: "use hegel::generators::{self, Generator};\n",
        property: r#"
#[hegel::test]
fn property_{i}(tc: hegel::TestCase) {
    let a: u32 = tc.draw(generators::integers().max_value(999 + {i}));
    let b: i64 = tc.draw(generators::integers());
    let xs: Vec<u16> = tc.draw(generators::vecs(generators::integers().max_value(99)).max_size(19));
    assert!(a < 1000 + {i} && b.wrapping_add({i}).wrapping_sub({i}) == b && xs.len() < 20);
}
"#,
        derived: "",
    },
];

const PROPTEST_PRELUDE: &str = "use proptest::collection::vec;\nuse proptest::prelude::*;\n";
const PROPTEST_PROPERTY: &str = r#"
proptest! {
    #[test]
    fn property_{i}(a in 0u32..1000 + {i}, b: i64, xs in vec(0u16..100, 0..20)) {
        prop_assert!(a < 1000 + {i} && b.wrapping_add({i}).wrapping_sub({i}) == b && xs.len() < 20);
    }
}
"#;
