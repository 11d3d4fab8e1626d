-- Nothing says that a blank must follow the name of an entry point, or that an attribute is said once.
-- ==
-- property: f g q

#[prop] entry f(x: i32): bool = x == x
#[prop]
#[prop] entry g[n](xs: [n]i32): bool = length xs == n
#[prop]entry q: i32 -> bool = \x -> x == x
