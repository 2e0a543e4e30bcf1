import numpy as np

from pincite.reading.pdf_characters import _join_surrogates


def test_a_character_that_pdfium_lists_in_two_halves_is_one() -> None:
    codes = np.array([0x61, 0xD835, 0xDC65, 0x62, 0xD83D, 0xDE00], dtype=np.uint32)
    joined, kept = _join_surrogates(codes)
    assert "".join(map(chr, joined)) == "a𝑥b😀"
    assert kept.tolist() == [0, 1, 3, 4]


def test_a_lone_half_and_plain_text_stay_as_they_are() -> None:
    for codes in ([0xD835, 0x61], [0xDC65], [0x61, 0x62], []):
        joined, kept = _join_surrogates(np.array(codes, dtype=np.uint32))
        assert joined.tolist() == codes
        assert kept.tolist() == list(range(len(codes)))
