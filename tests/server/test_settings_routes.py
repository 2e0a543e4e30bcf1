from pathlib import Path

from starlette.testclient import TestClient

from pincite import __version__
from pincite.server import create_app
from pincite.settings import load_settings
from tests.server.conftest import conversation_of

SECRET = "sk-never-to-be-seen"


def test_nothing_secret_is_told(tmp_path: Path) -> None:
    settings = load_settings(
        data=tmp_path / "data",
        embedding={"provider": "openai", "url": "http://127.0.0.1:9/v1", "key": SECRET},
        rerank={"url": "http://127.0.0.1:9/rerank", "key": SECRET},
        providers={"vllm": {"url": "http://127.0.0.1:9/v1", "key": SECRET}},
        models={"chat": "vllm:some-model"},
    )
    with TestClient(create_app(settings)) as client:
        for route in ("/api/settings", "/api/models"):
            answer = client.get(route)
            assert answer.status_code == 200
            assert SECRET not in answer.text
        told = client.get("/api/settings").json()
        models = {each["name"]: each for each in client.get("/api/models").json()}
    assert (told["chat_model"], told["reranks"], told["version"]) == ("vllm:some-model", True, __version__)
    assert models["extractive"]["reachable"]
    assert not models["vllm:some-model"]["reachable"]
    assert models["vllm:some-model"]["hint"]


def test_usage_is_added_up_over_answers(client: TestClient) -> None:
    assert client.get("/api/usage").json()["days"] == []
    for _ in range(3):
        conversation_of(client)
    told = client.get("/api/usage?days=1").json()
    (day,) = told["days"]
    assert (day["model"], day["role"], day["answers"]) == ("fake", "chat", 3)
    assert told["totals"] == {"answers": 3, "requests": 3, "input_tokens": 21, "output_tokens": 15}
    assert client.get("/api/usage?days=0").status_code == 422


def test_the_credits_of_the_last_months_are_listed_up_to_this_one(client: TestClient) -> None:
    conversation_of(client)
    told = client.get("/api/usage").json()
    months = [each["month"] for each in told["months"]]
    assert len(months) == 6
    assert months == sorted(months)
    assert told["months"][-1] == {"month": told["quota"]["month"], "used": told["quota"]["used"]}
    assert {each["used"] for each in told["months"][:-1]} == {0}


def test_the_credits_of_the_month_are_told_beside_the_usage(client: TestClient) -> None:
    conversation_of(client)
    told = client.get("/api/usage").json()["quota"]
    assert (told["used"], told["limit"], told["limit_reached"]) == (0.012, None, False)
    assert [(each["model"], each["input_tokens"], each["output_tokens"]) for each in told["models"]] == [("fake", 7, 5)]
    assert told["showUser"] is False
