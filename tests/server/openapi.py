"""The operations of the OpenAPI document, and the tests that Schemathesis makes of one.

A test is made when it runs. Schemathesis makes all of them while tests are collected, and so in every worker.
"""

import functools
from collections.abc import Callable
from typing import Any

import schemathesis
from fastapi.routing import APIRoute, iter_route_contexts
from schemathesis.generation.hypothesis.builder import (
    HypothesisTestConfig,
    HypothesisTestMode,
    InvalidHeadersExampleMark,
    InvalidRegexMark,
    MissingPathParameters,
    NonSerializableMark,
    UnsatisfiableExampleMark,
    UnserializablePayloadMark,
    create_test,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from tests.server.routes import APP, Route

# Schemathesis notes here, and only here, that it could not make a request.
_GAPS = (
    InvalidHeadersExampleMark,
    InvalidRegexMark,
    MissingPathParameters,
    NonSerializableMark,
    UnsatisfiableExampleMark,
    UnserializablePayloadMark,
)

OPERATIONS = sorted(
    Route(each.path_format, method)
    for each in iter_route_contexts(APP.routes)
    if each.path_format and isinstance(each.original_route, APIRoute) and each.original_route.include_in_schema
    for method in each.methods or ()
)


@functools.cache
def read_schema() -> OpenApiSchema:
    return schemathesis.openapi.from_dict(APP.openapi())


def try_operation(operation: Route, test: Callable[..., None], **fixtures: Any) -> None:
    """Run a test, with these fixtures, for every request that Schemathesis makes up for an operation."""
    schema = read_schema()
    made = create_test(
        operation=schema[operation.template][operation.method],
        test_func=test,
        config=HypothesisTestConfig(
            project=schema.config,
            modes=list(HypothesisTestMode),
            settings=schema.config.get_hypothesis_settings(),
        ),
    )
    try:
        made(**fixtures)
    finally:  # also if it skips itself
        assert not [mark.attr_name for mark in _GAPS if mark.is_set(made)]
