"""Every setting, built once at the door from `pincite.toml` and PINCITE_* variables, and passed on."""

import os
from pathlib import Path
from typing import Annotated, Literal, Self

import platformdirs
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from pincite.settings_aliases import warn_ignored
from pincite.settings_errors import explain, list_unusable_aliases
from pincite.settings_sources import gather, split_list

ProviderKind = Literal["openai", "anthropic", "mistral", "google", "groq", "deepseek", "openrouter", "ollama", "vllm"]
ProviderName = Annotated[str, StringConstraints(pattern="^[a-z0-9][a-z0-9_-]*$")]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReadingSettings(_Section):
    seconds: Annotated[
        float,
        Field(gt=0, description="Time for one document, and ten seconds more for each page that was read."),
    ] = 900
    longest_seconds: Annotated[
        float, Field(gt=0, description="Longest time for one document, however many pages it has.")
    ] = 14_400
    page_seconds: Annotated[
        float, Field(gt=0, description="Longest time for one page; then the page is skipped and said so.")
    ] = 60
    memory_mb: Annotated[int, Field(ge=256, description="Memory limit of the process that reads.")] = 3072
    max_file_mb: Annotated[int, Field(gt=0, description="Larger files are refused.")] = 1024
    max_characters: Annotated[
        int, Field(ge=1000, description="Most characters of one document; the rest is left out and said so.")
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


class PassageSettings(_Section):
    size: Annotated[int, Field(ge=100, le=20_000, description="About how many characters a passage has.")] = 1500
    overlap: Annotated[int, Field(ge=0, description="Characters shared by neighbouring passages.")] = 200
    hidden: Annotated[
        bool,
        Field(description="Search text that nobody can see in a file (white, tiny, off the page) too; it says so."),
    ] = False


class EmbeddingSettings(_Section):
    provider: Annotated[
        Literal["local", "openai", "tei", "hub", "none"],
        Field(description="Where vectors come from; `none` searches by words alone."),
    ] = "local"
    model: Annotated[str, Field(description="The model's name; kept with the vectors.")] = "multilingual-e5-small"
    url: Annotated[str, Field(description="Address of the endpoint, for `openai` and `tei`.")] = ""
    key: Annotated[SecretStr, Field(description="Key of the endpoint.")] = SecretStr("")
    similarity: Annotated[
        Literal["cosine", "dot"],
        Field(
            description="How vectors are compared: `cosine` by their direction, `dot` (inner product) by their length "
            "too, for models trained for it."
        ),
    ] = "cosine"
    dimension: Annotated[
        int, Field(ge=0, description="Numbers in a vector of an endpoint, which is checked; 0 takes what comes.")
    ] = 0
    batch: Annotated[int, Field(ge=1, le=512, description="Passages embedded at once.")] = 8
    timeout: Annotated[float, Field(gt=0, description="Seconds to wait for an endpoint.")] = 90
    threads: Annotated[int, Field(ge=0, description="Threads of the local model; 0 is one per core.")] = 0
    query_prefix: Annotated[str, Field(description="Put before a question; empty for models other than E5.")] = (
        "query: "
    )
    passage_prefix: Annotated[str, Field(description="Put before a passage; empty for others too.")] = "passage: "

    @model_validator(mode="before")
    @classmethod
    def _prefixes_of_the_model(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        is_e5 = "e5" in str(given.get("model", "e5")).lower()
        return given if is_e5 else {"query_prefix": "", "passage_prefix": ""} | given

    @model_validator(mode="after")
    def _endpoint_has_an_address(self) -> Self:
        if self.provider in ("openai", "tei") and not self.url:
            raise ValueError(f"the provider `{self.provider}` needs embedding.url, such as http://localhost:8001/v1")
        return self


class SearchSettings(_Section):
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
            description="Least similarity of the best passage where no word of the question is found; below it nothing "
            "is found. Unset is 0.835 for the built-in model, and no limit for others."
        ),
    ] = None
    candidates: Annotated[int, Field(ge=10, le=5000, description="Passages taken from each side.")] = 200

    @field_validator("dense_weight", "least_similarity", mode="before")
    @classmethod
    def _empty_is_unset(cls, given: object) -> object:
        return None if given == "" else given


