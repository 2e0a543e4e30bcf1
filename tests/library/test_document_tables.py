from pincite.library import Library
from pincite.library.document_tables import load_tables
from pincite.proof.tables import describe_row
from pincite.reading.document_draft import Draft
from pincite.store import documents
from pincite.types import Span


def test_rows_in_the_middle_of_a_stored_table_know_their_heads(library: Library) -> None:
    draft = Draft()
    draft.add("Towns of the valley, area in km².")
    draft.table([["Town", "2023", "2022"], *([f"Town {i}", f"{i},500", f"{i},400"] for i in range(1, 5000))])
    document = draft.document("csv")
    with library.database.writing() as connection:
        stored, _ = documents.create(connection, "local", "0" * 64, "towns.csv", 10)
        documents.write_content(connection, stored.id, document, [])
    at = document.text.index("Town 4321\t")
    (table,) = load_tables(library.database, Span(stored.id, at, at + 9))
    assert describe_row(table, table.rows[0]) == "Town 4321 | 2023: 4321,500 | 2022: 4321,400"
    assert load_tables(library.database, Span(stored.id, 0, 10)) == ()
