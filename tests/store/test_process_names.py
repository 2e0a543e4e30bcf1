import os

from pincite.store.process_names import get_machine_name, get_process_name, is_gone


def test_a_process_is_told_from_one_of_the_same_number_in_another_container_or_before_a_restart() -> None:
    nobody = 2**22 - 1  # larger than any process id the system gives
    assert not is_gone(get_process_name())
    assert is_gone(f"{nobody}@{get_machine_name()}")
    assert not is_gone(f"{nobody}@{os.uname().nodename}.another-boot.1")
    assert not is_gone(f"{nobody}@{get_machine_name()}0")
