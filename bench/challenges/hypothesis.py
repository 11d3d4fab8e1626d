"""Hypothesis on the shrinking challenges: a runner like the others, `hypothesis.py <challenge> <seeds> <seconds>`.

The properties, ideals and lines are those of the package `common`; integers have 32 bits there, and so they have here.
What is evaluated from the first failure on includes the last run, which reports the result.
"""

import os
import sys
import threading
import time

# Python looks for modules beside the script first, where this very file would be found.
sys.path.pop(0)
from hypothesis import HealthCheck, Phase, Verbosity, assume, given, seed, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

TESTS = 10_000_000


def integers(bits=32):
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def total(numbers):
    """The sum of 16-bit numbers, which overflows."""
    return (sum(numbers) + 2**15) % 2**16 - 2**15


def calculate(calc):
    match calc:
        case ("add", a, b):
            return calculate(a) + calculate(b)
        case ("div", a, b):
            a, b = calculate(a), calculate(b)
            return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        case n:
            return n


def divides_by_literal_zero(calc):
    match calc:
        case ("div", _, 0):
            return True
        case (_, a, b):
            return divides_by_literal_zero(a) or divides_by_literal_zero(b)
    return False


def calculates(calc):
    assume(not divides_by_literal_zero(calc))
    try:
        calculate(calc)
    except ZeroDivisionError:
        return False
    return True


@st.composite
def heaps(draw, least=0, depth=5):
    if depth == 0 or not draw(st.booleans()):
        return None
    top = draw(st.integers(least, 2**31 - 1))
    return (top, draw(heaps(top, depth - 1)), draw(heaps(top, depth - 1)))


def merged(a, b):
    if a is None or b is None:
        return a or b
    (top, left, right), high = (a, b) if a[0] <= b[0] else (b, a)
    return (top, merged(right, high), left)


def listed(heap):
    return [] if heap is None else [heap[0], *listed(heap[1]), *listed(heap[2])]


def heap_is_listed_in_order(heap):
    if heap is None:
        return True
    wrong = [heap[0], *listed(merged(heap[1], heap[2]))]
    return wrong == sorted(wrong)


def no_coupling(xs):
    assume(all(x < len(xs) for x in xs))
    return all(i == x or xs[x] != i for i, x in enumerate(xs))


def at_most_one_chunk(octets):
    found, at = 0, 0
    while at < len(octets) and at + octets[at] < len(octets):
        found += octets[at] > 0
        at += 1 + octets[at]
    return found < 2


def sums_below_ten(text):
    numbers = text.split("+")
    return not all(numbers) or sum(map(int, numbers)) < 10 or sum(map(int, numbers)) >= 2**64


@st.composite
def trees(draw, low=0, high=100):
    if low == high or not draw(st.booleans()):
        return None
    key = draw(st.integers(low, high - 1))
    return (key, draw(trees(low, key)), draw(trees(key + 1, high)))


def height(tree):
    return 0 if tree is None else 1 + max(height(tree[1]), height(tree[2]))


def no_cycle(graph):
    assume(all(to < len(graph) for successors in graph for to in successors))
    reach = [set(successors) for successors in graph]
    for _ in graph:
        for reached in reach:
            reached |= {further for to in reached for further in graph[to]}
    nodes = range(len(graph))
    return not any(a != b and b in reach[a] and a in reach[b] for a in nodes for b in nodes)


def never_pops_a_hundred(commands):
    stack = []
    for command in commands:
        match command:
            case ("pop",):
                if stack and stack.pop() >= 100:
                    return False
            case ("clear",):
                stack.clear()
            case ("push", n):
                stack.append(n)
            case ("swap", a, b) if max(a, b) < len(stack):
                stack[a], stack[b] = stack[b], stack[a]
    return True


def may_be_cut(text_and_limit):
    text, limit = text_and_limit
    octets = text.encode("utf-8", "surrogatepass")
    return limit >= len(octets) or octets[limit] & 0xC0 != 0x80


