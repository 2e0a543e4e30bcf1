"""Recognise binary files by their first bytes: pictures, and formats that are not supported."""

import mmap
from dataclasses import dataclass
from pathlib import Path

_ARCHIVE = "Unpack it and add the folder."
_MEDIA = "Add a transcript of it as text."
_PROGRAM = "Only documents are read."
_PICTURE = "Save it as PNG or JPEG."
_OFFICE = "Save it as .docx, .xlsx or .pptx, or as PDF."


@dataclass(frozen=True, slots=True)
class ForeignFormat:
    """An unsupported format: its name with an article, and a hint."""

    name: str
    hint: str
    encrypted: bool = False


_STARTS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "a gzip archive", _ARCHIVE),
    (b"BZh", "a bzip2 archive", _ARCHIVE),
    (b"\xfd7zXZ\x00", "an xz archive", _ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _ARCHIVE),
    (b"Rar!\x1a\x07", "a RAR archive", _ARCHIVE),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _ARCHIVE),
    (b"PK\x05\x06", "an empty ZIP archive", "Pack it again with its files."),
    (b"PK\x07\x08", "a part of a split ZIP archive", _ARCHIVE),
    (b"\x7fELF", "a program", _PROGRAM),
    (b"MZ", "a Windows program", _PROGRAM),
    (b"\xcf\xfa\xed\xfe", "a program", _PROGRAM),
    (b"\xce\xfa\xed\xfe", "a program", _PROGRAM),
    (b"\xca\xfe\xba\xbe", "a program", _PROGRAM),
    (b"\x00asm", "a WebAssembly program", _PROGRAM),
    (b"ID3", "an audio file", _MEDIA),
    (b"\xff\xfb", "an audio file", _MEDIA),
    (b"\xff\xf3", "an audio file", _MEDIA),
    (b"fLaC", "an audio file", _MEDIA),
    (b"OggS", "an audio or video file", _MEDIA),
    (b"\x1aE\xdf\xa3", "a video", _MEDIA),
    (b"\x00\x00\x01\xba", "a video", _MEDIA),
    (b"FLV\x01", "a video", _MEDIA),
    (b"SQLite format 3\x00", "a SQLite database", "Export the tables as CSV."),
    (b"PAR1", "a Parquet table", "Export it as CSV."),
    (b"%!PS", "a PostScript file", "Convert it to PDF."),
    (b"AT&TFORM", "a DjVu file", "Convert it to PDF."),
    (b"8BPS", "a Photoshop picture", _PICTURE),
    (b"\x00\x00\x00\x0cjP  ", "a JPEG 2000 picture", _PICTURE),
    (b"\x00\x00\x01\x00", "an icon", _PICTURE),
    (b"wOFF", "a font", _PROGRAM),
    (b"wOF2", "a font", _PROGRAM),
    (b"OTTO", "a font", _PROGRAM),
    (b"\x00\x01\x00\x00\x00", "a font", _PROGRAM),
    (b"!BDN", "an Outlook mail store", "Export the messages as .eml."),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def is_image(head: bytes) -> bool:
    """Return whether the bytes begin a picture in a supported format."""
    return (
        head.startswith(
            (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*", b"II+\x00")
        )
        or (head[:4] == b"RIFF" and head[8:12] == b"WEBP")
        or (
            head[:2] == b"BM"
            and head[6:10] == b"\0\0\0\0"
            and head[14:18] in (b"(\0\0\0", b"l\0\0\0", b"|\0\0\0", b"\x0c\0\0\0")
        )
    )


def identify_foreign(path: Path, head: bytes) -> ForeignFormat | None:
    """Return the format of a file that is known but not supported, or None."""
    if head.startswith(_OLE):
        return _identify_ole(path)
    if head[4:8] == b"ftyp":
        picture = head[8:12] in (b"heic", b"heix", b"mif1", b"avif", b"hevc")
        return (
            ForeignFormat("a HEIC or AVIF picture", _PICTURE)
            if picture
            else ForeignFormat("a video or audio file", _MEDIA)
        )
    if head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"AVI "):
        return ForeignFormat("an audio or video file", _MEDIA)
    if head[257:262] == b"ustar":
        return ForeignFormat("a tar archive", _ARCHIVE)
    for start, name, hint in _STARTS:
        # Two letters may begin a sentence too; a program also contains zeros.
        if head.startswith(start) and (len(start) > 3 or not head.isascii() or b"\0" in head):
            return ForeignFormat(name, hint)
    return None


def _identify_ole(path: Path) -> ForeignFormat:
    streams = (
        (
            "EncryptedPackage",
            ForeignFormat("an encrypted office file", "Save a copy without the password.", encrypted=True),
        ),
        (
            "WordDocument",
            ForeignFormat("an old Word document (.doc)", "Open it in Word or LibreOffice and save as .docx."),
        ),
        (
            "Workbook",
            ForeignFormat("an old Excel workbook (.xls)", "Open it in Excel or LibreOffice and save as .xlsx."),
        ),
        ("PowerPoint Document", ForeignFormat("an old presentation (.ppt)", "Open it and save as .pptx.")),
        ("__substg1.0_", ForeignFormat("an Outlook message (.msg)", "Save the message as .eml.")),
    )
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for stream, known in streams:
            if data.find(stream.encode("utf-16-le")) >= 0:
                return known
    return ForeignFormat("an old office file", _OFFICE)
