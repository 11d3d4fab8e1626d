//! A declared twin cannot fill private fields by their names: it needs a function after `=>`.
#![allow(unused)]

mod elsewhere {
    pub struct Account {
        balance: u64,
    }
}

forall::twin! {
    struct AccountTwin for elsewhere::Account { balance: u64 }
}

fn main() {}
