#!/bin/sh
# Starts Rollcall from the wheel beside this file, for Linux and macOS. The first start needs the internet: it fetches
# uv, if that is missing, and with it Python and the packages. Later starts need neither. Arguments are those of
# `rollcall serve`.
set -eu
version=@VERSION@
here=$(cd "$(dirname "$0")" && pwd)
environment="$here/rollcall-$version"

if [ ! -e "$environment/complete" ]; then
    if [ ! -e "$here/constraints.txt" ]; then
        echo "Unpack the whole archive first, then start $(basename "$0") in the unpacked folder." >&2
        exit 1
    fi
    trap 'echo "Rollcall could not be installed. Is this computer online? Then start this file again." >&2' EXIT
    PATH="$HOME/.local/bin:$PATH"
    if ! command -v uv >/dev/null; then
        echo "Rollcall fetches uv, which installs Python and the packages that Rollcall needs."
        if command -v curl >/dev/null; then
            curl -LsSf https://astral.sh/uv/install.sh 2>/dev/null | sh
        else
            wget -qO- https://astral.sh/uv/install.sh 2>/dev/null | sh
        fi
        command -v uv >/dev/null
    fi
    echo "Rollcall installs itself into $environment. This takes some minutes, once."
    uv venv --clear --python ">=3.10,<3.15" "$environment"
    uv pip install --python "$environment/bin/python" --constraint "$here/constraints.txt" \
        "$here/rollcall_dice-$version-py3-none-any.whl[home]"
    touch "$environment/complete"
    trap - EXIT
fi
# Not bin/rollcall, which names the folder where it was installed: a renamed folder starts too.
exec "$environment/bin/python" -I -m rollcall serve --open "$@"
