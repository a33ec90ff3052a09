"""How a client reaches a host: proxies from the environment, never for loopback, and clear words for a bad scheme."""

from __future__ import annotations

import ipaddress
import os
import ssl
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from reach_tui.core.errors import UsageError

_SCHEMES = ("http", "https", "socks5", "socks5h")


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    if host.lower() == "localhost" or host.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def client_options(url: str) -> dict[str, Any]:
    """Options for an httpx client that will talk to `url` only. UsageError for a URL or proxy that cannot be used."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(f"not a usable base URL: {url!r}", hint="it starts with http:// or https:// and names a host")
    if parts.username or parts.password:
        raise UsageError("a base URL with a name or password in it would be stored", hint="give the key by --key-env")
    host = parts.hostname or ""
    # The environment is read here and not by httpx, which knows no socks:// and takes one such variable as fatal.
    options: dict[str, Any] = {"trust_env": False}
    if is_loopback(host):
        return options
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if parts.scheme == "https" and (file or folder):
        options["verify"] = ssl.create_default_context(cafile=file or None, capath=folder or None)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if proxy and not proxy_bypass(host) and not proxy_bypass(parts.netloc):
        options["proxy"] = _proxy(proxy)
    return options


def _proxy(value: str) -> str:
    address = value if "://" in value else "http://" + value
    scheme, _, rest = address.partition("://")
    scheme = "socks5" if scheme.lower() == "socks" else scheme.lower()
    if scheme not in _SCHEMES:
        raise UsageError(
            f"the proxy in the environment has an unknown scheme: {scheme}://", hint="use " + ", ".join(_SCHEMES)
        )
    if scheme.startswith("socks"):
        try:
            import socksio  # type: ignore[import-not-found]  # noqa: F401  (httpx loads it by name)
        except ImportError:
            raise UsageError(
                "a SOCKS proxy is set, but its client is missing", hint="pip install 'httpx[socks]'"
            ) from None
    return f"{scheme}://{rest}"
