"""A sentence changed in one fact, or in its form alone: what a verifier must refuse, and what it must not.

The swaps here are written apart from the verifier's own lexicon, and part of them (`UNSEEN`) holds words that it does
not list, so that the figures also say what happens beyond it.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple


class Change(NamedTuple):
    """What was done to a sentence, and what came of it."""

    kind: str
    text: str


def _listed(words: str) -> list[str]:
    return words.split()


_DIRECTIONS = """
increased/decreased increases/decreases increase/decrease increasing/decreasing rose/fell rises/falls rising/falling
higher/lower high/low more/less greater/smaller larger/smaller above/below before/after maximum/minimum first/last
positive/negative upper/lower long/short longer/shorter increased/reduced improved/worsened improve/worsen early/late
strong/weak best/worst gain/loss success/failure accept/reject accepted/rejected allowed/forbidden always/never
start/end begin/finish supersonic/subsonic laminar/turbulent all/no same/different large/small hot/cold inside/outside
young/old older/younger acute/chronic mild/severe activation/inhibition promotes/inhibits presence/absence left/right
north/south east/west buy/sell bought/sold won/lost open/closed include/exclude includes/excludes public/private
major/minor fast/slow faster/slower upstream/downstream with/without augmenter/diminuer augmente/diminue
augmentation/diminution hausse/baisse avant/après plus/moins maximum/minimum maximal/minimal premier/dernier
première/dernière supérieur/inférieur supérieure/inférieure toujours/jamais obligatoire/facultatif
obligatoire/facultative gratuit/payant gratuite/payante autorisé/interdit autorisée/interdite accepter/refuser
accepte/refuse commence/termine début/fin ouvert/fermé ouverte/fermée public/privé publique/privée acheter/vendre
achat/vente employeur/salarié propriétaire/locataire bailleur/locataire vendeur/acheteur possible/impossible
légal/illégal légale/illégale ancien/nouveau ancienne/nouvelle court/long courte/longue fort/faible élevé/faible
direct/indirect directe/indirecte temporaire/permanent favorable/défavorable entrée/sortie arrivée/départ
ajouter/supprimer avec/sans tous/aucun vrai/faux majeur/mineur
"""
UNSEEN = """
thick/thin deep/shallow wide/narrow wet/dry tight/loose urban/rural attract/repel ascending/descending odd/even
sharp/blunt dense/sparse smooth/rough optimistic/pessimistic elliptic/hyperbolic axial/radial viscous/inviscid
anterior/posterior proximal/distal dominant/recessive soluble/insoluble primary/secondary épais/mince
profond/superficiel étroit/ample humide/sec urbain/rural individuel/collectif individuelle/collective verbal/écrit
verbale/écrite manuel/automatique théorique/pratique titulaire/suppléant scolaire/professionnel physique/morale
"""
_UNITS = """
kg/g g/kg mg/g km/m cm/mm mm/cm ml/l %/‰ €/$ euros/dollars dollars/euros years/months year/month months/years
months/weeks weeks/days days/weeks days/hours hours/minutes minutes/seconds seconds/minutes percent/kilograms psi/bar
feet/metres miles/kilometres °C/°F degrees/radians min/h ans/mois an/mois mois/ans jours/semaines jour/mois
semaines/jours heures/minutes heure/jour minutes/heures mètres/kilomètres kilomètres/mètres nm/µm hz/khz
litres/millilitres wk/days
"""
_NAMES = _listed(
    "Madrid Toyota Garcia Helsinki Novartis Petersen Oregon Vietnam Yamamoto Bordeaux Leclerc Airbus Zurich"
)
_ACRONYMS = ("NATO", "OMC", "KPMG", "UEFA", "DNB")
_MONTHS = {
    "en": _listed("January February March April May June July August September October November December"),
    "fr": _listed("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
}
_DATED = {
    code: re.compile(rf"\b(\d{{1,2}})(?:er|st|nd|rd|th)? ({'|'.join(names)}) (\d{{4}})\b")
    for code, names in _MONTHS.items()
}
_AMERICAN = re.compile(rf"\b({'|'.join(_MONTHS['en'])}) (\d{{1,2}}), (\d{{4}})\b")
_MONTH = {code: re.compile(rf"\b({'|'.join(names)})(?= \d)") for code, names in _MONTHS.items()}
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_NUMBER = re.compile(r"(?<![\w.,/-])\d+(?:[.,]\d+)*(?![\w/-])")
_ITEM = re.compile(r"\(?\d{1,2}[.)]$")  # the number of an item is no fact
_CAPITAL = re.compile(r"(?<=[a-zà-ÿ,] )([A-ZÀ-Ý][a-zà-ÿ]{3,}|[A-Z]{2,5})\b")
_AUXILIARY = re.compile(r"(?<=[a-z] )(is|are|was|were|can|could|will|should|must|may|does|did|would)(?= (?!only)[a-z])")
_VERB = re.compile(
    r"(?<=[a-zà-ÿ] )(est|sont|peut|peuvent|doit|doivent|était|sera|seront|permet|concerne)"
    r"(?= (?!que|seulement)[a-zà-ÿ])"
)
_DENIAL = re.compile(r"\b(?:(?:ne |n['’])(\w+) (?:pas|plus|jamais)\b)")
_LISTED = re.compile(r"\b([a-zà-ÿ]{4,}), ([a-zà-ÿ]{4,}),? (and|or|et|ou) ([a-zà-ÿ]{4,})\b")
_FRONTED = re.compile(
    r"^((?:In|On|At|During|Since|For|By|With|En|Dans|Pendant|Depuis|Au|À|Pour|Selon) [^,;:]{3,60}), ([^;:]+?) ?\.$"
)


def changed(sentence: str, language: str, names: Sequence[str] = ()) -> Iterator[Change]:
    """The sentence with one fact changed, once for each kind that it has something of; always the same ones."""
    pick = zlib.crc32(sentence.encode())
    told = [found for found in _NUMBER.finditer(sentence) if not _ITEM.match(sentence[: found.end() + 1])]
    yield from _one("number", sentence, told, _digit, pick)
    yield from _one("date", sentence, list(_YEAR.finditer(sentence)), _digit, pick + 1)
    yield from _one("date", sentence, list(_MONTH[language].finditer(sentence)), _month(language), pick)
    for kind, swaps in (("unit", _UNITS), ("direction", _DIRECTIONS), ("unseen direction", UNSEEN)):
        yield from _swapped(kind, sentence, swaps, pick)
    capitals = list(_CAPITAL.finditer(sentence))
    others = [name for name in (*_NAMES, *names) if name not in sentence]
    acronyms = [name for name in _ACRONYMS if name not in sentence]
    yield from _one(
        "name",
        sentence,
        [found for found in capitals if found[0] not in _MONTHS["en"]],
        lambda name, n: acronyms[n % len(acronyms)] if name.isupper() else others[n % len(others)],
        pick,
    )
    if denied := _negated(sentence, language):
        yield Change("negation", denied)


def kept(sentence: str, language: str, following: str = "") -> Iterator[Change]:
    """The sentence in other forms that say the same."""
    yield Change("unchanged", sentence)
    forms = {
        "number reformatted": _reformatted(sentence, language),
        "date reformatted": _redated(sentence, language),
        "quotes and spaces": _respaced(sentence),
        "first letter": sentence[:1].swapcase() + sentence[1:] if sentence[1:2].islower() else sentence,
        "list reordered": _LISTED.sub(r"\2, \1 \3 \4", sentence, count=1),
        "clause reordered": _FRONTED.sub(lambda m: f"{_raised(m[2])}, {m[1][:1].lower()}{m[1][1:]}.", sentence),
    }
    yield from (Change(kind, form) for kind, form in forms.items() if form != sentence)
    if following:
        yield Change("sentences reordered", f"{following} {sentence}")


def _raised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _one(
    kind: str, sentence: str, places: list[re.Match[str]], other: Callable[[str, int], str], pick: int
) -> Iterator[Change]:
    if places:
        place = places[pick % len(places)]
        text = sentence[: place.start()] + other(place[0], pick) + sentence[place.end() :]
        if text != sentence:
            yield Change(kind, text)


def _digit(number: str, pick: int) -> str:
    """The number with one digit changed, never to a leading zero."""
    digits = [i for i, c in enumerate(number) if c.isdigit()]
    at = digits[pick % len(digits)]
    new = str((int(number[at]) + 1 + pick // 7 % 8) % 10)
    if at == 0 and new == "0":
        new = str(int(number[0]) % 9 + 1)
    return number[:at] + new + number[at + 1 :]


def _month(language: str) -> Callable[[str, int], str]:
    names = _MONTHS[language]
    return lambda name, pick: names[(names.index(name) + 1 + pick % 11) % 12]


def _swapped(kind: str, sentence: str, swaps: str, pick: int) -> Iterator[Change]:
    pairs = dict(pair.split("/") for pair in swaps.split())
    if kind != "unit":
        pairs |= {after: before for before, after in pairs.items() if after not in pairs}
    # A unit stands behind a number.
    before = r"(?<=\d )|(?<=\d)" if kind == "unit" else r"(?<![\w'’-])"
    listed = "|".join(re.escape(word) for word in sorted(pairs, key=len, reverse=True))
    places = list(re.finditer(rf"(?:{before})(?:{listed})(?![\w'’-])", sentence))
    yield from _one(kind, sentence, places, lambda word, _: pairs[word], pick)


def _negated(sentence: str, language: str) -> str:
    """The sentence denied, or what it denies said; nothing where no simple verb shows how."""
    if language == "en":
        if re.search(r"\bnot\b|\bcannot\b|n['’]t\b", sentence):
            plain = re.sub(r" not\b(?! only)", "", sentence.replace("cannot", "can"), count=1)
            return plain if plain != sentence else ""
        if re.search(r"\b(?:no|nor|neither|never|without|none)\b", sentence):
            return ""
        return _AUXILIARY.sub(r"\1 not", sentence, count=1) if _AUXILIARY.search(sentence) else ""
    if re.search(r"\bne\b|\bn['’]", sentence):
        return _DENIAL.sub(r"\1", sentence, count=1) if _DENIAL.search(sentence) else ""
    verb = _VERB.search(sentence)
    if not verb or re.search(r"\b(?:ni|aucun|aucune|pas|non|sans)\b", sentence):
        return ""
    mark = "n'" if verb[0][0] in "aeéiou" else "ne "
    return f"{sentence[: verb.start()]}{mark}{verb[0]} pas{sentence[verb.end() :]}"


def _reformatted(sentence: str, language: str) -> str:
    """The numbers as the other language writes them."""
    if language == "en":
        text = re.sub(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?(?![\w.,]\d)", _french, sentence)
        text = re.sub(r"(?<![\w.,])(\d+)\.(\d+)(?![.,]?\w)", r"\1,\2", text)
        return re.sub(r"(?<=\d)%", " %", text) if text != sentence else re.sub(r"(?<=\d) ?%", " percent", sentence)
    text = re.sub(r"(?<![\w.,])(\d+),(\d{1,2})(?![.,]?\w)", r"\1.\2", sentence)
    text = re.sub(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)", lambda m: re.sub(r"\s", ",", m[0]), text)
    return text if text != sentence else re.sub(r"(?<=\d) ?%", " pour cent", sentence)


def _french(match: re.Match[str]) -> str:
    return match[1].replace(",", "\u202f") + (f",{match[2]}" if match[2] else "")


def _redated(sentence: str, language: str) -> str:
    def iso(match: re.Match[str]) -> str:
        return f"{match[3]}-{_MONTHS[language].index(match[2]) + 1:02}-{int(match[1]):02}"

    text = _DATED[language].sub(iso, sentence)
    return _AMERICAN.sub(r"\2 \1 \3", text) if language == "en" else text


def _respaced(sentence: str) -> str:
    """Other quotation marks, apostrophes and spaces."""
    text = re.sub(r"[\"“”]([^\"“”]+)[\"“”]", r"« \1 »", sentence)
    text = text.replace("’", "'") if "’" in text else text.replace("'", "’")
    return re.sub(r" (?=[%€:;!?])", "\u00a0", text).replace(", ", ",  ")


def proper(texts: Sequence[str]) -> list[str]:
    """Names that stand within sentences of these texts, and never in lower case: what a wrong name would likely be."""
    found = {match[1] for text in texts for match in _CAPITAL.finditer(text) if not match[1].isupper()}
    ordinary = {word for text in texts for word in re.findall(r"[a-zà-ÿ]+", text)}
    return sorted(name for name in found if name.casefold() not in ordinary)
