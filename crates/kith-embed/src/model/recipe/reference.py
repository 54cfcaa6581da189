"""What the `tokenizers` library and numpy make of texts with the shipped model: the program must make the same.

  python reference.py OUT        (needs numpy, safetensors, tokenizers)

Writes one JSON line a text: the text, its piece ids, and eight of its vector's 256 components (every 32nd, from 3).
The library's character tables are those of Unicode 8; characters newer than that are left out here.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

MODEL = Path(__file__).parent.parent
TEXTS = [
    "", " ", "\t\n", "CEO", "Chief Executive Officer", "VP of Engineering", "Senior Software Engineer, Platform", "co-founder & CTO",
    "Head of Growth (EMEA)", "R&D lead", "C++ / C# developer", "3D artist", "24/7 support", "Sr. Dir., Ops.", "Partner @ Seed Fund",
    "cybersecurity", "biotechnology", "Software-as-a-Service", "semiconductors", "antidisestablishmentarianism", "zzzqqqxxyy",
    "São Paulo", "ZÜRICH", "Zürich", "Łódź", "Malmö", "Reykjavík", "İstanbul", "Nuuk", "Đà Nẵng", "Köln-Mülheim", "e\u0301le\u0301phant",
    "東京都", "北京 Beijing", "서울", "한국어", "ひらがな カタカナ", "豈", "\U00020000x", "Москва", "Αθήνα", "القاهرة", "ירושלים", "दिल्ली", "กรุงเทพฯ",
    "engineer 😀", "👩‍💻 developer", "🇫🇷", "caf\u00e9", "red\u0000wine", "red\u200dwine", "red\u00adwine", "red\u0085wine", "red\u000bwine",
    "red\u2028wine", "red\u3000wine", "red\ufffdwine", "red\ue000wine", "“quoted” – ‘text’…", "€5 £6 5² ½", "[PAD]", "red[UNK]wine",
    "[unk] [CLS]", "##ing", "x" * 100, "x" * 101, "é" * 100, "red " + "é" * 101 + " wine",
]


def main() -> None:
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tensors = load_file(MODEL / "model.safetensors")
    rows = tensors["embeddings"].astype(np.float32) * tensors["weights"][:, None]
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        for text in TEXTS:
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            known = [i for i in ids if i > 1]
            mean = rows[known].mean(0) if known else np.zeros(rows.shape[1], np.float32)
            vector = mean / max(float(np.linalg.norm(mean)), 1e-9)
            some = [round(float(component), 7) for component in vector[3::32]]
            out.write(json.dumps({"text": text, "ids": ids, "components": some}) + "\n")


if __name__ == "__main__":
    main()
