"""The version of this Rollcall and its day, as the newest heading of CHANGELOG.md has them."""

VERSION = "0.4.0"
# What `rollcall update` asks: a forge's address of the newest release, or of a file with its version; "" while the
# project has none.
RELEASES = ""
RELEASED_ON = "2026-11-26"
