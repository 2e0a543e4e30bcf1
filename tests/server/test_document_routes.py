from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import pytest
from starlette.testclient import TestClient

from pincite.library.web_snapshots import archive_page
from pincite.reading.source import Source
from pincite.server import create_app
from pincite.settings import load_settings
from pincite.store import documents
from pincite.store.database import Database
from tests import files, pdfs
from tests.clock import wait_until
from tests.server.conftest import TEXT
from tests.server.uploads import read, upload
from tests.sites import Site, html, page, serving
from tests.work import AtOnce


def test_an_uploaded_file_is_taken_in_and_read(client: TestClient) -> None:
    added = upload(client, library="water")
    assert (added["name"], added["status"], added["outcome"]) == ("lakes.md", "queued", "new")
    read(client)
    told = client.get(f"/api/documents/{added['id']}").json()
    assert (told["title"], told["kind"], told["status"], told["passages"]) == ("Lakes", "markdown", "ready", 1)
    assert client.get(f"/api/documents/{added['id'][:6]}").json() == told
    assert (told.pop("snapshots"), told["url"], told["fetched"]) == ([], None, None)
    assert client.get("/api/documents?library=water").json()["documents"] == [told]


def test_the_same_bytes_are_known_and_another_file_of_the_same_name_is_another_document(client: TestClient) -> None:
    first = upload(client)
    again = upload(client)
    assert (again["id"], again["outcome"]) == (first["id"], "known")
    other = upload(client, content="# Rivers\n\nThe Ness is short.\n")
    assert other["outcome"] == "new"
    assert client.get("/api/documents").json()["total"] == 2


@pytest.mark.parametrize("name", ["../../etc/passwd.md", "C:\\secret\\a.md", "a\nb.md", "é" * 300 + ".md", "…"])
def test_a_files_name_is_never_a_path(client: TestClient, name: str) -> None:
    added = upload(client, name)
    assert "/" not in added["name"]
    assert "\\" not in added["name"]
    assert 0 < len(added["name"]) <= 200
    headers = client.get(f"/api/documents/{added['id']}/file").headers
    assert headers["content-disposition"].startswith("inline; filename")
    assert "\n" not in headers["content-disposition"]


def test_a_web_page_tells_what_was_kept_of_it_at_other_times(client: TestClient, tmp_path: Path) -> None:
    library, url, path = client.app.state.library, "https://example.org/lakes", tmp_path / "page.html"  # type: ignore[attr-defined]

    def kept(words: str, url: str = url) -> str:
        path.write_text(f"<article><h1>Lakes</h1><p>{words}</p></article>")
        return archive_page(library, "local", AtOnce(), Source(path, "page.html"), url, {}).id

    before, other = kept("The lake is forty metres deep."), kept("Another page altogether.", f"{url}/other")
    after = kept("The lake is fifty metres deep.")
    told = client.get(f"/api/documents/{before}").json()
    assert (told["url"], told["libraries"]) == (url, ["web"])
    assert [each["document"] for each in told["snapshots"]] == [before, after]
    assert told["snapshots"][0]["fetched"] == told["fetched"] <= told["snapshots"][1]["fetched"]
    assert client.get(f"/api/documents/{after}").json()["snapshots"] == told["snapshots"]
    assert [each["document"] for each in client.get(f"/api/documents/{other}").json()["snapshots"]] == [other]
    client.delete(f"/api/documents/{before}")
    assert [each["document"] for each in client.get(f"/api/documents/{after}").json()["snapshots"]] == [after]


def test_a_long_name_of_an_upload_keeps_its_beginning_and_its_ending(client: TestClient) -> None:
    name = "Rapport " + "très-" * 60
    assert upload(client, f"{name}long.txt")["name"] == f"{name[:196]}.txt"


def test_an_upload_over_the_limit_is_refused(client: TestClient) -> None:
    answer = client.post("/api/documents", files={"file": ("big.txt", b"a" * 20_000_000)})
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    slightly = client.post("/api/documents", files={"file": ("big.txt", b"a" * 1_500_000)})
    assert slightly.status_code == 413
    assert client.get("/api/documents").json()["total"] == 0


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        yield made


