"""Plain text, Markdown and source code."""

from random import Random

from tests.hostile.kinds import kind, words


@kind("txt", 20_000, 500_000)
def text_form_feeds(chance: Random, size: int) -> bytes:
    return ("a\f" * size).encode()


@kind("txt", 30_000, 800_000)
def text_one_line(chance: Random, size: int) -> bytes:
    return words(chance, size // 6).encode()


@kind("txt", 100_000, 1_200_000)
def text_one_word(chance: Random, size: int) -> bytes:
    return b"a" * size


@kind("txt", 200_000, 2_000_000)
def text_blank_lines(chance: Random, size: int) -> bytes:
    return b"first" + b"\n" * size + b"last"


@kind("txt", 10_000, 280_000)
def text_short_paragraphs(chance: Random, size: int) -> bytes:
    return b"a b\n\n" * size


@kind("txt", 50_000, 800_000)
def text_accents(chance: Random, size: int) -> bytes:
    return ("e" + "\u0301" * size + " end").encode()


@kind("txt", 30_000, 280_000)
def text_broken_words(chance: Random, size: int) -> bytes:
    return "".join(f"{chance.choice('abc')}-\n" for _ in range(size)).encode()


@kind("txt", 30_000, 280_000)
def text_soft_hyphens(chance: Random, size: int) -> bytes:
    return ("a\u00ad\n" * size).encode()


@kind("txt", 20_000, 200_000)
def text_number_groups(chance: Random, size: int) -> bytes:
    return " ".join(str(chance.randrange(100, 999)) for _ in range(size)).encode()


@kind("txt", 30_000, 400_000)
def text_apostrophes(chance: Random, size: int) -> bytes:
    return b"a'" * size


@kind("txt", 100_000, 800_000)
def text_closing_quotes(chance: Random, size: int) -> bytes:
    return b"Yes." + b"')" * (size // 2) + b" No." * (size // 8)


@kind("txt", 30_000, 280_000)
def text_turned_writing(chance: Random, size: int) -> bytes:
    return "".join(chance.choice("\u202e\u202d\u2066\u2069\u200fabc ") for _ in range(size)).encode()


@kind("txt", 20_000, 200_000)
def text_every_character(chance: Random, size: int) -> bytes:
    return "".join(chr(chance.randrange(32, 0x3FFFF)) for _ in range(size)).encode("utf-8", "ignore")


@kind("txt", 50_000, 400_000, is_steady=False)
def text_broken_bytes(chance: Random, size: int) -> bytes:
    return b"".join(chance.choice((b"caf\xc3", b"\xe9t\xe9 ", b"\xff\xfe", b"word ")) for _ in range(size // 4))


@kind("bin", 5_000, 200_000, is_steady=False)
def noise(chance: Random, size: int) -> bytes:
    return chance.randbytes(size)


@kind("txt", 30_000, 400_000)
def text_tabs(chance: Random, size: int) -> bytes:
    return b"\t1" * size


@kind("md", 1_000, 20_000)
def markdown_deep_quotes(chance: Random, size: int) -> bytes:
    return b"".join(b">" * (depth % 60) + b" word\n" for depth in range(size))


@kind("md", 300, 2_000)
def markdown_deep_lists(chance: Random, size: int) -> bytes:
    return b"".join(b"  " * (depth % 90) + b"- word\n" for depth in range(size))


@kind("md", 5_000, 40_000)
def markdown_open_brackets(chance: Random, size: int) -> bytes:
    return chance.choice((b"[", b"![", b"[a](", b"[a][")) * size


@kind("md", 3_000, 40_000)
def markdown_emphasis(chance: Random, size: int) -> bytes:
    return b"*a **b _c __d " * (size // 4)


@kind("md", 1_000, 8_000)
def markdown_ticks(chance: Random, size: int) -> bytes:
    return b" ".join(b"`" * (1 + place % 150) + b"a" for place in range(size // 10))


@kind("md", 300, 4_000)
def markdown_wide_table(chance: Random, size: int) -> bytes:
    head = "|".join(f"c{place}" for place in range(100))
    return f"{head}\n{'|'.join(['-'] * 100)}\n".encode() + b"|".join([b"1"] * 100).join([b"\n"] * (size // 30 + 2))


@kind("md", 2_000, 20_000)
def markdown_headings(chance: Random, size: int) -> bytes:
    return "".join(f"{'#' * chance.randint(1, 6)} {words(chance, 5)}\n" for _ in range(size)).encode()


@kind("md", 5_000, 40_000)
def markdown_definitions(chance: Random, size: int) -> bytes:
    return b"---\n" + b"".join(b"[a%d]: <b>\n[" % place for place in range(size // 2))


@kind("md", 2_000, 8_000)
def markdown_rules(chance: Random, size: int) -> bytes:
    return b"---\ntitle: a\n" * size + b"a\n===\n" * size


@kind("py", 3_000, 24_000)
def code_definitions(chance: Random, size: int) -> bytes:
    return b"".join(b"# a\n@b\ndef f%d(): pass\n\n" % place for place in range(size))


@kind("py", 2_000, 80_000, is_steady=False)
def code_deep_brackets(chance: Random, size: int) -> bytes:
    return b"a = " + b"[" * size + b"]" * size


@kind("c", 3_000, 40_000)
def code_deep_indents(chance: Random, size: int) -> bytes:
    return b"".join(b"\t" * (depth % 40) + b"x{\n\n" for depth in range(size))


@kind("xml", 5_000, 120_000)
def code_markup(chance: Random, size: int) -> bytes:
    return b"<?xml version='1.0'?><a>" + b"<b c='d'>e</b>\n" * size + b"</a>"
