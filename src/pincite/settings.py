"""Define all settings; load them from the command line, PINCITE_* variables and `pincite.toml`."""

import os
from pathlib import Path
from typing import Annotated, Literal, Self

import platformdirs
from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    field_serializer,
    field_validator,
    model_validator,
)

from pincite.settings_accounts import AccountSettings
from pincite.settings_aliases import warn_ignored
from pincite.settings_errors import explain_validation_error, list_unusable_aliases
from pincite.settings_files import FileSettings
from pincite.settings_jobs import JobSettings
from pincite.settings_mail import MailSettings
from pincite.settings_models import ModelSettings, ProviderName, ProviderSettings
from pincite.settings_postgres import PostgresSettings
from pincite.settings_quota import QuotaSettings
from pincite.settings_section import SettingsSection
from pincite.settings_server import ServerSettings, WebSocketSettings
from pincite.settings_sources import gather_values, split_list
from pincite.settings_telemetry import TelemetrySettings
from pincite.settings_web import WebSettings


class ReadingSettings(SettingsSection):
    seconds: Annotated[
        float,
        Field(gt=0, description="Time for one document, plus ten seconds for each page read."),
    ] = 900
    longest_seconds: Annotated[
        float, Field(gt=0, description="Longest time for one document, regardless of its pages.")
    ] = 14_400
    page_seconds: Annotated[
        float, Field(gt=0, description="Longest time for one page; a slower page is skipped and reported.")
    ] = 60
    memory_mb: Annotated[int, Field(ge=256, description="Memory limit of the reader process.")] = 3072
    max_file_mb: Annotated[int, Field(gt=0, description="Larger files are refused.")] = 1024
    max_characters: Annotated[
        int, Field(ge=1000, description="Most characters of one document; the rest is left out and reported.")
    ] = 100_000_000
    max_passages: Annotated[int, Field(ge=1, description="Most passages of one document; likewise.")] = 250_000
    max_pages: Annotated[int, Field(ge=1, description="Most pages of one document; likewise.")] = 10_000
    max_blocks: Annotated[
        int, Field(ge=1, description="Most paragraphs, headings, lists and tables of one document; likewise.")
    ] = 500_000
    max_attributes: Annotated[
        int,
        Field(ge=1000, description="Most tags and attributes of a web page or of a part of an office file; likewise."),
    ] = 2_000_000
    ocr: Annotated[str, Field(description='Tesseract languages for scans and images; "" switches OCR off.')] = "eng+fra"


class PassageSettings(SettingsSection):
    size: Annotated[int, Field(ge=100, le=20_000, description="Approximate number of characters in a passage.")] = 1500
    overlap: Annotated[int, Field(ge=0, description="Characters shared by neighbouring passages.")] = 200
    hidden: Annotated[
        bool,
        Field(
            description="Also search text that is invisible in a file (white, tiny, off the page), marked as hidden."
        ),
    ] = False