def arrays(json):
    return 1 + sum(map(arrays, json)) if isinstance(json, list) else 0


def rows(n, m, numbers):
    return st.lists(st.lists(numbers, min_size=m, max_size=m), min_size=n, max_size=n)


def is_two_lists_of_one(lists):
    return sorted(xs for xs in lists if xs) == [[-32768], [-1]]


def five_small_numbers(lists):
    return len(lists) == 1 and sorted(lists[0]) in ([-2, -1, 0, 1, 2], [0, 1, 2, 3, 4])


def four_numbers_with_a_one(heap):
    return sorted(listed(heap)) == [0, 0, 0, 1]


pairs = st.tuples(st.integers(1, 999), st.integers(1, 999))
lists = st.lists(integers())
nested = st.lists(lists)
thousands = st.integers(-1000, 1000)
hundreds = st.integers(0, 99)
floats = st.floats(-1e300, 1e300)
six_hundreds = st.integers(0, 600)
calcs = st.recursive(
    integers(),
    lambda part: st.tuples(st.just("add"), part, part) | st.tuples(st.just("div"), part, part),
)
commands = st.one_of(
    st.just(("pop",)),
    st.just(("clear",)),
    st.tuples(st.just("push"), integers()),
    st.tuples(st.just("swap"), st.integers(0, 255), st.integers(0, 255)),
)
jsons = st.recursive(st.none() | st.booleans() | integers() | st.text(), st.lists)

def is_less_reversed(lists):
    return len(lists) > 3 and [xs[::-1] for xs in lists] > lists


def is_longish(xs):
    return len(xs) >= 2 and any(xs)


def removes_target(steps):
    adds = lambda step: 2 <= step[0] <= 4 and step[1] != step[2]  # noqa: E731
    return any(adds(add) and any(s[0] == 5 and s[1] == add[2] for s in steps[at + 1 :]) for at, add in enumerate(steps))


def step(draw, weighted):
    """A step of a graph. Adding a weighted edge draws its weight."""
    a, b, kind = draw(st.integers(0, 9)), draw(st.integers(0, 9)), draw(st.integers(0, 8))
    if weighted and 2 <= kind <= 4:
        draw(st.integers(0, 50))
    return kind, a, b


@st.composite
def counted_steps(draw, weighted):
    return [step(draw, weighted) for _ in range(draw(st.integers(0, 30)))]


@st.composite
def steps_until(draw):
    steps = []
    while len(steps) < 30 and draw(st.integers(0, 7)) > 0:
        steps.append(step(draw, False))
    return steps


def is_edge_and_removal(steps):
    return steps in ([(2, 0, 1), (5, 1, 0)], [(2, 1, 0), (5, 0, 0)])


words = st.integers(0, 2**32 - 1)
to_thousand = st.integers(0, 1000)

