"""Scripts by which a shell completes commands, options and games.

`words`: of each command what may follow it, and for "" the commands; of letters, digits, `-` and `.`.
"""

from collections.abc import Callable, Mapping, Sequence

Words = Mapping[str, Sequence[str]]

BASH = """\
_rollcall() {{
  local words
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  [ "$COMP_CWORD" = 1 ] && words='{commands}'
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _rollcall rollcall
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def bash(words: Words) -> str:
    cases = "\n".join(f"  {command}) words='{' '.join(given)}' ;;" for command, given in words.items() if command)
    return BASH.format(cases=cases, commands=" ".join(words[""]))


def zsh(words: Words) -> str:
    return ZSH + bash(words)


def fish(words: Words) -> str:
    lines = [f"complete -c rollcall -f -n __fish_use_subcommand -a '{' '.join(words[''])}'"]
    for command, given in words.items():
        here = f"complete -c rollcall -n '__fish_seen_subcommand_from {command}'"
        options = [each[2:] for each in given if each.startswith("--")]
        others = " ".join(each for each in given if not each.startswith("--"))
        if command:
            lines += [*(f"{here} -l {option}" for option in options), *([f"{here} -a '{others}'"] if others else [])]
    return "\n".join(lines) + "\n"


SCRIPTS: dict[str, Callable[[Words], str]] = {"bash": bash, "fish": fish, "zsh": zsh}
