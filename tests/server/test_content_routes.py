from pathlib import Path

from starlette.testclient import TestClient

from tests import pdfs
from tests.server.uploads import refusal, upload, uploaded


def test_all_pages_are_told_with_their_sizes_before_any_is_drawn(client: TestClient, tmp_path: Path) -> None:
    address = uploaded(client, "report.pdf", pdfs.simple(tmp_path / "report.pdf", 3).read_bytes())
    told = client.get(f"{address}/pages").json()
    assert address.endswith(told["document"])
    each_one = [client.get(f"{address}/pages/{number}").json() for number in (1, 2, 3)]
    assert told["pages"] == [
        {name: page[name] for name in ("number", "label", "width", "height", "start", "end")} for page in each_one
    ]


def test_a_page_that_lies_on_its_side_has_the_size_it_is_shown_with(client: TestClient, tmp_path: Path) -> None:
    words = "BT /F1 12 Tf 40 200 Td (Words on a page that was turned.) Tj ET"
    file = pdfs.by_hand(tmp_path / "turned.pdf", words, page="/Rotate 90")
    (page,) = client.get(f"{uploaded(client, 'turned.pdf', file.read_bytes())}/pages").json()["pages"]
    assert (page["width"], page["height"]) == (300, 400)


def test_a_document_without_pages_has_none_and_one_that_is_not_read_says_so(client: TestClient) -> None:
    assert client.get(f"{uploaded(client)}/pages").json()["pages"] == []
    early = upload(client, "early.txt", "Not read yet.")
    assert refusal(client, f"/api/documents/{early['id']}/pages") == (409, "not_ready")
    assert refusal(client, "/api/documents/nothing/pages") == (404, "not_found")


def test_code_keeps_the_ends_of_its_lines_where_a_text_joins_the_halves_of_a_word(client: TestClient) -> None:
    written = "# The har-\n# bour:\nx = 'land-\nmark'\n"
    told = client.get(f"{uploaded(client, 'harbour.py', written.encode())}/text").json()
    assert told["text"] == written
