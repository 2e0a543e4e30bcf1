import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.proof.facts import CitedSource, Facts, check_facts
from pincite.proof.tables import find_tables
from pincite.reading.merged_labels import MERGED
from pincite.types import Block, Reason

INCOME = """(In millions, except per share amounts)\t2015\t2014\t2013
Net revenue\t$\t3,991 $\t5,506 $\t5,160
Operating expenses:
Salaries (1)\t1,240\t1,180\t1,100
Rent\t310\t305\t290
Net loss\t(1,234)\t87\t90
Earnings per share\t0.54\t1.11\t1.19"""
PATENTS = """Segment\tworldwide\tU.S. patents
Life Sciences\t551\t152
Optical Communications\t4,584\t2,135"""


def table(text: str, cited: str, around: str = "") -> CitedSource:
    """A source that cites the rows with these words."""
    lines = [line for line in text.split("\n") if any(word in line for word in cited.split("|"))]
    return CitedSource("\n".join(lines), around, find_tables(text, [Block("table", 0, len(text))], 0, len(text)))


def check(claim: str, source: CitedSource | str) -> Facts:
    return check_facts(claim, [CitedSource(source) if isinstance(source, str) else source])


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The file may have 200 MB.", "Le fichier peut avoir 200 Mo."),
        ("The limit is 200,000 rows.", "MAX_ROWS is set to 200_000 rows"),
        ("Emissions of CO2 fell by 12%.", "Emissions of CO₂ fell by 12 percent."),
        ("They opened nine shops.", "They opened 9 shops(1) in the region[3]."),
        ("The house has 1,250 rooms.", "The house has 1\u00ad250 rooms and a gar\u00ad\nden."),
        ("Sales were $1.2 billion.", "Sales of $1,203 million were reported."),
        ("Elle a coûté environ 3,4 millions d'euros.", "Le coût est de 3 412 000 euros."),
        ("Almost two thirds of them left.", "65.3% of them left."),
        ("It was signed on 3 March 2024.", "Signed in Paris, le 3 mars 2024."),
        ("The distance is 8 km.", "a distance of 8,000 metres"),
        ("It runs from 2012 to 2013.", "the budget 2012-13"),
        ("La carte est gardée cinq ans.", "La carte est gardée au maximum5 ansà compter du jour de la perte."),
        ("La carte est gardée trois ans.", "La carte est gardée pour36 mois.En cas de perte, elle est refaite."),
        ("In the six years from 2013 to 2019 it grew.", "It grew from 2013 on, and stopped in 2019."),
        ("The lake opens to riders of 15 years.", "Riders of 15 years may come.\t\t\n\t\tA ride takes 20 hours."),
    ],
)
def test_a_figure_may_be_written_in_another_way(claim: str, source: str) -> None:
    assert check(claim, source).agree


@pytest.mark.parametrize(
    ("claim", "source", "found"),
    [
        ("The sale of four plants closed.", "The sale of the company's three plants closed.", "three"),
        ("Le débiteur a 30 jours pour payer.", "Le débiteur doit payer dans les 15 jours.", "15 jours"),
        ("Sales rose by 12 percent.", "Sales rose by 21 percent.", "21 percent"),
        ("It opened in 2019.", "It opened in 2018.", "2018"),
        ("It was signed on 4 March 2024.", "It was signed on 3 March 2024.", "3 March 2024"),
        ("Sales were $1.2 million.", "Sales were $1,203 million.", "$1,203 million"),
        ("Imports were 6.8% in 2006.", "Imports were 8.5% in 2006 and 6.8% in 2007.", "8.5%"),
        ("Online sales grew by 80% in 2021.",
         "There was an increase of 44% in online sales in 2021, driven by one of 80% in the first half.", "44%"),
        ("Children aged 5 receive 30 mg a day.",
         "The dose (10 mg a day for children aged 5 (in May) and 30 mg a day for grown riders (in June)).", "10 mg"),
        ("Version X-3.9 arrives on 5 July.", "X-3.8 arrives on 5 July. Then X-3.9 arrives on 13 July.", "13 July"),
    ],
)  # fmt: skip
def test_another_figure_in_the_same_role_is_shown(claim: str, source: str, found: str) -> None:
    (reason,) = check(claim, source).differing
    assert (reason.code, reason.found) == ("fact_differs", found)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Membership is kept for 15 years.", "Membership is kept after 20 hours of practice."),  # another unit
        ("Visits rose 15.6%, with 13.6% more guests and a 1.8% higher price.",
         "Visits increased 15.6% compared to an increase of 21.4% in the year before,\n"
         "driven by a 13.6% increase in guests and a 1.8% increase in price."),
        ("Two boats are back.", "The keeper said that two of the three boats for the race were back."),
        ("The club paid $350 million for its shares.", "Shares at a price of $32.96 were bought for $350 million."),
    ],
)  # fmt: skip
def test_a_figure_with_another_role_or_unit_is_no_rival(claim: str, source: str) -> None:
    assert not check(claim, source).differing


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("5 million people live in the city.", "15 million people live in the city."),
        ("5 million people live in the city.", "About 1.5 million people live in the city."),
        ("0 people were hurt in the accident.", "10 people were hurt in the accident."),
        ("The company employed 12.", "The company employed 120 people."),
        ("The company employed 12.", "The company employed 12.5 thousand people."),
        ("The beam is 4 m", "The beam is 4 mm long."),
        ("500 personnes habitent dans la ville.", "1 500 personnes habitent dans la ville."),
        ("500 personnes habitent dans la ville.", "1\u202f500 personnes habitent dans la ville."),
        ("La société employait 12.", "La société employait 12 000 personnes."),
    ],
)
def test_a_number_that_is_a_part_of_the_sources_number_does_not_agree(claim: str, source: str) -> None:
    assert not check(claim, source).agree