def test_the_page_at_an_address_is_added_and_known_by_it(tmp_path: Path, site: Site) -> None:
    site.pages["/lakes.md"] = page(TEXT.encode(), {"Content-Type": "text/markdown"})
    settings = load_settings(
        data=tmp_path / "data", embedding={"provider": "none"}, web={"allow": [site.host], "seconds": 5}
    )
    with TestClient(create_app(settings)) as client:
        added = client.post("/api/documents", json={"url": site.url("/lakes.md")})
        assert (added.status_code, added.json()["name"], added.json()["outcome"]) == (202, "lakes.md", "new")
        assert (added.json()["url"], added.json()["folder"]) == (site.url("/lakes.md"), "")
        site.pages["/lakes.md"] = page(b"# Other lakes\n", {"Content-Type": "text/markdown"})
        again = client.post("/api/documents", json={"url": site.url("/lakes.md")})
        assert again.json()["outcome"] == "updated"
        assert client.get("/api/documents").json()["total"] == 1
        missing = client.post("/api/documents", json={"url": site.url("/nothing.pdf")})
        assert (missing.status_code, missing.json()["error"]["code"]) == (502, "web")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"url": "x"}, 422),
        ({"url": "file:///etc/passwd"}, 403),
        ({"url": "http://127.0.0.1:1/"}, 403),
        ({"url": "https://example.org/a.pdf", "library": ""}, 422),
        ({"url": "https://example.org/a.pdf", "more": 1}, 422),
        ({"url": "https://example.org/a.pdf", "folder": "reports"}, 422),
    ],
)
def test_an_address_that_is_none_or_leads_inside_is_refused(
    client: TestClient, body: dict[str, Any], status: int
) -> None:
    assert client.post("/api/documents", json=body).status_code == status


def test_documents_are_listed_newest_first_and_filtered(client: TestClient) -> None:
    added = [upload(client, f"{name}.txt", f"About {name}.")["id"] for name in ("tides", "lakes", "50% more", "rivers")]
    found, before = [], ""
    for _ in range(2):
        told = client.get(f"/api/documents?limit=3{before}").json()
        found += [each["id"] for each in told["documents"]]
        before = f"&before={told['next']}"
    assert found == added[::-1]
    assert (told["total"], told["next"]) == (4, None)

    def matching(**query: Any) -> list[str]:
        return [each["id"] for each in client.get("/api/documents", params=query).json()["documents"]]

    assert matching(words="LAKE") == [added[1]]
    assert matching(words="50%") == [added[2]]
    assert matching(words="MÓRE 50%") == [added[2]]  # in any order, with accents or without
    assert matching(words="lakes tides") == []
    assert matching(words="_") == []
    assert matching(status="queued", kind="text") == found
    assert matching(status=["ready", "failed"]) == []
    assert matching(library="nowhere") == []
    assert matching(without="default") == []
    assert matching(without="nowhere") == found
    assert matching(words="\ufffd\0") == []


def test_a_document_says_which_libraries_it_is_in_and_which_folder_it_was_sent_in(client: TestClient) -> None:
    upload(client, library="water", folder="reports/2024/")
    told = upload(client, library="earth")
    assert (told["libraries"], told["folder"], told["url"]) == (["earth", "water"], "reports/2024", None)
    assert client.get(f"/api/documents/{told['id']}").json()["folder"] == "reports/2024"
    assert client.get("/api/documents").json()["documents"][0]["libraries"] == ["earth", "water"]


def test_documents_are_listed_by_folder_with_those_below(client: TestClient) -> None:
    for folder in ("", "reports", "reports/2024", "Reports", "reports 2", "100%_"):
        upload(client, "a.txt", f"About the folder {folder}.", folder=folder)
    same = [upload(client, "same.txt", "In both.", folder=folder)["id"] for folder in ("reports/2025", "letters")]
    assert same[0] == same[1]  # which stays where it was first

    def inside(folder: str) -> list[str]:
        found = client.get("/api/documents", params={"folder": folder}).json()["documents"]
        return sorted(each["folder"] for each in found)

    assert inside("reports") == ["reports", "reports/2024", "reports/2025"]
    assert inside("reports/2025") == ["reports/2025"]
    assert inside("letters") == []
    assert inside("reports/2024/") == ["reports/2024"]
    assert inside("report") == []
    assert inside("100__") == []
    assert len(inside("")) == 7


@pytest.mark.parametrize(
    "folder", ["..", "a/../b", "/etc", "a//b", "./a", "C:\\a", "\\\\host\\a", "a\\..\\b", "a/ /b", "a" * 1001, "\0"]
)
def test_a_folder_that_leads_elsewhere_is_refused(client: TestClient, folder: str) -> None:
    answer = client.post("/api/documents", files={"file": ("a.txt", "Text.")}, data={"folder": folder})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")
    assert client.get("/api/documents", params={"folder": folder}).status_code == 422


