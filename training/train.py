"""Learns the reader's weights from lessons: python3 training/train.py lessons.ndjson src/finding/search/parse/learned/weights.bin

Needs `pip install python-crfsuite`. A linear-chain CRF by L-BFGS, the same weights from the same lessons. Prints how it does
on every tenth lesson when it has learned from the others; then learns from all. `--shuffled` gives each query the tags of another
one as long: the control, which has to do badly.

The file, little-endian: 25 x 25 weights of one tag before another (i8), two scales (f32), the number of names (u32); for each
name, ascending, the FNV-1a of its UTF-8 (u32) and how many weights it has (u8); for each of these in turn the tag (u8) and the
weight (i8); last 256 x 25 weights of the components of a vector (i8) and their scale (f32).
"""

import json
import random
import struct
import sys
import tempfile
from collections import defaultdict

import pycrfsuite

KINDS = "role seniority company industry place name size connections topic relation silence absent".split()
TAGS = ["O"] + [f"{place}-{kind}" for kind in KINDS for place in "BI"]
SETTINGS = {"c1": 0.3, "c2": 0.05, "max_iterations": 80, "feature.minfreq": 2}
DIMENSIONS = 256
VECTOR_WEIGHT = 2.0


def hashed(name):
    value = 0x811C9DC5
    for byte in name.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def sequence(lesson):
    items = []
    for item in lesson["items"]:
        known = dict.fromkeys(item["names"], 1.0)
        known.update((f"vector {place}", value * VECTOR_WEIGHT) for place, value in enumerate(item["vector"]))
        items.append(known)
    return pycrfsuite.ItemSequence(items)


def tags(lesson):
    return [item["tag"] for item in lesson["items"]]


def learn(lessons, gold):
    trainer = pycrfsuite.Trainer(verbose=False)
    for lesson, said in zip(lessons, gold):
        trainer.append(sequence(lesson), said)
    trainer.set_params(SETTINGS)
    tagger = pycrfsuite.Tagger()
    with tempfile.NamedTemporaryFile() as file:
        trainer.train(file.name)
        tagger.open_inmemory(file.read())
    return tagger


def kinds(said):
    return {"role" if tag[2:] == "seniority" else tag[2:] for tag in said} - {"", "absent"}


def shuffled(lessons):
    by_length = defaultdict(list)
    for place, lesson in enumerate(lessons):
        by_length[len(lesson["items"])].append(place)
    gold = [None] * len(lessons)
    for places in by_length.values():
        for place, other in zip(places, places[1:] + places[:1]):
            gold[place] = tags(lessons[other])
    return gold


def quantized(weights):
    scale = max(map(abs, weights), default=1.0) / 127
    return scale, [round(weight / scale) for weight in weights]


def write(tagger, path):
    info, number = tagger.info(), {tag: place for place, tag in enumerate(TAGS)}
    between = [info.transitions.get((one, other), 0.0) for one in TAGS for other in TAGS]
    between_scale, between = quantized(between)
    vector, names = [0.0] * (DIMENSIONS * len(TAGS)), []
    for (name, tag), weight in info.state_features.items():
        if name.startswith("vector "):
            vector[int(name.split()[1]) * len(TAGS) + number[tag]] = weight * VECTOR_WEIGHT
        else:
            names.append((hashed(name), number[tag], weight))
    vector_scale, vector = quantized(vector)
    scale, weights = quantized([weight for _, _, weight in names])
    by_name = defaultdict(list)
    for (name, tag, _), weight in zip(names, weights):
        if weight:
            by_name[name].append((tag, weight))
    with open(path, "wb") as file:
        file.write(struct.pack(f"<{len(between)}b", *between))
        file.write(struct.pack("<ffI", between_scale, scale, len(by_name)))
        for name in sorted(by_name):
            file.write(struct.pack("<IB", name, len(by_name[name])))
        for name in sorted(by_name):
            for tag, weight in sorted(by_name[name]):
                file.write(struct.pack("<Bb", tag, weight))
        file.write(struct.pack(f"<{len(vector)}b", *vector))
        file.write(struct.pack("<f", vector_scale))


def main():
    source, target = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    with open(source, encoding="utf-8") as file:
        lessons = [lesson for lesson in map(json.loads, file) if lesson["items"]]
    gold = shuffled(lessons) if "--shuffled" in sys.argv else [tags(lesson) for lesson in lessons]
    queries = sorted({lesson["query"] for lesson in lessons})
    random.Random(7).shuffle(queries)
    kept_back = set(queries[::10])
    kept = [lesson for lesson in lessons if lesson["query"] in kept_back]
    rest = [place for place, lesson in enumerate(lessons) if lesson["query"] not in kept_back]
    if "--all" not in sys.argv:
        tagger = learn([lessons[place] for place in rest], [gold[place] for place in rest])
        right = sum(kinds(tagger.tag(sequence(lesson))) == kinds(tags(lesson)) for lesson in kept)
        print(f"{right} of {len(kept)} queries kept back are read with the right kinds")
    write(learn(lessons, gold), target)


if __name__ == "__main__":
    main()
