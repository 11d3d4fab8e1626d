//! The other.
fn main() {}

#[cfg(test)]
mod tests {

    #[forall::test]
    fn same(_n: u16) {}
}
