"""The version of this Rollcall and its day, as the newest heading of CHANGELOG.md has them."""

VERSION = "0.4.0"
RELEASED_ON = "2026-11-26"
