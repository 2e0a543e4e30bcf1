"""Read a sentence and the figures, years and words of its sources once, for all checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pincite.proof import named_codes
from pincite.proof.figures import (
    Figure,
    find_text_tables,
    find_years,
    read_prose,
    read_rows,
    remove_table_rows,
    strip_row_groups,
)
from pincite.proof.shared_words import clean_text, list_content_words, list_shared_words
from pincite.proof.table_cells import replace_bars
from pincite.text.quantities import Quantity, find_quantities, find_table_scales
from pincite.types import Row, Table

LONGEST = 30_000  # characters of a source that are read
GIVEN = 1_000  # figures of the sources
_FEW = 3  # cited rows that count even where the sentence has no word of their labels
_FIGURES = 30  # of a sentence


@dataclass(frozen=True, slots=True)
class CitedSource:
    """Cited words, the text around them (title, headings, the rest of the passage), and the tables they stand in."""

    text: str
    around: str = ""
    tables: tuple[Table, ...] = ()


class ClaimCase:
    """A sentence with the figures, years and words of its sources."""

    def __init__(self, claim: str, sources: Sequence[CitedSource]) -> None:
        self.claim = claim
        self.words = frozenset(list_content_words(claim))
        self.cited = "\n".join(remove_table_rows(clean_text(replace_bars(source.text[:LONGEST]))) for source in sources)
        self.around = "\n".join(
            remove_table_rows(clean_text(replace_bars(source.around[:LONGEST]))) for source in sources
        )
        self.figures = read_prose(self.cited, True)[:GIVEN] + read_prose(self.around, False)[:GIVEN]
        heads: list[str] = []
        for source in sources:
            text = source.text[:LONGEST]
            tables = source.tables or find_text_tables(source.around[:LONGEST])
            rows = read_rows(tables, text)
            if not any(figure.cited for figure in rows) and (written := find_text_tables(text)):
                tables = (*tables, *written)
                rows += read_rows(written, text)
            cited = any(figure.cited for figure in rows)
            # If some rows are cited, another row counts only if the sentence has a word of its label.
            kept = [figure for figure in rows if figure.cited or not cited or self._names(figure)]
            self.figures += sorted(kept, key=lambda figure: not figure.cited)[: 2 * GIVEN]
            for table in tables:
                heads += [cell.head for row in table.rows for cell in row.cells] + [table.note]
                heads += [row.label for row in table.rows]
                heads += [cell.text for row in table.rows for cell in row.cells if cell.is_continued]
        labels = {
            words
            for figure in self.figures
            if figure.row is not None and figure.cell is not None and figure.cited
            for words in (figure.row.label, figure.cell.head)
        }
        self.labels = [figure for label in sorted(labels) for figure in read_prose(clean_text(label), True)]
        self.heads = clean_text(" \n".join(dict.fromkeys(heads)))
        raw = "\n".join(f"{source.text[:LONGEST]}\n{source.around[:LONGEST]}" for source in sources)
        self.everything = f"{clean_text(raw)}\n{self.heads}"
        self.scales = frozenset(find_table_scales(self.everything))
        self.years = find_years(self.everything)
        self.claim_years = find_years(claim)
        codes = list(named_codes.find_code_spans(claim))
        self.quantities = [
            q
            for q in find_quantities(claim)
            if q.kind != "ordinal" and not any(start <= q.start and q.end <= end for start, end in codes)
        ][:_FIGURES]
        self.found: dict[Quantity, list[Figure]] = {}

    def _names(self, figure: Figure) -> bool:
        return figure.row is not None and bool(list_shared_words(list_content_words(figure.label), self.words))

    @cached_property
    def used_figures(self) -> set[Figure]:
        """The source's figures that the sentence gives; read it after `found` is complete."""
        return {figure for figures in self.found.values() for figure in figures}

    @cached_property
    def named_rows(self) -> list[Row]:
        """The cited rows whose labels share half their words with the sentence; all of them where they are few."""
        rows = {id(figure.row): figure.row for figure in self.figures if figure.cited and figure.row is not None}
        found = []
        for row in rows.values():
            label = list_content_words(strip_row_groups(row))
            if len(rows) <= _FEW or len(list_shared_words(label, self.words)) * 2 >= len(label):
                found.append(row)
        return found

    def words_of(self, quantity: Quantity) -> str:
        return self.claim[quantity.start : quantity.end].strip()
