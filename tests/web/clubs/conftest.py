from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.clubs.simulated_nights import Server


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path)
    yield made
    made.store.close()
