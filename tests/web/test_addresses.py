"""Which address the phones at the table should use."""

import ipaddress

from web import addresses


def test_wifi_and_ethernet_come_before_vpn_and_containers() -> None:
    found = ["172.17.0.1", "100.101.102.103", "169.254.1.1", "10.8.0.2", "192.168.1.23", "127.0.0.1"]
    assert addresses.ranked(found) == ["192.168.1.23", "10.8.0.2", "100.101.102.103", "172.17.0.1", "169.254.1.1"]


def test_of_equals_the_one_towards_the_internet_comes_first() -> None:
    assert addresses.ranked(["192.168.1.5", "192.168.2.5"], preferred="192.168.2.5")[0] == "192.168.2.5"


def test_this_machines_addresses_can_be_found() -> None:
    for address in addresses.lan_addresses():
        assert not ipaddress.ip_address(address).is_loopback
    assert addresses.shown_hosts("192.168.1.5") == ["192.168.1.5"]
    assert addresses.shown_hosts("0.0.0.0")


def test_urls() -> None:
    assert addresses.url("192.168.1.5", 8000, False) == "http://192.168.1.5:8000/"
    assert addresses.url("192.168.1.5", 80, False) == "http://192.168.1.5/"
    assert addresses.url("fe80::1", 443, True) == "https://[fe80::1]/"