# Those in the manner of its own quality tests, and some that draw in loops: values, which fail, whether one is ideal.
QUALITY = {
    "from_a_least": (st.integers(101, 2**63 - 1), lambda n: True, lambda n: n == 101),
    "bounded": (st.integers(-10, 10), lambda n: n != 0, lambda n: n == 1),
    "bounded_below_zero": (st.integers(-10, 10), lambda n: n < -2, lambda n: n == -3),
    "long_string": (st.text(), lambda s: len(s) >= 10, lambda s: s in ("0" * 10, "a" * 10)),
    "three_of_a_character": (st.text(), lambda s: s.count("x") >= 3, lambda s: s == "xxx"),
    "ten_strings": (st.lists(st.text()), lambda v: len(v) >= 10, lambda v: v == [""] * 10),
    "mixed_list": (st.lists(integers() | st.text()), lambda v: len(v) >= 5, lambda v: v in ([0] * 5, [""] * 5)),
    "set_of_three": (st.sets(integers()), lambda s: len(s) >= 3, lambda s: s in ({-1, 0, 1}, {0, 1, 2})),
    "set_of_tuples": (st.sets(st.tuples(integers())), lambda s: len(s) >= 2, lambda s: s == {(0,), (1,)}),
    "sets_of_sets": (
        st.sets(st.frozensets(st.integers(1, 100))),
        lambda s: len(s) >= 4,
        lambda s: len(s) == 4 and sum(map(len, s)) <= 4 and all(n <= 3 for inner in s for n in inner),
    ),
    "wide_gap": (st.lists(words), lambda v: bool(v) and max(v) > min(v) + 10, lambda v: sorted(v) == [0, 11]),
    "less": (st.tuples(integers(), integers()), lambda v: v[0] < v[1], lambda v: v == (0, 1)),
    "list_of_sets": (st.lists(st.sets(st.booleans())), lambda v: sum(map(bool, v)) >= 3, lambda v: v == [{False}] * 3),
    "list_of_lists": (st.lists(st.lists(integers())), lambda v: sum(map(bool, v)) >= 3, lambda v: v == [[0]] * 3),
    "list_of_tuples": (
        st.lists(st.tuples(integers(), integers())),
        lambda v: len(v) >= 2,
        lambda v: v == [(0, 0), (0, 0)],
    ),
    "one_key": (st.dictionaries(integers(), st.text()), bool, lambda m: m == {0: ""}),
    "two_keys": (
        st.dictionaries(st.booleans(), st.booleans()),
        lambda m: len(m) == 2,
        lambda m: not any(m.values()),
    ),
    "contained": (
        st.tuples(integers(), st.lists(integers())),
        lambda v: v[0] >= 10 and v[0] in v[1],
        lambda v: v == (10, [10]),
    ),
    "contained_twice": (
        st.tuples(st.lists(integers()), integers()),
        lambda v: v[1] >= 10 and v[0].count(v[1]) > 1,
        lambda v: v == ([10, 10], 10),
    ),
    "sorted_sum": (
        st.lists(to_thousand),
        lambda v: len(v) >= 3 and sum(v) >= 10,
        lambda v: sorted(v) == [0, 0, 10],
    ),
    "long_list": (st.lists(st.booleans(), min_size=50), lambda v: len(v) >= 70, lambda v: v == [False] * 70),
    "longish_lists": (
        st.lists(st.lists(st.booleans())),
        lambda v: sum(map(is_longish, v)) >= 5,
        lambda v: len(v) == 5 and all(len(xs) == 2 and sum(xs) == 1 for xs in v),
    ),
    "not_unique": (st.lists(integers()), lambda v: len(set(v)) < len(v), lambda v: v == [0, 0]),
    "one_large_set": (
        st.lists(st.sets(integers())),
        lambda v: len(set().union(*v)) >= 6,
        lambda v: v in ([{-2, -1, 0, 1, 2, 3}], [{0, 1, 2, 3, 4, 5}]),
    ),
    "near_the_top": (st.lists(integers(), min_size=5, max_size=7), lambda v: len(v) == 7, lambda v: v == [0] * 7),
    "sum_of_pair": (st.tuples(to_thousand, to_thousand), lambda v: sum(v) > 1000, lambda v: v == (1, 1000)),
    "separated_sum": (
        st.tuples(to_thousand, st.text(), st.booleans(), to_thousand),
        lambda v: v[0] + v[3] > 1000,
        lambda v: v == (1, "", False, 1000),
    ),
    "slipped": (st.integers(101, 200) | st.integers(0, 100), lambda n: n > 100, lambda n: n == 101),
    "gap_kept": (st.tuples(integers(), integers()), lambda v: v[0] + 100 == v[1], lambda v: v == (0, 100)),
    "equal_and_large": (
        st.tuples(words, words),
        lambda v: v[0] == v[1] >= 1000,
        lambda v: v == (1000, 1000),
    ),
    "zig_zag": (st.tuples(words, words), lambda v: v[0] >= 1000 and v[0] + 1 == v[1], lambda v: v == (1000, 1001)),
    "poisoned_list": (st.lists(st.none() | hundreds), lambda v: None in v, lambda v: v == [None]),
    "reversed_lists": (
        st.lists(st.lists(st.booleans())),
        is_less_reversed,
        lambda v: v == [[], [], [], [False, True]],
    ),
    "length_then_elements": (
        st.integers(0, 20).flatmap(lambda n: st.lists(st.integers(0, 5), min_size=n, max_size=n)),
        lambda v: len(v) >= 4 and any(v),
        lambda v: len(v) == 4 and sum(v) == 1,
    ),
    "edges_loop": (counted_steps(False), removes_target, is_edge_and_removal),
    "weights_loop": (counted_steps(True), removes_target, is_edge_and_removal),
    "until": (steps_until(), removes_target, is_edge_and_removal),
}


