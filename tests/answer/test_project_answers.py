"""Questions about a project: every sentence that cites a file opens at exactly the lines it was made from."""

import gc
import tempfile
from pathlib import Path
from typing import Any

import pytest

from pincite import events
from pincite.answer import project_files
from pincite.answer.question import AskedQuestion, GivenFile
from pincite.answer.question_options import suggest_next
from pincite.answer.services import Services
from pincite.answer.tools import list_offered_tools
from pincite.errors import DiskFull, Misuse, NotFound
from pincite.library import Library
from pincite.llm.model_roles import Models
from pincite.projects.file_index import FileIndex
from pincite.search import browse
from pincite.store import catalogue, document_sources, document_text, documents
from pincite.types import Scope
from tests.projects_given import FILES, RETRY, open_project_services
from tests.turns import ask, final, of_type, saying


def without_model(tmp_path: Path, **given: Any) -> Services:
    """Services on the project in which no language model is set."""
    services = open_project_services(tmp_path, **given)
    services.models = Models(services.settings)
    return services


def stored_text(library: Library, document: str) -> str:
    with library.database.reading() as connection:
        return document_text.load_document(connection, document).text


def cited_lines(library: Library, citation: events.Citation) -> str:
    """The lines that a citation names, as the stored file has them."""
    assert citation.lines
    first, last = citation.lines
    return "\n".join(stored_text(library, citation.document).splitlines()[first - 1 : last])


def test_a_question_about_code_is_answered_with_the_lines_of_the_function(tmp_path: Path) -> None:
    services = without_model(tmp_path)
    answer = final(ask(services, "How is the delay computed before an attempt?", project="sketches"))
    assert not answer.refused
    best = answer.citations[0]
    assert best.path == "src/net/retry.py"
    assert best.kind == "code"
    assert stored_text(services.library, best.document) == RETRY
    assert "def compute_delay" in cited_lines(services.library, best)
    shown = answer.passages[0]
    assert shown.path == best.path
    assert shown.lines == best.lines
    assert shown.text == cited_lines(services.library, best)
    assert "def compute_delay" in answer.answer


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_lines_are_right_whatever_ends_them(tmp_path: Path, ending: str) -> None:
    text = ending.join(["# one", "", "def find_needle():", "    return 'hay'", "", "# last"])
    services = without_model(tmp_path, files={"deep.py": text.encode()})
    answer = final(ask(services, "Where is find_needle?", project="sketches"))
    best = answer.citations[0]
    assert best.lines == (3, 4)
    assert stored_text(services.library, best.document) == text
    assert best.quote == ending.join(["def find_needle():", "    return 'hay'"])


def test_evidence_and_nearest_passages_have_their_lines_too(tmp_path: Path) -> None:
    services = without_model(tmp_path)
    said = ask(services, "What is the password of the printer queue in Toulouse?", project="sketches")
    found = of_type(said, events.EvidenceFound)
    assert [(each.path, each.lines) for each in found] == [("README.md", (1, 3))]
    answer = final(said)
    assert answer.refused
    assert [(each.path, each.lines) for each in answer.nearest] == [("README.md", (1, 3))]


def test_a_citation_opens_the_file_as_it_was_when_it_was_read(tmp_path: Path) -> None:
    services = without_model(tmp_path)
    first = final(ask(services, "Where is compute_delay?", project="sketches")).citations[0]
    again = final(ask(services, "Where is compute_delay?", project="sketches")).citations[0]
    assert again.document == first.document  # the same version is stored once
    path = tmp_path / "sketches" / "src" / "net" / "retry.py"
    path.write_text("# moved down\n" + RETRY, encoding="utf-8")
    later = final(ask(services, "Where is compute_delay?", project="sketches")).citations[0]
    assert later.document != first.document
    assert first.lines
    assert later.lines == (first.lines[0] + 1, first.lines[1] + 1)
    assert stored_text(services.library, first.document) == RETRY


def test_no_search_and_no_list_shows_the_files_of_a_project(tmp_path: Path) -> None:
    services = without_model(tmp_path, texts={"delay.md": "The delay of the train was ten minutes."})
    assert final(ask(services, "Where is compute_delay?", project="sketches")).citations
    answer = final(ask(services, "How long was the delay?"))
    assert {citation.name for citation in answer.citations} == {"delay.md"}
    owner, database = services.settings.owner, services.library.database
    assert [each.name for each in browse.list_documents(database, Scope(owner=owner))] == ["delay.md"]
    assert [hit.title for hit in services.search.search("compute_delay attempt", Scope(owner=owner))] in ([], ["delay"])
    with database.reading() as connection:
        assert [each.name for each in documents.find(connection, owner)] == ["delay.md"]
        assert document_sources.list_libraries(connection, owner) == ["default"]
        assert [each.name for each in catalogue.list_libraries(connection, owner)] == ["default"]
        assert catalogue.find(connection, owner, catalogue.Filter(), 10)[1] == 1
        assert catalogue.count_total(connection, owner).documents == 1
        assert len(catalogue.list_progress(connection, owner)) == 1
    assert services.library.reindex("local", None, again=True) == [
        browse.list_documents(database, Scope(owner=owner))[0].id
    ]


