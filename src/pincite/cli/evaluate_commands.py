"""The `evaluate` commands: measure Pincite on public data and print a table or JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options

if TYPE_CHECKING:
    from rich.console import Console


app = typer.Typer(help="Measure Pincite on public data.", no_args_is_help=True, rich_markup_mode=None)

Keep = Annotated[
    Path | None,
    typer.Option("--keep", help="Folder for the evaluation's database; a second run then reuses the vectors."),
]


@app.command()
def retrieval(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A set in BEIR form: corpus.jsonl, queries.jsonl, qrels/test.tsv.")
    ],
    keep: Keep = None,
    database: Annotated[
        str, typer.Option(metavar="<url>", help="Address of an empty PostgreSQL database to use in place of a file.")
    ] = "",
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Measure search by words, by meaning and by both.

    The figures are nDCG@10 and recall@100 on a set in BEIR form.
    """
    from pincite.evaluate.retrieval import evaluate

    with options.make_console(stderr=True).status("…") as status:
        settings = options.load_settings(data, None, config)
        figures = evaluate(folder, settings, keep, lambda said: status.update(said), database)
    if json:
        options.print_json(figures)
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
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Measure how often the right page is among the first ones found.

    These are the first 1, 5, 10 and 20.

    All documents of the set are searched together.
    """
    from pincite.evaluate.gold_pages import evaluate

    with options.make_console(stderr=True).status("…") as status:
        figures = evaluate(folder, options.load_settings(data, None, config), keep, lambda said: status.update(said))
    if json:
        options.print_json(figures)
        return
    rows = [(mode, *(f"{value:.3f}" for value in found.values())) for mode, found in figures["modes"].items()]
    print_table(figures, ("mode", *next(iter(figures["modes"].values()))), rows)


@app.command()
def locate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A set: cases.jsonl, pdfs/ and words/.")],
    failures: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write the failed cases here, with their results.")
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Draw the failed cases here: gold words green, ours magenta."),
    ] = None,
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Measure how many passages are located, rightly and wrongly.

    Other programs extracted the passages, in ten variants from unchanged to OCR noise. A box counts as right by the
    letters that it covers. The command then locates every passage and sentence of Pincite's own reading by its span.
    """
    from pincite.evaluate.located_passages import evaluate

    with options.make_console(stderr=True).status("…") as status:
        settings = options.load_settings(data, None, config)
        figures = evaluate(folder, settings, lambda said: status.update(said), failures, pictures)
    if json:
        options.print_json(figures)
        return
    rows = [
        (name, f"{100 * m['share']:.2f} %", f"{m['passages']:,}", str(m["not_found"]), str(m["wrong_place"]))
        for name, m in figures["shares"].items()
    ]
    print_table(figures, ("passages", "right", "of", "not found", "wrong place"), rows)
    ms, own, out = figures["ms"], figures["own_spans"], options.make_console()
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
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Compare rewritten follow-up questions with those of people.

    Two baselines stand beside it: the question as asked, and the question after the one before it. If the set has the
    answers of its conversations, the command also measures how often the right answer is found, and how often a
    question that needs no rewriting is changed.
    """
    from pincite.evaluate.rewritten_questions import evaluate

    with options.make_console(stderr=True).status("…") as status:
        figures = evaluate(folder, options.load_settings(data, None, config), keep, lambda said: status.update(said))
    if json:
        options.print_json(figures)
        return
    rows = []
    for group, found in figures["groups"].items():
        for way, scores in found["ways"].items():
            every, needing = scores["all"], scores["need_rewriting"]
            three = (f"{every[name]:.3f}" for name in ("precision", "recall", "f1"))
            rows.append((f"{group}: {way}", *three, f"{needing['f1']:.3f}"))
    print_table(figures, ("turns", "precision", "recall", "F1", "F1 where needed"), rows)
    out = options.make_console()
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
            help="corpus.jsonl with answer_spans.jsonl; questions.jsonl with documents/ and the words that answer, or "
            "another such file of questions beside documents/; or questions.jsonl with pdfs/ and gold pages.",
        ),
    ],
    model: Annotated[
        str,
        typer.Option("--model", metavar="PROVIDER:NAME", help="The model that answers; default is the configured one."),
    ] = "",
    keep: Keep = None,
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Measure how often an answer shows the words that answer.

    People marked these words, or their page.

    The answer is looked for in the first passage shown, in the first three, and in their highlighted words. For
    questions that no document answers, the command measures how often they are refused. Each question is answered as
    by `pincite ask`; the baseline is the first sentence of the best passage.
    """
    from pincite.evaluate.answers import evaluate

    with options.make_console(stderr=True).status("…") as status:
        figures = evaluate(
            folder, options.load_settings(data, None, config), keep, lambda said: status.update(said), model
        )
    if json:
        options.print_json(figures)
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
    questions: Annotated[int, typer.Option(min=1, help="Number of questions from each set; the choice is fixed.")] = 50,
    most: Annotated[
        int,
        typer.Option(
            "--documents", min=0, help="Number of documents from each set, including all that answer; 0 for all."
        ),
    ] = 0,
    keep: Keep = None,
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Measure how often questions are refused, rightly and wrongly.

    They are asked unchanged, without the documents that answer them, and of other sets.

    Unchanged questions should be answered, all others refused. Each question is answered as by `pincite ask`.
    """
    from pincite.evaluate.refusals import KINDS, evaluate

    settings = options.load_settings(data, None, config)
    with options.make_console(stderr=True).status("…") as status:
        figures = evaluate(folders, settings, keep, lambda said: status.update(said), questions, most)
    if json:
        options.print_json(figures)
        return
    rows = [
        (name, *(f"{found[kind]:.3f}" if kind in found else "" for kind in KINDS))
        for name, found in figures["rows"].items()
    ]
    print_table(figures, ("refused", *KINDS), rows)


@app.command()
def html(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="ground-truth.json with article bodies, and html/.")],
    json: options.Json = False,
) -> None:
    """Compare the content of web pages with what people marked.

    Titles and dates are checked too.

    The score counts runs of four words, like the public benchmark of article bodies. Other readers serve as baselines.
    """
    from pincite.evaluate.html_articles import evaluate

    with options.make_console(stderr=True).status("…") as status:
        figures = evaluate(folder, lambda said: status.update(said))
    if json:
        options.print_json(figures)
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
    titles, dates, out = figures["titles"], figures["dates"], options.make_console()
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
    json: options.Json = False,
) -> None:
    """Measure the share of visible words that is read, by format.

    A web page has two shares: of all words that a browser shows, and of the words outside its menus, headers, footers,
    asides and forms. Repeated words count each time; the order of words does not matter.
    """
    from pincite.evaluate.kept_words import evaluate

    with options.make_console(stderr=True).status("…") as status:
        figures = evaluate(folder, lambda said: status.update(said))
    if json:
        options.print_json(figures)
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
    out = options.make_console()
    for one in figures["worst"]:
        if one["share"] < 0.9 or one["error"]:
            said = one["error"] or f"{one['kept']:,} of {one['words']:,} words"
            out.print(f"! {one['file']}: {said}", markup=False, highlight=False)
    if left := figures["not_measured"]:
        out.print(f"not measured: {len(left)} files of other formats")


def print_table(figures: dict[str, Any], heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Print figures as a table under a line that describes the data and the machine."""
    from rich.table import Table

    out: Console = options.make_console()
    table = Table(box=None, header_style="dim", pad_edge=False)
    for head in heads:
        table.add_column(head, justify="left" if head == heads[0] else "right")
    for row in rows:
        table.add_row(*row)
    out.print(figures["about"], markup=False)
    out.print(table)
