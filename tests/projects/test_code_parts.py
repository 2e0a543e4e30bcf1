import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.projects.code_parts import CodePart, find_parts
from pincite.projects.line_numbers import LineNumbers
from tests.thorough import mark_slow


def name_parts(path: str, text: str) -> list[tuple[str, int, int]]:
    return [(part.name, part.first_line, part.last_line) for part in find_parts(path, text)]


PYTHON = '''"""A shop."""

import math

RATE = 0.2


# Adds the tax.
@cached
def add_tax(price: float,
            rate: float = RATE) -> float:
    def inner():
        return price
    return inner() * (1 + rate)


class Cart:
    """The things to buy."""

    def __init__(self) -> None:
        self.items = []

    async def total(self) -> float:
        return sum(self.items)


print(add_tax(1))
'''

TYPESCRIPT = """import { x } from "./x";

/** Adds the tax. */
export async function addTax(price: number): Promise<number> {
  if (price > 0) {
    return price * 1.2;
  }
  return 0;
}

export const total = (items: number[]) => {
  return items.reduce((a, b) => a + b, 0);
};

export class Cart extends Base {
  private items: number[] = [];

  constructor(items: number[]) {
    super(items);
  }

  total(): number {
    for (const item of this.items) {
      log(item);
    }
    return total(this.items);
  }
}
"""

GO = """package shop

import "fmt"

type Cart struct {
\tItems []int
}

// Total adds all.
func (c *Cart) Total() int {
\tsum := 0
\tfor _, i := range c.Items {
\t\tsum += i
\t}
\treturn sum
}

func main() {
\tfmt.Println(1)
}
"""

C = """#include <stdio.h>

static int add(int a, int b)
{
    return a + b;
}

int main(void) {
    printf("%d", add(1, 2));
    return 0;
}
"""

RUST = """pub struct Cart {
    items: Vec<u32>,
}

impl Cart {
    /// Adds all.
    pub fn total(&self) -> u32 {
        self.items.iter().sum()
    }
}
"""

RUBY = """class Cart
  def total
    @items.sum
  end

  def empty?
    @items.none?
  end
end
"""

MARKDOWN = """Before.

# Shop

Text.

## Cart #

```python
# not a heading
```

## Prices

More.
"""


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        (
            "shop.py",
            PYTHON,
            [
                ("", 1, 5),
                ("add_tax", 8, 14),
                ("Cart", 17, 18),
                ("Cart.__init__", 20, 21),
                ("Cart.total", 23, 24),
                ("", 27, 27),
            ],
        ),
        (
            "shop.ts",
            TYPESCRIPT,
            [
                ("", 1, 1),
                ("addTax", 3, 9),
                ("total", 11, 13),
                ("Cart", 15, 16),
                ("Cart.constructor", 18, 20),
                ("Cart.total", 22, 27),
                ("", 28, 28),
            ],
        ),
        ("shop.go", GO, [("", 1, 3), ("Cart", 5, 7), ("Total", 9, 16), ("main", 18, 20)]),
        ("shop.c", C, [("", 1, 1), ("add", 3, 6), ("main", 8, 11)]),
        ("shop.rs", RUST, [("Cart", 1, 3), ("Cart", 5, 5), ("Cart.total", 6, 9), ("", 10, 10)]),
        ("shop.rb", RUBY, [("Cart", 1, 1), ("Cart.total", 2, 4), ("Cart.empty?", 6, 8), ("", 9, 9)]),
        ("shop.md", MARKDOWN, [("", 1, 1), ("Shop", 3, 5), ("Shop > Cart", 7, 11), ("Shop > Prices", 13, 15)]),
        ("broken.py", "def works():\n    return 1\n\ndef broken(:\n    x = = 2\n", [("works", 1, 2), ("broken", 4, 5)]),
        ("data.json", '{\n  "a": 1\n}\n', [("", 1, 3)]),
        ("empty.py", "", []),
        ("blank.py", "\n\n  \n", []),
    ],
)
def test_definitions_are_found_with_their_lines(path: str, text: str, wanted: list[tuple[str, int, int]]) -> None:
    assert name_parts(path, text) == wanted
    assert name_parts(path, text.replace("\n", "\r\n")) == wanted


def test_a_part_has_a_kind_and_a_signature_on_one_line() -> None:
    parts = {part.name: part for part in find_parts("shop.py", PYTHON)}
    assert parts["add_tax"].kind == "function"
    assert parts["add_tax"].signature == "def add_tax(price: float, rate: float = RATE) -> float"
    assert parts["Cart"].kind == "class"
    assert parts["Cart.total"].signature == "async def total(self) -> float"
    assert [part.kind for part in find_parts("shop.md", MARKDOWN)] == ["text", "section", "section", "section"]


def check_cover(text: str, parts: list[CodePart]) -> None:
    """Every sign that is not blank is in exactly one part, and the lines of each part are those of its characters."""
    done, lines = 0, LineNumbers(text)
    for part in parts:
        assert not text[done : part.start].strip()
        assert done <= part.start < part.end
        assert (part.first_line, part.last_line) == lines.find_lines(part.start, part.end)
        done = part.end
    assert not text[done:].strip()


PIECES = """
def f(a):|    return 1|class A:|  class B {|  }|}|function f() {|# a|## b|```|x = 1|\tint g(void)|{|)|end|@cached|
  def h|// note|   |y = '''|\u2028|é = 1
"""
LINES = st.sampled_from(PIECES.strip("\n").replace("|\n", "|").split("|")) | st.just("")


@given(
    st.sampled_from(["a.py", "a.ts", "a.md", "a.txt", "Makefile"]),
    st.lists(LINES),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_the_parts_are_the_whole_file_whatever_is_in_it(path: str, lines: list[str], newline: str) -> None:
    text = newline.join(lines)
    check_cover(text, find_parts(path, text))


@pytest.mark.parametrize(
    "text",
    [
        "x" * 1_000_000,
        "a b " * 250_000,
        "(" * 1_000_000,
        "def f(): pass\n" * 49_000,
        "x = 1\n" * 100_000,
        "class A {\n" * 49_000,
        "".join(" " * depth + "class A:\n" for depth in range(1400)),
        "if x:\n" + "".join(" " * depth + "if x:\n" for depth in range(1, 1400)),
        "# a\n" * 49_000,
        "\n" * 1_000_000,
        "x = " + "[" * 100_000,
        "a(\n" * 49_000,
    ],
    ids=lambda text: re.sub(r"\s+", "_", text[:12]),
)
@pytest.mark.parametrize("path", ["a.py", mark_slow("a.ts"), mark_slow("a.md")])
def test_a_hostile_file_gives_a_limited_number_of_limited_parts(path: str, text: str) -> None:
    parts = find_parts(path, text)
    check_cover(text, parts)
    assert len(parts) <= 2000
    assert all(part.end - part.start <= 6000 and len(part.signature) <= 200 for part in parts)