@pytest.mark.parametrize(
    "source",
    ["They said: “5 million people live in the city”, and left.", "(5 million people live in the\ncity.)"],
)
def test_a_sentence_in_the_same_words_agrees_with_whatever_signs_around_it(source: str) -> None:
    assert check("5 million people live in the city.", source) == Facts()


def test_a_table_written_as_a_list_has_roles_too() -> None:
    prices = "Number of rooms\nPrice\n2 rooms at most\n\n 45,50 € \n\n3 rooms or more\n\n 60,70 €"
    assert check("For two rooms the price is 45,50 €.", prices).agree
    assert "45,50 €" in [reason.found for reason in check("For two rooms the price is 60,70 €.", prices).differing]


def test_a_figure_from_around_differs_where_the_cited_words_have_one_of_its_unit() -> None:
    around = "Le permis bateau s'obtient dès 16 ans. Le permis camion s'obtient dès 18 ans."
    facts = check_facts(
        "A lorry may be driven from 16.", [CitedSource("Le permis camion s'obtient dès 18 ans.", around)]
    )
    assert facts.differing[0].found == "18 ans"


def test_a_number_glued_to_a_code_is_no_number() -> None:
    assert check("It reads utf8 files.", "It reads UTF-8 files.").agree


def test_a_figure_that_is_nowhere_is_missing() -> None:
    facts = check("The team has 37 members and a dog.", "The team meets on Mondays with a dog.")
    assert [(reason.code, reason.claimed) for reason in facts.missing] == [("fact_missing", "37")]
    assert not facts.differing


def test_a_small_number_in_words_may_count_what_the_source_lists() -> None:
    assert check("The option knows four formats.", "The option knows ps, pdf, png and svg.").agree


def test_a_code_must_stand_in_the_source() -> None:
    assert check("It supports TLS1.3 by default.", "By default it supports TLS1.3.").agree
    assert [reason.claimed for reason in check("It supports TLS1.3 by default.", "It supports TLS1.2.").missing] == [
        "TLS1.3"
    ]


def test_a_name_that_is_nowhere_is_missing_and_its_forms_are_found() -> None:
    source = "The member states that grew were Ireland and Spain, the report of the agency says."
    assert [reason.claimed for reason in check("The report says that Portugal grew.", source).missing] == ["Portugal"]
    assert check("The report says that the Spanish grew.", source).agree
    assert check("Le rapport dit que dans la liste seul le Portugal progresse.", source).agree  # another language


@pytest.mark.parametrize(
    ("claim", "rows"),
    [
        ("Net revenue was $3,991 million in 2015.", "Net revenue"),
        ("Net revenue fell to $4.0 billion in 2015, from $5.5 billion in 2014.", "Net revenue"),
        ("In 2014, salaries came to $1,180 million.", "Salaries"),
        ("A net loss of $1,234 million was made in 2015.", "Net loss"),
        ("Earnings per share were $0.54 in 2015.", "Earnings"),
        ("Net revenue was 3,991 in 2015, down from 5,506.", "Net revenue"),
    ],
)
def test_a_table_gives_unit_and_scale(claim: str, rows: str) -> None:
    assert check(claim, table(INCOME, rows)).agree


