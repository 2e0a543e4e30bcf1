"""The program with all its commands. Each command imports its heavy modules itself, so that `--help` is fast."""

from pincite.cli import (
    account_commands,
    add_commands,
    ask_command,
    backup_commands,
    chat_command,
    code_command,
    conversation_commands,
    doctor,
    document_commands,
    evaluate_commands,
    evaluate_verdicts,
    health_command,
    locate_command,
    model_commands,
    move_command,
    note_commands,
    project_change_commands,
    project_commands,
    research_command,
    search_command,
    serve_commands,
    workspace_commands,
)
from pincite.cli.quick_commands import create_app

app = create_app()
app.command()(add_commands.add)
app.add_typer(document_commands.app, name="documents")
app.command()(document_commands.remove)
app.command()(add_commands.retry)
app.command()(add_commands.reindex)
app.command()(ask_command.ask)
app.command()(research_command.research)
app.command()(chat_command.chat)
app.command()(code_command.code)
app.add_typer(conversation_commands.app, name="conversations")
app.add_typer(note_commands.app, name="notebooks")
app.command("highlights")(note_commands.list_highlights)
app.add_typer(workspace_commands.app, name="workspaces")
app.command()(search_command.search)
app.command()(locate_command.locate)
project_change_commands.register(project_commands.app)
app.add_typer(project_commands.app, name="project")
app.add_typer(model_commands.app, name="models")
app.command()(serve_commands.serve)
app.command()(serve_commands.worker)
app.command()(doctor.doctor)
app.command()(health_command.health)
app.command()(backup_commands.backup)
app.command()(backup_commands.restore)
app.command()(move_command.move)
evaluate_verdicts.register(evaluate_commands.app)
app.add_typer(evaluate_commands.app, name="evaluate")
app.add_typer(account_commands.app, name="accounts")
