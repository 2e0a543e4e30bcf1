"""Ask the system model one small question."""

import logging

from pincite import events
from pincite.answer.context import Context
from pincite.errors import PinciteError

log = logging.getLogger(__name__)


async def ask_system_model(context: Context, prompt: str, lost: str) -> str | None:
    """Return the system model's reply to a prompt, and count its cost; return None when the model fails.

    `lost` is the log message for a failure. It names the step that is skipped.
    """
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import AgentRunError, UserError

    assert context.models.system
    try:
        ran = await Agent(context.models.system.model).run(prompt, usage_limits=context.meter.left.limits())
    except (AgentRunError, UserError, PinciteError) as error:
        log.warning("%s (%s): %s", lost, context.models.system.name, error)
        return None
    used = ran.usage
    context.meter.spend(
        events.Usage(input_tokens=used.input_tokens, output_tokens=used.output_tokens, requests=used.requests)
    )
    return ran.output
