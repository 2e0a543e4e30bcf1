import pytest

from pincite.reading.filings import find_filing_title

COVER = """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
Washington, D.C. 20549
{form}
☒\tANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934
{period}
Commission file number 1-234
________________
{company}
(Exact name of registrant as specified in its charter)
Delaware\t12-3456789
"""


@pytest.mark.parametrize(
    ("form", "period", "company", "title"),
    [
        (
            "FORM 10-K",
            "For the fiscal year ended May 31, 2020",
            "HARBOUR FOODS, INC.",
            "HARBOUR FOODS, INC., Form 10-K, fiscal year ended May 31, 2020",
        ),
        (
            "Form 10-Q",
            "For the quarterly period ended July 2, 2023",
            "Lighthouse Bank",
            "Lighthouse Bank, Form 10-Q, quarterly period ended July 2, 2023",
        ),
        (
            "FORM 8-K",
            "Date of Report (Date of earliest event reported): July 1, 2022 (June 30, 2022)",
            "Quay plc",
            "Quay plc, Form 8-K, July 1, 2022",
        ),
        (
            "FORM 10-K/A",
            "FOR THE FISCAL YEAR ENDED MARCH 31, 2021",
            "A QUAY PLC",
            "A QUAY PLC, Form 10-K/A, fiscal year ended March 31, 2021",
        ),
        ("FORM 20-F", "", "M ARINA H OLDINGS", "MARINA HOLDINGS, Form 20-F"),
        ("AMENDMENT NO. 2 TO FORM S-1", "", "Quay plc", "Quay plc, Form S-1"),
        (
            "Form F-1",
            "As filed with the Securities and Exchange Commission on March 3, 2021",
            "Quay plc",
            "Quay plc, Form F-1, March 3, 2021",
        ),
        ("FORM S-3ASR", "", "Quay plc", "Quay plc, Form S-3ASR"),
        ("FORM 6-K", "For the month of May 2021", "Quay plc", "Quay plc, Form 6-K, May 2021"),
        ("DEF 14A", "", "Quay plc", "Quay plc, DEF 14A"),
    ],
)
def test_a_filing_is_called_by_its_company_form_and_period(form: str, period: str, company: str, title: str) -> None:
    assert find_filing_title(COVER.format(form=form, period=period, company=company)) == title


@pytest.mark.parametrize(
    ("page", "title"),
    [
        (
            "SCHEDULE 14A INFORMATION\nProxy Statement Pursuant to Section 14(a)\n\n**Quay plc**\n"
            "(Name of Registrant as Specified In Its Charter)",
            "Quay plc, Schedule 14A",
        ),
        (
            "SCHEDULE 13G/A\n(Amendment No. 2)*\n\nQuay plc\n(Name of Issuer)\nOrdinary Shares\n(Title of Class)",
            "Quay plc, Schedule 13G/A",
        ),
        ("FORM 6-K\n\nQuay plc\n(Translation of registrant’s name into English)", "Quay plc, Form 6-K"),
        ("FORM S-1\n\nQuay plc\n(Exact name of registrant as specified\n      in its charter)", "Quay plc, Form S-1"),
    ],
)
def test_the_line_below_a_company_is_worded_differently_in_other_forms(page: str, title: str) -> None:
    assert find_filing_title(page) == title


@pytest.mark.parametrize(
    "page",
    [
        "Quay plc\n(Exact name of registrant as specified in its charter)\nForm of proxy",
        "FORM 10-K\nForm 10-K/A\n(Exact name of registrant as specified in its charter)",
        "Schedule of fees\nQuay plc\n(Name of issuer)",
        "",
        "UNITED STATES\nFORM 10-K\nHow to fill it in",
        "Minutes\n(Exact name of registrant as specified in its charter)",
        "(Exact name of registrant as specified in its charter)\nFORM 10-K",
    ],
)
def test_a_page_that_is_no_cover_gives_no_such_title(page: str) -> None:
    assert find_filing_title(page) == ""
