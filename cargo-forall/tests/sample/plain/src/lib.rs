//! A package without properties.
