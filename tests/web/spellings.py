"""Ways to write an address that some reader of URLs, or some system, takes for a private one: a written list."""

from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv6Address
from itertools import product

PRIVATE = (
    *("0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254", "169.254.169.254"),
    *("172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.7"),
    *("203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "168.63.129.16"),
)
PRIVATE_V6 = ("::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "fd20:ce::254", "ff02::1", "2001:db8::1", "fec0::1")
_WIDE = {ord("0") + digit: ord("０") + digit for digit in range(10)}
_CIRCLED = {ord("1") + digit: ord("①") + digit for digit in range(9)}
_BOLD = {ord("0") + digit: 0x1D7CE + digit for digit in range(10)}
_ARABIC = {ord("0") + digit: 0x660 + digit for digit in range(10)}


def numbers(address: str) -> Iterator[str]:
    """An IPv4 address as the C library reads it: in one to four parts, each decimal, octal or hexadecimal."""
    a, b, c, d = (int(part) for part in address.split("."))
    splits = ((a, b, c, d), (a, b, c << 8 | d), (a, b << 16 | c << 8 | d), (int(IPv4Address(address)),))
    ways: tuple[Callable[[int], str], ...] = (*(str, hex, "0X{:X}".format, "0{:o}".format, "0x{:010x}".format),)
    for parts, way in product(splits, ways):
        yield ".".join(way(part) for part in parts)
    yield f"{a}.0x{b:x}.0{c:o}.{d}"
    yield f"000000{a:o}.{b}.{c}.{d}"


def disguised(host: str) -> Iterator[str]:
    """A host in other alphabets, with other dots, and in percent signs."""
    for table in (_WIDE, _CIRCLED, _BOLD, _ARABIC):
        yield host.translate(table)
    for dot in ("。", "．", "｡", "%2e", "%E3%80%82"):
        yield host.replace(".", dot)
    yield "".join(f"%{ord(char):02x}" for char in host)
    yield "".join(f"%25{ord(char):02x}" for char in host)
    yield from (f"{host}.", f"{host}..", f"{host}%00", f"{host}%00.example.org", f"{host}%20", f"\u00ad{host}")
    yield from (f"[{host}]", f"[v1.{host}]", f"{host[0]}\t{host[1:]}", f"{host[0]}\u200b{host[1:]}")


def embedded(address: str) -> Iterator[str]:
    """IPv6 addresses with an IPv4 one inside: mapped, compatible, translated, 6to4, NAT64, Teredo."""
    whole = int(IPv4Address(address))
    high, low = f"{whole >> 16:x}", f"{whole & 0xFFFF:x}"
    hidden = whole ^ 0xFFFFFFFF
    yield from (f"::ffff:{address}", f"::FFFF:{high}:{low}", f"0:0:0:0:0:ffff:{high}:{low}", f"::{address}")
    yield from (f"::{high}:{low}", f"::ffff:0:{address}", f"::ffff:0:{high}:{low}", f"2002:{high}:{low}::1")
    yield from (f"64:ff9b::{address}", f"64:ff9b::{high}:{low}", f"64:ff9b:1::{high}:{low}")
    yield f"2001:0:5ef5:79fd:0:0:{hidden >> 16:x}:{hidden & 0xFFFF:x}"
    yield f"2001:0:{high}:{low}::1"  # Teredo's server
    yield IPv6Address(f"::ffff:{high}:{low}").exploded


def tricks(host: str) -> Iterator[str]:
    """Whole addresses whose real host is hidden behind another one, or behind their scheme."""
    for before in ("example.org@", "example.org:80@", "example.org\\@", "example.org%40", "ann:secret@", "@", ":@"):
        yield f"http://{before}{host}/"
    for after in ("#@example.org/", "?@example.org/", "\\@example.org/", ";@example.org/", ":80\\example.org", "/..//"):
        yield f"http://{host}{after}"
    for scheme in ("HTTPS://", "http:////", "http:\\\\", "http:/", "hTTp://", "\thttp://", "//", "ws://", "ftp://"):
        yield f"{scheme}{host}/latest/meta-data/"
    for port in (":80", ":443", ":8080", ":", ":0080", ":22", ":6379", ":65616", ":٨٠"):
        yield f"http://{host}{port}/"


def spellings() -> list[str]:
    """The whole list, each once."""
    found: dict[str, None] = {}
    for address in PRIVATE:
        hosts = [*numbers(address), *disguised(address), *(f"[{each}]" for each in embedded(address))]
        found.update(dict.fromkeys(f"http://{host}/" for host in hosts))
        found.update(dict.fromkeys(tricks(address)))
    for address in PRIVATE_V6:
        exploded = IPv6Address(address).exploded
        for host in (address, address.upper(), exploded, f"{address}%25eth0", f"{address}%1", f"{address}%lo"):
            found.update(dict.fromkeys(tricks(f"[{host}]")))
    for name in (
        "localhost",
        "LOCALHOST",
        "ＬＯＣＡＬＨＯＳＴ",
        "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
        "localhost.",
        "a.localhost",
        "metadata.google.internal",
    ):
        found.update(dict.fromkeys(tricks(name)))
    return list(found)
