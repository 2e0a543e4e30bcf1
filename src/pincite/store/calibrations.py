"""Measurements of judges as rows: how far each model agreed with readers on the calibration set, the latest only."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from pincite.store.database import Database
from pincite.store.tables import calibrations
from pincite.store.upsert import upsert


@dataclass(frozen=True, slots=True)
class Measured:
    """How a model judged the calibration set.

    `agreed` counts sentences judged as readers judge them, `passed` false sentences that were let pass, `doubted` true
    ones that were not called supported, and `unjudged` those without a verdict. `version` names the set.
    """

    model: str
    agreed: int
    total: int
    passed: int
    doubted: int
    unjudged: int
    version: str
    when: float

    def describe(self) -> str:
        """The result in a sentence, for people."""
        said = f"agreed with readers on {self.agreed} of {self.total}, let {self.passed} false sentences pass"
        return f"{said}, gave no verdict on {self.unjudged}" if self.unjudged else said


def keep_measured(connection: Connection, measured: Measured) -> None:
    """Keep a measurement in place of the model's last one."""
    # A command and a server may measure one model at the same time: the later result wins.
    upsert(connection, calibrations, asdict(measured), ("model",))


def measured(database: Database, model: str) -> Measured | None:
    """The latest measurement of a model, None when there is none."""
    with database.reading() as connection:
        row = connection.execute(select(calibrations).where(calibrations.c.model == model)).one_or_none()
    return Measured(*row) if row else None
