"""The framework's usage limits, for servers that report no usage."""

import warnings

import pydantic_ai
from pydantic_ai.exceptions import UsageExtractionFailedWarning
from pydantic_ai.usage import RunUsage, UsageLimits

pydantic_ai.BANNER_ENABLED = False  # the framework must not print to the terminal
# A server may also send a usage without figures.
warnings.filterwarnings("ignore", category=UsageExtractionFailedWarning)


class QuietUsageLimits(UsageLimits):
    """Usage limits that give no Python warning for a server that sends no usage: that is common here."""

    def _warn_if_usage_unavailable(self, usage: RunUsage) -> None:
        pass
