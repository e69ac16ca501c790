"""Whom a reverse proxy calls for is believed of the proxies that were named, and of nobody else."""

import pytest

from web.hosts.laptop.proxies import Proxies
from web.limits.visitor_limits import STEPS, Limits
from web.problems.problem import Problem


def forwarded_headers(*told: str) -> list[tuple[bytes, bytes]]:
    return [(b"x-forwarded-for", each.encode()) for each in told]


@pytest.mark.parametrize(
    ("client", "told", "caller"),
    [
        ("127.0.0.1", ["192.168.1.7"], "192.168.1.7"),
        ("127.0.0.1", ["10.6.6.6, 192.168.1.7"], "192.168.1.7"),  # the first was told by the phone itself
        ("127.0.0.1", ["10.6.6.6", "192.168.1.7"], "192.168.1.7"),
        ("127.0.0.1", ["192.168.1.7, 10.0.0.2"], "192.168.1.7"),  # of two proxies
        ("127.0.0.1", ["10.0.0.2"], "10.0.0.2"),
        ("127.0.0.1", ["192.168.1.7:5050"], "192.168.1.7"),
        ("127.0.0.1", ["[2001:db8::7]:5050"], "2001:db8::7"),
        ("::ffff:127.0.0.1", ["192.168.1.7"], "192.168.1.7"),
        ("127.0.0.1", ["127.0.0.1"], "127.0.0.1"),  # a browser of this machine itself, which the proxy names
        ("192.168.1.9", ["192.168.1.7"], "192.168.1.9"),  # no proxy
        ("", ["192.168.1.7"], ""),
    ],
)
def test_who_calls(client: str, told: list[str], caller: str) -> None:
    assert Proxies(["127.0.0.1", "10.0.0.2"]).client_address(client, forwarded_headers(*told)) == caller


@pytest.mark.parametrize(
    "told",
    [[], [""], ["unknown"], ["_hidden"], ["unix:"], ["127.0.0"], ["\x00"], ["192.168.1.7, unknown"], ["192.168.1.7,"]],
)
def test_whom_a_proxy_does_not_name_is_one_stranger_and_not_the_proxy(told: list[str]) -> None:
    """Else one who asks by a proxy on this machine would be this machine, of which nothing is counted."""
    proxies = Proxies(["127.0.0.1", "10.0.0.2"])
    stranger = proxies.client_address("127.0.0.1", forwarded_headers("unknown"))
    assert proxies.client_address("127.0.0.1", forwarded_headers(*told)) == stranger
    assert proxies.client_address("::ffff:127.0.0.1", forwarded_headers(*told)) == stranger
    assert proxies.client_address("10.0.0.2", forwarded_headers(*told)) != stranger
    assert proxies.client_address("127.0.0.1", forwarded_headers(*told, "10.0.0.2")) != stranger, (
        "the other proxy named nobody"
    )
    limits = Limits()
    for _ in range(STEPS.of_phone):
        limits.count(STEPS, stranger, "")
    with pytest.raises(Problem) as refused:
        limits.count(STEPS, stranger, "")
    assert refused.value.reason == "too-many-steps"


INGRESS_PATH = b"/api/hassio_ingress/abc-DEF_123"


@pytest.mark.parametrize(
    ("client", "told", "root"),
    [
        ("172.30.32.2", [INGRESS_PATH], INGRESS_PATH.decode()),
        ("::ffff:172.30.32.2", [INGRESS_PATH], INGRESS_PATH.decode()),
        ("127.0.0.1", [INGRESS_PATH], ""),  # a proxy, but not the ingress
        ("192.168.1.9", [INGRESS_PATH], ""),
        ("", [INGRESS_PATH], ""),
        *(
            ("172.30.32.2", told, "")
            for told in (
                [],
                [INGRESS_PATH, b"/other"],
                *(
                    [path]
                    for path in (b"", b"/", b"//evil.example", b"/a/", b"/a?b", b'/"><script>', b"/" + b"a" * 101)
                ),
                [b"/a" * 6],
                [b"/a\n"],
                [b"https://evil.example"],
            )
        ),
    ],
)
def test_the_path_of_the_pages_comes_from_the_ingress_alone(client: str, told: list[bytes], root: str) -> None:
    proxies = Proxies(["127.0.0.1"], "172.30.32.2")
    assert proxies.root(client, [(b"x-ingress-path", each) for each in told]) == root
    assert Proxies(["127.0.0.1", "172.30.32.2"]).root(client, [(b"x-ingress-path", each) for each in told]) == ""


def test_the_ingress_is_a_proxy_too() -> None:
    proxies = Proxies(ingress="172.30.32.2")
    assert proxies
    headers = forwarded_headers("192.168.1.7, 172.30.32.1")
    assert proxies.client_address("172.30.32.2", headers) == "172.30.32.1", "Home Assistant itself is not a named proxy"
    assert proxies.scheme("172.30.32.2", [(b"x-forwarded-proto", b"https")]) == "https"
    with pytest.raises(ValueError, match="next door"):
        Proxies(ingress="next door")


def test_by_what_a_phone_came() -> None:
    proxies = Proxies(["127.0.0.1"])
    assert proxies.scheme("127.0.0.1", [(b"x-forwarded-proto", b"https")]) == "https"
    assert proxies.scheme("127.0.0.1", [(b"x-forwarded-proto", b"javascript")]) is None
    assert proxies.scheme("127.0.0.1", []) is None
    assert proxies.scheme("192.168.1.9", [(b"x-forwarded-proto", b"https")]) is None
    assert not Proxies()
