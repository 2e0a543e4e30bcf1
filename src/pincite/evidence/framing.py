"""How a source frames what a sentence says outright: as a question, a falsehood, hearsay, a plan, on a condition."""

from collections.abc import Iterator
from dataclasses import dataclass

from pincite.evidence.comparison import Comparison
from pincite.evidence.operators import NOT
from pincite.evidence.wording import LIGHT, Word

_TOUCHING = 0.35  # of the sentence, in the sentence of the source whose frame is asked for
_ON_CONDITION = "the source says this on a condition only"
_NEARLY = 0.1
_SPAN = 3  # words of a cue, at most


@dataclass(frozen=True, slots=True)
class _Frame:
    """Cues, and whether they frame what stands behind them alone; who says one of `kept` too has kept the frame."""

    reason: str
    cues: frozenset[str]
    behind: bool
    kept: frozenset[str]


def _frame(reason: str, cues: str, kept: str = "", *, behind: bool = True) -> _Frame:
    listed = frozenset(cue.strip() for cue in cues.replace("\n", ",").split(",") if cue.strip())
    return _Frame(reason, listed, behind, frozenset(kept.split()))


_FRAMES = (
    _frame(
        "the source only asks whether this is so",
        "whether, wonder if, wonders if, wondered if, tested if, test if, asked if, ask if, asks if, know if, "
        "determine if, demande si, demandent si, demander si, savoir si, determiner si, verifier si, ignore si, "
        "evaluer si, examine si, etudie si",
        "if si question unclear unknown inconnu",
    ),
    _frame(
        "the source says that this is not true",
        "falsely, wrongly, wrongfully, erroneously, mistakenly, incorrectly, not true that, untrue that, false that, "
        "not the case, a myth that, faussement, erronement, a tort, faux que, pas vrai que, pas exact que, inexact que",
        "false wrong untrue incorrect mistaken myth faux fausse faussement inexact errone erronee tort",
    ),
    _frame(
        "the source only says that this is alleged",
        "allegedly, alleged, alleges, purportedly, purported, supposedly, rumoured, rumored, pretendument, pretendue, "
        "pretendus, pretend que, pretendent que, soi disant, aurait, auraient",
        "allege claim claims claimed pretend pretendent affirme affirment accused accuse accusee selon "
        "pourrait pourraient semble reportedly apparently",
    ),
    _frame(
        "the source only says that this is believed",
        "believe that, believes that, believed that, believed to, thought that, thought to, hypothesized that, "
        "hypothesised that, hypothesize that, speculated that, croit que, croient que, pense que, pensent que",
        "believe believes belief thought think thinks hypothesis view opinion croit croient pense pensent avis may "
        "might",
    ),
    _frame(
        "the source only says that this was expected or planned",
        "expected to, planned to, plans to, intended to, intends to, supposed to, scheduled to, was to have, "
        "were to have, hoped to, was to be, were to be, should have, would have, aurait du, auraient du, "
        "devait, devaient, cense, censee, censes, censees, devrait, devraient, prevoyait de, prevoit de, "
        "envisage de, envisageait de, avait prevu de",
        "expect expects expectation plan planned plans intends intend forecast should schedule scheduled prevu prevue "
        "prevus prevoit doit doivent must attendu attendue may might could pourrait pourraient",
    ),
    _frame(
        _ON_CONDITION,
        "only if, only when, only where, only after, only with, only upon, provided that, on condition, on the "
        "condition, subject to, unless, a condition, sous reserve, seulement si, uniquement si, sauf si, "
        "a moins que, a moins qu",
        "if when where except condition conditions conditionally si lorsque sauf reserve",
        behind=False,
    ),
)
_EVEN = frozenset(("even", "meme", "comme", "as"))
_SUPPOSING = frozenset(("if", "si"))
_CONDITIONS = "if si when whether unless where lorsque quand case cas provided condition depending selon"
_SUPPOSED = frozenset(_CONDITIONS.split())
_EXCEPT = frozenset(("except", "excepting", "excluding", "excepte", "sauf", "hormis", "exception", "exclusion"))
_OTHER_THAN = frozenset((("other", "than"), ("apart", "from"), ("autre", "que"), ("autres", "que")))
_ALL = frozenset(
    ("all", "every", "each", "everyone", "always", "tous", "toutes", "tout", "toute", "chaque", "toujours")
)
_NEAR = frozenset(("nearly", "almost", "presque", "failli"))
_COUNTED = "ouvre ouvres ouvrable ouvrables franc francs calendaire calendaires business working calendar"
_DAYS = frozenset(_COUNTED.split())


def framed(compared: Comparison) -> Iterator[str]:
    """Why the source does not say outright what the sentence does."""
    own = {" ".join(run) for run in _runs(compared.sentence.words)}
    for numbers in _best(compared):
        reasons = [list(_frames(compared, number, own)) for number in numbers]
        # Where it is said twice, once outright is enough.
        if all(reasons):
            yield from reasons[0]
    yield from _counted(compared)
    yield from _almost(compared)


