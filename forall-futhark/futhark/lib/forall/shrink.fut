-- | Shrinkers: what makes a counterexample smaller.
--
-- A shrinker is a function of a counterexample and a random number, and gives something smaller, or the same. Those here are put together
-- to a shrinker of your own, which is an entry point:
--
--     import "lib/forall/shrink"
--
--     entry smaller (p: (i32, []i64)) (random: u64) : (i32, []i64) = 
--       if random % 2 == 0 then (smaller_i32 p.0 (random / 2), p.1) else (p.0, array smaller_i64 p.1 (random / 2))

-- | What makes something smaller.
type^ shrinker 't = t -> u64 -> t

local def scramble (seed: u64) : u64 =
  let z = seed + 0x9e3779b97f4a7c15
  let z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
  let z = (z ^ (z >> 27)) * 0x94d049bb133111eb
  in z ^ (z >> 31)

local def below (bound: i64) (random: u64) : i64 =
  if bound <= 0 then 0 else i64.u64 (scramble random % u64.i64 bound)

-- | Changes nothing.
def nothing 't : shrinker t = \x _ -> x

-- | Nearer to zero: zero itself, half the way, a quarter of it, and so on to the neighbour; and without its sign.
def smaller_i64 : shrinker i64 =
  \x random -> let magnitude = if x < 0 then u64.i64 (-x) else u64.i64 x
               let bits = u64.i32 (64 - u64.clz magnitude)
               let way = random % (bits + 2)
               in if way > bits then (if x < 0 then i64.u64 magnitude else x)
                  else if way == bits then x
                  else x - i64.sgn x * i64.u64 (magnitude >> way)

-- | Nearer to zero.
def smaller_i32 : shrinker i32 = \x random -> i32.i64 (smaller_i64 (i64.i32 x) random)

-- | Nearer to zero.
def smaller_u8 : shrinker u8 = \x random -> u8.i64 (smaller_i64 (i64.u8 x) random)

-- | False.
def smaller_bool : shrinker bool = \_ _ -> false

-- | Nearer to zero, and with fewer digits behind the point.
def smaller_f64 : shrinker f64 =
  \x random -> match random % 3
               case 0 -> 0
               case 1 -> f64.trunc x
               case _ -> x / 2

-- | Nearer to a number, but not beyond it: for what must not be below a bound.
def towards (least: i64) : shrinker i64 = \x random -> least + smaller_i64 (x - least) random

-- | Only what a condition holds of; else as it was.
def only 't (holds: t -> bool) (s: shrinker t) : shrinker t =
  \x random -> let y = s x random in if holds y then y else x

-- | By one of two shrinkers.
def either 't (s: shrinker t) (r: shrinker t) : shrinker t =
  \x random -> if random & 1 == 0 then s x (random >> 1) else r x (random >> 1)

-- | One part of two.
def pair 'a 'b (s: shrinker a) (r: shrinker b) : shrinker (a, b) =
  \(x, y) random -> if random & 1 == 0 then (s x (random >> 1), y) else (x, r y (random >> 1))

-- | One part of three.
def triple 'a 'b 'c (s: shrinker a) (r: shrinker b) (q: shrinker c) : shrinker (a, b, c) =
  \(x, y, z) random -> match below 3 random
                       case 0 -> (s x (scramble random), y, z)
                       case 1 -> (x, r y (scramble random), z)
                       case _ -> (x, y, q z (scramble random))

-- | Something else that values of one kind are made of: `to` takes them apart, `from` puts them together.
def via 'a 'b (to: a -> b) (from: b -> a) (s: shrinker b) : shrinker a = \x random -> from (s (to x) random)

-- | An element less cleverly chosen: as long as it was, one element smaller.
def element [n] 't (s: shrinker t) (xs: [n]t) (random: u64) : [n]t =
  let at = below n random
  in map2 (\i x -> if i == at then s x (scramble (random + 1)) else x) (iota n) xs

-- | A part of an array is left out: all, a half, a quarter, and so on to one element.
def shorter [n] 't (xs: [n]t) (random: u64) : ?[m].[m]t =
  let piece = i64.max 1 (n >> below 7 random)
  let from = below (n - piece + 1) (scramble (random + 1))
  in if n == 0 then take n xs else take from xs ++ drop (i64.min n (from + piece)) xs

-- | Shorter, or one element smaller.
def array [n] 't (s: shrinker t) (xs: [n]t) (random: u64) : ?[m].[m]t =
  if random & 1 == 0 then shorter xs (random >> 1) else element s xs (random >> 1)

-- | With a status, for shrinkers of type `t -> u64 -> (t, i8)`: so many tactics, each a shrinker of its own number; one that
-- changes nothing makes room for the next, and after the last it stops.
def tactics 't (count: u64) (same: t -> t -> bool) (s: shrinker t) : t -> u64 -> (t, i8) =
  \x tactic -> if tactic >= count then (x, 2)
               else let y = s x tactic in (y, if same x y then 1 else 0)
