"""T7: people found by plain words, by the judged queries of tests/api/judged over the made-up networks of fixtures/judged.

The rules of who is meant are those of tests/api/judged/mod.rs and of the README beside the queries.
"""

import gzip
import json
from collections import defaultdict
from pathlib import Path

from tasks.data import ROOT
from tasks.peer import Peer, PeerError, Unsupported
from tasks.stats import Figure, Ratio, gain

NETWORKS = ("harbourlight", "fernhollow")
DEPTH = 10
CLAUSES = {"people": "id", "positions": "position", "cities": "city", "countries": "country", "companies": "currentCompanyId"}


def queries() -> list[dict]:
    """The judged queries of the networks that are here, without those that fit nobody."""
    folder = ROOT / "tests/api/judged"
    files = [folder / "queries.ndjson", *sorted((folder / "queries").glob("*.ndjson")), *sorted((folder / "later").glob("*.ndjson"))]
    lines = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [line for line in lines if line["network"] in NETWORKS and not line.get("expect")]


class Judge:
    """Who is meant by a rule, among those who can be found."""

    def __init__(self, name: str, work: Path):
        self.folder, self.rows = work / name, {}
        self.folder.mkdir(parents=True, exist_ok=True)
        source = ROOT / "fixtures/judged" / name
        (self.folder / "organization.json").write_bytes((source / "organization.json").read_bytes())
        for path in source.glob("*.ndjson.gz"):
            text = gzip.decompress(path.read_bytes())
            (self.folder / path.stem).write_bytes(text)
            self.rows[path.name.split(".")[0]] = [json.loads(line) for line in text.splitlines()]
        self.people = {row["id"]: row for row in self.rows["people"]}
        self.companies = {row["id"]: row for row in self.rows["companies"]}
        self.members = {row["userId"]: row["personId"] for row in self.rows["members"]}
        self.admin = min((row["joinedAt"], row["userId"]) for row in self.rows["members"] if row["role"] == "admin")[1]
        self.out, self.past = defaultdict(set), defaultdict(set)
        for row in self.rows["connections"]:
            self.out[row["from"]].add(row["to"])
            place = row.get("breakdown", {}).get("pastCompanyName")
            if place:
                self.past[row["from"]].add(place)
                self.past[row["to"]].add(place)
        self.helped = defaultdict(list)
        for row in self.rows["advocates"]:
            if row["status"] == "accepted":
                self.helped[row["userId"]].append(row["personId"])
                self.out[self.members[row["userId"]]].add(row["personId"])

    def pool(self, user: str, networks: list[str]) -> set[str]:
        own = self.members[user]
        who = {"user": [own], "advocate": self.helped[user], "organization": list(self.members.values())}
        return {known for name in networks or who for one in who[name] for known in self.out[one]} - {own}

    def values(self, person: str, of: str) -> set[str]:
        row = self.people[person]
        company = self.companies.get(row.get("currentCompanyId"), {})
        if of == "past_companies":
            return self.past[person]
        one = company.get({"industries": "industry", "headquarters": "headquartersLocation"}[of]) if of not in CLAUSES else row.get(CLAUSES[of])
        return {one} if one else set()

    def fits(self, person: str, name: str, clause: list | dict) -> bool:
        wanted = not name.startswith("not_")
        parts = clause if isinstance(clause, dict) else {name.removeprefix("not_"): clause}
        return wanted == any(self.values(person, of) & set(values) for of, values in parts.items())

    def meant(self, query: dict, rule: str) -> set[str]:
        if query.get(rule) is None:
            return set()
        pool = self.pool(query["as_user"] or self.admin, query.get("networks", []))
        return {person for person in pool if all(self.fits(person, name, clause) for name, clause in query[rule].items())}


def measure(peers: list[Peer], work: Path, share: int, note) -> list[Figure]:
    """nDCG of the first ten, for each half of the queries; `share` 4 asks every fourth."""
    halves = {"tune": "half that may be tuned on", "held_out": "held-out half"}
    parts: dict[str, dict[str, dict]] = {half: defaultdict(dict) for half in halves}
    everything = queries()[::share]
    for network in NETWORKS:
        judge = Judge(network, work)
        own = [query for query in everything if query["network"] == network]
        truth = {query["id"]: (judge.meant(query, "relevant"), judge.meant(query, "partly")) for query in own}
        for peer in peers:
            try:
                peer.ask({"op": "load", "tables": str(judge.folder)})
                for query in own:
                    user, (full, partly) = query["as_user"] or judge.admin, truth[query["id"]]
                    answer = peer.ask({"op": "find", "query": query["query"], "as": user, "limit": DEPTH})["people"]
                    half = partly - full
                    if full or half:
                        parts[query["split"]][peer.name][query["id"]] = (gain(answer, full, half, DEPTH), 1)
            except Unsupported:
                continue
            except PeerError as error:
                note(f"T7, {network}: {error}")
                parts = {half: defaultdict(dict, {name: own for name, own in of.items() if name != peer.name}) for half, of in parts.items()}
    return [Figure("T7", "judged queries", f"nDCG@{DEPTH}, {halves[half]}", f"{max(map(len, of.values()))} queries",
                   {name: Ratio(own) for name, own in of.items()}) for half, of in parts.items() if of]
