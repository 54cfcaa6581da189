"""A generated network as plain lists, the questions that are drawn from it, and the reference that answers them.

The reference is written from the rules alone (docs/paths.md, docs/decisions.md) and searches by brute force.
"""

import csv
import json
import random
import unicodedata

EDGES_PER_TARGET = 256
CANDIDATES = 500
BRIDGES, PER_BRIDGE, READ_PER_BRIDGE = 200, 100, 1000
PAGE = 20
UNSCORED = -1


def fold(text):
    text = "".join(c.lower() for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return " ".join(text.split())


def rows(folder, table):
    with open(folder / f"{table}.ndjson", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def coldness(score):
    return 101 if score == UNSCORED else 100 - score


class Network:
    """People, members and companies by number, ascending by the bytes of their ids; rows of edges warmest first."""

    def __init__(self, folder):
        people = sorted(rows(folder, "people"), key=lambda row: row["id"].encode())
        self.ids = [row["id"] for row in people]
        number = {id: at for at, id in enumerate(self.ids)}
        companies = sorted(rows(folder, "companies"), key=lambda row: row["id"].encode())
        self.company_ids = [row["id"] for row in companies]
        company = {id: at for at, id in enumerate(self.company_ids)}
        names = [fold(row["name"]) for row in companies]
        members = sorted(rows(folder, "members"), key=lambda row: row["userId"].encode())
        self.user_ids = [row["userId"] for row in members]
        self.members = [number[row["personId"]] for row in members]
        self.member_of = {person: at for at, person in enumerate(self.members)}
        user = {id: at for at, id in enumerate(self.user_ids)}
        self.companies = [company.get(row.get("currentCompanyId"), -1) for row in people]
        accepted = [row for row in rows(folder, "advocates") if row["status"] == "accepted"]
        self.helped = {(number[row["personId"]], user[row["userId"]]) for row in accepted}

        best = {}
        for row in rows(folder, "connections"):
            ends, score = (number[row["from"]], number[row["to"]]), row.get("warmness")
            score = UNSCORED if score is None else score
            if ends[0] != ends[1] and score >= best.get(ends, UNSCORED):
                best[ends] = score
        for advocate, member in self.helped:
            best.setdefault((self.members[member], advocate), UNSCORED)
        self.score = best
        count = len(self.ids)
        self.out, self.into = [[] for _ in range(count)], [[] for _ in range(count)]
        for (one, other), score in best.items():
            self.out[one].append((coldness(score), other))
            self.into[other].append((coldness(score), one))
        for row in self.out + self.into:
            row.sort()
        # What a search reads: incoming edges without those of members.
        is_member = self.member_of.__contains__
        self.scanned = [[edge for edge in row if not is_member(edge[1])] for row in self.into]
        self.known_by = [[(cold, self.member_of[one]) for cold, one in row if is_member(one)] for row in self.into]
        employees = [[] for _ in companies]
        for person, at in enumerate(self.companies):
            if at >= 0:
                employees[at].append(person)
        for list_ in employees:
            list_.sort(key=lambda person: (-len(self.into[person]), person))
        self.employees = employees
        self._list(people, names)

    def _list(self, people, company_names):
        """Everyone in reach in the order of search/people, with the texts that it looks in."""
        first = set(self.members) | {end for member in self.members for _, end in self.out[member]}
        keys = []
        for person, row in enumerate(people):
            if person in first:
                key = (0, self.known_by[person][0][0] if self.known_by[person] else 101)
            else:
                cold = next((cold for cold, one in self.into[person] if one in first), None)
                if cold is None:
                    continue
                key = (1, cold)
            name = fold(row["name"])
            company = company_names[self.companies[person]] if self.companies[person] >= 0 else ""
            texts = [name, fold(row.get("email") or ""), fold(row.get("position") or ""), company]
            keys.append((key, name, person, "\n".join(texts)))
        keys.sort()
        self.listed = [(person, text) for _, _, person, text in keys]

    def edge_rows(self):
        for (one, other), score in self.score.items():
            yield one, other, score

    # --- the reference

    def paths(self, targets, with_target):
        found = []
        for target in targets:
            for cold, connector in self.scanned[target][:EDGES_PER_TARGET]:
                last = max(0, 100 - cold)
                for first_cold, member in self.known_by[connector]:
                    if self.members[member] == target or (connector, member) in self.helped:
                        continue
                    first = max(0, 100 - first_cold)
                    found.append(((first * last + 50) // 100, last, member, connector, target))
        found.sort(key=lambda path: (-path[0], -path[1], path[2:]))
        cut = slice(0, 5 if with_target else 4)
        return len(found), [path[cut] for path in found[:PAGE]]

    def person(self, target):
        return self.paths([target], False)

    def company(self, company):
        return self.paths(self.employees[company][:CANDIDATES], True)

    def window(self, member):
        own = self.members[member]
        known = {own} | {end for _, end in self.out[own]}
        best = {}
        for place, (_, bridge) in enumerate(self.out[own][:BRIDGES]):
            outside = [edge for edge in self.out[bridge][:READ_PER_BRIDGE] if edge[1] not in known]
            for cold, person in outside[:PER_BRIDGE]:
                if (cold, place) < best.get(person, (999, 0)):
                    best[person] = (cold, place)
        found = sorted((cold, person, place) for person, (cold, place) in best.items())
        bridges = self.out[own]
        return len(found), [(cold, person, bridges[place][1]) for cold, person, place in found[:PAGE]]

    def substring(self, text):
        found = (person for person, texts in self.listed if text in texts)
        return None, [(person,) for _, person in zip(range(PAGE), found)]

    # --- what is asked

    def draw(self, seed, count):
        """The questions: the same ones of the same network and seed."""
        dice = random.Random(seed)
        ends = [other for _, other, _ in self.edge_rows()]
        employed = [person for person, company in enumerate(self.companies) if company >= 0]
        # The person at the end of any edge, and the employer of anybody.
        people = [dice.choice(ends) for _ in range(count)]
        companies = [self.companies[dice.choice(employed)] for _ in range(count)]
        members = [dice.randrange(len(self.members)) for _ in range(count)]
        pieces = []
        while len(pieces) < count:
            words = dice.choice(self.listed)[1].split()
            word = dice.choice([word for word in words if len(word) >= 3] or ["xyzzy"])
            start = dice.randrange(len(word) - 2)
            piece = word[start : start + dice.randint(3, 6)]
            if piece.isalnum():
                pieces.append(piece)
        return {"person": people, "company": companies, "window": members, "substring": pieces}

    def write_for_petgraph(self, file, questions):
        """Edges, roles and questions as lines that need no parser."""
        with open(file, "w", encoding="utf-8") as out:
            writer = csv.writer(out, delimiter=" ", lineterminator="\n")
            writer.writerow(["people", len(self.ids)])
            writer.writerows(["member", person] for person in self.members)
            writer.writerows(["helps", advocate, member] for advocate, member in sorted(self.helped))
            writer.writerows(["edge", *row] for row in self.edge_rows())
            for kind in ("person", "window"):
                writer.writerows([kind, question] for question in questions[kind])