def test_a_removed_document_is_gone(client: TestClient) -> None:
    url = f"/api/documents/{upload(client)['id']}"
    assert client.delete(url).status_code == 204
    for path in (url, f"{url}/file", f"{url}/text", f"{url}/pages/1", f"{url}/events", f"{url}/boxes?start=0&end=1"):
        assert client.get(path).status_code == 404
    assert client.delete(url).status_code == 404
    assert client.post(f"{url}/cancel").status_code == 404


def test_work_on_a_document_is_cancelled_and_taken_up_again(client: TestClient) -> None:
    added = upload(client)
    cancelled = client.post(f"/api/documents/{added['id']}/cancel").json()
    assert cancelled["status"] == "failed"
    assert "Cancelled" in cancelled["error"]
    assert upload(client)["outcome"] == "again"
    read(client)
    done = client.post(f"/api/documents/{added['id']}/cancel").json()
    assert (done["status"], done["error"]) == ("ready", "")


def test_only_failed_or_cancelled_documents_are_tried_again(client: TestClient, tmp_path: Path) -> None:
    url = f"/api/documents/{upload(client, 'locked.pdf', pdfs.locked(tmp_path / 'a.pdf', 'sesame').read_bytes())['id']}"
    read(client)
    assert "password" in client.get(url).json()["error"]
    again = client.post(f"{url}/retry")
    assert (again.status_code, again.json()["status"], again.json()["error"]) == (200, "queued", "")
    twice = client.post(f"{url}/retry", json={"password": "sesame"})
    assert (twice.status_code, twice.json()["error"]["code"]) == (409, "settled")
    client.post(f"{url}/cancel")
    assert client.post(f"{url}/retry", json={"password": "sesame"}).json()["status"] == "queued"
    read(client)
    assert client.get(url).json()["status"] == "ready"
    assert client.post(f"{url}/retry").status_code == 409
    assert client.post(f"{url}/retry", json={"word": "x"}).status_code == 422
    assert client.post(f"{url}/retry", json={"password": "x" * 1001}).status_code == 422
    assert client.post("/api/documents/nothing/retry").status_code == 404


def test_a_document_is_renamed_and_listed_under_its_new_title(client: TestClient) -> None:
    url = f"/api/documents/{upload(client)['id']}"
    read(client)
    renamed = client.patch(url, json={"title": "Deep waters"})
    assert (renamed.status_code, renamed.json()["title"], renamed.json()["name"]) == (200, "Deep waters", "lakes.md")
    assert client.get("/api/documents?words=deep+waters").json()["documents"][0]["title"] == "Deep waters"
    assert client.patch(url, json={"title": ""}).status_code == 422
    assert client.patch(url, json={"title": "x" * 301}).status_code == 422
    assert client.patch(url, json={"title": "  "}).json()["error"]["hint"]
    assert client.patch(url, json={"name": "x"}).status_code == 422
    assert client.patch("/api/documents/nothing", json={"title": "x"}).status_code == 404


def test_a_scan_that_was_not_read_is_tried_again(client: TestClient) -> None:
    library = client.app.state.library  # type: ignore[attr-defined]
    url = f"/api/documents/{upload(client, 'scan.png', files.picture())['id']}"
    settings = library.settings
    library.settings = settings.model_copy(update={"reading": settings.reading.model_copy(update={"ocr": ""})})
    read(client)
    assert client.get(url).json()["problems"]
    library.settings = settings
    again = client.post(f"{url}/retry")
    assert (again.status_code, again.json()["status"]) == (200, "queued")
    read(client)
    assert client.get(url).json()["status"] == "ready"


def test_hidden_text_that_is_kept_apart_is_a_note_and_no_problem(client: TestClient, tmp_path: Path) -> None:
    written = docx.Document()
    written.add_paragraph("The lock opens at six.").add_run(" Not on Sundays.").font.hidden = True
    written.save(str(tmp_path / "lock.docx"))
    url = f"/api/documents/{upload(client, 'lock.docx', (tmp_path / 'lock.docx').read_bytes())['id']}"
    read(client)
    told = client.get(url).json()
    assert (told["problems"], told["notes"]) == ([], ["Hidden text is stored separately and is not searched."])


def test_pages_are_told_with_the_labels_they_have(client: TestClient) -> None:
    url = f"/api/documents/{upload(client, 'deck.pptx', files.slides())['id']}"
    read(client)
    told = client.get(f"{url}/pages").json()["pages"]
    assert [(each["number"], each["label"]) for each in told] == [(1, "slide 1"), (2, "slide 2")]
    assert client.get(f"{url}/pages/2").json()["label"] == "slide 2"


