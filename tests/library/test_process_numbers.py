from pathlib import Path

from pincite.errors import StorageError
from pincite.library import open_library
from pincite.library.process_numbers import ProcessNumbers
from pincite.settings import load_settings
from pincite.telemetry.metric_types import Counter, Histogram


def read(numbers: ProcessNumbers) -> dict[str, Counter | Histogram]:
    return {metric.name: metric for metric in numbers.read()}


def test_the_queue_is_asked_at_most_every_few_seconds(tmp_path: Path) -> None:
    library = open_library(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))
    now = [0.0]
    numbers = ProcessNumbers(library, lambda: now[0])
    assert set(read(numbers)["pincite_jobs"].read().values()) == {0.0}
    (tmp_path / "a.txt").write_text("Some words.")
    library.add("local", tmp_path / "a.txt")
    assert set(read(numbers)["pincite_jobs"].read().values()) == {0.0}
    now[0] += 6
    found = {labels: count for labels, count in read(numbers)["pincite_jobs"].read().items() if count}
    assert list(found.values()) == [1.0]
    [(step, state, _)] = found
    assert (step, state) == ("read", "queued")
    library.close()


def test_a_database_that_is_away_costs_only_the_numbers_of_its_queue(tmp_path: Path) -> None:
    library = open_library(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))

    def refuse() -> None:
        raise StorageError("The database is away.")

    library.database.reading = refuse  # type: ignore[method-assign, assignment]
    found = read(ProcessNumbers(library))
    assert found["pincite_database_up"].read() == {(): 0.0}
    assert "pincite_jobs" not in found
    assert "pincite_questions" in found
    written, _ = ProcessNumbers(library).render()
    assert b"pincite_build_info" in written
    library.close()
