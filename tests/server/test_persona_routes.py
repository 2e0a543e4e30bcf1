from starlette.testclient import TestClient


def test_personas_are_made_found_changed_and_forgotten(client: TestClient) -> None:
    made = client.post("/api/personas", json={"name": "Brief", "instructions": "Be brief."})
    assert made.status_code == 201
    url = f"/api/personas/{made.json()['id']}"
    assert client.get(url).json() == client.get("/api/personas/Brief").json() == made.json()
    changed = client.put(url, json={"name": "Curt", "instructions": "Be curt."}).json()
    assert client.get("/api/personas").json() == [changed]
    assert client.delete(url).status_code == 204
    assert client.get(url).status_code == 404
    assert client.delete(url).status_code == 404
    assert client.put(url, json={"name": "Curt", "instructions": "x"}).status_code == 404


def test_a_name_is_given_once(client: TestClient) -> None:
    body = {"name": "Brief", "instructions": "Be brief."}
    assert client.post("/api/personas", json=body).status_code == 201
    again = client.post("/api/personas", json=body)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "taken")
    assert client.post("/api/personas", json={"name": "", "instructions": "x"}).status_code == 422
