import pytest

from pincite.evidence.comparison import Comparison
from pincite.evidence.turned import turned
from pincite.evidence.verify import verify
from pincite.evidence.wording import prepare

TURNED = [
    ("Verne doit 500 euros à Hugo.", "Hugo doit 500 euros à Verne."),
    ("The carrier shall insure the shipper.", "The shipper shall insure the carrier."),
    ("Le transporteur assure le chargeur.", "Le chargeur assure le transporteur."),
    ("Le franchisé doit prévenir le franchiseur.", "Le franchiseur doit prévenir le franchisé."),
    ("Verne SARL livre Hugo SA chaque mois.", "Hugo SA livre Verne SARL chaque mois."),
    ("Hale Ltd sued Prior Inc over an unpaid bill.", "Prior Inc sued Hale Ltd over an unpaid bill."),
    ("The coach helps the runner.", "The runner helps the coach."),
    ("Noise causes stress.", "Stress causes noise."),
    ("Le bruit provoque l'angoisse.", "L'angoisse provoque le bruit."),
    ("The broker lends money to the grower.", "The grower lends money to the broker."),
    ("Wages fell in Spain and rose in Italy.", "Wages fell in Italy and rose in Spain."),
    ("The exports of Spain to Italy were halved.", "The exports of Italy to Spain were halved."),
    ("Noise is caused by stress.", "Stress is caused by noise."),
    ("The kiln is hotter than the forge.", "The forge is hotter than the kiln."),
    ("Le gril est plus chaud que la forge.", "La forge est plus chaude que le gril."),
    ("Wages fell because rents rose.", "Wages rose because rents fell."),
    ("Les salaires baissent car les loyers augmentent.", "Les salaires augmentent car les loyers baissent."),
    ("Output rose from 30 tonnes to 20 tonnes.", "Output rose to 30 tonnes from 20 tonnes."),
    ("Output fell by 5 tonnes to 20 tonnes.", "Output fell to 5 tonnes from 20 tonnes."),
    ("La production a baissé de 5 tonnes.", "La production a baissé à 5 tonnes, contre 20 en mai."),
    ("Le taux passe de 5 % à 7 %.", "Le taux passe à 5 %, contre 7 % en mai."),
]
STRAIGHT = [
    ("The shipper is insured by the carrier.", "The carrier shall insure the shipper."),
    ("Le chargeur est assuré par le transporteur.", "Le transporteur assure le chargeur."),
    ("The assessment of the risk of cancer is new.", "The cancer risk assessment is new."),
    ("The runner is helped by the coach.", "The coach helps the runner."),
    ("Wages rose in Spain and fell in Italy.", "Wages fell in Italy and rose in Spain."),
    ("The broker lent money to Hale.", "Hale got the money from the broker."),
    ("The best yield is the highest price.", "The highest price is the best yield."),
    ("Rents rose and wages fell.", "Wages fell and rents rose."),
    ("Output rose from 20 tonnes to 30 tonnes.", "Output rose to 30 tonnes from 20 tonnes."),
    ("La production passe de 20 tonnes à 5 tonnes.", "La production a baissé à 5 tonnes, contre 20 tonnes en mai."),
    ("Hale Ltd was sued by Prior Inc.", "Prior Inc sued Hale Ltd over an unpaid bill."),
]


def reasons(sentence: str, source: str) -> list[str]:
    return [reason for *_, reason in turned(Comparison(prepare(sentence), prepare(source)))]


@pytest.mark.parametrize(("sentence", "source"), TURNED)
def test_what_stands_the_other_way_round_is_a_contradiction(sentence: str, source: str) -> None:
    assert reasons(sentence, source)
    assert verify(sentence, source).support == "unsupported"


@pytest.mark.parametrize(("sentence", "source"), STRAIGHT)
def test_another_order_of_the_same_is_none(sentence: str, source: str) -> None:
    assert reasons(sentence, source) == []
