"""The small work of a turn: one prompt to the system model, and what it replies."""

import logging

from pincite import events
from pincite.agent.turn import Turn
from pincite.errors import PinciteError

log = logging.getLogger(__name__)


async def replied(turn: Turn, told: str, lost: str) -> str | None:
    """What the system model replies to a prompt, counted as the turn's; None when it fails.

    The log says what is `lost` by it: whoever asks can do without.
    """
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import AgentRunError, UserError

    assert turn.models.system
    try:
        ran = await Agent(turn.models.system.model).run(told, usage_limits=turn.left.limits())
    except (AgentRunError, UserError, PinciteError) as error:
        log.warning("%s (%s): %s", lost, turn.models.system.name, error)
        return None
    used = ran.usage
    turn.spend(events.Usage(input_tokens=used.input_tokens, output_tokens=used.output_tokens, requests=used.requests))
    return ran.output
