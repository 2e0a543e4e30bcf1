import json
import tomllib
from functools import cache, reduce
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from pincite.errors import Misuse
from pincite.settings import EmbeddingSettings, Settings, load_settings
from pincite.settings_aliases import warn_ignored

ROOT = Path(__file__).parent.parent


def names(model: type[BaseModel], prefix: str = "") -> list[str]:
    found = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found += names(kind, f"{prefix}{name}.")
        else:
            found.append(prefix + name)
    return found


@cache
def defaults() -> Settings:
    return load_settings()


def default(name: str) -> str:
    """A setting's default as the documentation writes it."""
    if name == "data":
        return "the platform's data folder"
    value = reduce(getattr, name.split("."), defaults())
    return json.dumps(value.get_secret_value() if isinstance(value, SecretStr) else value)


@pytest.mark.parametrize("name", names(Settings))
def test_every_setting_its_variable_and_its_default_are_documented(name: str) -> None:
    lines = (ROOT / "docs" / "settings.md").read_text().splitlines()
    variable = f"PINCITE_{name.upper().replace('.', '__')}"
    assert any(line.startswith(f"| `{name}` | `{variable}` | `{default(name)}` |") for line in lines)


def test_no_setting_is_documented_that_does_not_exist() -> None:
    lines = (ROOT / "docs" / "settings.md").read_text().splitlines()
    documented = {line.split("`")[1] for line in lines if line.startswith("| `") and "`PINCITE_" in line}
    assert documented == set(names(Settings))


def test_the_sample_file_holds_only_settings_that_exist(tmp_path: Path) -> None:
    sample = (ROOT / "pincite.sample.toml").read_text()
    chosen = "\n".join(line.removeprefix("# ") if " = " in line else line for line in sample.splitlines())
    assert tomllib.loads(chosen)
    (tmp_path / "pincite.toml").write_text(chosen)
    assert load_settings(tmp_path / "pincite.toml").passages.size == 1500


def test_the_command_line_beats_the_environment_and_the_environment_beats_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pincite.toml").write_text('owner = "file"\n[passages]\nsize = 900\noverlap = 90\n')
    monkeypatch.setenv("PINCITE_PASSAGES__SIZE", "800")
    settings = load_settings(data=tmp_path / "given")
    assert (settings.data, settings.owner) == (tmp_path / "given", "file")
    assert (settings.passages.size, settings.passages.overlap) == (800, 90)


@pytest.mark.parametrize(
    ("content", "said"),
    [("[passages]\nsise = 3", "passages.sise"), ("[passages]\nsize = -3", "passages.size"), ("size = = 3", "TOML")],
)
def test_a_wrong_file_is_told_by_the_name_of_what_is_wrong(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(content)
    with pytest.raises(Misuse) as caught:
        load_settings(path)
    assert said in caught.value.message + caught.value.hint


def test_a_settings_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="no settings file"):
        load_settings(tmp_path / "none.toml")


def test_a_key_never_shows_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_EMBEDDING__KEY", "very-secret")
    settings = load_settings()
    assert settings.embedding.key.get_secret_value() == "very-secret"
    assert "very-secret" not in repr(settings) + settings.model_dump_json()


def test_the_addresses_of_databases_and_the_keys_of_files_never_show_themselves() -> None:
    address = "postgresql://ada:very-secret@db/pincite"
    files = {"url": "s3://bucket", "key": "very-secret", "secret": "very-secret"}
    settings = load_settings(database=address, postgres={"direct": address, "replica": address}, files=files)
    assert settings.database == address
    assert "very-secret" not in f"{settings!r} {settings} {settings.model_dump_json()}"


def test_only_e5_models_get_e5_prefixes_unless_others_are_given() -> None:
    assert EmbeddingSettings().query_prefix == "query: "
    assert EmbeddingSettings.model_validate({"model": "bge-m3"}).query_prefix == ""
    assert EmbeddingSettings.model_validate({"model": "bge-m3", "query_prefix": "q: "}).query_prefix == "q: "


def test_a_data_folder_may_be_written_from_home() -> None:
    assert load_settings(data=Path("~/papers")).data == Path.home() / "papers"


