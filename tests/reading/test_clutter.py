import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.reading import clutter, html_blocks
from pincite.reading.document_draft import Draft

PROSE = "La marée monte et descend deux fois par jour, et <a href='/lune'>la lune</a> en est la cause première."


def cleared(body: str) -> list[str]:
    """The blocks of a page's body once its clutter is gone."""
    root = html_blocks.parse_html(f"<html><body>{body}</body></html>")
    clutter.clear_clutter(root)
    draft = Draft()
    html_blocks.write_blocks(root.find("body"), draft)
    return draft.document("html").text.split("\n\n") if len(draft) else []


@pytest.mark.parametrize(
    "line",
    [
        "<p>Lire aussi : <a href='/a'>Le port est fermé depuis lundi</a></p>",
        "<p><strong>À LIRE</strong> <a href='/a'>Le port est fermé depuis lundi</a></p>",
        "<div><b>Related:</b> <a href='/a'>The harbour is closed</a></div>",
        "<h3>Read more: <a href='/a'>The harbour is closed</a></h3>",
        "<p>DON'T MISS<br><a href='/a'>The harbour is closed</a> [VIDEO]<br><a href='/b'>The bay is not</a> [NEWS]</p>",
    ],
)
def test_parts_that_lead_away_from_an_article_are_left_out(line: str) -> None:
    assert cleared(f"<p>{PROSE}</p>{line}<p>La suite.</p>") == [cleared(f"<p>{PROSE}</p>")[0], "La suite."]


@pytest.mark.parametrize(
    "line",
    [
        "<p>Related work by <a href='/a'>Laplace</a> treats the tide as a wave that travels around the earth.</p>",
        "<p>Watch out: the harbour is closed.</p>",
        "<p><a href='/a'>Laplace</a></p>",
        "<p><a href='/a'>https://example.org/tables-of-the-tides</a></p>",
        "<p>Abonnez-vous à <a href='/lettre'>notre lettre</a> pour tout savoir des marées.</p>",
        "<p><a href='/a'>Laplace wrote on it</a> and so did <a href='/b'>Newton before him</a>.</p>",
        "<h2><a href='#causes'>The causes of the tide</a></h2>",
        "<ul><li><a href='/a'>Tables of the tides for Brest</a></li></ul>",
        "<p>Comments on the tables came from every port, and most were kind.</p>",
        "<p>Cliquez ici n'est pas un bon texte pour un lien, disent les guides.</p>",
    ],
)
def test_text_that_only_looks_like_clutter_stays(line: str) -> None:
    assert len(cleared(f"<p>{PROSE}</p>{line}")) == 2


def test_a_header_keeps_its_prose_and_nothing_else() -> None:
    header = f"<header><h2>Le port</h2><ul><li>Accueil</li></ul><time>6 mai</time><div><p>{PROSE}</p></div></header>"
    assert cleared(f"{header}<p>Le texte.</p>") == [*cleared(f"<p>{PROSE}</p>"), "Le texte."]
    assert cleared("<header><h1>Le port</h1><p>6 mai</p></header><p>Le texte.</p>") == ["Le texte."]


def test_a_header_that_was_never_closed_does_not_cost_the_article_its_headings() -> None:
    article = "".join(f"<h2>Partie {n}</h2><p>{PROSE}</p>" for n in range(5))
    assert len(cleared(f"<header><h1>La marée</h1>{article}")) == 11


def test_text_after_what_goes_stays_where_it_was() -> None:
    assert cleared("<div>Avant <header><h2>Menu</h2></header> après.</div>") == ["Avant", "après."]


def test_a_quoted_post_is_a_quotation_however_it_is_embedded() -> None:
    root = html_blocks.parse_html(
        "<html><body><div class='intro'><p>Text.</p></div><div class='embed-widget'><div class='share-embed'>"
        "<blockquote class='twitter-tweet'><p>High water!</p>— Zoé (@zoe) <a href='/x'>6 May</a></blockquote>"
        "<script src='/w.js'></script></div></div></body></html>"
    )
    clutter.clear_clutter(root)
    assert [dict(div.attrib) for div in root.iter("div")] == [{"class": "intro"}, {}, {}]
    assert "6 May" in root.text_content()
    assert next(root.iter("a"), None) is None


TAGS = st.sampled_from(["p", "div", "header", "h2", "a href='#'", "span", "blockquote class=tweet", "ul", "li", "b"])
WORDS = st.sampled_from(["Related: ", "comments", "mot ", "Click here to ", "", "\n", PROSE])
PIECES = st.lists(st.one_of(TAGS.map(lambda tag: f"<{tag}>"), TAGS.map(lambda tag: f"</{tag.split()[0]}>"), WORDS))


@given(PIECES)
def test_whatever_the_page_letters_only_go_and_none_is_made_up_or_moved(pieces: list[str]) -> None:
    root = html_blocks.parse_html(f"<html><body><p>Un.</p>{''.join(pieces)}</body></html>")
    there = iter(root.text_content())
    clutter.clear_clutter(root)
    assert all(letter in there for letter in root.text_content())
