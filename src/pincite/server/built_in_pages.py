"""HTML pages that the server renders itself: the home page without a built page, and the list of routes."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; --ink: #22282a; --paper: #faf8f4; --line: #d9d4c8; --accent: #0d5c63; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e4da; --paper: #1b1f20; --line: #3a4042; --accent: #6fc3c9; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 68ch; margin: 12vh auto 8vh; padding: 0 24px; }
h1 { font-size: 28px; margin: 0 0 8px; } h2 { font-size: 20px; margin: 32px 0 8px; }
a { color: var(--accent); } p { margin: 8px 0; }
code { font: 14px/1.5 ui-monospace, monospace; background: color-mix(in srgb, var(--ink) 7%, transparent);
  padding: 2px 6px; border-radius: 4px; }
pre { border: 1px solid var(--line); border-radius: 8px; padding: 12px 16px; overflow-x: auto; }
pre code { background: none; padding: 0; }
dl { border-top: 1px solid var(--line); margin: 0; } dt { padding: 12px 0 0; } dd { margin: 0; padding: 0 0 12px;
  border-bottom: 1px solid var(--line); }
"""
# Nothing but the style above.
POLICY = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def _render_page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style><main>{body}</main></html>"
    )


def render_home() -> str:
    """Return the page at / when the web page was not built. It says how to build it and what works without it."""
    return _render_page(
        "Pincite",
        "<h1>Pincite</h1><p>Answers from your documents, every sentence pinned to the words that support it.</p>"
        "<p>The server works, but its web page was not built. Run this in the project folder:</p>"
        "<pre><code>make page</code></pre>"
        "<p>Then restart the server. Meanwhile you can use the terminal:</p>"
        "<pre><code>pincite add FOLDER\npincite ask &quot;a question&quot;</code></pre>"
        '<p><a href="/docs">Routes</a> · <a href="/health">Health</a></p>',
    )


def render_docs(schema: dict[str, Any]) -> str:
    """Return a page with the routes of the OpenAPI document. It needs no JavaScript."""
    entries = []
    for path, methods in schema["paths"].items():
        for method, route in methods.items():
            said = escape(route.get("description") or route.get("summary", ""))
            entries.append(f"<dt><code>{method.upper()} {escape(path)}</code></dt><dd>{said}</dd>")
    return _render_page(
        "Pincite: routes",
        f"<h1>Routes</h1><p>Version {escape(schema['info']['version'])}. "
        f'The machine-readable form is <a href="/openapi.json">openapi.json</a>.</p><dl>{"".join(entries)}</dl>',
    )
