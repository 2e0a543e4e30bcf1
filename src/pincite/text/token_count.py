"""Estimate how many tokens a text is for a model."""

CHARACTERS_PER_TOKEN = 3.5  # about: prose has more, figures and code have fewer


def count_tokens(text: str) -> int:
    """Estimate the number of tokens of a text."""
    return estimate_tokens(len(text))


def estimate_tokens(characters: int) -> int:
    """Estimate the number of tokens of a text with this many characters."""
    return int(-(-characters // CHARACTERS_PER_TOKEN))
