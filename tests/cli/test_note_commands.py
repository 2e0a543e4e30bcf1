from collections.abc import Callable
from pathlib import Path

from pincite.library import open_library
from pincite.notebooks.highlights import add_highlight
from pincite.notebooks.kept_items import make_passage_item
from pincite.settings import load_settings
from pincite.store import documents, notebook_items, notebooks
from pincite.types import Span
from tests.cli.conftest import Ran


def test_without_any_it_says_how_to_begin_one(pincite: Callable[..., Ran]) -> None:
    ran = pincite("notebooks")
    assert (ran.status, "pincite notebooks add" in ran.out) == (0, True)
    assert pincite("notebooks", "--json").json == []


def test_own_words_are_added_to_a_notebook_by_its_title(pincite: Callable[..., Ran]) -> None:
    begun = pincite("notebooks", "add", "Lease", "Ask about the deposit.")
    assert (begun.status, begun.out) == (0, "Added to the new notebook “Lease”.\n")
    more = pincite("notebooks", "add", "Lease", "And the garden.")
    assert (more.status, more.out) == (0, "Added to “Lease”.\n")
    (listed,) = pincite("notebooks", "--json").json
    assert (listed["title"], listed["items"]) == ("Lease", 2)
    for named in ("Lease", listed["id"], listed["id"][:8]):
        shown = pincite("notebooks", "show", named).out
        assert shown.split("\n\n") == ["Lease", "Ask about the deposit.", "And the garden.\n"]
    kept = pincite("notebooks", "show", "Lease", "--json").json["kept"]
    assert [each["text"] for each in kept] == ["Ask about the deposit.", "And the garden."]


def test_a_new_notebook_is_put_into_a_workspace_which_lists_its_own(pincite: Callable[..., Ran]) -> None:
    pincite("workspaces", "create", "Report")
    pincite("notebooks", "add", "Lease", "Ask about the deposit.", "--workspace", "Report")
    pincite("notebooks", "add", "Garden", "Roses.")
    assert [each["title"] for each in pincite("notebooks", "--workspace", "Report", "--json").json] == ["Lease"]
    assert len(pincite("notebooks", "--json").json) == 2
    assert pincite("notebooks", "--workspace", "None").status == 2


def test_a_notebook_that_is_not_there_is_a_mistake(pincite: Callable[..., Ran]) -> None:
    ran = pincite("notebooks", "show", "Nothing")
    assert ran.status == 2
    assert "There is no notebook Nothing." in ran.said
    assert pincite("notebooks", "add", "Lease", "  ").status == 2


def test_a_question_about_a_notebook_is_answered_from_what_is_kept_in_it(
    pincite: Callable[..., Ran], tmp_path: Path
) -> None:
    for name, text in {"lakes": "Loch Ness is 230 metres deep.", "seas": "The Baltic Sea is 459 metres deep."}.items():
        (tmp_path / f"{name}.md").write_text(f"# {name.title()}\n\n{text}\n", encoding="utf-8")
        pincite("add", tmp_path / f"{name}.md")
    pincite("notebooks", "add", "Depths", "Ask about the mean depth.")
    library = open_library(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))
    person = library.settings.owner
    with library.database.reading() as connection:
        notebook, lakes = notebooks.get_by_name(connection, person, "Depths"), documents.find(connection, person)[0]
    made = make_passage_item(library, person, Span(lakes.id, 9, 38))
    with library.database.writing() as connection:
        notebook_items.add(connection, person, notebook.id, made)
    library.close()
    (citation,) = pincite("ask", "How deep is Loch Ness?", "--notebook", "Depths", "--json").json["citations"]
    assert citation["quote"].startswith("Loch Ness is 230 metres")
    assert pincite("ask", "How deep is the Baltic Sea?", "--notebook", notebook.id[:8]).status == 1
    assert "There is no notebook None." in pincite("ask", "How deep?", "--notebook", "None").said


def test_highlights_are_listed_with_their_document_and_comment(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    assert "no highlights" in pincite("highlights").out
    (tmp_path / "lakes.md").write_text("# Lakes\n\nLoch Ness is 230 metres deep.\n", encoding="utf-8")
    pincite("add", tmp_path / "lakes.md")
    (document,) = pincite("documents", "--json").json
    library = open_library(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))
    add_highlight(library, library.settings.owner, Span(document["document"], 9, 18), "blue", "Which one?")
    library.close()
    ran = pincite("highlights", document["document"][:8])
    assert ran.out.splitlines() == ["Lakes, blue: “Loch Ness”", "    Which one?"]
    assert pincite("highlights", "--json").json[0]["start"] == 9
    table = pincite("highlights", "--format", "csv").out.splitlines()
    assert table[0] == "document,title,page,label,start,end,colour,state,quote,comment"
    assert table[1] == f"{document['document']},Lakes,,,9,18,blue,found,Loch Ness,Which one?"
    written = pincite("highlights", document["document"][:8], "--format", "md").out
    assert written == "# Highlights and comments\n\n## Lakes\n\n> Loch Ness\n\n*blue*\n\nWhich one?\n"
    assert pincite("highlights", "--format", "pdf").status == 2


def test_a_notebook_is_exported_to_stdout_or_to_a_file_whose_ending_names_the_format(
    pincite: Callable[..., Ran], tmp_path: Path
) -> None:
    pincite("notebooks", "add", "Lease", "Ask about the deposit.")
    printed = pincite("notebooks", "export", "Lease")
    assert printed.status == 0
    assert printed.out.startswith("# Lease\n")
    assert "Ask about the deposit." in printed.out
    begins = {"docx": b"PK", "html": b"<!doctype html>", "pdf": b"%PDF-", "md": b"# Lease"}
    for ending, beginning in begins.items():
        path = tmp_path / f"lease.{ending}"
        assert pincite("notebooks", "export", "Lease", "--to", path).status == 0
        assert path.read_bytes().lower().startswith(beginning.lower()), ending
    named = tmp_path / "lease.txt"
    pincite("notebooks", "export", "Lease", "--format", "html", "--to", named)
    assert named.read_bytes().lower().startswith(b"<!doctype html>")
    assert pincite("notebooks", "export", "Nothing").status == 2
