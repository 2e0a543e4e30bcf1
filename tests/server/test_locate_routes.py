import json
import os
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.errors import Unreadable
from pincite.library import Library, open_library
from pincite.server import create_app, locate_routes
from pincite.server.uploads import receive_passage
from pincite.settings import load_settings
from tests import pdfs
from tests.clock import PATIENCE
from tests.sites import Site, page, redirect, serving
from tests.work import finish

WORDS = "Part 2 of page 2. The committee reviewed the annual budget and found that travel costs had fallen"


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        yield made


@pytest.fixture
def client(tmp_path: Path, site: Site) -> Iterator[TestClient]:
    settings = load_settings(
        data=tmp_path / "data",
        embedding={"provider": "none"},
        reading={"max_file_mb": 1},
        web={"allow": [site.host], "seconds": 5},
    )
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return pdfs.simple(tmp_path / "report.pdf", 3)


@pytest.fixture
def document(client: TestClient, tmp_path: Path, pdf: Path) -> str:
    library = open_library(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))
    added = library.add("local", pdf).document
    finish(library)
    library.close()
    return added


def asked(client: TestClient, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/locate", json=body)
    return answer.status_code, answer.json()


def pages_of(told: dict[str, Any]) -> list[int]:
    return [match["page"] for match in told["matches"]]


def test_a_passage_is_found_in_a_stored_document(client: TestClient, document: str) -> None:
    status, told = asked(client, document=document, text=WORDS)
    assert status == 200
    assert (told["found"], pages_of(told)) == (True, [2])
    (match,) = told["matches"]
    assert (round(match["width"]), round(match["height"]), match["score"]) == (595, 842, 1.0)
    assert all(len(box) == 4 for box in match["boxes"])
    assert told["metrics"] == {
        "block_match_rate": 1.0,
        "average_score": 1.0,
        "coverage": 1.0,
        "matched": len(told["blocks"]),
        "total": len(told["blocks"]),
    }


def test_a_chunk_of_another_pipeline_is_found_by_its_names_for_things(
    client: TestClient, site: Site, pdf: Path
) -> None:
    site.pages["/bucket/report.pdf"] = page(pdf.read_bytes())
    status, told = asked(
        client, pdf_url=site.url("/bucket/report.pdf"), chunk_context=f"**{WORDS}**", page_numbers=[2, 3]
    )
    assert (status, pages_of(told)) == (200, [2])


@pytest.mark.parametrize("pages", ["2,3", "[2, 3]", "2", None])
def test_a_passage_is_found_in_an_uploaded_file(client: TestClient, pdf: Path, pages: str | None) -> None:
    fields = {"text": WORDS, **({"pages": pages} if pages else {})}
    answer = client.post("/api/locate", data=fields, files={"file": ("report.pdf", pdf.read_bytes())})
    assert answer.status_code == 200
    assert pages_of(answer.json()) == [2]


def test_a_form_may_name_a_stored_document_too(client: TestClient, document: str) -> None:
    answer = client.post("/api/locate", files={"document": (None, document), "text": (None, WORDS)})
    assert pages_of(answer.json()) == [2]


def test_finding_nothing_is_an_answer(client: TestClient, document: str) -> None:
    for text in ("Whales sing for hours in the warm bays of the southern islands.", "", "…", "\0"):
        status, told = asked(client, document=document, text=text)
        assert (status, told["found"], told["how"], told["matches"]) == (200, False, None, [])


def test_a_document_without_pages_gives_spans(client: TestClient) -> None:
    text = "# Tides\n\nThe tide answers the moon with some delay.\n"
    fields = {"text": "The tide answers the moon with some delay."}
    told = client.post("/api/locate", data=fields, files={"file": ("a.md", text)}).json()
    (match,) = told["matches"]
    assert (match["page"], match["boxes"]) == (None, [])
    assert match["spans"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"text": "a"}, "one of document, pdf_url and a file"),
        ({"document": "d", "pdf_url": "http://a/", "text": "a"}, "one of document, pdf_url and a file"),
        ({"document": "d"}, "one of text and chunk_context"),
        ({"document": "d", "text": "a", "chunk_context": "b"}, "one of text and chunk_context"),
        ({"document": "d", "text": "a", "pages": [1], "page_numbers": [1]}, "one of pages and page_numbers"),
        ({"document": "d", "text": "a", "pages": "three"}, "body.pages"),
        ({"document": "d", "text": "a", "pages": [-1]}, "body.pages.0"),
        ({"document": "d", "text": "a", "pages": [0]}, "body.pages.0"),
        ({"document": "d", "text": "a", "pages": [True]}, "true and false are not page numbers"),
        ({"document": "d", "text": "a", "page_numbers": True}, "true and false are not page numbers"),
        ({"document": "d", "text": "a", "page": 3}, "body.page: there is no such field"),
        ({"document": "", "text": "a"}, "body.document"),
        ({"pdf_url": "", "text": "a"}, "body.pdf_url: it is not a complete address"),
        ({"pdf_url": "report.pdf", "text": "a"}, "body.pdf_url: it is not a complete address"),
        ({"pdf_url": "http://", "text": "a"}, "body.pdf_url: it is not a complete address"),
        ({"pdf_url": "http://a b/c.pdf", "text": "a"}, "body.pdf_url: it is not a complete address"),
        ({"pdf_url": "http://[::1/", "text": "a"}, "body.pdf_url: it is not an address"),
        ({"document": "d", "text": ["a"]}, "body.text"),
        ([1, 2], "Passage"),
    ],
)
def test_a_request_that_is_not_right_is_told_in_words(client: TestClient, body: Any, said: str) -> None:
    answer = client.post("/api/locate", json=body)
    assert answer.status_code == 422
    assert said in answer.json()["error"]["message"]
    assert "Value error" not in answer.text


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"text=a"])
def test_a_body_that_is_no_json_is_refused_as_such(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/locate", content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")
    assert "neither JSON" in answer.text


