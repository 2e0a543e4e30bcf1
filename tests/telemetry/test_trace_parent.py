import pytest

from pincite.telemetry.trace_parent import TraceParent, read_trace_parent

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def test_a_header_of_the_form_is_read() -> None:
    expected = TraceParent(int(TRACE, 16), int(SPAN, 16), 1)
    assert read_trace_parent(f"00-{TRACE}-{SPAN}-01") == expected
    assert read_trace_parent(f" cc-{TRACE}-{SPAN}-01-what-the-future-will-be-like ") == expected
    not_recorded = read_trace_parent(f"00-{TRACE}-{SPAN}-00")
    assert not_recorded
    assert not_recorded.flags == 0


@pytest.mark.parametrize(
    "header",
    [
        "",
        "00",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}-{SPAN}-01\nx",
        f"00-{TRACE}-{SPAN}-01-{'x' * 300}",
        "00-٠af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    ],
)
def test_anything_else_is_no_parent(header: str) -> None:
    assert read_trace_parent(header) is None
