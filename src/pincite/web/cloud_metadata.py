"""Recognise the metadata addresses of cloud providers, which hand out secrets. No search engine may be set to one."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_V4 = tuple(
    IPv4Network(network) for network in ("169.254.0.0/16", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32")
)
_V6 = tuple(IPv6Network(network) for network in ("fe80::/10", "fd00:ec2::/64", "fd20:ce::/64"))
_WITH_V4_INSIDE = tuple(
    IPv6Network(network) for network in ("64:ff9b::/96", "64:ff9b:1::/48", "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96")
)


def is_cloud_metadata(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address, or the IPv4 address inside it, belongs to a cloud provider's metadata service."""
    if isinstance(address, IPv4Address):
        return any(address in network for network in _V4)
    if any(address in network for network in _WITH_V4_INSIDE):
        return is_cloud_metadata(IPv4Address(int(address) & 0xFFFFFFFF))
    inside = address.sixtofour or (address.teredo[1] if address.teredo else None)
    return any(address in network for network in _V6) or (inside is not None and is_cloud_metadata(inside))
