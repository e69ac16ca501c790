"""A certificate of our own for https on the home network: made once, kept in the data folder.

An authority of its own signs it, since phones trust authorities, not single certificates. The authority's key is thrown
away after this one signature: nobody can sign anything else with it.
"""

import contextlib
import ipaddress
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from web.pages.host_names import AUTHORITY

VALID_DAYS = 800  # phones refuse self-made certificates that are valid for longer than 825 days
RENEW_BEFORE = timedelta(days=30)


def own_certificate(folder: Path, hosts: Sequence[str]) -> tuple[Path, Path]:
    """The certificate and its key as PEM files. They are made anew if one is missing, nearly over, or lacks a host.

    Beside them lies the authority (`AUTHORITY`, DER), for phones that are to trust it.
    """
    cert, key = folder / "https-cert.pem", folder / "https-key.pem"
    if not (cert.exists() and key.exists() and (folder / AUTHORITY).exists() and _serves(cert, hosts)):
        _make(cert, key, folder / AUTHORITY, hosts)
    return cert, key


def _serves(cert: Path, hosts: Sequence[str]) -> bool:
    try:
        found = x509.load_pem_x509_certificate(cert.read_bytes())
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    has = set(names.get_values_for_type(x509.DNSName))
    has |= {str(address) for address in names.get_values_for_type(x509.IPAddress)}
    return found.not_valid_after_utc - datetime.now(timezone.utc) > RENEW_BEFORE and has >= set(hosts)


def _make(cert: Path, key: Path, authority: Path, hosts: Sequence[str]) -> None:
    private, signing = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Rollcall at this table")])
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Rollcall of {datetime.now():%Y-%m-%d %H:%M}")])
    alternatives = [_general_name(host) for host in dict.fromkeys([*hosts, "localhost", "127.0.0.1"])]
    signer = x509.SubjectKeyIdentifier.from_public_key(signing.public_key())
    root = (
        _builder(issuer, issuer, signing.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage("key_cert_sign", "crl_sign"), critical=True)
        .add_extension(signer, critical=False)
        .sign(signing, hashes.SHA256())
    )
    certificate = (
        _builder(name, issuer, private.public_key())
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage("digital_signature"), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(private.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(signer), critical=False)
        .sign(signing, hashes.SHA256())
    )
    cert.parent.mkdir(parents=True, exist_ok=True)
    key.touch(mode=0o600)
    with contextlib.suppress(OSError):  # on file systems without permissions
        key.chmod(0o600)
    pem = serialization.Encoding.PEM
    key.write_bytes(private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    cert.write_bytes(certificate.public_bytes(pem) + root.public_bytes(pem))
    authority.write_bytes(root.public_bytes(serialization.Encoding.DER))


def _builder(subject: x509.Name, issuer: x509.Name, public: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    today = datetime.now(timezone.utc)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=VALID_DAYS))
    )


def _key_usage(*wanted: str) -> x509.KeyUsage:
    uses = "digital_signature content_commitment key_encipherment data_encipherment key_agreement key_cert_sign"
    uses += " crl_sign encipher_only decipher_only"
    return x509.KeyUsage(**{use: use in wanted for use in uses.split()})


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
