"""Show the hidden parts of a page that a reader opens, such as the answers of a list of questions and the tabs."""

from collections.abc import Iterator, Set
from typing import Any

from pincite.reading.html_blocks import HEADINGS, HIDDEN_STYLE, UNSEEN

_OPENING_TAGS = frozenset([*HEADINGS, "button", "summary", "dt"])
_OPENING_ROLES = frozenset(["button", "tab", "heading"])
_AROUND_TAGS = frozenset(["nav", "header", "footer", "aside", "dialog", "menu"])
_AROUND_ROLES = frozenset(
    ["navigation", "menu", "menubar", "listbox", "dialog", "alertdialog", "search", "tooltip", "banner"]
)
_FIELDS = ("input", "textarea", "select")
_LINKED = 0.5  # of a panel's characters in links; with more, it is a menu
_FEW = 20  # words; fewer are a label or a message of the page


def show_panels(root: Any) -> int:
    """Show the hidden elements of a page that something visible opens; return the number of words that stay hidden.

    An element is opened by what says that it controls it, or by the heading or button directly before it.
    """
    from lxml import etree

    controlled = {name for each in root.iter() for name in (each.get("aria-controls") or "").split()}
    shown: set[Any] = set()
    left_out = 0
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        if not _is_hidden(element):
            continue
        is_inner = not shown.isdisjoint(element.iterancestors())  # of a panel, whose text is known
        if _is_panel(element, controlled) and (is_inner or _is_text(element)):
            _show(element)
            shown.add(element)
        else:
            walk.skip_subtree()
            words = _count_words(element)
            left_out += words if words >= _FEW and not _has_fields(element) and _is_text(element) else 0
    return left_out


def _is_hidden(element: Any) -> bool:
    return element.get("hidden") is not None or bool(HIDDEN_STYLE.search(element.get("style") or ""))


def _is_text(element: Any) -> bool:
    """Return whether an element is text of its own, and no menu, small form, message or code."""
    if any(each.tag in UNSEEN or _is_around(each) for each in (element, *element.iterancestors())):
        return False
    if _count_words(element) < _FEW and _has_fields(element):
        return False
    length = sum(map(len, _list_texts(element)))
    linked = sum(len(text) for link in element.iter("a") for text in _list_texts(link))
    return linked <= _LINKED * length


def _has_fields(element: Any) -> bool:
    return next(element.iter(*_FIELDS), None) is not None


def _count_words(element: Any) -> int:
    return sum(len(text.split()) for text in _list_texts(element))


def _is_around(element: Any) -> bool:
    return element.tag in _AROUND_TAGS or element.get("role") in _AROUND_ROLES or element.get("aria-modal") is not None


def _list_texts(element: Any) -> Iterator[str]:
    """Yield the words in an element without those of scripts and styles."""
    for each in element.iter():
        if each.tag not in UNSEEN and (each.text or "").strip():
            yield each.text.strip()
        if each is not element and (each.tail or "").strip():
            yield each.tail.strip()


def _is_panel(element: Any, controlled: Set[str]) -> bool:
    is_named = element.get("role") == "tabpanel" or element.get("id") in controlled
    return is_named or _find_opener(element) is not None


def _find_opener(element: Any) -> Any:
    """Return the heading or button directly before an element, or alone in the element before it; None if none is."""
    before = element.getprevious()
    if before is None or (before.tail or "").strip() or _is_hidden(before):
        return None
    inner = list(before)
    is_lone = len(inner) == 1 and not (before.text or inner[0].tail or "").strip()
    return before if _opens(before) else inner[0] if is_lone and _opens(inner[0]) else None


def _opens(element: Any) -> bool:
    is_marked = element.get("role") in _OPENING_ROLES or element.get("aria-expanded") is not None
    return is_marked or element.tag in _OPENING_TAGS


def _show(element: Any) -> None:
    """Show an element, with the words of its button as text: what is in buttons is no part of an article."""
    opener = _find_opener(element)
    if opener is not None and opener.tag == "button":
        opener.tag = "div"
    for name in ("hidden", "style", "aria-hidden"):
        element.attrib.pop(name, None)
