"""The difference that two languages make in the cosines of the built-in model and its larger versions."""

_FAMILY = "multilingual-e5"
# Only these two are told apart in a question.
_LANGUAGES = frozenset({"en", "fr"})
# A text in the other language than the question has a cosine that is lower by this. It is the mean over questions that
# were asked of the same documents in both, see docs/benchmarks.md; measured with multilingual-e5-small.
_GAP = 0.03


def get_language_gap(model: str, asked: str, spoken: str) -> float:
    """Return what to add to the cosine of a question in one language with a text in another; 0 if one is unknown."""
    return _GAP if asked != spoken and {asked, spoken} <= _LANGUAGES and _FAMILY in model else 0.0
