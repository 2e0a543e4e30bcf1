import http.client
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse
from pydantic import SecretStr

from pincite.cli.worker_metrics import serve_metrics
from pincite.errors import Misuse
from pincite.library import Library, open_library
from pincite.library.process_numbers import ProcessNumbers
from pincite.settings import load_settings
from pincite.settings_telemetry import TelemetrySettings
from tests import program
from tests.cli.conftest import Ran
from tests.clock import PATIENCE

TOKEN = "a-token-for-prometheus"


@pytest.fixture
def library(tmp_path: Path) -> "Library":
    return open_library(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))


def get(port: int, path: str, token: str = "", host: str = "localhost") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {"Host": f"{host}:{port}"} | ({"Authorization": f"Bearer {token}"} if token else {})
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body


def test_a_worker_serves_its_metrics(library: Library, folder: Path) -> None:
    library.add("local", folder / "lease.md")
    with serve_metrics(ProcessNumbers(library), "127.0.0.1", 0, TelemetrySettings(), is_this_machine=True) as port:
        status, body = get(port, "/metrics")
        assert status == 200
        samples = [sample for family in parse(body) for sample in family.samples]
        queued = [each for each in samples if each.name == "pincite_jobs" and each.value]
        assert [(each.labels["step"], each.labels["state"], each.value) for each in queued] == [("read", "queued", 1)]
        assert get(port, "/health") == (200, '{"status":"ok"}')
        assert get(port, "/other")[0] == 404
    with pytest.raises(OSError):
        get(port, "/metrics")
    library.close()


def test_a_page_whose_name_was_made_to_lead_to_this_machine_gets_no_metrics(library: Library) -> None:
    with serve_metrics(ProcessNumbers(library), "127.0.0.1", 0, TelemetrySettings(), is_this_machine=True) as port:
        status, body = get(port, "/metrics", host="attacker.example")
        assert (status, "pincite_" in body) == (421, False)
        assert get(port, "/metrics", host="127.0.0.1")[0] == 200
    chosen = TelemetrySettings(metrics="token", metrics_token=SecretStr(TOKEN))
    with serve_metrics(ProcessNumbers(library), "127.0.0.1", 0, chosen, is_this_machine=False) as port:
        assert get(port, "/metrics", TOKEN, host="worker-1.example")[0] == 200
    library.close()


def test_a_token_is_needed_where_the_setting_says_so(library: Library) -> None:
    chosen = TelemetrySettings(metrics="token", metrics_token=SecretStr(TOKEN))
    with serve_metrics(ProcessNumbers(library), "127.0.0.1", 0, chosen, is_this_machine=False) as port:
        assert [get(port, "/metrics", token)[0] for token in ("", "wrong", TOKEN)] == [401, 401, 200]
        assert get(port, "/health")[0] == 200
    library.close()


@pytest.mark.parametrize(
    ("host", "metrics", "said"), [("0.0.0.0", "local", "open to everybody"), ("127.0.0.1", "off", "switched off")]
)
def test_metrics_are_not_opened_to_everybody(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, host: str, metrics: str, said: str
) -> None:
    monkeypatch.setenv("PINCITE_TELEMETRY__METRICS", metrics)
    ran = pincite("worker", "--once", "--metrics-port", "0", "--metrics-host", host)
    assert ran.status == 2
    assert said in ran.said


def test_a_port_that_is_taken_is_said(library: Library) -> None:
    numbers = ProcessNumbers(library)
    with (
        serve_metrics(numbers, "127.0.0.1", 0, TelemetrySettings(), is_this_machine=True) as port,
        pytest.raises(Misuse, match=str(port)),
        serve_metrics(numbers, "127.0.0.1", port, TelemetrySettings(), is_this_machine=True),
    ):
        pass
    library.close()


@pytest.mark.slow
def test_a_worker_that_logs_as_json_writes_nothing_else(library: Library, folder: Path, tmp_path: Path) -> None:
    (folder / "empty.txt").write_text("")
    for name in ("lease.md", "empty.txt"):
        library.add("local", folder / name)
    library.close()
    chosen = {"EMBEDDING__PROVIDER": "none", "TELEMETRY__LOGS": "json"}
    ran = program.run("worker", "--once", "--metrics-port", "0", data=tmp_path / "data", **chosen)
    assert (ran.returncode, ran.stdout) == (0, "")
    lines = [json.loads(line) for line in ran.stderr.splitlines()]
    assert any("2 pieces of work are waiting." in line["message"] for line in lines)
    assert any("empty.txt is empty." in line["message"] for line in lines)
    assert any(line["message"].startswith("Metrics are at http://127.0.0.1:") for line in lines)
