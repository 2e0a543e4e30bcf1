from hypothesis import given
from hypothesis import strategies as st

from pincite.projects.file_kinds import is_unimportant
from pincite.projects.file_list import ProjectFile
from pincite.projects.tree import Tree, draw_tree
from pincite.text.token_count import count_tokens

NAMES = st.sampled_from(["a", "b", "src", "build", "dist", "main.py", "x.ts", "app.min.js", "yarn.lock", "été.md", "z"])
PATHS = st.lists(NAMES, min_size=1, max_size=6).map("/".join)


def make_files(paths: list[str]) -> list[ProjectFile]:
    return [ProjectFile(path, 10, 0) for path in paths]


def read_tree(tree: Tree) -> dict[str, str]:
    """Return the paths in a drawn tree, each with the token count behind it or ""."""
    found: dict[str, str] = {}
    folders: list[str] = []
    for line in tree.text.split("\n")[1:]:
        bare = line.lstrip(" ")
        del folders[len(line) - len(bare) :]
        if bare.endswith("/"):
            folders.append(bare[:-1])
        else:
            name, _, count = bare.partition(" ")
            found["/".join([*folders, name])] = count
    return found


@st.composite
def draw_files(draw: st.DrawFn) -> list[str]:
    """Paths of which none is a folder of another."""
    paths = draw(st.lists(PATHS, max_size=40, unique=True))
    return [path for path in paths if not any(other.startswith(f"{path}/") for other in paths)]


@given(draw_files(), st.integers(0, 600))
def test_a_tree_is_never_longer_than_allowed_and_says_its_level(paths: list[str], most: int) -> None:
    tree = draw_tree(make_files(paths), dict.fromkeys(paths, 123), most)
    shown = read_tree(tree)
    assert (tree.files, tree.shown) == (len(paths), len(shown))
    assert tree.tokens == count_tokens(tree.text)
    assert tree.tokens <= most or not shown
    head = tree.text.split("\n")[0]
    assert str(len(paths)) in head
    assert {
        "full": "with its number of tokens" in head,
        "no_counts": head.startswith("All") and "Token counts are left out" in head,
        "important": "build artefacts" in head and "deepest" not in head,
        "shallow": "deepest folders" in head,
    }[tree.level]


@given(draw_files(), st.integers(0, 600))
def test_a_tree_is_cut_down_in_order(paths: list[str], most: int) -> None:
    tree = draw_tree(make_files(paths), dict.fromkeys(paths, 123), most)
    shown = read_tree(tree)
    important = {path for path in paths if not is_unimportant(path)}
    assert set(shown.values()) <= ({"123"} if tree.level == "full" else {""})
    if tree.level in ("full", "no_counts"):
        assert set(shown) == set(paths)
    elif tree.level == "important":
        assert set(shown) == important
    else:
        assert set(shown) < important or not important
        depths = [path.count("/") for path in shown]
        dropped = [path.count("/") for path in important - set(shown)]
        assert max(depths, default=0) <= min(dropped, default=100)


@given(draw_files(), st.integers(0, 300), st.integers(0, 300))
def test_more_room_never_shows_less(paths: list[str], first: int, second: int) -> None:
    levels = ["full", "no_counts", "important", "shallow"]
    small, large = (draw_tree(make_files(paths), {}, most) for most in sorted((first, second)))
    assert levels.index(large.level) <= levels.index(small.level)
    assert set(read_tree(small)) <= set(read_tree(large))


def test_a_small_project_is_drawn_whole() -> None:
    files = make_files(["README.md", "src/shop/cart.py", "src/main.py", "src/shop/prices.py"])
    tree = draw_tree(files, {"README.md": 40, "src/shop/cart.py": 1200, "src/main.py": 7}, 500)
    assert tree.text == (
        "All 4 files, each with its number of tokens.\n"
        "src/\n"
        " shop/\n"
        "  cart.py 1200\n"
        "  prices.py\n"
        " main.py 7\n"
        "README.md 40"
    )
    assert (tree.level, tree.files, tree.shown) == ("full", 4, 4)


def test_twenty_thousand_files_in_one_folder_are_cut_to_fit() -> None:
    tree = draw_tree(make_files([f"file{number:05}.py" for number in range(20_000)]), {}, 1000)
    assert tree.level == "shallow"
    assert 200 < tree.shown < 400
    assert tree.tokens <= 1000


def test_an_empty_project_has_an_empty_tree() -> None:
    assert draw_tree([], {}, 100).text == "All 0 files, each with its number of tokens."