@pytest.mark.parametrize(
    "url", ["localhost:8080", "ftp://x", "http://ann:secret@x", "http://x/?q=1", "http://x#a", "http://"]
)
def test_an_address_of_a_search_engine_is_plain_or_refused(url: str) -> None:
    with pytest.raises(Misuse, match=r"web\.search_url"):
        load_settings(web={"search_url": url})
    assert load_settings(web={"search_url": "http://searx.example:8080/searxng"}).web.search_url.endswith("/searxng")


@pytest.mark.parametrize(
    ("variable", "meant"),
    [
        ("PINCITE_WEB__ALOW", "PINCITE_WEB__ALLOW"),
        ("PINCITE_DATTA", "PINCITE_DATA"),
        ("PINCITE_MODEL__CHAT", "PINCITE_MODELS__CHAT"),
        ("PINCITE_PROVIDERS__OPENAI__KYE", "PINCITE_PROVIDERS__OPENAI__KEY"),
        ("PINCITE_CONFGI", "PINCITE_CONFIG"),
    ],
)
def test_a_variable_with_a_slip_of_the_finger_is_refused_with_the_right_name(
    variable: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "x")
    with pytest.raises(Misuse) as caught:
        load_settings()
    assert variable in caught.value.message
    assert f"Did you mean {meant}?" in caught.value.hint


def test_a_variable_that_is_like_none_is_refused_without_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_SERCH__K", "3")
    with pytest.raises(Misuse) as caught:
        load_settings()
    assert caught.value.hint == "docs/settings.md lists them all."


