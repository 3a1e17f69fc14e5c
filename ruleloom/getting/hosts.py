"""Which hosts a download may reach: whatever the user names, but what an index or a redirect leads to only if
it is on the same host, or out on the web and encrypted.

A name is resolved once, and the connection goes to the addresses that were judged.
"""

from __future__ import annotations

import ipaddress
import socket

from ruleloom.getting.written_sources import NotGot, WebAddress
from ruleloom.runtime.dataclass import Frozen


class LedFrom(Frozen):
    """What led to an address: a page that redirects, or an index. One on this machine has no address."""

    shown: str
    address: WebAddress | None = None


def reach(address: WebAddress, led: LedFrom | None = None) -> tuple[str, ...]:
    """The numeric addresses of a host that may be reached. Raises NotGot."""
    found = numeric(address)
    inside = not all(map(is_public, found))
    from_ = led.address if led is not None else None
    if inside and led is not None and (from_ is None or from_.origin != address.origin):
        message = f"{led.shown} leads to {address.site}, a host of your own network or machine"
        raise NotGot(message, "only you may name such a host: add its address if you trust it")
    if address.scheme == "http" and not inside:
        https = f"https://{address.host}{address.path.partition('?')[0]}"
        raise NotGot(
            f"{address.site} is not encrypted, and anybody could change it", f"try {https}"
        )
    return found


def numeric(address: WebAddress) -> tuple[str, ...]:
    """The numeric addresses of a host. Raises NotGot."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        help = "check the name and the network; packs that are kept need none: `ruleloom list`"
        raise NotGot(f"the host `{address.host}` is not to be found", help) from None
    return tuple(dict.fromkeys(str(one[4][0]) for one in found))


def is_public(number: str) -> bool:
    """Whether a numeric address lies out on the web, not in a network or machine of one's own."""
    ip = ipaddress.ip_address(number.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return ip.is_global and not ip.is_multicast
