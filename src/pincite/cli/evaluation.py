"""The evaluate commands: figures on public data, as a table or as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import door

if TYPE_CHECKING:
    from rich.console import Console


app = typer.Typer(help="Measure Pincite on public data.", no_args_is_help=True, rich_markup_mode=None)

Keep = Annotated[
    Path | None,
    typer.Option("--keep", help="Folder for the evaluation's own store; a second run then embeds nothing again."),
]


@app.command()
def retrieval(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A set in BEIR form: corpus.jsonl, queries.jsonl, qrels/test.tsv.")
    ],
    keep: Keep = None,
    json: door.Json = False,
    data: door.Data = None,
    config: door.Config = None,
) -> None:
    """nDCG@10 and recall@100 of lexical, dense and hybrid search on a set in BEIR form."""
    from pincite.evaluate.retrieval import evaluate

    with door.console(stderr=True).status("…") as status:
        figures = evaluate(folder, door.settings(data, None, config), keep, lambda said: status.update(said))
    if json:
        door.print_json(figures)
        return
    rows = [
        (mode, f"{m['ndcg@10']:.3f}", f"{m['recall@100']:.3f}", f"{m['ms']:.1f}")
        for mode, m in figures["modes"].items()
    ]
    print_table(figures, ("mode", "nDCG@10", "recall@100", "ms a query"), rows)


@app.command()
def pages(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="questions.jsonl with evidence pages, and pdfs/.")],
    keep: Keep = None,
    json: door.Json = False,
    data: door.Data = None,
    config: door.Config = None,
) -> None:
    """How often the gold page is among the first 1, 5, 10 and 20 pages found, all documents in one store."""
    from pincite.evaluate.pages import evaluate

    with door.console(stderr=True).status("…") as status:
        figures = evaluate(folder, door.settings(data, None, config), keep, lambda said: status.update(said))
    if json:
        door.print_json(figures)
        return
    rows = [(mode, *(f"{value:.3f}" for value in found.values())) for mode, found in figures["modes"].items()]
    print_table(figures, ("mode", *next(iter(figures["modes"].values()))), rows)


@app.command()
def locate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A set: cases.jsonl, pdfs/ and words/.")],
    failures: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write the failed cases here, with what was found.")
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Draw the failed cases here: gold words green, ours magenta."),
    ] = None,
    json: door.Json = False,
    data: door.Data = None,
    config: door.Config = None,
) -> None:
    """How many passages are lit exactly, and how many are lit that should not be.

    The passages were made by other programs, in ten states from untouched to OCR noise; a box is judged by which
    letters of their words it covers. Then every passage and sentence of our own reading, by its own span.
    """
    from pincite.evaluate.locate import evaluate

    with door.console(stderr=True).status("…") as status:
        settings = door.settings(data, None, config)
        figures = evaluate(folder, settings, lambda said: status.update(said), failures, pictures)
    if json:
        door.print_json(figures)
        return
    rows = [
        (name, f"{100 * m['share']:.2f} %", f"{m['passages']:,}", str(m["not_found"]), str(m["wrong_place"]))
        for name, m in figures["shares"].items()
    ]
    print_table(figures, ("passages", "right", "of", "not found", "wrong place"), rows)
    ms, own, out = figures["ms"], figures["own_spans"], door.console()
    out.print(f"\nfalse positives: {figures['false_positives']} of {figures['negatives']:,}")
    out.print(f"CPU ms a passage: p50 {ms['p50']:.1f}, p95 {ms['p95']:.1f}, max {ms['max']:.1f}")
    out.print(f"CPU ms to build a page: {figures['building_ms_per_page']:.1f}")
    counted = [f"{name} {own[name]['right']:,} of {own[name]['total']:,}" for name in ("passages", "sentences")]
    out.print(f"own spans: {', '.join(counted)}")
    for problem in figures["problems"]:
        out.print(f"! {problem}")


@app.command()
def rewriting(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Conversations as .jsonl: question, history and gold_rewrite a line.")
    ],
    keep: Keep = None,
    json: door.Json = False,
    data: door.Data = None,
    config: door.Config = None,
) -> None:
    """How near the words that follow-up questions are searched with come to a person's rewrite.

    Beside them: the question as it was asked, and with the last question in front. Where the set has the answers of its
    conversations, it is also measured how often the right answer is found, and how often a question that stands alone
    is changed.
    """
    from pincite.evaluate.rewriting import evaluate

    with door.console(stderr=True).status("…") as status:
        figures = evaluate(folder, door.settings(data, None, config), keep, lambda said: status.update(said))
    if json:
        door.print_json(figures)
        return
    rows = []
    for group, found in figures["groups"].items():
        for way, scores in found["ways"].items():
            every, needing = scores["all"], scores["need_rewriting"]
            three = (f"{every[name]:.3f}" for name in ("precision", "recall", "f1"))
            rows.append((f"{group}: {way}", *three, f"{needing['f1']:.3f}"))
    print_table(figures, ("turns", "precision", "recall", "F1", "F1 where needed"), rows)
    out = door.console()
    for kind, found in figures["found"].items():
        out.print(f"\n{kind}: {found['turns']} questions with an answer, {found['question_changed']} changed")
        for way, hits in found["ways"].items():
            out.print(f"{way:<26}" + "  ".join(f"{name} {value:.3f}" for name, value in hits.items()))


@app.command()
def answers(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="corpus.jsonl with answer_spans.jsonl; questions.jsonl with documents/ and the words that answer; "
            "or questions.jsonl with pdfs/ and gold pages.",
        ),
    ],
    model: Annotated[
        str, typer.Option("--model", metavar="PROVIDER:NAME", help="Who answers; else the model that is set.")
    ] = "",
    keep: Keep = None,
    json: door.Json = False,
    data: door.Data = None,
    config: door.Config = None,
) -> None:
    """How often an answer shows what people marked as the answer, or the page that holds it.

    In the first passage shown, in the first three, and in what is lit of them; of questions that no document answers,
    how often they are refused. Each question goes the whole way, as `pincite ask` does; beside it stands the first
    sentence of the best passage.
    """
    from pincite.evaluate.answers import evaluate

    with door.console(stderr=True).status("…") as status:
        figures = evaluate(folder, door.settings(data, None, config), keep, lambda said: status.update(said), model)
    if json:
        door.print_json(figures)
        return
    heads = ("answers by", *next(iter(figures["rows"].values())))
    rows = [
        (name, *(f"{value:.1f}" if head.startswith("ms") else f"{value:.3f}" for head, value in found.items()))
        for name, found in figures["rows"].items()
    ]
    print_table(figures, heads, rows)


@app.command()
def refusals(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DIR…", help="Sets in BEIR form: corpus.jsonl, queries.jsonl, qrels/test.tsv."),
    ],
    questions: Annotated[int, typer.Option(min=1, help="Questions of each set, by a fixed choice.")] = 50,
    most: Annotated[
        int, typer.Option("--documents", min=0, help="Documents of each set, with all that answer; 0 for all.")
    ] = 0,
    keep: Keep = None,
    json: door.Json = False,
    data: door.Data = None,
    config: door.Config = None,
) -> None:
    """How often questions are refused: as they are, without the documents that answer them, and of other sets.

    Questions as they are should not be refused, all others should. Each goes the whole way, as `pincite ask` does.
    """
    from pincite.evaluate.refusals import KINDS, evaluate

    settings = door.settings(data, None, config)
    with door.console(stderr=True).status("…") as status:
        figures = evaluate(folders, settings, keep, lambda said: status.update(said), questions, most)
    if json:
        door.print_json(figures)
        return
    rows = [
        (name, *(f"{found[kind]:.3f}" if kind in found else "" for kind in KINDS))
        for name, found in figures["rows"].items()
    ]
    print_table(figures, ("refused", *KINDS), rows)


@app.command()
def html(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="ground-truth.json with article bodies, and html/.")],
    json: door.Json = False,
) -> None:
    """How far the main content of web pages is what people marked as the article, and what title and date are found.

    By runs of four words, as the public benchmark of article bodies counts them; other readers stand beside it.
    """
    from pincite.evaluate.html import evaluate

    with door.console(stderr=True).status("…") as status:
        figures = evaluate(folder, lambda said: status.update(said))
    if json:
        door.print_json(figures)
        return
    leads, speeds = figures["lead"], figures["pages_per_cpu_second"]
    rows = [
        (
            f"{name}: {group}" if group != "all" else name,
            *(f"{m[measure]:.3f} ± {m[f'{measure}_error']:.3f}" for measure in ("precision", "recall", "f1")),
            "{f1:+.3f} ± {f1_error:.3f}".format(**leads[name][group]) if name in leads else "",
            f"{speeds[name]:.1f}" if group == "all" and name in speeds else "",
        )
        for name, found in figures["readers"].items()
        for group, m in found.items()
        if group == "all" or name in ("pincite", "trafilatura")
    ]
    print_table(figures, ("reader", "precision", "recall", "F1", "our lead", "pages a CPU second"), rows)
    titles, dates, out = figures["titles"], figures["dates"], door.console()
    out.print(
        f"\ntitles: {titles['found']} found; {titles['agree']} are among those that {titles['declared']} pages declare"
    )
    out.print(
        f"dates: {dates['found']} found; {dates['agree']} are the day that {dates['declared']} pages declare,"
        f" {dates['agree_with_address']} the one in {dates['in_address']} addresses"
    )


@app.command()
def reading(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of documents; its subfolders are read too.")],
    json: door.Json = False,
) -> None:
    """Which share of the visible words of each file stands in the text that is made of it, by format.

    Of a web page two shares are told: of all words a browser shows, and of those outside its menus, headers, footers,
    asides and forms. Words are counted as often as they stand there; their order does not matter.
    """
    from pincite.evaluate.reading import evaluate

    with door.console(stderr=True).status("…") as status:
        figures = evaluate(folder, lambda said: status.update(said))
    if json:
        door.print_json(figures)
        return
    rows = [
        (
            name,
            str(m["files"]),
            f"{m['words']:,}",
            f"{100 * m['share']:.1f} %",
            f"{100 * m['article_share']:.1f} %" if m["article_words"] != m["words"] else "",
            f"{100 * m['lowest']:.1f} %",
            str(m["problems"] or ""),
            str(m["failed"] or ""),
        )
        for name, m in figures["formats"].items()
    ]
    heads = ("format", "files", "words", "kept", "kept of articles", "lowest file", "problems", "failed")
    print_table(figures, heads, rows)
    out = door.console()
    for one in figures["worst"]:
        if one["share"] < 0.9 or one["error"]:
            said = one["error"] or f"{one['kept']:,} of {one['words']:,} words"
            out.print(f"! {one['file']}: {said}", markup=False, highlight=False)
    if left := figures["not_measured"]:
        out.print(f"not measured: {len(left)} files of other formats")


def print_table(figures: dict[str, Any], heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.table import Table

    out: Console = door.console()
    table = Table(box=None, header_style="dim", pad_edge=False)
    for head in heads:
        table.add_column(head, justify="left" if head == heads[0] else "right")
    for row in rows:
        table.add_row(*row)
    out.print(figures["about"], markup=False)
    out.print(table)
