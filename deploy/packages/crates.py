"""The licences of all that is linked into the program, and its bill of materials (CycloneDX), by what cargo says of the checkout.

A crate is one that `cargo tree` names for the target and the features, without those that only run while it is built. A
crate without a licence file of its own gets the text of its licence, if that is Apache-2.0 or MIT, or it leaves the choice of
one of them; else this stops.
"""

import hashlib
import json
import re
import subprocess
import tomllib
import uuid
from pathlib import Path

from files import Entry

NAMES = re.compile(r"(?i)(licen[sc]e|copying|copyright|notice|unlicense)")
MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def said(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def crates(target: str, features: str) -> list[dict]:
    """What cargo knows of each crate in the program, by name and version."""
    tree = said("cargo", "tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none",
                "--target", target, "--features", features, "--format", "{p}")
    linked = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    metadata = json.loads(said("cargo", "metadata", "--locked", "--format-version", "1", "--features", features,
                               "--filter-platform", target))
    found = [crate for crate in metadata["packages"] if (crate["name"], f"v{crate['version']}") in linked]
    if len(found) != len(linked):
        raise SystemExit(f"deploy/release: cargo tree names {len(linked)} crates, and cargo metadata knows {len(found)}")
    return sorted(found, key=lambda crate: (crate["name"], crate["version"]))


def licence_texts(crate: dict, root: Path) -> list[str]:
    folder = Path(crate["manifest_path"]).parent
    named = sorted(path for path in folder.iterdir() if NAMES.match(path.name) and path.suffix != ".rs")
    files = [file for path in named for file in ([path] if path.is_file() else sorted(path.iterdir()))]
    if files:
        return [path.read_text(errors="replace").strip() for path in files]
    offered = re.split(r"/| OR ", crate["license"])
    if "Apache-2.0" in offered:
        return [(root / "LICENSE").read_text().strip()]
    if "MIT" in offered:
        return ["\n".join(f"Copyright (c) {author}" for author in crate["authors"]) + "\n\n" + MIT.strip()]
    raise SystemExit(f"deploy/release: {crate['name']} {crate['version']} has no licence file, and deploy/packages/crates.py "
                     f"has no text of {crate['license']}: add it there")


def licences(found: list[dict], root: Path) -> list[Entry]:
    """Each text once, behind the names of the crates that it is of; and what Rust says of its own library."""
    of_text: dict[str, list[str]] = {}
    for crate in found:
        for text in licence_texts(crate, root):
            of_text.setdefault(text, []).append(f"{crate['name']} {crate['version']} ({crate['license']})")
    rule = "=" * 100
    parts = [f"{rule}\n" + "\n".join(names) + f"\n{rule}\n\n{text}\n" for text, names in of_text.items()]
    rust = Path(said("rustc", "--print", "sysroot").strip()) / "share/doc/rust/COPYRIGHT-library.html"
    if not rust.exists():
        raise SystemExit(f"deploy/release: {rust} is missing, which has the licences of Rust's library: install Rust by rustup")
    model = root / "crates/kith-embed/src/model"
    return [
        Entry("LICENSE", (root / "LICENSE").read_bytes()),
        Entry("NOTICE", (model / "NOTICE").read_bytes()),
        Entry("licenses/crates.txt", "\n".join(parts).encode()),
        Entry("licenses/rust-library.html", rust.read_bytes()),
    ]


def bill(found: list[dict], version: str, target: str, program: bytes, root: Path) -> bytes:
    """A CycloneDX document. Its serial number follows from its contents, and it has no time."""
    locked = tomllib.loads((root / "Cargo.lock").read_text())["package"]
    sums = {(crate["name"], crate["version"]): crate.get("checksum") for crate in locked}

    def component(crate: dict) -> dict:
        name, number = crate["name"], crate["version"]
        purl = f"pkg:cargo/{name}@{number}"
        made = {"type": "library", "bom-ref": purl, "name": name, "version": number, "purl": purl,
                "licenses": [{"expression": crate["license"].replace("/", " OR ")}]}
        if checksum := sums[name, number]:
            made["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        return made

    rust = said("rustc", "--version").split()[1]
    model = {"type": "machine-learning-model", "bom-ref": "model", "name": "kith-embed's model, derived from all-MiniLM-L6-v2",
             "licenses": [{"expression": "Apache-2.0"}]}
    library = {"type": "library", "bom-ref": "rust-std", "name": "rust-std", "version": rust,
               "licenses": [{"expression": "MIT OR Apache-2.0"}]}
    others = [component(crate) for crate in found if crate["name"] != "kith-server"] + [library, model]
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": {
            "type": "application", "bom-ref": "kith", "name": "kith", "version": version,
            "licenses": [{"expression": "Apache-2.0"}],
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(program).hexdigest()}],
            "properties": [{"name": "kith:target", "value": target}]}},
        "components": others,
        "dependencies": [{"ref": "kith", "dependsOn": [other["bom-ref"] for other in others]}],
    }
    content = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).digest()
    document["serialNumber"] = f"urn:uuid:{uuid.UUID(bytes=content[:16], version=5)}"
    return json.dumps(document, indent=1, sort_keys=True).encode() + b"\n"
