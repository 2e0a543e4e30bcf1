"""Why a passage was found in part, or was not found: sentences for the person who asked, each from a counted fact."""

from collections.abc import Collection

from pincite.evidence.concordance import Concordance
from pincite.evidence.locate import Location


def diagnose(concordance: Concordance, text: str, location: Location, pages: Collection[int] = ()) -> list[str]:
    """What is odd about how a passage was located, in sentences to act on; none when all is well."""
    return []
