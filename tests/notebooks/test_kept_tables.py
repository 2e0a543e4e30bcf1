from pincite.events import TableRow
from pincite.notebooks.kept_tables import add_mark, find_head, is_table, write_cited_rows, write_table

ANSWER = "Catches:\n\n| Port | 1990 |\n|---|--:|\n| Oslo | 20 [1] |\n| Bergen | 30 [1] |\n\nThat is all | of it."


def test_the_head_of_a_row_is_found_and_other_words_have_none() -> None:
    head = "| Port | 1990 |\n|---|--:|"
    assert [find_head(ANSWER, ANSWER.index(word)) for word in ("| Oslo", "| Bergen")] == [head, head]
    assert [find_head(ANSWER, ANSWER.index(word)) for word in ("Catches", "| Port", "That")] == ["", "", ""]


def test_rows_are_written_as_a_table_whatever_their_cells_contain() -> None:
    table = write_table(["Port", "1990"], [["Oslo | *old*", "20"], ["Bergen"]])
    assert table == "| Port | 1990 |\n| --- | --- |\n| Oslo \\| \\*old\\* | 20 |\n| Bergen |  |"
    assert is_table(table)
    assert not is_table("| Port | 1990 |")
    assert add_mark(table).endswith("| Bergen |  [1] |")


def test_cited_words_that_are_not_only_rows_stay_as_they_are() -> None:
    rows = [TableRow(heads=["", "1990"], cells=["Oslo", "20"])]
    assert write_cited_rows(rows, "Oslo\t20") == "|  | 1990 |\n| --- | --- |\n| Oslo | 20 |"
    assert write_cited_rows(rows, "The port is old.\nOslo\t20") == ""
    assert write_cited_rows(rows, "Oslo") == ""
