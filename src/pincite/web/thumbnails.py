"""Small pictures of the gallery: the bytes of any picture to a JPEG drawn anew.

The bytes alone say what a picture is; scripts, metadata and further frames are left out.
"""

import io
import struct

from PIL import Image, ImageOps, UnidentifiedImageError

from pincite.errors import TooLarge, Unsupported

MOST_PIXELS = 24_000_000
WIDEST = 480  # pixels of either side
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF")
_QUALITY = 82
_ELSEWHERE = "Open the page it is on."
# Decoders raise these over bytes that do not add up.
_DAMAGE = (OSError, ValueError, SyntaxError, EOFError, LookupError, ArithmeticError, TypeError, struct.error)


def make_thumbnail(given: bytes) -> bytes:
    """A picture's bytes as a JPEG no larger than `WIDEST`, its first frame, upright and on white."""
    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(given), formats=_FORMATS) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise _too_large(f"has over {MOST_PIXELS // 1_000_000} million pixels")
            # Colours of a palette cannot be mixed, and transparent pixels would become black.
            is_clear = picture.mode in ("P", "PA", "LA", "RGBA") or "transparency" in picture.info
            shown = picture.convert("RGBA") if is_clear else picture
            shown.thumbnail((WIDEST, WIDEST))  # a JPEG is not even decoded larger than is needed
            shown = ImageOps.exif_transpose(shown)
            if is_clear:
                shown = Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown)
            shown.convert("RGB").save(out, "JPEG", quality=_QUALITY)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_large("has too many pixels") from None
    except UnidentifiedImageError:
        raise Unsupported("What is there is not a picture that is shown.", _ELSEWHERE) from None
    except _DAMAGE:
        raise Unsupported("The picture is damaged.", _ELSEWHERE) from None
    return out.getvalue()


def _too_large(how: str) -> TooLarge:
    return TooLarge(f"The picture {how}.", _ELSEWHERE)
