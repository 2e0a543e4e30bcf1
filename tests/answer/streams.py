"""Streams of each provider in the form of its documentation: a tool call, and the answer after it.

All say the same, so that one test serves them all: `search_documents(query="notice period")`, then an answer in pieces;
20 tokens in and 7 out, then 35 in and 9 out.
"""

import json
from collections.abc import Iterable
from typing import Any

TOOL, ARGUMENTS = "search_documents", {"query": "notice period"}
ANSWER = ("The notice ", "period is ", "three months [1.1].")
FIRST, SECOND = (20, 7), (35, 9)
_HALVES = ('{"query": "not', 'ice period"}')


def _data(rows: Iterable[dict[str, Any]], end: str = "data: [DONE]\n\n") -> list[str]:
    return [f"data: {json.dumps(row)}\n\n" for row in rows] + ([end] if end else [])


def _chunks(
    model: str, deltas: Iterable[dict[str, Any]], finish: str, usage: dict[str, Any], **always: Any
) -> list[dict[str, Any]]:
    """Chunks as of OpenAI's chat completions: deltas, the reason it ended, and in a last chunk what it cost."""
    head = {"id": "chatcmpl-7", "object": "chat.completion.chunk", "created": 1_767_000_000, "model": model, **always}
    rows = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    rows.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    return [*rows, {**head, "choices": [], "usage": usage}]


def _cost(tokens: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens), **more}


def _call(call: str, arguments: str) -> dict[str, Any]:
    return {"index": 0, "id": call, "type": "function", "function": {"name": TOOL, "arguments": arguments}}


def _in_pieces(call: str) -> list[dict[str, Any]]:
    """A tool call whose arguments come in halves."""
    return [
        {"role": "assistant", "content": None},
        {"tool_calls": [_call(call, "")]},
        *({"tool_calls": [{"index": 0, "function": {"arguments": half}}]} for half in _HALVES),
    ]


def _at_once(call: str) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": ""}, {"tool_calls": [_call(call, "".join(_HALVES))]}]


def _said() -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": ""}, *({"content": piece} for piece in ANSWER)]


def openai() -> tuple[list[str], list[str]]:
    details = {"prompt_tokens_details": {"cached_tokens": 0}, "completion_tokens_details": {"reasoning_tokens": 0}}
    always = {"service_tier": "default", "system_fingerprint": "fp_44709d6fcb"}
    call = _chunks("gpt-4.1", _in_pieces("call_A1"), "tool_calls", _cost(FIRST, **details), **always)
    return _data(call), _data(_chunks("gpt-4.1", _said(), "stop", _cost(SECOND, **details), **always))


def deepseek() -> tuple[list[str], list[str]]:
    """It thinks first, in `reasoning_content`, and keeps the connection open with comments."""
    thought: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "reasoning_content": "I should "},
        {"reasoning_content": "look."},
    ]
    cached = {"prompt_cache_hit_tokens": 0, "prompt_cache_miss_tokens": 20}
    call = _chunks("deepseek-chat", [*thought, *_in_pieces("call_00_x")], "tool_calls", _cost(FIRST, **cached))
    said = _chunks("deepseek-chat", _said(), "stop", _cost(SECOND))
    return [": keep-alive\n\n", *_data(call)], [": keep-alive\n\n", ": keep-alive\n\n", *_data(said)]


def openrouter() -> tuple[list[str], list[str]]:
    """Comments while the provider behind it wakes up; the chunks say which one it is, and what it cost."""
    always = {"provider": "Mistral"}
    call = _chunks("mistralai/mistral-small", _at_once("call_or"), "tool_calls", _cost(FIRST, cost=0.0001), **always)
    said = _chunks("mistralai/mistral-small", _said(), "stop", _cost(SECOND, cost=0.0002), **always)
    for row in (*call, *said):
        for choice in row["choices"]:
            choice["native_finish_reason"] = choice["finish_reason"]
    return [": OPENROUTER PROCESSING\n\n", *_data(call)], [": OPENROUTER PROCESSING\n\n", *_data(said)]


def ollama() -> tuple[list[str], list[str]]:
    """Tool calls come whole, with no text beside them."""
    always = {"system_fingerprint": "fp_ollama"}
    call = _chunks("qwen3", _at_once("call_0jx2"), "tool_calls", _cost(FIRST), **always)
    return _data(call), _data(_chunks("qwen3", _said(), "stop", _cost(SECOND), **always))


def vllm() -> tuple[list[str], list[str]]:
    call = _chunks("my-model", _in_pieces("chatcmpl-tool-9f"), "tool_calls", _cost(FIRST))
    said = _chunks("my-model", _said(), "stop", _cost(SECOND))
    for row in (*call, *said):
        for choice in row["choices"]:
            choice.update(logprobs=None, stop_reason=None)
    return _data(call), _data(said)


