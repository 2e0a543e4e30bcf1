from pathlib import Path

from tests.files import of_kind, read_bytes

PYTHON = '''"""What it does."""

import os

LIMIT = 3


# Why it is so.
@decorated
def first(a):

    return a


class Second:
    """Kept whole."""

    def method(self):
        return 1


print("end")
'''

JAVA = """package a;

import b;

public class Bank {
    private int total;

    public void pay() {
        total--;
    }
}

class Other {
}
"""


def test_python_definitions_are_blocks_with_their_decorators_and_comments(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.py", PYTHON.encode())
    starts = [code.split("\n")[0] for code in of_kind(document, "code")]
    assert starts == ['"""What it does."""', "# Why it is so.", "class Second:", 'print("end")']
    assert document.text == PYTHON


def test_other_languages_are_parted_where_something_begins_at_the_margin(tmp_path: Path) -> None:
    starts = [code.split("\n")[0] for code in of_kind(read_bytes(tmp_path, "A.java", JAVA.encode()), "code")]
    assert starts == ["package a;", "import b;", "public class Bank {", "class Other {"]


def test_a_long_class_is_parted_at_its_methods(tmp_path: Path) -> None:
    methods = "".join(
        f"    void m{n}() {{\n        int x = {n};{' ' * 80}// long\n\n        x++;\n    }}\n\n" for n in range(60)
    )
    blocks = of_kind(read_bytes(tmp_path, "A.java", f"class A {{\n\n{methods}}}\n".encode()), "code")
    assert len(blocks) >= 60
    assert all(block.lstrip().startswith(("void", "class")) for block in blocks)


def test_python_that_does_not_parse_is_read_all_the_same(tmp_path: Path) -> None:
    assert of_kind(read_bytes(tmp_path, "a.py", b"def f(:\n    pass\n\nx = 1\n"), "code") == [
        "def f(:\n    pass",
        "x = 1",
    ]
