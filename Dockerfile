# Pincite as an image: the page and the wheel are built in stages of their own, and the last one has neither Node nor
# a compiler. docs/deploying.md says how to run it.
ARG PYTHON=python:3.13.15-slim

# The page. Node is the one that the Python packages bring, pinned by hash like everything else. The page and the wheel
# are the same on every processor, so they are built on the builder's own.
FROM --platform=$BUILDPLATFORM ${PYTHON} AS package
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /build
COPY requirements/build.txt requirements/
RUN python -m venv .venv && .venv/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements/build.txt
COPY scripts/npm scripts/
COPY ui/package.json ui/package-lock.json ui/
RUN scripts/npm ci --no-progress --no-audit --no-fund --loglevel=error
COPY ui ui
RUN scripts/npm run --silent build -- --logLevel warn
COPY pyproject.toml README.md LICENSE CHANGELOG.md pincite.sample.toml ./
COPY scripts/package_build.py scripts/
COPY src src
ARG SOURCE_COMMIT=""
RUN .venv/bin/python -m hatchling build -t wheel -d /dist

# What Pincite depends on, from the lock. It changes seldom, so it is a layer of its own.
FROM ${PYTHON} AS dependencies
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
COPY requirements/image.txt /requirements.txt
RUN python -m venv --without-pip /opt/pincite \
    && python -m pip --python /opt/pincite/bin/python install --quiet --require-hashes --no-deps -r /requirements.txt

FROM ${PYTHON}
# Packages of tesseract for scans and pictures, one for each language; empty leaves it out.
ARG OCR_PACKAGES="tesseract-ocr tesseract-ocr-fra"
# Versions are those of the base image's release, which keeps no older ones; the packages are several words.
# hadolint ignore=DL3008,SC2086
RUN apt-get update \
    && apt-get install -y --no-install-recommends tini ${OCR_PACKAGES} \
    && apt-get clean \
    && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log \
    && groupadd --gid 10001 pincite \
    && useradd --uid 10001 --gid 10001 --home-dir /tmp --no-create-home --shell /usr/sbin/nologin pincite \
    && install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=dependencies /opt/pincite /opt/pincite
RUN --mount=type=bind,from=package,source=/dist,target=/dist \
    python -m pip --python /opt/pincite/bin/python install --quiet --no-cache-dir --no-deps --no-index \
        --disable-pip-version-check --root-user-action=ignore /dist/*.whl \
    && /opt/pincite/bin/pincite --version

ENV PATH=/opt/pincite/bin:$PATH \
    HOME=/tmp \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PINCITE_DATA=/data \
    PINCITE_SERVER__HOST=0.0.0.0 \
    PINCITE_ACCOUNTS__MODE=team
LABEL org.opencontainers.image.title="Pincite" \
    org.opencontainers.image.description="Answers from your documents, each sentence pinned to the words that support it." \
    org.opencontainers.image.licenses="Apache-2.0"
ARG SOURCE_COMMIT=""
LABEL org.opencontainers.image.revision="${SOURCE_COMMIT}"

# Numbers, so that an engine can tell that it is not root. The root may be read-only: only /data and /tmp are written.
USER 10001:10001
WORKDIR /tmp
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["pincite", "health"]
# tini passes signals on and reaps the processes that a killed reader leaves behind.
ENTRYPOINT ["tini", "--", "pincite"]
CMD ["serve"]
