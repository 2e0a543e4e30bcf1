"""Actions of a person on the pages, found by the texts that are shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import JSHandle, Locator, Page, expect

from tests.browser.running import until
from tests.browser.words import like, say

_CARRY = """([name, bytes]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([Uint8Array.from(bytes)], name));
  return carried;
}"""
# The page shows a message with a way back for six seconds, and carries out a removal a moment later.
_WAIT_FOR_UNDO = """(seconds) => {
  const start = window.setTimeout;
  window.setTimeout = (run, delay, ...rest) =>
    start(run, delay >= 6000 && delay < 7000 ? 1000 * seconds : delay, ...rest);
}"""
_LOOK_OUT = """(text) => {
  const { dataset } = document.documentElement;
  delete dataset.wasShown;
  const look = () => {
    if (!document.body.innerText.includes(text)) return;
    dataset.wasShown = text;
    observer.disconnect();
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true });
}"""


def composer(page: Page, language: str = "en") -> Locator:
    """Where a question is written."""
    return page.get_by_role("textbox", name=say("conversation.ask", language))


def ask(page: Page, question: str) -> Locator:
    """Ask as a person does; the exchange that comes of it."""
    composer(page).fill(question)
    composer(page).press("Enter")
    return exchange(page, question)


def exchange(page: Page, question: str) -> Locator:
    """A question with its answer."""
    asked = page.get_by_role("heading", name=question, exact=True, level=2)
    return page.get_by_role("main").get_by_role("article").filter(has=asked)


def complete(answered: Locator) -> Locator:
    """The same, once the answer is whole."""
    expect(answered.get_by_role("button", name=say("conversation.info"))).to_be_visible()
    return answered


def chips(answered: Locator) -> Locator:
    """The citations after the sentences of an answer."""
    return answered.get_by_role("button", name=like("conversation.chip"))


def point_at(chip: Locator) -> Locator:
    """Point at a citation until its card shows; what is drawn late may take the citation from under the pointer."""
    card = chip.page.get_by_role("tooltip")

    def shows_card() -> bool:
        chip.page.mouse.move(0, 0)
        chip.hover()
        chip.page.wait_for_timeout(500)
        return card.is_visible()

    until(shows_card)
    return card


def viewer(page: Page) -> Locator:
    """The source beside the room."""
    return page.get_by_role("complementary")


def set_undo_time(page: Page, seconds: float) -> None:
    """Change how long the page waits for a person who may undo something: a busy machine needs longer than a person."""
    page.evaluate(_WAIT_FOR_UNDO, seconds)


@contextmanager
def shown_for_a_moment(page: Page, text: str) -> Iterator[None]:
    """Expect a text to be shown during the block or after it, though it may be gone before a test can look."""
    page.evaluate(_LOOK_OUT, text)
    yield
    expect(page.locator("html")).to_have_attribute("data-was-shown", text)


def drop(page: Page, target: Locator, path: Path) -> None:
    """Carry a file over the page and let it go."""
    carried: JSHandle = page.evaluate_handle(_CARRY, [path.name, list(path.read_bytes())])
    for event in ("dragenter", "dragover", "drop"):
        target.dispatch_event(event, {"dataTransfer": carried})


def arrive(page: Page, path: str) -> None:
    """Go to a room and wait until all that it loads is there; some rooms listen to the server for ever."""
    page.goto(path)
    wait_until_settled(page)


def wait_until_settled(page: Page) -> None:
    """Wait until the room has something in it and nothing of it is being loaded."""
    expect(page.get_by_role("main")).not_to_be_empty()
    expect(page.locator("[aria-busy=true], .skeleton, .spinner")).to_have_count(0)
