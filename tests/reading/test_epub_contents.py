from pathlib import Path

import pytest
from tests.files import CONTAINER, headings, of_kind, read_bytes, zipped

CHAPTERS = {
    "one": "<p class='big'>Chapter One</p><p>It was dark.</p><a id='s1'></a><p>Deep.</p><h3>A minor thing</h3>",
    "two": "<div id='c'><h2>2. The Storm</h2></div><p>Rain.</p>",
}
NCX = """<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>
<navPoint><navLabel><text>Chapter One</text></navLabel><content src="one.xhtml"/>
<navPoint><navLabel><text>In the cellar</text></navLabel><content src="one.xhtml#s1"/></navPoint></navPoint>
<navPoint><navLabel><text>The Storm</text></navLabel><content src="two.xhtml#c"/></navPoint></navMap></ncx>"""
NAV = """<html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="landmarks"><ol><li><a href="two.xhtml">
Start</a></li></ol></nav><nav epub:type="toc"><ol><li><a href="one.xhtml">Chapter One</a><ol><li><a
href="one.xhtml#s1">In the cellar</a></li></ol></li><li><a href="two.xhtml#c">The Storm</a></li></ol></nav></body>
</html>"""


def book(ncx: str = "", nav: str = "") -> bytes:
    html = 'media-type="application/xhtml+xml"'
    items = "".join(f'<item id="{name}" href="{name}.xhtml" {html}/>' for name in CHAPTERS)
    items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' if ncx else ""
    items += f'<item id="nav" href="nav.xhtml" {html} properties="nav"/>' if nav else ""
    spine = "".join(f'<itemref idref="{name}"/>' for name in CHAPTERS)
    package = f"""<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest>
    <spine toc="ncx">{spine}</spine></package>"""
    members: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": package,
        **{f"OEBPS/{name}.xhtml": f"<html><body>{body}</body></html>" for name, body in CHAPTERS.items()},
    }
    return zipped(members | ({"OEBPS/toc.ncx": ncx} if ncx else {}) | ({"OEBPS/nav.xhtml": nav} if nav else {}))


@pytest.mark.parametrize(
    "made", [book(ncx=NCX), book(nav=NAV), book(ncx="<broken", nav=NAV)], ids=["ncx", "nav", "both"]
)
def test_headings_come_from_the_contents_at_their_levels(tmp_path: Path, made: bytes) -> None:
    document = read_bytes(tmp_path, "a.epub", made)
    assert headings(document) == [(1, "Chapter One"), (2, "In the cellar"), (5, "A minor thing"), (1, "2. The Storm")]
    assert of_kind(document, "paragraph") == ["It was dark.", "Deep.", "Rain."]


def test_without_contents_a_books_own_headings_stay(tmp_path: Path) -> None:
    assert headings(read_bytes(tmp_path, "a.epub", book())) == [(3, "A minor thing"), (2, "2. The Storm")]
    broken = read_bytes(tmp_path, "a.epub", book(ncx="<ncx"))
    assert headings(broken) == [(3, "A minor thing"), (2, "2. The Storm")]
