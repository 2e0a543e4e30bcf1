from collections.abc import Callable
from importlib import util
from pathlib import Path

import pytest

from pincite.isolation.limit_check import Limit
from pincite.library import open_library
from pincite.settings import load_settings
from pincite.store import user_settings
from pincite.store.calibrations import CalibrationResult, save_calibration
from tests import sites, wires
from tests.cli.conftest import Ran

STATES = {"ok", "missing", "wrong"}


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> list[Limit]:
    """The limits of readers as they are found: trying them takes two processes, which `tests/isolation` does."""
    found = [Limit("network: a reader opens no connection", True, "")]
    monkeypatch.setattr("pincite.isolation.limit_check.check_limits", lambda _: found)
    return found


def test_the_limits_of_readers_are_told_one_by_one(pincite: Callable[..., Ran], limits: list[Limit]) -> None:
    limits.append(Limit("files: a reader reads no other document", False, "Use Linux with Landlock."))
    ran = pincite("doctor", "--json")
    assert ran.status == 0
    network, files = [finding for finding in ran.json if finding["name"] == "isolation"]
    assert (network["state"], files["state"]) == ("ok", "missing")
    assert "not enforced here" in files["detail"]
    assert "Landlock" in files["remedy"]


def states(ran: Ran) -> dict[str, str]:
    return {finding["name"]: finding["state"] for finding in ran.json}


def test_everything_that_is_looked_at_is_said(pincite: Callable[..., Ran], folder: Path) -> None:
    (folder / "empty.txt").write_text("")
    pincite("add", folder)
    ran = pincite("doctor", "--json")
    assert ran.status == 0
    found = states(ran)
    assert {"python", "sqlite", "data", "documents", "embedder", "ocr", "reranker", "chat", "web search"} <= set(found)
    assert {"browser", "youtube"} <= set(found)
    assert set(found.values()) <= STATES
    assert (found["documents"], found["failed"], found["embedder"]) == ("ok", "missing", "missing")
    for finding in ran.json:
        assert finding["detail"]
        assert finding["remedy"] or finding["state"] == "ok", finding


def test_a_person_sees_a_sign_a_name_and_what_to_do(pincite: Callable[..., Ran]) -> None:
    shown = pincite("doctor").out
    assert "✓ python" in shown
    assert "– reranker" in shown
    assert "rerank.url" in shown


def test_the_built_in_model_is_tried(pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "local")
    ran = pincite("doctor", "--json", "--data", home)
    assert states(ran)["embedder"] == "ok"
    assert any("ms a question" in finding["detail"] for finding in ran.json)


@pytest.mark.parametrize(
    ("variable", "value", "name"),
    [
        ("PINCITE_EMBEDDING__MODEL", "unheard-of", "embedder"),
        ("PINCITE_RERANK__URL", "http://127.0.0.1:9", "reranker"),
        ("PINCITE_MODELS__CHAT", "openai:gpt-5", "chat"),
        ("PINCITE_MODELS__CHAT", "chocolatin:14b", "chat"),
        ("PINCITE_MODELS__SYSTEM", "ollama", "system"),
    ],
)
def test_a_fault_is_status_one_with_a_remedy(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, variable: str, value: str, name: str
) -> None:
    if name == "embedder":
        monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "local")
    monkeypatch.setenv(variable, value)
    ran = pincite("doctor", "--json")
    assert ran.status == 1
    (wrong,) = [finding for finding in ran.json if finding["state"] == "wrong"]
    assert wrong["name"] == name
    assert wrong["remedy"]


