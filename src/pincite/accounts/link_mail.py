"""Send the link of an invitation or a reset by mail, where a mail server is set."""

import logging
import smtplib
import ssl
from datetime import UTC, datetime
from email.message import EmailMessage

from pincite.settings import Settings
from pincite.settings_mail import MailSettings
from pincite.store.one_time_links import LinkKind

log = logging.getLogger(__name__)

_TIMEOUT = 10.0  # seconds for each step
_SUBJECTS: dict[LinkKind, str] = {"invitation": "Your invitation to Pincite", "reset": "A new password for Pincite"}
_TEXTS: dict[LinkKind, str] = {
    "invitation": "You are invited to Pincite. Make your account here:",
    "reset": "Set a new password for your account at Pincite here:",
}


def mail_link(settings: Settings, kind: LinkKind, receiver: str, address: str, expires: float) -> bool:
    """Send a link to an e-mail address, and return whether the mail server took it.

    Without a mail server or a receiver nothing is sent. A failure is logged, without the link, and raises no error: the
    person who made the link still has it.
    """
    if not settings.mail.host or not receiver:
        return False
    try:
        _send(settings.mail, _write_message(settings.mail, kind, receiver, address, expires))
    except (smtplib.SMTPException, OSError, ValueError) as error:
        # The words of the error may quote the mail.
        log.warning("No mail was sent by %s: %s", settings.mail.host, type(error).__name__)
        return False
    return True


def _write_message(mail: MailSettings, kind: LinkKind, receiver: str, address: str, expires: float) -> EmailMessage:
    until = datetime.fromtimestamp(expires, UTC).strftime("%Y-%m-%d %H:%M UTC")
    message = EmailMessage()
    message["Subject"] = _SUBJECTS[kind]
    message["From"] = mail.sender
    message["To"] = receiver
    message.set_content(
        f"{_TEXTS[kind]}\n\n{address}\n\nThe link works once, until {until}.\n"
        "If you did not expect this message, you can ignore it.\n",
        cte="8bit",  # a link is not broken into lines
    )
    return message


def _send(mail: MailSettings, message: EmailMessage) -> None:
    context = ssl.create_default_context()
    opened = (
        smtplib.SMTP_SSL(mail.host, mail.port, timeout=_TIMEOUT, context=context)
        if mail.tls == "tls"
        else smtplib.SMTP(mail.host, mail.port, timeout=_TIMEOUT)
    )
    with opened as connection:
        if mail.tls == "starttls":
            connection.starttls(context=context)  # raises if the server does not offer it: nothing is sent in the clear
        if mail.user:
            connection.login(mail.user, mail.password.get_secret_value())
        connection.send_message(message)
