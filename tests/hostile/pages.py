"""Web pages."""

import json
from random import Random

from tests.hostile.kinds import kind, words


def page(body: str, head: str = "") -> bytes:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()


@kind("html", 10_000, 500_000)
def html_attributes_of_one(chance: Random, size: int) -> bytes:
    return page(f"<p {' '.join(f'a{place}=1' for place in range(size))}>word</p>")


@kind("html", 3_000, 80_000)
def html_attributes_of_many(chance: Random, size: int) -> bytes:
    return page("".join(f"<p class=a id=b{place} data-c=d>{place}</p>" for place in range(size)))


@kind("html", 3_000, 1_000_000)
def html_paragraphs(chance: Random, size: int) -> bytes:
    return page("<p>word" * size)


@kind("html", 500, 8_000)
def html_articles(chance: Random, size: int) -> bytes:
    return page("<article>" + "".join(f"<p>{words(chance, 12)}</p>" for _ in range(size)) + "</article>")


@kind("html", 2_000, 120_000)
def html_deep_boxes(chance: Random, size: int) -> bytes:
    return page("<div>" * size + "word" + "</div>" * size)


@kind("html", 2_000, 80_000)
def html_open_marks(chance: Random, size: int) -> bytes:
    return page("<b><i><a href=x><font>word<p>" * (size // 5))


@kind("html", 3_000, 40_000)
def html_spans(chance: Random, size: int) -> bytes:
    return page("<p>" + "<span> </span>" * size + "word</p>")


@kind("html", 2_000, 40_000)
def html_breaks(chance: Random, size: int) -> bytes:
    return page("<p>" + "<br> " * size + "word</p>")


@kind("html", 3_000, 12_000)
def html_long_table(chance: Random, size: int) -> bytes:
    head = "".join(f"<th>{words(chance, 3)}</th>" for _ in range(size // 10))
    return page(f"<table><tr>{head}</tr>{'<tr><td>1</td><td>2</td></tr>' * size}</table>")


@kind("html", 400, 8_000)
def html_nested_tables(chance: Random, size: int) -> bytes:
    return page("<table><tr><td>a<td>" * size)


@kind("html", 500, 2_000)
def html_nested_lists(chance: Random, size: int) -> bytes:
    return page("".join("<ul><li>a" * 50 + "</ul>" * 50 for _ in range(size // 50)))


@kind("html", 1_000, 20_000)
def html_deep_lists(chance: Random, size: int) -> bytes:
    return page("<ul><li>a" * size)


@kind("html", 2_000, 24_000)
def html_links(chance: Random, size: int) -> bytes:
    return page("".join(f'<a href="/{place}#a">Read more: {place}</a> ' for place in range(size)))


@kind("html", 1_000, 16_000)
def html_pointers(chance: Random, size: int) -> bytes:
    return page('<div><p>Related: <a href="/a">Another page</a></p></div>' * size)


@kind("html", 500, 8_000)
def html_posts(chance: Random, size: int) -> bytes:
    return page("<div>" + '<blockquote class="tweet">A <a href=x>post</a></blockquote>' * size + "</div>")


@kind("html", 300, 4_000)
def html_headers(chance: Random, size: int) -> bytes:
    return page("<header>" * size + f"<p>{words(chance, 200)}</p>")


@kind("html", 1_000, 30_000)
def html_strays(chance: Random, size: int) -> bytes:
    return b"<html><head><title>a</title>" + b"<article>word</article>" * size


@kind("html", 20_000, 200_000)
def html_entities(chance: Random, size: int) -> bytes:
    return page(chance.choice(("&amp;", "&eacute;", "&#233;", "&nope;")) * size)


@kind("html", 5_000, 200_000)
def html_comments(chance: Random, size: int) -> bytes:
    return b"<!-- a -->" * size + page(f"<p>{words(chance, 20)}</p>")


@kind("html", 5_000, 80_000)
def html_open_comment(chance: Random, size: int) -> bytes:
    return page(f"<p>{words(chance, 20)}</p>" + "<!-- " * size)


@kind("html", 2_000, 40_000)
def html_hidden(chance: Random, size: int) -> bytes:
    return page("<p style='display:none'>a<p hidden>b<script>c</script>" * size + "<p>word")


@kind("html", 20_000, 200_000)
def html_long_title(chance: Random, size: int) -> bytes:
    return page(f"<h1>{words(chance, size // 6)}</h1>", f"<title>{words(chance, size // 6)}</title>")


@kind("html", 1_000, 20_000)
def html_facts(chance: Random, size: int) -> bytes:
    facts = "".join(f'<meta property="og:title" content="a{place}">' for place in range(size))
    linked = json.dumps([{"@type": "Article", "headline": "a", "author": {"name": "b"}}] * (size // 4))
    return page(f"<p>{words(chance, 200)}</p>", f'{facts}<script type="application/ld+json">{linked}</script>')


@kind("html", 1_000, 12_000)
def html_code(chance: Random, size: int) -> bytes:
    return page("<pre>a\n\n  b</pre><code>c</code>" * size)


@kind("html", 2_000, 24_000)
def html_select(chance: Random, size: int) -> bytes:
    return page("<dl>" + "<dt>a<dd>b" * size + "</dl>" + "<select>" + "<option>c" * size)


@kind("html", 20_000, 200_000)
def html_open_tags(chance: Random, size: int) -> bytes:
    return page("<a " * size + "</" * size)


@kind("html", 10_000, 120_000)
def html_long_style(chance: Random, size: int) -> bytes:
    return page(f"<p style='{'display : ' * (size // 5)}'>word</p>", f"<style>{'a{b:c}' * size}</style>")


@kind("html", 1_000, 12_000)
def html_headings(chance: Random, size: int) -> bytes:
    return page("".join(f"<h{place % 6 + 1}>{words(chance, 4)}</h{place % 6 + 1}>" for place in range(size)))
