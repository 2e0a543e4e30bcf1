"""Choose the model that judges the sentences of an answer, and limit its requests."""

from typing import TYPE_CHECKING

from pincite.answer.context import Context
from pincite.answer.model_judge import ModelJudge
from pincite.answer.question_models import meter_model
from pincite.errors import LimitReached
from pincite.llm.providers import name_judge

if TYPE_CHECKING:
    from pydantic_ai.usage import UsageLimits

    from pincite.proof.judge import SentenceJudge

_RESERVE = 6  # requests to the judge beyond those of the question


def open_answer_judge(context: Context) -> "SentenceJudge | None":
    """Return the judge of an answer's sentences, counted in its budget; None where no judge is set or needed."""
    chat, system = context.models.chat, context.models.system
    name = name_judge(context.judge, chat.name, system.name if system else "")
    if not name or not context.understood.needs_evidence:
        return None
    services = context.services
    chosen = system if system and system.name == name else meter_model(services.models.choose(name), context.spending)
    return ModelJudge(
        chosen,
        services.judgements,
        context.meter.spend,
        lambda: _limit_judge(context),
        services.settings.answers.judge_seconds,
    )


def _limit_judge(context: Context) -> "UsageLimits":
    """Return the limits of one request to the judge; raise `LimitReached` when budget and reserve are used up."""
    if context.meter.usage.requests >= context.meter.budget.requests + _RESERVE:
        raise LimitReached("The question used up its requests to the judge.", "Raise models.requests.")
    return context.meter.left.at_least(1).limits()
