//! A library and a program of one name, with a property of one name each.
#[cfg(test)]
mod tests {
    #[forall::test]
    fn same(_n: u8) {}
}
