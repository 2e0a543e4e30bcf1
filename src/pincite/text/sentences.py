"""Split text into sentences, in French as in English.

Lines come first: a blank line ends a sentence, and so does a table row, a list item or a heading. Any other line end
counts as a space. In the remaining text a full stop ends a sentence unless it belongs to an abbreviation, an initial or
a number.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pincite.text.dates import MONTH_ABBREVIATIONS, MONTH_NAMES
from pincite.text.units import look_up_unit

_LINE = re.compile(r"[^\n\f]+")
_FINISHED = re.compile(r"[.!?…:;。！？؟।]['\")\]}»”’*_]*\s*$")
_BULLET = re.compile(r"[\uf000-\uf0ff•‣◦▪▫●○■□➢➤✓✔·]")
_HEADING = re.compile(r"#{1,6}\s")
_LEADERS = re.compile(r"(?:[.…·_] ?){5}")  # dots before a page number in a table of contents
# A line within a sentence may begin like this too; it is an item only where one may begin.
_ITEM = re.compile(r"(?:[-–—*+]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]\s)")
_LONGEST_TITLE = 80
_SHARE = 0.6  # greatest length of a title, as a share of the line below it

_STOP = re.compile(r"[.!?…。！？｡؟।]+(?:[ \u00a0\u202f\n]?[.!?…»›]|[\"'”’)\]}*_」』）】。！？])*")
_WIDE = re.compile(r"[。！？｡]")
_QUOTING = re.compile(r"[」』]と")
_DOT = re.compile(r"\.[\"'”’)\]}]*$")
_NEXT = re.compile(r"\s++(?:[^\w\s]\s?){0,8}+(\w{0,20})(['’]?)")
_TOKEN = re.compile(r"[^\s(\[{«“\"'’]*$")
_LONGEST_TOKEN = 64
_DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.-?)+[^\W\d_]{1,3}$")
_ENUMERATION = re.compile(r"\W*(?:\d{1,3}(?:\.\d{1,3})*|[^\W\d_]|[ivxlcIVXLC]{1,6})$")
_DATE = re.compile(r"\b\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}\b")
_QUANTITY = re.compile(
    r"\d[ \u00a0\u202f\n]?([^\W\d_A-Z][^\W\d_]{0,3})$"
)  # "6 m"; a capital is an initial: "in 1831 C."
_NUMERAL = re.compile(r"\d|[IVXLC]+\b|[A-Z]\b")
_ADDRESS = re.compile(r"://|www\.|@")
_ADDRESS_GOES_ON = re.compile(r"[^\s./]{0,64}[./]\w")


def _make_word_set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Before a name: they never end a sentence.
_TITLES = _make_word_set(
    "M MM Mme Mmes Mlle Mlles Mgr Dr Drs Dre Pr Prof Mr Mrs Ms Messrs Ste Rev Hon Gen Capt Cdt Lt Maj Sgt Gov Sen Rep "
    "Hr Fr"
)
# Before a reference or an example: they never end a sentence either.
_POINTERS = _make_word_set(
    "cf e.g i.e c.-à-d c.à.d càd p.ex ex viz resp env approx ca vs z.b d.h u.a bzw vgl incl esp a.k.a w.r.t"
)
# Before a number or a letter that is one ("art. L. 121-1"); elsewhere many of them are words.
_NUMBERED = MONTH_ABBREVIATIONS | _make_word_set(
    "no nos nr n° p pp fig figs tab tabl art arts vol vols ch chap sec sect par al alin eq éq ed éd t pt pts app ann "
    "ref réf réfs ll col cols fol tél tel ext max min abs ziff bull crim civ soc com cass ord"
)
# Mostly within a sentence: they end it only if the next word is one that begins sentences.
_INNER = _make_word_set(
    "inc ltd co corp bros al jr sr dept univ assoc cie éts sté st av ave bd blvd boul eds éds coll trad trans ibid cit "
    "suiv sqq mt ft ass plén"
)
_STARTERS = _make_word_set(
    "The This That These Those It In On At An He She They We You There Here However But And Or If When While As For "
    "From With By To Its His Her Their Our Such Some Many Most All Each Both After Before Since Although Because Thus "
    "Therefore Then Now What Who Why How Where Which See "
    "Le La Les Un Une Des Du Il Elle Ils Elles Nous Vous Je Ce Cet Cette Ces Ceci Cela Ça Son Sa Ses Leur Leurs Notre "
    "Mais Et Ou Donc Car Si Quand Lorsque Comme Pour Par Dans En Au Aux À Avec Sans Sur Sous Selon Ainsi Enfin Ensuite "
    "Puis Toutefois Cependant Néanmoins Après Avant Depuis Pendant Tous Toutes Tout Toute Chaque Aucun Aucune Certains "
    "Plusieurs Voir "
    "Der Die Das Ein Eine Es Er Sie Wir Im Am Bei Mit Für Von Zu Und Aber Oder Wenn Dies Diese Dieser"
)
_ELIDED = _make_word_set("L C D J N S Qu M")
# A name may begin with these: "J. Le Goff".
_PARTICLE = re.compile(r"\W*(?:Le|La|Du|Des|Von|Van)\s+[^\W\d_a-zà-ÿ]")


class _TextLine(NamedTuple):
    """A line that is not blank, without its outer white space; `apart` says that a blank line stands before it."""

    start: int
    text: str
    apart: bool


def split_sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the spans of the sentences in a stretch of text, without outer white space.

    Each letter or digit is in exactly one sentence.
    """
    end = len(text) if end is None else max(min(end, len(text)), 0)
    found = []
    for a, b in _split_at_lines(text, min(max(start, 0), end), end):
        for first, last in _split_at_stops(text, a, b):
            piece = text[first:last]
            if any(map(str.isalnum, piece)):
                found.append((first + len(piece) - len(piece.lstrip()), first + len(piece.rstrip())))
    return found


