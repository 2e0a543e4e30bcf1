"""An article is read whole: nothing that a browser shows of it is lost without a word."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.files import headings, of_kind, page, read_bytes
from tests.thorough import scale_examples

from pincite.reading import html_blocks
from pincite.reading.article import find_article

PROSE = "Harbour masters print tables of the tide for years ahead, since nothing in it depends on the weather. "


def prose(number: int) -> str:
    """A paragraph like no other: extractors leave out what is said twice."""
    return f"In the year {1900 + number} the harbour of town {number} printed {number * 7} tables of the tide. "


LINKS = "<ul>" + "".join(f"<li><a href='/{n}'>Section number {n} of the site</a></li>" for n in range(60)) + "</ul>"


def para(text: str) -> str:
    return f"<div class='para'>\n\t\t{text}\n\t</div>"


MANUAL = (
    "<div id=banner><a href='/get'>Download the ebook</a></div><div class='section'><div class='titlepage'><div>"
    "<h2 class='title'><a id='x'></a>9.4. Administration</h2></div></div>"
    + para(PROSE * 2)
    + para("Sadly, <code class='command'>webmin</code> is no longer part of <a href='/d'>Debian</a>, and " + PROSE)
    + para("The <code>ucf</code> program (see <a href='/ucf'>its page</a>) can be used for such a behaviour.")
    + "<div class='sidebar'><div class='titlepage'><p class='title'><strong><em>SECURITY</em> Changing the password"
    "</strong></p></div>"
    + para("On the first login, use <code>root</code> and its password. It is wise to change it at once.")
    + para("Beware of those who would use it from afar, for it has <code>many</code> features.")
    + "</div><div class='note'><h3>Note</h3>"
    + para("Port 10000 is used by default.")
    + "</div>"
    + para("→ <a href='https://example.org/tracker'>https://example.org/tracker</a>")
    + "</div><ul class=docnav><li><a href='/p'>Prev</a></li><li><a href='/n'>Next</a></li></ul>"
)


def words(text: str) -> set[str]:
    return set(text.split())


def visible_text(body: str) -> str:
    return " ".join(html_blocks.extract_text(html_blocks.parse_html(f"<html><body>{body}</body></html>")).split())


def test_a_manuals_boxes_and_paragraphs_with_code_and_links_are_kept(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.html", page(MANUAL, "<title>9.4. Administration</title>"))
    shown = visible_text(MANUAL)
    article = shown.removeprefix("Download the ebook ").removesuffix("Prev Next")
    assert words(article) <= words(document.text)
    assert headings(document) == [(1, "9.4. Administration"), (3, "Note")]
    assert document.problems == ()


def test_bare_text_beside_a_link_stays_one_whole_paragraph(tmp_path: Path) -> None:
    told = "I wrote on the blog at work so I figured it should be told here too, where nobody pays me for it."
    text = told.replace("the blog at work", "<a href='/blog'>the blog at work</a>")
    body = f"<div class=post><h1>Tides</h1><p>{PROSE * 2}</p><div>{text}</div><p>{PROSE * 3}</p></div>"
    document = read_bytes(tmp_path, "a.html", page(body, "<title>Tides</title>"))
    assert told in of_kind(document, "paragraph")


def test_notes_in_an_aside_are_part_of_the_article_around_them(tmp_path: Path) -> None:
    note = "<aside class=note><p>Mind the current when the tide turns.</p></aside>"
    long = read_bytes(
        tmp_path, "a.html", page(f"<article><h1>Tides</h1><p>{PROSE * 4}</p>{note}<p>{PROSE}</p></article>")
    )
    short = read_bytes(tmp_path, "b.html", page(f"<article><h1>Tides</h1><p>{PROSE}</p>{note}</article>"))
    assert "Mind the current" in long.text
    assert "Mind the current" in short.text


def test_a_sign_that_links_to_its_own_heading_is_no_part_of_it(tmp_path: Path) -> None:
    body = f"<h1>Tides<a class=headerlink href='#tides'>¶</a></h1><p>{PROSE * 5}</p>"
    assert headings(read_bytes(tmp_path, "a.html", page(body, "<title>Tides</title>"))) == [(1, "Tides")]


def test_when_more_than_a_fifth_of_an_article_is_lost_all_is_shown_and_said(tmp_path: Path) -> None:
    text = "".join(f"<p>{prose(n)}</p>" for n in range(8))
    box = "".join(para(f"Port <code>{n}</code> is <a href='/{n}'>told of</a> here. {prose(n)}") for n in range(20, 26))
    body = f"<div class=menu>{LINKS}</div><div class=text>{text}<div class='sidebar'>{box}</div><p>{prose(9)}</p></div>"
    document = read_bytes(tmp_path, "a.html", page(body))
    assert words(visible_text(body)) - {"-"} <= words(document.text)
    assert len(document.problems) == 1
    assert "fifth" in document.problems[0]


def section(number: int, style: str) -> str:
    """A section of a page with several, of which the extractor finds one."""
    return (
        f"<div {style}><h2>Section {number}</h2>" + "".join(para(prose(number * 10 + n)) for n in range(4)) + "</div>"
    )


def test_sections_beside_the_one_that_was_found_belong_to_the_article() -> None:
    body = f"<div class=menu>{LINKS * 3}</div><div>" + "".join(section(n, "class=section") for n in range(3)) + "</div>"
    pieces = list(html_blocks.find_blocks(html_blocks.parse_html(f"<html><body>{body}</body></html>").find("body")))
    article = find_article(pieces, "\n".join(prose(10 + n) for n in range(4)))
    assert article is not None
    assert article.lost > 0.5
    assert not article.is_bare


def test_a_box_behind_what_was_found_is_lost_when_its_paragraphs_are_marked_alike() -> None:
    box = "<div class=sidebar>" + "".join(para(prose(50 + n)) for n in range(3)) + "</div>"
    found = "".join(para(prose(n)) for n in range(4))
    comments = "<div class=comments>" + "".join(f"<p>{prose(70 + n)}</p>" for n in range(8)) + "</div>"
    root = html_blocks.parse_html(f"<html><body><ul>{LINKS}</ul><div>{found}{box}</div>{comments}</body></html>")
    article = find_article(list(html_blocks.find_blocks(root.find("body"))), "\n".join(prose(n) for n in range(4)))
    assert article is not None
    assert 0.3 < article.lost < 0.5


def test_a_paragraph_that_begins_with_a_word_in_bold_is_marked_as_its_neighbours_are() -> None:
    texts = [f"<p class=x><b>Port</b> {n}: {prose(n)}</p>" for n in range(6)]
    root = html_blocks.parse_html(
        f"<html><body>{LINKS}<div><div>{''.join(texts[:3])}</div>{''.join(texts[3:])}</div></body></html>"
    )
    article = find_article(list(html_blocks.find_blocks(root.find("body"))), "\n".join(prose(n) for n in range(3)))
    assert article is not None
    assert sum("harbour" in piece.text for piece in article.pieces) == 6


def test_the_menus_around_an_article_do_not_come_back(tmp_path: Path) -> None:
    text = "".join(f"<p>{prose(n)}</p>" for n in range(9))
    body = f"<div class=menu>{LINKS}</div><article><h1>Tides</h1>" + text + "</article>"
    document = read_bytes(tmp_path, "a.html", page(body, "<title>Tides</title>"))
    assert "Section number" not in document.text
    assert document.problems == ()


def test_an_article_is_the_smallest_element_that_holds_what_was_found() -> None:
    root = html_blocks.parse_html(
        f"<html><body><ul><li>Menu</li></ul><div id=a><p>{prose(1)}</p><p>{PROSE}</p><p>{prose(2)}</p>"
        "<p>Lost words of it.</p><nav>Next</nav></div></body>"
    )
    article = find_article(list(html_blocks.find_blocks(root.find("body"))), f"{prose(1)}\n{prose(2)}")
    assert article is not None
    assert [piece.text for piece in article.pieces] == [
        *(text.strip() for text in (prose(1), PROSE, prose(2))),
        "Lost words of it.",
    ]
    assert 0.2 < article.lost < 0.4
    assert find_article(list(html_blocks.find_blocks(root.find("body"))), "Something else altogether.") is None


def find_texts(body: str, found: str) -> list[str]:
    """Return the texts of the article's blocks in a page of which the extractor found some lines."""
    root = html_blocks.parse_html(f"<html><body><ul>{LINKS}</ul>{body}</body></html>")
    article = find_article(list(html_blocks.find_blocks(root.find("body"))), found)
    assert article is not None
    return [piece.text for piece in article.pieces]


