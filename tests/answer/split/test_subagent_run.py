"""A subagent that works on a part gets everything that was given with the whole question."""

from collections.abc import AsyncIterator
from pathlib import Path

from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from tests import sites
from tests.answer.outside import article, found, scripted, standing
from tests.turns import Piece, ask

GHOSTS = "The ghosts of the Garrow Bridge are said to be three ferrymen who drowned in 1788."


def test_a_model_without_tools_reads_the_pages_that_the_question_names_in_each_part(tmp_path: Path) -> None:
    told: list[str] = []

    async def writer(_: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        told.append(info.instructions or "")
        yield "They are three ferrymen who drowned in 1788 [1.1]."

    with sites.serving() as site:
        site.pages["/ghosts"] = article("Ghosts", GHOSTS)
        found(site)  # the page is to be found nowhere but at its address
        with standing(tmp_path, site) as services:
            scripted(services, writer, tools=False)
            ask(services, f"What are the ghosts of the Garrow Bridge? {site.url('/ghosts')}", focus="research")
    assert told
    assert all("three ferrymen" in each for each in told)
