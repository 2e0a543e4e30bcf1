import pytest
from starlette.testclient import TestClient

from pincite.server.cursors import encode_values
from tests.server.uploads import upload


def test_many_documents_are_tagged_at_once_and_listed_by_tag(client: TestClient) -> None:
    ids = [upload(client, f"{n}.txt", f"Text {n}.")["id"] for n in range(3)]
    told = client.post("/api/documents/tags", json={"documents": ids[:2], "add": ["  due  soon ", "lease"]}).json()
    assert [each["tags"] for each in told] == [["due soon", "lease"]] * 2
    assert client.get("/api/tags").json() == [{"tag": "due soon", "documents": 2}, {"tag": "lease", "documents": 2}]
    client.post("/api/documents/tags", json={"documents": ids[1:], "add": ["new"], "remove": ["lease"]})
    found = client.get("/api/documents", params={"tag": "due soon"}).json()
    assert {each["id"]: each["tags"] for each in found["documents"]} == {
        ids[0]: ["due soon", "lease"],
        ids[1]: ["due soon", "new"],
    }
    assert client.get("/api/documents", params={"tag": ["due soon", "new"]}).json()["total"] == 1
    assert client.get("/api/tags", params={"library": "nowhere"}).json() == []
    client.delete(f"/api/documents/{ids[0]}")
    assert client.get("/api/tags").json() == [{"tag": "due soon", "documents": 1}, {"tag": "new", "documents": 2}]


def test_a_tag_of_nothing_and_a_document_of_nobody_change_nothing(client: TestClient) -> None:
    known = upload(client)["id"]
    assert client.post("/api/documents/tags", json={"documents": [known], "add": ["  "]}).status_code in (400, 422)
    refused = client.post("/api/documents/tags", json={"documents": [known, "f" * 32], "add": ["lease"]})
    assert refused.status_code == 404
    assert client.get("/api/tags").json() == []


def test_documents_move_to_another_library_with_their_tags(client: TestClient) -> None:
    ids = [upload(client, f"{n}.txt", f"Text {n}.", folder="letters")["id"] for n in range(2)]
    client.post("/api/documents/tags", json={"documents": ids, "add": ["lease"]})
    told = client.post("/api/documents/move", json={"documents": ids, "library": "contracts"}).json()
    assert [(each["libraries"], each["tags"], each["folder"]) for each in told] == [
        (["contracts"], ["lease"], "letters")
    ] * 2
    assert client.get("/api/tags", params={"library": "contracts"}).json() == [{"tag": "lease", "documents": 2}]
    assert client.get("/api/tags", params={"library": "default"}).json() == []
    again = client.post("/api/documents/move", json={"documents": ids[:1], "library": "contracts"})
    assert again.json()[0]["libraries"] == ["contracts"]
    assert client.post("/api/documents/move", json={"documents": ["f" * 32], "library": "x"}).status_code == 404


def test_the_list_is_sorted_as_one_likes_page_by_page(client: TestClient) -> None:
    for name, length in (("b", 30), ("A", 10), ("c", 20)):
        upload(client, f"{name}.txt", f"{name} " * length)

    def listed(order: str) -> list[str]:
        names: list[str] = []
        query: dict[str, str | int] = {"order": order, "limit": 2}
        while True:
            page = client.get("/api/documents", params=query).json()
            names += [each["name"] for each in page["documents"]]
            if not page["next"]:
                return names
            query["before"] = page["next"]

    assert listed("newest") == ["c.txt", "A.txt", "b.txt"]
    assert listed("oldest") == ["b.txt", "A.txt", "c.txt"]
    assert listed("title") == ["A.txt", "b.txt", "c.txt"]
    assert listed("size") == ["b.txt", "c.txt", "A.txt"]


@pytest.mark.parametrize(
    ("order", "expected"),
    [("newest", "d, c, b, a"), ("oldest", "a, b, c, d"), ("title", "a, b, c, d"), ("size", "d, c, b, a")],
)
def test_a_document_that_is_added_or_removed_meanwhile_shifts_no_page(
    client: TestClient, order: str, expected: str
) -> None:
    ids = {name: upload(client, f"{name}.txt", f"{name} " * (4 * place + 4))["id"] for place, name in enumerate("abcd")}
    first = client.get("/api/documents", params={"order": order, "limit": 2}).json()
    names = [each["name"][0] for each in first["documents"]]
    # One comes before everything else in three of the orders, and the last one of the first page goes.
    upload(client, "0.txt", "0 " * 40)
    client.delete(f"/api/documents/{ids[names[-1]]}")
    rest = client.get("/api/documents", params={"order": order, "limit": 9, "before": first["next"]}).json()
    names += [each["name"][0] for each in rest["documents"] if each["name"] != "0.txt"]
    assert ", ".join(names) == expected


def test_a_cursor_of_another_order_or_of_nothing_is_refused(client: TestClient) -> None:
    for name in "ab":
        upload(client, f"{name}.txt", f"{name} " * 9)
    by_size = client.get("/api/documents", params={"order": "size", "limit": 1}).json()["next"]
    for cursor in (by_size, "", "x", "12.5-" + "0" * 32, encode_values([True, "a"]), encode_values([1.5, "\0"])):
        refused = client.get("/api/documents", params={"before": cursor})
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "misuse")
