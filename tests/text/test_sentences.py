import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.sentences import split_sentences
from tests.clock import cost
from tests.thorough import keep_some


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


# Sentences stand between bars, as they should come out.
ENGLISH = """
Dr. Smith and Mrs. Jones left. | They came back at 5 p.m. | The rest is history.
Under U.S. law this holds, e.g. Paris and i.e. Rome. | See No. 5 and Fig. 3 for more.
He said no. | Then he left. | It was a work of art. | The end.
Apple Inc. was founded in 1976. | It made computers. | Smith et al. (2012) showed it.
J. R. R. Tolkien wrote it. | John F. Kennedy spoke. | It has vitamin C. | It is good.
It costs 3.14 dollars, or 1,234.50 in all. | In 1989. | 45 people came.
Well... maybe. | Well... | Maybe not. | What?! | No.
He said "Stop." | Then he left. | "Stop!" he said. | (A whole sentence.) | Another one.
See http://example.com/a.b?c=d.e for it. | Write to a.b@example.org. | Done.
1. First of all. | 2. Second. | He lives in Washington, D.C. | The city is old.
iPhones sold well. | iPads did not.
The pool is 6 m. | Anna swims in it. | A set lasts 45 s. | A session has 10. | In 1831 C. Darwin sailed.
See cf. p. 3, e.g. The Times, or Fig. 2 and No. 5 too. | The rope is 30 ft. | Anna holds it.
""".strip().splitlines()
FRENCH = """
M. Dupont et Mme Martin sont venus. | Cf. p. 3 du rapport, c.-à-d. la fin.
L'art. L. 121-1 du code s'applique. | Voir aussi les art. 3 et 4, al. 2.
Des chats, des chiens, etc. | Le lendemain, il partit. | Il aime les fruits, etc., et le pain.
Quoi ! | Vraiment ? | Oui. | « C'est fini ! » | Il partit. | « C'est fini ! » dit-il.
Le 3.5.2020, il pleuvait. | Le 3 févr. 2020, n° 17-12.345, il neigeait.
Bon… peut-être. | Bon… | Peut-être. | Quoi ? ! | Non.
J. Le Goff et M. Le Pen l'ont écrit. | Voir l'annexe A. | Le patient va bien.
En 52 av. J.-C. il perdit. | C'était en 52 av. J.-C. | Les Romains gagnèrent. | L'affaire est close.
Le bassin fait 6 m. | Anna y nage. | Une série dure 45 s. | Paul court pendant 2 h. | M. Dupont dort.
""".strip().splitlines()
OTHERS = """
これは文です。|次の文！|「はい。」と言った。|终于好了？|是的。
Am 3. Oktober war es so. | Das ist z.B. Berlin. | Ende.
Am 3. 5. 2020 war es so. | Ende.
""".strip().splitlines()


@pytest.mark.parametrize("marked", [*ENGLISH, *FRENCH, *OTHERS])
def test_a_stop_ends_a_sentence_unless_it_is_a_words_own(marked: str) -> None:
    expected = [sentence.strip() for sentence in marked.split("|")]
    assert cut(marked.replace(" | ", " ").replace("|", "")) == expected


@pytest.mark.parametrize("marked", [*ENGLISH, *FRENCH])
def test_a_line_may_end_anywhere_in_a_sentence(marked: str) -> None:
    text = textwrap.fill(marked.replace(" | ", " "), 24, break_long_words=False, break_on_hyphens=False)
    assert [sentence.replace("\n", " ") for sentence in cut(text)] == [each.strip() for each in marked.split("|")]


@pytest.mark.parametrize(
    "lines",
    [
        ["Title", "\n\nThe first sentence\nof two lines.", " The second."],
        ["The committee met", "\n \nand then left."],
        ["We need:", "\n- flour", "\n- two eggs\nand milk", "\n- salt"],
        ["• one", "\n• two\nlines", "\n1. First", "\n2. Second"],
        ["Name\tAge", "\nZoé\t12", "\nÉric\t40", "\nThe table ends."],
        ["# A heading", "\nThe text. ", "It goes on."],
        ["Results", "\nThe results of the inquiry were better than expected."],
        ["It was so.", "\nDiscussion", "\nThe results of the inquiry were better than expected."],
        ["First page.", "\fSecond page."],
        ["1.2 Aims . . . . . . . . 12", "\n1.3 Means .......... 13", "\nNotes"],
        ["The members of the com\u00ad\n\nmittee agreed.", " They left."],
        ["It was on the third of\nMay that he came and that he saw."],
        ["See https://www.example.org/reports/annual/2024.\nPart.2/a.html and go."],
    ],
)
def test_lines_end_sentences_where_that_is_clear(lines: list[str]) -> None:
    assert cut("".join(lines)) == [line.strip() for line in lines]


def test_a_stretch_of_a_text_has_its_own_sentences() -> None:
    text = "One here. Two there. Three."
    assert split_sentences(text, 4, 15) == [(4, 9), (10, 15)]
    assert split_sentences(text, 10) == [(10, 20), (21, 27)]
    assert split_sentences(text, -4, 400) == split_sentences(text)
    assert split_sentences(text, 5, 5) == split_sentences("") == split_sentences(" .\n!") == []


_WILD = st.one_of(
    st.text(max_size=200),
    st.text("aA1.!?…。»«\"' \n\t\f\u00ad()-•#", max_size=200),
    st.lists(
        st.sampled_from(["M.", "cf.", "etc.", "U.S.", "1.", "Le", "the", "\n", "\n\n", "« ", " »", "...", "3.5."])
    ).map(" ".join),
)


@given(_WILD, st.integers(-3, 60), st.one_of(st.none(), st.integers(-3, 250)))
def test_sentences_are_in_order_trimmed_and_hold_every_letter_and_digit(text: str, start: int, end: int | None) -> None:
    spans = split_sentences(text, start, end)
    last = max(start, 0)
    for a, b in spans:
        assert last <= a < b <= (len(text) if end is None else end)
        assert text[a:b] == text[a:b].strip()
        assert any(map(str.isalnum, text[a:b]))
        last = b
    inside = text[max(start, 0) :] if end is None else text[max(start, 0) : max(end, 0)]
    assert "".join(filter(str.isalnum, inside)) == "".join(c for a, b in spans for c in text[a:b] if c.isalnum())


@pytest.mark.parametrize(
    "piece",
    keep_some([".", ". ", "A. ", "1. ", '."', "- a\n", "\n", "\t\n", " ", "a", "»", "3.5.2020 ", "a.\n"], one_in=5),
)
def test_four_times_the_text_takes_about_four_times_as_long(piece: str) -> None:
    def seconds(size: int) -> float:
        text = (piece * size)[:size]
        return cost(lambda: split_sentences(text), tries=3)

    # Were it quadratic, this would be sixteen.
    assert seconds(80_000) < 10 * (seconds(20_000) + 0.001)
