-- Properties whose counterexamples are to be at least as small as those of futhark test, and one that few candidates fail.
-- ==
-- property: matrix_trace trace tup wander

def trace_of [n] (m: [n][n]i32) : i32 = i32.sum (map (\i -> m[i, i]) (iota n))

-- Numbers below 100, so that a matrix of one row passes.
entry gen_matrix (size: i64) (seed: u64) : [][]i32 =
  tabulate_2d size size (\i j -> i32.u64 (((seed + u64.i64 (i * 7919 + j * 31)) * 6364136223846793005) >> 40) % 100)
#[prop(gen(gen_matrix))]
entry matrix_trace [n][m] (a: [n][m]i32) : bool = if n == m then trace_of (a :> [n][n]i32) < 100 else true
#[prop]
entry trace [n] (a: [n][n]i32) : bool = trace_of a < 100

entry gen_tup (size: i64) (seed: u64) : (i8, bool) = (i8.u64 seed, seed % u64.i64 size == 0)
entry shrink_tup (t: (i8, bool)) (r: u64) : (i8, bool) = (t.0 / i8.u64 (1 + r % 3), t.1)
#[prop(gen(gen_tup), shrink(shrink_tup), size(9))]
entry tup (t: (i8, bool)) : bool = t.0 > -7

#[prop]
entry wander (x: i16) : bool = x < 24000
