"""Which browsers a phone alone needs at least: a newer Pyodide or ONNX Runtime must not raise that unnoticed."""

import json
import lzma
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
WALKS = Path(__file__).parent / "wasm-features.mjs"
MODULES = ("pyodide/pyodide.asm.wasm.xz", "eye/ort-wasm-simd-threaded.wasm.xz")
# The first Safari of iPhones and the first Chrome of Android with each, as webassembly.org/features and MDN's
# compatibility data have it (2026-11). What is used and not listed here fails.
OF_WEBASSEMBLY = {
    "bulk memory": ((15, 0), (75, 0)),
    "exceptions": ((18, 4), (137, 0)),
    "exceptions, the first form": ((15, 2), (95, 0)),
    "reference types": ((15, 0), (96, 0)),
    "saturating conversions": ((15, 0), (75, 0)),
    "sign extension": ((14, 5), (74, 0)),
    "simd": ((16, 4), (91, 0)),
    "tail calls": ((18, 2), (112, 0)),
    "threads": ((14, 5), (88, 0)),
}
OF_SCRIPTS = {
    r"\.createSyncAccessHandle\(": ((15, 2), (109, 0)),
    r"new OffscreenCanvas\(": ((16, 4), (69, 0)),
    r"new DecompressionStream\(": ((16, 4), (80, 0)),
    r"navigator\.locks": ((15, 4), (69, 0)),
    r"new BroadcastChannel\(": ((15, 4), (54, 0)),
    r"crypto\.randomUUID\(": ((15, 4), (92, 0)),
    r"structuredClone\(": ((15, 4), (98, 0)),
    r"\.findLast(?:Index)?\(": ((15, 4), (97, 0)),
    r"\.to(?:Sorted|Reversed|Spliced)\(": ((16, 0), (110, 0)),
    r"AbortSignal\.any\(": ((17, 4), (116, 0)),
    r"Object\.groupBy\(": ((17, 4), (117, 0)),
    r"Promise\.withResolvers\(": ((17, 4), (119, 0)),
    r"\.checkVisibility\(": ((17, 4), (105, 0)),
    r"Promise\.try\(": ((18, 2), (128, 0)),
    r"Iterator\.from\(": ((18, 4), (122, 0)),
    r"Array\.fromAsync\(": ((16, 4), (121, 0)),
}
NAMED = re.compile(r"at least Safari (\d+)\.(\d+) \(iPhone\) or Chrome (\d+) \(Android\)")


def features(*modules: Path) -> set[str]:
    """What the instructions of WebAssembly modules use of what came after its first version."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: it walks the modules")
    run = subprocess.run([node, WALKS, *modules], capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout))


def scripts() -> str:
    """All scripts of the phone's shell and of the pages."""
    folders = (ROOT / "web/hosts/phone/shell", ROOT / "web/static")
    return "\n".join(path.read_text(encoding="utf-8") for each in folders for path in sorted(each.rglob("*.js")))


def module(folder: Path, *code: int) -> Path:
    """A WebAssembly module with one function of these instructions."""
    body = bytes([0, *code, 0x0B])
    section = bytes([1, len(body), *body])
    path = folder / "module.wasm"
    path.write_bytes(b"\0asm\1\0\0\0" + bytes([10, len(section), *section]))
    return path


@pytest.mark.parametrize(
    ("code", "used"),
    [
        ([0x41, 0xFD, 0x00, 0x1A], set()),  # a number whose bytes look like an instruction
        ([0xFD, 12, *[0xFE] * 16, 0x1A], {"simd"}),
        ([0x41, 0, 0xC0, 0x1A], {"sign extension"}),
        ([0x1F, 0x40, 1, 2, 0, 0x0B], {"exceptions"}),
        ([0x06, 0x40, 0x19, 0x0B], {"exceptions, the first form"}),
        ([0xD0, 0x70, 0x1A], {"reference types"}),
        ([0x12, 0], {"tail calls"}),
        ([0xFD, 0x80, 0x02], {"relaxed simd"}),
    ],
)
def test_instructions_tell_what_they_need(tmp_path: Path, code: list[int], used: set[str]) -> None:
    assert features(module(tmp_path, *code)) == used


@pytest.mark.whole
@pytest.mark.browser  # beside the others that need the site
def test_the_oldest_browsers_are_those_that_the_page_names(site: Path, tmp_path: Path) -> None:
    unpacked = [tmp_path / Path(name).stem for name in MODULES]
    for name, path in zip(MODULES, unpacked, strict=True):
        path.write_bytes(lzma.decompress((site / name).read_bytes()))
    needed = [OF_WEBASSEMBLY[feature] for feature in features(*unpacked)]
    text = scripts()
    needed += [since for pattern, since in OF_SCRIPTS.items() if re.search(pattern, text)]
    safari, (chrome, _) = (max(column) for column in zip(*needed, strict=True))
    named = NAMED.search((ROOT / "docs" / "phone-alone.md").read_text(encoding="utf-8"))
    assert named is not None
    assert tuple(map(int, named.groups())) == (*safari, chrome)
