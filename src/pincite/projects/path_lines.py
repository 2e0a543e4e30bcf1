"""Recognize the lines by which a reply names a file: a bare path, a label, a heading, a comment or a sentence."""

import re
from dataclasses import dataclass
from typing import Literal

# "edit" is a part of a file: its code alone is not the whole file.
Intent = Literal["", "create", "replace", "edit"]

_LONGEST = 300  # characters of a line that may name a file
_LABELS: dict[str, Intent] = {
    **dict.fromkeys(
        (
            "file",
            "file name",
            "filename",
            "file path",
            "filepath",
            "path",
            "target file",
            "source file",
        ),
        "",
    ),
    **dict.fromkeys(
        (
            "in",
            "in file",
            "edit",
            "edit file",
            "update",
            "update file",
            "updated file",
            "modify",
            "modify file",
            "modified file",
            "change",
            "change file",
            "changes in",
            "changes to",
        ),
        "edit",
    ),
    **dict.fromkeys(
        ("new file", "create", "create file", "create new file", "create a new file", "add file", "add new file"),
        "create",
    ),
    **dict.fromkeys(
        (
            "replace file",
            "replace whole file",
            "replace the whole file",
            "replace entire file",
            "replace the entire file",
            "overwrite",
            "overwrite file",
            "rewrite",
            "rewrite file",
            "full file",
            "whole file",
            "complete file",
        ),
        "replace",
    ),
}
_NAME_LIST = (
    "Makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Vagrantfile Rakefile Gemfile Procfile Brewfile Justfile "
    "justfile Pipfile Podfile Fastfile BUILD WORKSPACE Kconfig LICENSE LICENCE COPYING README CHANGELOG CHANGES NEWS "
    "AUTHORS CONTRIBUTING NOTICE VERSION CODEOWNERS TODO INSTALL MANIFEST configure gradlew mvnw"
)
_EXTENSION_LIST = (
    "py pyi pyx pxd ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro go rs c h cc cpp cxx hpp hh hxx m mm java kt "
    "kts scala groovy gradle rb erb rake php phtml cs fs vb swift dart lua pl pm r jl ex exs erl hrl hs lhs ml mli clj "
    "cljs cljc edn el lisp scm rkt nim zig v d pas f90 f sh bash zsh fish ps1 bat cmd sql psql graphql gql proto html "
    "thrift htm xhtml xml xsl xsd svg css scss sass less styl json json5 jsonc jsonl yaml yml toml ini cfg conf config "
    "env properties plist lock md mdx markdown rst adoc txt text csv tsv tex bib org tf tfvars hcl nix cmake mk mak j2 "
    "dockerfile jinja jinja2 tmpl tpl hbs mustache ejs pug haml slim liquid njk po pot sol vy cairo move wat asm s in "
    "patch diff service desktop rules gitignore dockerignore editorconfig"
)
_NAMES = frozenset(_NAME_LIST.split())
_EXTENSIONS = frozenset(_EXTENSION_LIST.split())
_HEADING = re.compile(r"#{1,6}[ \t]+")
_BULLET = re.compile(r"(?:[-*+]|[0-9]{1,3}[.)])[ \t]+")
_LINE_NUMBERS = re.compile(r":[0-9]{1,7}(?:-[0-9]{1,7})?$")
_XML = re.compile(
    r"<(?:path|file|file_path|filepath|filename)>([^<>]{1,300})</(?:path|file|file_path|filepath|filename)>$"
)
_XML_ATTRIBUTE = re.compile(r"<[A-Za-z_]{1,20} (?:path|name|file|filename)=[\"']([^\"'<>]{1,300})[\"'] ?/?>$")
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\([^()]{1,300}\)$")
_EXTENSION = re.compile(r"[^.]\.([A-Za-z][A-Za-z0-9_+-]{0,15})$")
_REFUSED_SIGNS = frozenset("`\"'<>|*?!;,=")
_WORD = re.compile(r"[^ \t`]+")
_QUOTED = re.compile(r"`([^`]{1,300})`")
_COMMENTS = (("<!--", "-->"), ("/*", "*/"), ("{/*", "*/}"), ("//", ""), ("#", ""), ("--", ""), (";", ""), ("%", ""))


@dataclass(frozen=True, slots=True)
class NamedPath:
    """A path that a line names, and how: alone on its line, as the title of a section, or in a sentence."""

    path: str
    intent: Intent = ""
    is_listed: bool = False  # whether it is an item of a list
    is_heading: bool = False
    is_marked: bool = False  # whether a label, quotes or an extension shows that it is a path


def read_path_line(line: str, in_fence: bool = False) -> NamedPath | None:
    """Return the path that a line consists of, or None if it is any other line."""
    text = line.strip()
    if not text or len(text) > _LONGEST:
        return None
    if in_fence and (commented := _strip_comment(text)) is not None:
        text = commented
    for pattern in (_XML, _XML_ATTRIBUTE):
        if found := pattern.match(text):
            return NamedPath(found[1].strip(), is_marked=True) if has_path_form(found[1].strip(), True) else None
    is_heading = False
    if found := _HEADING.match(text):
        text, is_heading = text[found.end() :].rstrip("# \t"), not in_fence
    is_listed = False
    if found := _BULLET.match(text):
        text, is_listed = text[found.end() :], not is_heading
    text, intent, is_marked = _peel(text)
    text = _LINE_NUMBERS.sub("", text)
    if not has_path_form(text, is_marked):
        return None
    is_marked = is_marked or has_extension(text) or get_name(text) in _NAMES
    return NamedPath(text, intent, is_listed, is_heading, is_marked)