def test_another_owners_document_is_not_there(client: TestClient) -> None:
    with client.app.state.library.database.writing() as connection:  # type: ignore[attr-defined]
        theirs, _ = documents.create(connection, "eve", "0" * 64, "secret.txt", 6)
    url = f"/api/documents/{theirs.id}"
    paths = ("", "/file", "/text", "/pages/1", "/events", "/boxes?start=0&end=1")
    assert {client.get(url + path).status_code for path in paths} == {404}
    assert client.delete(url).status_code == 404
    assert client.post(f"{url}/cancel").status_code == 404
    assert client.post("/api/chat", json={"message": "x", "documents": [theirs.id]}).status_code == 404
    assert client.get("/api/documents").json()["total"] == 0


def test_a_document_is_served_whole_and_in_ranges(client: TestClient, tmp_path: Path) -> None:
    content = pdfs.simple(tmp_path / "report.pdf", 2).read_bytes()
    added = upload(client, "Rapport été.pdf", content)
    read(client)
    url = f"/api/documents/{added['id']}/file"
    whole = client.get(url)
    assert (whole.status_code, whole.content) == (200, content)
    assert whole.headers["content-type"] == "application/pdf"
    assert whole.headers["content-disposition"] == "inline; filename*=utf-8''Rapport%20%C3%A9t%C3%A9.pdf"
    assert whole.headers["x-content-type-options"] == "nosniff"
    assert whole.headers["accept-ranges"] == "bytes"
    assert client.get(url, headers={"If-None-Match": whole.headers["etag"]}).status_code == 304
    assert client.get(url, headers={"If-None-Match": '"other"'}).content == content
    part = client.get(url, headers={"Range": "bytes=10-19"})
    assert (part.status_code, part.content) == (206, content[10:20])
    assert part.headers["content-range"] == f"bytes 10-19/{len(content)}"
    assert client.get(url, headers={"Range": "bytes=-5"}).content == content[-5:]
    beyond = client.get(url, headers={"Range": f"bytes={len(content)}-"})
    assert (beyond.status_code, beyond.json()["error"]["code"]) == (416, "http")
    assert beyond.headers["content-range"] == f"bytes */{len(content)}"
    for odd in ("bytes", "lines=1-2", "bytes=a-b", "bytes="):
        assert client.get(url, headers={"Range": odd}).content == content


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.html", "<html><body><p>Hello there</p><script>alert(1)</script></body></html>", "text/html"),
        ("a.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", None),
        ("a.md", "# Hi\n\nText.", "text/markdown"),
        ("a.js", "alert(1)", "text/plain"),
    ],
)
def test_a_strangers_page_runs_nothing(client: TestClient, name: str, content: str, kind: str | None) -> None:
    added = upload(client, name, content)
    for _ in range(2):  # before it is read, and after
        headers = client.get(f"/api/documents/{added['id']}/file").headers
        assert headers["content-security-policy"].startswith("sandbox;")
        assert headers["x-content-type-options"] == "nosniff"
        assert "svg" not in headers["content-type"]
        read(client)
    if kind:
        assert headers["content-type"].startswith(kind)


def test_a_page_has_its_size_its_text_and_its_lines(client: TestClient, tmp_path: Path) -> None:
    added = upload(client, "report.pdf", pdfs.simple(tmp_path / "report.pdf", 2).read_bytes())
    url = f"/api/documents/{added['id']}"
    early = client.get(f"{url}/pages/1")
    assert (early.status_code, early.json()["error"]["code"]) == (409, "not_ready")
    read(client)
    told = client.get(f"{url}/pages/2").json()
    assert (told["number"], round(told["width"]), round(told["height"])) == (2, 595, 842)
    assert "page 2" in told["text"]
    first = told["lines"][0]
    text = client.get(f"{url}/text?start={first['start']}&end={first['end']}").json()["text"]
    assert text == told["text"][first["start"] - told["start"] : first["end"] - told["start"]]
    (x0, y0, x1, y1) = first["rects"][0]
    assert 0 <= x0 < x1 <= told["width"]
    assert 0 <= y0 < y1 <= told["height"]
    (placed,) = client.get(f"{url}/boxes?start={first['start']}&end={first['end']}").json()
    assert (placed["page"], placed["rects"]) == (2, first["rects"])
    for number, status in (("0", 422), ("3", 404), ("x", 422), (str(10**12), 422)):
        assert client.get(f"{url}/pages/{number}").status_code == status


