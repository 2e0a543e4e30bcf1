"""The framework's limits of a run, for servers that do not say what a request cost."""

import warnings

import pydantic_ai
from pydantic_ai.exceptions import UsageExtractionFailedWarning
from pydantic_ai.usage import RunUsage, UsageLimits

pydantic_ai.BANNER_ENABLED = False  # the terminal is the asker's, not the framework's
# A server may also send a usage without figures.
warnings.filterwarnings("ignore", category=UsageExtractionFailedWarning)


class Limits(UsageLimits):
    """Counts what is known. A server that sends no usage is usual here, so it gives no Python warning."""

    def _warn_if_usage_unavailable(self, usage: RunUsage) -> None:
        pass
