"""Web pages at the terminal: one address, a site to a depth, and what is refused."""

from collections.abc import Callable, Iterator

import pytest

from tests import sites
from tests.cli.conftest import Ran
from tests.sites import Site

Pincite = Callable[..., Ran]


def _page(title: str, *links: str) -> sites.Respond:
    told = f"The page about {title} has a paragraph of its own, long enough to be one that somebody would read. "
    linked = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    return sites.html(
        f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{told * 3}</p>{linked}</body>"
    )


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with sites.serving() as site:
        site.pages["/"] = _page("Dams", "/tignes", "/bail?utm_source=x#top", "http://elsewhere.example/", "/private")
        site.pages["/tignes"] = _page("Tignes", "/", "/deeper")
        site.pages["/bail"] = _page("Leases")
        site.pages["/deeper"] = _page("Deeper")
        site.pages["/private"] = _page("Private")
        site.pages["/robots.txt"] = sites.page(b"User-agent: *\nDisallow: /private\n")
        monkeypatch.setenv("PINCITE_WEB__ALLOW", site.host)
        monkeypatch.setenv("PINCITE_WEB__PAUSE_SECONDS", "0")
        monkeypatch.setenv("PINCITE_WEB__RENDER", "false")
        yield site


def test_a_page_is_added_by_its_address_and_found_by_its_words(pincite: Pincite, site: Site) -> None:
    ran = pincite("add", site.url("/tignes"), "--json")
    assert ran.status == 0, ran.said
    (line,) = ran.lines
    assert (line["title"], line["status"], line["error"]) == ("Tignes", "ready", None)
    assert line["passages"] >= 1
    assert pincite("search", "Tignes", "--json").json[0]["document"] == line["document"]
    assert site.paths == ["/tignes"]


def test_a_site_is_added_to_a_depth_on_its_own_host_as_its_robots_txt_allows(pincite: Pincite, site: Site) -> None:
    ran = pincite("add", site.url("/"), "--depth", "1", "--json")
    titles = {line["title"]: line["status"] for line in ran.lines}
    assert titles == {"Dams": "ready", "Tignes": "ready", "Leases": "ready"}
    assert ran.status == 0
    assert f"Left out {site.url('/private')}: " in ran.said
    assert "robots.txt" in ran.said
    assert "/private" not in site.paths
    assert "/deeper" not in site.paths
    assert {line["title"] for line in pincite("add", site.url("/"), "--depth", "2", "--json").lines} >= {"Deeper"}


def test_a_site_never_leads_to_another_not_even_by_a_redirect(
    pincite: Pincite, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sites.serving() as other:
        monkeypatch.setenv("PINCITE_WEB__ALLOW", f"{site.host},{other.host}")
        other.pages["/linked"] = _page("Linked elsewhere")
        other.pages["/moved"] = _page("Moved elsewhere", other.url("/further"), site.url("/deeper"))
        site.pages["/"] = _page("Dams", other.url("/linked"), "/away", "/tignes")
        site.pages["/away"] = sites.redirect(other.url("/moved"))
        ran = pincite("add", site.url("/"), "--depth", "1", "--json")
        assert {line["title"] for line in ran.lines} == {"Dams", "Tignes"}
        assert f"Left out {site.url('/away')}: " in ran.said
        assert "another site" in ran.said
        assert not {"/linked", "/further"} & set(other.paths)
        assert "/deeper" not in site.paths


def test_the_host_is_that_of_the_page_that_was_shown_first(
    pincite: Pincite, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sites.serving() as other:
        monkeypatch.setenv("PINCITE_WEB__ALLOW", f"{site.host},{other.host}")
        site.pages["/old"] = sites.redirect(other.url("/new"))
        other.pages["/new"] = _page("New place", "/beside", site.url("/tignes"))
        other.pages["/beside"] = _page("Beside it")
        ran = pincite("add", site.url("/old"), "--depth", "1", "--json")
        assert {line["title"] for line in ran.lines} == {"New place", "Beside it"}
        assert site.paths == ["/old"]


def test_a_site_has_a_limit(pincite: Pincite, site: Site) -> None:
    ran = pincite("add", site.url("/"), "--depth", "3", "--most", "2", "--json")
    assert sorted(line["title"] for line in ran.lines) == ["Dams", "Tignes"]


def test_a_visit_that_was_stopped_goes_on_without_fetching_again(
    pincite: Pincite, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    added: list[object] = []

    def stop_at_the_second(_: object, page: object) -> None:
        added.append(page)
        if len(added) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("pincite.cli.ingestion_output.OutcomeReporter.added", stop_at_the_second)
        stopped = pincite("add", site.url("/"), "--depth", "1")
    assert (stopped.status, [path for path in site.paths if path != "/robots.txt"]) == (130, ["/", "/tignes"])
    assert "to continue" in stopped.said
    site.asked.clear()
    ran = pincite("add", site.url("/"), "--depth", "1", "--json")
    assert sorted((line["title"], line["status"]) for line in ran.lines) == [
        ("Dams", "ready"),
        ("Leases", "ready"),
        ("Tignes", "ready"),
    ]
    assert [path for path in site.paths if path != "/robots.txt"] == ["/bail?utm_source=x"]
    site.asked.clear()
    pincite("add", site.url("/"), "--depth", "1")
    assert "/" in site.paths  # it ended, so the next visit looks at every page anew


@pytest.mark.parametrize("path", ["http://127.0.0.1/", "http://10.0.0.1/", "http://localhost:8080/x"])
def test_a_private_address_is_refused_with_what_to_do(pincite: Pincite, path: str) -> None:
    ran = pincite("add", path, "--json")
    assert ran.status == 1
    (line,) = ran.lines
    assert (line["document"], line["status"]) == (None, "failed")
    assert "web.allow" in line["error"]


def test_options_without_sense_for_an_address_are_refused(pincite: Pincite, site: Site, tmp_path: object) -> None:
    assert pincite("add", site.url("/"), "--watch").status == 2
    assert pincite("add", str(tmp_path), "--depth", "1").status == 2
    assert "404" in pincite("add", site.url("/nowhere"), "--json").lines[0]["error"]
