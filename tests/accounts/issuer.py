"""A small OpenID Connect issuer over real HTTP: discovery, authorization, tokens with PKCE, keys and user info.

It checks what a real one checks. A test says whom it signs in, and may change any claim, key or answer.
"""

import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote_plus, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey

CLIENT, SECRET = "pincite test", "s3cret/of+the:client"
Key = RSAKey | ECKey | OctKey


def make_key(name: str = "first") -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig"})


@dataclass
class Issuer:
    """Where the issuer is, whom it signs in, and how it answers."""

    url: str
    key: Key
    now: float
    person: dict[str, Any] = field(default_factory=lambda: {"sub": "1234"})
    # Claims that replace those of the ID token; None removes one.
    changed: dict[str, Any] = field(default_factory=dict)
    algorithm: str = "RS256"
    # Keys that it publishes; by default its own.
    published: list[dict[str, Any]] | None = None
    discovery: dict[str, Any] = field(default_factory=dict)
    user_info: dict[str, Any] | None = None
    statuses: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def approve(self, url: str) -> dict[str, str]:
        """Return the parameters that a browser brings back after the person agreed at an authorization address."""
        parts = urlsplit(url)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.url}/authorize"
        asked = dict(parse_qsl(parts.query))
        assert (asked["response_type"], asked["client_id"]) == ("code", CLIENT)
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"]}

    def describe(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        } | self.discovery

    def exchange(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        asked = self.codes.pop(form.get("code", ""), None)
        if asked is None or not self._is_client(form, authorization):
            return 400, {"error": "invalid_grant"}
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
        if challenge.decode() != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "iat": int(self.now),
            "exp": int(self.now) + 300,
            "nonce": asked["nonce"],
        }
        claims |= self.person
        if self.user_info is not None:
            claims = {name: value for name, value in claims.items() if not name.startswith("email")}
        claims = {name: value for name, value in (claims | self.changed).items() if value is not None}
        header = {"alg": self.algorithm, "kid": self.key.kid}
        signed = jwt.encode(header, claims, self.key, algorithms=[self.algorithm])
        return 200, {"access_token": "access", "token_type": "Bearer", "id_token": signed}

    def _is_client(self, form: dict[str, str], authorization: str) -> bool:
        if "client_secret_basic" in self.describe()["token_endpoint_auth_methods_supported"]:
            name, _, secret = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
            return (unquote_plus(name), unquote_plus(secret)) == (CLIENT, SECRET)
        return (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)


@contextmanager
def run_issuer(key: Key, now: float) -> Iterator[Issuer]:
    """An issuer that answers until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path == "/.well-known/openid-configuration":
                self._answer(path, 200, issuer.describe())
            elif path == "/keys":
                keys = [issuer.key.as_dict(private=False)] if issuer.published is None else issuer.published
                self._answer(path, 200, {"keys": keys})
            elif path == "/userinfo" and self.headers["Authorization"] == "Bearer access":
                self._answer(path, 200, {"sub": issuer.person["sub"]} | (issuer.user_info or {}))
            else:
                self._answer(path, 404, {})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self._answer("/token", *issuer.exchange(form, self.headers["Authorization"] or ""))

        def _answer(self, path: str, status: int, content: dict[str, Any]) -> None:
            issuer.asked.append(path)
            status = issuer.statuses.get(path, status)
            body = json.dumps(content).encode()
            self.send_response(status)
            if status in (301, 302):
                self.send_header("Location", f"{issuer.url}/elsewhere?{urlencode({'from': path})}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuer = Issuer(f"http://127.0.0.1:{server.server_port}", key, now)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
