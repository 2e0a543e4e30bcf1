"""Normalise addresses for comparison. Two addresses with the same canonical form lead to the same page."""

import re
from urllib.parse import unquote

import httpx2

from pincite.web.guard import normalise_host

# Parameters that track clicks and do not change the page.
_TRACKING_NAMES = """
    _ga _gl _hsenc _hsmi at_campaign at_medium dclid ef_id fbclid gad_source gbraid gclid gclsrc igsh igshid li_fat_id
    mc_cid mc_eid mkt_tok msclkid oly_anon_id oly_enc_id rb_clickid s_cid si_trk srsltid ttclid twclid vero_conv
    vero_id wbraid wickedid wt_mc wt_zmc xtor yclid
"""
_TRACKING = frozenset(_TRACKING_NAMES.split())
_PREFIXES = ("utm_", "pk_", "mtm_", "piwik_", "matomo_", "hsa_")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_ROUTE = ("!", "/")  # the fragment names a page of a single-page application


def canonical(url: str) -> str:
    """Return the form of an address to compare by, not to fetch. A string that is not an address stays as it is."""
    try:
        parsed = httpx2.URL(normalise_escapes(url.strip()))
        host = normalise_host(parsed)
    except (httpx2.InvalidURL, UnicodeError):
        return url.strip()
    if parsed.scheme not in ("http", "https") or not host:
        return url.strip()
    while host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    host = f"[{host}]" if ":" in host else host
    port = "" if parsed.port in (None, 80, 443) else f":{parsed.port}"
    path, _, query = parsed.raw_path.decode("ascii").partition("?")
    wanted = "&".join(sorted(_list_parameters(query)))
    fragment = parsed.fragment if parsed.fragment.startswith(_ROUTE) else ""
    return (
        f"https://{host}{port}{path.rstrip('/')}"
        + (f"?{wanted}" if wanted else "")
        + (f"#{fragment}" if fragment else "")
    )


def strip_tracking(url: str) -> str:
    """Return an address to fetch and show, without tracking parameters and without a fragment."""
    try:
        parsed = httpx2.URL(url.strip())
    except httpx2.InvalidURL:
        return url.strip()
    query = parsed.query.decode("ascii")
    wanted = "&".join(_list_parameters(query))
    fragment = parsed.fragment if parsed.fragment.startswith(_ROUTE) else None
    if wanted != query:
        parsed = parsed.copy_with(query=wanted.encode("ascii") if wanted else None)
    return str(parsed.copy_with(fragment=fragment))


def _list_parameters(query: str) -> list[str]:
    """Return the parameters of a query that may change the page, as they are written."""
    return [each for each in query.split("&") if each and not _is_tracking(each.partition("=")[0])]


def _is_tracking(name: str) -> bool:
    name = unquote(name).lower()
    return name in _TRACKING or name.startswith(_PREFIXES)


def normalise_escapes(url: str) -> str:
    """Return an address that escapes only the characters that need it, with the escapes in capitals."""

    def unescape(match: re.Match[str]) -> str:
        char = chr(int(match[0][1:], 16))
        return char if _UNRESERVED.fullmatch(char) else match[0].upper()

    # A doubly escaped character stays escaped: "%2541" means "%41", not "A".
    return _ESCAPE.sub(unescape, url)
