-- A map of keys to values in an open table, and the laws of a map.
-- ==
-- property: members_are_found lookups_are_right absent_keys_are_absent not_member_is_not_member adjust_touches_present_keys

type~ candidate = ?[n][m].{keys: [n]i64, vals: [n]i32, queries: [m]i64}

-- A table with a slot for each key and as many again; linear probing, one insertion after the other.
def slots (n: i64) : i64 = 2 * n + 1
def hash (size: i64) (key: i64) : i64 = i64.u64 ((u64.i64 key * 0x9e3779b97f4a7c15) >> 33) % size

def insert_all [n] (keys: [n]i64) (vals: [n]i32) =
  let size = slots n
  in loop (used, ks, vs) = (replicate size false, replicate size 0i64, replicate size 0i32) for i < n do
     let at = loop at = hash size keys[i] while used[at] && ks[at] != keys[i] do (at + 1) % size
     in (copy used with [at] = true, copy ks with [at] = keys[i], copy vs with [at] = vals[i])

def find [s] (used: [s]bool) (ks: [s]i64) (key: i64) : i64 =
  let at = loop at = hash s key while used[at] && ks[at] != key do (at + 1) % s
  in if used[at] then at else -1

def has [s] (used: [s]bool) (ks: [s]i64) (key: i64) : bool = find used ks key >= 0

-- The value of the last of equal keys, which is the one that was inserted last.
def wanted [n] (keys: [n]i64) (vals: [n]i32) (key: i64) : i32 =
  (loop v = 0 for i < n do if keys[i] == key then vals[i] else v)

entry gen (size: i64) (seed: u64) : candidate =
  let random (i: i64) = (seed + u64.i64 i * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
  let keys = map (\i -> i64.u64 (random i >> 40) % 50) (iota size)
  let vals = map (\i -> i32.u64 (random i >> 20)) (iota size)
  let queries = map (\i -> i64.u64 (random (i + size) >> 40) % 60) (iota (size / 2))
  in {keys, vals, queries}

#[prop(gen(gen), size(25))]
entry members_are_found (c: candidate) : bool =
  let (used, ks, _) = insert_all c.keys c.vals
  in all (has used ks) c.keys

#[prop(gen(gen), size(25))]
entry lookups_are_right (c: candidate) : bool =
  let (used, ks, vs) = insert_all c.keys c.vals
  in all (\k -> vs[find used ks k] == wanted c.keys c.vals k) c.keys

#[prop(gen(gen), size(25))]
entry absent_keys_are_absent (c: candidate) : bool =
  let (used, ks, _) = insert_all c.keys c.vals
  in all (\q -> any (== q) c.keys || !(has used ks q)) c.queries

#[prop(gen(gen), size(25))]
entry not_member_is_not_member (c: candidate) : bool =
  let (used, ks, _) = insert_all c.keys c.vals
  in all (\q -> has used ks q == any (== q) c.keys) c.queries

#[prop(gen(gen), size(25))]
entry adjust_touches_present_keys (c: candidate) : bool =
  let (used, ks, vs) = insert_all c.keys c.vals
  let adjusted = loop vs for q in c.queries do
    let at = find used ks q in if at >= 0 then copy vs with [at] = vs[at] + 1 else vs
  in all (\i -> used[i] || adjusted[i] == vs[i]) (indices vs)