def test_short_lines_and_captions_in_the_articles_element_belong_to_it() -> None:
    found = "\n".join(prose(n) for n in range(4))
    paragraphs = "".join(f"<p class=x>{prose(n)}</p>" for n in range(4))
    figure = "<div class=f><img alt=''><figure><figcaption>The quay at low tide</figcaption></figure></div>"
    beside = "<div class=s>A recent headline</div>"
    texts = find_texts(f"<div class=text>Opening bare words<br>{paragraphs}{figure}Closing bare words</div>", found)
    assert "Opening bare words" in texts
    assert "The quay at low tide" in texts
    assert "Closing bare words" in texts
    assert "A recent headline" not in find_texts(f"<div><div class=text>{paragraphs}</div>{beside}</div>", found)


def test_a_form_around_the_whole_page_hides_nothing_of_its_article() -> None:
    found = "\n".join(prose(n) for n in range(4))
    paragraphs = "".join(f"<p>{prose(n)}</p>" for n in range(5))
    question = "<form><p>Write to us about the tide, and we shall answer you by the next day.</p>{}</form>"
    around = "<form action='/'><input type=hidden name=state><div class=text>{}</div></form>"
    asking = question.format("<textarea></textarea><input type=submit>")
    texts = find_texts(around.format(paragraphs + asking), found)
    assert sum("harbour" in text for text in texts) == 5
    assert not any("Write to us" in text for text in texts)
    assert any("Write to us" in text for text in find_texts(around.format(paragraphs + question.format("")), found))