@pytest.mark.parametrize(
    ("claim", "rows", "found"),
    [
        ("Net revenue was $5,506 million in 2015.", "Net revenue", "$3,991"),
        ("Rent came to $1,240 million in 2015.", "Rent|Salaries", "310"),
        ("Net revenue was $3,991 million in 2014 and $5,506 million in 2015.", "Net revenue", "$5,506"),
    ],
)
def test_a_figure_of_another_row_or_column_differs(claim: str, rows: str, found: str) -> None:
    assert check(claim, table(INCOME, rows)).differing[0].found == found


def test_a_figure_in_the_label_of_a_cited_row_counts() -> None:
    notes = "(in millions)\t2019\t2018\nNotes of 2.1% due 2020\t560.1\t582.6\nNotes of 3.2% due 2027\t750.0\t750.0"
    assert check("The notes of 2.1% due 2020 stood at $560.1 million in 2019.", table(notes, "2.1%")).agree


def test_a_row_with_the_same_label_in_another_table_does_not_speak_against_a_cited_one() -> None:
    text = "Net sales\t2019\t2018\nUnited States\t900\t800\nCash\t2019\t2018\nUnited States\t51\t15"
    assert check("It had 51 in the United States in 2019.", table(text, "United States\t51")).agree


def test_columns_with_words_have_a_role_too() -> None:
    assert check("Life Sciences held 152 U.S. patents.", table(PATENTS, "Life")).agree
    assert check("Life Sciences held 551 U.S. patents.", table(PATENTS, "Life")).differing[0].found == "152"


DEBTS = """Obligations (in thousands)\tTotal\t1 year\t1-3 years\t5 years
Films\t10,902\t4,703\t5,249\t950
Loans\t3,425\t135\t541\t2,749"""
FORECAST = """($ in Billions, except per share)\tAugust 2023\tJuly 2023
Sales / Mid-point\t$83.6B – $84.4B / $84.0B\t$99.3B – $100.3B / $99.8B
Earnings per share / Mid-point\t$10.00 – $10.10 / $10.05\t$10.70 – $10.80 / $10.75"""
DISKS = "Cluster\tA\tB\nAvailable space\t72 TB\t180 TB\nUsed space\t55 TB\t155 TB"
WEEKS = "13 weeks ended\nShare\t2023\t2022\nSoap\t16%\t15%\nOils\t40%\t41%"
YEAR = "52 weeks ended\nShare\t2023\t2022\nSoap\t17%\t14%\nOils\t42%\t43%"


def test_columns_are_told_apart_by_their_numbers() -> None:
    assert check("Of the films, $4.7 million are due in one year.", table(DEBTS, "Films")).agree
    facts = check("Of the films, $5.2 million are due in one year.", table(DEBTS, "Films"))
    assert facts.differing[0].found == "4,703"


def test_a_cell_may_hold_several_figures() -> None:
    assert check("In August 2023 sales of $83.6 to $84.4 billion were expected.", table(FORECAST, "Sales")).agree
    facts = check("The mid-point of earnings is $0.70 lower in August 2023 than in July.", table(FORECAST, "Earnings"))
    assert facts.agree


def test_a_cited_row_counts_before_its_twin_in_another_table() -> None:
    text = f"{WEEKS}\n{YEAR}"
    source = CitedSource("Soap\t16%\t15%", text, find_tables(text, [Block("table", 0, len(text))], 0, len(text)))
    assert check("Soap made up 17% in 2023.", source).differing[0].found == "16%"
    assert check("Soap made up 16% in 2023.", source).agree


def test_a_row_of_a_range_covers_the_figures_within() -> None:
    berths = "| Length | Low | High |\n| --- | --- | --- |\n| From 8 to 12 m | 21 | 34 |\n| Over 12 m | 30 | 49 |"
    source = table(berths, "From 8")
    assert check("A boat of 10 m pays 34 euros in the high season.", source).agree
    assert check("A boat of 20 m pays 34 euros in the high season.", source).missing


def test_a_row_is_checked_with_the_figure_of_a_cell_merged_over_it() -> None:
    text = f"Model\tRange\tWeight\nZephyr\t70 km\t19 kg\nBoreas\t110 km\t{MERGED}"
    assert check("The Boreas weighs 19 kg.", table(text, "Boreas")).agree
    assert not check("The Boreas weighs 21 kg.", table(text, "Boreas")).agree


