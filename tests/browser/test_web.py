"""The web on the page: parts of a question side by side, our copy of a page with its words marked, and a gallery."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests import files, sites
from tests.browser import papers
from tests.browser.conftest import Browse
from tests.browser.geometry import assert_lit
from tests.browser.rooms import ask, chips, complete, viewer
from tests.browser.running import Server
from tests.browser.words import like, say
from tests.sites import Site

PAGE = "<html><head><title>{0}</title></head><body><article><h1>{0}</h1><p>{1}</p></article></body></html>"
LAW = "Article 12 of the tenancy law of Norway sets a notice period of four months for a mill."
GUIDE = "By law the notice period begins on the first day of the month after the letter has come."
TITLES = {"/law": "The tenancy law", "/guide": "How to give notice"}
QUESTION = "What does the lease say about the notice period and what does the law say about it?"


def put(outside: Site, law: str = LAW) -> None:
    """The two pages of this web, and the engine that finds them."""
    for path, words in (("/law", law), ("/guide", GUIDE)):
        outside.pages[path] = sites.html(PAGE.format(TITLES[path], words))
    found = [{"url": outside.url(path), "title": title, "content": title} for path, title in TITLES.items()]
    outside.pages["/search"] = sites.searxng(*found)


def assert_marked(page: Page, words: str) -> None:
    """In the source, the chosen light lies on exactly these words of a text."""
    lit = viewer(page).locator("[data-mark][data-chosen]")
    expect(lit).to_be_in_viewport()
    expect(lit).to_have_text(words)


def citation(answered: Locator, title: str) -> Locator:
    """The citation of a page of the web."""
    return answered.get_by_role("button", name=like("conversation.chipNoPage", title=title))


def test_one_question_takes_a_paper_and_two_pages_and_every_citation_opens_on_its_words(
    browse: Browse, abroad: Server, outside: Site, tmp_path: Path
) -> None:
    put(outside)
    abroad.add(papers.lease(tmp_path / "lease.pdf"))
    page = browse(abroad)
    answered = complete(ask(page, QUESTION))
    for words in (papers.NOTICE, LAW, GUIDE):
        expect(answered).to_contain_text(words)
    # Every citation holds, and the sources of both parts are numbered together.
    cited = answered.get_by_role("button", name=like("conversation.chipNoPage"))
    verified = like("conversation.chipNoPage", verdict=say("conversation.basis.quote"))
    count = cited.count()
    expect(answered.get_by_role("button", name=verified)).to_have_text([str(n) for n in range(1, count + 1)])
    for title in ("Lease of the mill", *TITLES.values()):
        expect(answered.get_by_role("heading", name=title, level=3)).not_to_have_count(0)

    # The steps of each part.
    answered.get_by_role("button", name=re.compile(say("conversation.steps.other", n=3))).click()
    for name, tool in (("file_analyzer", "search"), ("deep_research", "web")):
        part = answered.locator(f"[data-name={name}]")
        part.get_by_role("button", name=re.compile(say(f"conversation.part.{name}"))).click()
        expect(part).to_contain_text(f"{say(f'conversation.done.{tool}')} ")

    chips(answered).first.click()
    assert_lit(page, (1, papers.NOTICE))
    citation(answered, TITLES["/law"]).click()
    assert_marked(page, LAW)
    expect(viewer(page)).to_contain_text(say("viewer.asItWas", day="").strip())
    live = viewer(page).get_by_role("link", name=say("viewer.live"))
    expect(live).to_have_attribute("href", re.compile(re.escape(outside.url("/law")) + "#:~:text="))


def test_a_citation_opens_our_copy_of_a_page_that_says_something_else_by_now(
    browse: Browse, abroad: Server, outside: Site
) -> None:
    put(outside)
    conversation = abroad.ask("What notice period does the tenancy law of Norway set?", focusMode="web")
    put(outside, LAW.replace("four", "nine"))
    outside.asked.clear()
    page = browse(abroad, f"/c/{conversation}")
    answered = complete(page.get_by_role("main").get_by_role("article"))
    citation(answered, TITLES["/law"]).click()
    assert_marked(page, LAW)
    assert outside.asked == []


def test_pictures_are_shown_under_the_answer_and_their_sites_see_nobody_but_the_server(
    browse: Browse, abroad: Server, outside: Site
) -> None:
    titles = ["The mill in winter", "The mill in spring"]
    pictures = [
        {"category": "images", "url": outside.url("/mill"), "title": title, "img_src": outside.url(f"/{place}.png")}
        for place, title in enumerate(titles)
    ]
    outside.pages["/search"] = sites.searxng(*pictures)
    for place, title in enumerate(titles):
        outside.pages[f"/{place}.png"] = sites.page(files.picture(title), {"Content-Type": "image/png"})
    page = browse(abroad)
    answered = complete(ask(page, "Show me pictures of the mill at Sandvik"))
    gallery = answered.get_by_role("region", name=say("conversation.gallery"))
    tiles = gallery.get_by_role("button", name=like("conversation.gallery.image"))
    expect(tiles).to_have_count(2)
    for tile in tiles.all():
        expect(tile.locator("img")).to_have_js_property("complete", True)
        assert tile.locator("img").evaluate("image => image.naturalWidth") > 0
    tiles.first.click()
    large = page.get_by_role("dialog", name=titles[0])
    large.get_by_role("button", name=say("conversation.gallery.next")).click()
    expect(page.get_by_role("dialog", name=titles[1])).to_be_visible()


def test_on_a_phone_a_pictures_site_is_read_on_one_line_and_its_page_is_within_reach(
    browse: Browse, abroad: Server, outside: Site
) -> None:
    found = [
        {"category": "images", "url": outside.url("/mill"), "title": "The mill", "img_src": outside.url(f"/{name}.png")}
        for name in ("winter", "spring")
    ]
    outside.pages["/search"] = sites.searxng(*found)
    for name in ("winter", "spring"):
        outside.pages[f"/{name}.png"] = sites.page(files.picture(name), {"Content-Type": "image/png"})
    page = browse(abroad, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    answered = complete(ask(page, "Show me pictures of the mill at Sandvik in the snow"))
    answered.get_by_role("button", name=like("conversation.gallery.image")).first.click()
    large = page.get_by_role("dialog")
    site = large.get_by_text(outside.host).bounding_box()
    assert site
    assert site["height"] < 40
    expect(large.get_by_role("link", name=say("conversation.gallery.page"))).to_be_in_viewport(ratio=1)
