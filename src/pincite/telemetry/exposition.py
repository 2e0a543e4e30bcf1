"""Write metrics in the format of Prometheus."""

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from pincite.telemetry.metric_types import Counter, Gauge, Histogram


class _Collected(Collector):
    def __init__(self, metrics: Iterable[Counter | Histogram]) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        for metric in self._metrics:
            yield _convert(metric)


def render_metrics(metrics: Iterable[Counter | Histogram], accept: str = "") -> tuple[bytes, str]:
    """Return metrics, with those of the process itself, as a text and its content type.

    `accept` is what the reader's header of that name says: OpenMetrics if it asks for it.
    """
    registry = CollectorRegistry()
    registry.register(_Collected(metrics))
    ProcessCollector(registry=registry)  # memory, CPU time and open files
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


def _convert(metric: Counter | Histogram) -> Metric:
    if isinstance(metric, Histogram):
        histogram = HistogramMetricFamily(metric.name, metric.meaning, labels=metric.labels)
        for labels, (counts, total) in sorted(metric.read().items()):
            histogram.add_metric(labels, _accumulate(metric.buckets, counts), total)
        return histogram
    kind = GaugeMetricFamily if isinstance(metric, Gauge) else CounterMetricFamily
    family = kind(metric.name, metric.meaning, labels=metric.labels)
    for labels, value in sorted(metric.read().items()):
        family.add_metric(labels, value)
    return family


def _accumulate(buckets: tuple[float, ...], counts: list[int]) -> list[tuple[str, float]]:
    """Return the counts of all values up to each limit, as Prometheus counts them."""
    limits = [*(f"{float(limit)}" for limit in buckets), "+Inf"]
    return [(limit, float(sum(counts[: at + 1]))) for at, limit in enumerate(limits)]
