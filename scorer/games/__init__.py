"""One module for each game, named after its key."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def names() -> list[str]:
    """The modules of this package."""
    return [module.name for module in iter_modules(__path__)]


def load(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")
