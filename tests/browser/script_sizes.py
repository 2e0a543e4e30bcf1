"""The sizes of the files that a browser loads with the page, as they are sent."""

import json
from pathlib import Path


def measure_scripts(folder: Path) -> tuple[int, int, int]:
    """Return the compressed bytes of the first page's script and style, and of the PDF worker."""
    manifest = json.loads((folder / "manifest.json").read_text())
    entry = next(each for each in manifest.values() if each.get("isEntry"))
    loaded = [entry, *(manifest[name] for name in entry.get("imports", []))]
    packed = {
        name: (folder / f"{name}.gz").stat().st_size for each in loaded for name in [each["file"], *each.get("css", [])]
    }
    worker = next((folder / "assets").glob("pdf.worker*.gz"))
    script = sum(size for name, size in packed.items() if name.endswith(".js"))
    return script, sum(packed.values()) - script, worker.stat().st_size