def lmstudio() -> tuple[list[str], list[str]]:
    always = {"system_fingerprint": "qwen2.5-7b-instruct"}
    call = _chunks("qwen2.5-7b-instruct", _in_pieces("365174485"), "tool_calls", _cost(FIRST), **always)
    return _data(call), _data(_chunks("qwen2.5-7b-instruct", _said(), "stop", _cost(SECOND), **always))


def llamacpp() -> tuple[list[str], list[str]]:
    """Its last chunk tells the times too."""
    times = {"timings": {"prompt_n": 20, "prompt_ms": 31.5, "predicted_n": 7, "predicted_ms": 102.4}}
    call = _chunks("qwen3-4b", _in_pieces("hXq3"), "tool_calls", _cost(FIRST), system_fingerprint="b6123")
    said = _chunks("qwen3-4b", _said(), "stop", _cost(SECOND), system_fingerprint="b6123")
    call[-1].update(times)
    said[-1].update(times)
    return _data(call), _data(said)


def groq() -> tuple[list[str], list[str]]:
    """Return a stream whose cost is in a separate field of the last chunk that has a choice."""

    def rows(deltas: list[dict[str, Any]], finish: str, tokens: tuple[int, int]) -> list[dict[str, Any]]:
        *head, last, _ = _chunks("llama-3.3-70b-versatile", deltas, finish, {}, system_fingerprint="fp_2ddfbb0da0")
        last["x_groq"] = {"id": "req_01k", "usage": _cost(tokens, queue_time=0.05, total_time=0.2)}
        return [*head, last]

    return _data(rows(_at_once("call_g7"), "tool_calls", FIRST)), _data(rows(_said(), "stop", SECOND))


def mistral() -> tuple[list[str], list[str]]:
    """The last delta has the call, the reason and the cost together; ids are nine letters and digits."""

    def rows(deltas: list[dict[str, Any]], finish: str, tokens: tuple[int, int]) -> list[dict[str, Any]]:
        *head, _, _ = _chunks("mistral-small-latest", deltas, finish, {})
        head[-1]["choices"][0]["finish_reason"] = finish
        head[-1]["usage"] = _cost(tokens)
        return head

    return _data(rows(_at_once("D681PevKs"), "tool_calls", FIRST)), _data(rows(_said(), "stop", SECOND))


def google() -> tuple[list[str], list[str]]:
    """Whole responses one after the other; the last says why it ended, each what it cost so far."""

    def row(part: dict[str, Any], tokens: tuple[int, int], finish: str | None = None) -> dict[str, Any]:
        candidate = {"content": {"parts": [part], "role": "model"}, "index": 0}
        cost = {"promptTokenCount": tokens[0], "candidatesTokenCount": tokens[1], "totalTokenCount": sum(tokens)}
        return {
            "candidates": [candidate | ({"finishReason": finish} if finish else {})],
            "usageMetadata": cost | {"promptTokensDetails": [{"modality": "TEXT", "tokenCount": tokens[0]}]},
            "modelVersion": "gemini-2.5-flash",
            "responseId": "mBkZaYqLN7",
        }

    *pieces, last = ANSWER
    said = [row({"text": piece}, (SECOND[0], 3 * n)) for n, piece in enumerate(pieces, start=1)]
    call = row({"functionCall": {"name": TOOL, "args": ARGUMENTS}, "thoughtSignature": "CpABAdHtim8="}, FIRST, "STOP")
    return _data([call], ""), _data([*said, row({"text": last}, SECOND, "STOP")], "")


def anthropic() -> tuple[list[str], list[str]]:
    """Named events: a message starts, each block of content starts, grows and stops, the message ends."""

    def events(block: dict[str, Any], deltas: list[dict[str, Any]], stop: str, tokens: tuple[int, int]) -> list[str]:
        message: dict[str, Any] = {
            "id": "msg_1nZdL29xx5MUA1yADyHTEsnR8uuvGzszyY",
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": "claude-sonnet-5-5",
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": tokens[0], "output_tokens": 1},
        }
        rows: list[dict[str, Any]] = [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "ping"},
            *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": stop, "stop_sequence": None},
                "usage": {"output_tokens": tokens[1]},
            },
            {"type": "message_stop"},
        ]
        return [f"event: {row['type']}\ndata: {json.dumps(row)}\n\n" for row in rows]

    call = {"type": "tool_use", "id": "toolu_01T1x1fJ34qAmk2tNTrN7Up6", "name": TOOL, "input": {}}
    halves = [{"type": "input_json_delta", "partial_json": half} for half in ("", *_HALVES)]
    words = [{"type": "text_delta", "text": piece} for piece in ANSWER]
    return events(call, halves, "tool_use", FIRST), events({"type": "text", "text": ""}, words, "end_turn", SECOND)
