"""Draw a picture of an Office file again, as WebP: nothing of its own bytes is kept."""

import io
import struct

from pincite.errors import TooLarge, Unsupported
from pincite.reading import zip_container
from pincite.reading.source import Source

WIDEST = 1_600  # pixels on the longer side
_MOST_PIXELS = 40_000_000
_MOST_BYTES = 40_000_000
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
_QUALITY = 85
_ELSEWHERE = "Open the original file."
# Decoders raise these errors for damaged bytes.
_DAMAGE = (OSError, ValueError, SyntaxError, EOFError, LookupError, ArithmeticError, TypeError, struct.error)


def draw_picture(source: Source, number: int) -> bytes:
    """Return the first frame of the picture that is the member with this number, from 0, of a container."""
    from PIL import Image, UnidentifiedImageError

    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(_read_member(source, number)), formats=_FORMATS) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                raise TooLarge(f"The picture has over {_MOST_PIXELS // 1_000_000} million pixels.", _ELSEWHERE)
            is_clear = picture.mode in ("P", "PA", "LA", "RGBA") or "transparency" in picture.info
            shown = picture.convert("RGBA" if is_clear else "RGB")
            shown.thumbnail((WIDEST, WIDEST))
            shown.save(out, "WEBP", quality=_QUALITY, exif=b"", icc_profile=b"")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise TooLarge("The picture has too many pixels.", _ELSEWHERE) from None
    except UnidentifiedImageError:
        raise Unsupported("The picture is of a kind that cannot be shown.", _ELSEWHERE) from None
    except _DAMAGE:
        raise Unsupported("The picture is damaged.", _ELSEWHERE) from None
    return out.getvalue()


def _read_member(source: Source, number: int) -> bytes:
    with zip_container.open_zip(source.path, source.name) as package:
        members = package.infolist()
        if not 0 <= number < len(members):
            raise Unsupported("The file has no such picture.", _ELSEWHERE)
        if members[number].file_size > _MOST_BYTES:
            raise TooLarge(f"The picture has over {_MOST_BYTES // 1_000_000} MB.", _ELSEWHERE)
        with package.open(members[number]) as member:
            return member.read(_MOST_BYTES + 1)[:_MOST_BYTES]
