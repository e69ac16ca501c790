"""Which addresses count as one visitor."""

import functools
import ipaddress
from typing import TypeAlias

Ip: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

REMEMBERED_ADDRESSES = 2000
NETWORK_BITS = 64  # one IPv6 host may choose its addresses within such a network


def has_any_address(origin: str) -> bool:
    """Whether a host may give itself any number of addresses that each count as one."""
    return origin.lower().startswith("fe80:")


@functools.lru_cache(maxsize=REMEMBERED_ADDRESSES)
def origin_of(address: str) -> str:
    """The address that counts as one visitor; for IPv6, the network that a host may choose its addresses from."""
    known = ip_of(address)
    if known is None:
        return address
    if known.version == 4 or known.is_link_local:  # the latter are one network for everybody
        return str(known)
    return str(ipaddress.ip_network((int(known), NETWORK_BITS), strict=False).network_address)


def is_loopback(address: str) -> bool:
    known = ip_of(address)
    return known is not None and known.is_loopback


def ip_of(address: str) -> Ip | None:
    """The address without its zone (`%eth0`), mapped IPv4 as IPv4; None if it is no address."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (known.ipv4_mapped or known) if known.version == 6 else known
