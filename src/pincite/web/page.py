"""A page's HTML to what it says instead of its content: that one should go elsewhere, or that nothing is here yet."""

import re
from typing import Any

import httpx2

from pincite.reading import markup
from pincite.reading.draft import Draft
from pincite.web.canonical import canonical
from pincite.web.parsing import Emptiness

_LONGEST_WAIT = 10  # seconds; a page that moves on later was meant to be read
_FEW = 250  # characters that are hardly a page
_SOME = 1500
_REFRESH = re.compile(r"\s*(\d{1,4})(?:\.\d*)?\s*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"'\s][^\"']*)?", re.IGNORECASE)
_SCRIPT = re.compile(
    r"(?:enable|activate|turn on|requires?|needs?|without|activer|activez|nécessite|désactivé|aktivieren)"
    r"\W+(?:\w+\W+){0,4}java\s?script"
    r"|java\s?script\W+(?:\w+\W+){0,4}(?:disabled|required|enabled?|necessary|désactivé|requis|nécessaire|deaktiviert)",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"accept(?:er)? (?:all|tout|les)|tout (?:accepter|refuser)|reject all|continuer sans accepter|alle akzeptieren"
    r"|before you continue|avant (?:de|d['’]accéder)|manage (?:cookies|preferences|consent)|paramétrer (?:les|mes)",
    re.IGNORECASE,
)
_COOKIES = re.compile(r"\bcookies?\b|\bconsent", re.IGNORECASE)
_BLOCKED = re.compile(
    r"verify(?:ing)? (?:that )?you are (?:a )?human|are you a (?:human|robot)|i['’]?m not a robot|captcha"
    r"|unusual traffic|checking your browser|just a moment|access denied|vous n['’]êtes pas un robot|request blocked",
    re.IGNORECASE,
)
# What the shell of a page is made of that a script fills later.
_SHELL = ("root", "app", "__next", "__nuxt", "main-app", "svelte", "q-app", "ember-app")


def refresh_of(html: str, url: str) -> str | None:
    """Where a page sends its reader by itself, soon and elsewhere; nothing for a page that is to be read."""
    if "refresh" not in html.lower() or (root := markup.parse(html)) is None:
        return None
    for meta in root.iter("meta"):
        if (meta.get("http-equiv") or "").strip().lower() != "refresh" or _is_inside(meta, "noscript"):
            continue
        match = _REFRESH.match(meta.get("content") or "")
        if not match or not match[2] or int(match[1]) > _LONGEST_WAIT:
            return None
        try:
            target = str(httpx2.URL(url).join(match[2].strip()))
        except httpx2.InvalidURL:
            return None
        return target if canonical(target) != canonical(url) else None
    return None


def looks_empty(html: str, *, is_rendered: bool = False) -> Emptiness:
    """Why a page holds nothing to read as it came, or as a browser left it; "" for one that does."""
    root = markup.parse(html)
    if root is None:
        return ""
    visible = _visible(root)
    if len(visible) >= 2 * _SOME:
        return ""
    title = " ".join((root.findtext(".//title") or "").split())
    spoken = f"{title} {visible}"
    if len(visible) < _SOME and _BLOCKED.search(spoken):
        return "blocked"
    scripts = sum(1 for _ in root.iter("script"))
    if len(visible) < _SOME and _SCRIPT.search(visible):
        return "script"
    if (
        len(visible) < _FEW
        and not is_rendered
        and (_SCRIPT.search(_unscripted(root)) or (scripts and _has_shell(root)))
    ):
        return "script"
    if not visible and scripts:
        return "script"
    return "consent" if _CONSENT.search(visible) and len(_COOKIES.findall(visible)) > 1 and scripts else ""


def _visible(root: Any) -> str:
    body = root.find("body")
    draft = Draft()
    markup.write(root if body is None else body, draft)
    return draft.document("html").text


def _unscripted(root: Any) -> str:
    """What a page says to browsers without JavaScript."""
    return " ".join(" ".join(each.itertext()) for each in root.iter("noscript"))


def _has_shell(root: Any) -> bool:
    """Whether an element that frameworks fill is there, with next to nothing in it."""
    return any(
        (element.get("id") or "").lower() in _SHELL and len("".join(element.itertext()).strip()) < _FEW
        for element in root.iter("div", "main", "section")
    )


def _is_inside(element: Any, tag: str) -> bool:
    return next(element.iterancestors(tag), None) is not None
