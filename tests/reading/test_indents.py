from pincite.reading.indents import indent_labels


def test_labels_are_indented_by_rank_whatever_the_unit() -> None:
    rows = [["Assets"], ["Cash", "1"], ["Notes", "2"], ["Total", "3"], ["", "4"]]
    assert indent_labels(rows, [7, 21.5, 99, 7, 0]) == [
        ["Assets"],
        ["  Cash", "1"],
        ["    Notes", "2"],
        ["Total", "3"],
        ["", "4"],
    ]
    assert indent_labels([["a"], ["b"]], [5, 5]) == [["a"], ["b"]]
