"""Ranks 20 prospects and 5 companies by the best introduction to them. KITH_URL and KITH_KEY say where, and who asks."""

import os

from kith_client import Kith

kith = Kith(os.environ.get("KITH_URL", "http://127.0.0.1:8080"), os.environ["KITH_KEY"], retries=2)

found = kith.list_ghost_opportunities(limit=50, sort="relevancy")["data"]["opportunities"]
prospects = list({one["prospect"]["id"]: one["prospect"]["name"] for one in found}.items())[:20]
companies = [(company["id"], company["name"]) for company in kith.search_companies(q="software", limit=5)["data"]]
wanted = prospects + companies

batch = kith.search_warm_paths_batch(targets=[{"id": one} for one, _ in wanted], per_target=1, sort="warmness")
ranked = [(name, result.get("paths")) for (_, name), result in zip(wanted, batch["data"]["results"])]
ranked.sort(key=lambda pair: pair[1][0]["warmness"] if pair[1] else -1, reverse=True)

for name, paths in ranked:
    score, way = (paths[0]["warmness"], paths[0]["fromUserName"]) if paths else ("-", "nobody")
    if paths and paths[0]["connectionType"] != "direct":
        way += f", over {paths[0]['connector']['name']}"
    print(f"{score:>3}  {name}: {way}")
