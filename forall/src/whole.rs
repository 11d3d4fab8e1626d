//! Parsing integers, with little code to compile: the standard library has a function for each type.

/// The number of these decimal digits, if it fits.
pub(crate) fn whole<T: TryFrom<u64>>(digits: &str) -> Option<T> {
    T::try_from(digits.parse::<u64>().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_or_are_none() {
        assert_eq!(whole("255"), Some(255u8));
        assert_eq!(whole::<u8>("256"), None);
        assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
        assert_eq!(whole("7"), Some(7i32));
        for wrong in ["", "-1", "1.5", "0x1", " 1", "18446744073709551616"] {
            assert_eq!(whole::<u64>(wrong), None, "{wrong}");
        }
    }
}
