import socket
from pathlib import Path

import pytest
from tests.files import ARTICLE, headings, of_kind, page, read_bytes

PROSE = "Les marées sont prévues plusieurs années à l'avance par les services hydrographiques de chaque pays. " * 3


def test_the_main_content_is_kept_with_its_structure(tmp_path: Path) -> None:
    body = (
        f"<nav><a href=/>Accueil</a></nav><article><h1>La marée</h1><p>{PROSE}</p><h2>Causes</h2><p>{PROSE}</p>"
        "<ul><li>la lune</li><li>le soleil</li></ul><table><tr><th>Port</th><th>Hauteur</th></tr>"
        "<tr><td>Brest</td><td>7,5</td></tr></table><pre>h = a\n  + b</pre>"
        "<blockquote><p>Citation.</p></blockquote></article>"
    )
    document = read_bytes(tmp_path, "a.html", page(body))
    assert headings(document) == [(1, "La marée"), (2, "Causes")]
    assert of_kind(document, "list") == ["- la lune\n- le soleil"]
    assert of_kind(document, "table") == ["Port\tHauteur\nBrest\t7,5"]
    assert of_kind(document, "code") == ["h = a\n  + b"]
    assert "Citation." in of_kind(document, "paragraph")
    assert "Accueil" not in document.text


def test_a_page_tells_its_author_day_address_and_site(tmp_path: Path) -> None:
    head = (
        "<title>La marée - Le Port</title><meta name=author content='Zoé Lefèvre'><link rel=canonical href='https://ex.org/m'>"
        "<meta property='og:title' content='La marée'><meta property='og:site_name' content='Le Port'>"
        "<meta property='article:published_time' content='2023-05-06T10:00:00Z'>"
    )
    document = read_bytes(tmp_path, "a.html", page(f"<article><p>{PROSE}{PROSE}</p></article>", head))
    assert document.title == "La marée"
    about = document.metadata
    assert (about["author"], about["date"], about["url"], about["site"]) == (
        "Zoé Lefèvre",
        "2023-05-06",
        "https://ex.org/m",
        "Le Port",
    )
    assert document.language == "fr"
    assert headings(document) == [(1, "La marée")]


@pytest.mark.parametrize(
    "body",
    [
        "Bonjour.",
        "<div>Bonjour.</div>",
        "<nav>Bonjour.</nav>",
        "<table><tr><td><p>Bonjour.</td></tr></table>",
        "<li>Bonjour.",
    ],
)
def test_a_page_with_visible_text_is_never_empty(tmp_path: Path, body: str) -> None:
    document = read_bytes(tmp_path, "a.html", page(body + "<script>var hidden</script><p style='display: none'>caché"))
    assert "Bonjour." in document.text
    assert "hidden" not in document.text
    assert "caché" not in document.text


@pytest.mark.parametrize("hiding", ["hidden", "style='display: none'", "hidden aria-hidden=true style='display:none'"])
@pytest.mark.parametrize(
    "question",
    [
        "<h3>{}</h3><div {}>{}</div>",
        "<button aria-expanded=false>{}</button><div {} class=panel>{}</div>",
        "<h3><button>{}</button></h3><div {}>{}</div>",
        "<div class=row><span role=button>{}</span></div><section {}>{}</section>",
        "<div aria-controls=p1 tabindex=0>{}</div><hr><div id=p1 {}>{}</div>",
        "<p>{}</p><div role=tabpanel {}>{}</div>",
    ],
)
@pytest.mark.parametrize("around", ["", f"<p>{PROSE}</p>" * 4])
def test_the_hidden_answers_that_a_page_opens_are_read(tmp_path: Path, hiding: str, question: str, around: str) -> None:
    asked = question.format("Puis-je rendre un vélo ?", hiding, "<p>Oui, dans les trente jours.</p>")
    document = read_bytes(tmp_path, "a.html", page(f"<main><h1>Aide</h1>{around}{asked}{around}</main>"))
    assert document.text.index("Puis-je rendre un vélo ?") < document.text.index("Oui, dans les trente jours.")
    assert document.problems == ()


def test_words_that_a_page_hides_and_nothing_opens_are_counted(tmp_path: Path) -> None:
    hidden = "<p>Il pleut.</p><p hidden>Ne lisez pas ceci.</p><div style='visibility:hidden'>" + PROSE + "</div>"
    document = read_bytes(tmp_path, "a.html", page(f"<article><p>{PROSE}</p>{hidden}<p>{PROSE}</p></article>"))
    assert document.problems == ("The page hides 45 words that nothing on it opens: they are left out.",)
    assert "Ne lisez pas" not in document.text


