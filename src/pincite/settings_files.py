"""Define the settings of the section `files`: where the bytes of documents are kept."""

from typing import Annotated, Self

from pydantic import Field, SecretStr, model_validator

from pincite.settings_section import SettingsSection


class FileSettings(SettingsSection):
    url: Annotated[
        str,
        Field(
            pattern=r"^(s3://[a-z0-9][a-z0-9._-]{1,62}(/[A-Za-z0-9!_.*'()/-]*)?)?$",
            description="Bucket of S3-compatible storage for the documents' files, as `s3://bucket/prefix`; empty is "
            "the folder `files` in `data`.",
        ),
    ] = ""
    endpoint: Annotated[
        str,
        Field(
            # Without a user name and password, which an error would show.
            pattern=r"^(https?://[^\s/?#@]+/?)?$",
            description="Address of the storage, as `http://minio:9000`; empty is Amazon's.",
        ),
    ] = ""
    region: Annotated[str, Field(description="Its region; empty is AWS_REGION, or `us-east-1`.")] = ""
    key: Annotated[
        SecretStr,
        Field(description="Id of the access key; empty uses AWS_ACCESS_KEY_ID or the role of the machine."),
    ] = SecretStr("")
    secret: Annotated[SecretStr, Field(description="Secret of the access key.")] = SecretStr("")
    path_style: Annotated[
        bool,
        Field(description="The bucket is the first part of the path, as MinIO expects it; else part of the host name."),
    ] = True
    cache_mb: Annotated[
        int, Field(ge=1, description="Most disk space on this machine for copies of files that are read.")
    ] = 2048
    seconds: Annotated[
        float, Field(gt=0, description="Time to wait for the next bytes of the storage before it counts as away.")
    ] = 60
    retry_seconds: Annotated[
        float, Field(gt=0, le=300, description="Longest time for retries of one request to the storage.")
    ] = 30

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if bool(self.key.get_secret_value()) != bool(self.secret.get_secret_value()):
            raise ValueError("files.key and files.secret belong together: give both, or neither")
        if self.endpoint and not self.url:
            raise ValueError("files.endpoint needs files.url, such as s3://bucket")
        return self
