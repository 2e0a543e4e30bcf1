from pathlib import Path

from pincite.store.process_names import get_machine_name
from pincite.store.scratch import make_scratch, sweep_scratch

NOBODY = 2**22 - 1  # larger than any process id the system gives


def test_a_scratch_folder_is_private_and_gone_after_its_use(tmp_path: Path) -> None:
    with make_scratch(tmp_path) as folder:
        (folder / "file").write_bytes(b"words")
        assert folder.stat().st_mode & 0o077 == 0
        assert folder.parent.stat().st_mode & 0o077 == 0
    assert not folder.exists()


def test_files_of_killed_processes_are_swept_and_those_in_use_are_not(tmp_path: Path) -> None:
    left = tmp_path / "scratch" / f"{NOBODY}@{get_machine_name()}-abc"
    left.mkdir(parents=True)
    (left / "file").write_bytes(b"words")
    elsewhere = tmp_path / "scratch" / f"{NOBODY}@another-machine-abc"
    elsewhere.mkdir()
    with make_scratch(tmp_path) as ours:
        sweep_scratch(tmp_path)
        assert ours.is_dir()
    assert not left.exists()
    assert elsewhere.is_dir()
    sweep_scratch(tmp_path / "new")  # where nothing was ever made
