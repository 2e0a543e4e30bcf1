import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pincite.reading.packed_boxes import pack_boxes, unpack_boxes


def line(characters: int) -> np.ndarray:
    left = 72 + 5.5 * np.arange(characters)
    return np.stack([left, np.full(characters, 100.0), left + 5.5, np.full(characters, 112.0)], axis=1).astype(
        np.float32
    )


@given(
    arrays(np.float32, st.tuples(st.integers(0, 60), st.just(4)), elements=st.floats(-700, 800, width=32)),
    st.integers(0, 59),
)
def test_every_box_comes_back_to_a_twentieth_of_a_point(boxes: np.ndarray, without: int) -> None:
    if without < len(boxes):
        boxes[without] = np.nan
    back = unpack_boxes(pack_boxes(boxes))
    assert back.shape == boxes.shape
    np.testing.assert_allclose(back, boxes, atol=0.0255)


@given(st.floats(2_000, 1e6))
def test_a_poster_keeps_its_boxes_with_a_coarser_unit(size: float) -> None:
    boxes = np.array([[0, 0, size, size], [size / 2, 10, size, size]], dtype=np.float32)
    np.testing.assert_allclose(unpack_boxes(pack_boxes(boxes)), boxes, atol=size / 10_000)


def test_a_page_costs_a_few_bytes_a_character() -> None:
    page = np.concatenate([line(80) + np.array([0, 14 * i, 0, 14 * i], dtype=np.float32) for i in range(50)])
    assert len(pack_boxes(page)) < 3 * len(page)


def test_nothing_packs_to_nothing() -> None:
    assert pack_boxes(np.empty((0, 4), dtype=np.float32)) == b""
    assert unpack_boxes(b"").shape == (0, 4)
