//! Properties and their values: macros, generators, distributions, and the choices that both are made of.

mod attributes;
mod corners;
mod derive;
mod distributions;
mod drawing;
mod extra;
mod float_ranges;
mod generators;
mod instances;
mod interpretations;
mod long_inputs;
mod property_macro;
mod regex;
mod sequences;
mod sources;
mod streams;
mod values;
