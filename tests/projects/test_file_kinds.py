import pytest

from pincite.projects.file_kinds import has_binary_name, is_secret, is_unimportant


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        ".ENV",
        ".env.production",
        "deploy/prod.env",
        ".envrc",
        "id_rsa",
        "keys/id_ed25519",
        "server.key",
        "cert.PEM",
        "store.jks",
        ".netrc",
        ".npmrc",
        ".pypirc",
        ".pgpass",
        "credentials",
        "aws-credentials.json",
        "google_credentials.json",
        "client_secret_123.json",
        "service-account.json",
        "secrets.yml",
        "config/secret.toml",
        "terraform.tfstate",
        "terraform.tfstate.backup",
        "prod.tfvars",
        ".ssh/known_hosts",
        "home/.aws/config",
        ".env ",
        ".env.",
        "passwords.txt",
        ".env-prod",
        ".env_prod",
        ".env~",
        ".env copy",
        ".env.bak",
        ".env2",
        ".envprod",
        "prod.env.bak",
        ".envrc.bak",
        "id_rsa.bak",
        "id_rsa~",
        "id_ed25519-work",
        "id_ed25519_work",
        "kubeconfig",
        "prod.kubeconfig",
        "kubeconfig.yaml",
        "terraform.tfvars.json",
        "prod.auto.tfvars.json",
        "credentials.production.json",
        "credentials-prod.yml",
        "secrets.prod.yaml",
        "secrets.yaml.bak",
        "secrets-staging.env",
        "token.json",
        "tokens.json",
        "api_token.txt",
        "server.key.example",
        "server.example.key",
        "cert.sample.pem",
        "server.pem.bak",
    ],
)
def test_names_of_secrets_are_known(path: str) -> None:
    assert is_secret(path)


@pytest.mark.parametrize(
    "path",
    [
        "main.py",
        ".env.example",
        ".env.sample",
        "secrets.py",
        "src/credentials.ts",
        "environment.yml",
        "keyboard.c",
        "id_rsa.pub",
        "id_ed25519-work.pub",
        ".env.template",
        "secrets.example.yaml",
        "token_json.py",
        "tokeniser.json",
        "kubeconfigs.py",
        "tokens.css",
        "src/token.py",
        "env/settings.py",
        "monkey.py",
    ],
)
def test_names_of_code_and_examples_are_no_secrets(path: str) -> None:
    assert not is_secret(path)


def test_binary_formats_and_generated_files_are_known_by_their_names() -> None:
    assert all(map(has_binary_name, ["a.png", "x/logo.JPG", "lib.so", "a.tar.gz", "data.parquet", "model.onnx"]))
    assert not any(map(has_binary_name, ["a.py", "png", "README", "data.json", "so.c", ".gitignore"]))
    assert all(
        map(is_unimportant, ["build/a.js", "x/dist/y.css", "yarn.lock", "a.min.js", "a.js.map", "go.sum", "x.log"])
    )
    assert not any(map(is_unimportant, ["src/build.py", "builder/a.js", "lock.py", "main.go", "README.md", "build"]))
