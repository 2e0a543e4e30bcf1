"""Messages and rich text."""

from random import Random

from tests.hostile.kinds import kind, words

HEAD = b"From: a@example.org\nTo: b@example.org\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n"


@kind("eml", 500, 8_000)
def mail_parts(chance: Random, size: int) -> bytes:
    part = b"--b\nContent-Type: text/plain\n\nword\n"
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + part * size + b"--b--\n"


@kind("eml", 500, 8_000)
def mail_attachments(chance: Random, size: int) -> bytes:
    part = b"--b\nContent-Type: image/png; name=a.png\nContent-Disposition: attachment\n\nAAAA\n"
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + part * size + b"--b--\n"


@kind("eml", 1_000, 24_000)
def mail_encoded_words(chance: Random, size: int) -> bytes:
    return HEAD + b"Subject: " + b"=?utf-8?q?caf=C3=A9?= " * size + b"\n\nword\n"


@kind("eml", 1_000, 12_000)
def mail_folded_words(chance: Random, size: int) -> bytes:
    return HEAD + b"Subject:" + b" =?utf-8?b?w6k=?=\n" * size + b"\nword\n"


@kind("eml", 1_000, 16_000)
def mail_headers(chance: Random, size: int) -> bytes:
    return HEAD + b"".join(b"X-A%d: b\n" % place for place in range(size)) + b"\nword\n"


@kind("eml", 20_000, 400_000)
def mail_open_encoding(chance: Random, size: int) -> bytes:
    return HEAD + b"Subject: =?utf-8?q?" + b"=?a" * (size // 3) + b"\n\nword\n"


@kind("eml", 60, 5_000, is_steady=False)
def mail_deep_parts(chance: Random, size: int) -> bytes:
    opened = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (d, d) for d in range(size))
    return HEAD + opened + b"Content-Type: text/plain\n\nword\n"


@kind("eml", 60, 5_000, is_steady=False)
def mail_in_mail(chance: Random, size: int) -> bytes:
    return HEAD + b"Content-Type: message/rfc822\n\nSubject: a\n" * size + b"\nword\n"


@kind("eml", 5_000, 60_000)
def mail_parameters(chance: Random, size: int) -> bytes:
    fields = b"".join(b" a*%d=b;\n" % place for place in range(size // 4))
    return HEAD + b"Content-Type: text/plain;\n" + fields + b" charset=utf-8\n\nword\n"


@kind("eml", 3_000, 40_000)
def mail_boundaries(chance: Random, size: int) -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n" * size


@kind("eml", 500, 3_000)
def mail_pages(chance: Random, size: int) -> bytes:
    part = b"--b\nContent-Type: text/html\n\n<p>word</p>\n"
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + part * size + b"--b--\n"


@kind("eml", 20_000, 400_000)
def mail_broken_base64(chance: Random, size: int) -> bytes:
    body = b"=" * (size // 2) + b"AAA!" * (size // 8)
    return HEAD + b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + body


@kind("eml", 5_000, 80_000)
def mail_addresses(chance: Random, size: int) -> bytes:
    return b"To: " + b"(a" * size + b"\n" + HEAD + b"Date: " + b"Mon, " * size + b"\n\nword\n"


@kind("rtf", 3_000, 200_000, is_steady=False)
def rtf_deep_groups(chance: Random, size: int) -> bytes:
    return b"{\\rtf1 " + b"{\\b " * size + b"word" + b"}" * size + b"}"


@kind("rtf", 20_000, 200_000)
def rtf_groups(chance: Random, size: int) -> bytes:
    return b"{\\rtf1 " + b"{\\b a}" * size + b"}"


@kind("rtf", 10_000, 160_000)
def rtf_characters(chance: Random, size: int) -> bytes:
    return b"{\\rtf1 " + b"\\u233?\\'e9" * size + b"}"


@kind("rtf", 10_000, 120_000)
def rtf_style_names(chance: Random, size: int) -> bytes:
    return b"{\\rtf1{\\stylesheet{\\s1 " + b"a\\b " * size + b";}}\\s1 word\\par}"


@kind("rtf", 5_000, 80_000)
def rtf_cells(chance: Random, size: int) -> bytes:
    return b"{\\rtf1\\trowd\\intbl " + b"a\\cell " * size + b"\\row\\pard end\\par}"


@kind("rtf", 3_000, 32_000)
def rtf_rows(chance: Random, size: int) -> bytes:
    return b"{\\rtf1 " + b"\\trowd\\intbl a\\cell b\\cell\\row\n" * size + b"}"


@kind("rtf", 3_000, 32_000)
def rtf_notes(chance: Random, size: int) -> bytes:
    return b"{\\rtf1 " + b"a{\\footnote b}\\par\n" * size + b"}"


@kind("rtf", 3_000, 40_000)
def rtf_margins(chance: Random, size: int) -> bytes:
    return b"{\\rtf1 " + b"".join(b"{\\header head %d}" % place for place in range(size)) + b" word}"


@kind("rtf", 20_000, 400_000)
def rtf_picture(chance: Random, size: int) -> bytes:
    return b"{\\rtf1{\\pict " + b"0f" * size + b"}{\\*\\x " + b"\\y" * (size // 4) + b"} word}"


@kind("rtf", 3_000, 40_000)
def rtf_list(chance: Random, size: int) -> bytes:
    return b"{\\rtf1 " + b"{\\listtext 1.}\\li720 a\\par\n" * size + words(chance, 5).encode("latin-1") + b"}"