def test_menus_that_a_page_hides_stay_hidden(tmp_path: Path) -> None:
    links = "<li><a href=/x>Accueil de la boutique</a>" * 12
    menu = f"<button aria-controls=m>Menu</button><nav id=m hidden>{PROSE}</nav>"
    menu += f"<button>Plus</button><ul hidden>{links}</ul>"
    dialog = f"<button>Compte</button><div role=dialog hidden>{PROSE}</div><h3>Chercher</h3><p hidden>Mot <input></p>"
    document = read_bytes(tmp_path, "a.html", page(f"{menu}<main><p>Bonjour à tous.</p>{dialog}</main>"))
    assert document.text == "Menu\n\nPlus\n\nBonjour à tous.\n\nCompte\n\nChercher"
    assert document.problems == ()


def test_the_encoding_is_taken_from_the_page(tmp_path: Path) -> None:
    russian = (
        page("<p>" + "Привет, мир. Это обычный текст на странице." * 5, "<meta charset=windows-1251>")
        .decode()
        .encode("cp1251")
    )
    assert "Привет, мир" in read_bytes(tmp_path, "a.html", russian).text
    french = page(
        "<p>Été à Noël</p>", '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">'
    ).decode()
    assert "Été à Noël" in read_bytes(tmp_path, "a.html", french.encode("latin-1")).text
    assert "Été à Noël" in read_bytes(tmp_path, "a.html", french.encode()).text


def test_xhtml_with_a_declaration_is_read(tmp_path: Path) -> None:
    data = (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" lang="fr"><p>Été</p></html>'
    )
    document = read_bytes(tmp_path, "a.html", data.encode())
    assert document.text == "Été"
    assert document.language == "fr"


def test_a_long_page_without_main_content_is_shown_whole(tmp_path: Path) -> None:
    body = "".join(f"<nav><a href='/{n}'>Rubrique numéro {n}</a></nav>" for n in range(80))
    assert "Rubrique numéro 79" in read_bytes(tmp_path, "a.html", page(body)).text


def test_of_a_short_page_its_own_words_are_read_and_not_its_menus(tmp_path: Path) -> None:
    own = "<main><h1>Town hall</h1><p>The town hall opens at nine o'clock on weekdays.</p></main><p>Or ring.</p>"
    wall = "<div id=cookie-bar><p>We use cookies.</p><button>Accept</button></div>"
    around = f"<nav><a href=/>Home</a></nav>{wall}{{0}}<aside>Related</aside><footer>Imprint</footer>"
    document = read_bytes(tmp_path, "a.html", page(around.format(own)))
    assert document.text == "Town hall\n\nThe town hall opens at nine o'clock on weekdays.\n\nOr ring."
    assert "Home" in read_bytes(tmp_path, "b.html", page(around.format(""))).text


def test_no_page_reaches_for_the_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    data = ARTICLE.replace(
        b"<head>", b"<head><link rel=stylesheet href='http://example.org/a.css'><base href='http://example.org'>"
    )
    assert (
        "attraction"
        in read_bytes(
            tmp_path, "a.html", data.replace(b"<article>", b"<article><img src='http://example.org/a.png'>")
        ).text
    )


def test_the_day_of_a_page_is_the_one_it_was_published_on(tmp_path: Path) -> None:
    head = (
        "<meta property='article:modified_time' content='2024-01-02T10:00:00Z'>"
        "<meta property='article:published_time' content='2023-05-06T10:00:00Z'>"
    )
    document = read_bytes(tmp_path, "a.html", page(f"<article><p>{PROSE}{PROSE}</p></article>", head))
    assert document.metadata["date"] == "2023-05-06"


@pytest.mark.parametrize(
    ("named", "heading", "title"),
    [
        ("Les grandes marées de mai - Le Port", "Ouest Presse", "Les grandes marées de mai"),
        ("Les grandes marées de mai - Le Port", "Les grandes marées", "Les grandes marées"),
        ("Le Port", "Les grandes marées de mai", "Les grandes marées de mai"),
        ("", "Les grandes marées", "Les grandes marées"),
    ],
)
def test_a_sites_name_is_not_taken_for_a_pages_title(tmp_path: Path, named: str, heading: str, title: str) -> None:
    body = f"<h1>{heading}</h1><article><p>{PROSE}</p><p>{PROSE}</p></article>"
    assert read_bytes(tmp_path, "a.html", page(body, f"<title>{named}</title>")).title == title


