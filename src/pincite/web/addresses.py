"""A message to the addresses in it, as a reader would take them out of the words around."""

import re

_LONGEST = 2000
# Letters that stand before tell another word: an e-mail address, "xhttp://", a part of a longer name.
_START = re.compile(r"(?<![A-Za-z0-9])https?://|(?<![\w.@/%+-])www\.(?=[\w-])", re.IGNORECASE)
_STOP = re.compile(
    r"[\s<>\"`|\\^{}«»‹›“”„‟。，、！？；：「」『』【】《》（）\x00-\x1f\x7f\ud800-\udfff]|[,;](?=https?://)"
)
_PAIRS = {")": "(", "]": "["}
_TRAILING = ".,;:!?'’‘…·([&"
_EMPHASIS = "*_~"
_AROUND = " ,;:–—-"  # what is left of a sentence beside an address that was taken out of it
_EMPTIED = re.compile(r"\(\s*\)|\[\s*\]|<\s*>|«\s*»|“\s*”|\"\s*\"")
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|[0-9a-f.]*:[0-9a-f:.]*")
_NAME = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,24}|xn--[a-z0-9-]+)")
_FILES = (".pdf", ".docx", ".xlsx", ".pptx", ".html", ".htm", ".txt", ".csv", ".json", ".png", ".jpg")


def addresses(text: str) -> tuple[str, ...]:
    """The web addresses that a text names, in its order, each page once; those without a scheme get https."""
    found: dict[str, str] = {}
    at = 0
    while match := _START.search(text, at):
        taken = _taken(text, match.start())
        at = match.start() + max(len(taken), len(match[0]))
        if url := _whole(taken, is_bare=match[0][:3].lower() == "www"):
            from pincite.web.canonical import canonical  # most texts name no address, and it takes a while to import

            found.setdefault(canonical(url), url)
    return tuple(found.values())


def without_addresses(text: str) -> str:
    """What a text says besides the addresses in it, on one line."""
    while found := addresses(text):
        left = text
        for url in sorted(found, key=len, reverse=True):  # one may be the beginning of another
            left = left.replace(url if url in left else url.removeprefix("https://"), " ")
        if left == text:
            break
        text = left
    return " ".join(_EMPTIED.sub(" ", text).split()).strip(_AROUND)


def _taken(text: str, start: int) -> str:
    """The characters from `start` on that belong to an address, and not to the sentence around it."""
    stop = _STOP.search(text, start, start + _LONGEST)
    candidate = text[start : stop.start() if stop else start + _LONGEST]
    opened: list[str] = []
    for place, char in enumerate(candidate):
        if char in "([":
            opened.append(char)
        # A bracket that was opened before the address closes after it: "(see https://…)", "[words](https://…)".
        elif char in _PAIRS and (not opened or opened.pop() != _PAIRS[char]):
            candidate = candidate[:place]
            break
    before = text[start - 1] if start else ""
    around = before if before and before in _EMPHASIS else ""
    return candidate.rstrip(_TRAILING + around)


def _whole(taken: str, is_bare: bool) -> str:
    """An address with its scheme; "" when these characters are none after all."""
    import httpx2

    from pincite.web.guard import host_of

    try:
        url = httpx2.URL(f"https://{taken}" if is_bare else taken)
        host = host_of(url)
    except (httpx2.InvalidURL, UnicodeError):
        return ""
    # What stands before an @ is an e-mail address, or a password that nobody should send on.
    if url.userinfo or "@" in taken.partition("//")[2].partition("/")[0] or not _HOST.fullmatch(host):
        return ""
    if is_bare and (not _NAME.fullmatch(host) or "@" in taken or (host.endswith(_FILES) and url.path in ("", "/"))):
        return ""
    return f"https://{taken}" if is_bare else taken
