"""Measure the tree and the search of a project with 20,000 files, cold and warm, and its memory; print a table.

    python benchmarks/project_speed.py [--files 20000] [--folder DIR]

The files are functions and classes in Python, TypeScript, Go and Markdown, of 3 KB on average. "cold" is the first time
on a folder, "warm" is any later time when nothing changed. Memory is the most that the process had, beyond that of an
empty one."""

import argparse
import random
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from pincite.evaluate.machine_info import describe_machine
from pincite.projects.changes import AppliedChanges, apply_changes, plan_reply, undo_changes
from pincite.projects.edit_blocks import create_search_replace_block
from pincite.projects.file_index import FileIndex
from pincite.projects.file_list import list_files
from pincite.projects.project import Project, open_project
from pincite.projects.tree import draw_tree

NOUNS = """
account address amount archive balance batch branch buffer cache cart channel check client commit config connection
content context counter currency customer cursor delivery deposit device discount document element entry error event
export factory feature field filter folder format gateway handler header history image import index input invoice item
journal label layout ledger library limit list loader lock market message method metric model module network node note
number object offer option order owner package page panel parser partner payment period permission pixel policy price
printer process product profile project promise proxy query queue quote range rate reader record refund region report
request response result return review role route rule sample schema scope score screen search section segment sender
session setting shape shipment signal size source stack state status stock storage store stream string style summary
supplier switch symbol table target task tax template test text theme thread ticket timer title token topic total trace
track transfer tree type unit update upload user value vector vendor version view wallet widget window worker writer
"""
ACTIONS = "add apply build check clear close compute count create delete find format get load merge open parse read"
WORDS, VERBS = NOUNS.split(), ACTIONS.split()
QUESTIONS = 50
EDITS = 200
T = TypeVar("T")


def make_project(root: Path, files: int) -> Project:
    """Write a folder of files, about 25 in each folder and up to six levels deep."""
    chance = random.Random(17)
    folders = [Path()]
    while len(folders) * 25 < files:
        above = chance.choice(folders)
        if len(above.parts) < 6:
            folders.append(above / f"{chance.choice(WORDS)}{len(folders)}")
    for folder in folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / ".gitignore").write_text("*.log\nbuild/\n/dist\n*.pyc\n.venv/\n!keep.log\n")
    for number in range(files):
        writer, ending = chance.choice(
            [(write_python, "py"), (write_typescript, "ts"), (write_go, "go"), (write_text, "md")]
        )
        name = f"{chance.choice(WORDS)}_{chance.choice(WORDS)}_{number}.{ending}"
        (root / chance.choice(folders) / name).write_text(writer(chance))
    return open_project(root)


def write_python(chance: random.Random) -> str:
    lines = ["import os", ""]
    for _ in range(chance.randint(4, 24)):
        verb, first, second = chance.choice(VERBS), chance.choice(WORDS), chance.choice(WORDS)
        lines += [f"def {verb}_{first}_{second}({first}, {second}):", f'    """{write_sentence(chance)}"""']
        lines += [
            f"    {chance.choice(WORDS)} = {first}.{chance.choice(WORDS)}({second})",
            f"    return {first}",
            "",
            "",
        ]
    return "\n".join(lines)


def write_typescript(chance: random.Random) -> str:
    lines = [f"export class {chance.choice(WORDS).title()}{chance.choice(WORDS).title()} {{"]
    for _ in range(chance.randint(4, 24)):
        name = chance.choice(VERBS) + chance.choice(WORDS).title() + chance.choice(WORDS).title()
        lines += [f"  // {write_sentence(chance)}", f"  {name}(value: number): number {{"]
        lines += [
            f"    const {chance.choice(WORDS)} = this.{chance.choice(WORDS)}(value);",
            "    return value;",
            "  }",
            "",
        ]
    return "\n".join([*lines, "}", ""])


def write_go(chance: random.Random) -> str:
    lines = [f"package {chance.choice(WORDS)}", ""]
    for _ in range(chance.randint(4, 24)):
        name = chance.choice(VERBS).title() + chance.choice(WORDS).title() + chance.choice(WORDS).title()
        lines += [f"// {name}: {write_sentence(chance)}", f"func {name}(value int) int {{"]
        lines += [f"\t{chance.choice(WORDS)} := value + 1", "\treturn value", "}", ""]
    return "\n".join(lines)


