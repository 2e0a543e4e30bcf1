"""A sentence and the figures, years and words of its sources, read once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pincite.evidence.quantities import Quantity, quantities, table_scales
from pincite.proof import names
from pincite.proof.figures import Figure, prose_of, read_prose, read_rows, tables_in, years_of
from pincite.proof.places import slice_around
from pincite.proof.table_cells import replace_bars
from pincite.proof.words import clean, content_words, shared
from pincite.types import Row, Table

LONGEST = 30_000  # characters of a source that are looked at
GIVEN = 1_000  # figures of the sources
_FEW = 3  # cited rows that count even where the sentence has no word of their labels
_FIGURES = 30  # of a sentence


@dataclass(frozen=True, slots=True)
class Source:
    """Cited words, the words around them (title, headings, the rest of the passage), and the tables they stand in."""

    text: str
    around: str = ""
    tables: tuple[Table, ...] = ()


class Case:
    """A sentence and what its sources say, read once."""

    def __init__(self, claim: str, sources: Sequence[Source]) -> None:
        self.claim = claim
        self.words = frozenset(content_words(claim))
        self.cited = "\n".join(prose_of(clean(replace_bars(source.text[:LONGEST]))) for source in sources)
        self.around = "\n".join(prose_of(clean(replace_bars(source.around[:LONGEST]))) for source in sources)
        self.figures = read_prose(self.cited, True)[:GIVEN] + read_prose(self.around, False)[:GIVEN]
        heads: list[str] = []
        for source in sources:
            text = source.text[:LONGEST]
            tables = source.tables or tables_in(source.around[:LONGEST])
            rows = read_rows(tables, text)
            if not any(figure.cited for figure in rows) and (written := tables_in(text)):
                tables = (*tables, *written)
                rows += read_rows(written, text)
            cited = any(figure.cited for figure in rows)
            # Beside cited rows, another row counts only where the sentence has a word of its label.
            kept = [figure for figure in rows if figure.cited or not cited or self._names(figure)]
            self.figures += sorted(kept, key=lambda figure: not figure.cited)[: 2 * GIVEN]
            for table in tables:
                heads += [cell.head for row in table.rows for cell in row.cells] + [table.note]
                heads += [row.label for row in table.rows]
        labels = {
            words
            for figure in self.figures
            if figure.row is not None and figure.cell is not None and figure.cited
            for words in (figure.row.label, figure.cell.head)
        }
        self.labels = [figure for label in sorted(labels) for figure in read_prose(clean(label), True)]
        self.heads = clean(" \n".join(dict.fromkeys(heads)))
        raw = "\n".join(f"{source.text[:LONGEST]}\n{source.around[:LONGEST]}" for source in sources)
        self.everything = f"{clean(raw)}\n{self.heads}"
        self.scales = frozenset(table_scales(self.everything))
        self.years = years_of(self.everything)
        self.claim_years = years_of(claim)
        codes = list(names.code_spans(claim))
        self.quantities = [
            q
            for q in quantities(claim)
            if q.kind != "ordinal" and not any(start <= q.start and q.end <= end for start, end in codes)
        ][:_FIGURES]
        self.found: dict[Quantity, list[Figure]] = {}

    def _names(self, figure: Figure) -> bool:
        return figure.row is not None and bool(shared(content_words(figure.row.label.rsplit(" › ", 1)[-1]), self.words))

    @cached_property
    def used(self) -> set[Figure]:
        """The source's figures that the sentence says; read it when `found` is complete."""
        return {figure for figures in self.found.values() for figure in figures}

    @cached_property
    def named_rows(self) -> list[Row]:
        """The cited rows of whose labels the sentence has half the words, or all of them where they are few."""
        rows = {id(figure.row): figure.row for figure in self.figures if figure.cited and figure.row is not None}
        found = []
        for row in rows.values():
            label = content_words(row.label.rsplit(" › ", 1)[-1])
            if len(rows) <= _FEW or len(shared(label, self.words)) * 2 >= len(label):
                found.append(row)
        return found

    def sentence_of(self, figure: Figure) -> tuple[int, int]:
        """The place of the sentence that a figure of running text stands in."""
        return slice_around(figure.sentence, figure.start)

    def words_of(self, quantity: Quantity) -> str:
        return self.claim[quantity.start : quantity.end].strip()