def may_become_path_line(start: str) -> bool:
    """Return whether a line with this beginning may turn out to consist of a path."""
    text = start.lstrip().lower()
    if len(text) > _LONGEST:
        return False
    first = text.split(" ", 1)[0]
    if has_path_form(first.strip("`*_:"), False) or not first[:1].isalpha():
        return True
    return any(label.startswith(text.rstrip()) or text.startswith(label) for label in _LABELS)


def read_mention(line: str) -> str:
    """Return the only path that a sentence names, or "" when it names none or several."""
    text = line.strip()
    if not text or len(text) > 4 * _LONGEST:
        return ""
    quoted = [token for token in _QUOTED.findall(text) if _is_sure_path(token)]
    if quoted:
        return quoted[0] if len(set(quoted)) == 1 else ""
    words = {word for each in _WORD.findall(text) if _is_sure_path(word := each.strip("*_()[]:;,.\"'"))}
    return words.pop() if len(words) == 1 else ""


def read_fence_path(info: str) -> NamedPath | None:
    """Return the path of a fence line such as ```python src/a.py or ```ts title="src/a.ts", or None."""
    for word in info.strip().strip("{}").split():
        name, has_value, value = word.partition("=")
        given = value.strip("\"'") if has_value and name in ("title", "path", "file", "filename", "name") else word
        if not has_value or given != word:
            given = _LINE_NUMBERS.sub("", given.strip("`\"'()")).rpartition(":")[2]
            if has_path_form(given, False) and ("/" in given or has_extension(given) or get_name(given) in _NAMES):
                return NamedPath(given, is_marked=True)
    return None


def has_path_form(text: str, is_marked: bool) -> bool:
    """Return whether a text can be a path. A marked one may be a plain word or have spaces."""
    if not text or len(text) > _LONGEST or "://" in text or text[-1] in "/\\." or text.startswith(("-", "=", "+++")):
        return False
    if any(sign in _REFUSED_SIGNS for sign in text) or not text.isprintable() or text.endswith("()"):
        return False
    if not any(sign.isalnum() for sign in text):
        return False
    if " " in text:
        return has_extension(text) and (is_marked or "/" in text.split(" ", 1)[0]) and not text.endswith(" ")
    if is_marked or "/" in text or "\\" in text or get_name(text) in _NAMES:
        return True
    return has_extension(text) or text.startswith(".")


def has_extension(path: str) -> bool:
    """Return whether the name of a path has an extension, or is a dot file."""
    name = get_name(path)
    return bool(_EXTENSION.search(name[-40:])) or (name.startswith(".") and len(name) > 1)


def get_name(path: str) -> str:
    """Return the last segment of a path."""
    return path.replace("\\", "/").rpartition("/")[2]


def join_paths(outer: str, inner: str) -> str:
    """Return the longer of two paths if one ends with the other, else the inner one, which stands nearer."""
    whole, part = _normalize(outer), _normalize(inner)
    return outer if whole == part or whole.endswith("/" + part) else inner


def _normalize(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./").lstrip("/")


def _is_sure_path(token: str) -> bool:
    found = _EXTENSION.search(get_name(token)[-40:])
    return (
        has_path_form(token, False)
        and "(" not in get_name(token)
        and (bool(found and found[1].lower() in _EXTENSIONS) or get_name(token) in _NAMES)
    )


def _strip_comment(text: str) -> str | None:
    for start, end in _COMMENTS:
        if text.startswith(start) and text.endswith(end) and len(text) > len(start) + len(end):
            return text[len(start) : len(text) - len(end)].strip(" \t#/")
    return None


def _peel(text: str) -> tuple[str, Intent, bool]:
    """Remove labels, quotes and remarks around a path: return it, the intent, and whether it is marked."""
    intent: Intent = ""
    is_marked = False
    for _ in range(8):
        before = text
        text = text.strip().removesuffix(":").rstrip()
        for mark in ("**", "__", "`", '"', "'", "*"):
            if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
                text, is_marked = text[len(mark) : -len(mark)], True
        if found := _LINK.match(text):
            text, is_marked = found[1], True
        label, colon, rest = text.partition(":")
        word = label.strip("*_ ").lower()
        if colon and rest.strip() and word in _LABELS:
            text, intent, is_marked = rest.strip().removeprefix("**").strip(), _LABELS[word], True
        elif text.endswith("`") and (start := text.find("`")) > 0 and text[:start].strip(" *_").lower() in _LABELS:
            intent, is_marked = _LABELS[text[:start].strip(" *_").lower()], True
            text = text[start:]
        elif text.endswith(")") and (start := text.rfind(" (")) > 0:
            remark = text[start + 2 : -1].lower()
            if not remark.replace(" ", "").isalpha() or len(remark) > 40 or "delete" in remark or "remove" in remark:
                break
            intent = intent or _read_remark(remark)
            text = text[:start]
        if text == before:
            break
    return text, intent, is_marked


def _read_remark(remark: str) -> Intent:
    words = set(remark.split())
    if words & {"new", "created", "create"}:
        return "create"
    return "replace" if words & {"full", "whole", "complete", "entire", "rewritten", "overwrite"} else ""