class EmbeddingSettings(SettingsSection):
    provider: Annotated[
        Literal["local", "openai", "tei", "hub", "none"],
        Field(description="Source of the vectors; `none` searches by words alone."),
    ] = "local"
    model: Annotated[str, Field(description="The model's name, which is stored with the vectors.")] = (
        "multilingual-e5-small"
    )
    url: Annotated[str, Field(description="Address of the endpoint, for `openai` and `tei`.")] = ""
    key: Annotated[SecretStr, Field(description="Key of the endpoint.")] = SecretStr("")
    similarity: Annotated[
        Literal["cosine", "dot"],
        Field(
            description="How vectors are compared: `cosine` by their direction, `dot` (inner product) by their length "
            "too, for models trained for it."
        ),
    ] = "cosine"
    dimension: Annotated[int, Field(ge=0, description="Expected length of an endpoint's vectors; 0 accepts any.")] = 0
    batch: Annotated[
        int, Field(ge=1, le=512, description="Passages embedded at once; 32 for an endpoint, unless it is set.")
    ] = 8
    parallel: Annotated[int, Field(ge=1, le=64, description="Requests to an endpoint at the same time.")] = 4
    timeout: Annotated[float, Field(gt=0, description="Seconds to wait for an endpoint.")] = 90
    threads: Annotated[int, Field(ge=0, description="Threads of the local model; 0 is one per core.")] = 0
    query_prefix: Annotated[str, Field(description="Put before a question; empty for models other than E5.")] = (
        "query: "
    )
    passage_prefix: Annotated[str, Field(description="Put before a passage; empty for models other than E5.")] = (
        "passage: "
    )

    @model_validator(mode="before")
    @classmethod
    def _fill_in_by_model(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        is_e5 = "e5" in str(given.get("model", "e5")).lower()
        usual: dict[str, object] = {} if is_e5 else {"query_prefix": "", "passage_prefix": ""}
        if given.get("provider") in ("openai", "tei"):
            usual["batch"] = 32  # the default limit of text-embeddings-inference for one request
        return usual | given

    @model_validator(mode="after")
    def _endpoint_has_an_address(self) -> Self:
        if self.provider in ("openai", "tei") and not self.url:
            raise ValueError(f"the provider `{self.provider}` needs embedding.url, such as http://localhost:8001/v1")
        return self


class SearchSettings(SettingsSection):
    dense_weight: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="Share of the vectors in the fused score, the rest is words; unset follows the question.",
        ),
    ] = None
    least_similarity: Annotated[
        float | None,
        Field(
            description="Least similarity of the best passage if no word of the question is found; below it nothing "
            "is found. Unset is 0.835 for the built-in model, and no limit for others."
        ),
    ] = None
    candidates: Annotated[
        int, Field(ge=10, le=5000, description="Passages taken from each search, by words and by vectors.")
    ] = 200

    @field_validator("dense_weight", "least_similarity", mode="before")
    @classmethod
    def _empty_is_unset(cls, given: object) -> object:
        return None if given == "" else given


class RerankSettings(SettingsSection):
    url: Annotated[str, Field(description="Address of a `/rerank` endpoint (TEI, Cohere, Jina); empty is off.")] = ""
    model: Annotated[str, Field(description="The reranker's model name.")] = "BAAI/bge-reranker-v2-m3"
    key: Annotated[SecretStr, Field(description="Key of the endpoint.")] = SecretStr("")
    top_k: Annotated[int, Field(ge=1, le=50, description="Passages sent to the reranker.")] = 20
    return_k: Annotated[int, Field(ge=1, le=50, description="The best of these, which are given to a model.")] = 5
    timeout: Annotated[float, Field(gt=0, description="Seconds to wait for the reranker.")] = 30


class AnswerSettings(SettingsSection):
    strict: Annotated[
        bool, Field(description="Leave out sentences that no source supports, instead of marking them.")
    ] = False
    judge: Annotated[
        str,
        Field(
            description="The judge of an answer's sentences: `model` is the system model if a model writes, "
            "`provider:model` another model, `off` none."
        ),
    ] = "model"
    judge_seconds: Annotated[float, Field(gt=0, description="Longest time for one request to the judge.")] = 60
    repair: Annotated[
        bool | None,
        Field(
            description="Send sentences that the sources contradict or do not support back to the writer, once; "
            "unset is only in strict mode."
        ),
    ] = None
    evidence: Annotated[
        int,
        Field(
            ge=1, le=50, description="Passages of one search of the documents that a model is given without a reranker."
        ),
    ] = 5
    history_tokens: Annotated[int, Field(ge=0, description="Most tokens of the conversation a model is given.")] = 2000
    history_exchanges: Annotated[
        int, Field(ge=0, description="Most questions of the conversation, with their answers.")
    ] = 6
    tool_seconds: Annotated[float, Field(gt=0, description="Longest time for one tool call.")] = 60


class ResearchSettings(SettingsSection):
    subagents: Annotated[
        bool, Field(description="Split questions with several parts, and answer the parts in parallel.")
    ] = True
    requests: Annotated[int, Field(ge=1, description="Most requests to models for a split question or a report.")] = 40
    tool_calls: Annotated[int, Field(ge=1, description="Most tool calls for a split question or a report.")] = 80
    tokens: Annotated[
        int, Field(ge=1, description="Most tokens, sent and received, for a split question or a report.")
    ] = 500_000
    seconds: Annotated[
        float, Field(gt=0, description="Longest time for the parts; then the answer uses the evidence found so far.")
    ] = 300


