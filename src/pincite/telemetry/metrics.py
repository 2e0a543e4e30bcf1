"""All metrics that a process counts itself. docs/operations.md says what each is good for.

A label has few values, and never the name of a person, a document or a file, nor any of their words.
"""

from itertools import product

from pincite.telemetry.metric_types import Counter, Gauge, Histogram

_STAGE = (0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_FIRST = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_ANSWER = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600)
_REQUEST = (0.01, 0.05, 0.25, 1, 5)
_STEP = (0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600)

QUESTIONS = Counter(
    "pincite_questions",
    "Questions that ended, by their end and by what answered them.",
    ("outcome", "model_kind"),
    list(product(("done", "refused", "stopped", "failed"), ("extractive", "language_model"))),
)
STAGE_SECONDS = Histogram("pincite_stage_seconds", "Seconds in one stage of an answer.", _STAGE, ("stage",))
FIRST_EVENT_SECONDS = Histogram(
    "pincite_first_event_seconds", "Seconds from a question to the first event of its answer.", _FIRST
)
ANSWER_SECONDS = Histogram(
    "pincite_answer_seconds", "Seconds from a question to the end of its answer.", _ANSWER, ("model_kind",)
)
SENTENCES = Counter("pincite_sentences", "Sentences of finished answers, by their verdict.", ("verdict",))
TOKENS = Counter("pincite_tokens", "Tokens sent to and received from a model.", ("model", "direction"))
MODEL_REQUESTS = Counter("pincite_model_requests", "Requests to a model.", ("model", "outcome"))
MODEL_SECONDS = Histogram("pincite_model_request_seconds", "Seconds of one request to a model.", _STAGE, ("model",))
TOOL_CALLS = Counter("pincite_tool_calls", "Calls of tools by answers, by their outcome.", ("tool", "outcome"))
HTTP_REQUESTS = Counter(
    "pincite_http_requests", "Responses, by the template of the route.", ("method", "route", "status")
)
HTTP_SECONDS = Histogram("pincite_http_request_seconds", "Seconds until the head of a response.", _REQUEST, ("route",))
OPEN_STREAMS = Gauge(
    "pincite_open_streams", "Open event streams and WebSockets.", ("kind",), [("events",), ("websocket",)]
)
INGESTION_STEPS = Counter(
    "pincite_ingestion_steps",
    "Steps of ingestion that this process ended, by their outcome.",
    ("step", "outcome"),
    list(product(("read", "embed"), ("done", "failed"))),
)
PAGES = Counter("pincite_ingestion_pages", "Pages that this process read.")
INGESTION_SECONDS = Histogram("pincite_ingestion_seconds", "Seconds of one step of ingestion.", _STEP, ("step",))
ERRORS = Counter("pincite_errors", "Errors shown to a caller, by their code.", ("code",))

ALL: tuple[Counter | Histogram, ...] = (
    QUESTIONS,
    STAGE_SECONDS,
    FIRST_EVENT_SECONDS,
    ANSWER_SECONDS,
    SENTENCES,
    TOKENS,
    MODEL_REQUESTS,
    MODEL_SECONDS,
    TOOL_CALLS,
    HTTP_REQUESTS,
    HTTP_SECONDS,
    OPEN_STREAMS,
    INGESTION_STEPS,
    PAGES,
    INGESTION_SECONDS,
    ERRORS,
)
