-- What the compiler warns of.
-- ==
-- input { 3i32 } output { 4i32 }
-- warning: opaque type
-- warning: nothing of the kind

entry takes_a_pair (p: (i32, i32)) : i32 = p.0
def main (x: i32) : i32 = x + 1
