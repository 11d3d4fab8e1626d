#!/usr/bin/env python3
"""A system in Python under test: run-length encoding, and properties of it.

    forall futhark test --server runs.py

The properties are entry points. All that is said between tester and server is lines of words; values are in files, in Futhark's
binary format: 'b', version 2, the number of dimensions, four letters for the type, the dimensions, and the bytes.
"""

import shlex
import struct
import sys


# What is tested. A run of more than 255 does not fit into its count.
def encode(data):
    runs = []
    for byte in data:
        if runs and runs[-1][1] == byte:
            runs[-1][0] = (runs[-1][0] + 1) % 256
        else:
            runs.append([1, byte])
    return [number for run in runs for number in run]


def decode(runs):
    return [byte for count, byte in zip(runs[::2], runs[1::2]) for _ in range(count)]


# Entry points: the types of inputs and output, attributes, and the function.
ENTRY_POINTS = {
    "decodes_what_it_encodes": (["[]u8"], "bool", ["prop(gen(runs), size(300))"], lambda data: decode(encode(data)) == data),
    "is_never_much_longer": (["[]u8"], "bool", ["prop"], lambda data: len(encode(data)) <= 2 * len(data)),
    "runs": (["i64", "u64"], "[]u8", [], lambda size, seed: [seed % 2] * size),
}

TYPES = ["i64", "u64", "u8", "bool", "[]u8"]
FORMS = {"i64": (" i64", "<q"), "u64": (" u64", "<Q"), "u8": ("  u8", "<B"), "bool": ("bool", "<?")}

variables = {}


class Refused(Exception):
    """The server says no, and goes on."""


class Fatal(Exception):
    """The server ends."""


def read(file, of):
    element = of.removeprefix("[]")
    tag, form = FORMS[element]
    rank = 1 if of != element else 0
    if file.read(7) != b"b\x02" + bytes([rank]) + tag.encode():
        raise Fatal(f"binary-input: this is no {of}")
    if rank == 0:
        return struct.unpack(form, file.read(struct.calcsize(form)))[0]
    return list(file.read(struct.unpack("<q", file.read(8))[0]))


def written(of, value):
    element = of.removeprefix("[]")
    tag, form = FORMS[element]
    if of == element:
        return b"b\x02\x00" + tag.encode() + struct.pack(form, value)
    return b"b\x02\x01" + tag.encode() + struct.pack("<q", len(value)) + bytes(value)


def entry_point(name):
    if name not in ENTRY_POINTS:
        raise Refused(f"Unknown entry point: {name}")
    return ENTRY_POINTS[name]


def variable(name):
    if name not in variables:
        raise Refused(f"Unknown variable: {name}")
    return variables[name]


def make(name, of, value):
    if name in variables:
        raise Refused(f"Variable already exists: {name}")
    variables[name] = (of, value)


def known(of):
    if of not in TYPES:
        raise Fatal(f"Unknown type {of}")
    return of


def call(name, output, *names):
    inputs, gives, _, function = entry_point(name)
    values = []
    for wanted, given in zip(inputs, names):
        of, value = variable(given)
        if of != wanted:
            raise Refused(f"Wrong input type.  Expected {wanted}, got {of}.")
        values.append(value)
    make(output, gives, function(*values))
    return ["runtime: 0"]


def restore(path, *pairs):
    with open(path, "rb") as file:
        for name, of in zip(pairs[::2], pairs[1::2]):
            make(name, known(of), read(file, of))
    return []


def store(path, *names):
    with open(path, "wb") as file:
        for name in names:
            file.write(written(*variable(name)))
    return []


def free(*names):
    for name in names:
        variable(name)
        del variables[name]
    return []


COMMANDS = {
    "types": lambda: TYPES,
    "entry_points": lambda: sorted(ENTRY_POINTS),
    "inputs": lambda name: entry_point(name)[0],
    "output": lambda name: [entry_point(name)[1]],
    "attributes": lambda name: entry_point(name)[2],
    "kind": lambda of: ["array" if known(of).startswith("[]") else "primitive"],
    "rank": lambda of: [str(known(of).count("[]"))],
    "elemtype": lambda of: [known(of).removeprefix("[]")],
    "call": call,
    "restore": restore,
    "store": store,
    "free": free,
}


def main():
    print("%%% OK", flush=True)
    for line in sys.stdin:
        words = shlex.split(line)
        try:
            if not words:
                raise Refused("Empty line")
            if words[0] not in COMMANDS:
                raise Fatal(f"Unknown command: {words[0]}")
            for said in COMMANDS[words[0]](*words[1:]):
                print(said)
        except Refused as why:
            print("%%% FAILURE", why, sep="\n")
        except OSError as why:
            print("%%% FAILURE", f"Failed to open {why.filename}: {why.strerror}", sep="\n")
        except Fatal as why:
            sys.exit(f"runs.py: {why}")
        print("%%% OK", flush=True)


if __name__ == "__main__":
    main()
