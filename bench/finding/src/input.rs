//! Declarations of types that every tool can generate.

/// Declares a struct with named fields or an enum, with a generator for each tool: its derive macro if there is one.
/// For quickcheck, which has none, it writes the usual code: all variants equally likely, each field by its type.
///
/// ```
/// finding::input! {
///     pub enum Command { Pop, Push(u8), Swap(u8, u8) }
/// }
/// finding::input! {
///     pub struct Point { pub x: i32, pub y: i32 }
/// }
/// ```
#[macro_export]
macro_rules! input {
    ($(#[$meta:meta])* pub struct $name:ident { $(pub $field:ident: $type:ty),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[derive($crate::private::forall::Arbitrary)]
        #[derive($crate::private::proptest_derive::Arbitrary)]
        #[derive($crate::private::hegel::DefaultGenerator)]
        pub struct $name { $(pub $field: $type),+ }

        impl $crate::private::quickcheck::Arbitrary for $name {
            fn arbitrary(g: &mut $crate::private::quickcheck::Gen) -> Self {
                Self { $($field: $crate::private::quickcheck::Arbitrary::arbitrary(g)),+ }
            }
        }
    };
    ($(#[$meta:meta])* pub enum $name:ident { $($variant:ident $(($($type:ty),+))?),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[derive($crate::private::forall::Arbitrary)]
        #[derive($crate::private::proptest_derive::Arbitrary)]
        #[derive($crate::private::hegel::DefaultGenerator)]
        pub enum $name { $($variant $(($($type),+))?),+ }

        impl $crate::private::quickcheck::Arbitrary for $name {
            fn arbitrary(g: &mut $crate::private::quickcheck::Gen) -> Self {
                type Variant = fn(&mut $crate::private::quickcheck::Gen) -> $name;
                let variants: &[Variant] = &[$(|_g| {
                    $name::$variant $(($(<$type as $crate::private::quickcheck::Arbitrary>::arbitrary(_g)),+))?
                }),+];
                g.choose(variants).expect("an enum has variants")(g)
            }
        }
    };
}
