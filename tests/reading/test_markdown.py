from pathlib import Path

from tests.files import headings, of_kind, read_bytes

SOURCE = """---
title: "Le guide"
author: Zoé
date: 2023-05-06 10:00
tags: [a, b]
---
# Le grand *titre* #

Un paragraphe
sur deux lignes.

Sous-titre
----------

- un
- deux

  suite

1. premier

| a | b |
|---|---|
| 1 | 2 |

```python
# not a heading
x = 1
```

[lien]: https://example.org/page

### Fin
"""


def test_the_text_is_the_source_and_headings_are_their_words(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.md", SOURCE.encode())
    assert document.text == SOURCE
    assert headings(document) == [(1, "Le grand *titre*"), (2, "Sous-titre"), (3, "Fin")]


def test_lists_tables_and_code_are_known_as_such(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.md", SOURCE.encode())
    assert of_kind(document, "list") == ["- un\n- deux\n\n  suite", "1. premier"]
    assert of_kind(document, "table") == ["| a | b |\n|---|---|\n| 1 | 2 |"]
    assert of_kind(document, "code") == ["```python\n# not a heading\nx = 1\n```"]


def test_text_that_the_grammar_does_not_show_is_kept(tmp_path: Path) -> None:
    assert "[lien]: https://example.org/page" in of_kind(read_bytes(tmp_path, "a.md", SOURCE.encode()), "paragraph")


def test_front_matter_gives_title_author_and_day(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.md", SOURCE.encode())
    assert document.title == "Le guide"
    assert document.metadata == {"author": "Zoé", "date": "2023-05-06"}
    assert of_kind(document, "header")[0].startswith("---\ntitle")


def test_a_rule_at_the_top_is_no_front_matter(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.md", b"---\n\n# Un\n\ntexte\n")
    assert headings(document) == [(1, "Un")]
    assert document.title == "Un"


def test_a_setext_heading_of_two_lines_is_whole(tmp_path: Path) -> None:
    assert headings(read_bytes(tmp_path, "a.md", b"Un\ndeux\n====\n\nx")) == [(1, "Un\ndeux")]