def test_a_row_of_a_table_with_bars_is_no_running_text() -> None:
    modes = "| Mode | Width | Noise |\n| --- | --- | --- |\n| Calm | 60 | 31 |\n| Usual | 80 | 38 |"
    assert check("In calm mode the noise is 31.", table(modes, "Calm")).agree
    assert check("In calm mode the noise is 60.", table(modes, "Calm")).differing[0].found == "31"


def test_a_scale_that_the_table_does_not_have_is_not_accepted() -> None:
    assert not check("Net revenue was $3,991 thousand in 2015.", table(INCOME, "Net revenue")).agree
    assert not check("Net revenue was $3,991 in 2015.", table(INCOME, "Net revenue")).agree


@pytest.mark.parametrize(
    ("claim", "source", "computed"),
    [
        ("Net revenue fell by 27.5% in 2015.", table(INCOME, "Net revenue"), "$3,991 / $5,506 − 1 = −27.5 %"),
        ("In 2015 rent was a quarter of salaries, 25.0%.", table(INCOME, "Rent|Salaries"), "310 / 1,240 = 25.0 %"),
        ("Salaries rose by $60 million in 2015.", table(INCOME, "Salaries"), "1,240 − 1,180 = 60"),
        ("They opened nine, two more than in 2023.", "They opened nine shops, and seven in 2023.", "nine − seven = 2"),
        ("Ensemble, 40 personnes y travaillent.", "Le premier site a 35 personnes, le second 5.", "35 + 5 = 40"),
        ("L'écart est de 15,18 €.", "Le taux est de 45,55 € à deux et 60,73 € à trois.", "60,73 € − 45,55 € = 15,18"),
        ("The second has 2.5 times the available space.", table(DISKS, "Available"), "180 TB / 72 TB = 2.5"),
        ("About 76% of the available space is used.", table(DISKS, "Available|Used"), "55 TB / 72 TB = 76.4 %"),
        ("About 80% of the loans are due in five years.", table(DEBTS, "Loans"), "2,749 / 3,425 = 80.3 %"),
        ("The 388 clubs have about 63 boats each.", "There are 388 clubs with 24,500 boats.", "24,500 / 388 = 63.1"),
        ("Dix mois de retard coûtent 2 %.", "Le retard coûte 0,20 % par mois.", "0,20 % × Dix mois = 2,0 %"),
        ("At 29%, the 20 TB take 5.8 TB.", "The store has 20 TB. It shrinks to 29%.", "20 TB × 29% = 5.8"),
        ("They take 60 mg a day.", "One pill has 20 mg. They take three pills a day.", "20 mg × three = 60"),
        ("Quarante-huit y vont.", "Il y a 96 marins. La moitié y va.", "96 × moitié = 48"),
        ("The share fell by 1.7 points.", "It was 8.5% in 2006 and 6.8% in 2007.", "8.5% − 6.8% = 1.7"),
    ],
)  # fmt: skip
def test_a_derived_figure_is_recomputed_and_shown(claim: str, source: CitedSource | str, computed: str) -> None:
    facts = check(claim, source)
    assert facts.agree
    assert facts.computed == computed


@pytest.mark.parametrize(
    "claim",
    [
        "Net revenue fell by 32.5% in 2015.",
        "Net revenue fell by $1,169 million in 2015.",  # the difference to 2013
        "Net revenue fell by 38.0% in 2015.",  # the change from the other end
        "Net revenue went from $5,506 million to $3,991 million, by 38.0%.",
    ],
)
def test_a_wrong_derivation_does_not_agree(claim: str) -> None:
    assert not check(claim, table(INCOME, "Net revenue")).agree


def test_the_right_calculation_is_shown_where_the_sentence_names_its_figures() -> None:
    facts = check("Net revenue fell by 31%, from $5,506 million to $3,991 million.", table(INCOME, "Net revenue"))
    assert facts.differing[0].found == "$3,991 / $5,506 − 1 = −27.5 %"


