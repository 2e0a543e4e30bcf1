"""The `evaluate attribution`, `evaluate verdicts` and `evaluate judge` commands."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.evaluate_commands import print_table

if TYPE_CHECKING:
    from pincite.evaluate.labelled_sentences import LabelledSentence
    from pincite.proof.judge import SentenceJudge
    from pincite.settings import Settings
    from pincite.store.database import Database

_LABELS = "labels"  # the judge that repeats the labels
_SUPPORTS = ("verified", "partial", "unchecked", "unsupported", "contradicted")


def attribution(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="Claims with sources and verdicts (.jsonl, .tsv), or any texts (.txt, .md, .jsonl)."
        ),
    ],
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            metavar="PROVIDER:NAME",
            help="Also compare the verdicts with people's, with this model as the judge.",
        ),
    ] = "",
    wrong: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write the sentences with a wrong verdict here.")
    ] = None,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Measure how well the facts of a sentence are checked.

    With a judge, its verdicts are compared with people's.

    The command makes sentences from the texts of the folder, each citing its source. Code must refuse a sentence with
    one changed number, date, unit, name or code, and accept one that only has another form. Code cannot judge a
    reversed direction or a negation; these are left to the judge.
    """
    from pincite.evaluate.attribution import evaluate

    settings = options.load_settings(data, database, config)
    with options.make_console(stderr=True).status("…") as status, _open_database(settings, judge) as opened:
        figures = evaluate(path, settings, lambda said: status.update(said), wrong, judge, opened)
    if json:
        options.print_json(figures)
        return
    _print_judged(figures)
    rows = [
        (
            f"{code}, {side} changed: {kind}",
            *(f"{row[name]:,}" for name in ("verified", "unchecked", "refused", "of")),
            f"{100 * row['share']:.1f} %" if side != "meaning" else "left to the judge",
        )
        for code, made in figures["made"].items()
        for side in ("form", "fact", "meaning")
        for kind, row in made[side].items()
    ]
    print_table(figures, ("made sentences", "verified", "unchecked", "refused", "of", "right"), rows)


def _print_judged(figures: dict[str, Any]) -> None:
    out = options.make_console()
    for name, found in figures["judged"].items():
        out.print(f"{name}: {found['claims']:,} claims, {found['supported']:,} supported; judge {figures['judge']}")
        for verdict, counts in found["verdicts"].items():
            out.print(f"  {verdict}: {counts['supported']:,} supported, {counts['not']:,} not")
        verified = found["verified"]
        out.print(f"  verified: precision {verified['precision']:.3f}, recall {verified['recall']:.3f}\n")


def judge(
    model: Annotated[
        str,
        typer.Option("--judge", metavar="PROVIDER:NAME", help="The model to measure; default is the configured judge."),
    ] = "",
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Measure how often a judge model agrees with readers.

    It judges 80 sentences that come with Pincite.

    Half of the sentences are true. Each of the others has one error: exchanged roles, a dropped condition, a figure
    from another row, an invented cause. The result is stored; `pincite doctor`, the page and the answers show it.
    """
    figures = _measure_judge(options.load_settings(data, database, config), model)
    if json:
        options.print_json(figures)
        return
    rows = [
        (name, *(str(counts[key]) for key in ("agreed", "total", "passed", "doubted", "unjudged")))
        for name, counts in (*figures["kinds"].items(), *figures["languages"].items(), ("all", figures))
    ]
    print_table(figures, ("sentences", "agreed", "of", "let pass", "doubted", "no verdict"), rows)
    out = options.make_console()
    for wrong in figures["wrong"]:
        out.print(f"  {wrong['id']} ({wrong['label']}, judged {wrong['opinion'] or 'not at all'}): {wrong['sentence']}")
    out.print(
        f"\n{figures['judge']} agreed with readers on {figures['agreed']} of {figures['total']}, let"
        f" {figures['passed']} false sentences pass and doubted {figures['doubted']} true ones."
    )
    out.print(
        f"{figures['requests']} requests, {figures['input_tokens']:,} tokens sent,"
        f" {figures['output_tokens']:,} received, {figures['seconds']:.0f} s"
    )


def _measure_judge(settings: "Settings", model: str) -> dict[str, Any]:
    """Measure the judge, store the result and return the figures. Show progress on stderr."""
    import asyncio

    from pincite.evaluate.judge_agreement import measure_judge
    from pincite.evaluate.machine_info import describe_machine
    from pincite.library import open_library
    from pincite.llm.model_roles import Models

    async def run() -> dict[str, Any]:
        models = Models(settings, database=library.database)
        try:
            return await measure_judge(
                settings,
                library.database,
                models,
                model,
                lambda done, total: status.update(f"judging: {done}/{total} sentences"),
            )
        finally:
            await models.close()

    library = open_library(settings)
    try:
        with options.make_console(stderr=True).status("…") as status:
            figures = asyncio.run(run())
    finally:
        library.close()
    return {"about": f"calibration set {figures['set']}, judge {figures['judge']}; {describe_machine()}", **figures}


def verdicts(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="Lines of JSON (.jsonl) with claim, cited, label, kind; optionally document and context.",
        ),
    ],
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            metavar="PROVIDER:NAME",
            help="The judge; without one only code decides. `labels` repeats the labels: the upper bound.",
        ),
    ] = "",
    details: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write each sentence with its verdict and reasons here.")
    ] = None,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Count the verdicts on sentences that a reader has labelled.

    They are counted by kind, for supported sentences and others.

    A good verifier verifies no false sentence. Without a judge, the verifier accepts only quotes, contradicts wrong
    figures and leaves the rest unchecked.
    """
    from pincite.evaluate.labelled_verdicts import evaluate

    settings = options.load_settings(data, database, config)
    with options.make_console(stderr=True).status("…") as status, _open_database(settings, judge) as opened:
        figures = evaluate(
            path, lambda labelled: _open_judge(settings, judge, labelled, opened), status.update, details
        )
    if json:
        options.print_json(figures)
        return
    rows = [
        (name, str(sum(counts.values())), *(str(counts.get(support, 0)) for support in _SUPPORTS))
        for label in ("supported", "not_supported")
        for name, counts in (
            *((f"{label}: {kind}", found) for kind, found in figures["kinds_by_label"][label].items()),
            (f"{label}: all", figures[label]),
        )
    ]
    print_table(figures, ("sentences", "of", *_SUPPORTS), rows)


@contextmanager
def _open_database(settings: "Settings", judge: str) -> "Iterator[Database | None]":
    """Open the database, which has the models and keys of the page; nothing is opened for no judge."""
    if not judge or judge == _LABELS:
        yield None
        return
    from pincite.library import open_library

    library = open_library(settings)
    try:
        yield library.database
    finally:
        library.close()


def _open_judge(
    settings: "Settings", name: str, labelled: "Sequence[LabelledSentence]", database: "Database | None"
) -> "SentenceJudge | None":
    """Return the judge with this name, the judge that repeats the labels for `labels`, or None for no name."""
    from pincite.evaluate.labelled_verdicts import LabelJudge

    if not name:
        return None
    if name == _LABELS:
        return LabelJudge(labelled)
    from pincite.evaluate.judge_agreement import open_judge
    from pincite.llm.model_roles import Models

    return open_judge(Models(settings, database=database), name, lambda _: None, settings.answers.judge_seconds)


def register(app: typer.Typer) -> None:
    """Add these commands to `pincite evaluate`."""
    for command in (attribution, verdicts, judge):
        app.command()(command)
