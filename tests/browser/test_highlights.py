"""The heart: what is lit on a page lies on the very words, however the page is drawn."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse, in_both_browsers, in_both_browsers_at_once
from tests.browser.geometry import Rect, assert_lit
from tests.browser.rooms import ask, complete
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.words import like, say

ZOOMS = ("50%", "100%", "200%")


def passage(server: Server, document: str, words: str) -> str:
    """The link that can be shared: a document, opened where these words stand."""
    start, end = server.span(document, words)
    return f"/d/{document}?span={start}-{end}"


def zoom(page: Page, share: str) -> None:
    page.get_by_role("button", name=like("viewer.zoom")).click()
    page.get_by_role("menuitemradio", name=share, exact=True).click()


def length(rect: Rect) -> float:
    return max(rect.right - rect.left, rect.bottom - rect.top)


@pytest.mark.parametrize("turned", [0, 90, 270])
def test_the_light_lies_on_the_words_at_every_zoom_however_the_file_turns_its_pages(
    browse: Browse, scripted: Server, tmp_path: Path, turned: int
) -> None:
    document = scripted.add(papers.lease(tmp_path / f"lease-{turned}.pdf", turned))
    page = browse(scripted, passage(scripted, document, papers.NOTICE))
    widths = {round(length(assert_lit(page, (1, papers.NOTICE))[0]))}
    for share in ZOOMS:
        zoom(page, share)
        expect(page.get_by_role("button", name=say("viewer.zoom", share=share))).to_be_visible()
        widths.add(round(length(assert_lit(page, (1, papers.NOTICE))[0])))
    assert len(widths) == 4


@in_both_browsers
def test_the_light_turns_with_the_page_when_the_reader_turns_it(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    page = browse(scripted, passage(scripted, document, papers.RENT))
    upright = assert_lit(page, (1, papers.RENT))[0]
    assert upright.right - upright.left > upright.bottom - upright.top
    page.get_by_role("button", name=say("viewer.rotate")).click()
    turned = assert_lit(page, (1, papers.RENT))[0]
    assert turned.right - turned.left < turned.bottom - turned.top


@in_both_browsers
def test_a_quote_in_a_column_is_lit_in_its_column_alone(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    document = scripted.add(papers.columns(tmp_path / "columns.pdf"))
    quote = " ".join(papers.RIGHT[1:4])
    page = browse(scripted, passage(scripted, document, quote))
    assert len(assert_lit(page, (1, quote))) == 3
    for share in ZOOMS:
        zoom(page, share)
        assert_lit(page, (1, quote))


@in_both_browsers_at_once
def test_a_quote_over_a_page_break_is_lit_on_both_pages(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    document = scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    start, _ = scripted.span(document, papers.REPAIR[0])
    _, end = scripted.span(document, papers.REPAIR[1])
    page = browse(scripted, f"/d/{document}?span={start}-{end}")
    assert_lit(page, *enumerate(papers.REPAIR, start=1))
    zoom(page, "50%")
    assert_lit(page, *enumerate(papers.REPAIR, start=1))


@in_both_browsers
@pytest.mark.parametrize("make", [papers.markdown, papers.html, papers.word])
def test_a_link_to_a_passage_of_a_text_lights_exactly_its_characters(
    browse: Browse, scripted: Server, tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    document = scripted.add(make(tmp_path))
    text = scripted.text(document)
    # Signs beyond the first plane are one character for the server and two for the browser.
    start = text.index("𝔅")
    end = text.index("after it", start)
    page = browse(scripted, f"/d/{document}?span={start}-{end}")
    lit = page.locator("[data-mark][data-chosen]")
    expect(lit.first).to_be_in_viewport()
    assert "".join("".join(lit.all_text_contents()).split()) == "".join(text[start:end].split())
    assert "🦦" in text[start:end]


def test_highlights_besides_the_citations_show_their_importance_also_after_a_return(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    scripted.add(papers.lease(tmp_path / "lease-0.pdf"))
    page = browse(scripted)
    speaker.will(f"{papers.NOTICE[:-1]} [1.3].\n\nHIGHLIGHT: [1.4] medium\n", looking_for="notice period rent")
    answered = complete(ask(page, "How long is the notice period of the lease?"))
    expect(answered).not_to_contain_text("HIGHLIGHT")
    for _ in range(2):
        assert_lit(page, (1, papers.NOTICE))
        assert_lit(page, (1, papers.RENT), which='[data-tone="medium"]')
        page.reload()