def negated(fails):
    return lambda value: not fails(value)


# Name: values, whether the property holds, whether a counterexample is ideal.
CHALLENGES = {
    "bound5": (
        st.tuples(*[st.lists(integers(16)).filter(lambda xs: total(xs) < 256)] * 5),
        lambda five: total(map(total, five)) < 5 * 256,
        is_two_lists_of_one,
    ),
    "large_union": (nested, lambda xss: len({x for xs in xss for x in xs}) <= 4, five_small_numbers),
    "reverse": (lists, lambda xs: xs[::-1] == xs, lambda xs: xs == [0, 1]),
    "calculator": (
        calcs,
        calculates,
        lambda calc: calc in [("div", 0, divisor) for divisor in [("add", 0, 0), ("div", 0, 1), ("div", 0, -1)]],
    ),
    "lengthlist": (
        st.integers(1, 100).flatmap(lambda n: st.lists(st.integers(0, 999), min_size=n, max_size=n)),
        lambda xs: max(xs) < 900,
        lambda xs: xs == [900],
    ),
    "difference0": (pairs, lambda ab: ab[0] < 10 or ab[0] != ab[1], lambda ab: ab == (10, 10)),
    "difference_small": (pairs, lambda ab: ab[0] < 10 or not 1 <= abs(ab[0] - ab[1]) <= 4, lambda ab: ab == (10, 6)),
    "difference1": (pairs, lambda ab: ab[0] < 10 or abs(ab[0] - ab[1]) != 1, lambda ab: ab == (10, 9)),
    "binheap": (heaps(), heap_is_listed_in_order, four_numbers_with_a_one),
    "coupling": (st.lists(st.integers(0, 10)), no_coupling, lambda xs: xs == [1, 0]),
    "deletion": (
        st.tuples(st.lists(thousands), thousands),
        lambda xs_x: xs_x[0].count(xs_x[1]) < 2,
        lambda xs_x: xs_x == ([0, 0], 0),
    ),
    "distinct": (lists, lambda xs: len(set(xs)) < 3, lambda xs: xs in ([0, 1, -1], [0, 1, 2])),
    "nested": (nested, lambda xss: sum(map(len, xss)) <= 10, lambda xss: xss == [[0] * 11]),
    "nested_binds": (
        st.integers(0, 9).flatmap(lambda n: st.integers(0, 9).flatmap(lambda m: rows(n, m, st.integers(0, 999)))),
        lambda matrix: sum(map(sum, matrix)) < 1500,
        lambda matrix: matrix in ([[501, 999]], [[999, 501]], [[501], [999]], [[999], [501]]),
    ),
    "matrix": (
        st.integers(1, 10).flatmap(lambda n: rows(n, n, hundreds)),
        lambda matrix: all(row[i] < 50 for i, row in enumerate(matrix)),
        lambda matrix: matrix == [[50]],
    ),
    "dot_product": (
        st.integers(1, 30).flatmap(lambda n: st.tuples(*[st.lists(hundreds, min_size=n, max_size=n)] * 2)),
        lambda pair: sum(x * y for x, y in zip(*pair)) < 5000,
        lambda pair: pair in (([51], [99]), ([99], [51])),
    ),
    "collision": (
        st.tuples(*[st.integers(0, 2**32 - 1)] * 2),
        lambda ab: ab[0] == ab[1] or ab[0] % 16 != ab[1] % 16,
        lambda ab: ab in ((0, 16), (16, 0)),
    ),
    "cancellation": (
        st.tuples(floats, floats),
        lambda ab: (ab[0] + ab[1]) - ab[0] == ab[1],
        lambda ab: sorted(ab) == [1.0, 2.0**53],
    ),
    "fraction": (st.floats(), lambda x: x != x or abs(x) == float("inf") or x % 1 == 0, lambda x: x == 0.5),
    "chunks": (st.lists(st.integers(0, 20)), at_most_one_chunk, lambda octets: octets == [1, 0, 1, 0]),
    "parses": (st.text(st.sampled_from("0123456789+")), sums_below_ten, lambda text: text == "10"),
    "search_tree": (
        trees(),
        lambda tree: height(tree) < 3,
        lambda tree: sorted(listed(tree)) == [0, 1, 2] and height(tree) == 3,
    ),
    "graph": (
        st.lists(st.lists(st.integers(0, 7), max_size=2), max_size=7),
        no_cycle,
        lambda graph: graph == [[1], [0]],
    ),
    "commands": (st.lists(commands), never_pops_a_hundred, lambda commands: commands == [("push", 100), ("pop",)]),
    "cut_text": (st.tuples(st.text(), st.integers(0, 19)), may_be_cut, lambda cut: cut in (("\x80", 1), ("¡", 1), ("À", 1))),
    "set": (st.sets(hundreds), lambda numbers: sum(numbers) < 100, lambda numbers: numbers == {1, 99}),
    "permutation": (
        st.permutations(range(8)),
        lambda order: order[0] < 5,
        lambda order: order in ([5, 1, 2, 3, 4, 0, 6, 7], [5, 0, 1, 2, 3, 4, 6, 7]),
    ),
    "three_sum": (
        st.tuples(six_hundreds, six_hundreds, six_hundreds),
        lambda three: sum(three) <= 1000,
        lambda three: sorted(three) == [0, 401, 600],
    ),
    "json": (jsons, lambda json: arrays(json) <= 2, lambda json: json in ([[], []], [[[]]])),
} | {name: (values, negated(fails), is_ideal) for name, (values, fails, is_ideal) in QUALITY.items()}


