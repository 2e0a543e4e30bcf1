"""A program that asks for a document's passages gets the units that are searched, whole and in order."""

from collections import Counter
from pathlib import Path

from fpdf import FPDF
from starlette.testclient import TestClient

from tests import pdfs
from tests.server.uploads import refusal, upload, uploaded

LONG = "# Lakes\n\n" + "".join(
    f"## Lake {n}\n\nLake {n} is {n} metres deep and cold all year. {'x ' * 700}\n\n" for n in range(7)
)


def test_a_passage_tells_its_words_index_characters_tokens_and_metadata(client: TestClient) -> None:
    address = uploaded(client, "lakes.md", LONG)
    told = client.get(f"{address}/passages").json()
    text = client.get(f"{address}/text?end=100000").json()["text"]
    assert told["total"] == len(told["passages"]) >= 7
    assert told["next"] is None
    assert [each["index"] for each in told["passages"]] == list(range(told["total"]))
    for each in told["passages"]:
        assert each["content"] == text[each["start_char"] : each["end_char"]]
        assert 0 < each["token_count"] <= len(each["content"])
    first = told["passages"][0]
    assert first.keys() == {"content", "index", "start_char", "end_char", "token_count", "metadata"}
    assert first["metadata"] == {
        "title": "Lakes",
        "kind": "markdown",
        "language": "en",
        "headings": ["Lakes", "Lake 0"],
        "page": None,
        "last_page": None,
    }


def test_a_passage_of_a_pdf_tells_its_pages(client: TestClient, tmp_path: Path) -> None:
    address = uploaded(client, "report.pdf", pdfs.simple(tmp_path / "report.pdf", pages=2).read_bytes())
    found = [each["metadata"] for each in client.get(f"{address}/passages").json()["passages"]]
    assert {each["kind"] for each in found} == {"pdf"}
    assert found[0]["page"] == 1
    assert found[-1]["last_page"] == 2


def test_a_word_that_a_line_end_broke_is_whole_in_every_list_of_passages(client: TestClient) -> None:
    broken = "The museum keeps a col-\nlection of well-\nknown herons.\n"
    address = uploaded(client, "museum.txt", broken)
    (listed,) = client.get(f"{address}/passages").json()["passages"]
    (found,) = client.get("/api/passages?words=collection+of+herons").json()["passages"]
    assert listed["content"] == found["text"] == "The museum keeps a collection of well-known herons."
    assert (listed["start_char"], listed["end_char"]) == (found["start"], found["end"]) == (0, len(broken) - 1)
    code = 'NAME = """col-\nlection"""\n'
    (passage,) = client.get(f"{uploaded(client, 'museum.py', code)}/passages").json()["passages"]
    assert passage["content"] == code.strip()


def test_many_passages_come_in_pages_without_gap_or_repetition(client: TestClient) -> None:
    address = uploaded(client, "lakes.md", LONG)
    whole = client.get(f"{address}/passages").json()["passages"]
    found, first = [], 0
    while first is not None:
        told = client.get(f"{address}/passages?first={first}&limit=3").json()
        assert len(told["passages"]) <= 3
        found += told["passages"]
        first = told["next"]
    assert found == whole
    beyond = client.get(f"{address}/passages?first=1000").json()
    assert (beyond["passages"], beyond["next"]) == ([], None)


def test_a_document_that_is_not_read_yet_or_not_there_is_refused(client: TestClient) -> None:
    early = upload(client, "early.md")
    assert refusal(client, f"/api/documents/{early['id']}/passages") == (409, "not_ready")
    assert refusal(client, "/api/documents/none/passages") == (404, "not_found")
    assert refusal(client, f"/api/documents/{early['id']}/passages?limit=0") == (422, "invalid")


def test_words_are_searched_for_in_all_documents_and_the_best_passage_comes_first(client: TestClient) -> None:
    lakes = uploaded(client, "lakes.md", "# Lakes\n\nThe heron breeds in the reeds of the northern shore.\n")
    uploaded(client, "mills.md", "# Mills\n\nThe miller grinds rye in winter.\n")
    found = client.get("/api/passages?words=herons+in+the+reeds").json()["passages"]
    best = found[0]
    assert best["document"] == lakes.rsplit("/", 1)[1]
    assert best["title"] == "Lakes"
    assert "heron" in best["text"]
    assert best["text"] == client.get(f"{lakes}/text").json()["text"][best["start"] : best["end"]]
    assert (best["page"], best["label"], best["headings"]) == (None, "", ["Lakes"])
    assert len(client.get("/api/passages?words=the&limit=1").json()["passages"]) <= 1
    assert refusal(client, "/api/passages?words=") == (422, "invalid")
    assert refusal(client, "/api/passages?words=a&limit=51") == (422, "invalid")


def test_passages_that_are_like_selected_words_leave_out_those_that_only_share_a_word(client: TestClient) -> None:
    for name in ("Lakes", "Ponds", "Rivers"):
        uploaded(client, f"{name}.md", f"# {name}\n\nThe heron breeds in the reeds of the shore of {name}.\n")
    uploaded(client, "mills.md", "# Mills\n\nA heron stands on the weathervane, and the miller grinds rye in winter.\n")
    all_found, alike = (
        {each["title"] for each in client.get(f"/api/passages?words=heron+breeds+in+reeds{more}").json()["passages"]}
        for more in ("", "&alike=true")
    )
    assert (all_found - alike, alike) == ({"Mills"}, {"Lakes", "Ponds", "Rivers"})


def test_a_long_document_does_not_fill_the_first_passages(client: TestClient) -> None:
    filling = "The miller keeps his books in order. " * 40
    uploaded(client, "all.md", "".join(f"# Reeds {n}\n\nHerons breed in reeds. {filling}\n\n" for n in range(6)))
    for name in ("One", "Two", "Three"):
        uploaded(client, f"{name}.md", f"# {name}\n\nSome herons breed in the reeds. {filling}\n")
    found = client.get("/api/passages?words=herons+reeds&limit=5").json()["passages"]
    counts = Counter(each["document"] for each in found)
    assert len(found) == 5
    assert max(counts.values()) == 2


def test_a_found_passage_has_whole_words_where_a_line_end_broke_them(client: TestClient, tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        for line in ("The heron system of the northern lake has a sys-", "tem of reeds that nobody has counted."):
            pdfs.paragraph(pdf, line)

    uploaded(client, "reeds.pdf", pdfs.make(tmp_path / "reeds.pdf", draw).read_bytes())
    (found,) = client.get("/api/passages?words=reeds").json()["passages"]
    assert "has a system of reeds" in found["text"]