def test_a_file_that_is_also_a_document_is_cited_by_its_own_lines(tmp_path: Path) -> None:
    """The same bytes, read as Markdown, have other positions."""
    services = without_model(tmp_path, texts={"README.md": FILES["README.md"]})
    best = final(ask(services, "What does installing need?", project="sketches")).citations[0]
    assert (best.path, best.lines) == ("README.md", (5, 7))
    assert stored_text(services.library, best.document) == FILES["README.md"]


def test_ignored_files_and_secrets_are_not_searched(tmp_path: Path) -> None:
    services = without_model(tmp_path)
    said = ask(services, "What is the PRINTER_PASSWORD, and compute_delay?", project="sketches")
    assert {each.path for each in of_type(said, events.EvidenceFound)} <= {"src/net/retry.py", "README.md"}
    assert "hunter2" not in final(said).answer


@pytest.mark.parametrize("request_", ["Add a method perimeter to Circle.", "Ajoute une méthode perimeter à Circle"])
def test_without_a_model_a_request_to_change_files_gets_the_lines_it_is_about(tmp_path: Path, request_: str) -> None:
    services = without_model(tmp_path)
    answer = final(ask(services, request_, project="sketches"))
    assert answer.changes is None
    assert any("class Circle" in passage.text for passage in answer.passages)
    asked = AskedQuestion(question=request_, project="sketches")
    assert "--model" in suggest_next(asked, answer)


@pytest.mark.parametrize(
    "question", ["How do I add a shape?", "What does `add(1)` do?", "Where are files deleted?", "Make sense of it?"[5:]]
)
def test_a_question_about_changes_is_no_request_for_them(tmp_path: Path, question: str) -> None:
    assert final(ask(without_model(tmp_path), question, project="sketches"))


def test_a_project_that_is_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        ask(without_model(tmp_path), "Where is compute_delay?", project="elsewhere")


def test_files_that_a_client_sends_are_cited_like_a_project(tmp_path: Path) -> None:
    services = without_model(tmp_path)
    given = (GivenFile("lib/needle.py", "\n\ndef find_needle():\n    return 'hay'\n"), GivenFile("b.txt", "other"))
    best = final(ask(services, "Where is find_needle?", files=given)).citations[0]
    assert (best.path, best.lines) == ("lib/needle.py", (3, 4))
    assert best.quote == "def find_needle():\n    return 'hay'"


@pytest.mark.parametrize("path", ["../outside.py", "/etc/../x", "C:\\x.py", ".git/config", ""])
def test_files_that_a_client_sends_stay_inside(tmp_path: Path, path: str) -> None:
    with pytest.raises(Misuse):
        ask(without_model(tmp_path), "Where is find_needle?", files=(GivenFile(path, "find_needle"),))
    assert not (tmp_path / "outside.py").exists()


def test_files_that_are_too_large_together_are_refused(tmp_path: Path) -> None:
    services = without_model(tmp_path, projects={"given_bytes": 1000})
    with pytest.raises(Misuse, match="more than 1,000") as refused:
        ask(services, "Where is find_needle?", files=(GivenFile("a.py", "x" * 600), GivenFile("b.py", "é" * 300)))
    assert refused.value.reason == "large_files"


@pytest.mark.parametrize("paths", [("a", "a/b"), ("a/b", "a"), ("x/a/b/c.py", "./x/a")])
def test_one_path_cannot_be_a_file_and_a_folder(tmp_path: Path, paths: tuple[str, str]) -> None:
    with pytest.raises(Misuse, match="of a file and of a folder") as refused:
        ask(without_model(tmp_path), "Where?", files=[GivenFile(path, "x") for path in paths])
    assert refused.value.reason == "path_conflict"


def test_a_question_has_a_project_or_files(tmp_path: Path) -> None:
    with pytest.raises(Misuse):
        ask(without_model(tmp_path), "Where?", project="sketches", files=(GivenFile("a.py", "x"),))


def test_the_web_is_searched_for_a_project_only_if_it_was_chosen(tmp_path: Path) -> None:
    services = open_project_services(tmp_path)
    asked = AskedQuestion(question="Where is compute_delay?", project="sketches")
    offered = list_offered_tools(services.open_context(asked))
    assert {"search_project", "read_files", "list_files"} <= offered
    assert offered.isdisjoint({"search_documents", "web_search", "image_search"})