def is_finished(text: str) -> bool:
    """Whether a text ends as a sentence does, or with a colon or semicolon."""
    return bool(_FINISHED.search(text[-_LONGEST_TOKEN:]))


def _split_at_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the stretch divided where its lines say so."""
    begin, listed = start, False
    fresh = start == 0 or text[start - 1] in "\n\f"  # may a title stand here?
    before: _TextLine | None = None
    for line in _list_lines(text, start, end):
        bullet = bool(_BULLET.match(line.text))
        item = bullet or bool(_ITEM.match(line.text))
        if before is None:
            listed = item
        else:
            finished = is_finished(before.text)
            begins = line.apart or bullet or _is_alone(line.text) or _is_alone(before.text)
            begins = begins or (item and (finished or listed)) or (fresh and _is_title(before.text, line.text))
            fresh = begins or finished
            # A broken word continues, also on the next page.
            if begins and not before.text.endswith("\u00ad"):
                yield begin, line.start
                begin, listed = line.start, item
        before = line
    yield begin, end


def _list_lines(text: str, start: int, end: int) -> Iterator[_TextLine]:
    ended = start
    for line in _LINE.finditer(text, start, end):
        if not line[0].isspace():
            between = text[ended : line.start()]
            yield _TextLine(line.start(), line[0].strip(), between.count("\n") > 1 or "\f" in between)
            ended = line.end()


def _is_alone(line: str) -> bool:
    """Whether a line is a row of a table or of a table of contents, a heading or a code fence in Markdown."""
    return "\t" in line or line.startswith(("|", "```", "~~~")) or bool(_HEADING.match(line) or _LEADERS.search(line))


def _is_title(line: str, below: str) -> bool:
    """Whether a short line without a full stop is a title, and not the beginning of the sentence below it."""
    return (
        len(line) <= min(_LONGEST_TITLE, _SHARE * len(below))
        and line[0].isalnum()
        and not line[0].islower()
        and (line[-1].isalnum() or line[-1] in ')»”’"')
        and not below[0].islower()
    )


def _split_at_stops(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a piece divided behind each stop that ends a sentence."""
    dated = 0  # the end of the last date that begins before the stop
    dates = _DATE.finditer(text, start, end)
    date = next(dates, None)
    for stop in _STOP.finditer(text, start, end):
        while date and date.start() < stop.start():
            dated, date = date.end(), next(dates, None)
        if stop.start() >= dated and _is_sentence_end(text, start, stop, end):
            yield start, stop.end()
            start = stop.end()
    yield start, end


def _is_sentence_end(text: str, start: int, stop: re.Match[str], end: int) -> bool:
    """Whether a sentence that begins at `start` ends with this stop."""
    if _WIDE.search(stop[0]):
        return not _QUOTING.match(text, stop.end() - 1, end)
    ahead = None if _LEADERS.match(stop[0]) else _NEXT.match(text, stop.end(), end)
    if not ahead or (ahead[1][:1].islower() and not ahead[1][1:2].isupper()):
        return False
    if not _DOT.match(stop[0]):
        return True
    sentence = text[max(start, stop.start() - _LONGEST_TOKEN) : stop.start()]
    if stop.start() - start < _LONGEST_TOKEN and _ENUMERATION.match(sentence):
        return False
    quantity = _QUANTITY.search(sentence)
    if quantity and look_up_unit(quantity[1]):
        return True
    token = _TOKEN.search(sentence)
    return token is None or _may_end(token[0], ahead)


def _may_end(token: str, ahead: re.Match[str]) -> bool:
    """Whether a full stop behind this word may end a sentence, given the text that follows."""
    word, plain = ahead[1], token.casefold().lstrip("-–—")
    if token in _TITLES or plain in _POINTERS:
        return False
    if (plain in _NUMBERED and _NUMERAL.match(word)) or (plain.isdigit() and word in MONTH_NAMES["de"]):
        return False
    if _ADDRESS.search(token) and "\n" in ahead[0] and _ADDRESS_GOES_ON.match(ahead.string, ahead.start(1)):
        return False
    if plain in _INNER or _DOTTED.match(plain) or (len(plain) == 1 and plain.isalpha()):
        return _is_starter(ahead)
    return True


def _is_starter(ahead: re.Match[str]) -> bool:
    """Whether the next word is one that begins sentences, and not a name."""
    if ahead[2]:
        return ahead[1] in _ELIDED
    return ahead[1] in _STARTERS and not _PARTICLE.match(ahead.string, ahead.start(1))
