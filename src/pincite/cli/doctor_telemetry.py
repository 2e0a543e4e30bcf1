"""The checks of `pincite doctor` for metrics, traces and logs."""

from typing import TYPE_CHECKING

from pincite.cli.finding import Finding

if TYPE_CHECKING:
    from pincite.settings import Settings

_SECONDS = 5.0
_READERS = {
    "off": "nobody may read /metrics",
    "local": "programs of this machine and administrators may read /metrics",
    "token": "programs with telemetry.metrics_token, and administrators, may read /metrics",
}


def check_telemetry(settings: "Settings") -> list[Finding]:
    """Say who may read the metrics, whether traces arrive, and how logs are written."""
    chosen = settings.telemetry
    found = [Finding("metrics", "ok", _READERS[chosen.metrics])]
    if chosen.traces:
        found.append(_check_traces(chosen.traces))
    else:
        found.append(
            Finding("traces", "missing", "none are sent", "Set telemetry.traces to the address of a collector.")
        )
    found.append(Finding("logs", "ok", f"{chosen.logs} on stderr"))
    return found


def _check_traces(address: str) -> Finding:
    """Send an empty list of spans, which every collector accepts."""
    import httpx2

    from pincite.errors import PinciteError
    from pincite.settings_telemetry import TelemetrySettings
    from pincite.telemetry.start import check_traces, make_traces_address

    try:
        check_traces(TelemetrySettings(traces=address))
    except PinciteError as error:
        return Finding("traces", "wrong", error.message, error.hint)
    target = make_traces_address(address)
    remedy = "Check telemetry.traces: the address of a collector's OTLP over HTTP, usually with port 4318."
    try:
        headers = {"Content-Type": "application/x-protobuf"}
        answer = httpx2.post(target, content=b"", headers=headers, timeout=_SECONDS, trust_env=False)
    except httpx2.HTTPError as error:
        return Finding("traces", "wrong", f"{target}: {error or type(error).__name__}", remedy)
    if answer.status_code in (401, 403):
        # What the collector wants to know stands in OTEL_EXPORTER_OTLP_HEADERS, which the check does not send.
        return Finding("traces", "ok", f"{target} answers, and wants to know who sends")
    if answer.is_success:
        return Finding("traces", "ok", f"{target} takes spans")
    return Finding("traces", "wrong", f"{target} answered {answer.status_code}", remedy)