def test_text_is_given_by_its_offsets(client: TestClient) -> None:
    added = upload(client)
    url = f"/api/documents/{added['id']}/text"
    assert client.get(url).status_code == 409
    read(client)
    whole = client.get(url).json()
    assert (whole["start"], whole["end"]) == (0, len(whole["text"]))
    start = whole["text"].index("Loch Ness")
    assert client.get(f"{url}?start={start}&end={start + 9}").json()["text"] == "Loch Ness"
    assert client.get(f"{url}?start=9&end=3").json()["text"] == ""
    assert client.get(f"{url}?start=2000000000").json()["text"] == ""
    assert client.get(f"{url}?start=-1").status_code == 422
    assert client.get(url.replace("text", "boxes") + "?start=0&end=9").json() == []


def test_the_head_of_a_file_says_what_it_is_and_how_long(client: TestClient) -> None:
    added = client.post("/api/documents", files={"file": ("a.txt", "Planted.")}).json()
    head = client.head(f"/api/documents/{added['id']}/file")
    assert (head.status_code, head.headers["content-length"], head.content) == (200, "8", b"")
    assert head.headers["content-type"].startswith("text/plain")
    assert head.headers["accept-ranges"] == "bytes"


def test_a_site_is_added_to_a_depth_in_the_background(tmp_path: Path, site: Site) -> None:
    words = "It has a paragraph of its own, long enough to be one that somebody would want to read some day. " * 3
    site.pages["/lakes"] = html(f"<title>Lakes</title><h1>Lakes</h1><p>{words}</p><a href='/ness'>Ness</a>")
    site.pages["/ness"] = html(f"<title>Ness</title><h1>Ness</h1><p>{words}</p><a href='/lakes'>Lakes</a>")
    web = {"allow": [site.host], "pause_seconds": 0, "render": False}
    settings = load_settings(data=tmp_path / "data", embedding={"provider": "none"}, web=web)
    with TestClient(create_app(settings)) as client:
        added = client.post("/api/documents", json={"url": site.url("/lakes"), "depth": 1})
        assert (added.status_code, added.json()["url"]) == (202, site.url("/lakes"))
        wait_until(lambda: client.get("/api/documents").json()["total"] >= 2)
        found = {each["url"] for each in client.get("/api/documents").json()["documents"]}
        assert found == {site.url("/lakes"), site.url("/ness")}
        assert client.post("/api/documents", json={"url": site.url("/lakes"), "depth": 11}).status_code == 422
        sent = client.post("/api/documents", data={"depth": "1"}, files={"file": ("a.md", b"# A")})
        assert sent.status_code == 422


def test_a_file_that_is_sent_again_from_another_folder_stays_where_it_is(client: TestClient) -> None:
    first = upload(client, folder="reports/2024")
    again = upload(client, folder="archive")
    assert (again["id"], again["outcome"], again["folder"]) == (first["id"], "known", "reports/2024")
    assert client.get("/api/documents", params={"folder": "archive"}).json()["total"] == 0
    # In another library it is a second place, which takes nothing away.
    elsewhere = upload(client, folder="archive", library="water")
    assert elsewhere["libraries"] == ["default", "water"]


def test_a_file_of_ones_own_that_was_also_met_on_the_web_stays_a_file(client: TestClient, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<h1>Lakes</h1><p>Loch Ness is deep.</p>", encoding="utf-8")
    library = client.app.state.library  # type: ignore[attr-defined]
    met = library.add(library.settings.owner, page, "web", name="page.html", place="https://lakes.example/#pincite=00")
    address = f"/api/documents/{met.document}"
    assert client.get(address).json()["url"] == "https://lakes.example/"
    sent = upload(client, "page.html", page.read_text(encoding="utf-8"))
    assert (sent["id"], sent["url"], sent["fetched"]) == (met.document, None, None)
    assert client.get(address).json()["snapshots"] == []


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_an_upload_to_a_full_queue_is_refused_until_some_of_it_is_done(
    tmp_path: Path, engine: str, request: pytest.FixtureRequest
) -> None:
    given: Database | None = request.getfixturevalue("postgres") if engine == "postgresql" else None
    address = given.engine.url.render_as_string(hide_password=False) if given else ""
    settings = load_settings(
        data=tmp_path / "data", database=address, embedding={"provider": "none"}, jobs={"most_queued": 2}
    )
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        for number in range(2):
            upload(client, f"{number}.md", f"# Lake {number}\n")
        file = {"file": ("third.md", b"# The third lake\n")}
        refused = client.post("/api/documents", files=file)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
        error = refused.json()["error"]
        assert (error["code"], error["params"]) == ("queue_full", {"seconds": 60, "limit": 2})
        assert "no more are accepted for now" in error["message"]
        assert client.get("/api/documents").json()["total"] == 2
        read(client)
        assert client.post("/api/documents", files=file).status_code == 202
