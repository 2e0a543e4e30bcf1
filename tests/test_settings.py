import json
import tomllib
from functools import reduce
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr

from pincite.errors import Misuse
from pincite.settings import EmbeddingSettings, Settings, load

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


def default(name: str) -> str:
    """A setting's default as the documentation writes it."""
    if name == "data":
        return "the platform's data folder"
    value = reduce(getattr, name.split("."), load())
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
    assert load(tmp_path / "pincite.toml").passages.size == 1500


def test_the_command_line_beats_the_environment_and_the_environment_beats_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pincite.toml").write_text('owner = "file"\n[passages]\nsize = 900\noverlap = 90\n')
    monkeypatch.setenv("PINCITE_PASSAGES__SIZE", "800")
    settings = load(data=tmp_path / "given")
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
        load(path)
    assert said in caught.value.message + caught.value.hint


def test_a_settings_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="no settings file"):
        load(tmp_path / "none.toml")


def test_a_key_never_shows_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_EMBEDDING__KEY", "very-secret")
    settings = load()
    assert settings.embedding.key.get_secret_value() == "very-secret"
    assert "very-secret" not in repr(settings) + settings.model_dump_json()


def test_only_e5_models_get_e5_prefixes_unless_others_are_given() -> None:
    assert EmbeddingSettings().query_prefix == "query: "
    assert EmbeddingSettings.model_validate({"model": "bge-m3"}).query_prefix == ""
    assert EmbeddingSettings.model_validate({"model": "bge-m3", "query_prefix": "q: "}).query_prefix == "q: "


def test_a_data_folder_may_be_written_from_home() -> None:
    assert load(data=Path("~/papers")).data == Path.home() / "papers"


@pytest.mark.parametrize(
    "url", ["localhost:8080", "ftp://x", "http://ann:secret@x", "http://x/?q=1", "http://x#a", "http://"]
)
def test_an_address_of_a_search_engine_is_plain_or_refused(url: str) -> None:
    with pytest.raises(Misuse, match=r"web\.search_url"):
        load(web={"search_url": url})
    assert load(web={"search_url": "http://searx.example:8080/searxng"}).web.search_url.endswith("/searxng")