class ProjectSettings(SettingsSection):
    folders: Annotated[
        tuple[Path, ...],
        BeforeValidator(split_list),
        Field(description="Folders of projects: questions may be about their files, and changes may be applied there."),
    ] = ()
    tree_tokens: Annotated[
        int, Field(ge=100, description="Most tokens of a project's file tree; a longer one is cut down.")
    ] = 6000
    file_bytes: Annotated[
        int, Field(ge=1000, description="Largest file of a project that is read; larger ones are refused.")
    ] = 1_000_000
    given_bytes: Annotated[
        int, Field(ge=0, description="Most bytes of files that a client may send with a question.")
    ] = 4_000_000
    continuations: Annotated[
        int, Field(ge=0, description="How often a request that is not finished may be continued.")
    ] = 10


class Settings(SettingsSection):
    data: Annotated[Path, Field(description="Folder for the database, documents and models.")] = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("pincite"))
    )
    database: Annotated[
        str,
        Field(
            repr=False,  # it may have a password
            description="Address of the database, `postgresql://user:password@host/name` or "
            "`sqlite:////folder/name.db`; empty is a SQLite file in `data`.",
        ),
    ] = ""
    owner: Annotated[str, Field(min_length=1, description="The owner of the documents.")] = "local"
    files: Annotated[FileSettings, Field(default_factory=FileSettings)]
    reading: Annotated[ReadingSettings, Field(default_factory=ReadingSettings)]
    passages: Annotated[PassageSettings, Field(default_factory=PassageSettings)]
    embedding: Annotated[EmbeddingSettings, Field(default_factory=EmbeddingSettings)]
    search: Annotated[SearchSettings, Field(default_factory=SearchSettings)]
    rerank: Annotated[RerankSettings, Field(default_factory=RerankSettings)]
    models: Annotated[ModelSettings, Field(default_factory=ModelSettings)]
    providers: Annotated[
        dict[ProviderName, ProviderSettings],
        Field(default_factory=dict, description="Providers of models, one table each, under its name."),
    ]
    answers: Annotated[AnswerSettings, Field(default_factory=AnswerSettings)]
    research: Annotated[ResearchSettings, Field(default_factory=ResearchSettings)]
    web: Annotated[WebSettings, Field(default_factory=WebSettings)]
    projects: Annotated[ProjectSettings, Field(default_factory=ProjectSettings)]
    postgres: Annotated[PostgresSettings, Field(default_factory=PostgresSettings)]
    jobs: Annotated[JobSettings, Field(default_factory=JobSettings)]
    server: Annotated[ServerSettings, Field(default_factory=ServerSettings)]
    websocket: Annotated[WebSocketSettings, Field(default_factory=WebSocketSettings)]
    accounts: Annotated[AccountSettings, Field(default_factory=AccountSettings)]
    mail: Annotated[MailSettings, Field(default_factory=MailSettings)]
    quota: Annotated[QuotaSettings, Field(default_factory=QuotaSettings)]
    telemetry: Annotated[TelemetrySettings, Field(default_factory=TelemetrySettings)]

    @field_validator("data")
    @classmethod
    def _at_home(cls, given: Path) -> Path:
        return given.expanduser()

    @field_serializer("database", when_used="json")
    def _hide_password(self, given: str) -> str:
        return "**********" if given else ""


def load_settings(config: Path | None = None, **given: object) -> Settings:
    """Load settings from `given`, the environment, and `config` (or ./pincite.toml, or $PINCITE_CONFIG), in this order.

    A variable of another program with a value that is not valid here is ignored with a warning.
    """
    ignored: frozenset[str] = frozenset()
    while True:
        gathered = gather_values(Settings, config, given, os.environ, ignored)
        try:
            return Settings.model_validate(gathered.values)
        except ValidationError as error:
            unusable = list_unusable_aliases(error, gathered, Settings)
            if not unusable:
                raise explain_validation_error(error, gathered, Settings) from None
        for name, reason in unusable.items():
            warn_ignored(name, reason)
        ignored |= unusable.keys()
