"""compose.yaml says what its schema allows, starts what exists, and gives nothing more rights than it needs."""

import re
import subprocess
import sys
from ipaddress import IPv4Address, IPv4Network
from typing import Any

import pytest

from pincite.server import server_process
from tests.deploy.compose import ROOT, VARIABLE, is_ours, read_compose, read_sample
from tests.deploy.program_checks import load_from, parse_command

SECRETS = {"POSTGRES_PASSWORD": "p4ss", "OBJECTS_PASSWORD": "s3cret", "SEARXNG_SECRET": "x"}
SERVICES: dict[str, dict[str, Any]] = read_compose(SECRETS)["services"]
# A start-up script gives a folder to a user and becomes that user; the proxy listens on ports below 1024.
NEEDED = {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID", "NET_BIND_SERVICE"}
OURS = [name for name, service in SERVICES.items() if is_ours(service)]


def test_the_file_fits_the_schema_of_compose_files() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", ROOT / "compose.yaml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_profiles_start_what_they_promise() -> None:
    profiles: dict[str, set[str]] = {}
    for name, service in SERVICES.items():
        assert service["profiles"], f"{name} would start with every profile"
        for profile in service["profiles"]:
            profiles.setdefault(profile, set()).add(name.removeprefix("pincite-"))
    assert profiles == {
        "app": {"app"},
        "web": {"searxng"},
        "team": {"server-1", "server-2", "worker", "proxy", "postgres", "objects", "bucket", "searxng"},
    }
    assert SERVICES["pincite-worker"]["deploy"]["replicas"] == "2"


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_limits_and_no_rights_it_does_not_need(name: str) -> None:
    service = SERVICES[name]
    assert name.startswith("pincite-"), "names are unique beside those of other projects"
    assert service["cap_drop"] == ["ALL"]
    assert set(service.get("cap_add", ())) <= {
        "CHOWN",
        "DAC_OVERRIDE",
        "FOWNER",
        "SETGID",
        "SETUID",
        "NET_BIND_SERVICE",
    }
    assert "no-new-privileges:true" in service["security_opt"]
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}
    assert service["restart"] == ("no" if name == "pincite-bucket" else "unless-stopped")
    assert not {"privileged", "network_mode", "pid", "devices"} & set(service)
    # The start-up script of SearXNG writes beside its program.
    assert service.get("read_only") is (None if name == "pincite-searxng" else True)
    if is_ours(service):
        assert service["user"] == "10001:10001"
        assert "cap_add" not in service
        assert any(tmpfs.startswith("/tmp") for tmpfs in service["tmpfs"])
        assert any(str(volume).split(":")[-1] == "/data" for volume in service["volumes"])


@pytest.mark.parametrize("name", OURS)
def test_the_commands_and_settings_of_our_services_exist(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    service = SERVICES[name]
    assert parse_command(service["command"]) == ["worker" if "worker" in name else "serve"]
    check = service["healthcheck"]
    if not check.get("disable"):
        kind, program, *arguments = check["test"]
        assert (kind, program) == ("CMD", "pincite")
        assert parse_command(arguments) == ["health"]
    settings = load_from(service["environment"], monkeypatch)
    assert str(settings.data) == "/data"
    assert settings.accounts.mode == "team"
    grace = float(service["stop_grace_period"].removesuffix("s"))
    if parse_command(service["command"]) == ["worker"]:
        assert grace >= settings.jobs.drain_seconds + 15
    else:
        assert grace >= settings.server.drain_seconds + 2 * server_process._GRACE
    if "team" in service["profiles"]:
        assert settings.database.startswith("postgresql://pincite:p4ss@pincite-postgres.internal")
        assert settings.files.secret.get_secret_value() == "s3cret"


def test_every_host_that_a_service_is_told_is_a_service_of_the_same_profile() -> None:
    for name, service in SERVICES.items():
        told = " ".join(map(str, service.get("environment", {}).values()))
        for host in re.findall(r"([\w-]+)\.internal", told):
            named = SERVICES[host]
            shared = set(service["networks"]) & set(named["networks"])
            assert any(f"{host}.internal" in named["networks"][network]["aliases"] for network in shared), host
            assert set(service["profiles"]) <= set(named["profiles"]), f"{name} needs {host}"
        for other, condition in service.get("depends_on", {}).items():
            waits_for = condition["condition"]
            assert waits_for != "service_healthy" or "test" in SERVICES[other]["healthcheck"], other


def test_servers_believe_the_proxy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    front = {name: service for name, service in SERVICES.items() if "front" in service["networks"]}
    assert set(front) == {"pincite-proxy", "pincite-server-1", "pincite-server-2"}
    assert "inside" not in front["pincite-proxy"]["networks"]
    address = front["pincite-proxy"]["networks"]["front"]["ipv4_address"]
    (given,) = read_compose(SECRETS)["networks"]["front"]["ipam"]["config"]
    # An address that the engine gives to nobody else.
    assert IPv4Address(address) in IPv4Network(given["subnet"])
    assert IPv4Address(address) not in IPv4Network(given["ip_range"])
    assert IPv4Network(given["ip_range"]).subnet_of(IPv4Network(given["subnet"]))
    for name in OURS:
        settings = load_from(SERVICES[name]["environment"], monkeypatch)
        assert settings.server.proxies == ((address,) if name != "pincite-app" else ("127.0.0.1", "::1"))


@pytest.mark.parametrize("name", [name for name in SERVICES if name not in OURS])
def test_every_image_of_others_has_a_version(name: str) -> None:
    tag = SERVICES[name]["image"].partition(":")[2]
    assert re.search(r"\d+\.\d+\.\d+|\d{4}-\d{2}-\d{2}T", tag), tag


def test_volumes_and_files_of_the_services_exist() -> None:
    named = read_compose(SECRETS)["volumes"]
    used = set()
    for service in SERVICES.values():
        for volume in service.get("volumes", ()):
            source, _, target = volume.partition(":")
            if source.startswith("./"):
                assert (ROOT / source).is_file()
                assert target.endswith(":ro")
            elif target:
                used.add(source)
    assert used == set(named)


def test_the_sample_explains_every_variable_and_holds_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    used = {found[0] for found in VARIABLE.findall((ROOT / "compose.yaml").read_text(encoding="utf-8"))}
    sample = read_sample()
    assert used - set(sample) == set()
    others = {name for name in sample if name not in used and not name.startswith("PINCITE_")}
    assert all(name.endswith("_API_KEY") for name in others), others
    assert {name for name in used if name.startswith("PINCITE_")} == set(), (
        "a name of ours that is no setting is refused"
    )
    assert {name: value for name, value in sample.items() if "PASSWORD" in name or "SECRET" in name if value} == {}
    load_from({name: value for name, value in sample.items() if name.startswith("PINCITE_")}, monkeypatch)
    defaults = {found[0]: found[1] for found in VARIABLE.findall((ROOT / "compose.yaml").read_text(encoding="utf-8"))}
    assert {name: sample[name] for name in used} == {name: defaults[name] for name in used}


def test_no_secret_stands_in_the_file() -> None:
    for service in read_compose({})["services"].values():
        for name, value in service.get("environment", {}).items():
            if re.search("PASSWORD|SECRET", name):
                assert value == ""
