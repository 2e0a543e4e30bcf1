"""All commands of the program. Heavy parts are imported by the command that needs them, so that help is at once."""

from pincite.cli import (
    asking,
    chatting,
    doctor,
    documents,
    evaluation,
    ingestion,
    locating,
    research,
    search,
    serving,
    talks,
    verdict_evaluation,
)
from pincite.cli.quick_commands import create_app

app = create_app()
app.command()(ingestion.add)
app.add_typer(documents.app, name="documents")
app.command()(documents.remove)
app.command()(ingestion.retry)
app.command()(ingestion.reindex)
app.command()(asking.ask)
app.command()(research.research)
app.command()(chatting.chat)
app.add_typer(talks.app, name="conversations")
app.command()(search.search)
app.command()(locating.locate)
app.command()(serving.serve)
app.command()(serving.worker)
app.command()(doctor.doctor)
verdict_evaluation.register(evaluation.app)
app.add_typer(evaluation.app, name="evaluate")
