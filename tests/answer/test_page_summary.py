"""A page is summed up for a model out of what its question may cost, and never at the cost of its answer."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall

from pincite.answer.question import AskedQuestion
from pincite.answer.sent_requests import Outbound, open_outbound
from tests import sites
from tests.answer.outside import article
from tests.clock import PATIENCE
from tests.turns import Piece, ask, final, open_test_services

DEEP = "The lake of Corvel is forty metres deep, and nobody has seen its ground in winter for a hundred years."
PATHS = ("/a", "/b", "/c", "/d")


def test_summaries_count_as_requests_of_the_question_and_leave_enough_for_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summed_up: list[str] = []
    returned: list[str] = []

    def reply(prompt: str) -> str:
        summed_up.append(prompt)
        return "It is forty metres deep [1.2]. It is deep [2.2]. It is deep [3.2]. It is deep [4.2]."

    with sites.serving() as site:
        for path in PATHS:
            site.pages[path] = article(f"Corvel {path}", f"{DEEP} {path} is where it is told.")

        async def script(messages: list[ModelMessage], _: AgentInfo) -> AsyncIterator[Piece]:
            returned[:] = [str(part.content) for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
            if returned:
                yield "The lake of Corvel is forty metres deep [1.2]."
                return
            for place, path in enumerate(PATHS):
                given = json.dumps({"url": site.url(path)})
                yield {place: DeltaToolCall(name="url_summarization", json_args=given, tool_call_id=f"call_{place}")}

        web = {"allow": [site.host], "pause_seconds": 0, "per_host": 9, "render": False, "seconds": PATIENCE}
        answers = {"judge": "off", "tool_seconds": PATIENCE}
        services = open_test_services(
            tmp_path, {}, script, system=reply, web=web, models={"requests": 5}, answers=answers
        )

        def open_found(asked: AskedQuestion) -> Outbound:
            found = open_outbound(asked)
            found.learn([site.url(path) for path in PATHS], "search")
            return found

        monkeypatch.setattr("pincite.answer.context.open_outbound", open_found)
        answer = final(ask(services, "How deep is it?"))
        services.close()
    assert answer.sentences[0].support == "unchecked"
    assert answer.usage.requests <= 5
    assert answer.usage.requests == len(summed_up) + 2
    assert len(summed_up) == 2
    assert sum(DEEP in each for each in returned) == 2  # the others, in their own words
