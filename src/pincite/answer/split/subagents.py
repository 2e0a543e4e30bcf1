"""The subagents: their purpose, their tools and their limits."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Subagent:
    """A subagent with its tools and limits.

    `tools` are all tools that it may call, and `turns` is its limit of requests. Its prompt has the same name.
    """

    name: str
    description: str
    tools: frozenset[str] = frozenset()
    uses_system_model: bool = False
    turns: int = 6
    parallel: bool = True


DEEP_RESEARCH = Subagent(
    name="deep_research",
    description="searches the web and reads pages, PDFs and videos there",
    tools=frozenset(
        {
            "web_search",
            "scrape_web_page",
            "url_summarization",
            "image_search",
            "youtube_transcript",
            "pdf_loader",
            "calculate",
        }
    ),
)
FILE_ANALYZER = Subagent(
    name="file_analyzer",
    description="searches the user's own documents",
    tools=frozenset({"file_search", "outline_document", "read_document", "calculate"}),
    uses_system_model=True,
    turns=5,
)
SECTION_WRITER = Subagent(
    name="section_writer",
    description="researches and writes one section of a report, from the documents and the web",
    tools=DEEP_RESEARCH.tools | FILE_ANALYZER.tools,
)
CONTENT_SYNTHESIZER = Subagent(
    name="content_synthesizer",
    description="writes one answer from the findings of the others",
    turns=1,
    parallel=False,
)
