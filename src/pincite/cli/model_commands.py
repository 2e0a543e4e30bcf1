"""The `models` commands: find, add, try, choose and remove the language models of a server."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite.cli import options
from pincite.cli.account_options import print_note, print_rows
from pincite.errors import Misuse

if TYPE_CHECKING:
    from pincite.llm.model_roles import Models
    from pincite.llm.model_setup import ModelSetup, Record
    from pincite.llm.model_trial import Trial
    from pincite.settings import Settings
    from pincite.store.database import Connection, Database

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Find, add, try, choose and remove language models.\n\n"
    "The models are stored in the database, as the settings of the page store them; keys are stored encrypted.",
)

RoleName = Literal["chat", "system", "judge"]
Name = Annotated[str, typer.Argument(metavar="NAME", help="A provider, such as openai, or a model, as openai:gpt-5.")]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model as provider:model.")]


@app.command()
def find(
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Find servers of models on this machine.

    Ollama, LM Studio, llama.cpp and vLLM are looked for at their usual ports.
    """
    import asyncio

    from pincite.llm.local_servers import find_local_servers

    with _open_setup(data, database, config) as (settings, _, setup, _):
        found = asyncio.run(find_local_servers(setup.read().settings, os.environ, {settings.server.port}))
    if json:
        options.print_json(
            [
                {
                    "provider": each.provider,
                    "title": each.title,
                    "address": each.address,
                    "models": [f"{each.provider}:{model}" for model in each.models],
                }
                for each in found
            ]
        )
    elif not found:
        print_note("No server of models answers on this machine. Start Ollama, LM Studio, llama.cpp or vLLM.")
    else:
        rows = [
            (each.title, each.address, f"{each.provider}:{model}" if model else "(no model: load one there)")
            for each in found
            for model in each.models or ("",)
        ]
        print_rows(("server", "address", "model"), rows)
    if not found:
        raise typer.Exit(options.NOTHING_FOUND)


