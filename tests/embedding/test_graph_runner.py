from hypothesis import given
from hypothesis import strategies as st

from pincite.embedding.graph_runner import group_by_length


@given(st.lists(st.integers(2, 512), max_size=200), st.integers(1, 64))
def test_every_text_is_in_one_batch_and_no_batch_is_too_large(lengths: list[int], most: int) -> None:
    groups = list(group_by_length(lengths, most))
    assert sorted(row for rows in groups for row in rows) == list(range(len(lengths)))
    for rows in groups:
        assert len(rows) <= most
        assert len(rows) == 1 or len(rows) * max(lengths[row] for row in rows) <= 2048


def test_texts_of_like_length_go_together() -> None:
    assert list(group_by_length([10, 300, 12, 310], 2)) == [[3, 1], [2, 0]]


@given(st.integers(1, 60), st.integers(1, 16))
def test_a_few_short_texts_are_shared_out_to_all_streams(texts: int, streams: int) -> None:
    groups = list(group_by_length([30] * texts, 64, streams))
    assert len(groups) <= streams
    assert max(map(len, groups)) == -(-texts // streams)