def test_a_form_that_is_broken_or_names_two_sources_is_refused(client: TestClient) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    broken = client.post("/api/locate", content=b"--y\r\nnonsense", headers=headers)
    assert broken.status_code == 400
    assert set(broken.json()["error"]) == {"code", "message", "hint"}
    two = client.post("/api/locate", data={"text": "a", "document": "d"}, files={"file": ("a.txt", b"a")})
    assert (two.status_code, "one of document, pdf_url" in two.text) == (422, True)
    none = client.post("/api/locate", files={"text": (None, "a"), "file": (None, "not a file")})
    assert (none.status_code, "one of document, pdf_url" in none.text) == (422, True)


def test_every_failure_has_its_status(client: TestClient, site: Site, tmp_path: Path) -> None:
    site.pages["/large"] = page(b"x" * 1_000_001)
    site.pages["/inside"] = redirect("http://169.254.169.254/latest/meta-data/")
    site.pages["/noise"] = page(bytes(range(256)) * 20)
    (tmp_path / "new.txt").write_text("Not read yet.")
    library = open_library(load_settings(data=tmp_path / "data"))
    queued = library.add("local", tmp_path / "new.txt").document
    library.close()
    wanted = {
        "not_found": (404, {"document": "nobody"}),
        "not_ready": (409, {"document": queued}),
        "too_large": (413, {"pdf_url": site.url("/large")}),
        "unsupported": (422, {"pdf_url": site.url("/noise")}),
        "forbidden": (403, {"pdf_url": site.url("/inside")}),
        "web": (502, {"pdf_url": site.url("/missing")}),
    }
    for code, (status, where) in wanted.items():
        found, told = asked(client, text="anything at all", **where)
        assert (found, told["error"]["code"]) == (status, code), told
        assert told["error"]["hint"]


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/a.pdf", "javascript:alert(1)"])
def test_an_address_of_another_kind_is_forbidden_by_its_name(client: TestClient, url: str) -> None:
    status, told = asked(client, pdf_url=url, text="anything at all")
    assert (status, told["error"]["code"]) == (403, "forbidden")
    assert told["error"]["message"] == f"Addresses that begin with {url.partition(':')[0]}: are not allowed."