def test_work_that_waits_is_said(pincite: Callable[..., Ran], folder: Path, tmp_path: Path) -> None:
    library = open_library(load_settings(data=tmp_path / "data"))
    library.add("local", folder / "lease.md")
    library.close()
    assert "pincite worker --once" in pincite("doctor").out


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("PINCITE_MODELS__CHAT", "", "no model is set"),
        ("PINCITE_ANSWERS__JUDGE", "off", "switched off"),
        ("PINCITE_ANSWERS__JUDGE", "mine:m", "mine:m: not measured yet"),
    ],
)
def test_a_judge_that_is_missing_or_not_measured_is_said_with_what_to_do(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.setenv(variable, value)
    (judge,) = [finding for finding in pincite("doctor", "--json").json if finding["name"] == "judge"]
    assert judge["state"] == "missing"
    assert said in judge["detail"]
    assert judge["remedy"]


def test_a_measurement_on_an_older_set_is_to_be_made_again(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PINCITE_ANSWERS__JUDGE", "mine:m")
    library = open_library(load_settings(data=tmp_path / "data"))
    with library.database.writing() as connection:
        save_calibration(connection, CalibrationResult("mine:m", 74, 80, 2, 4, 0, "older", 1.0))
    library.close()
    (judge,) = [finding for finding in pincite("doctor", "--json").json if finding["name"] == "judge"]
    assert "74 of 80" in judge["detail"]
    assert "pincite evaluate judge" in judge["remedy"]


def test_quoting_needs_no_model(pincite: Callable[..., Ran]) -> None:
    ran = pincite("doctor", "--json")
    (chat,) = [finding for finding in ran.json if finding["name"] == "chat"]
    assert chat["state"] == "ok"
    assert chat["detail"].startswith("extractive")


def test_a_model_in_use_is_called_once_and_other_providers_are_only_looked_for(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"role": "assistant", "content": "ready"}
    head = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    answer = {**head, "choices": [{"index": 0, "message": said, "finish_reason": "stop"}]}
    offered = wires.reply(200, {"data": [{"id": "m"}]})
    with wires.serving(offered, wires.reply(200, answer)) as mine, wires.serving(offered) as other:
        monkeypatch.setenv("PINCITE_MODELS__CHAT", "mine:m")
        monkeypatch.setenv("PINCITE_PROVIDERS__MINE__URL", f"{mine.url}/v1")
        monkeypatch.setenv("PINCITE_PROVIDERS__MINE__KEY", "very-secret")
        monkeypatch.setenv("PINCITE_PROVIDERS__OTHER__URL", f"{other.url}/v1")
        monkeypatch.setenv("PINCITE_PROVIDERS__GOOGLE__TIMEOUT", "3")
        ran = pincite("doctor", "--json")
    assert ran.status == 0
    found = states(ran)
    assert (found["chat"], found["other"], found["google"]) == ("ok", "ok", "missing")
    assert [request.path for request in mine.asked] == ["/v1/models", "/v1/chat/completions"]
    assert [request.path for request in other.asked] == ["/v1/models"]
    assert "very-secret" not in ran.out + ran.said
    assert any("GEMINI_API_KEY" in finding["remedy"] for finding in ran.json)


def test_a_search_engine_that_is_set_is_asked_once(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    with sites.serving() as site:
        monkeypatch.setenv("PINCITE_WEB__SEARCH_URL", site.url("/"))
        site.pages["/search"] = sites.searxng({"url": "https://example.org/", "title": "A page"})
        ran = pincite("doctor", "--json")
        assert (ran.status, states(ran)["web search"]) == (0, "ok")
        site.pages["/search"] = sites.page(b"", status=403)
        ran = pincite("doctor", "--json")
        assert len(site.asked) == 2
    (wrong,) = [finding for finding in ran.json if finding["state"] == "wrong"]
    assert (ran.status, wrong["name"]) == (1, "web search")
    assert "formats: [html, json]" in wrong["remedy"]


def test_one_that_was_set_on_the_page_is_looked_at_too(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    library = open_library(load_settings(data=tmp_path / "data"))
    with library.database.writing() as connection:
        user_settings.set_choice(connection, library.settings.owner, user_settings.SEARCH_URL, "http://127.0.0.1:9")
    library.close()
    assert states(pincite("doctor", "--json"))["web search"] == "wrong"


def test_missing_programs_for_special_pages_are_named(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda name, *rest: None if "youtube" in name else real(name, *rest))
    monkeypatch.setenv("PINCITE_WEB__RENDER", "false")
    ran = pincite("doctor", "--json")
    told = {finding["name"]: finding for finding in ran.json}
    assert (ran.status, told["browser"]["state"], told["youtube"]["state"]) == (0, "missing", "missing")
    assert "web.render is off" in told["browser"]["detail"]
    assert "pincite[youtube]" in told["youtube"]["remedy"]


def test_files_that_others_may_read_and_a_damaged_database_are_told(
    pincite: Callable[..., Ran], tmp_path: Path
) -> None:
    data = tmp_path / "mine"
    assert "private" not in states(pincite("doctor", "--json", "--data", data))
    data.chmod(0o755)
    ran = pincite("doctor", "--json", "--data", data)
    [told] = [finding for finding in ran.json if finding["name"] == "private"]
    assert told["state"] == "missing"
    assert f"chmod -R go= {data}" in told["remedy"]
    file = data / "pincite.db"
    content = bytearray(file.read_bytes())
    content[8192:] = b"\xa5" * (len(content) - 8192)
    file.write_bytes(content)
    for beside in data.glob("pincite.db-*"):
        beside.unlink()
    ran = pincite("doctor", "--json", "--data", data)
    assert ran.status == 1
    [told] = [finding for finding in ran.json if finding["name"] == "database"]
    assert told["state"] == "wrong"
    assert "Restore" in told["remedy"]
