-- | Generators: what makes candidates for properties.
--
-- A generator is a function of a size and a seed. Those here are put together to a generator of your own, which is an entry point:
--
--     import "lib/forall/generate"
--
--     entry few (size: i64) (seed: u64) : []i32 = array (i32_within 0 2) size seed

-- | What makes a value of a size and a seed.
type^ generator 't = i64 -> u64 -> t

-- | A number that looks random, from any other.
def scramble (seed: u64) : u64 =
  let z = seed + 0x9e3779b97f4a7c15
  let z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
  let z = (z ^ (z >> 27)) * 0x94d049bb133111eb
  in z ^ (z >> 31)

-- | A seed of one's own for each part of a value: parts do not depend on each other.
def split (seed: u64) (part: i64) : u64 = scramble (scramble seed + u64.i64 part * 0xd1342543de82ef95)

-- | A number from 0 up to, but without, the bound; 0 if the bound is none.
def below (bound: i64) (seed: u64) : i64 =
  if bound <= 0 then 0 else i64.u64 (scramble seed % u64.i64 bound)

-- | Always the same.
def constant 't (x: t) : generator t = \_ _ -> x

-- | Any number, of all sizes: small ones are frequent.
def any_i64 : generator i64 =
  \_ seed -> let bits = below 64 (split seed 0)
             let magnitude = i64.u64 (scramble (split seed 1) >> u64.i64 (63 - bits) >> 1)
             in if below 2 (split seed 2) == 0 then magnitude else -magnitude

-- | Any number, of all sizes.
def any_i32 : generator i32 = \size seed -> i32.i64 (any_i64 size seed >> below 33 (split seed 3))

-- | Any byte.
def any_u8 : generator u8 = \_ seed -> u8.u64 (scramble seed)

-- | True or false.
def any_bool : generator bool = \_ seed -> scramble seed & 1 == 1

-- | A number from `low` to `high`, both included.
def i64_within (low: i64) (high: i64) : generator i64 = \_ seed -> low + below (high - low + 1) seed

-- | A number from `low` to `high`, both included.
def i32_within (low: i32) (high: i32) : generator i32 =
  \_ seed -> low + i32.i64 (below (i64.i32 high - i64.i32 low + 1) seed)

-- | A number whose magnitude is at most the size.
def sized : generator i64 = \size seed -> below (2 * size + 1) seed - size

-- | A number from 0 up to, but without, 1.
def f64_unit : generator f64 = \_ seed -> f64.u64 (scramble seed >> 11) / 9007199254740992

-- | A number from `low` to `high`.
def f64_within (low: f64) (high: f64) : generator f64 =
  \size seed -> let x = f64_unit size seed in low * (1 - x) + high * x

-- | A number from `low` to `high`.
def f32_within (low: f32) (high: f32) : generator f32 =
  \size seed -> f32.f64 (f64_within (f64.f32 low) (f64.f32 high) size seed)

-- | What a function makes of what a generator makes.
def mapped 'a 'b (f: a -> b) (g: generator a) : generator b = \size seed -> f (g size seed)

-- | A generator that depends on what another one made.
def bound 'a 'b (g: generator a) (f: a -> generator b) : generator b =
  \size seed -> f (g size (split seed 0)) size (split seed 1)

-- | Two values.
def pair 'a 'b (g: generator a) (h: generator b) : generator (a, b) =
  \size seed -> (g size (split seed 0), h size (split seed 1))

-- | Three values.
def triple 'a 'b 'c (f: generator a) (g: generator b) (h: generator c) : generator (a, b, c) =
  \size seed -> (f size (split seed 0), g size (split seed 1), h size (split seed 2))

-- | One of two generators, the first one in so many of a hundred.
def either 't (percent: i64) (g: generator t) (h: generator t) : generator t =
  \size seed -> if below 100 (split seed 0) < percent then g size (split seed 1) else h size (split seed 2)

-- | One of these values.
def one_of [n] 't (xs: [n]t) : generator t = \_ seed -> xs[below n seed]

-- | A generator at another size.
def resized 't (to: i64 -> i64) (g: generator t) : generator t = \size seed -> g (to size) seed

-- | An array of this length.
def array_of 't (length: i64) (g: generator t) (size: i64) (seed: u64) : [length]t =
  tabulate length (\i -> g size (split seed i))

-- | An array of any length up to the size.
def array 't (g: generator t) (size: i64) (seed: u64) : ?[n].[n]t =
  array_of (below (size + 1) (split seed (-1))) g size seed

-- | An array of at least one element, up to the size.
def nonempty 't (g: generator t) (size: i64) (seed: u64) : ?[n].[n]t =
  array_of (1 + below size (split seed (-1))) g size seed

-- | An array of so many rows and columns.
def matrix_of 't (rows: i64) (columns: i64) (g: generator t) (size: i64) (seed: u64) : [rows][columns]t =
  tabulate rows (\i -> array_of columns g size (split seed i))

-- | An array whose elements stand in order; `leq` says of two whether they do.
def sorted 't (g: generator t) (leq: t -> t -> bool) (size: i64) (seed: u64) : ?[n].[n]t =
  let xs = array g size seed
  in loop xs for i < length xs do
     -- One round of exchanges of neighbours, of even and of odd places in turn.
     let first = i % 2
     in tabulate (length xs) (\j ->
          let is_left = (j - first) % 2 == 0
          let other = if is_left then j + 1 else j - 1
          in if j < first || other < 0 || other >= length xs then xs[j]
             else if is_left then (if leq xs[j] xs[other] then xs[j] else xs[other])
             else (if leq xs[other] xs[j] then xs[j] else xs[other]))

-- | The numbers below the bound in any order.
def permutation (bound: i64) (seed: u64) : [bound]i64 =
  loop xs = iota bound for i < bound do
    let j = i + below (bound - i) (split seed i)
    let (x, y) = (xs[i], xs[j])
    in copy xs with [i] = y with [j] = x

-- | These elements in any order.
def shuffled [n] 't (xs: [n]t) (seed: u64) : [n]t = map (\i -> xs[i]) (permutation n seed)
