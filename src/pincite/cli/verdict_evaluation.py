"""The evaluations of verdicts: changed facts, labelled sentences, and the judge itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import door
from pincite.cli.evaluation import print_table

if TYPE_CHECKING:
    from pincite.evaluate.labelled import Labelled
    from pincite.proof.judge import Judge
    from pincite.settings import Settings

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
            "--judge", metavar="PROVIDER:NAME", help="Compare with people's verdicts too, with this model as the judge."
        ),
    ] = "",
    wrong: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write the made sentences that went wrong here.")
    ] = None,
    json: door.Json = False,
    data: door.Data = None,
    config: door.Config = None,
) -> None:
    """How far the facts of a sentence are checked by code; and with a judge, how verdicts agree with people's.

    From the texts of the folder sentences are made, each citing its source. Code must refuse those with one number,
    date, unit, name or code changed, and none that has another form only. It cannot judge a direction turned round or
    a denial; these are left to a judge.
    """
    from pincite.evaluate.attribution import evaluate

    with door.console(stderr=True).status("…") as status:
        figures = evaluate(path, door.settings(data, None, config), lambda said: status.update(said), wrong, judge)
    if json:
        door.print_json(figures)
        return
    _judged(figures)
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


def _judged(figures: dict[str, Any]) -> None:
    out = door.console()
    for name, found in figures["judged"].items():
        out.print(f"{name}: {found['claims']:,} claims, {found['supported']:,} supported; judge {figures['judge']}")
        for verdict, counts in found["verdicts"].items():
            out.print(f"  {verdict}: {counts['supported']:,} supported, {counts['not']:,} not")
        verified = found["verified"]
        out.print(f"  verified: precision {verified['precision']:.3f}, recall {verified['recall']:.3f}\n")


def judge(
    model: Annotated[
        str, typer.Option("--judge", metavar="PROVIDER:NAME", help="The model to measure; else the judge that is set.")
    ] = "",
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """How far a model that judges sentences agrees with readers, on 80 sentences that come with Pincite.

    Half of the sentences are true. The others hold one error each: exchanged roles, a dropped condition, a figure of
    another row, an invented cause. The result is kept: `pincite doctor`, the page and the answers show it.
    """
    figures = _measure_judge(door.settings(data, database, config), model)
    if json:
        door.print_json(figures)
        return
    rows = [
        (name, *(str(counts[key]) for key in ("agreed", "total", "passed", "doubted", "unjudged")))
        for name, counts in (*figures["kinds"].items(), *figures["languages"].items(), ("all", figures))
    ]
    print_table(figures, ("sentences", "agreed", "of", "let pass", "doubted", "no verdict"), rows)
    out = door.console()
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
    """The figures of the judge, which are kept; progress is shown on stderr."""
    import asyncio

    from pincite.agent.models import Models
    from pincite.evaluate.judge import measure
    from pincite.evaluate.machine import about
    from pincite.library import open_library

    async def run() -> dict[str, Any]:
        models = Models(settings)
        try:
            return await measure(
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
        with door.console(stderr=True).status("…") as status:
            figures = asyncio.run(run())
    finally:
        library.close()
    return {"about": f"calibration set {figures['set']}, judge {figures['judge']}; {about()}", **figures}


def verdicts(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="Lines of JSON (.jsonl) with claim, cited, label, kind; perhaps document and context.",
        ),
    ],
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            metavar="PROVIDER:NAME",
            help="The judge; without one only code decides. `labels` answers by the labels: the best that can be.",
        ),
    ] = "",
    details: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write each sentence with its verdict and reasons here.")
    ] = None,
    json: door.Json = False,
    data: door.Data = None,
    config: door.Config = None,
) -> None:
    """The verdicts on sentences that a reader has labelled as supported or not, by kind.

    A good verifier verifies no false sentence. Without a judge it verifies quotes alone, contradicts wrong figures, and
    leaves the rest unchecked.
    """
    from pincite.evaluate.verdicts import evaluate

    settings = door.settings(data, None, config)
    with door.console(stderr=True).status("…") as status:
        figures = evaluate(path, lambda labelled: _open_judge(settings, judge, labelled), status.update, details)
    if json:
        door.print_json(figures)
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


def _open_judge(settings: "Settings", name: str, labelled: "Sequence[Labelled]") -> "Judge | None":
    """The judge of this name, `labels` for the one that knows them, None for none."""
    from pincite.evaluate.verdicts import LabelJudge

    if not name:
        return None
    if name == "labels":
        return LabelJudge(labelled)
    from pincite.agent.models import Models
    from pincite.evaluate.judge import open_judge

    return open_judge(Models(settings), name, lambda _: None, settings.answers.judge_seconds)


def register(app: typer.Typer) -> None:
    """Add the commands to those of `pincite evaluate`."""
    for command in (attribution, verdicts, judge):
        app.command()(command)
