"""The certificate for https on the home network."""

import os
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509.verification import PolicyBuilder, Store

from web.hosts.laptop.certificates import own_certificate
from web.pages.host_names import AUTHORITY


def test_it_is_made_once_and_anew_for_another_address(tmp_path: Path) -> None:
    cert, key = own_certificate(tmp_path, ["192.168.1.5"])
    first = cert.read_bytes()
    assert own_certificate(tmp_path, ["192.168.1.5"]) == (cert, key)
    assert cert.read_bytes() == first
    own_certificate(tmp_path, ["192.168.1.6"])
    assert cert.read_bytes() != first
    if os.name == "posix":
        assert key.stat().st_mode & 0o077 == 0, "nobody else may read the key"


def test_a_damaged_one_is_made_anew(tmp_path: Path) -> None:
    cert, _ = own_certificate(tmp_path, ["localhost"])
    cert.write_text("nonsense")
    own_certificate(tmp_path, ["localhost"])
    assert cert.read_text().startswith("-----BEGIN CERTIFICATE")


def test_its_authority_has_signed_it_and_can_sign_nothing_more(tmp_path: Path) -> None:
    cert, _ = own_certificate(tmp_path, ["192.168.1.5", "table.local"])
    authority = x509.load_der_x509_certificate((tmp_path / AUTHORITY).read_bytes())
    verifier = PolicyBuilder().store(Store([authority])).build_server_verifier(x509.DNSName("table.local"))
    served, *_ = x509.load_pem_x509_certificates(cert.read_bytes())
    assert verifier.verify(served, [])
    keys = [path for path in tmp_path.iterdir() if b"PRIVATE KEY" in path.read_bytes()]
    assert [path.name for path in keys] == ["https-key.pem"]
    own = load_pem_private_key(keys[0].read_bytes(), None).public_key()
    assert own != authority.public_key(), "the authority's key is nowhere"