@pytest.mark.parametrize("field", ["text", "chunk_context", "document", "pdf_url", "password", "pages", "other"])
def test_half_a_character_is_a_mark_in_any_field(client: TestClient, document: str, field: str) -> None:
    given = {"document": document, "text": WORDS} | {
        field: f"{WORDS} \ud83d",
        "pa\ud83d": 1 if field == "other" else None,
    }
    sent = {name: value for name, value in given.items() if value is not None}
    answer = client.post("/api/locate", content=json.dumps(sent).encode())
    assert answer.status_code in (200, 404, 422)
    if field == "text":
        assert (answer.json()["found"], answer.json()["blocks"][0]["text"]) == (True, f"{WORDS} \ufffd")
    if field == "other":
        assert "body.pa\ufffd: there is no such field" in answer.json()["error"]["message"]


def test_a_page_far_beyond_the_last_costs_a_remark(client: TestClient, document: str) -> None:
    status, told = asked(client, document=document, text=WORDS, pages=[10**30])
    assert (status, pages_of(told)) == (200, [2])
    assert told["diagnosis"][0].startswith(f"There is no page {10**30}")


def test_a_document_may_be_named_by_what_its_id_begins_with(client: TestClient, document: str) -> None:
    status, told = asked(client, document=document[:8], text=WORDS)
    assert (status, pages_of(told)) == (200, [2])


def test_a_protected_file_opens_with_its_password(client: TestClient, site: Site, tmp_path: Path) -> None:
    data = pdfs.locked(tmp_path / "locked.pdf", "sesame").read_bytes()
    site.pages["/locked.pdf"] = page(data)

    def sent(**fields: str) -> list[Any]:
        form = client.post("/api/locate", data={"text": pdfs.WORDS_EN, **fields}, files={"file": ("a.pdf", data)})
        return [form.json(), asked(client, pdf_url=site.url("/locked.pdf"), text=pdfs.WORDS_EN, **fields)[1]]

    assert [pages_of(told) for told in sent(password="sesame")] == [[1], [1]]
    for told in sent() + sent(password="wrong"):
        assert told["error"]["code"] == "encrypted"
        assert told["error"]["hint"] == "Send it as `password`, or save a copy without one."


