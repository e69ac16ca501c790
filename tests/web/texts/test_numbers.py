"""Numbers and commands as the pages write them."""

from web.texts import formats as numbers


def test_commands_are_marked_and_everything_else_is_escaped() -> None:
    assert numbers.commands("--cert & --key <b>") == "<code>--cert</code> &amp; <code>--key</code> &lt;b&gt;"
