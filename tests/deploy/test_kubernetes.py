"""The manifests fit the schemas of Kubernetes, name each other rightly, and start what exists."""

import re
from ipaddress import ip_network
from typing import Any

import kubernetes_validate
import pytest
from ruamel.yaml import YAML

from pincite import __version__
from pincite.server import server_process
from tests.deploy.compose import ROOT
from tests.deploy.program_checks import load_from, parse_command

FOLDER = ROOT / "deploy" / "kubernetes"
FILES = sorted(path.name for path in FOLDER.glob("*.yaml") if path.name != "kustomization.yaml")


def read(name: str) -> list[dict[str, Any]]:
    return [each for each in YAML(typ="safe").load_all((FOLDER / name).read_text(encoding="utf-8")) if each]


MANIFESTS = {(each["kind"], each["metadata"]["name"]): each for name in FILES for each in read(name)}
WORKLOADS = {name: each for (kind, name), each in MANIFESTS.items() if kind in ("Deployment", "Job")}


@pytest.mark.parametrize("name", FILES)
def test_every_manifest_fits_its_schema(name: str) -> None:
    for manifest in read(name):
        kubernetes_validate.validate(manifest, "1.37", strict=True)
        assert "namespace" not in manifest["metadata"]


def test_kustomize_takes_everything_but_the_samples() -> None:
    (listed,) = read("kustomization.yaml")
    assert set(listed["resources"]) == {name for name in FILES if ".sample." not in name}


@pytest.mark.parametrize("name", WORKLOADS)
def test_every_pod_is_confined(name: str) -> None:
    pod = WORKLOADS[name]["spec"]["template"]["spec"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == 10001
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    for wanted in ("requests", "limits"):
        assert {"cpu", "memory"} <= set(container["resources"][wanted])
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/data", "/tmp"}
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_commands_and_settings_of_the_pods_exist(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (container,) = WORKLOADS[name]["spec"]["template"]["spec"]["containers"]
    if "args" in container:
        assert parse_command(container["args"]) == [name.removeprefix("pincite-").replace("server", "serve")]
    else:
        (line,) = re.findall(r"pincite (.+)$", container["command"][-1])
        assert parse_command(line.replace('"$NAME"', "Ada").split()) == ["accounts", "init"]
    variables: dict[str, str] = {}
    for source in container["envFrom"]:
        (kind, named), *_ = source.items()
        manifest = MANIFESTS["ConfigMap" if kind == "configMapRef" else "Secret", named["name"]]
        variables |= manifest.get("data") or manifest["stringData"]
    settings = load_from(variables, monkeypatch)
    assert settings.accounts.mode == "team"
    assert settings.database.startswith("postgresql://")
    assert settings.files.url.startswith("s3://")
    assert not settings.server.worker


def test_services_probes_and_budgets_find_the_servers() -> None:
    server = WORKLOADS["pincite-server"]["spec"]
    labels = server["template"]["metadata"]["labels"]
    (container,) = server["template"]["spec"]["containers"]
    assert server["replicas"] == 2
    assert [each["name"] for each in container["ports"]] == ["http"]
    assert container["readinessProbe"]["httpGet"] == {"path": "/ready", "port": "http"}
    assert container["livenessProbe"]["httpGet"] == {"path": "/health", "port": "http"}
    assert container["startupProbe"]["httpGet"]["port"] == "http"
    selectors = [
        MANIFESTS["Service", "pincite-server"]["spec"]["selector"],
        MANIFESTS["PodDisruptionBudget", "pincite-server"]["spec"]["selector"]["matchLabels"],
        MANIFESTS["NetworkPolicy", "pincite-server"]["spec"]["podSelector"]["matchLabels"],
        server["selector"]["matchLabels"],
    ]
    assert all(selector.items() <= labels.items() for selector in selectors)
    worker = WORKLOADS["pincite-worker"]["spec"]["template"]["metadata"]["labels"]
    assert not any(selector.items() <= worker.items() for selector in selectors)
    (path,) = MANIFESTS["Ingress", "pincite"]["spec"]["rules"][0]["http"]["paths"]
    assert path["backend"]["service"] == {"name": "pincite-server", "port": {"name": "http"}}
    target = MANIFESTS["HorizontalPodAutoscaler", "pincite-worker"]["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) in MANIFESTS


def test_servers_are_reached_by_the_ingress_controller_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    (rule,) = MANIFESTS["NetworkPolicy", "pincite-server"]["spec"]["ingress"]
    assert rule["from"], "without it every pod could say where a request comes from"
    settings = load_from(MANIFESTS["ConfigMap", "pincite"]["data"], monkeypatch)
    assert all(ip_network(each).prefixlen >= 16 for each in settings.server.proxies)


def test_the_image_has_the_version_of_the_program() -> None:
    (listed,) = read("kustomization.yaml")
    assert [each["newTag"] for each in listed["images"]] == [__version__]
    images = {WORKLOADS[name]["spec"]["template"]["spec"]["containers"][0]["image"] for name in WORKLOADS}
    assert images == {f"pincite:{__version__}"}


def test_a_pod_has_the_time_to_end_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_from(MANIFESTS["ConfigMap", "pincite"]["data"], monkeypatch)
    assert settings.server.drain_seconds > 10, "the Service needs a moment to notice"
    server, worker = (WORKLOADS[f"pincite-{name}"]["spec"]["template"]["spec"] for name in ("server", "worker"))
    assert server["terminationGracePeriodSeconds"] >= settings.server.drain_seconds + 2 * server_process._GRACE
    assert worker["terminationGracePeriodSeconds"] >= settings.jobs.drain_seconds + 15