def _best(compared: Comparison) -> Iterator[list[int]]:
    """For each sentence of the claim, those of the source that say most of it."""
    most: dict[int, float] = {}
    for (own, _), share in compared.shares.items():
        most[own] = max(most.get(own, 0.0), share)
    for own, best in most.items():
        if best >= _TOUCHING:
            yield [n for (claimed, n), share in compared.shares.items() if claimed == own and share >= best - _NEARLY]


def _frames(compared: Comparison, number: int, own: set[str]) -> Iterator[str]:
    """How one sentence of the source frames what it says."""
    places = [i for i, word in enumerate(compared.source.words) if word.sentence == number]
    start, stop = places[0], places[-1] + 1
    begun = _starts(compared.source.words[start:stop])
    for frame in _FRAMES:
        at = next((start + i for i, run in enumerate(begun) if run & frame.cues), None)
        if at is None or own & (frame.cues | frame.kept):
            continue
        # Who tells that it was tested need not say "whether".
        asked = frame is _FRAMES[0] and compared.source.before[at] in compared.used
        if not asked and (not frame.behind or _behind(compared, start, at, stop)):
            yield frame.reason
    yield from _supposed(compared, start, stop, own)
    yield from _excepted(compared, start, stop)


def _runs(words: tuple[Word, ...]) -> Iterator[list[str]]:
    for size in range(1, _SPAN + 1):
        for i in range(len(words) - size + 1):
            yield [word.plain for word in words[i : i + size]]


def _starts(words: tuple[Word, ...]) -> list[set[str]]:
    """For each word the runs that begin with it."""
    return [{" ".join(w.plain for w in words[i : i + k + 1]) for k in range(_SPAN)} for i in range(len(words))]


def _behind(compared: Comparison, start: int, at: int, stop: int) -> bool:
    """Does half of what the sentence takes from here stand behind the cue?"""
    taken = [j for j in compared.used if start <= j < stop and compared.source.words[j].weight > LIGHT]
    return 2 * sum(j > at for j in taken) >= max(len(taken), 1)


def _supposed(compared: Comparison, start: int, stop: int, own: set[str]) -> Iterator[str]:
    """What stands behind an "if" is no more than supposed, and what depends on it is said on a condition."""
    source = compared.source.words
    if own & _SUPPOSED:
        return
    taken = [j for j in compared.used if start <= j < stop and source[j].weight > LIGHT]
    for at in range(start, stop):
        if source[at].plain not in _SUPPOSING or (at > start and source[at - 1].plain in _EVEN):
            continue
        end = next((j for j in range(at + 1, stop) if source[j].clause != source[at].clause), stop)
        weighty = [j for j in range(at + 1, end) if source[j].weight > LIGHT]
        inside = [j for j in taken if at < j < end]
        if 2 * len(inside) > len(taken):
            yield "the source only supposes this"
        elif weighty and 2 * len(inside) < len(weighty):
            depends = any(j >= end for j in taken) if at == start else compared.source.before[at] in taken
            if depends:
                yield _ON_CONDITION


def _excepted(compared: Comparison, start: int, stop: int) -> Iterator[str]:
    """What the source excepts, where the sentence says it of that, or of all, and excepts nothing."""
    words, source = compared.sentence.words, compared.source.words
    if any(_excepts(words, i) or word.cue & NOT for i, word in enumerate(words)):
        return
    for at in range(start, stop):
        if not _excepts(source, at):
            continue
        behind = [j for j in range(at + 1, stop) if source[j].weight > LIGHT and source[j].clause == source[at].clause]
        if behind and (behind[0] in compared.used or any(word.plain in _ALL for word in words)):
            yield f"the source excepts “{source[behind[0]].text}”"


def _excepts(words: tuple[Word, ...], at: int) -> bool:
    """Does a word except what follows: except, other than?"""
    following = words[at + 1].plain if at + 1 < len(words) else ""
    return words[at].plain in _EXCEPT or (words[at].plain, following) in _OTHER_THAN


def _almost(compared: Comparison) -> Iterator[str]:
    """What nearly happened did not."""
    if any(word.plain in _NEAR for word in compared.sentence.words):
        return
    source = compared.source.words
    for j in compared.used:
        before = source[j - 1] if j else source[j]
        is_bare = not source[j].quantity and source[j].plain not in _ALL
        if before.plain in _NEAR and is_bare and before.clause == source[j].clause:
            yield f"the source says {before.text} {source[j].text}"


def _counted(compared: Comparison) -> Iterator[str]:
    """Days that the source counts in its own way: 45 working days, 45 jours ouvrés."""
    own = {word.plain for word in compared.sentence.words}
    source = compared.source.words
    for i, j in compared.paired.items():
        if compared.sentence.words[i].quantity:
            for word in source[j + 1 : j + 3]:
                if word.plain in _DAYS and word.plain not in own and word.clause == source[j].clause:
                    yield f"the source says {source[j].text} {word.text}"
