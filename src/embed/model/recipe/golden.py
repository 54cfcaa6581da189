"""A tiny encoder of random weights, and what numpy makes of texts with it: the program must make the same.

  python golden.py OUT        (needs numpy, safetensors, tokenizers)

Writes OUT/model.safetensors and OUT/tokenizer.json, a folder as encoder.py writes it but for its size, and OUT/vectors.ndjson: one
JSON line a text with eight of its vector's 256 components (every 32nd, from 3), and the same of forward passes with a mistake each.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

import teacher

WIDTH, INNER, LAYERS, WORDPIECES_MAX, DIMENSIONS = 64, 128, 2, 128, 256
MARKERS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = "head of sales chief financial officer keeps the servers alive bank ##ing ##er ##s red ##dish cafe , & in berlin a".split()
TEXTS = [
    "", "zzz", "head of sales", "Chief Financial Officer", "keeps the servers alive", "banking", "bankers, officers & servers",
    "caf\u00e9", "zzz head of zzz", "the head of the [MASK] in Berlin", "alive", "alive alive", "reddish bank in Berlin",
    "a head of sales in " * 60,
]


def rounded(r: np.random.Generator, name: str, rows: int, width: int, spread: float) -> dict[str, np.ndarray]:
    x = r.normal(0, spread, (rows, width)).astype(np.float32)
    scale = np.abs(x).max(1) / 127
    return {name: np.rint(x / scale[:, None]).astype(np.int8), name + ".scale": scale.astype(np.float32)}


def weights() -> dict[str, np.ndarray]:
    r, w = np.random.default_rng(1), {}

    def norm(name: str) -> None:
        w[name + ".weight"] = r.normal(1, 0.2, WIDTH).astype(np.float32)
        w[name + ".bias"] = r.normal(0, 0.2, WIDTH).astype(np.float32)

    def linear(name: str, rows: int, width: int) -> None:
        w.update(rounded(r, name + ".weight", rows, width, 1.5 / np.sqrt(width)))
        w[name + ".bias"] = r.normal(0, 0.2, rows).astype(np.float32)

    w.update(rounded(r, "embeddings.word_embeddings.weight", len(MARKERS) + len(WORDS), WIDTH, 1))
    w.update(rounded(r, "embeddings.position_embeddings.weight", WORDPIECES_MAX, WIDTH, 0.5))
    w["embeddings.token_type_embeddings.weight"] = r.normal(0, 0.5, (2, WIDTH)).astype(np.float32)
    norm("embeddings.LayerNorm")
    for i in range(LAYERS):
        p = f"encoder.layer.{i}."
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            linear(p + name, WIDTH, WIDTH)
        linear(p + "intermediate.dense", INNER, WIDTH)
        linear(p + "output.dense", WIDTH, INNER)
        norm(p + "attention.output.LayerNorm")
        norm(p + "output.LayerNorm")
    w["projection.mean"] = r.normal(0, 0.05, WIDTH).astype(np.float32)
    w.update(rounded(r, "projection.weight", WIDTH, DIMENSIONS, 1))
    return w


def tokenizer() -> Tokenizer:
    t = Tokenizer(models.WordPiece({name: i for i, name in enumerate(MARKERS + WORDS)}, unk_token="[UNK]"))
    t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    t.add_special_tokens(MARKERS)
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return t


def wrong(folder: Path) -> dict[str, teacher.Teacher]:
    """The forward pass with a mistake each. gelu by tanh is a mistake of the module."""
    made = {name: teacher.Teacher(folder) for name in ("values transposed", "places left out", "two heads swapped", "one layer")}
    of_value, half = slice(2 * WIDTH, 3 * WIDTH), WIDTH // 2
    for g in made["values transposed"].layers:
        g["qkv.w"][:, of_value] = g["qkv.w"][:, of_value].T.copy()
    for g in made["two heads swapped"].layers:
        g["qkv.w"][:, of_value] = np.roll(g["qkv.w"][:, of_value], half, axis=1)
    made["places left out"].emb["position_embeddings.weight"][:] = 0
    made["one layer"].layers.pop()
    return made


def components(t: teacher.Teacher, text: str) -> list[float]:
    ids = t.tok.encode(text).ids
    if all(i == MARKERS.index("[UNK]") for i in ids[1:-1]):
        return [0.0] * 8
    mean, projection = t.projection
    x = ((t.encode_ids([ids]) - mean) @ projection)[0]
    return [round(float(c), 6) for c in (x / np.linalg.norm(x))[3::32]]


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    save_file(weights(), out / "model.safetensors")
    tokenizer().save(str(out / "tokenizer.json"))
    right, mistaken = teacher.Teacher(out), wrong(out)
    for t in [right, *mistaken.values()]:
        t.tok.enable_truncation(WORDPIECES_MAX)
    rows = [{"text": text, "components": components(right, text),
             "wrong": {name: components(t, text) for name, t in mistaken.items()}} for text in TEXTS]
    teacher.gelu = lambda x: 0.5 * x * (1 + np.tanh(np.float32(np.sqrt(2 / np.pi)) * (x + np.float32(0.044715) * x ** 3)))
    for row in rows:
        row["wrong"]["gelu by tanh"] = components(right, row["text"])
    (out / "vectors.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