@app.command("list")
def list_all(
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List the providers, the added models, and the model of each role. Never a key."""
    from pincite.evaluate.judge_agreement import find_judge_name
    from pincite.llm.providers import EXTRACTIVE, normalise_model_name

    with _open_setup(data, database, config) as (_, _, setup, _):
        stored, providers = setup.read(), [each for each in setup.list_providers() if each.set_in]
    chat = normalise_model_name(stored.settings.models.chat) or EXTRACTIVE
    system = normalise_model_name(stored.settings.models.system) or chat
    roles = {"chat": chat, "system": system, "judge": find_judge_name(stored.settings)}
    if json:
        options.print_json(
            {
                "roles": roles,
                "models": list(stored.added),
                "providers": [
                    {
                        "name": each.name,
                        "address": each.address,
                        "has_key": each.has_key,
                        "set_in": each.set_in,
                        "is_locked": each.is_locked,
                    }
                    for each in providers
                ],
            }
        )
        return
    print_rows(("role", "model"), [(role, model or "none") for role, model in roles.items()])
    if stored.added:
        print_rows(("added",), [(name,) for name in stored.added])
    if providers:
        rows = [
            (each.name, each.address, _describe_key(each.has_key, each.is_locked), each.set_in) for each in providers
        ]
        print_rows(("provider", "address", "key", "set in"), rows)


@app.command()
def add(
    name: Name,
    url: Annotated[str, typer.Option("--url", help="The address of its API; default is the usual one.")] = "",
    key_stdin: Annotated[
        bool, typer.Option("--key-stdin", help="Read the key from the first line of stdin instead of asking.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Allow a key over http:// to an address of the internet.")
    ] = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Store a provider and its key, or offer a model at the question.

    The key is asked for, and never an argument. The provider is asked for its models first: a wrong key is not stored.

    \b
    pincite models add openai
    pincite models add gateway --url https://models.example.org/v1 --key-stdin < key.txt
    pincite models add ollama:llama3.2
    """
    import asyncio

    from pincite.llm.model_setup import GivenProvider
    from pincite.llm.providers import normalise_model_name

    provider, colon, model = normalise_model_name(name if ":" in name else f"{name}:").partition(":")
    with _open_setup(data, database, config) as (_, _, setup, record):
        state = next((each for each in setup.list_providers() if each.name == provider), None)
        needs_key = state is None or (state.needs_key and not state.has_key)
        if not model or url or key_stdin or (needs_key and not (state and state.set_in)):
            key = _ask_key(provider, key_stdin, must=state is not None and state.needs_key)
            given = GivenProvider(provider, key, url, None, plain)
            listed = asyncio.run(setup.save_provider(given, time.time(), record))
            print_note(f"The provider {provider} is stored. It lists {len(listed)} models.")
            if not model:
                for each in listed:
                    typer.echo(f"{provider}:{each}")
                return
        full = setup.add_model(f"{provider}{colon}{model}", time.time(), record)
    print_note(f"{full} can be chosen at the question. `pincite models use {full}` makes it the usual one.")


@app.command("try")
def try_one(
    model: Model,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Try a model with real requests.

    They show whether it streams, calls tools, and judges sentences.
    """
    import asyncio

    from pincite.evaluate.model_checks import CHECKS, try_model

    async def run(models: "Models", opened: "Database") -> "list[Trial]":
        try:
            found = []
            for check in CHECKS:
                with options.show_status(f"Trying {check}"):
                    found.append(await try_model(models, opened, model, check, time.time()))
                if not json:
                    print_rows(("", "", ""), [(check, found[-1].outcome, explain_trial(found[-1]))])
                if found[-1].outcome == "failed" and check == "streaming":
                    break
            return found
        finally:
            await models.close()

    with _open_models(data, database, config) as (_, opened, models):
        found = asyncio.run(run(models, opened))
    if json:
        options.print_json(
            [
                {
                    "check": each.check,
                    "outcome": each.outcome,
                    "detail": each.detail,
                    "hint": each.hint,
                    "seconds": each.seconds,
                }
                for each in found
            ]
        )
    if any(each.outcome == "failed" for each in found):
        raise typer.Exit(1)


@app.command()
def use(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A model as provider:model; `default` restores the settings file.")
    ],
    role: Annotated[
        RoleName, typer.Option("--role", help="chat answers, system does small tasks, judge checks sentences.")
    ] = "chat",
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Choose the model of a role. The next question uses it; a running server needs no restart.

    \b
    pincite models use ollama:llama3.2
    pincite models use mistral:mistral-small-latest --role judge
    pincite models use off --role judge
    """
    name = "" if model == "default" else model
    with _open_setup(data, database, config) as (_, _, setup, record):
        setup.set_roles({role: name}, time.time(), record)
    print_note(f"{role}: {name or 'as the settings file says'}")


@app.command()
def remove(
    name: Name,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Remove a model, or a provider with its key and its models."""
    with _open_setup(data, database, config) as (_, _, setup, record):
        if ":" in name:
            setup.remove_model(name, record)
        else:
            setup.remove_provider(name, record)
    print_note(f"{name} is removed.")


def explain_trial(trial: "Trial") -> str:
    """Return what a result means for the answers."""
    meanings = {
        ("streaming", "works"): "Answers appear while they are written.",
        ("streaming", "missing"): "Answers appear only when they are complete.",
        ("tools", "works"): "It searches by itself, as often as it needs.",
        ("tools", "missing"): "Pincite searches first, and gives it what was found.",
        ("judge", "works"): "It can check the sentences of answers.",
        ("judge", "partly"): "It is not reliable as a judge: choose another with `pincite models use --role judge`.",
        ("judge", "missing"): "It cannot check sentences: choose another with `pincite models use --role judge`.",
    }
    return " ".join(filter(None, (trial.detail, meanings.get((trial.check, trial.outcome), trial.hint))))


def _describe_key(has_key: bool, is_locked: bool) -> str:
    if is_locked:
        return "cannot be decrypted: add it again"
    return "stored" if has_key else "none"


def _ask_key(provider: str, from_stdin: bool, must: bool) -> str | None:
    """Return a key: the first line of stdin, or typed without echo; None without one where none is needed."""
    if from_stdin:
        key = sys.stdin.readline().strip()
        if not key:
            raise Misuse("There is no key on stdin.", "Send it as the first line.", "model_key")
        return key
    if not sys.stdin.isatty():
        if must:
            raise Misuse("There is no terminal to ask for the key.", "Send it by stdin with --key-stdin.", "model_key")
        return None
    from getpass import getpass

    return getpass(f"Key of {provider}{'' if must else ' (empty for none)'}: ").strip() or None


@contextmanager
def _open_models(
    data: Path | None, database: str | None, config: Path | None
) -> "Iterator[tuple[Settings, Database, Models]]":
    from pincite.llm.model_roles import Models
    from pincite.store.database import open_database

    settings = options.load_settings(data, database, config)
    opened = open_database(settings)
    try:
        yield settings, opened, Models(settings, database=opened)
    finally:
        opened.close()


@contextmanager
def _open_setup(
    data: Path | None, database: str | None, config: Path | None
) -> "Iterator[tuple[Settings, Database, ModelSetup, Record]]":
    from pincite.accounts.audit import AT_TERMINAL, record_action
    from pincite.llm.model_setup import ModelSetup

    def record(connection: "Connection", action: str, target: str) -> None:
        record_action(connection, AT_TERMINAL, action, time.time(), target=target)

    with _open_models(data, database, config) as (settings, opened, models):
        yield settings, opened, ModelSetup(settings, opened, models), record
