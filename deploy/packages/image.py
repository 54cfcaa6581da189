"""An image without an engine: what deploy/gather copies is its one layer, and the last stage of deploy/Dockerfile its configuration.

The file is an OCI layout, with the list that `docker load` reads beside it.
"""

import hashlib
import json
import re
import time
from pathlib import Path

from files import Entry, gzipped, tar

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
HEALTH = re.compile(r"--(interval|timeout|start-period)=(\d+)s")
HEALTH_KEYS = {"interval": "Interval", "timeout": "Timeout", "start-period": "StartPeriod"}


def configuration(dockerfile: str) -> tuple[dict, int]:
    """What an engine would make of the last stage, and the owner of its files. An instruction that is not known here stops it."""
    config: dict = {}
    owner = 0
    for line in dockerfile.split("\nFROM ")[-1].splitlines()[1:]:
        word, _, value = line.partition(" ")
        match word:
            case "COPY":
                owner = int(re.search(r"--chown=(\d+)", value)[1])
            case "USER":
                config["User"] = value
            case "EXPOSE":
                config["ExposedPorts"] = {f"{value}/tcp": {}}
            case "STOPSIGNAL":
                config["StopSignal"] = value
            case "ENTRYPOINT" | "CMD":
                config[word.title()] = json.loads(value)
            case "HEALTHCHECK":
                flags, command = value.split(" CMD ")
                config["Healthcheck"] = {"Test": ["CMD", *json.loads(command)]} | {
                    HEALTH_KEYS[key]: int(seconds) * 10**9 for key, seconds in HEALTH.findall(flags)}
            case _:
                raise SystemExit(f"deploy/release: deploy/packages/image.py does not know {word} of deploy/Dockerfile: add it there")
    return config, owner


def image(root: Path, files: list[Entry], target: str, version: str, commit: str, epoch: int) -> bytes:
    config, owner = configuration((root / "deploy/Dockerfile").read_text())
    layer = tar(files, epoch, owner)
    blobs: list[Entry] = []

    def blob(kind: str, data: bytes) -> dict:
        digest = hashlib.sha256(data).hexdigest()
        blobs.append(Entry(f"blobs/sha256/{digest}", data))
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    def as_json(value: object) -> bytes:
        return json.dumps(value, sort_keys=True).encode()

    made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))
    packed = blob("layer.v1.tar+gzip", gzipped(layer))
    described = blob("config.v1+json", as_json({
        "architecture": ARCHITECTURES[target.split("-")[0]], "os": "linux", "created": made, "config": config,
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
        "history": [{"created": made, "created_by": "deploy/release"}]}))
    labels = {"org.opencontainers.image.version": version, "org.opencontainers.image.revision": commit,
              "org.opencontainers.image.licenses": "Apache-2.0"}
    manifest = blob("manifest.v1+json", as_json({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": described,
        "layers": [packed], "annotations": labels}))
    name = {"org.opencontainers.image.ref.name": version, "io.containerd.image.name": f"docker.io/library/kith:{version}"}
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
             "manifests": [manifest | {"annotations": name}]}
    path = {key: "blobs/sha256/" + value["digest"].split(":")[1] for key, value in (("Config", described), ("Layer", packed))}
    loaded = [{"Config": path["Config"], "RepoTags": [f"kith:{version}"], "Layers": [path["Layer"]]}]
    return tar([Entry("oci-layout", as_json({"imageLayoutVersion": "1.0.0"})), Entry("index.json", as_json(index)),
                Entry("manifest.json", as_json(loaded)), *blobs], epoch)
