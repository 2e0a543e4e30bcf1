"""An address to the form it is compared in: two addresses with the same one lead to the same page."""

import re
from urllib.parse import unquote

import httpx2

from pincite.web.guard import host_of

# What is added to an address to follow whoever clicks it, and changes nothing of the page.
_TRACKING_NAMES = """
    _ga _gl _hsenc _hsmi at_campaign at_medium dclid ef_id fbclid gad_source gbraid gclid gclsrc igsh igshid li_fat_id
    mc_cid mc_eid mkt_tok msclkid oly_anon_id oly_enc_id rb_clickid s_cid si_trk srsltid ttclid twclid vero_conv
    vero_id wbraid wickedid wt_mc wt_zmc xtor yclid
"""
_TRACKING = frozenset(_TRACKING_NAMES.split())
_PREFIXES = ("utm_", "pk_", "mtm_", "piwik_", "matomo_", "hsa_")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_ROUTE = ("!", "/")  # a fragment that names a page of a site which is one page to its server


def canonical(url: str) -> str:
    """The form to compare an address in, which is not one to fetch; what is no address comes back as it is."""
    try:
        parsed = httpx2.URL(plain(url.strip()))
        host = host_of(parsed)
    except (httpx2.InvalidURL, UnicodeError):
        return url.strip()
    if parsed.scheme not in ("http", "https") or not host:
        return url.strip()
    while host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    host = f"[{host}]" if ":" in host else host
    port = "" if parsed.port in (None, 80, 443) else f":{parsed.port}"
    path, _, query = parsed.raw_path.decode("ascii").partition("?")
    wanted = "&".join(sorted(_wanted(query)))
    fragment = parsed.fragment if parsed.fragment.startswith(_ROUTE) else ""
    return (
        f"https://{host}{port}{path.rstrip('/')}"
        + (f"?{wanted}" if wanted else "")
        + (f"#{fragment}" if fragment else "")
    )


def untracked(url: str) -> str:
    """An address that can be fetched and shown, without what follows the reader, and without a place in the page."""
    try:
        parsed = httpx2.URL(url.strip())
    except httpx2.InvalidURL:
        return url.strip()
    query = parsed.query.decode("ascii")
    wanted = "&".join(_wanted(query))
    fragment = parsed.fragment if parsed.fragment.startswith(_ROUTE) else None
    if wanted != query:
        parsed = parsed.copy_with(query=wanted.encode("ascii") if wanted else None)
    return str(parsed.copy_with(fragment=fragment))


def _wanted(query: str) -> list[str]:
    """The parameters of a query that may change the page, as they are written."""
    return [each for each in query.split("&") if each and not _follows(each.partition("=")[0])]


def _follows(name: str) -> bool:
    name = unquote(name).lower()
    return name in _TRACKING or name.startswith(_PREFIXES)


def plain(url: str) -> str:
    """An address whose escapes stand only where they must, all in capitals."""

    def unescaped(match: re.Match[str]) -> str:
        char = chr(int(match[0][1:], 16))
        return char if _UNRESERVED.fullmatch(char) else match[0].upper()

    # An escape that was hidden in another one is left alone: "%2541" names "%41", not "A".
    return _ESCAPE.sub(unescaped, url)