def test_a_file_that_the_user_names_is_read_though_it_is_ignored(tmp_path: Path) -> None:
    said = ask(without_model(tmp_path), "What is compute_delay in build/out.py?", project="sketches")
    assert "build/out.py" in [each.path for each in of_type(said, events.EvidenceFound)]


def test_a_secret_is_read_only_if_an_at_sign_stands_before_its_path(tmp_path: Path) -> None:
    said = ask(without_model(tmp_path), "What is the PRINTER_PASSWORD in @.env?", project="sketches")
    assert ".env" in [each.path for each in of_type(said, events.EvidenceFound)]
    assert "hunter2" in final(said).answer


@pytest.mark.parametrize(
    "question",
    [
        "Never open .env! What is the PRINTER_PASSWORD?",
        "What is the PRINTER_PASSWORD in ./.env?",
        "What is the PRINTER_PASSWORD in notes.txt?",
        "What is the PRINTER_PASSWORD of me@.env?",
        "What is the PRINTER_PASSWORD in @ .env?",
    ],
)
def test_a_secret_that_is_only_mentioned_is_not_read(tmp_path: Path, question: str) -> None:
    services = without_model(tmp_path)
    (tmp_path / "sketches" / "notes.txt").symlink_to(".env")
    said = ask(services, question, project="sketches")
    assert not {".env", "notes.txt"} & {each.path for each in of_type(said, events.EvidenceFound)}
    answer = final(said)
    assert "hunter2" not in answer.answer
    assert answer.refused
    assert "may hold secrets and is not read. Write @" in answer.answer


def test_an_index_that_cannot_be_written_does_not_end_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    services = without_model(tmp_path)
    ask(services, "Where is compute_delay?", project="sketches")

    def fail(*_: object, **__: object) -> list[object]:
        raise DiskFull

    monkeypatch.setattr(FileIndex, "refresh", fail)
    answer = final(ask(services, "Where is compute_delay?", project="sketches"))
    assert answer.citations[0].lines == (8, 10)
    assert "was not updated" in caplog.text


def test_a_version_that_cannot_be_stored_does_not_end_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = open_project_services(tmp_path, saying("It doubles."))

    def fail(*_: object) -> str:
        raise DiskFull

    monkeypatch.setattr(project_files, "store_version", fail)
    said = ask(services, "Where is compute_delay?", project="sketches")
    assert "disk is full" in of_type(said, events.ToolCallError)[0].error
    assert final(said).answer.startswith("It doubles.")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is this project about?", "The nearest is the beginning of `README.md`:"),
        ("Where is the frobnicator?", "The nearest is the beginning of `README.md`:"),
        ("Que fait ce projet ?", "Le plus proche est le début de `README.md` :"),
    ],
)
def test_if_no_file_has_the_words_the_beginning_of_the_readme_is_shown_as_the_nearest(
    tmp_path: Path, question: str, said: str
) -> None:
    answer = final(ask(without_model(tmp_path), question, project="sketches"))
    assert answer.refused
    assert said in answer.answer
    assert [(each.path, each.lines, each.more) for each in answer.passages] == [("README.md", (1, 7), False)]


def test_words_that_a_file_has_decide_and_not_what_they_seem_to_mean(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"README.md": "# Sketches\n", "pack.py": "def describe_project():\n    pass\n"}
    answer = final(ask(without_model(tmp_path, files=files), "Describe the project.", project="sketches"))
    assert [(each.path, each.lines) for each in answer.citations] == [("pack.py", (1, 2))]


def test_without_a_readme_the_top_of_the_project_is_listed(tmp_path: Path) -> None:
    services = without_model(tmp_path, files={"src/a.py": "x = 1\n", "src/b.py": "y = 1\n", "pack.toml": "z = 1\n"})
    answer = final(ask(services, "Where is the frobnicator?", project="sketches"))
    assert answer.refused
    assert "At the top of the project: pack.toml, src/." in answer.answer


def test_a_question_no_file_answers_is_refused_and_the_nearest_is_offered(tmp_path: Path) -> None:
    answer = final(ask(without_model(tmp_path), "Which Kubernetes printer is deployed?", project="sketches"))
    assert answer.refused
    assert [(each.path, each.more) for each in answer.passages] == [("README.md", True)]


def test_the_folder_of_files_that_a_client_sent_goes_with_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    services = without_model(tmp_path / "house")
    ask(services, "Where is find_needle?", files=(GivenFile("a.py", "def find_needle(): pass\n"),))
    context = services.open_context(AskedQuestion(question="Where?", files=(GivenFile("a.py", "x"),)))
    assert context.project
    assert context.project.project.root.is_dir()
    del context
    gc.collect()
    assert list(tmp_path.glob("pincite-given-*")) == []
