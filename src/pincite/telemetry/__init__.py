"""Report on a running process: metrics, traces, and the ids that its log lines carry.

Every layer may use it. Nothing here asks a database or knows what an answer is: a caller says what happened.
"""

from pincite.telemetry.log_ids import carry_ids
from pincite.telemetry.spans import TraceSpan, span

__all__ = ["TraceSpan", "carry_ids", "span"]
