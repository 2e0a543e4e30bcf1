"""Find web addresses in a message, and remove them from it."""

import re

_LONGEST = 2000
# Reject a match that continues another word: an e-mail address, "xhttp://", a part of a longer name.
_START = re.compile(r"(?<![A-Za-z0-9])https?://|(?<![\w.@/%+-])www\.(?=[\w-])", re.IGNORECASE)
_STOP = re.compile(
    r"[\s<>\"`|\\^{}«»‹›“”„‟。，、！？；：「」『』【】《》（）\x00-\x1f\x7f\ud800-\udfff]|[,;](?=https?://)"
)
_PAIRS = {")": "(", "]": "["}
_TRAILING = ".,;:!?'’‘…·([&"
_EMPHASIS = "*_~"
_AROUND = " ,;:–—-"  # punctuation that remains around a removed address
_EMPTIED = re.compile(r"\(\s*\)|\[\s*\]|<\s*>|«\s*»|“\s*”|\"\s*\"")
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|[0-9a-f.]*:[0-9a-f:.]*")
_NAME = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,24}|xn--[a-z0-9-]+)")
_FILES = (".pdf", ".docx", ".xlsx", ".pptx", ".html", ".htm", ".txt", ".csv", ".json", ".png", ".jpg")


def find_addresses(text: str) -> tuple[str, ...]:
    """Return the web addresses in a text, in order, each page once; an address without a scheme gets https."""
    found: dict[str, str] = {}
    at = 0
    while match := _START.search(text, at):
        taken = _cut_address(text, match.start())
        at = match.start() + max(len(taken), len(match[0]))
        if url := _complete_address(taken, is_bare=match[0][:3].lower() == "www"):
            from pincite.web.canonical import canonical  # slow to import, and most texts contain no address

            found.setdefault(canonical(url), url)
    return tuple(found.values())


def strip_addresses(text: str) -> str:
    """Return a text without the addresses in it, on one line."""
    while found := find_addresses(text):
        left = text
        for url in sorted(found, key=len, reverse=True):  # one address may be the start of another
            left = left.replace(url if url in left else url.removeprefix("https://"), " ")
        if left == text:
            break
        text = left
    return " ".join(_EMPTIED.sub(" ", text).split()).strip(_AROUND)


def _cut_address(text: str, start: int) -> str:
    """Return the characters from `start` that belong to the address and not to the sentence around it."""
    stop = _STOP.search(text, start, start + _LONGEST)
    candidate = text[start : stop.start() if stop else start + _LONGEST]
    opened: list[str] = []
    for place, char in enumerate(candidate):
        if char in "([":
            opened.append(char)
        # A bracket opened before the address closes after it: "(see https://…)", "[words](https://…)".
        elif char in _PAIRS and (not opened or opened.pop() != _PAIRS[char]):
            candidate = candidate[:place]
            break
    before = text[start - 1] if start else ""
    around = before if before and before in _EMPHASIS else ""
    return candidate.rstrip(_TRAILING + around)


def _complete_address(taken: str, is_bare: bool) -> str:
    """Return an address with its scheme, or "" if the characters are not a valid address."""
    import httpx2

    from pincite.web.guard import normalise_host

    try:
        url = httpx2.URL(f"https://{taken}" if is_bare else taken)
        host = normalise_host(url)
    except (httpx2.InvalidURL, UnicodeError):
        return ""
    # Text before an @ is part of an e-mail address, or a password that must not be sent on.
    if url.userinfo or "@" in taken.partition("//")[2].partition("/")[0] or not _HOST.fullmatch(host):
        return ""
    if is_bare and (not _NAME.fullmatch(host) or "@" in taken or (host.endswith(_FILES) and url.path in ("", "/"))):
        return ""
    return f"https://{taken}" if is_bare else taken
