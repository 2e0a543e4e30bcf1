from pincite.proof.row_groups import RowGroups


def test_a_row_stands_under_the_labels_above_it_with_a_smaller_indentation() -> None:
    rows = [(0, "Assets"), (2, "Cash"), (4, "Banks"), (2, "Stock"), (0, "Equity")]
    groups = RowGroups(indent for indent, _ in rows)
    assert [groups.find_parents(*row) for row in rows] == [[], ["Assets"], ["Assets", "Cash"], ["Assets"], []]


def test_rows_that_are_all_alike_have_no_parents() -> None:
    groups = RowGroups([3, 3, 4])
    assert not groups.is_indented
    assert [groups.find_parents(3, "a"), groups.find_parents(4, "b")] == [[], []]
