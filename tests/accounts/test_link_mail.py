import logging
import socket
from email import message_from_string
from typing import Any

import pytest

from pincite.accounts.link_mail import mail_link
from pincite.errors import Misuse
from pincite.settings import Settings, load_settings
from tests.accounts.mail_server import open_mail_server

LINK = "https://pincite.example.org/join#" + "s3cret" * 8


def _set(port: int, **mail: Any) -> Settings:
    return load_settings(mail={"host": "127.0.0.1", "port": port, "tls": "none", "sender": "p@example.org"} | mail)


def test_the_link_comes_whole_to_the_person_with_the_day_on_which_it_ends() -> None:
    with open_mail_server() as server:
        assert mail_link(_set(server.port), "invitation", "eve@example.org", LINK, 86_400.0)
    [raw] = server.messages
    message = message_from_string(raw)
    assert (message["From"], message["To"]) == ("p@example.org", "eve@example.org")
    assert "invitation" in message["Subject"]
    assert LINK in str(message.get_payload()).splitlines()
    assert "1970-01-02 00:00 UTC" in raw


def test_without_a_mail_server_or_a_receiver_nothing_is_sent() -> None:
    assert not mail_link(load_settings(), "reset", "eve@example.org", LINK, 1.0)
    with open_mail_server() as server:
        assert not mail_link(_set(server.port), "reset", "", LINK, 1.0)
    assert server.said == []


def test_a_server_that_does_not_encrypt_gets_neither_the_password_nor_the_link() -> None:
    with open_mail_server() as server:
        settings = _set(server.port, tls="starttls", user="ada", password="hunter2hunter2")
        assert not mail_link(settings, "reset", "eve@example.org", LINK, 1.0)
    assert server.messages == []
    assert not any(line.upper().startswith(("AUTH", "MAIL", "RCPT")) for line in server.said)


@pytest.mark.parametrize("receiver", ["eve@example.org", "évé@example.org", "eve@example.org\nBcc: all@example.org"])
def test_a_failure_is_logged_without_the_link(receiver: str, caplog: pytest.LogCaptureFixture) -> None:
    with open_mail_server("550 no such person: s3cret") as server, caplog.at_level(logging.WARNING):
        assert not mail_link(_set(server.port), "reset", receiver, LINK, 1.0)
    assert server.messages == []
    assert "No mail was sent" in caplog.text
    assert "s3cret" not in caplog.text


def test_a_server_that_is_down_costs_only_the_mail() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert not mail_link(_set(port), "reset", "eve@example.org", LINK, 1.0)


@pytest.mark.parametrize(
    "wrong", [{"host": "mail.example.org"}, {"host": "m", "sender": "p@example.org", "user": "ada", "tls": "none"}]
)
def test_settings_that_could_not_send_or_would_show_the_password_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(Misuse, match=r"mail\."):
        load_settings(mail=wrong)
