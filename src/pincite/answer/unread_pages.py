"""Describe the pages that a question names and that were not read, in the question's language."""

from http import HTTPStatus
from typing import Literal
from urllib.parse import urlsplit

from pincite.errors import PinciteError, WebError
from pincite.events import UnreadPage

# Reasons that are known before anything is fetched; the others come from errors.
Choice = Literal["focus", "chat", "many", "no_transcripts"]

_SENTENCE = {"en": "I could not read {url}: {why}.", "fr": "Je n’ai pas pu lire {url} : {why}."}
_FRENCH_STATUS = {
    401: "il faut une connexion",
    403: "accès refusé",
    404: "introuvable",
    410: "supprimée",
    429: "trop de requêtes",
}
_WHY = {
    "en": {
        "failed": "it could not be fetched",
        "status": "{host} answered {status}",
        "timeout": "its server did not answer in time",
        "unknown_host": "there is no server with this name",
        "connection": "its server could not be reached",
        "redirects": "it redirects more than 5 times",
        "private": "{host} is not on the open internet, and may not be reached from here",
        "robots": "its site asks programs not to read it (robots.txt)",
        "address": "this is not an address of a web page",
        "credits": "the credits of this answer do not pay for it",
        "script": "it shows nothing without JavaScript",
        "consent": "it asks for consent before it shows anything",
        "blocked": "its site takes us for a robot and shows nothing",
        "transcript": "there is no transcript of this video that can be read",
        "not_installed": "it needs a package that is not installed here",
        "unsupported": "it is a kind of file that is not read",
        "unsupported_video": "it is a video, not a page",
        "unsupported_audio": "it is sound, not a page",
        "encrypted": "it is protected with a password",
        "locked": "it is protected with a password",
        "too_large": "it is larger than the settings allow",
        "empty": "it holds nothing to read",
        "timeout_reading": "reading it takes longer than the settings allow",
        "unreadable": "its content cannot be read",
        "leak": "its address would have given away personal details",
        "focus": "only your documents are searched for this question",
        "chat": "nothing is read for this question",
        "many": "only the first {most} addresses of a question are read",
        "no_transcripts": "transcripts of videos need the package `pincite[youtube]`, which is not installed here",
    },
    "fr": {
        "failed": "la page n’a pas pu être téléchargée",
        "status": "son serveur a répondu {status}",
        "timeout": "son serveur n’a pas répondu à temps",
        "unknown_host": "aucun serveur ne porte ce nom",
        "connection": "son serveur n’a pas pu être joint",
        "redirects": "elle redirige plus de 5 fois",
        "private": "{host} n’est pas sur l’internet public et ne peut pas être joint d’ici",
        "robots": "son site demande aux programmes de ne pas la lire (robots.txt)",
        "address": "ce n’est pas l’adresse d’une page web",
        "credits": "les crédits de cette réponse n’y suffisent pas",
        "script": "elle n’affiche rien sans JavaScript",
        "consent": "elle demande un consentement avant d’afficher quoi que ce soit",
        "blocked": "son site nous prend pour un robot et n’affiche rien",
        "transcript": "cette vidéo n’a pas de transcription lisible",
        "not_installed": "il faut un paquet qui n’est pas installé ici",
        "unsupported": "ce type de fichier n’est pas lu",
        "unsupported_video": "c’est une vidéo, pas une page",
        "unsupported_audio": "c’est un enregistrement sonore, pas une page",
        "encrypted": "le fichier est protégé par un mot de passe",
        "locked": "le fichier est protégé par un mot de passe",
        "too_large": "elle dépasse la taille que les réglages permettent",
        "empty": "elle ne contient rien à lire",
        "timeout_reading": "sa lecture prend plus de temps que les réglages ne le permettent",
        "unreadable": "son contenu ne peut pas être lu",
        "leak": "son adresse aurait révélé des informations personnelles",
        "focus": "la question ne porte que sur vos documents",
        "chat": "rien n’est lu pour cette question",
        "many": "seules les {most} premières adresses d’une question sont lues",
        "no_transcripts": "les transcriptions demandent le paquet `pincite[youtube]`, qui n’est pas installé ici",
    },
}


def describe_unread(url: str, why: PinciteError | Choice, language: str, most: int = 0) -> UnreadPage:
    """Return a page that could not be read: its address, the reason as a code, and a sentence for people."""
    language = "fr" if language == "fr" else "en"
    status, host = (why.status, why.host) if isinstance(why, WebError) else (0, "")
    reason = _find_reason(why)
    words = _WHY[language]
    form = words.get(f"{reason}_{why.reason}", words[reason]) if isinstance(why, PinciteError) else words[reason]
    sentence = form.format(host=host or _find_host(url), status=_name_status(status, language), most=most)
    return UnreadPage(url=url, reason=reason, message=_SENTENCE[language].format(url=url, why=sentence))


def _find_reason(why: PinciteError | Choice) -> str:
    if isinstance(why, str):
        return why
    if isinstance(why, WebError):
        return why.failure
    code = "timeout_reading" if why.code == "timeout" else why.code
    return code if code in _WHY["en"] else "unreadable"


def _find_host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


def _name_status(status: int, language: str) -> str:
    """Return an HTTP status with what it means, where that is known."""
    if language == "fr":
        return f"{status} ({_FRENCH_STATUS[status]})" if status in _FRENCH_STATUS else str(status)
    return f"{status} {HTTPStatus(status).phrase}" if status in set(HTTPStatus) else str(status)