def test_a_change_is_from_the_first_figure_to_the_last() -> None:
    source = "The club had 5,506 guests, then 3,991."
    assert check("Guests went from 5,506 to 3,991, by 27.5%.", source).agree
    assert (
        check("Guests went from 5,506 to 3,991, by 38.0%.", source).differing[0].found == "3,991 / 5,506 − 1 = −27.5 %"
    )


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Le débiteur a 30 jours.", "Le débiteur a deux fois 15 jours pour payer."),
        ("Dix mois de retard coûtent 3 %.", "Le retard coûte 0,20 % par mois."),
        ("At 29%, the 20 TB take 6.8 TB.", "The store has 20 TB. It shrinks to 29%."),
        ("The 388 clubs have about 73 boats each.", "There are 388 clubs with 24,500 boats."),
    ],
)
def test_a_wrong_product_or_average_does_not_agree(claim: str, source: str) -> None:
    assert not check(claim, source).agree


def test_the_adjoining_sentence_counts_where_the_cited_one_has_no_rival() -> None:
    around = "The bridge is 120 m long. It was built by hand."
    assert check_facts("The bridge of 120 m was built by hand.", [CitedSource("It was built by hand.", around)]).agree


@given(st.text(max_size=200), st.text(max_size=200), st.text(alphabet="ab 2019,.$%()\t\n—€", max_size=200))
def test_any_texts_can_be_checked(claim: str, text: str, around: str) -> None:
    facts = check_facts(claim, [CitedSource(text, around)])
    assert facts.agree == (not facts.differing and not facts.missing)


_PIECES = "rose|from|to|in|2019|2020|12%|$3.5|million|1,234|5|km|March|4,|ISO-9001|Paris|(1)|3e|½|two|thirds"
_WORDS = st.sampled_from((_PIECES + "|at least|-7|2,5 Mo|Q3|10-K|CO₂|a|tenth").split("|"))


@given(st.lists(_WORDS, min_size=1, max_size=15).map(" ".join))
def test_a_sentence_agrees_with_itself(claim: str) -> None:
    assert check(claim, f"Before it. {claim} After it.").agree
    # A soft hyphen stands within a word; before a space it would join two words.
    assert check(claim, CitedSource(" ".join("\u00ad".join(word) for word in claim.split(" ")))).agree


def test_long_texts_are_cut_and_not_refused() -> None:
    long = "In 2020 sales were 5 % and 1,234 rows.\t12\t13\n" * 3_000
    assert check_facts(long, [CitedSource(long, long)]).computed == ""


def test_names_in_a_row_may_stand_for_the_acronym_of_the_source() -> None:
    claim = "Sales in the United States were 13,444 that quarter in all shops."
    assert check(claim, "Sales in the U.S. came to 13,444 in the quarter for every shop.").agree
    assert not check(claim, "Sales in Norway came to 13,444 in the quarter for every shop.").agree


def test_heads_that_repeat_below_tell_how_far_each_year_reaches() -> None:
    rows = "\t2023\t2022\tPercent\nItem\tAmount\tShare\tAmount\tShare\tChange\nExpenses\t6,665\t26.1\t6,226\t25.9\t7.1"
    assert check("Expenses were 6,226 in 2022.", rows).agree
    assert not check("Expenses were 6,665 in 2022.", rows).agree


def test_a_dash_is_an_empty_cell_and_moves_no_column() -> None:
    rows = "Item\t2021\t2020\t2019\nGains\t412\t-\t318\nCosts\t200\t190\t180"
    assert check("Gains came to 318 in 2019.", rows).agree
    assert check("Gains came to 318 in 2020.", rows).differing == (Reason("fact_differs", "318", "-"),)
    assert check("Les gains étaient de 318 en 2020.", rows.replace("Gains\t412\t-", "Gains\t412\tn/a")).differing


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("A dose > 5 mg is safe.", "A dose < 5 mg is safe."),
        ("Une dose ≥ 5 mg est sûre.", "Une dose ≤ 5 mg est sûre."),
        ("Une dose supérieure à 5 mg est sûre.", "Une dose < 5 mg est sûre."),
        ("A dose > 5 mg is given daily.", "A dose of 5 mg is given daily."),
        ("The night was at −5 °C outside.", "The night was at 5 °C outside."),
    ],
)
def test_a_bound_on_the_other_side_and_another_sign_differ(claim: str, source: str) -> None:
    assert check(claim, source).differing


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The dose is less than 5 mg.", "The dose is < 5 mg."),
        ("The members were at least 18 years old.", "The members were ≥ 18 years old."),
        ("La dose est inférieure à 5 mg.", "La dose est < 5 mg."),
    ],
)
def test_a_sign_and_its_words_are_the_same_bound(claim: str, source: str) -> None:
    assert check(claim, source).agree
