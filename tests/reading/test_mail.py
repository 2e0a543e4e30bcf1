from email.message import EmailMessage
from pathlib import Path

from tests.files import headings, message, of_kind, read_bytes


def test_a_message_tells_subject_people_day_and_body(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.eml", message())
    assert document.title == "Réunion du 3 février"
    assert headings(document) == [(1, "Réunion du 3 février")]
    assert document.metadata["author"] == "Éric Noël <eric@example.org>"
    assert document.metadata["date"] == "2023-02-03"
    assert of_kind(document, "paragraph") == [
        "From: Éric Noël <eric@example.org>\nTo: zoe@example.org\nDate: Fri, 03 Feb 2023 10:00:00 +0100",
        "Bonjour Zoé,",
        "la réunion est déplacée à demain.",
    ]


def test_plain_text_is_preferred_to_its_html_twin(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"], mail["To"] = "a@b.c", "x", "d@e.f"
    mail.set_content("le texte")
    mail.add_alternative("<p>la page</p>", subtype="html")
    text = read_bytes(tmp_path, "a.eml", mail.as_bytes()).text
    assert "le texte" in text
    assert "la page" not in text


def test_a_message_of_html_alone_is_read_as_a_page(tmp_path: Path) -> None:
    assert of_kind(read_bytes(tmp_path, "a.eml", message(html=True)), "paragraph")[1:] == ["Bonjour Zoé,", "à demain."]


def test_attachments_are_named_and_those_of_text_are_read_in(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"], mail["To"] = "a@b.c", "x", "d@e.f"
    mail.set_content("voir ci-joint")
    mail.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="contrat signé.pdf")
    mail.add_attachment("la note jointe", filename="note.txt")
    inner = EmailMessage()
    inner["Subject"], inner["From"] = "Le message transmis", "z@z.z"
    inner.set_content("le corps transmis")
    mail.add_attachment(inner)
    document = read_bytes(tmp_path, "a.eml", mail.as_bytes())
    paragraphs = of_kind(document, "paragraph")
    assert "Attachment: contrat signé.pdf" in paragraphs
    assert paragraphs[paragraphs.index("Attachment: note.txt") + 1] == "la note jointe"
    assert (2, "Le message transmis") in headings(document)
    assert paragraphs[-1] == "le corps transmis"


def test_raw_and_misnamed_encodings_are_read(tmp_path: Path) -> None:
    head = "From: Zoé <z@z.z>\r\nSubject: Été\r\nTo: a@b.c\r\nContent-Type: text/plain; charset=x-unknown\r\n\r\n"
    document = read_bytes(tmp_path, "a.eml", head.encode() + "À bientôt, où que ce soit.".encode("cp1252"))
    assert document.title == "Été"
    assert document.text.endswith("À bientôt, où que ce soit.")
