"""Define the settings of the section `jobs`: leases, deaths, draining and the length of the queue."""

from typing import Annotated

from pydantic import Field

from pincite.settings_section import SettingsSection


class JobSettings(SettingsSection):
    lease_seconds: Annotated[
        float, Field(gt=0, description="Time after which another worker takes over the job of a silent one.")
    ] = 30
    attempts: Annotated[
        int,
        Field(ge=1, description="A document at which a worker process died so many times is set aside as failed."),
    ] = 3
    drain_seconds: Annotated[
        float,
        Field(ge=0, description="Time that running jobs get to end after SIGTERM; then they return to the queue."),
    ] = 25
    most_queued: Annotated[
        int, Field(ge=1, description="Most waiting jobs of one owner; further documents are refused until some end.")
    ] = 20_000
