"""What is held against a sentence, in the reader's language: the rules say it in English, here it is said in French."""

import re

_FRENCH: tuple[tuple[str, str], ...] = (
    (r"no source was found for it", "aucune source n'a été trouvée pour cette phrase"),
    (r"the source says little of this", "la source n'en dit que peu"),
    (r"the source says only part of this", "la source n'en dit qu'une partie"),
    (r"where the source says “(.+)”, the sentence says “(.+)”", r"là où la source dit « \1 », la phrase dit « \2 »"),
    (r"the source only says that “(.+)” may be", r"la source dit seulement que « \1 » est possible"),
    (
        r"the sentence says must, the source says may: “(.+)”",
        r"la phrase dit qu'il le faut, la source que c'est possible : « \1 »",
    ),
    (r"the source does not say that it is only “(.+)”", r"la source ne dit pas que c'est seulement « \1 »"),
    (r"the sentence denies “(.+)”, the source does not", r"la phrase nie « \1 », la source non"),
    (r"the source denies “(.+)”, the sentence does not", r"la source nie « \1 », la phrase non"),
    (r"the sentence denies what the source says", "la phrase nie ce que dit la source"),
    (r"the source denies what the sentence says", "la source nie ce que dit la phrase"),
    (r"the source denies something of this", "la source en nie une partie"),
    (r"the source does not deny any of this", "la source n'en nie rien"),
    (r"the source goes from (.+) to (.+)", r"la source va de \1 à \2"),
    (r"(.+) and (.+) stand the other way round in the source", r"\1 et \2 sont dans l'autre ordre dans la source"),
    (r"the source says this on a condition only", "la source ne le dit que sous condition"),
    (r"the source only asks whether this is so", "la source demande seulement si c'est le cas"),
    (r"the source says that this is not true", "la source dit que ce n'est pas vrai"),
    (r"the source only says that this is alleged", "la source dit seulement qu'on le prétend"),
    (r"the source only says that this is believed", "la source dit seulement qu'on le croit"),
    (
        r"the source only says that this was expected or planned",
        "la source dit seulement que c'était attendu ou prévu",
    ),
    (r"the source only supposes this", "la source ne fait que le supposer"),
    (r"the source excepts “(.+)”", r"la source excepte « \1 »"),
    (r"the source says (.+), the sentence says (.+)", r"la source dit \1, la phrase dit \2"),
    (r"the source says (.+) of (.+)", r"la source dit \1 de \2"),
    (r"the source says (.+)", r"la source dit \1"),
    (r"(.+) is not in the source", r"\1 n'est pas dans la source"),
    (r"(.+) says it is not supported", r"\1 dit que ce n'est pas étayé"),
)
_RULES = tuple((re.compile(english, re.DOTALL), french) for english, french in _FRENCH)


def told(reason: str, language: str) -> str:
    """A reason in French where that is the language; any other gets the English one."""
    if language != "fr":
        return reason
    for english, french in _RULES:
        if found := english.fullmatch(reason):
            return found.expand(french)
    return reason