def shrink(name, number):
    """Finds a failure under a seed and shrinks it: the failing value, the evaluations and the CPU time since the first."""
    values, holds, _ = CHALLENGES[name]
    first, evaluations, last = None, 0, None

    @settings(
        max_examples=TESTS,
        database=None,
        deadline=None,
        derandomize=False,
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @seed(number)
    @given(values)
    def test(value):
        nonlocal first, evaluations, last
        evaluations += first is not None
        if not holds(value):
            last = value
            if first is None:
                first = time.process_time()
            raise AssertionError("it does not hold")

    try:
        test()
    except AssertionError:
        return last, evaluations, time.process_time() - first
    return None


def watch(seconds):
    """A run that does not end at all is cut off: the lines of those before it are out."""
    while time.process_time() < 2 * seconds:
        time.sleep(0.1)
    os._exit(0)


def main():
    if len(sys.argv) != 4:
        sys.exit(f"usage: hypothesis.py {'|'.join(CHALLENGES)} <seeds> <seconds>")
    name, seeds, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if name not in CHALLENGES:
        print("cannot", "nobody has written it for this tool yet", sep="\t")
        return
    threading.Thread(target=watch, args=[seconds], daemon=True).start()
    for number in range(seeds):
        if time.process_time() > seconds:
            break
        if shrunk := shrink(name, number):
            value, evaluations, cpu = shrunk
            ideal = int(CHALLENGES[name][2](value))
            print("shrunk", ideal, evaluations, 0, int(cpu * 1e9), ascii(value), sep="\t", flush=True)


main()