def write_text(chance: random.Random) -> str:
    lines = [f"# {write_sentence(chance)}", ""]
    for _ in range(chance.randint(3, 12)):
        lines += [f"## {chance.choice(WORDS).title()}", "", *(write_sentence(chance) for _ in range(4)), ""]
    return "\n".join(lines)


def write_sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=9)).capitalize() + "."


def take_time(action: Callable[[], T]) -> tuple[float, T]:
    begun = time.perf_counter()
    result = action()
    return time.perf_counter() - begun, result


def measure_edits(project: Project) -> str:
    """Return how many edits are planned and applied in a second: in one reply, and each in a reply of its own."""
    paths = [file.path for file in list_files(project) if file.path.endswith(".py")][:EDITS]
    blocks = []
    for path in paths:
        text = (project.root / path).read_text()
        lines = text.splitlines(True)
        blocks.append(create_search_replace_block(path, "".join(lines[:8]), "".join(["# changed\n", *lines[:8]])))
    with tempfile.TemporaryDirectory() as journal:
        planning, _ = take_time(partial(plan_reply, project.root, "\n".join(blocks)))
        together, _ = take_time(partial(apply_reply, project, "\n".join(blocks), Path(journal)))
        undo_changes(project, Path(journal))
        alone, _ = take_time(partial(apply_replies, project, blocks, Path(journal)))
    rates = [f"{len(blocks) / seconds:,.0f}" for seconds in (planning, together, alone)]
    return f"{rates[0]} planned, {rates[1]} applied in one reply, {rates[2]} in single ones"


def apply_reply(project: Project, reply: str, journal: Path) -> AppliedChanges:
    return apply_changes(project, plan_reply(project.root, reply), journal)


def apply_replies(project: Project, replies: Sequence[str], journal: Path) -> None:
    for reply in replies:
        apply_reply(project, reply, journal)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    print(describe_machine())
    empty = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        project = make_project(Path(folder) / "project", given.files)
        size = sum(file.size for file in list_files(project)) / 1e6
        print(f"a project of {given.files:,} files, {size:,.0f} MB\n")
        measure(project, Path(folder) / "index", empty)
        print(f"{'edits applied in a second':40} {measure_edits(project)}")
        shutil.rmtree(project.root)


def measure(project: Project, folder: Path, empty: int) -> None:
    index = FileIndex(project, folder)
    cold, files = take_time(index.refresh)
    cold_tree, tree = take_time(lambda: draw_tree(files, index.count_tokens(), 6000))
    index.close()
    index = FileIndex(project, folder)
    warm, files = take_time(index.refresh)
    warm_tree, _ = take_time(lambda: draw_tree(files, index.count_tokens(), 6000))
    chance = random.Random(5)
    asked = [
        f"how does {chance.choice(VERBS)} {chance.choice(WORDS)} {chance.choice(WORDS)} work" for _ in range(QUESTIONS)
    ]
    first, _ = take_time(partial(index.search, asked[0], 10))
    taken = sorted(take_time(partial(index.search, question, 10))[0] for question in asked)
    one_changed = measure_change(project, index)
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - empty) / 1024
    stored = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    index.close()
    for name, value in {
        "files and words, cold": f"{cold:.1f} s",
        "files and words, warm": f"{warm * 1000:.0f} ms",
        "files and words, one file changed": f"{one_changed * 1000:.0f} ms",
        f"tree ({tree.level}, {tree.tokens:,} tokens), cold": f"{cold_tree * 1000:.0f} ms",
        "tree, warm": f"{warm_tree * 1000:.0f} ms",
        "relevant parts, first question": f"{first * 1000:.0f} ms",
        "relevant parts, p50": f"{statistics.median(taken) * 1000:.0f} ms",
        "relevant parts, p95": f"{taken[int(len(taken) * 0.95)] * 1000:.0f} ms",
        "most memory": f"{memory:.0f} MB",
        "index on disk": f"{stored:.0f} MB",
    }.items():
        print(f"{name:40} {value}")


def measure_change(project: Project, index: FileIndex) -> float:
    path = project.root / "changed.py"
    path.write_text("def changed(): pass\n")
    return take_time(index.refresh)[0]


if __name__ == "__main__":
    main()
