import pytest

from pincite.projects.code_definitions import find_definitions


def name_definitions(path: str, text: str) -> list[str]:
    return [definition.name for definition in find_definitions(path, text, text.split("\n"))]


@pytest.mark.parametrize(
    "line",
    [
        "default: break;",
        "typedValue = 3",
        "functional(x);",
        "if (ready) {",
        "for (let i = 0; i < 3; i++) {",
        "} else if (done) {",
        "return compute(total);",
        "compute(total);",
        "items.forEach((item) => {",
        "// function old() {",
        "# def old():",
        "x = (1 + 2)",
        "a == (b => c)",
        "switch (kind) {",
        "type: string,",
        "x" * 500 + "() {",
    ],
)
def test_a_line_that_only_looks_like_a_definition_is_none(line: str) -> None:
    assert name_definitions("a.ts", f"{line}\n  body\n}}\n") == []


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("export default async function load() {", "load"),
        ("function* walk() {", "walk"),
        ("export const save = async (x: number) => {", "save"),
        ("const handler = function (event) {", "handler"),
        ("  private render(): void {", "render"),
        ("public static void main(String[] args) {", "main"),
        ("void Shop::addItem(Item item) {", "Shop::addItem"),
        ("pub(crate) fn total(&self) -> u32 {", "total"),
        ("func (c *Cart) Total() int {", "Total"),
        ("fun total(): Int {", "total"),
        ("interface Named {", "Named"),
        ("impl<T> Cart<T> {", "Cart"),
        ("export type Price = {", "Price"),
        ("data class Item(", "Item"),
        ("macro_rules! square {", "square"),
        ("template<typename T> T add(T a, T b) {", "add"),
    ],
)
def test_definitions_of_many_languages_are_found_by_their_names(line: str, name: str) -> None:
    assert name_definitions("a.xyz", f"{line}\n  body\n}}\n") == [name]


def test_functions_inside_of_conditions_and_classes_inside_of_classes_are_found() -> None:
    text = "if x:\n    def f():\n        pass\nclass A:\n    class B:\n        def g(self):\n            pass\n"
    assert name_definitions("a.py", text) == ["f", "A", "A.B", "A.B.g"]


def test_a_data_file_has_no_definitions() -> None:
    assert name_definitions("a.json", "class A {\n}\n") == []
