"""Pages that a question names and that could not be read: a sentence for each, in the question's language."""

from typing import Literal

from pincite.errors import PinciteError, WebError
from pincite.events import UnreadPage

# Reasons that no error has: they are known before anything is fetched.
Choice = Literal["focus", "many", "no_transcripts"]

_SENTENCE = {"en": "I could not read {url}: {why}.", "fr": "Je n'ai pas pu lire {url} : {why}."}
_STATUS = {
    "en": {401: "a login is needed", 403: "access is refused", 404: "not found", 410: "gone", 429: "too many requests"},
    "fr": {
        401: "il faut une connexion",
        403: "accès refusé",
        404: "introuvable",
        410: "supprimée",
        429: "trop de requêtes",
    },
}
_WHY = {
    "en": {
        "failed": "it could not be fetched",
        "status": "its server answered {status}",
        "timeout": "its server did not answer in time",
        "unknown_host": "there is no server of this name",
        "connection": "its server could not be reached",
        "redirects": "it sends one on more than 5 times",
        "private": "its address is not on the open internet, and may not be reached from here",
        "robots": "its site asks programs not to read it (robots.txt)",
        "address": "this is not an address of a web page",
        "script": "it shows nothing without JavaScript",
        "consent": "it asks for consent before it shows anything",
        "blocked": "its site takes us for a robot and shows nothing",
        "transcript": "there is no transcript of this video that can be read",
        "not_installed": "it takes a package that is not installed here",
        "unsupported": "it is a kind of file that is not read",
        "encrypted": "it is protected with a password",
        "locked": "it is protected with a password",
        "too_large": "it is larger than the settings allow",
        "empty": "it holds nothing to read",
        "timeout_reading": "reading it takes longer than the settings allow",
        "unreadable": "its content cannot be read",
        "leak": "its address would have given away personal details",
        "focus": "the question is asked of your documents alone",
        "many": "only the first {most} addresses of a question are read",
        "no_transcripts": "transcripts of videos need the package `pincite[youtube]`, which is not installed here",
    },
    "fr": {
        "failed": "la page n'a pas pu être téléchargée",
        "status": "son serveur a répondu {status}",
        "timeout": "son serveur n'a pas répondu à temps",
        "unknown_host": "aucun serveur ne porte ce nom",
        "connection": "son serveur n'a pas pu être joint",
        "redirects": "elle renvoie ailleurs plus de 5 fois",
        "private": "son adresse n'est pas sur l'internet public et ne peut pas être jointe d'ici",
        "robots": "son site demande aux programmes de ne pas la lire (robots.txt)",
        "address": "ce n'est pas l'adresse d'une page web",
        "script": "elle n'affiche rien sans JavaScript",
        "consent": "elle demande un consentement avant d'afficher quoi que ce soit",
        "blocked": "son site nous prend pour un robot et n'affiche rien",
        "transcript": "cette vidéo n'a pas de transcription lisible",
        "not_installed": "il faut un paquet qui n'est pas installé ici",
        "unsupported": "ce type de fichier n'est pas lu",
        "encrypted": "le fichier est protégé par un mot de passe",
        "locked": "le fichier est protégé par un mot de passe",
        "too_large": "elle dépasse la taille que les réglages permettent",
        "empty": "elle ne contient rien à lire",
        "timeout_reading": "sa lecture prend plus de temps que les réglages ne le permettent",
        "unreadable": "son contenu ne peut pas être lu",
        "leak": "son adresse aurait révélé des informations personnelles",
        "focus": "la question ne porte que sur vos documents",
        "many": "seules les {most} premières adresses d'une question sont lues",
        "no_transcripts": "les transcriptions demandent le paquet `pincite[youtube]`, qui n'est pas installé ici",
    },
}


def describe_unread(url: str, why: PinciteError | Choice, language: str, most: int = 0) -> UnreadPage:
    """A page that could not be read: its address, the reason for programs, and a sentence for people."""
    language = "fr" if language == "fr" else "en"
    status = why.status if isinstance(why, WebError) else 0
    meant = _STATUS[language].get(status, "")
    told = f"{status} ({meant})" if meant else str(status)
    reason = _reason(why)
    sentence = _WHY[language][reason].format(status=told, most=most)
    if language == "en" and isinstance(why, PinciteError) and url not in why.message:
        sentence = why.message.removesuffix(".")  # the error's own words know more
    return UnreadPage(url=url, reason=reason, message=_SENTENCE[language].format(url=url, why=sentence))


def _reason(why: PinciteError | Choice) -> str:
    if isinstance(why, str):
        return why
    if isinstance(why, WebError):
        return why.failure
    code = "timeout_reading" if why.code == "timeout" else why.code
    return code if code in _WHY["en"] else "unreadable"
