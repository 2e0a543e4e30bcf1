"""Define the settings of the section `web`: the search engine, and how pages are fetched."""

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from pincite.settings_exemptions import parse_exemption
from pincite.settings_section import SettingsSection
from pincite.settings_sources import split_list


def _check_exemptions(allow: tuple[str, ...]) -> tuple[str, ...]:
    """Return the entries; raise `ValueError` where one is neither a host nor a network."""
    for entry in allow:
        parse_exemption(entry)
    return allow


class WebSettings(SettingsSection):
    allow: Annotated[
        tuple[str, ...],
        BeforeValidator(split_list),
        AfterValidator(_check_exemptions),
        Field(description="Hosts (`host`, `host:port`) and networks (CIDR) allowed although they are not public."),
    ] = ()
    seconds: Annotated[float, Field(gt=0, description="Longest time to fetch one address.")] = 60
    max_page_mb: Annotated[int, Field(ge=1, description="Largest web page; files have `reading.max_file_mb`.")] = 10
    per_host: Annotated[int, Field(ge=1, le=10, description="Most requests to one host at once.")] = 2
    pause_seconds: Annotated[
        float, Field(ge=0, le=60, description="Time between two requests to one host; its robots.txt may ask for more.")
    ] = 0.5
    search_url: Annotated[
        str,
        Field(
            # Without a user name and password, which the page would show.
            pattern=r"^(https?://[^\s/?#@]+(/[^\s?#]*)?)?$",
            description="Address of a SearXNG that searches the web; empty is none. The page may set another.",
        ),
    ] = ""
    search_seconds: Annotated[float, Field(gt=0, description="Longest time to wait for that SearXNG.")] = 15
    pages: Annotated[int, Field(ge=1, le=12, description="Most pages that are read for one search of the web.")] = 4
    page_seconds: Annotated[
        float, Field(gt=0, description="How long a search of the web waits for its pages; slower ones are left out.")
    ] = 12
    render: Annotated[
        bool,
        Field(
            description="Read pages that need JavaScript in a browser, if `pincite[browser]` and Chromium are present."
        ),
    ] = True
    browser: Annotated[str, Field(description="Path of the Chromium program; empty searches for one.")] = ""
