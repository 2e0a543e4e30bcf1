"""No screen keeps anybody out: light, dark and in forced colours, in both languages, from a phone to a wide screen."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.browser.barriers import COLOURS, SETTLED, load_axe
from tests.browser.conftest import PAGE_FOLDER, Browse, start_server
from tests.browser.rooms import wait_until_settled
from tests.browser.screen_places import (
    MEMBER,
    SPENT,
    Place,
    enter_team,
    open_bare,
    open_desk,
    open_stage,
    open_team_place,
)
from tests.browser.screens import CARD, DIALOG, MENU, SCREENS, Screen
from tests.browser.teams import OWNER, TeamServer
from tests.browser.watching import Watch

HEIGHT = 900
PART = 8  # screens of a group that one test looks at
# Width, theme, language, rules: another theme changes colours alone, another width or language everything but colours.
LOOKS = (
    (1440, "light", "en", "all"),
    (1440, "dark", "en", "colours"),
    (1440, "forced", "en", "colours"),
    (2560, "light", "fr", "shapes"),
    (768, "light", "en", "shapes"),
    (390, "light", "fr", "shapes"),
)
# The quick run looks at a desktop and at a phone.
FEW = (LOOKS[0], LOOKS[-1])
# A menu, a dialog and a card are as wide as their words, unless the window is narrower.
LOOKS_ON_TOP = (*LOOKS[:3], LOOKS[-1])
# A mark in a source is as high as its line of text, as a link in a sentence is: no larger one would fit.
FAULTS = """async ([part, rules, colours]) => {
  const options = {
    resultTypes: ["violations"],
    preload: false,
    elementRef: true,
    ...(rules === "colours"
      ? { runOnly: colours }
      : { rules: { "target-size": { enabled: true }, "color-contrast": { enabled: rules === "all" } } }),
  };
  const { violations } = await axe.run((part && document.querySelector(part)) || document, options);
  const isFault = ({ id }, { element }) => id !== "target-size" || !element.matches(".lit");
  return violations.map((each) => ({ ...each, nodes: each.nodes.filter((node) => isFault(each, node)) })).filter(
    ({ nodes }) => nodes.length > 0).map(({ id, nodes }) =>
    `${id}: ${nodes.slice(0, 3).map(({ target, html }) => `${target} ${html.slice(0, 160)}`).join(" | ")}`);
}"""
ON_TOP = f"{MENU}, {DIALOG}, {CARD}"
CLOSE = """() => {
  for (const each of document.querySelectorAll("[popover]:popover-open")) each.hidePopover();
  for (const each of document.querySelectorAll("dialog[open]")) each.close();
}"""
GO = """(path) => {
  history.pushState(null, "", "/nowhere");
  history.pushState(null, "", path);
}"""
# Elements that run over the edge: the page itself, or an element in it that does not scroll sideways.
OVERFLOW = """() => {
  const found = [];
  for (const each of document.querySelectorAll("html, main, .room, .thread, dialog[open], [popover]:popover-open"))
    if (each.scrollWidth > each.clientWidth + 1) found.push(`overflow: ${each.tagName}.${each.className}`);
  for (const each of document.querySelectorAll("button, a, input, select, textarea, summary, h1, h2")) {
    if (each.closest("[data-scroller]")) continue;
    if (!each.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { left, right, width } = each.getBoundingClientRect();
    if (width > 1 && (right > innerWidth + 1 || left < -1)) {
      let up = each.parentElement;
      while (up && !["auto", "scroll"].includes(getComputedStyle(up).overflowX)) up = up.parentElement;
      const box = up?.getBoundingClientRect();
      if (!box || box.right > innerWidth + 1 || box.left < -1) found.push(`outside: ${each.outerHTML.slice(0, 160)}`);
    }
  }
  return found;
}"""
SPEAK = """(language) => {
  const newValue = JSON.stringify(language);
  window.dispatchEvent(new StorageEvent("storage", { key: "pincite.language", newValue }));
}"""
LINE_BELOW = """(mark) => {
  const { borderBottomStyle, borderBottomWidth } = getComputedStyle(mark);
  return [borderBottomStyle, parseFloat(borderBottomWidth)];
}"""
# Milliseconds after which a screen that is not seen has closed itself.
GONE = 400


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with open_desk(tmp_path_factory.mktemp("screens") / "desk", start_server) as place:
        yield place


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with open_stage(tmp_path_factory.mktemp("screens") / "stage", PAGE_FOLDER) as place:
        yield place


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with open_bare(tmp_path_factory.mktemp("screens") / "bare", PAGE_FOLDER) as place:
        yield place


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TeamServer, dict[str, str]]]:
    with open_team_place(tmp_path_factory.mktemp("screens") / "team", start_server) as opened:
        yield opened


@pytest.fixture(scope="module")
def visitor(crew: tuple[TeamServer, dict[str, str]]) -> Place:
    return Place(crew[0].server, crew[1])


@pytest.fixture(scope="module")
def owner(crew: tuple[TeamServer, dict[str, str]]) -> Place:
    return enter_team(*crew, OWNER)


@pytest.fixture(scope="module")
def member(crew: tuple[TeamServer, dict[str, str]]) -> Place:
    return enter_team(*crew, MEMBER)


@pytest.fixture(scope="module")
def spent(crew: tuple[TeamServer, dict[str, str]]) -> Place:
    return enter_team(*crew, SPENT)


def put_on(page: Page, width: int, theme: str, language: str) -> None:
    """Change how the open screen is looked at, where it is."""
    page.emulate_media(
        color_scheme="dark" if theme == "dark" else "light",
        forced_colors="active" if theme == "forced" else "none",
        reduced_motion="reduce",
    )
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.evaluate(SPEAK, language)
    page.evaluate(SETTLED)


@dataclass
class Visit:
    """A browser that goes from screen to screen of a place, with few loads of the page."""

    page: Page
    place: Place
    before: Screen | None = None

    def reach(self, screen: Screen) -> None:
        """Go to a screen, by the page's own way if the last screen leaves nothing behind."""
        put_on(self.page, *LOOKS[0][:3])
        before, self.before = self.before, screen
        if not before or not before.leaves_nothing:
            self.load(screen)
            return
        self.page.mouse.move(0, 0)
        self.page.evaluate(CLOSE)
        expect(self.page.locator(ON_TOP)).to_have_count(0)
        if before.path == screen.path:
            screen.open(self.page)
        elif before.path.startswith(("/c/", "/d/")) or "#" in self.name_path(screen):
            self.load(screen)
        else:
            self.page.evaluate(GO, self.name_path(screen))
            self.wait_and_open(screen)

    def load(self, screen: Screen) -> None:
        """Load the page of a screen anew."""
        self.page.goto("about:blank")
        self.page.goto(self.name_path(screen))
        self.wait_and_open(screen)

    def wait_and_open(self, screen: Screen) -> None:
        if not screen.is_busy:
            wait_until_settled(self.page)
        screen.open(self.page)

    def name_path(self, screen: Screen) -> str:
        return screen.path.format(**self.place.names)

    def look(self, screen: Screen, width: int, theme: str, language: str, rules: str) -> list[str]:
        """Return the barriers for people with disabilities on a screen in this form."""
        put_on(self.page, width, theme, language)
        try:
            self.page.locator(screen.shows).first.wait_for(timeout=GONE)
        except PlaywrightTimeoutError:
            self.load(screen)  # it closes itself when the window changes
            put_on(self.page, width, theme, language)
        load_axe(self.page)
        return [*self.page.evaluate(FAULTS, [screen.part, rules, COLOURS]), *self.page.evaluate(OVERFLOW)]


@pytest.mark.parametrize("looks", [FEW, pytest.param(LOOKS, marks=pytest.mark.slow)], ids=["few", "all"])
@pytest.mark.parametrize(
    ("group", "first"), [(name, n) for name in SCREENS for n in range(0, len(SCREENS[name]), PART)]
)
def test_no_screen_keeps_anybody_out(
    request: pytest.FixtureRequest,
    browse: Browse,
    watches: dict[Page, Watch],
    group: str,
    first: int,
    looks: tuple[tuple[int, str, str, str], ...],
) -> None:
    faults: dict[str, list[str]] = {}
    visits: dict[str, Visit] = {}
    for screen in SCREENS[group][first : first + PART]:
        if screen.place not in visits:
            place: Place = request.getfixturevalue(screen.place)
            visits[screen.place] = Visit(browse(place.server, "about:blank", **place.options), place)
        visit = visits[screen.place]
        if screen.complains:
            watches[visit.page].expect(screen.complains)
        visit.reach(screen)
        for width, theme, language, rules in looks:
            if screen.part and (width, theme, language, rules) not in LOOKS_ON_TOP:
                continue
            if width < screen.narrowest:
                continue
            for fault in visit.look(screen, width, theme, language, rules):
                faults.setdefault(f"{screen.name}: {fault}", []).append(f"{width} {theme} {language}")
    assert faults == {}


def test_in_forced_colours_every_verdict_and_every_highlight_has_a_form_of_its_own(
    browse: Browse, stage: Place, desk: Place
) -> None:
    page = browse(stage.server, "/c/{verdicts}".format(**stage.names), forced_colors="active", device_scale_factor=4)
    signs = page.locator("[data-answer] .chip .sign")
    expect(signs).to_have_count(5)
    drawn = [Image.open(BytesIO(each.screenshot())).convert("L").resize((36, 36)) for each in signs.all()]
    for one, other in combinations(drawn, 2):
        # Of all pixels, those that are ink in one drawing and paper in the other.
        assert sum(each > 127 for each in ImageChops.difference(one, other).tobytes()) > 36 * 36 / 12
    page = browse(desk.server, "/d/{lease}?span={span}".format(**desk.names), forced_colors="active")
    notes = page.locator(".marks [data-tone^=note-]:not(.chosen)")
    expect(notes).to_have_count(4)
    lines = [each.evaluate(LINE_BELOW) for each in notes.all()]
    assert {style for style, _ in lines} == {"solid", "dashed", "dotted", "double"}
    # A double line of less than three pixels is drawn as a single one.
    assert all(width >= (3 if style == "double" else 2) for style, width in lines)
    chosen = page.locator(".marks .chosen").first
    assert chosen.evaluate("each => parseFloat(getComputedStyle(each).outlineWidth)") >= 2
    page.goto("/d/{ferry}?span={ferry_span}".format(**desk.names))
    grounds = "each => getComputedStyle(each).backgroundColor"
    assert page.locator(".clean .chosen").first.evaluate(grounds) != page.locator(".clean p").first.evaluate(grounds)
