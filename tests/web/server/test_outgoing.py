"""Requests go to networks that are allowed, however their address is written or looked up."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import threading
import time

import pytest

from web.problems import Problem
from web.server import outgoing
from web.server.outgoing import AllowedNetworks, PostRequest, Unreachable, own_addresses, parse_target


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "0", "[::]", "[::1]"])
def test_no_name_leads_to_this_machine(host: str) -> None:
    allowed = AllowedNetworks(also=["0.0.0.0/0", "::/0"])
    with pytest.raises((Problem, Unreachable), match=r"own network|not-allowed|unknown-host"):
        allowed.look_up(allowed.check(f"http://{host}/"))


def test_a_name_is_allowed_only_if_all_that_it_means_is(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"lamp": ["192.168.77.7"], "both": ["192.168.77.7", "127.0.0.1"], "far": ["8.8.8.8"], "none": []}

    def look_up(host: str, port: int, **_: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in known[host]]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    allowed = AllowedNetworks()
    assert allowed.look_up(allowed.check("http://lamp:8123/x")) == "192.168.77.7"
    for host in ("both", "far", "none"):
        with pytest.raises(Unreachable, match="not-allowed"):
            allowed.look_up(allowed.check(f"http://{host}/"))


def test_this_machine_is_told_only_if_it_is_named_alone() -> None:
    own = next(ip for ip in own_addresses() if ip.version == 4)
    assert ipaddress.ip_address("127.0.0.1") in own_addresses()
    for also in ([], ["0.0.0.0/0"], ["127.0.0.0/8"]):
        for address in ("127.0.0.1", str(own), "169.254.169.254"):
            with pytest.raises(Problem, match="own network"):
                AllowedNetworks(also=also).check(f"http://{address}/")
    for address in ("127.0.0.1", str(own)):
        assert AllowedNetworks(also=[address]).check(f"http://{address}:8123/").port == 8123
    with pytest.raises(ValueError, match="nonsense"):
        AllowedNetworks(also=["nonsense"])


def test_an_answer_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "WITHIN_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            line, _ = listening.accept()
            with line, contextlib.suppress(OSError):
                while True:
                    line.sendall(b"H")
                    time.sleep(0.05)

        threading.Thread(target=drip, daemon=True).start()
        target = parse_target(f"http://127.0.0.1:{listening.getsockname()[1]}/")
        with pytest.raises(Unreachable, match="no-answer"):
            PostRequest(target, "127.0.0.1", {}, b"{}").send()