class RerankSettings(_Section):
    url: Annotated[str, Field(description="Address of a `/rerank` endpoint (TEI, Cohere, Jina); empty is off.")] = ""
    model: Annotated[str, Field(description="The reranker's model name.")] = "BAAI/bge-reranker-v2-m3"
    key: Annotated[SecretStr, Field(description="Key of the endpoint.")] = SecretStr("")
    top_k: Annotated[int, Field(ge=1, le=50, description="Passages sent to the reranker.")] = 20
    return_k: Annotated[int, Field(ge=1, le=50, description="Best of these, which alone a model is given.")] = 5
    timeout: Annotated[float, Field(gt=0, description="Seconds to wait for it.")] = 30


class AnswerSettings(_Section):
    strict: Annotated[
        bool, Field(description="Leave out sentences that no source supports, instead of marking them.")
    ] = False
    judge: Annotated[
        str,
        Field(
            description="The judge of an answer's sentences: `model` is the system model where a model writes, "
            "`provider:model` a model of its own, `off` none."
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
    history_exchanges: Annotated[int, Field(ge=0, description="Most questions of it, with their answers.")] = 6
    tool_seconds: Annotated[float, Field(gt=0, description="Longest time for one tool call.")] = 60


class ResearchSettings(_Section):
    subagents: Annotated[
        bool, Field(description="Take questions with several parts apart, and work on the parts in parallel.")
    ] = True
    requests: Annotated[
        int, Field(ge=1, description="Most requests to models for a question taken apart, or a report.")
    ] = 40
    tool_calls: Annotated[int, Field(ge=1, description="Most tool calls for it.")] = 80
    tokens: Annotated[int, Field(ge=1, description="Most tokens, sent and received, for it.")] = 500_000
    seconds: Annotated[
        float, Field(gt=0, description="Longest time for its parts; then it is answered from what was found.")
    ] = 300


class WebSettings(_Section):
    allow: Annotated[
        tuple[str, ...],
        BeforeValidator(split_list),
        Field(description="Hosts (`host`, `host:port`) and networks (CIDR) that may be reached though not public."),
    ] = ()
    seconds: Annotated[float, Field(gt=0, description="Longest time to fetch one address.")] = 60
    max_page_mb: Annotated[int, Field(ge=1, description="Largest web page; files have `reading.max_file_mb`.")] = 10
    per_host: Annotated[int, Field(ge=1, le=10, description="Most requests to one host at once.")] = 2
    pause_seconds: Annotated[
        float, Field(ge=0, le=60, description="Time between two requests to one host; its robots.txt may ask for more.")
    ] = 0.5
    search_url: Annotated[
        str,
        Field(
            # Without a name and password, which pages would show.
            pattern=r"^(https?://[^\s/?#@]+(/[^\s?#]*)?)?$",
            description="Address of a SearXNG that searches the web; empty is none. The page may set another.",
        ),
    ] = ""
    search_seconds: Annotated[float, Field(gt=0, description="Longest time to wait for that SearXNG.")] = 15
    pages: Annotated[int, Field(ge=1, le=12, description="Most pages that are read for one search of the web.")] = 4
    page_seconds: Annotated[
        float, Field(gt=0, description="How long such a search waits for its pages; slower ones are left out.")
    ] = 12
    render: Annotated[
        bool,
        Field(description="Read pages that need JavaScript in a browser, if `pincite[browser]` and one are there."),
    ] = True
    browser: Annotated[str, Field(description="That Chromium's program; empty looks for one.")] = ""


class JobSettings(_Section):
    lease_seconds: Annotated[
        float, Field(gt=0, description="How long a silent worker keeps its work before another takes it.")
    ] = 30
    attempts: Annotated[int, Field(ge=1, description="Tries at one piece of work before it is failed.")] = 20


class ModelSettings(_Section):
    chat: Annotated[
        str, Field(description="The model that answers, as `provider:model`; empty is `extractive`, which needs none.")
    ] = ""
    system: Annotated[
        str,
        Field(description="The model for the small work (rewriting, judging); empty is the one that answers."),
    ] = ""
    timeout: Annotated[
        float, Field(gt=0, description="Seconds to wait for a model's first word, and for the next.")
    ] = 120
    retries: Annotated[
        int,
        Field(ge=0, le=10, description="Tries after a lost connection; an answer that has begun is not begun again."),
    ] = 2
    retry_errors: Annotated[
        bool,
        Field(
            description="Try again also when a provider answers 429 or 5xx, after the time its Retry-After names, "
            "if that is before the deadline."
        ),
    ] = False
    deadline: Annotated[
        float, Field(gt=0, description="Longest time in seconds for one request to a model, with all its tries.")
    ] = 600
    requests: Annotated[int, Field(ge=1, description="Most requests to a model for one question.")] = 12
    tool_calls: Annotated[int, Field(ge=1, description="Most tool calls for one question.")] = 24
    tokens: Annotated[int, Field(ge=1, description="Most tokens, sent and received, for one question.")] = 200_000
    answer_tokens: Annotated[
        int, Field(ge=0, description="Most tokens of one answer of a model; 0 is the model's own limit.")
    ] = 0
    temperature: Annotated[
        float | None, Field(ge=0, le=2, description="How freely a model writes; unset is the model's own way.")
    ] = None
    without_tools: Annotated[
        tuple[str, ...],
        BeforeValidator(split_list),
        Field(
            description="Patterns of models that cannot call tools: the search is done for them, before they answer."
        ),
    ] = ("*chocolatine*", "*smollm*")


class ProviderSettings(_Section):
    url: Annotated[
        str, Field(pattern="^(https?://.+)?$", description="Where its API is; empty is where it usually is.")
    ] = ""
    key: Annotated[SecretStr, Field(description="Its key; the variable of the provider's own name does as well.")] = (
        SecretStr("")
    )
    kind: Annotated[
        ProviderKind | None, Field(description="Which API it speaks; where nothing is said, `openai`, or its own.")
    ] = None
    timeout: Annotated[float | None, Field(gt=0, description="In place of `models.timeout`.")] = None
    retry: Annotated[
        Literal["connection", "timeout"] | None,
        Field(description="What is tried again: lost connections (default), or time-outs alone, for a slow provider."),
    ] = None
    context: Annotated[
        int | None,
        Field(ge=2048, description="Tokens its models take in and give out together; evidence is cut to fit."),
    ] = None


class ServerSettings(_Section):
    host: Annotated[str, Field(description="Address the server listens on.")] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535, description="Port the server listens on.")] = 8000
    hosts: Annotated[
        tuple[str, ...],
        BeforeValidator(split_list),
        Field(description='Other names browsers may reach the server under, as behind a proxy; "*" is any.'),
    ] = ()
    worker: Annotated[
        bool, Field(description="Whether the server reads what is added itself; else `pincite worker` must run.")
    ] = True
    page: Annotated[
        str, Field(description="Folder of a built page, while one is made; empty is the one in the program.")
    ] = ""


