"""The difference between two languages in the cosines of the built-in model."""

BUILT_IN = "multilingual-e5-small"
# A text in another language than the question has a cosine that is lower by this. It is the mean over questions that
# were asked of the same documents in two languages, see docs/benchmarks.md.
_GAP = 0.03


def measure_language_gap(model: str, asked: str, spoken: str) -> float:
    """Return what to add to the cosine of a question in one language with a text in another; 0 if one is unknown."""
    return _GAP if model == BUILT_IN and asked and spoken and asked != spoken else 0.0
