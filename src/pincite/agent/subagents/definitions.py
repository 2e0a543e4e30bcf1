"""The subagents there are: what each is for, and all that it may do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Subagent:
    """A subagent: whom the task goes to, and within which bounds.

    `tools` are all it may call, `turns` the most requests it may make; the name of its prompt is its own.
    """

    name: str
    description: str
    tools: frozenset[str] = frozenset()
    uses_system_model: bool = False
    turns: int = 6
    parallel: bool = True


DEEP_RESEARCH = Subagent(
    name="deep_research",
    description="looks things up on the web and reads pages, PDFs and videos there",
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
    description="looks into the user's own documents",
    tools=frozenset({"file_search", "outline_document", "read_document", "calculate"}),
    uses_system_model=True,
    turns=5,
)
SECTION_WRITER = Subagent(
    name="section_writer",
    description="looks up and writes one section of a report, from the documents and the web",
    tools=DEEP_RESEARCH.tools | FILE_ANALYZER.tools,
)
CONTENT_SYNTHESIZER = Subagent(
    name="content_synthesizer",
    description="makes one answer of what the others found",
    turns=1,
    parallel=False,
)