INLINE = st.sampled_from(["{}", "<b>{}</b>", "<code>{}</code>", "<a href='/x'>{}</a>", "<span class=x>{}</span>"])
BLOCKS = st.sampled_from(
    [
        "<p>{}</p>",
        "<div>{}</div>",
        "<div class=para>{}</div>",
        "<div class=sidebar><p>{}</p></div>",
        "<div class=note>{}</div>",
        "<aside>{}</aside>",
        "<section><div>{}</div></section>",
        "<blockquote>{}</blockquote>",
        "<ul><li>{}</li></ul>",
        "<dl><dt>Term</dt><dd>{}</dd></dl>",
        "<pre>{}</pre>",
        "<figure><figcaption>{}</figcaption></figure>",
        "<table><tr><td>Cell</td><td>{}</td></tr></table>",
        "{}<br>",
        "<h3>{}</h3>",
    ]
)


@settings(max_examples=scale_examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(BLOCKS, st.lists(st.tuples(INLINE, st.integers(1, 25)), min_size=1, max_size=4)), max_size=8))
def test_every_visible_word_of_an_article_survives_whatever_it_is_marked_with(
    tmp_path: Path, blocks: list[tuple[str, list[tuple[str, int]]]]
) -> None:
    count, written = 0, []
    for block, runs in blocks:
        parts = []
        for inline, length in runs:
            parts.append(inline.format(" ".join(f"mot{count + place}" for place in range(length))))
            count += length
        written.append(block.format(" ".join(parts)))
    body = f"<article><h1>La marée</h1><p>{PROSE * 3}</p>{''.join(written)}<p>{PROSE * 3}</p></article>"
    text = read_bytes(tmp_path, "a.html", page(body)).text
    assert [word for word in (f"mot{n}" for n in range(count)) if word not in words(text)] == []


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_page_that_is_only_its_article_keeps_every_line_of_links(tmp_path: Path, language: str) -> None:
    entries = "".join(f"<dt><a href='/{n}'>Chapitre {n} du manuel</a></dt>" for n in range(8))
    text = "".join(f"<p>{prose(n)}</p>" for n in range(8))
    body = f"<div class=book><h1>Manuel</h1><p>{PROSE}</p><dl class=toc>{entries}</dl>{text}</div>"
    document = read_bytes(tmp_path, "a.html", page(body).replace(b"<html", f"<html lang={language}".encode()))
    assert all(f"Chapitre {n} du manuel" in document.text for n in range(8))


def test_a_page_of_links_is_read_with_its_links(tmp_path: Path) -> None:
    entries = "".join(f"<li><a href='/{n}'>Chapter {n}: the harbour of town {n}</a></li>" for n in range(60))
    text = "".join(f"<p>{prose(n)}</p>" for n in range(5))
    document = read_bytes(tmp_path, "a.html", page(f"<div><h1>Manual</h1>{text}<ul>{entries}</ul></div>"))
    assert "Chapter 59: the harbour of town 59" in document.text


def test_a_table_of_contents_is_read_whole_beside_the_words_in_front_of_it(tmp_path: Path) -> None:
    entries = "".join(f"<dt><a href='/{n}'>{n}. The harbour of town {n} and its tides</a></dt>" for n in range(120))
    front = "".join(para(prose(n)) for n in range(12))
    body = f"<div class=book><div class=titlepage><div>{front}</div></div><div><dl class=toc>{entries}</dl></div></div>"
    document = read_bytes(tmp_path, "a.html", page(body))
    assert "119. The harbour of town 119 and its tides" in document.text
    assert document.problems == ()


@pytest.mark.parametrize("menu", ["<nav>{}</nav>", "<header><div>{}</div></header>", "<aside>{}</aside>"])
def test_a_long_menu_is_no_table_of_contents(tmp_path: Path, menu: str) -> None:
    text = "".join(f"<p>{prose(n)}</p>" for n in range(6))
    body = f"{menu.format(LINKS * 3)}<article><h1>Tides</h1>{text}</article>"
    assert "Section number" not in read_bytes(tmp_path, "a.html", page(body)).text
