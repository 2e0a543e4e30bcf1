"""The words of `pincite code`, in English and French. The language follows the question."""

HELP = """\
Ask about the files of this folder, or ask for a change. Every change is shown first.
/tree              show the files of the project
/files             list the files that the answers used and changed
/undo              undo the last changes that were applied
/model NAME        choose the model: provider:name, or extractive (no model)
/new               begin a new conversation
/exit              leave, like Ctrl-D
Ctrl-C             stops the answer; twice leaves"""
LEAVE_NOTE = "Press Ctrl-C again to leave."
WORDS = {
    "en": {
        "applied": "✓ {} changed. /undo undoes it.",
        "file": "1 file",
        "files": "{} files",
        "rejected": "Nothing was changed.",
        "refused": "Nothing was changed: the edits of an answer apply together or not at all. Ask to correct them.",
        "not_applied": "Not applied. --yes applies changes without a question.",
        "no_apply": "Not applied, because of --no-apply.",
        "continue": "The request is not finished: {} Continue? [y]es [n]o: ",
        "continuing": "Continuing: {}",
        "looping": "Stopped, because it repeats itself: {}",
        "stalled": "Stopped, because it does not move on: {}",
        "unfinished": "The request is not finished: {}",
        "quoting": "Without a model, the answer quotes the files. Changes need a model: /model PROVIDER:NAME, or "
        "--model.",
    },
    "fr": {
        "applied": "✓ {} changé(s). /undo annule.",
        "file": "1 fichier",
        "files": "{} fichiers",
        "rejected": "Rien n’a été changé.",
        "refused": "Rien n’a été changé : les modifications d’une réponse s’appliquent ensemble ou pas du tout. "
        "Demandez de les corriger.",
        "not_applied": "Non appliqué. --yes applique les changements sans question.",
        "no_apply": "Non appliqué, à cause de --no-apply.",
        "continue": "La demande n’est pas terminée : {} Continuer ? [o]ui [n]on : ",
        "continuing": "On continue : {}",
        "looping": "Arrêté, car cela se répète : {}",
        "stalled": "Arrêté, car cela n’avance pas : {}",
        "unfinished": "La demande n’est pas terminée : {}",
        "quoting": "Sans modèle, la réponse cite les fichiers. Les changements demandent un modèle : "
        "/model FOURNISSEUR:NOM, ou --model.",
    },
}