def test_a_title_stands_in_the_text_once(tmp_path: Path) -> None:
    body = f"<article><h2>La marée</h2><p>{PROSE}</p><h2>Causes</h2><p>{PROSE}</p></article>"
    document = read_bytes(tmp_path, "a.html", page(body, "<title>La marée</title>"))
    assert headings(document) == [(1, "La marée"), (2, "Causes")]
    assert document.text.count("La marée") == 1


def test_an_articles_pointers_go_and_its_links_quotations_and_headings_stay(tmp_path: Path) -> None:
    body = (
        f"<article><h1>La marée</h1><p>{PROSE}</p><p>Lire aussi : <a href='/a'>Le port est fermé depuis lundi</a></p>"
        f"<h2><a href='#causes'>Ses causes</a></h2><p>{PROSE}</p><div class='embed'><blockquote class='twitter-tweet'>"
        f"<p>La mer est haute ce matin.</p>— Zoé (@zoe)</blockquote></div><p>{PROSE}</p>"
        "</article>"
    )
    document = read_bytes(tmp_path, "a.html", page(body, "<title>La marée</title>"))
    assert headings(document) == [(1, "La marée"), (2, "Ses causes")]
    assert "La mer est haute ce matin." in document.text
    assert "Lire aussi" not in document.text


@pytest.mark.parametrize("tag", ["h1", "h2"])
def test_a_page_of_a_book_has_its_own_title_and_not_the_books(tmp_path: Path, tag: str) -> None:
    body = f"<h1 class=title>Le livre des ports</h1><main><{tag}>La marée</{tag}><p>{PROSE}</p><p>{PROSE}</p></main>"
    document = read_bytes(tmp_path, "a.html", page(body, "<title>La marée - Le livre des ports</title>"))
    assert document.title == "La marée"


def test_a_listing_in_a_figure_is_read(tmp_path: Path) -> None:
    figure = "<figure><figcaption>Listing 1</figcaption><pre><code>h = a\n  + b</code></pre></figure>"
    document = read_bytes(tmp_path, "a.html", page(f"<main><p>{PROSE}</p>{figure}<p>{PROSE}</p></main>"))
    assert of_kind(document, "code") == ["h = a\n  + b"]


@pytest.mark.parametrize(
    "tags",
    [
        "<title>Tides</title><article><h1>Tides</h1><p>{0}</p></article>",
        "<!doctype html><meta charset=utf-8><title>Tides</title><main><p>{0}</p></main><p>And more.",
        "<head><title>Tides</title><header>Port</header><section><p>{0}</p></section></head><body>Below.</body>",
    ],
)
def test_a_page_may_leave_out_its_body_tag(tmp_path: Path, tags: str) -> None:
    document = read_bytes(tmp_path, "a.html", tags.format(PROSE).encode())
    assert PROSE.strip()[:60] in document.text
    assert document.title == "Tides"
    assert ("And more." in tags) <= ("And more." in document.text)


INDENTED = [
    ("&nbsp;&nbsp;{}", "<td>{}</td>"),
    ("{}", "<td style='padding-left:12pt'>{}</td>"),
    ("{}", "<td><div style='padding-left:18pt;text-indent:-9pt'>{}</div></td>"),
    ("{}", "<td style='padding: 0 0 0 1.5em'>{}</td>"),
]


@pytest.mark.parametrize(("label", "cell"), INDENTED)
@pytest.mark.parametrize("prose", [0, 12])
def test_a_row_label_keeps_its_indentation(tmp_path: Path, label: str, cell: str, prose: int) -> None:
    inner = (cell.format(label.format(name)) for name in ("France", "Spain"))
    rows = ["<td>Europe</td>", *inner, "<td>Asia</td>"]
    table = "".join(f"<tr>{row}<td>{n} millions</td></tr>" for n, row in enumerate(rows, 11))
    text = "".join(
        f"<p>In the year {1900 + n} the harbour of town {n} printed {n * 7} tables.</p>" for n in range(prose)
    )
    body = f"<nav>{'<a href=/x>Some menu</a> ' * 30}</nav><article><h1>Sales</h1>{text}<table>{table}</table></article>"
    lines = read_bytes(tmp_path, "a.html", page(body)).text.split("\n")
    assert [line for line in lines if "millions" in line] == [
        "Europe\t11 millions",
        "  France\t12 millions",
        "  Spain\t13 millions",
        "Asia\t14 millions",
    ]


def test_padding_that_every_row_has_is_no_indentation(tmp_path: Path) -> None:
    rows = "".join(
        f"<tr><td style='padding-left:5px'>{name}</td><td>{len(name)}</td></tr>" for name in ("Asia", "Peru")
    )
    assert "Asia\t4\nPeru\t4" in read_bytes(tmp_path, "a.html", page(f"<table>{rows}</table>")).text
