import pytest

from pincite.evidence.comparison import Comparison
from pincite.evidence.framing import framed
from pincite.evidence.verify import verify
from pincite.evidence.wording import prepare

FRAMED = [
    ("The alloy resists rust.", "The team tested whether the alloy resists rust."),
    ("L'alliage résiste à la rouille.", "L'équipe cherche à savoir si l'alliage résiste à la rouille."),
    ("The bridge collapsed in May.", "A local paper wrongly wrote that the bridge collapsed in May."),
    ("The bridge is not safe.", "It is not true that the bridge is not safe."),
    ("Le pont s'est effondré en mai.", "Il est faux que le pont s'est effondré en mai."),
    ("Le pont s'est effondré en mai.", "Un journal a écrit à tort que le pont s'est effondré en mai."),
    ("The mayor took the money.", "The mayor allegedly took the money."),
    ("Le maire a pris l'argent.", "Le maire a prétendument pris l'argent."),
    ("The tunnel opens in 2031.", "The tunnel was expected to open in 2031, but the works were given up."),
    ("Le tunnel ouvre en 2031.", "Le tunnel était censé ouvrir en 2031, mais les travaux ont été abandonnés."),
    ("The hall was finished in 2019.", "The hall should have been finished in 2019."),
    ("Garlic cures colds.", "Many people believe that garlic cures colds."),
    ("L'ail soigne le rhume.", "Beaucoup croient que l'ail soigne le rhume."),
    ("La mairie a vendu le terrain.", "La mairie aurait vendu le terrain."),
    ("The fee is refunded.", "The fee is refunded if the course is cancelled."),
    ("La taxe est remboursée.", "Si le cours est annulé, la taxe est remboursée."),
    ("The bill was passed in May.", "The bill was nearly passed in May."),
    ("La loi a été votée en mai.", "La loi a presque été votée en mai."),
    ("Le jury a rendu son avis.", "Le jury devait rendre son avis, mais la séance a été annulée."),
    ("The rule applies to all pupils.", "The rule applies to all pupils, except boarders."),
    ("The rule applies to boarders.", "The rule applies to all pupils other than boarders."),
    ("La règle s'applique aux internes.", "La règle s'applique à tous les élèves, à l'exclusion des internes."),
    ("The ticket can be exchanged.", "The ticket can be exchanged only if it is shown before noon."),
    ("The grant is paid in full.", "The grant is paid in full provided that the report is filed."),
    ("Le billet est échangeable.", "Le billet est échangeable sous réserve de présentation avant midi."),
    ("The pump overheats.", "If the pump overheats, a valve closes the line and a horn sounds in the hall."),
    ("La pompe chauffe.", "S'il pleut ou si la pompe chauffe, une vanne ferme la conduite."),
    ("Pupils under 10 pay the fare.", "All pupils except those under 10 pay the fare."),
    ("Les retraités paient l'entrée.", "Tous les visiteurs, sauf les retraités, paient l'entrée."),
    ("La réponse est due sous 20 jours.", "La réponse est due sous 20 jours ouvrables."),
]
OUTRIGHT = [
    ("The hall seats 500 people.", "The hall seats nearly 500 people."),
    ("Boarders are not bound by the rule.", "The rule binds all pupils other than boarders."),
    ("The fee is refunded.", "The fee is refunded. If the course is cancelled, the fee is refunded at once."),
    (
        "La taxe est remboursée. Le cours a lieu.",
        "Le cours a lieu. La taxe est remboursée. Si le cours tarde, appelez.",
    ),
    ("The team tested whether the alloy resists rust.", "The team tested whether the alloy resists rust."),
    ("The team tested how the alloy resists rust.", "The team tested whether the alloy resists rust."),
    ("The tunnel is expected to open in 2031.", "The tunnel was expected to open in 2031."),
    ("The ticket can be exchanged if shown before noon.", "The ticket can be exchanged only if shown before noon."),
    ("A valve closes the line.", "Even if the pump overheats, a valve closes the line."),
    ("Le bail prend fin le 31 mai 2031.", "Le bail prend fin le 31 mai 2031, sauf renouvellement."),
    ("All pupils except those under 10 pay.", "All pupils except those under 10 pay."),
    ("La réponse est due sous 20 jours ouvrables.", "La réponse est due sous 20 jours ouvrables."),
    ("The bridge opened in May.", "Some wrongly blamed the mayor. The bridge opened in May."),
]


def reasons(sentence: str, source: str) -> list[str]:
    return list(framed(Comparison(prepare(sentence), prepare(source))))


@pytest.mark.parametrize(("sentence", "source"), FRAMED)
def test_what_the_source_does_not_say_outright_is_not_verified(sentence: str, source: str) -> None:
    assert reasons(sentence, source)
    assert verify(sentence, source).support != "verified"


@pytest.mark.parametrize(("sentence", "source"), OUTRIGHT)
def test_a_sentence_that_keeps_the_frame_has_nothing_against_it(sentence: str, source: str) -> None:
    assert reasons(sentence, source) == []


def test_the_reason_says_how_the_source_means_it() -> None:
    assert reasons(*FRAMED[0]) == ["the source only asks whether this is so"]
    assert reasons(*FRAMED[-1]) == ["the source says 20 jours ouvrables"]