class Settings(_Section):
    data: Annotated[Path, Field(description="Folder for the database, documents and models.")] = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("pincite"))
    )
    database: Annotated[
        str, Field(description="SQLite address of the database; empty is a file in `data`. PostgreSQL comes later.")
    ] = ""
    owner: Annotated[str, Field(min_length=1, description="Whose documents these are.")] = "local"
    reading: Annotated[ReadingSettings, Field(default_factory=ReadingSettings)]
    passages: Annotated[PassageSettings, Field(default_factory=PassageSettings)]
    embedding: Annotated[EmbeddingSettings, Field(default_factory=EmbeddingSettings)]
    search: Annotated[SearchSettings, Field(default_factory=SearchSettings)]
    rerank: Annotated[RerankSettings, Field(default_factory=RerankSettings)]
    models: Annotated[ModelSettings, Field(default_factory=ModelSettings)]
    providers: Annotated[
        dict[ProviderName, ProviderSettings],
        Field(default_factory=dict, description="Where models are had, a table for each, under its name."),
    ]
    answers: Annotated[AnswerSettings, Field(default_factory=AnswerSettings)]
    research: Annotated[ResearchSettings, Field(default_factory=ResearchSettings)]
    web: Annotated[WebSettings, Field(default_factory=WebSettings)]
    jobs: Annotated[JobSettings, Field(default_factory=JobSettings)]
    server: Annotated[ServerSettings, Field(default_factory=ServerSettings)]

    @field_validator("data")
    @classmethod
    def _at_home(cls, given: Path) -> Path:
        return given.expanduser()


def load(config: Path | None = None, **given: object) -> Settings:
    """Settings from what is given, then the environment, then `config` (or ./pincite.toml, or $PINCITE_CONFIG).

    A variable of another program whose value is not right here is ignored with a warning.
    """
    ignored: frozenset[str] = frozenset()
    while True:
        gathered = gather(Settings, config, given, os.environ, ignored)
        try:
            return Settings.model_validate(gathered.values)
        except ValidationError as error:
            unusable = list_unusable_aliases(error, gathered, Settings)
            if not unusable:
                raise explain(error, gathered, Settings) from None
        for name, reason in unusable.items():
            warn_ignored(name, reason)
        ignored |= unusable.keys()