def test_no_advice_is_for_the_terminal(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_text("Not read yet.")
    library = open_library(load_settings(data=tmp_path / "data"))
    queued = library.add("local", tmp_path / "new.txt").document
    library.close()
    for where in ("nobody", queued):
        _, told = asked(client, document=where, text="anything at all")
        assert told["error"]["hint"]
        assert "pincite" not in told["error"]["hint"]
        assert "--" not in told["error"]["hint"]


def test_an_unreadable_upload_is_said_to_be_so(client: TestClient) -> None:
    answer = client.post("/api/locate", data={"text": "a"}, files={"file": ("a.pdf", b"%PDF-1.4 and no more")})
    assert answer.status_code == 422
    assert answer.json()["error"]["hint"]


def test_an_upload_that_says_it_is_too_large_is_refused(client: TestClient) -> None:
    for kind in ("multipart/form-data; boundary=x", "application/json"):
        headers = {"Content-Length": "99999999999", "Content-Type": kind}
        answer = client.post("/api/locate", content=b"{}", headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_an_uploaded_or_fetched_file_is_gone_after_the_response(
    client: TestClient, site: Site, pdf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    site.pages["/a.pdf"] = page(pdf.read_bytes())
    site.pages["/bad.pdf"] = page(b"%PDF-1.4 broken")
    for url in ("/a.pdf", "/bad.pdf", "/missing"):
        asked(client, pdf_url=site.url(url), text=WORDS)
    client.post("/api/locate", data={"text": WORDS}, files={"file": ("report.pdf", pdf.read_bytes())})
    client.post("/api/locate", data={"text": WORDS}, files={"file": ("a.pdf", b"%PDF-1.4 broken")})
    assert list(temporary.iterdir()) == []


def test_a_long_search_does_not_hold_up_the_others(
    client: TestClient, document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = threading.Event(), threading.Event()
    locate = Library.locate

    def slow(self: Library, *given: Any) -> Any:
        begun.set()
        assert may_end.wait(PATIENCE)
        return locate(self, *given)

    monkeypatch.setattr(Library, "locate", slow)
    answers: list[int] = []
    search = threading.Thread(target=lambda: answers.append(asked(client, document=document, text=WORDS)[0]))
    search.start()
    assert begun.wait(PATIENCE)
    assert client.get("/health").status_code == 200
    assert answers == []
    may_end.set()
    search.join(PATIENCE)
    assert answers == [200]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with one core, where few may wait."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(locate_routes, "_WAITING", 45)


@pytest.fixture
def slow(small: None, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Files that take until the event comes to be read."""
    may_end = threading.Event()

    def wait(*_: Any) -> Any:
        assert may_end.wait(PATIENCE)
        raise Unreadable("It cannot be read.", "Try another.")

    monkeypatch.setattr(locate_routes, "prepare_file", wait)
    yield may_end
    may_end.set()


def upload(client: TestClient, times: int) -> "list[Future[int]]":
    """Uploads that are under way, as their answers' statuses to come."""
    pool = ThreadPoolExecutor(times)

    def send(_: int) -> int:
        return client.post("/api/locate", data={"text": "a"}, files={"file": ("a.txt", b"a")}).status_code

    sent = [pool.submit(send, number) for number in range(times)]
    pool.shutdown(wait=False)
    return sent


def test_uploads_that_wait_for_a_reader_hold_up_nobody(
    slow: threading.Event, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived = threading.Semaphore(0)

    @asynccontextmanager
    async def counted(*given: Any) -> AsyncIterator[Any]:
        async with receive_passage(*given) as understood:
            arrived.release()
            yield understood

    monkeypatch.setattr(locate_routes, "receive_passage", counted)
    sent = upload(client, 45)
    assert all(arrived.acquire(timeout=PATIENCE) for _ in sent)
    with ThreadPoolExecutor(1) as pool:
        for route in ("/health", "/ready", "/"):
            assert pool.submit(client.get, route).result(20).status_code == 200
    assert not any(each.done() for each in sent)
    slow.set()
    assert {each.result(60) for each in sent} == {422}


def test_when_too_many_wait_the_next_are_told_to_come_again(slow: threading.Event, client: TestClient) -> None:
    sent = upload(client, 50)
    # One is read, 45 wait.
    assert [each.result() for each in islice(as_completed(sent, 30), 4)] == [503] * 4
    answer = client.post("/api/locate", data={"text": "a"}, files={"file": ("a.txt", b"a")})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
    assert "again" in answer.json()["error"]["hint"]
    slow.set()
    assert sorted(each.result(60) for each in sent) == [422] * 46 + [503] * 4


def test_the_route_is_described_with_both_ways_to_ask_and_the_shape_of_its_answer(client: TestClient) -> None:
    schema = client.get("/openapi.json").json()
    route = schema["paths"]["/api/locate"]["post"]
    content = route["requestBody"]["content"]
    names = {"document", "pdf_url", "text", "chunk_context", "pages", "page_numbers", "password"}
    assert set(content["application/json"]["schema"]["properties"]) == names
    assert set(content["multipart/form-data"]["schema"]["properties"]) == names | {"file"}
    answer = route["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    shape = schema["components"]["schemas"][answer]
    assert set(shape["properties"]) == {"found", "how", "matches", "metrics", "blocks", "nearest", "diagnosis"}
    assert json.dumps(content).count("$ref") == 0
