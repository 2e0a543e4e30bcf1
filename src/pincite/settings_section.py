"""The base of all sections of the settings: values are checked, cannot change, and have known names."""

from pydantic import BaseModel, ConfigDict


class SettingsSection(BaseModel):
    # A validator is built when it is first used. Most sections need none of their own: that of the settings has theirs.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
