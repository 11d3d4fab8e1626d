"""The Futhark project's own Python libraries, as judges of our data formats and of our server.

    check.py data INPUT OUTPUT     reads values in the binary format, says what they are, and writes them again
    check.py server PROGRAM NAME   drives a server
"""

import sys

import futhark_data
import futhark_server
import numpy


def data(source, to):
    with open(source, "rb") as file:
        values = list(futhark_data.load(file))
    with open(to, "wb") as file:
        for value in values:
            futhark_data.dump(value, file, binary=True)
    for value in values:
        print(value.dtype, list(value.shape), [str(one) for one in numpy.ravel(value).tolist()][:3])


def server(program, name):
    with futhark_server.Server(program, name) as server:
        print(server.cmd_entry_points()[0], server.cmd_inputs("add_i32"), server.cmd_output("add_i32"))
        server.put_value("a", numpy.int32(40))
        server.put_value("b", numpy.int32(2))
        server.cmd_call("add_i32", "sum", "a", "b")
        print(server.get_value("sum"))
        for number in [numpy.float16(3), numpy.float32(3), numpy.float64(3)]:
            kind = str(number.dtype).replace("float", "f")
            server.put_value(kind, number)
            server.cmd_call("half_" + kind, "half_" + kind, kind)
            print(kind, server.get_value("half_" + kind))
        server.cmd_rename("sum", "total")
        try:
            server.cmd_free("sum")
        except futhark_server.Failure as failure:
            print(failure)
        server.cmd_free("total", "a", "b")
        server.cmd_clear()


if __name__ == "__main__":
    {"data": data, "server": server}[sys.argv[1]](*sys.argv[2:])
