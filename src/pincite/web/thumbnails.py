"""Draw thumbnails for the gallery: convert the bytes of a picture to a new JPEG.

The format is recognised from the bytes alone. Scripts, metadata and further frames are dropped.
"""

import io
import struct

from PIL import Image, ImageOps, UnidentifiedImageError

from pincite.errors import TooLarge, Unsupported

MOST_PIXELS = 24_000_000
WIDEST = 480  # pixels on the longer side
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF")
_QUALITY = 82
_ELSEWHERE = "Open the page it is on."
# Decoders raise these errors for damaged bytes.
_DAMAGE = (OSError, ValueError, SyntaxError, EOFError, LookupError, ArithmeticError, TypeError, struct.error)


def make_thumbnail(given: bytes) -> bytes:
    """Return the first frame of a picture as a JPEG of at most `WIDEST` pixels, upright, on white."""
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(given), formats=_FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise _make_size_error(f"has over {MOST_PIXELS // 1_000_000} million pixels")
            # Palette colours cannot be interpolated, and transparent pixels would become black.
            is_clear = picture.mode in ("P", "PA", "LA", "RGBA") or "transparency" in picture.info
            shown = picture.convert("RGBA") if is_clear else picture
            shown.thumbnail((WIDEST, WIDEST))  # this also limits the size at which a JPEG is decoded
            shown = ImageOps.exif_transpose(shown)
            if is_clear:
                shown = Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown)
            shown.convert("RGB").save(out, "JPEG", quality=_QUALITY)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _make_size_error("has too many pixels") from None
    except UnidentifiedImageError:
        raise Unsupported("The file is not a picture in a supported format.", _ELSEWHERE) from None
    except _DAMAGE:
        raise Unsupported("The picture is damaged.", _ELSEWHERE) from None
    return out.getvalue()


def _make_size_error(how: str) -> TooLarge:
    return TooLarge(f"The picture {how}.", _ELSEWHERE)
