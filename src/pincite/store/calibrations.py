"""Store how well each model that judges sentences agrees with human readers; keep only the latest measurement."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from pincite.store.database import Database
from pincite.store.schema import calibrations
from pincite.store.upsert import upsert


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """The result of a model on the calibration set.

    `agreed` counts the sentences judged as readers judge them, `passed` the false sentences that the model accepted,
    `doubted` the true ones that it did not call supported, and `unjudged` those without a verdict. `version` names the
    set.
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
        """Return the result as a sentence."""
        result = f"agreed with readers on {self.agreed} of {self.total}, let {self.passed} false sentences pass"
        return f"{result}, gave no verdict on {self.unjudged}" if self.unjudged else result


def save_calibration(connection: Connection, measured: CalibrationResult) -> None:
    """Store a measurement in place of the model's previous one."""
    # A command and a server may measure one model at the same time: the later result wins.
    upsert(connection, calibrations, asdict(measured), ("model",))


def get_calibration(database: Database, model: str) -> CalibrationResult | None:
    """Return the latest measurement of a model, or None."""
    with database.reading() as connection:
        row = connection.execute(select(calibrations).where(calibrations.c.model == model)).one_or_none()
    return CalibrationResult(*row) if row else None
