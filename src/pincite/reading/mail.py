"""Read messages (.eml, .mht): sender, recipients, date, body, and the names of attachments."""

from collections.abc import Iterator
from datetime import datetime
from email import message_from_bytes
from email.header import decode_header
from email.message import Message
from email.policy import Compat32
from email.utils import parsedate_to_datetime

from pincite.reading import html_blocks
from pincite.reading.document_draft import Draft
from pincite.reading.encoding import decode_text, normalise_line_ends
from pincite.reading.html import decode_page
from pincite.reading.plain_text import find_paragraphs
from pincite.reading.source import Source
from pincite.types import Document

MAX_DEPTH = 5
LONGEST_HEADER = 20_000  # characters; the standard library's time grows with the square of a header's length
READ_IN = frozenset({"text/plain", "text/markdown", "text/csv", "text/html", "text/calendar"})


def read(source: Source) -> Document:
    """Read a message; its subject is the title and first heading."""
    data = source.path.read_bytes().lstrip(b"\r\n")
    policy = _ShortHeaders()
    message = message_from_bytes(data, policy=policy)
    draft = Draft(source.limits)
    _write_message(message, draft, 1)
    if policy.cut:
        draft.problem(
            f"{policy.cut:,} headers are long: only the first {LONGEST_HEADER:,} characters of each are read."
        )
    sent = _read_sent_date(message)
    metadata = {
        "author": _read_header(message, "From"),
        "to": _read_header(message, "To"),
        "date": sent.date().isoformat() if sent else "",
        "message_id": _read_header(message, "Message-ID"),
    }
    return draft.document(
        "email", _read_header(message, "Subject"), {key: value for key, value in metadata.items() if value}
    )


class _ShortHeaders(Compat32):
    """A policy that cuts long headers, based on the one that never fails on malformed headers, as newer ones do."""

    cut = 0

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        if len(value) > LONGEST_HEADER:
            object.__setattr__(self, "cut", self.cut + 1)  # a policy is declared immutable
        return name, value[:LONGEST_HEADER]


def _write_message(message: Message, draft: Draft, depth: int) -> None:
    draft.add(_read_header(message, "Subject"), "heading", depth)
    lines = [f"{name}: {value}" for name in ("From", "To", "Cc", "Date") if (value := _read_header(message, name))]
    draft.add("\n".join(lines))
    parts = list(_list_parts(message))
    bodies = [part for part in parts if not part.get_filename() and not _is_attached(part)]
    plain = [part for part in bodies if part.get_content_type() == "text/plain"]
    chosen = (
        plain
        if any(_read_text(part).strip() for part in plain)
        else [p for p in bodies if p.get_content_type() == "text/html"]
    )
    for part in chosen:
        _write_text(part, draft)
    written, shown = {id(part) for part in chosen}, {id(part) for part in bodies}
    for part in parts:
        if id(part) in written or (id(part) in shown and part.get_content_maintype() in ("text", "multipart")):
            continue
        _write_attachment(part, draft, depth)


def _list_parts(message: Message) -> Iterator[Message]:
    """Yield the leaves of a message; an embedded message is one leaf."""
    payload = message.get_payload()
    if message.get_content_maintype() == "multipart" and isinstance(payload, list):
        for part in payload:
            if isinstance(part, Message):
                yield from _list_parts(part)
    else:
        yield message


def _is_attached(part: Message) -> bool:
    return str(part.get("Content-Disposition", "")).strip().lower().startswith("attachment")


def _write_attachment(part: Message, draft: Draft, depth: int) -> None:
    payload = part.get_payload()
    if part.get_content_type() == "message/rfc822" and isinstance(payload, list) and payload:
        if depth >= MAX_DEPTH:
            draft.problem(f"Messages within messages are read to a depth of {MAX_DEPTH}; a deeper one is left out.")
        elif isinstance(payload[0], Message):
            _write_message(payload[0], draft, depth + 1)
        return
    name = _decode_words(str(part.get_filename() or "")) or part.get_content_type()
    draft.add(f"Attachment: {' '.join(name.split())}")
    if part.get_content_type() in READ_IN:
        _write_text(part, draft)


def _write_text(part: Message, draft: Draft) -> None:
    if part.get_content_type() == "text/html":
        root = html_blocks.parse_html(_read_text(part))
        if root is not None:
            html_blocks.write_blocks(root, draft)
        return
    text = _read_text(part)
    for start, end in find_paragraphs(text):
        draft.add(text[start:end])


def _read_text(part: Message) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    charset = part.get_content_charset() or ""
    return (
        decode_page(data)
        if not charset and part.get_content_type() == "text/html"
        else normalise_line_ends(decode_text(data, charset))
    )


def _read_header(message: Message, name: str) -> str:
    # The raw value: the lookup by name would replace raw bytes with question marks.
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return " ".join(_decode_words(raw).split())


def _decode_words(value: str) -> str:
    """Decode a header's words, including raw bytes, which the standard forbids."""
    try:
        pieces = decode_header(value)
    except (ValueError, LookupError):
        pieces = [(value, None)]
    words = [
        decode_text(piece, charset or "")
        if isinstance(piece, bytes)
        else decode_text(piece.encode("utf-8", "surrogateescape"))
        for piece, charset in pieces
    ]
    return "".join(words)


def _read_sent_date(message: Message) -> datetime | None:
    try:
        return parsedate_to_datetime(str(message.get("Date", "")))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
