"""Installed as an app over https with the certificate that Rollcall makes: the shell is kept and opens alone."""

import base64
import hashlib
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PHONE
from tests.browser.playing import ready, start_by_hand, visit
from tests.web.served import Served

KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys()) kept.push(...await (await caches.open(name)).keys());
  return kept.map((one) => new URL(one.url).pathname);
}"""
COUNT_WAKE_LOCKS = """() => {
  window.wakeLocks = 0;
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  navigator.wakeLock.request = (...all) => { window.wakeLocks += 1; return request(...all); };
}"""


@pytest.fixture(scope="module")
def trusting(chromium: Any, secure: Served) -> Iterator[Any]:
    """A browser that trusts the server's certificate, as a phone does on which it was installed."""
    certificate = x509.load_pem_x509_certificate((secure.data / "https-cert.pem").read_bytes())
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    trusted = base64.b64encode(hashlib.sha256(key).digest()).decode()
    browser = chromium.browser_type.launch(
        executable_path=CHROMIUM, args=[*ARGUMENTS, f"--ignore-certificate-errors-spki-list={trusted}"]
    )
    yield browser
    browser.close()


@pytest.fixture
def phone(trusting: Any) -> Iterator[Any]:
    context = trusting.new_context(viewport=PHONE, is_mobile=True, has_touch=True, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(30_000)
    yield page
    context.close()


def install(page: Any, base: str) -> None:
    visit(page, f"{base}/")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_function("() => navigator.serviceWorker.controller")


def test_the_shell_is_kept_and_opens_without_the_server(secure: Served, phone: Any) -> None:
    install(phone, secure.base)
    kept = phone.evaluate(KEPT)
    names = {path.rsplit("/", 1)[-1] for path in kept}
    scripts = {"app.js", "table.js", "on-demand.js", "when-wanted.js", "advising.js"}
    sheets = {"box.js", "cells.js", "knaster.js", "points.js", "score-pad.js", "skunk.js"}
    assert {"offline", "rollcall.css", "icon.svg", *scripts, *sheets} <= names
    assert not any(path.startswith("/tables") for path in kept), "tables are never kept"
    table = start_by_hand(phone, secure.base, "ones-and-fives", "Ada")
    secure.kill()
    for address in (f"{secure.base}/", table):
        phone.goto(address)
        phone.wait_for_selector("text=Rollcall isn't answering.")
        assert phone.locator(".button").evaluate("one => getComputedStyle(one).minHeight") == "48px", (
            "the style is there"
        )
    secure.start()
    ready(phone)  # it goes on by itself
    assert phone.url == table


def test_it_can_be_installed(secure: Served, phone: Any) -> None:
    install(phone, secure.base)
    session = phone.context.new_cdp_session(phone)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == f"{secure.base}/manifest.webmanifest"
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # The browser of a test is always a private one, in which nothing is installed.
    assert [error for error in errors if error["errorId"] != "in-incognito"] == []


def test_over_https_the_screen_stays_awake_and_the_camera_is_offered(secure: Served, phone: Any) -> None:
    phone.add_init_script(f"({COUNT_WAKE_LOCKS})()")
    start_by_hand(phone, secure.base, "ones-and-fives", "Ada")
    assert phone.evaluate("isSecureContext")
    assert phone.evaluate("window.wakeLocks") == 1
    phone.wait_for_selector('nav.actions [data-act="live"]')


def test_the_help_names_what_https_brings(secure: Served, phone: Any) -> None:
    phone.goto(f"{secure.base}/help")
    assert "This page was opened over https" in phone.locator("main").inner_text()
