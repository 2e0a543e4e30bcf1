import pytest

from pincite.reading.number_formats import format_scaled


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (1_234_567, '0.0,," M"', "1.2 M"),
        (-1_234_567, '0.0,," M"', "-1.2 M"),
        (1_234_567.0, "#,##0,", "1,235"),
        (12_345_678_901, "#,##0.0,,", "12,345.7"),
        (1_500_000, "0.##,,", "1.5"),
        (2_000_000, "0.##,,", "2"),
        (-1_250_000, '0.0,,"M";(0.0,,"M")', "(1.3M)"),
        (1_500, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "1.5K"),
        (2.5e6, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', "2.5M"),
        (1_234_567, '[$€-40C]0.00,,\\ "mn"', "€1.23 mn"),
        (1_234_567, "_($* #,##0,_);_($* (#,##0,)", "$1,235"),
        (400, "0.0,,", "0.0"),
        (1e17, "0.000000000000000,", "100000000000000.000000000000000"),
        (-5_000, '[<=-1000]-0,"k";0', "-5k"),
        (-5_000, '[>=1000]0,"k";[<=-1000]0,"k";0', "-5k"),
    ],
)
def test_a_number_is_written_as_its_format_divides_it(value: float, code: str, shown: str) -> None:
    assert format_scaled(value, code) == shown


@pytest.mark.parametrize(
    "code",
    [
        "General",
        "#,##0",
        "#,##0.00",
        "0.0%",
        "d, mmm yyyy",
        "0.0,%",
        "0.0E+00,",
        "",
        ";;;",
        '"a,b"',
        "0," * 300,
        "[<1]0,;0",
    ],
)
def test_a_format_that_divides_nothing_is_left_to_the_reader(code: str) -> None:
    assert format_scaled(1_234_567, code) == ""


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e301, 10**400])
def test_a_number_without_thousands_is_left_to_the_reader(value: float) -> None:
    assert format_scaled(value, "0,") == ""


def test_the_largest_numbers_are_written_in_full() -> None:
    assert format_scaled(1e200, "0,") == "1" + "0" * 197
    assert format_scaled(-(10**299), "#,##0.0,,").startswith("-100,000,")
