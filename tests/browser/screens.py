"""Every screen of the page, one line each: its name, its server, its path, what shows that it is there, and the way."""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.browser.running import until
from tests.browser.screen_places import FERRY, TITLE
from tests.browser.selecting import select_words
from tests.browser.teams import OWNER
from tests.browser.words import like, say

Step = Callable[[Page], None]
MENU, DIALOG, CARD = "[popover]:popover-open", "dialog[open]", ".card"
SOURCE = ".viewer [data-mark]"


@dataclass(frozen=True)
class Screen:
    """A screen. `shows` is there in both languages and at every width; a complaint of the browser may be expected."""

    name: str
    place: str
    path: str
    shows: str
    steps: tuple[Step, ...] = ()
    complains: str = ""
    is_busy: bool = False  # something on it never settles
    narrowest: int = 0  # in a narrower window it does not exist

    @property
    def part(self) -> str:
        """The part of the page that is new on this screen: a dialog on top of it, or all of it."""
        return next((each for each in (MENU, DIALOG, CARD) if self.shows.startswith(each)), "")

    @property
    def leaves_nothing(self) -> bool:
        """Whether the page is as it was once what lies on top is closed."""
        return not self.steps or (bool(self.part) and SELECT not in self.steps)

    def open(self, page: Page) -> None:
        """Go the rest of the way, as a person does, in English."""
        for step in self.steps:
            step(page)
        expect(page.locator(self.shows).first).to_be_visible()


def press(key: str, role: str = "button", at: int = 0, **values: str | int) -> Step:
    """Click what is called so."""
    return lambda page: page.get_by_role(role, name=like(key, **values)).nth(at).click()  # type: ignore[arg-type]


def press_once(key: str, shows: str) -> Step:
    """Click what is called so, unless what it shows is there already: it stays when the page is loaded again."""

    def pressed(page: Page) -> None:
        shown, button = page.locator(shows).first, page.get_by_role("button", name=like(key))
        expect(shown.or_(button).first).to_be_visible()
        if not shown.is_visible():
            button.click()

    return pressed


def click(selector: str) -> Step:
    return lambda page: page.locator(selector).first.click()


def point(selector: str) -> Step:
    return lambda page: page.locator(selector).first.hover()


def see(selector: str) -> Step:
    return lambda page: expect(page.locator(selector).first).to_be_visible()


def keys(*names: str) -> Step:
    """Press keys, out of any field."""

    def pressed(page: Page) -> None:
        page.evaluate("document.activeElement?.blur()")
        for each in names:
            page.keyboard.press(each)

    return pressed


def write(text: str, key: str = "", role: str = "textbox") -> Step:
    """Type where the focus is, or in the field that is called so."""
    if key:
        return lambda page: page.get_by_role(role, name=like(key)).first.fill(text)  # type: ignore[arg-type]
    return lambda page: page.keyboard.type(text)


def send(page: Page) -> None:
    """Press Enter in the field that was written in."""
    page.keyboard.press("Enter")


def choose(entry: str, key: str) -> Step:
    """Choose an entry of the list that is called so."""

    def chosen(page: Page) -> None:
        page.get_by_label(like(key)).first.select_option(label=say(entry))

    return chosen


def select(words: str) -> Step:
    """Select words of a source."""

    def selected(page: Page) -> None:
        expect(page.locator("[data-scroller]").get_by_text(words).first).to_be_visible()

        def opens_menu() -> bool:
            select_words(page, words)
            page.wait_for_timeout(300)
            return page.locator(".selection-menu").is_visible()

        until(opens_menu)  # a page that is drawn anew loses the selection

    return selected


def open_panel(page: Page) -> None:
    """Open the panel of the workspace where it waits behind a button."""
    if not page.locator(".side").count():
        press("workspaces.panel")(page)


def drag_over(page: Page) -> None:
    """Carry a file over the page."""
    carried = page.evaluate_handle(
        "() => { const c = new DataTransfer(); c.items.add(new File([], 'a.pdf')); return c; }"
    )
    for event in ("dragenter", "dragover"):
        page.get_by_role("main").dispatch_event(event, {"dataTransfer": carried})


