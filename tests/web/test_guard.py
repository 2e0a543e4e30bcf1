import ipaddress
import socket
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address

import anyio
import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.errors import Forbidden, Misuse, WebError
from pincite.web import guard
from pincite.web.guard import GuardedTransport, check_url, is_public, parse_exemptions, resolve_host
from tests.web.spellings import PRIVATE, embedded
from tests.web.spellings import spellings as written

PUBLIC = "93.184.216.34"


def answering(*addresses: str) -> Callable[[str, int], Awaitable[list[str]]]:
    """A resolver that knows one answer to everything."""

    async def look_up(host: str, port: int) -> list[str]:
        return list(addresses)

    return look_up


def checked(url: str, *allow: str, look_up: guard.Resolve = resolve_host) -> list[str]:
    """Return the numeric addresses that the guard allows for an address; raise `Forbidden` also if it is invalid."""

    async def ask() -> list[str]:
        try:
            parsed = httpx2.URL(url)
        except httpx2.InvalidURL as error:
            raise Forbidden(str(error)) from None
        return await check_url(parsed, parse_exemptions(allow), look_up)

    return anyio.run(ask)


def spellings(address: str) -> st.SearchStrategy[str]:
    """Ways to write an IPv4 address that some reader of URLs, or the system, takes for it."""
    whole = int(IPv4Address(address))
    parts = [int(part) for part in address.split(".")]

    def number(value: int) -> st.SearchStrategy[str]:
        return st.sampled_from([str(value), hex(value), hex(value).upper(), f"0{value:o}", f"0x{value:08x}"])

    def joined(*values: int) -> st.SearchStrategy[str]:
        return st.tuples(*(number(value) for value in values)).map(".".join)

    a, b, c, d = parts
    shortened = st.one_of(
        joined(a, b, c, d), joined(a, b, c * 256 + d), joined(a, (b * 256 + c) * 256 + d), number(whole)
    )
    wide = shortened.map(lambda text: text.translate({ord("0") + i: ord("０") + i for i in range(10)}))
    circled = shortened.map(lambda text: text.translate({ord("1") + i: ord("①") + i for i in range(9)}))
    dots = st.sampled_from(["。", "．", "｡", "%2e"])
    dotted = st.tuples(shortened, dots).map(lambda both: both[0].replace(".", both[1]))
    escaped = shortened.map(lambda text: "".join(f"%{ord(letter):02x}" for letter in text))
    return st.one_of(shortened, shortened.map(lambda text: text + "."), wide, circled, dotted, escaped)


@given(st.data())
def test_no_spelling_of_a_private_address_gets_through(data: st.DataObject) -> None:
    address = data.draw(st.sampled_from(PRIVATE))
    host = data.draw(spellings(address))
    scheme = data.draw(st.sampled_from(["http", "https", "HTTP"]))
    with pytest.raises(WebError):
        checked(f"{scheme}://{host}/")


@given(st.sampled_from([*PRIVATE, PUBLIC]), st.data(), st.booleans(), st.sampled_from(["", "%25eth0", "%1"]))
def test_no_ipv4_address_gets_through_inside_an_ipv6_one(
    address: str, data: st.DataObject, upper: bool, zone: str
) -> None:
    host = data.draw(st.sampled_from(list(embedded(address))))
    with pytest.raises(WebError):
        checked(f"http://[{host.upper() if upper else host}{zone}]/")