def test_variables_of_any_provider_and_of_a_whole_table_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_PROVIDERS__GATEWAY__URL", "http://gateway:9/v1")
    monkeypatch.setenv("PINCITE_WEB", '{"pages": 2, "seconds": 9}')
    monkeypatch.setenv("pincite_web__pages", "3")
    settings = load_settings()
    assert settings.providers["gateway"].url == "http://gateway:9/v1"
    assert (settings.web.pages, settings.web.seconds) == (3, 9)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[passages]\nsize = 'many'", "passages.size (pincite.toml) is 'many', but must be a whole number."),
        ("[passages]\nsize = 3", "passages.size (pincite.toml) is 3, but must be a number from 100 on."),
        ("[rerank]\ntop_k = 51", "rerank.top_k (pincite.toml) is 51, but must be a number up to 50."),
        ("[web]\nrender = 'perhaps'", "web.render (pincite.toml) is 'perhaps', but must be true or false."),
        ("[web]\nalow = []", "There is no setting web.alow (pincite.toml). Did you mean web.allow?"),
        ("embedding = 3", "embedding (pincite.toml) is 3, but must be a table."),
        ("[embedding]\nprovider = 'x'", "must be one of 'local', 'openai', 'tei', 'hub', 'none'."),
        ("[embedding]\nprovider = 'tei'", "embedding (pincite.toml): the provider `tei` needs embedding.url"),
        ("[models]\ntemperature = 'hot'", "models.temperature (pincite.toml) is 'hot', but must be a number."),
        ("owner = ''", "owner (pincite.toml) is '', but must be a text that is not empty."),
        ("[providers.x]\nurl = 'localhost'", "providers.x.url (pincite.toml) is 'localhost', but must be an address"),
        ("[providers.'X Y']\nurl = 'http://a'", "cannot name a provider"),
        (
            "[files]\nurl = 'http://minio'",
            "files.url (pincite.toml) is 'http://minio', but must be a bucket such as s3:",
        ),
        ("[web]\nallow = ['10.0.0.0/99']", "web.allow (pincite.toml): '10.0.0.0/99' is neither a host nor a network"),
        ("[web]\nallow = ['10.0.0.0/8:1']", "'10.0.0.0/8:1' is neither a host nor a network; write minio.example, "),
        ("[files]\nendpoint = 'minio:9000'", "but must be an address such as http://minio:9000"),
        ("[telemetry]\ntraces = 'localhost'", "but must be an address such as http://localhost:4318"),
    ],
)
def test_a_wrong_value_is_told_in_a_plain_sentence_with_its_place(
    content: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pincite.toml").write_text(content)
    with pytest.raises(Misuse) as caught:
        load_settings()
    assert said in caught.value.message
    assert not any(word in caught.value.message.lower() for word in ("pydantic", "input", "valid", "extra", "__"))


def test_a_wrong_variable_is_told_by_its_name_and_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_WEB__PAGES", "several")
    told = r"web\.pages \(the variable PINCITE_WEB__PAGES\) is 'several', but must be a whole number"
    with pytest.raises(Misuse, match=told):
        load_settings()
    monkeypatch.setenv("PINCITE_WEB__PAGES", "3")
    with pytest.raises(Misuse) as caught:
        load_settings(embedding={"key": ["very-secret"]})
    assert "very-secret" not in caught.value.message


@pytest.mark.parametrize(
    "given",
    [
        {"files": {"secret": 471147114711}},
        {"files": {"url": "s3://bucket", "endpoint": "http://ada:471147114711@minio:9000"}},
        {"files": {"url": "s3://bucket", "endpoint": "http://ada:9/471147114711@minio:9000"}},
        {"mail": {"password": 471147114711}},
        {"accounts": {"client_secret": 471147114711}},
        {"telemetry": {"metrics_token": 471147114711}},
        {"telemetry": {"traces": "collector://ada:471147114711@collector"}},
        {"postgres": {"replica": 471147114711}},
        {"postgres": {"direct": "mysql://ada:471147114711@db"}},
        {"database": 471147114711},
    ],
)
def test_no_secret_is_shown_where_its_setting_is_wrong(given: dict[str, Any]) -> None:
    with pytest.raises(Misuse) as caught:
        load_settings(**given)
    assert "471147114711" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("minio:9000", ("minio:9000",)),
        ("minio", ("minio",)),
        ("10.0.0.0/8", ("10.0.0.0/8",)),
        ("minio:9000, 10.0.0.5", ("minio:9000", "10.0.0.5")),
        ('["minio:9000"]', ("minio:9000",)),
        ("[fd00::1]:9000", ("[fd00::1]:9000",)),
    ],
)
def test_hosts_that_may_be_reached_are_written_as_the_docs_say(
    written: str, meant: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.web.guard import parse_exemptions

    monkeypatch.setenv("PINCITE_WEB__ALLOW", written)
    assert load_settings().web.allow == meant
    assert len(parse_exemptions(load_settings().web.allow)) == len(meant)
    monkeypatch.delenv("PINCITE_WEB__ALLOW")
    (tmp_path / "mine.toml").write_text(f"[web]\nallow = {json.dumps(meant)}\n")
    assert load_settings(tmp_path / "mine.toml").web.allow == meant


THEIRS = """
RAG_PROVIDER=mistral
MISTRAL_API_KEY="their-key"  # quoted
MISTRAL_TIMEOUT=120.0
export EMBEDDINGS_API_URL=http://embeddings:8001
EMBEDDING_DIMENSION=1024
RERANKER_ENABLED=true
RERANKER_API_URL=http://reranker:8002
RERANKER_MODEL=BAAI/bge-reranker-v2-m3
RERANKER_TOP_K=30
RERANKER_RETURN_K=7
"""


def test_the_env_file_of_another_set_up_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text(THEIRS)
    settings = load_settings()
    assert settings.models.chat == "mistral:mistral-small-latest"
    assert settings.providers["mistral"].key.get_secret_value() == "their-key"
    assert settings.providers["mistral"].timeout == 120
    assert (settings.embedding.provider, settings.embedding.url) == ("tei", "http://embeddings:8001")
    assert settings.embedding.dimension == 1024
    assert (settings.rerank.url, settings.rerank.top_k, settings.rerank.return_k) == ("http://reranker:8002", 30, 7)


def test_our_own_names_win_over_theirs_and_the_environment_over_the_env_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text(THEIRS + "PINCITE_OWNER=dotenv\nPINCITE_WEB__PAGES=2\n")
    Path("pincite.toml").write_text('owner = "file"\n[rerank]\ntop_k = 11\n')
    monkeypatch.setenv("RERANKER_RETURN_K", "4")
    monkeypatch.setenv("PINCITE_WEB__PAGES", "3")
    monkeypatch.setenv("PINCITE_MODELS__CHAT", "openai:mine")
    settings = load_settings()
    assert (settings.models.chat, settings.owner) == ("openai:mine", "dotenv")
    assert (settings.rerank.top_k, settings.rerank.return_k, settings.web.pages) == (11, 4, 3)


def test_chocolatine_is_given_what_was_found_and_mistral_calls_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite.llm.model_roles import Models

    monkeypatch.setenv("RAG_PROVIDER", "chocolatine")
    monkeypatch.setenv("CHOCOLATINE_API_URL", "http://vllm:8000/v1")
    assert Models(load_settings()).roles().chat.tools is False
    monkeypatch.setenv("RAG_PROVIDER", "mistral")
    monkeypatch.setenv("MISTRAL_API_KEY", "key")
    assert Models(load_settings()).roles().chat.tools is True


def test_a_reranker_that_is_not_switched_on_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RERANKER_API_URL", "http://reranker:8002")
    assert load_settings().rerank.url == ""


def test_the_database_of_another_program_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    warn_ignored.cache_clear()
    monkeypatch.setenv("DATABASE_URL", "sqlite:////srv/another-program.db")
    assert load_settings().database == ""
    monkeypatch.setenv("RAG_PROVIDER", "mistral")
    assert load_settings().database == "sqlite:////srv/another-program.db"
    monkeypatch.setenv("DATABASE_URL", "postgresql://db/rag")
    assert load_settings().database == "postgresql://db/rag"
    monkeypatch.setenv("DATABASE_URL", "mysql://db/rag")
    assert load_settings().database == ""
    assert "neither SQLite nor PostgreSQL" in caplog.text


FOREIGN = [
    ("RAG_PROVIDER", "openai", "'openai' is neither mistral nor chocolatine"),
    ("RERANKER_ENABLED", "cohere", "'cohere' is neither true nor false"),
    ("RERANKER_TOP_K", "99", "rerank.top_k (the variable RERANKER_TOP_K) is '99', but must be a number up to 50"),
    ("RERANKER_RETURN_K", "all", "rerank.return_k"),
    ("MISTRAL_TIMEOUT", "30s", "providers.mistral.timeout"),
    ("CHOCOLATINE_API_URL", "chocolate.local", "providers.chocolatine.url"),
]


@pytest.mark.parametrize(("name", "value", "told"), FOREIGN)
def test_a_value_of_another_program_is_ignored_with_one_warning(
    name: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    warn_ignored.cache_clear()
    usual = load_settings()
    monkeypatch.setenv(name, value)
    assert load_settings() == load_settings() == usual
    assert [f"{name} is ignored: {told}" in record.getMessage() for record in caplog.records] == [True]


def test_a_vector_endpoint_of_another_program_is_left_alone_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    warn_ignored.cache_clear()
    usual = load_settings().embedding
    monkeypatch.setenv("EMBEDDINGS_API_URL", "http://embeddings:8001")
    monkeypatch.setenv("EMBEDDING_DIMENSION", "auto")
    assert load_settings().embedding.dimension == usual.dimension
    assert load_settings().embedding.url == "http://embeddings:8001"
    monkeypatch.setenv("PINCITE_EMBEDDING__DIMENSION", "seven")
    with pytest.raises(Misuse, match="PINCITE_EMBEDDING__DIMENSION"):
        load_settings()
    assert len(caplog.records) == 1


def test_a_setting_of_ours_makes_a_foreign_value_harmless_without_a_word(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    warn_ignored.cache_clear()
    monkeypatch.setenv("RAG_PROVIDER", "openai")
    monkeypatch.setenv("PINCITE_MODELS__CHAT", "ollama:mine")
    monkeypatch.setenv("RERANKER_TOP_K", "none")
    monkeypatch.setenv("PINCITE_RERANK__TOP_K", "9")
    assert (load_settings().models.chat, load_settings().rerank.top_k) == ("ollama:mine", 9)
    assert not caplog.records


def test_prices_of_models_come_from_the_file_or_from_one_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pincite.toml").write_text('[quota.prices."mistral:Small/2"]\ninput = 100\n')
    assert load_settings(tmp_path / "pincite.toml").quota.prices["mistral:Small/2"].input == 100
    monkeypatch.setenv("PINCITE_QUOTA__PRICES", '{"openai:*": {"output": 5}}')
    assert load_settings().quota.prices["openai:*"].output == 5
    monkeypatch.setenv("PINCITE_QUOTA__PRICE", "{}")
    with pytest.raises(Misuse):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PERSON_CREDITS", "-1"),
        ("PERSON_CREDITS", "inf"),
        ("REFERRAL_URL", "https://example.org/join"),
        ("PRICING_URL", "javascript:0"),
    ],
)
def test_a_quota_that_cannot_be_is_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"PINCITE_QUOTA__{name}", value)
    with pytest.raises(Misuse, match=f"quota.{name.lower()}"):
        load_settings()


def test_an_empty_allowance_is_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_QUOTA__PERSON_CREDITS", "")
    assert load_settings().quota.person_credits is None
