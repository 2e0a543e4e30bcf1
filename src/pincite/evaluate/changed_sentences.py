"""Change one fact, only the form, or the meaning of a sentence.

Code must refuse a changed fact and must not refuse another form. A changed meaning (a direction, a negation) is left to
a judge. The word lists here only generate sentences; no code that checks facts reads them.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple


class ChangedSentence(NamedTuple):
    """The kind of a change, and the changed sentence."""

    kind: str
    text: str


def _split_words(words: str) -> list[str]:
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
_NAMES = _split_words(
    "Madrid Toyota Garcia Helsinki Novartis Petersen Oregon Vietnam Yamamoto Bordeaux Leclerc Airbus Zurich"
)
_ACRONYMS = ("NATO", "OMC", "KPMG", "UEFA", "DNB")
_MONTHS = {
    "en": _split_words("January February March April May June July August September October November December"),
    "fr": _split_words("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
}
_DATED = {
    code: re.compile(rf"\b(\d{{1,2}})(?:er|st|nd|rd|th)? ({'|'.join(names)}) (\d{{4}})\b")
    for code, names in _MONTHS.items()
}
_AMERICAN = re.compile(rf"\b({'|'.join(_MONTHS['en'])}) (\d{{1,2}}), (\d{{4}})\b")
_MONTH = {code: re.compile(rf"\b({'|'.join(names)})(?= \d)") for code, names in _MONTHS.items()}
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_NUMBER = re.compile(r"(?<![\w.,/-])\d+(?:[.,]\d+)*(?![\w/-])")
_LABEL = re.compile(r"\(?\d{1,2}[.)]$|\d{1,3}$")  # a number in front of a sentence is not a fact
_CODE = re.compile(r"(?<![\w./-])(?=[\w-]*[A-Z])(?=[\w-]*\d)[A-Z][A-Za-z]*-?\d[\dA-Z]*(?:-\d+)*(?![\w/-])")
_CAPITAL = re.compile(r"(?<=[a-zà-ÿ,] )([A-ZÀ-Ý][a-zà-ÿ]{3,}|(?![IVX]+\b)[A-Z]{2,5})(?![\w-])")
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


def change_facts(sentence: str, language: str, names: Sequence[str] = (), near: str = "") -> Iterator[ChangedSentence]:
    """Yield the sentence with one fact changed, once for each kind of fact in it; the changes are deterministic.

    `names` are other names in the texts. A name that occurs in `near`, the neighbouring sentences, is not used.
    """
    pick = zlib.crc32(sentence.encode())
    numbers = [found for found in _NUMBER.finditer(sentence) if not _is_label(sentence, found)]
    yield from _change_one("number", sentence, numbers, _change_digit, pick)
    yield from _change_one("date", sentence, list(_YEAR.finditer(sentence)), _change_digit, pick + 1)
    yield from _change_one(
        "date", sentence, list(_MONTH[language].finditer(sentence)), _make_month_changer(language), pick
    )
    yield from _swap_words("unit", sentence, _UNITS, pick)
    yield from _change_one("code", sentence, list(_CODE.finditer(sentence)), _change_digit, pick)
    capitals = [found for found in _CAPITAL.finditer(sentence) if _is_name(found[0], names)]
    others = [name for name in (*_NAMES, *names) if name not in sentence and name not in near]
    acronyms = [name for name in _ACRONYMS if name not in sentence and name not in near]
    yield from _change_one(
        "name",
        sentence,
        [] if _is_title(sentence) else capitals,
        lambda name, n: acronyms[n % len(acronyms)] if name.isupper() else others[n % len(others)],
        pick,
    )


def change_meaning(sentence: str, language: str) -> Iterator[ChangedSentence]:
    """Yield the sentence with a direction reversed, or negated: no fact differs, but the meaning does."""
    yield from _swap_words("direction", sentence, _DIRECTIONS, zlib.crc32(sentence.encode()))
    if denied := _negate_sentence(sentence, language):
        yield ChangedSentence("negation", denied)


def change_form(sentence: str, language: str, following: str = "") -> Iterator[ChangedSentence]:
    """Yield the sentence in other forms with the same meaning."""
    yield ChangedSentence("unchanged", sentence)
    forms = {
        "number reformatted": _reformat_numbers(sentence, language),
        "date reformatted": _reformat_dates(sentence, language),
        "quotes and spaces": _change_spacing(sentence),
        "first letter": sentence[:1].swapcase() + sentence[1:] if sentence[1:2].islower() else sentence,
        "list reordered": _LISTED.sub(r"\2, \1 \3 \4", sentence, count=1),
        "clause reordered": _FRONTED.sub(
            lambda m: f"{_capitalise_first(m[2])}, {m[1][:1].lower()}{m[1][1:]}.", sentence
        ),
    }
    yield from (ChangedSentence(kind, form) for kind, form in forms.items() if form != sentence)
    if following:
        yield ChangedSentence("sentences reordered", f"{following} {sentence}")


def _capitalise_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def _change_one(
    kind: str, sentence: str, places: list[re.Match[str]], other: Callable[[str, int], str], pick: int
) -> Iterator[ChangedSentence]:
    if places:
        place = places[pick % len(places)]
        text = sentence[: place.start()] + other(place[0], pick) + sentence[place.end() :]
        if text != sentence:
            yield ChangedSentence(kind, text)


def _is_name(word: str, names: Sequence[str]) -> bool:
    """Return whether a capitalised word is a name: an acronym, or one of the known names."""
    return word not in _MONTHS["en"] and (word.isupper() or not names or word in names)


def _is_title(sentence: str) -> bool:
    """Return whether most words of a sentence are capitalised, so that capitals do not indicate names."""
    words = re.findall(r"[^\W\d_]{4,}", sentence)
    return bool(2 * sum(word[0].isupper() for word in words) > len(words))


def _is_label(sentence: str, number: re.Match[str]) -> bool:
    """Return whether a number labels items, notes or sections: in front, alone in brackets, or after the last word."""
    before, after = sentence[: number.start()], sentence[number.end() :]
    is_bracketed = before.endswith(("(", "[")) and after.startswith((")", "]"))
    is_last = len(number[0]) < 3 and after == "." and not re.search(r"\b(?:of|by|to|at|than|de|à|en)\s$", before)
    return bool(_LABEL.match(sentence[: number.end() + 1].rstrip())) or is_bracketed or is_last


def _change_digit(number: str, pick: int) -> str:
    """Change one digit of a number, never to a leading zero."""
    digits = [i for i, c in enumerate(number) if c.isdigit()]
    at = digits[pick % len(digits)]
    new = str((int(number[at]) + 1 + pick // 7 % 8) % 10)
    if at == 0 and new == "0":
        new = str(int(number[0]) % 9 + 1)
    return number[:at] + new + number[at + 1 :]


def _make_month_changer(language: str) -> Callable[[str, int], str]:
    names = _MONTHS[language]
    return lambda name, pick: names[(names.index(name) + 1 + pick % 11) % 12]


def _swap_words(kind: str, sentence: str, swaps: str, pick: int) -> Iterator[ChangedSentence]:
    pairs = dict(pair.split("/") for pair in swaps.split())
    if kind != "unit":
        pairs |= {after: before for before, after in pairs.items() if after not in pairs}
    # A unit follows a number.
    before = r"(?<=\d )|(?<=\d)" if kind == "unit" else r"(?<![\w'’-])"
    listed = "|".join(re.escape(word) for word in sorted(pairs, key=len, reverse=True))
    places = list(re.finditer(rf"(?:{before})(?:{listed})(?![\w'’-])", sentence))
    yield from _change_one(kind, sentence, places, lambda word, _: pairs[word], pick)


def _negate_sentence(sentence: str, language: str) -> str:
    """Negate a sentence, or remove its negation; return "" if no simple verb allows it."""
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


def _reformat_numbers(sentence: str, language: str) -> str:
    """Write the numbers as in the other language."""
    if language == "en":
        text = re.sub(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?(?![\w.,]\d)", _write_french_number, sentence)
        text = re.sub(r"(?<![\w.,])(\d+)\.(\d+)(?![.,]?\w)", r"\1,\2", text)
        return re.sub(r"(?<=\d)%", " %", text) if text != sentence else re.sub(r"(?<=\d) ?%", " percent", sentence)
    text = re.sub(r"(?<![\w.,])(\d+),(\d{1,2})(?![.,]?\w)", r"\1.\2", sentence)
    text = re.sub(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)", lambda m: re.sub(r"\s", ",", m[0]), text)
    return text if text != sentence else re.sub(r"(?<=\d) ?%", " pour cent", sentence)


def _write_french_number(match: re.Match[str]) -> str:
    return match[1].replace(",", "\u202f") + (f",{match[2]}" if match[2] else "")


def _reformat_dates(sentence: str, language: str) -> str:
    def iso(match: re.Match[str]) -> str:
        return f"{match[3]}-{_MONTHS[language].index(match[2]) + 1:02}-{int(match[1]):02}"

    text = _DATED[language].sub(iso, sentence)
    return _AMERICAN.sub(r"\2 \1 \3", text) if language == "en" else text


def _change_spacing(sentence: str) -> str:
    """Change quotation marks, apostrophes and spaces."""
    text = re.sub(r"[\"“”]([^\"“”]+)[\"“”]", r"« \1 »", sentence)
    text = text.replace("’", "'") if "’" in text else text.replace("'", "’")
    return re.sub(r" (?=[%€:;!?])", "\u00a0", text).replace(", ", ",  ")


def find_names(texts: Sequence[str]) -> list[str]:
    """Return the names inside the sentences of these texts that never occur in lower case."""
    found = {match[1] for text in texts for match in _CAPITAL.finditer(text) if not match[1].isupper()}
    ordinary = {word for text in texts for word in re.findall(r"[a-zà-ÿ]+", text)}
    return sorted(name for name in found if name.casefold() not in ordinary and name not in _MONTHS["en"])