async def as_the_system_reads_it(host: str, port: int) -> list[str]:
    """Numbers as the C library reads them, without asking anybody; a name leads to where its owner wants."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (socket.gaierror, UnicodeError):
        return ["169.254.169.254"]
    return [str(entry[4][0]) for entry in found]


def test_none_of_a_thousand_spellings_gets_through_given_or_as_a_redirect() -> None:
    """Through the transport itself: neither the address nor a redirect to it makes a connection."""
    tried = written()
    assert len(tried) > 1000
    reached: list[str] = []

    async def look_up(host: str, port: int) -> list[str]:
        return [PUBLIC] if host == "good.example" else await as_the_system_reads_it(host, port)

    target = ""

    def inner(request: httpx2.Request) -> httpx2.Response:
        if request.headers["host"] != "good.example":
            reached.append(str(request.url))
        return httpx2.Response(302, headers=[(b"Location", target.encode("utf-8"))])

    async def ask() -> int:
        nonlocal target
        refused = 0
        transport = GuardedTransport((), look_up, httpx2.MockTransport(inner))
        async with httpx2.AsyncClient(transport=transport, follow_redirects=True, max_redirects=2) as client:
            for target in tried:
                for url in (target, "https://good.example/"):
                    try:
                        await client.get(url)
                    except (WebError, httpx2.InvalidURL, httpx2.UnsupportedProtocol, httpx2.RemoteProtocolError):
                        refused += 1
                    except httpx2.TooManyRedirects:
                        pass  # it was taken for a path of the good site, which is no way inside
        return refused

    assert anyio.run(ask) > 1.8 * len(tried)
    assert reached == []


ANSWERS = st.lists(st.lists(st.sampled_from([*PRIVATE, PUBLIC, "8.8.8.8", "::1", "2606:2800:220:1::1"]), max_size=4))


@given(ANSWERS)
def test_however_a_name_changes_only_what_was_just_checked_is_connected_to(answers: list[list[str]]) -> None:
    """Rebinding in any order: each request looks the name up once, and goes nowhere but to a public answer of that."""
    asked: list[list[str]] = []

    async def rebinding(host: str, port: int) -> list[str]:
        asked.append(answers[len(asked)])
        return asked[-1]

    def inner(request: httpx2.Request) -> httpx2.Response:
        assert request.url.host in asked[-1]
        assert is_public(ipaddress.ip_address(request.url.host))
        return httpx2.Response(200)

    async def ask() -> None:
        async with httpx2.AsyncClient(transport=GuardedTransport((), rebinding, httpx2.MockTransport(inner))) as client:
            for number, answer in enumerate(answers):
                if any(is_public(ipaddress.ip_address(each)) for each in answer):
                    assert (await client.get("https://rebind.example/")).status_code == 200
                else:
                    with pytest.raises(Forbidden):
                        await client.get("https://rebind.example/")
                assert len(asked) == number + 1

    anyio.run(ask)


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST", "localhost.", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[fe80::1]", "[fe80::1%25lo]"),
        *("[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[2001:db8::1]", "[3fff::1]", "[100::1]", "[fec0::1]"),
        *("[::1%25lo]", "127.0.0.1%00.example.org", "", ".", "a b", "ex%61mple.org"),
    ],
)
def test_no_other_name_of_this_machine_or_its_neighbours_gets_through(host: str) -> None:
    with pytest.raises(WebError):
        checked(f"http://{host}/")


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
@example(IPv6Address("2001:4860:4860::8888"))
@example(IPv4Address("8.8.8.8"))
def test_a_public_address_is_public_for_python_too(address: IPv4Address | IPv6Address) -> None:
    if is_public(address):
        assert address.is_global
        assert not address.is_multicast
        assert not address.is_reserved


@pytest.mark.parametrize("address", ["8.8.8.8", PUBLIC, "2606:2800:220:1::1", "2a00:1450:4007::200e"])
def test_servers_on_the_open_internet_may_be_reached(address: str) -> None:
    assert checked("https://example.org/a.pdf", look_up=answering(address)) == [address]


def test_of_several_addresses_only_the_public_ones_are_used() -> None:
    mixed = answering("10.0.0.1", PUBLIC, "::1", "127.0.0.1")
    assert checked("http://example.org/", look_up=mixed) == [PUBLIC]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://example.org/a.pdf", "ftp"),
        ("file:///etc/passwd", "file"),
        ("gopher://example.org/", "gopher"),
        ("//example.org/", "no scheme"),
        ("http://user:secret@example.org/", "user name"),
        ("http://example.org@127.0.0.1/", "user name"),
        ("http://example.org\\@10.0.0.1/", "user name"),
        ("http://example.org:22/", "Port 22"),
        ("http://example.org:6379/", "Port 6379"),
    ],
)
def test_other_schemes_ports_and_passwords_are_refused_before_anything_is_looked_up(url: str, said: str) -> None:
    async def never(host: str, port: int) -> list[str]:
        raise AssertionError("looked up")

    with pytest.raises(Forbidden, match=said) as caught:
        checked(url, look_up=never)
    assert caught.value.hint
    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    ("allow", "reached", "refused"),
    [
        ("minio:9000", ["http://minio:9000/", "http://MINIO.:9000/"], ["http://minio/", "http://other:9000/"]),
        ("minio", ["http://minio/", "https://minio:8443/"], ["http://minio:9000/", "http://other/"]),
        ("10.0.0.5:9000", ["http://10.0.0.5:9000/", "http://anything:9000/"], ["http://10.0.0.5/"]),
        ("10.0.0.0/8", ["http://10.0.0.5/", "http://anything:8080/"], ["http://10.0.0.5:9000/"]),
    ],
)
def test_an_exception_opens_what_it_names_and_nothing_else(allow: str, reached: list[str], refused: list[str]) -> None:
    for url in reached:
        assert checked(url, allow, look_up=answering("10.0.0.5")) == ["10.0.0.5"]
    for url in refused:
        with pytest.raises(Forbidden):
            checked(url, allow, look_up=answering("10.0.0.5"))


def test_a_port_that_is_excepted_for_one_host_is_no_way_to_another() -> None:
    for look_up in (answering("10.0.0.6"), answering(PUBLIC)):
        with pytest.raises(Forbidden):
            checked("http://elsewhere:9000/", "minio:9000", look_up=look_up)


def test_an_ipv6_exception_may_have_a_port() -> None:
    assert checked("http://[fd00::5]:9000/", "[fd00::5]:9000") == ["fd00::5"]
    assert checked("http://[fd00::5]/", "fd00::/8") == ["fd00::5"]


@pytest.mark.parametrize(
    "entry", ["", "a b", "host:0", "host:70000", "http://minio", "10.0.0.0/99", "10.0.0.0/8:1", "*"]
)
def test_an_exception_that_makes_no_sense_is_named(entry: str) -> None:
    with pytest.raises(Misuse, match=r"web\.allow"):
        parse_exemptions([entry])


def test_the_refusal_says_which_setting_opens_the_door_and_not_what_stands_behind_it() -> None:
    with pytest.raises(Forbidden) as caught:
        checked("http://store.internal:8080/a", look_up=answering("10.77.0.9"))
    assert '"store.internal:8080" to web.allow' in caught.value.hint
    assert "10.77.0.9" not in caught.value.message + caught.value.hint


def test_a_name_nobody_knows_is_said() -> None:
    for host in ("nothing.invalid", "a" * 64 + ".org"):
        with pytest.raises(WebError, match="no server called"):
            checked(f"http://{host}/")


def sent(url: str, look_up: guard.Resolve, inner: Callable[[httpx2.Request], httpx2.Response]) -> httpx2.Response:
    async def ask() -> httpx2.Response:
        transport = GuardedTransport((), look_up, httpx2.MockTransport(inner))
        async with httpx2.AsyncClient(transport=transport, follow_redirects=True) as client:
            return await client.get(url)

    return anyio.run(ask)


def test_a_name_that_changes_its_address_is_looked_up_once_and_reached_where_it_was_checked() -> None:
    """Rebinding: the first answer is public and every later one is private."""
    answers = [PUBLIC, "127.0.0.1", "169.254.169.254"]
    requests: list[httpx2.Request] = []

    async def rebinding(host: str, port: int) -> list[str]:
        return [answers.pop(0)]

    def inner(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return httpx2.Response(200)

    sent("https://rebind.example:8443/a?b=c", rebinding, inner)
    (request,) = requests
    assert str(request.url) == f"https://{PUBLIC}:8443/a?b=c"
    assert request.headers["host"] == "rebind.example:8443"
    assert request.extensions["sni_hostname"] == "rebind.example"
    with pytest.raises(Forbidden):
        sent("https://rebind.example:8443/a", rebinding, inner)
    assert len(requests) == 1


def test_every_redirect_is_checked_again() -> None:
    async def look_up(host: str, port: int) -> list[str]:
        return [PUBLIC] if host == "good.example" else [host]

    def inner(request: httpx2.Request) -> httpx2.Response:
        assert request.url.host == PUBLIC
        return httpx2.Response(302, headers={"Location": request.url.path.removeprefix("/to/")})

    for target in ("http://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "//10.0.0.1/", "http://[::1]/"):
        with pytest.raises(Forbidden):
            sent(f"http://good.example/to/{target}", look_up, inner)


def test_when_one_address_does_not_answer_the_next_one_is_tried() -> None:
    def inner(request: httpx2.Request) -> httpx2.Response:
        if request.url.host != PUBLIC:
            raise httpx2.ConnectError("nobody there")
        return httpx2.Response(200)

    addresses = answering("2606:2800:220:1::1", "8.8.8.8", PUBLIC)
    assert sent("https://example.org/", addresses, inner).status_code == 200
    with pytest.raises(httpx2.ConnectError):
        sent("https://example.org/", answering("8.8.8.8"), inner)


def test_the_system_resolver_gives_addresses_that_can_be_judged() -> None:
    found = anyio.run(resolve_host, "localhost", 80)
    assert found
    assert all(ipaddress.ip_address(address).is_loopback for address in found)
