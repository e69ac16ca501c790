#!/bin/sh
# Starts Rollcall from the wheel beside this file, for Linux and macOS. The first start needs the internet: it fetches
# uv, if that is missing, and with it Python and the packages. Later starts need neither. Arguments are those of
# `rollcall serve`.
set -eu
version=@VERSION@
here=$(cd "$(dirname "$0")" && pwd)
environment="$here/rollcall-$version"

if [ ! -e "$environment/complete" ]; then
    PATH="$HOME/.local/bin:$PATH"
    if ! command -v uv >/dev/null; then
        echo "Rollcall fetches uv, which installs Python and the packages that Rollcall needs."
        if command -v curl >/dev/null; then
            curl -LsSf https://astral.sh/uv/install.sh | sh
        else
            wget -qO- https://astral.sh/uv/install.sh | sh
        fi
    fi
    echo "Rollcall installs itself into $environment. This takes some minutes, once."
    uv venv --clear --python ">=3.10,<3.15" "$environment"
    uv pip install --python "$environment/bin/python" --constraint "$here/constraints.txt" \
        "$here/rollcall_dice-$version-py3-none-any.whl[home]"
    touch "$environment/complete"
fi
exec "$environment/bin/rollcall" serve --open "$@"
