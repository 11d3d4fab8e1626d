//! Arithmetic: rounding, division, order and notation of numbers, and the ends of their ranges.

crate::tasks! {
    "arithmetic";
    bitset_full_block(bits: Vec<bool>);
    byte_size_unit(bytes: u64);
    decimal_round_sign(digits: i32, scale: u8);
    gcd_minimum(a: i64, b: i64);
    grouped_negative(number: i64);
    median_even(values: Vec<i32>);
    midpoint_negative(a: i32, b: i32);
    mod_floor_minimum(dividend: i32, divisor: i32);
    modpow_negative_base(base: i32, exponent: u8, modulus: u16);
    ratio_same_numerator(a: (i16, u8), b: (i16, u8));
    remainder_small_dividend(dividend: u64, divisor: u64);
}
