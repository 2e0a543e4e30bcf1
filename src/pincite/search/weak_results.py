"""Drop the weak passages of a search: keep the best, and those that are not clearly weaker."""

from collections.abc import Sequence

from pincite.types import Hit

FEWEST = 3
# Of the best score. Fused scores lie close together near 1, those of words alone do not. Of 8 passages these leave
# 6.3 to 6.8, and lose 0.2 points of recall@8 on servicepublic_fr (535 questions) and 0.6 on cnil_faq_fr (159).
_FUSED, _LEXICAL = 0.87, 0.55


def drop_weak(hits: Sequence[Hit], fewest: int = FEWEST) -> list[Hit]:
    """Return the hits, best first, up to the first that is clearly weaker than the best; at least `fewest`.

    If a reranker chose some, return those.
    """
    if chosen := [hit for hit in hits if hit.chosen]:
        return chosen
    best = hits[0].score if hits else 0.0
    least = best * (_FUSED if any(hit.dense for hit in hits) else _LEXICAL)
    kept = [place < fewest or hit.score >= least for place, hit in enumerate(hits)]
    return list(hits[: kept.index(False) if False in kept else len(hits)])
