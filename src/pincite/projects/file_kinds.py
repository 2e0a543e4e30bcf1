"""Recognise files that hold secrets, binary files and generated files by their names."""

import re

# Folders that are never listed: their files are made by programs, and there may be more of them than of all others.
SKIPPED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", "CVS", "__pycache__", "node_modules", "bower_components", "__MACOSX", ".DS_Store"}
)
_MADE_BY_PROGRAMS = """
.cache .eggs .gradle .hypothesis .idea .mypy_cache .next .nox .nuxt .parcel-cache .pnpm-store .pytest_cache .ruff_cache
.terraform .tox .turbo .venv .vscode .yarn __snapshots__ build coverage DerivedData dist generated htmlcov obj out Pods
site-packages target third_party tmp vendor venv
"""
_UNIMPORTANT_FOLDERS = frozenset(_MADE_BY_PROGRAMS.split())
_UNIMPORTANT_NAME = re.compile(
    r".*\.(?:min\.(?:js|css)|map|lock|log|pyc|pyo|o|class|snap|tsbuildinfo|orig|rej|bak|tmp|swp|egg-info|svg|csv|tsv)"
    r"|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|.*[-_.]lock\.(?:json|ya?ml)|.*~",
    re.IGNORECASE,
)
_BINARY = re.compile(
    r".*\.(?:png|jpe?g|gif|bmp|ico|icns|webp|avif|heic|tiff?|psd|pdf|docx?|xlsx?|pptx?|od[tsp]|epub|zip|gz|tgz|bz2|xz|"
    r"zst|7z|rar|tar|jar|war|ear|whl|egg|exe|dll|so|dylib|a|o|obj|lib|pyc|pyo|pyd|class|wasm|bin|dat|db|sqlite3?|mdb|"
    r"parquet|feather|npy|npz|pkl|pickle|pt|pth|onnx|safetensors|gguf|h5|mp[34]|m4[av]|wav|flac|ogg|oga|ogv|webm|avi|"
    r"mov|mkv|ttf|otf|woff2?|eot|iso|dmg|deb|rpm|apk|ipa|keystore|jks|swf|blend|glb|mo)",
    re.IGNORECASE,
)
_KEYS = r"pem|key|p12|pfx|p8|ppk|jks|keystore|kdbx?|asc|gpg|ovpn"
_COPY = r"(?:\.(?:bak|old|orig|backup|save|swp|tmp|copy|\d{1,9})|~|[ _-]copy){0,2}"  # the end of a copy's name
_EXAMPLES = r"example|sample|template|dist|defaults?"
_MORE_WORDS = r"(?:[-_.][a-z0-9]{1,40}){0,3}"
_SECRET_DATA = r"(?:json|ya?ml|toml|ini|env|csv|txt|xml|enc|properties|conf|cfg)"
_SECRET_NAME = re.compile(
    rf"(?:\.env.*|.*\.env|.*\.(?:{_KEYS})(?:\.(?:{_EXAMPLES}))?|"
    r".*\.(?:tfstate|tfvars)|.*\.tfstate\..*|.*\.tfvars\.json|"
    r"id_(?:rsa|dsa|ecdsa|ed25519)(?:[-_.].*)?|[._]netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.htpasswd|"
    r"\.git-credentials|\.vault-token|\.dockercfg|\.boto|\.s3cfg|\.(?:bash|zsh|psql|mysql|python|node_repl)_history|"
    rf"(?:.*[-_.])?kubeconfig(?:[-_.].*)?|(?:.*[-_.])?credentials?(?:{_MORE_WORDS}\.{_SECRET_DATA})?|"
    rf"(?:.*[-_.])?secrets?(?:{_MORE_WORDS}\.{_SECRET_DATA})?|client_secret.*\.json|service[-_]?account.*\.json|"
    rf"(?:.*[-_.])?(?:api)?tokens?\.(?:json|txt)|passwords?\.(?:txt|csv|json|ya?ml)){_COPY}"
)
_EXAMPLE = re.compile(rf".*\.(?:{_EXAMPLES})|.*[-_.](?:example|sample|template)\..*")
_NEVER_EXAMPLE = re.compile(rf".*\.(?:{_KEYS})(?:\..*)?{_COPY}")
_PUBLIC_KEY = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519).*\.pub")
_SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".gcloud", ".password-store"})


def is_secret(path: str) -> bool:
    """Return whether a path of a project is that of keys, passwords or other credentials, in any case."""
    *folders, name = path.split("/")
    return has_secret_name(name) or any(map(is_secret_folder, folders))


def has_secret_name(name: str) -> bool:
    """Return whether the name of a file is that of keys, passwords or other credentials."""
    folded = name.casefold().rstrip(". ")
    if not _SECRET_NAME.fullmatch(folded) or _PUBLIC_KEY.fullmatch(folded):
        return False
    return _EXAMPLE.fullmatch(folded) is None or _NEVER_EXAMPLE.fullmatch(folded) is not None


def is_secret_folder(name: str) -> bool:
    """Return whether a folder of this name holds only credentials."""
    return name.casefold().rstrip(". ") in _SECRET_FOLDERS


def has_binary_name(path: str) -> bool:
    """Return whether the ending of a file's name is that of a binary format."""
    return _BINARY.fullmatch(path.rpartition("/")[2]) is not None


def is_unimportant(path: str) -> bool:
    """Return whether a file is a build artefact, a cache or otherwise made by a program."""
    *folders, name = path.split("/")
    return not _UNIMPORTANT_FOLDERS.isdisjoint(folders) or _UNIMPORTANT_NAME.fullmatch(name) is not None
