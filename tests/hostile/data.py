"""CSV, JSON and notebooks."""

import json
from random import Random

from tests.hostile.kinds import kind, words


@kind("csv", 5_000, 250_000)
def csv_one_row(chance: Random, size: int) -> bytes:
    return b",".join(b"v%d" % chance.randrange(1000) for _ in range(size))


@kind("csv", 3_000, 40_000)
def csv_long_head(chance: Random, size: int) -> bytes:
    head = ",".join(f"column {place}" for place in range(size // 4))
    return (head + "\n" + "1,2,3\n" * size).encode()


@kind("csv", 30, 600)
def csv_wide(chance: Random, size: int) -> bytes:
    return b"\n".join(b",".join(b"%d" % chance.randrange(100) for _ in range(500)) for _ in range(size))


@kind("csv", 5_000, 80_000)
def csv_open_quote(chance: Random, size: int) -> bytes:
    return b'a,b\n"c,d\n' + b"1,2\n" * size


@kind("csv", 20_000, 200_000)
def csv_quotes(chance: Random, size: int) -> bytes:
    return b"a,b\n" + b'"' * size


@kind("csv", 50_000, 800_000)
def csv_empty_cells(chance: Random, size: int) -> bytes:
    return b"a" + b"," * size + b"b\n1,2"


@kind("csv", 10_000, 120_000)
def csv_one_cell(chance: Random, size: int) -> bytes:
    return b'name,text\n1,"' + words(chance, size).encode() + b'"\n'


@kind("tsv", 5_000, 80_000)
def csv_short_rows(chance: Random, size: int) -> bytes:
    return b"".join(b"%d\t%d\n" % (place, chance.randrange(9)) for place in range(size))


@kind("json", 20_000, 200_000)
def json_deep_lists(chance: Random, size: int) -> bytes:
    return b"[" * size + b"1" + b"]" * size


@kind("json", 5_000, 80_000)
def json_deep_objects(chance: Random, size: int) -> bytes:
    return b'{"a":' * size + b"1" + b"}" * size


@kind("json", 10_000, 200_000)
def json_one_line(chance: Random, size: int) -> bytes:
    return b"[" + b",".join(b"%d" % chance.randrange(10) for _ in range(size)) + b"]"


@kind("json", 5_000, 80_000)
def json_escapes(chance: Random, size: int) -> bytes:
    return b'["' + b"\\u00e9" * size + b'"]'


@kind("json", 2_000, 40_000)
def json_wide_in_deep(chance: Random, size: int) -> bytes:
    return b"[" * 60 + b",".join([b"1"] * size) + b"]" * 60


@kind("jsonl", 3_000, 40_000)
def json_lines(chance: Random, size: int) -> bytes:
    return b"".join(b'{"a": %d, "b": [1, {"c": "d"}]}\n' % place for place in range(size))


@kind("json", 5_000, 120_000)
def json_open_strings(chance: Random, size: int) -> bytes:
    return b'["a' + b'\\"' * size


@kind("ipynb", 500, 6_000)
def notebook_cells(chance: Random, size: int) -> bytes:
    cells = [{"cell_type": chance.choice(("markdown", "code")), "source": words(chance, 5)} for _ in range(size)]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}).encode()


@kind("ipynb", 5_000, 80_000)
def notebook_outputs(chance: Random, size: int) -> bytes:
    outputs = [{"output_type": "stream", "text": "line\n"}] * size
    cell = {"cell_type": "code", "source": "a", "outputs": outputs}
    return json.dumps({"nbformat": 4, "cells": [cell], "metadata": {}}).encode()


@kind("ipynb", 5_000, 80_000, is_steady=False)
def notebook_deep(chance: Random, size: int) -> bytes:
    return b'{"nbformat": 4, "cells": ' + b"[" * size + b"]" * size + b"}"
