"""Find the address that a page redirects to in its HTML, and the reason why a page has no content."""

import re
from typing import Any

import httpx2

from pincite.reading import html_blocks
from pincite.reading.document_draft import Draft
from pincite.web.canonical import canonical
from pincite.web.web_parser import Emptiness

_LONGEST_WAIT = 10  # seconds; a page that redirects later is meant to be read
_FEW = 250  # characters; a page with fewer is hardly a page
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
# The ids of elements that a script fills later.
_SHELL = ("root", "app", "__next", "__nuxt", "main-app", "svelte", "q-app", "ember-app")


def find_refresh(html: str, url: str) -> str | None:
    """Return the address that a page soon redirects to by itself, or None for a page to be read."""
    if "refresh" not in html.lower() or (root := html_blocks.parse_html(html)) is None:
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


def find_emptiness(html: str, *, is_rendered: bool = False) -> Emptiness:
    """Return why a page, as it came or as a browser rendered it, has no content; "" if it has some."""
    root = html_blocks.parse_html(html)
    if root is None:
        return ""
    visible = _read_visible_text(root)
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
        and (_SCRIPT.search(_read_noscript(root)) or (scripts and _has_shell(root)))
    ):
        return "script"
    if not visible and scripts:
        return "script"
    return "consent" if _CONSENT.search(visible) and len(_COOKIES.findall(visible)) > 1 and scripts else ""


def _read_visible_text(root: Any) -> str:
    body = root.find("body")
    draft = Draft()
    html_blocks.write_blocks(root if body is None else body, draft)
    return draft.document("html").text


def _read_noscript(root: Any) -> str:
    """Return the text that a page shows to browsers without JavaScript."""
    return " ".join(" ".join(each.itertext()) for each in root.iter("noscript"))


def _has_shell(root: Any) -> bool:
    """Return whether the page has an almost empty element that frameworks fill."""
    return any(
        (element.get("id") or "").lower() in _SHELL and len("".join(element.itertext()).strip()) < _FEW
        for element in root.iter("div", "main", "section")
    )


def _is_inside(element: Any, tag: str) -> bool:
    return next(element.iterancestors(tag), None) is not None
