"""A follow-up question to what is searched for: by the ranking, and by the system model where only it can do better."""

import asyncio

from pincite.agent import history
from pincite.agent.helping import replied
from pincite.agent.prompts import render
from pincite.agent.turn import Turn
from pincite.retrieval.follow_up import needs_subject, search_follow_up
from pincite.retrieval.references import language_of, refers_back, says_little
from pincite.retrieval.reformulate import acceptable, add_subject, name_subject

_TOKENS = 1200  # of the conversation that the rewriter is shown


async def correct_spelling(turn: Turn) -> None:
    """Read words of the question that no document has as the nearest that one has, and note what was changed.

    On the web every word may be found, and a model that words its searches itself needs no help.
    """
    if turn.engine is None and not _reads_conversation(turn):
        corrected = await asyncio.to_thread(turn.house.search.correct, turn.question, turn.shelves)
        turn.question, turn.corrected = corrected.question, list(corrected.words)


async def add_last_subject(turn: Turn) -> None:
    """Let the searches of a follow-up look for the last question's subject too.

    The question itself is changed only where it refers back, by the rules or because the ranking says so: its best
    passage is then another with the subject than without.
    """
    question, past = turn.question, turn.asked.history
    subject = name_subject(question, past)
    if not subject or _reads_conversation(turn):
        return
    turn.subject = subject
    if refers_back(question, past) or await _is_better_with(turn, subject):
        turn.plain, turn.question = question, add_subject(question, subject)


async def _is_better_with(turn: Turn, subject: str) -> bool:
    """Whether the ranking says that the subject belongs to the question."""
    limit = turn.house.settings.answers.evidence
    found = await asyncio.to_thread(search_follow_up, turn.house.search, turn.question, subject, turn.shelves, limit)
    return needs_subject(turn.question, found, language_of(turn.question, turn.asked.history))


def needs_system_model(turn: Turn) -> bool:
    """Whether the system model is to rewrite the question.

    It is where the question refers back or says little by itself, unless the model that answers reads the conversation
    and words its searches itself.
    """
    if turn.models.system is None or not turn.subject:
        return False
    return bool(turn.plain) or says_little(turn.question, language_of(turn.question, turn.asked.history))


async def rewrite_by_model(turn: Turn) -> str:
    """The system model's rewrite; nothing when it fails or is no rewrite, for there is the subject to fall back on."""
    question, past = turn.asked.question.strip(), turn.asked.history
    told = render("rewrite", history=history.summary(past, _TOKENS), question=question)
    said = await replied(turn, told, "The question was not rewritten")
    proposed = (said or "").strip().strip('"“”«»').strip()
    return proposed if proposed and acceptable(question, proposed, past) else ""


def _reads_conversation(turn: Turn) -> bool:
    """Whether the model that answers reads the conversation and words its searches itself."""
    return turn.writes and turn.models.chat.tools
