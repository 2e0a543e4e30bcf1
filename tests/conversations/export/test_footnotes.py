"""An answer with its verdicts: no word is lost, and no note is where nobody sees it."""

import re

import pypdfium2
from hypothesis import example, given
from hypothesis import strategies as st
from tests.conversations.export.test_text_export import answered, cited, talk

from pincite.conversations.export import text_export
from pincite.conversations.export.footnotes import PLACEHOLDER, annotate_answer, make_markdown_reader
from pincite.conversations.export.pdf_export import export_pdf
from pincite.events import Answer, Judge, Repair, Sentence
from pincite.types import Support

SUPPORTS: list[Support | None] = ["verified", "partial", "contradicted", "unsupported", "unchecked", None]
PIECES = [
    *("It is deep.", "été", "x", "[1]", " [1]", " [2]", "`", "``", "```", "~~~", "\n", "\n\n", "    ", "- ", "> "),
    *("|", "| a | b |\n|---|---|\n| 1 | 2 |", "\n| 3 | 4 | [1]\n", "**", "_", "# ", "\\", "1. ", "<b>", "&", "😀"),
    *("```sh\nmake\n```", "\n```\nx = a[1]\n``` [1]\n", "`code. here`", "---", "===", "![p](q)"),
    *("http://e.org/a.", "[l](http://e.org)"),
]
CODE = ("fence", "code_block", "code_inline")
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
places = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30), st.sampled_from(SUPPORTS)), max_size=5)


def noted(text: str, found: list[tuple[int, int, Support | None]], **given: object) -> Answer:
    sentences = [
        Sentence(text=text[at : at + length].strip() or "?", citations=[1], support=support, start=at, end=at + length)
        for at, length, support in found
    ]
    return answered(text, sentences, [cited(1)]).model_copy(update=given)


def read_words(text: str) -> list[str]:
    """The words of a text without the marks of citations that we know."""
    return re.findall(r"\w+", re.sub(r" ?\[1\]", "", text))


@example("```\nIt is deep.", [(4, 11, "unsupported")], True)
@example("a\n\n    It is deep.", [(7, 11, "unsupported")], False)
@example("[a. b](http://e.org/c. d)", [(0, 22, "partial")], False)
@example("> ```\n> x\n\nIt is deep.", [(11, 11, "partial")], True)
@given(texts, places, st.booleans())
def test_every_word_of_an_answer_is_kept_and_no_note_stands_in_code(
    text: str, found: list[tuple[int, int, Support | None]], stopped: bool
) -> None:
    for deeper in (False, True):
        made = annotate_answer(noted(text, found, stopped=stopped), "en", deeper)
        assert read_words(made.fill("[{}]".format, lambda note: "")) == read_words(text)
        tokens = [
            each for token in make_markdown_reader().parse(made.text) for each in (token, *(token.children or ()))
        ]
        seen = [held for each in tokens if each.type == "text" for held in PLACEHOLDER.findall(each.content)]
        assert sorted(held for held in seen if held[0] == "n") == sorted(f"n{n}" for n in range(len(made.notes)))
        assert not any(PLACEHOLDER.search(each.content) for each in tokens if each.type in CODE)
        claimed = [support for *_, support in found if support not in ("verified", None)]
        assert len(made.notes) == len(claimed) + stopped


def test_a_verdict_on_a_row_stands_in_its_row_in_every_file() -> None:
    text = "| Year | Sales |\n|---|---|\n| 2015 | 3,991 | [1]\n| 2014 | 5,506 | [1]\n"
    rows = [(text.index("| 2015"), 16, "contradicted"), (text.index("| 2014"), 16, "verified")]
    said = noted(text, rows)  # type: ignore[arg-type]
    said = said.model_copy(
        update={"sentences": [said.sentences[0].model_copy(update={"source": "Sales | 4,001"}), said.sentences[1]]}
    )
    written = text_export.export_markdown(talk(("How much?", said)))
    assert "| 2015 | 3,991[^1-1] *(contradicted: the source says “Sales &#124; 4,001”)* |\n" in written
    assert "| 2014 | 5,506[^1-1] |" in written
    page = text_export.export_html(talk(("How much?", said)))
    note = r'<span class="doubt">\(contradicted: the source says “Sales \| 4,001”\)'
    assert re.search(f"<td>3,991<sup>.*?</sup> {note}", page)
    paper = pypdfium2.PdfDocument(export_pdf(talk(("How much?", said))))[0].get_textpage().get_text_range()
    assert "3,991[1] (contradicted: the source says “Sales | 4,001”)" in " ".join(paper.split())


def test_a_mark_and_a_verdict_leave_the_code_block_before_them_closed() -> None:
    text = "Run it:\n\n```\nmake\n``` [1]\n\nIt builds. [1]"
    written = text_export.export_markdown(talk(("How?", noted(text, [(text.index("It"), 10, "unsupported")]))))
    assert "```\nmake\n```\n\n[^1-1]\n\nIt builds.[^1-1] *(not found in the sources)*" in written


def test_notes_under_an_answer_cut_in_code_stand_outside_the_code() -> None:
    said = noted("Run it:\n\n```\nmake", [(0, 7, "unchecked")], stopped=True, cut="connection")
    page = text_export.export_html(talk(("How?", said)))
    assert "<pre><code>make\n</code></pre>" in page
    assert page.index("</pre>") < page.index("(stopped here)") < page.index("the connection to the model was lost")
    assert "Run it: *(not checked)*" in text_export.export_markdown(talk(("How?", said)))


def test_a_file_tells_who_judged_and_what_was_repaired() -> None:
    said = noted("It is deep. [1]", [(0, 11, "verified")]).model_copy(
        update={
            "judge": Judge(model="openai:gpt-5", sentences=1, agreed=74, passed=2, total=80),
            "repairs": [Repair(before="It is *blue*.", support="unsupported")],
        }
    )
    for text in (
        text_export.export_markdown(talk(("How deep?", said))),
        text_export.export_html(talk(("How deep?", said))),
    ):
        assert "1 of 1 sentence verified; judged by openai:gpt-5 (agreed with readers on 74 of 80" in text
        assert "Withdrawn: “It is " in text
    assert b"%PDF" in export_pdf(talk(("How deep?", said)))


def test_a_footnote_says_what_the_sentence_rests_on() -> None:
    said = noted("Il est profond. [1]", [(0, 15, "verified")])
    said = said.model_copy(update={"sentences": [said.sentences[0].model_copy(update={"basis": "quote"})]})
    talked = talk(("Quelle est la profondeur de ce lac ?", said))
    assert "“Deep.” *(citée mot pour mot)*" in text_export.export_markdown(talked)
    assert "<blockquote>Deep.</blockquote>citée mot pour mot</li>" in text_export.export_html(talked)


def test_a_note_is_read_as_it_is_and_makes_no_markdown() -> None:
    source = "*a* `b` [c](http://e.org) <d> & | ~~e~~"
    said = noted("It is deep.", [(0, 11, "contradicted")])
    said = said.model_copy(update={"sentences": [said.sentences[0].model_copy(update={"source": source})]})
    written = text_export.export_markdown(talk(("How deep?", said)))
    shown = make_markdown_reader().render(written)
    assert "<em>(contradicted: the source says “*a* `b` [c](http://e.org) &lt;d&gt; &amp; | ~~e~~”)</em>" in shown
