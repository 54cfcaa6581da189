"""Source tables of made-up and measured networks (docs/source-tables.md)."""

import json
import random
from pathlib import Path

JOINED = "2020-01-01T00:00:00Z"


def write(folder: Path, rows: dict[str, list[dict]]) -> Path:
    """Writes the tables into a folder and returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "organization.json").write_text(json.dumps({"id": "org_yardstick", "name": "Yardstick"}))
    for table, lines in rows.items():
        (folder / f"{table}.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def of_ties(network: dict[int, dict[int, int]]) -> dict[str, list[dict]]:
    """Tables of a network in which everybody is a member, so that anybody can be asked."""
    people = sorted(set(network) | {other for own in network.values() for other in own})
    return {"people": [{"id": f"person_p{one}", "name": f"Person P{one}"} for one in people],
            "members": [{"userId": f"user_p{one}", "personId": f"person_p{one}", "role": "admin", "joinedAt": JOINED} for one in people],
            "connections": [{"from": f"person_p{one}", "to": f"person_p{other}", "warmness": strength}
                            for one, own in network.items() for other, strength in own.items()]}


def drawn(dice: random.Random) -> dict[str, list[dict]]:
    """A small network with all that the rules are about: pending advocates, unscored edges, equal scores, edges twice."""
    people = [f"person_{letter}" for letter in "abcdefghijklmnop"[:dice.randint(8, 16)]]
    members = dice.sample(people, dice.randint(1, 4))
    users = {f"user_{number}": person for number, person in enumerate(members)}
    others = [(user, person) for user, own in users.items() for person in people if person != own]
    advocates = [{"personId": person, "userId": user, "status": dice.choice(("accepted", "accepted", "pending", "declined"))}
                 for user, person in dice.sample(others, min(len(others), dice.randint(0, 6)))]
    scores = [None, 0, *dice.choices(range(1, 101), k=dice.choice((2, 6, 40)))]
    edges = []
    for _ in range(dice.randint(len(people), 5 * len(people))):
        score = dice.choice(scores)
        edges.append({"from": dice.choice(people), "to": dice.choice(people), **({} if score is None else {"warmness": score})})
    return {"people": [{"id": one, "name": f"Name {one[-1].upper()}"} for one in people], "advocates": advocates, "connections": edges,
            "members": [{"userId": user, "personId": person, "role": "admin", "joinedAt": JOINED} for user, person in users.items()]}