def send_many(page: Page) -> None:
    """Choose many files at once; they cannot be read, so that nothing changes the list while it is looked at."""
    page.route("**/api/documents", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    paths = [{"name": f"paper-{n}.pdf", "mimeType": "application/pdf", "buffer": b"%PDF"} for n in range(12)]
    page.get_by_label(like("library.files")).last.set_input_files(paths)  # type: ignore[arg-type]


def act(title: str, key: str) -> tuple[Step, ...]:
    return (press("people.acts", name=title), press(key, "menuitem"))


LINE = FERRY.splitlines()[4]
SELECT = click("label:has(> input[type=checkbox])")
DRAWN = see(".words-layer span")
UNFOLD = click(".sources [aria-expanded=false]")
ADD_MODEL = press("settings.setup.add")
SCREENS: dict[str, tuple[Screen, ...]] = {
    "start": (
        Screen("start, empty", "bare", "/", ".beginning-bare"),
        Screen("start", "desk", "/", ".suggestions"),
        Screen("start, file carried over it", "desk", "/", ".drop-over", (drag_over,)),
        Screen("focus menu", "desk", "/", MENU, (press("conversation.focus"),)),
        Screen("model menu", "desk", "/", MENU, (press("conversation.modelSwitch"),)),
        Screen("scope", "desk", "/", ".scope label", (press("conversation.scope.all"),)),
        Screen("nothing here", "desk", "/nosuch", "main h1", complains="404"),
    ),
    "frame": (
        Screen("keys", "desk", "/", DIALOG, (keys("?"),)),
        Screen("search everything", "desk", "/library", "[role=option]", (keys("Control+k"), write("rent"))),
        Screen("workspace menu", "desk", "/conversations", MENU, (open_panel, press("workspaces.menu"))),
        Screen(
            "new workspace",
            "desk",
            "/conversations",
            f"{DIALOG} input[type=checkbox]",
            (open_panel, press("workspaces.menu"), press("workspaces.add", "menuitem")),
        ),
        # It stays open, so this is the last one.
        Screen(
            "open workspace",
            "desk",
            "/conversations",
            ".side-counted",
            (open_panel, press("workspaces.menu"), click("[role=menuitemradio] >> text=Mill report")),
        ),
    ),
    "conversations": (
        Screen("conversations", "desk", "/conversations", "[data-conversation]"),
        Screen("conversations, empty", "bare", "/conversations", "main h1"),
        Screen(
            "conversations, searched",
            "desk",
            "/conversations",
            "mark",
            (write("rent", "conversations.search", "searchbox"),),
        ),
        Screen("conversation's actions in the list", "desk", "/conversations", MENU, (press("conversations.acts"),)),
        Screen("conversation that is gone", "desk", "/c/none", "main", complains="404"),
        Screen("answer of passages", "desk", "/c/{passages}", SOURCE),
        Screen("answer of a model", "desk", "/c/{answer}", SOURCE),
        Screen("refusal", "desk", "/c/{refusal}", ".exchange", (click(".exchange [aria-expanded=false]"),)),
        Screen("answer that failed", "desk", "/c/{failed}", ".trouble"),
        Screen("answer from the web", "desk", "/c/{web}", SOURCE),
        Screen("pictures", "desk", "/c/{pictures}", ".exchange img"),
        Screen("one picture", "desk", "/c/{pictures}", f"{DIALOG} img", (press("conversation.gallery.image"),)),
        Screen("verdicts", "stage", "/c/{verdicts}", "[data-answer] .says"),
        Screen("report", "stage", "/c/{report}", ".outline"),
        Screen("answer being written", "stage", "/c/{running}", ".chip[data-form=checking]", is_busy=True),
        Screen("card of a citation", "desk", "/c/{answer}", ".card", (point(".chip"),)),
        Screen("card of a contradiction", "stage", "/c/{verdicts}", ".card", (point(".chip[data-form=contradicted]"),)),
        Screen("steps unfolded", "desk", "/c/{answer}", ".exchange [aria-expanded=true]", (click(".fold-button"),)),
        Screen("how it was made", "desk", "/c/{answer}", ".info", (press("conversation.info"),)),
        Screen("copy and references", "desk", "/c/{answer}", MENU, (press("conversation.copy"),)),
        Screen("conversation's menu", "desk", "/c/{answer}", MENU, (press("conversation.menu"),)),
        Screen(
            "rename a conversation",
            "desk",
            "/c/{answer}",
            DIALOG,
            (press("conversation.menu"), press("conversation.rename", "menuitem")),
        ),
        Screen(
            "delete a conversation",
            "desk",
            "/c/{answer}",
            DIALOG,
            (press("conversation.menu"), press("conversation.remove", "menuitem")),
        ),
        Screen("edit a question", "desk", "/c/{answer}", ".exchange textarea", (press("conversation.edit"),)),
        Screen(
            "rating",
            "desk",
            "/c/{passages}",
            ".rating-comment",
            (press("conversation.good"), press("conversation.bad")),
        ),
        Screen(
            "sources unfolded",
            "desk",
            "/c/{answer}",
            ".sources [aria-expanded=true]",
            (UNFOLD,),
        ),
        Screen("cite one source", "desk", "/c/{answer}", MENU, (UNFOLD, press("conversation.references.one"))),
    ),
    "sources": (
        Screen("PDF", "desk", "/d/{lease}?span={span}", ".marks .lit", (DRAWN,)),
        Screen("pages of a PDF", "desk", "/d/{lease}", ".viewer-panel", (press("viewer.panel"),)),
        Screen("notes of a PDF", "desk", "/d/{lease}", ".note", (click(".marks [data-tone^=note-]"),)),
        Screen("note's menu", "desk", "/d/{lease}", MENU, (click(".marks [data-tone^=note-]"), press("notes.acts"))),
        Screen("search in a PDF", "desk", "/d/{lease}", ".viewer-find input", (press("viewer.find"), write("rent"))),
        Screen("zoom", "desk", "/d/{lease}", MENU, (press("viewer.zoom"),), narrowest=768),
        Screen("text", "desk", "/d/{ferry}?span={ferry_span}", ".clean .lit"),
        Screen("outline of a text", "desk", "/d/{ferry}", ".viewer-panel", (press("viewer.panel"),)),
        Screen("selection", "desk", "/d/{ferry}", ".selection-menu", (select(LINE),)),
        Screen("found elsewhere", "desk", "/d/{ferry}", DIALOG, (select(LINE), press("selection.elsewhere"))),
        Screen("table", "desk", "/d/{table}", ".clean table"),
        Screen("code", "desk", "/d/{crane}", ".code-line"),
        Screen("web page", "desk", "/d/{page}", ".clean"),
        Screen("slides", "desk", "/d/{deck}", "[data-page] .slide"),
        Screen("Word document", "desk", "/d/{word}", ".drawn-block"),
        Screen("workbook", "desk", "/d/{sums}", ".clean table"),
        Screen("document that is gone", "desk", "/d/none", "main", complains="404"),
        # The choice stays, so this is the last one.
        Screen(
            "dark pages of a PDF",
            "desk",
            "/d/{lease}?span={span}",
            "[data-dark-pages] .marks .lit",
            (DRAWN, press_once("viewer.darkPages", "[data-dark-pages]")),
        ),
    ),
    "library": (
        Screen("library, empty", "bare", "/library", ".adding.is-empty"),
        Screen("library", "desk", "/library", ".document"),
        Screen(
            "library with a source",
            "desk",
            "/library",
            ".viewer [data-page]",
            (click(f".document-title >> text={TITLE}"),),
        ),
        Screen("document's menu", "desk", "/library", MENU, (press("library.acts", title=TITLE),)),
        Screen(
            "document card",
            "desk",
            "/library",
            "[data-document] section",
            (press("library.acts", title="Ferry"), press("library.card.show", "menuitem")),
        ),
        Screen(
            "rename a document",
            "desk",
            "/library",
            ".document-text input",
            (press("library.acts", title=TITLE), press("library.rename", "menuitem")),
        ),
        Screen("documents selected", "desk", "/library", ".chosen-bar", (SELECT,)),
        Screen("tag documents", "desk", "/library", MENU, (SELECT, press("library.tag"))),
        Screen("move documents", "desk", "/library", MENU, (SELECT, press("library.move"))),
        Screen("many files added", "desk", "/library", ".upload", (send_many,), "ERR_FAILED"),
    ),
    "notebooks": (
        Screen("notebooks", "desk", "/notebooks", "main li"),
        Screen("notebooks, empty", "bare", "/notebooks", "main"),
        Screen(
            "notebooks, searched", "desk", "/notebooks", "main li", (write("notary", "notebook.search", "searchbox"),)
        ),
        Screen("notebook", "desk", "/notebooks/{notebook}", ".kept-item"),
        Screen("notebook's menu", "desk", "/notebooks/{notebook}", MENU, (press("notebook.menu"),)),
        Screen("kept thing's menu", "desk", "/notebooks/{notebook}", MENU, (press("notebook.acts"),)),
        Screen("notebook, own words", "desk", "/notebooks/{notebook}", "main textarea", (press("notebook.write"),)),
        Screen("notebook beside", "desk", "/c/{answer}", ".notebook-panel .kept-item", (press("notebook.panel"),)),
    ),
    "settings": (
        Screen("settings", "desk", "/settings", ".settings section"),
        Screen("settings of a new server", "bare", "/settings", ".settings section"),
        Screen(
            "provider of models",
            "desk",
            "/settings",
            ".settings input[type=password]",
            (ADD_MODEL, choose("settings.setup.provider.other", "settings.setup.provider")),
        ),
        Screen(
            "trial of a model",
            "desk",
            "/settings",
            ".model-trial svg",
            (ADD_MODEL, press("settings.setup.try"), see(".model-trial li:nth-child(3) svg")),
        ),
        Screen("persona", "desk", "/settings", ".persona-form", (press("settings.persona.add"),)),
    ),
    "projects": (
        Screen("project", "desk", "/c/{changes}", ".viewer [data-lines]"),
        Screen("files of a project", "desk", "/c/{changes}", ".tree", (press("projects.browse", name="harbour"),)),
    ),
    "accounts": (
        Screen("sign in", "visitor", "/sign-in", "main form"),
        Screen(
            "sign in, refused",
            "visitor",
            "/sign-in",
            "[aria-invalid=true]",
            (write("Nobody", "account.nameOrEmail"), send),
        ),
        Screen("join without a link", "visitor", "/join", "main h1"),
        Screen("join", "visitor", "{join}", "main form"),
        Screen("new password without a link", "visitor", "/reset", "main h1"),
        Screen("new password", "visitor", "{reset}", "main form"),
        Screen("shared conversation", "visitor", "{shared}", ".chip"),
        Screen("source of a shared conversation", "visitor", "{shared}", ".viewer", (click(".chip"),)),
        Screen("shared conversation without a link", "visitor", "/shared", "main h1"),
        Screen("guest", "visitor", "/", ".guest-hint", (press_once("account.guest.begin", ".guest-hint"),)),
        Screen("account", "member", "/account", "main section"),
        Screen("account menu", "member", "/", MENU, (press("account.menu"),)),
        Screen(
            "change the password",
            "member",
            "/account",
            "main input[type=password]",
            (press("account.password.change"),),
        ),
        Screen("new token", "member", "/account", DIALOG, (press("account.token.make"),)),
        Screen("delete the account", "member", "/account", DIALOG, (press("account.delete"),)),
        Screen("shared library", "member", "/library", ".library-card"),
        Screen(
            "monthly limit",
            "spent",
            "/",
            "[role=alert]",
            (write("Who keeps the lighthouse?", "conversation.ask"), send),
            "429",
        ),
        Screen("share a library", "owner", "/library", f"{DIALOG} select", (press("sharing.library"),)),
        Screen(
            "share a conversation",
            "owner",
            "/c/{conversation}",
            f"{DIALOG} select",
            (press("conversation.menu"), press("sharing.link.menu", "menuitem")),
        ),
        Screen("people", "owner", "/people", "main li"),
        Screen("invitations", "owner", "/people?tab=invitations", "main li"),
        Screen("groups", "owner", "/people?tab=groups", "main h2"),
        Screen("usage of all", "owner", "/people?tab=usage", "figure"),
        Screen("usage of all as a table", "owner", "/people?tab=usage", "main table", (click("summary"),)),
        Screen("audit log", "owner", "/people?tab=audit", "main li"),
        *(
            Screen(key, "owner", "/people", f"{DIALOG} h2", act(OWNER, key))
            for key in ("people.role.change", "people.reset", "people.quota", "people.access", "people.remove")
        ),
    ),
}
