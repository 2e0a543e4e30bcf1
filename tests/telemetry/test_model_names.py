from pincite.telemetry.model_names import ModelNames


def test_a_name_becomes_a_label_only_when_it_was_admitted() -> None:
    names = ModelNames()
    assert names.choose("openai:anything a person typed") == "other"
    names.admit("openai:small")
    assert names.choose("openai:small") == "openai:small"


def test_only_so_many_names_are_labels() -> None:
    names = ModelNames(most=2)
    for name in ("a", "b", "c", "a"):
        names.admit(name)
    assert [names.choose(name) for name in "abc"] == ["a", "b", "other"]
