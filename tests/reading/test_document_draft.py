from hypothesis import given
from hypothesis import strategies as st
from tests.files import assert_sound, of_kind

from pincite.reading.document_draft import ROWS, Draft

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), WORDS),
        st.tuples(st.just("table"), st.lists(st.lists(WORDS, max_size=3), max_size=90)),
        st.tuples(st.just("page"), st.none()),
    ),
    max_size=8,
)


@given(STEPS)
def test_whatever_is_added_blocks_keep_order_and_pages_tile(steps: list[tuple[str, object]]) -> None:
    draft = Draft()
    for step, value in steps:
        if step == "page":
            draft.page()
        else:
            getattr(draft, step)(value)
    document = draft.document("text")
    assert_sound(document)
    assert draft.count == len(document.blocks)
    assert len(draft) == len(document.text)
    assert len(document.pages) == sum(step == "page" for step, _ in steps)


def test_blank_lines_part_blocks_but_not_the_pieces_of_one_table() -> None:
    draft = Draft()
    draft.add("avant")
    draft.table([[f"ligne {number}", ""] for number in range(ROWS + 1)])
    draft.add("après")
    document = draft.document("text")
    assert len(of_kind(document, "table")) == 2
    assert f"ligne {ROWS - 1}\nligne {ROWS}\n\naprès" in document.text
    assert document.text.startswith("avant\n\nligne 0\n")
