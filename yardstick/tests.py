#!/usr/bin/env python3
"""The yardstick's own tests: figures worked out by hand, and controls that have to fail. Standard library, no data, no network; seconds.

    yardstick/run --check
"""

import random
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from tasks import data, mailbox, oracle, page, paths, rows, stats, tables, touch, words
from tasks.peer import Peer, PeerError, Unsupported, called
from tasks.ties import Ties, rest

DAY = data.DAY


def adapter(folder: Path, code: str) -> str:
    """The command of an adapter with this code."""
    path = folder / "trial.py"
    path.write_text("import json, sys, time\n" + code)
    return f"{sys.executable} {path}"


class Statistics(unittest.TestCase):
    def test_an_area_is_the_share_of_pairs_in_order(self):
        for scored, expected in (([(1, False), (2, True)], 1), ([(2, False), (1, True)], 0), ([(1, False), (1, True)], 0.5),
                                 ([(1, False), (2, True), (3, False), (4, True)], 0.75), ([(1, True)], None)):
            self.assertEqual(stats.area(scored), expected, scored)

    def test_gains_are_those_worked_out_by_hand(self):
        for answer, full, half, expected in (("ab", "ab", "", 1), ("xa", "a", "", 0.6309), ("axb", "ab", "", 1.5 / 1.6309), ("xyz", "ab", "", 0),
                                             ("0123456789a", "a", "", 0), ("ba", "a", "b", (1 / 3 + 0.6309) / (1 + 0.6309 / 3))):
            self.assertAlmostEqual(stats.gain(answer, set(full), set(half)), expected, 4)

    def test_shuffled_labels_have_an_area_of_a_half(self):
        dice = random.Random(3)
        scored = [(f"o{number % 40}", number % 97, number % 97 > 60) for number in range(2000)]
        labels = [yes for _, _, yes in scored]
        dice.shuffle(labels)
        mixed = [(owner, score, yes) for (owner, score, _), yes in zip(scored, labels)]
        figure = stats.Figure("T4", "made", "made", "", {"knows": stats.Pooled(scored), "guesses": stats.Pooled(mixed)})
        figure.measure()
        self.assertEqual(figure.row("knows")["value"], 1)
        row = figure.row("guesses")
        self.assertTrue(row["low"] < 0.5 < row["high"] and row["high"] - row["low"] < 0.2, row)
        self.assertGreater(figure.less("knows", "guesses")["low"], 0)

    def test_a_system_is_no_better_than_itself(self):
        parts = {f"o{number}": (number % 3, 2) for number in range(50)}
        figure = stats.Figure("T1", "made", "made", "", {"one": stats.Ratio(parts), "same": stats.Ratio(dict(parts))})
        figure.measure()
        self.assertEqual(figure.less("one", "same"), {"value": 0, "low": 0, "high": 0})

    def test_the_same_figures_come_twice(self):
        twice = []
        for _ in range(2):
            figure = stats.Figure("T1", "made", "made", "", {"one": stats.Ratio({f"o{number}": (number % 7, 7) for number in range(30)})})
            figure.measure()
            twice.append(figure.row("one"))
        self.assertEqual(*twice)


class TiesOfMail(unittest.TestCase):
    def test_strength_is_that_of_the_worked_example(self):
        self.assertEqual([rest(age, 180) for age in (0, 180, 360, 1800)], [1, 0.5, 0.25, 0])
        cut = 20_000 * DAY
        mails = [(cut - 240 * DAY, 1, (2,)), (cut - 203 * DAY, 2, (1,)), (cut - 202 * DAY, 1, (2,))]
        self.assertEqual(Ties(mails).strength(1, 2, cut), 9 + 5 + 3)
        self.assertIsNone(Ties(mails[:1]).strength(1, 2, cut), "who never answered is no tie")
        self.assertIsNone(Ties(mails[1:2] + mails[2:]).strength(1, 2, cut), "an answer comes on the day of the first mail or later")

    def test_who_knows_whom_is_seen_in_mail_that_the_owner_is_not_on(self):
        both = [(5, 2, (3,)), (6, 3, (2,))]
        self.assertTrue(mailbox.Known(data.Archive("", both, [], [])).know(2, 3, 1))
        self.assertFalse(mailbox.Known(data.Archive("", [(5, 2, (1, 3)), (6, 3, (2,))], [], [])).know(2, 3, 1))

    def test_an_introduction_is_found_and_takes(self):
        first = [(day * DAY, 8, (9,)) for day in range(0, 400, 5)]
        mails = sorted(first + [(200 * DAY, 1, (2, 3)), (205 * DAY, 3, (2,)), (250 * DAY, 1, (4, 5))])
        found = [event for month in touch.introductions(data.Archive("", mails, [], []), Ties(mails)).values() for event in month]
        self.assertEqual(found, [(1, 2, 3, 2, True), (1, 4, 5, 2, False)])

    def test_reach_prefers_a_connector_who_knows_few(self):
        network = {1: {2: 40, 3: 40}, 2: {4: 40}, 3: {number: 45 for number in range(5, 25)}, 4: {}}
        over = {far: touch.legs(network, 1, far) for far in (4, 5)}
        best = lambda rule: max(over, key=lambda far: touch.BEST[rule](over[far]))
        self.assertEqual((best(touch.PRODUCT), best(touch.REACH)), (5, 4))


class Paths(unittest.TestCase):
    NET = oracle.built({"members": [{"userId": "user_m", "personId": "m"}, {"userId": "user_n", "personId": "n"}],
                        "advocates": [{"personId": "a", "userId": "user_m", "status": "accepted"}, {"personId": "z", "userId": "user_m", "status": "pending"}],
                        "connections": [{"from": one, "to": other, "warmness": score} for one, other, score in (
                            ("n", "p", 30), ("m", "a", 50), ("a", "p", 50), ("m", "c", 81), ("c", "p", 50), ("a", "d", 100), ("d", "p", 25))]})

    def test_each_type_of_path_is_that_worked_out_by_hand(self):
        expected = [["direct", "user_n", None, "n", 30], ["advocate", "user_m", None, "a", 25], ["second_degree", "user_m", None, "c", 41],
                    ["advocate_second_degree", "user_m", "a", "d", 13]]
        self.assertEqual(oracle.paths(self.NET, "p"), (expected, False))

    def test_a_bound_cuts_connectors_and_is_reported(self):
        found, capped = oracle.paths(self.NET, "p", per_target=2)
        self.assertEqual(([path[0] for path in found], capped), (["direct", "advocate", "second_degree"], True))

    def test_an_answer_that_is_wrong_is_judged_so(self):
        truth = oracle.paths(self.NET, "p")[0]
        good = {"total": 4, "paths": truth, "capped": False}
        self.assertEqual(paths.judged(good, truth, False), {"paths": True, "order": True, "bounds": True})
        self.assertEqual(paths.judged({**good, "paths": truth[::-1]}, truth, False), {"paths": True, "order": False, "bounds": True})
        self.assertFalse(paths.judged({**good, "paths": truth[:3]}, truth, False)["paths"])
        self.assertFalse(paths.judged({**good, "total": 5}, truth, False)["paths"])
        self.assertFalse(paths.judged({**good, "capped": True}, truth, False)["bounds"])

    def test_sqlite_answers_as_the_oracle_does(self):
        with tempfile.TemporaryDirectory() as folder, Peer("sqlite", {}) as peer:
            for figure in paths.measure([peer], Path(folder), 12, self.fail):
                figure.measure()
                self.assertEqual(figure.row("sqlite")["value"], 1, figure.name)
            self.assertRaises(Unsupported, peer.ask, {"op": "no such question"})


class Adapters(unittest.TestCase):
    def refused(self, code: str, request: dict = {"op": "load"}, seconds: float = 20) -> str:
        with tempfile.TemporaryDirectory() as folder, Peer(adapter(Path(folder), code), {}) as peer, self.assertRaises(PeerError) as caught:
            peer.ask(request, seconds)
        return str(caught.exception)

    def test_a_command_is_called_by_its_last_path(self):
        for command, name in (("kith", "kith"), ("./mine --fast", "mine"), ("/bin/python ./other.py", "other")):
            self.assertEqual(called(command), name)

    def test_a_broken_adapter_is_refused_with_its_line(self):
        self.assertIn("trial, answer 1: expected one JSON object on a line, got b'hello'", self.refused("input(); print('hello', flush=True); input()"))
        self.assertIn("answer 1", self.refused("input(); print('[1]', flush=True); input()"))
        self.assertIn("trial ended at `load`: ", self.refused("input(); sys.exit('no such file')"))
        self.assertIn("no such file", self.refused("input(); sys.exit('no such file')"))
        self.assertIn("did not answer `load` in time", self.refused("input(); time.sleep(60)", seconds=0.3))
        self.assertIn("out of memory", self.refused("input(); print(json.dumps({'error': 'out of memory'}), flush=True); input()"))


class Data(unittest.TestCase):
    def test_a_file_that_is_another_one_or_cannot_be_had_is_named(self):
        kept = dict(data.FILES)
        data.FILES["trial"] = ("http://127.0.0.1:9/trial", "0" * 64)
        try:
            with tempfile.TemporaryDirectory() as folder:
                with self.assertRaisesRegex(data.DataError, "trial cannot be fetched from .* put the file into"):
                    data.fetched("trial", Path(folder))
                (Path(folder) / "trial").write_text("another")
                with self.assertRaisesRegex(data.DataError, "trial has SHA-256 .*, expected 000"):
                    data.fetched("trial", Path(folder))
        finally:
            data.FILES.clear()
            data.FILES.update(kept)

    def test_mail_to_more_than_ten_others_is_left_out(self):
        made = data.archive("", {(1, 1): set(range(2, 12)), (2, 1): set(range(2, 13)), (3, 1): {1}}, [], [])
        self.assertEqual([second for second, _, _ in made.mails], [1])


class Words(unittest.TestCase):
    def test_knowledge_gains_all_and_guesses_little(self):
        dice, known, guessed = random.Random(1), [], []
        with tempfile.TemporaryDirectory() as folder:
            judge = words.Judge("fernhollow", Path(folder))
        for query in [query for query in words.queries() if query["network"] == "fernhollow"][:60]:
            pool = sorted(judge.pool(query["as_user"] or judge.admin, query.get("networks", [])))
            full = judge.meant(query, "relevant")
            if full:
                dice.shuffle(pool)
                guessed.append(stats.gain(pool, full, set()))
                known.append(stats.gain(sorted(pool, key=lambda one: one not in full), full, set()))
        self.assertGreater(len(known), 40)
        self.assertEqual(min(known), 1)
        self.assertLess(sum(guessed) / len(guessed), 0.15)


class Rows(unittest.TestCase):
    def test_pairs_are_counted_by_hand(self):
        lines = [{"rec_id": one, "given_name": "", "surname": "", "street_number": "", "address_1": "", "suburb": "", "postcode": "", "date_of_birth": ""}
                 for one in ("rec-1-org", "rec-1-dup-0", "rec-2-org")]
        with tempfile.TemporaryDirectory() as folder, Peer(adapter(Path(folder), "input(); print(json.dumps({'groups': "
                                                                   "[['rec-1-org', 'rec-1-dup-0', 'rec-2-org']]}), flush=True)"), {}) as peer:
            right, found = rows.of_records(peer, lines)
        self.assertEqual((stats.Ratio(right).of({"1": 1, "2": 1}), stats.Ratio(found).of({"1": 1, "2": 1})), (1 / 3, 1))
        self.assertAlmostEqual(stats.Ratio(rows.both(right, found)).of({"1": 1, "2": 1}), 0.5)
        self.assertEqual(len(rows.pairs()), 305)


class Page(unittest.TestCase):
    def test_the_page_begins_with_where_kith_loses(self):
        good, bad = ({f"o{number}": (value, 1) for number in range(30)} for value in (0.9, 0.1))
        figures = [stats.Figure("T3", "made", "figure", "", {"kith": stats.Ratio(of), "other": stats.Ratio(other)}) for of, other in ((bad, good), (good, bad))]
        for figure in figures:
            figure.measure()
        text = page.page(figures, [], [], "trial")
        self.assertEqual(text.split("\n## ")[1].splitlines()[0], "Where kith loses")
        self.assertIn("| T3, made: figure | .100 (.100 to .100) | other .900", text)
        self.assertIn("## Where kith is better than all others\n\n- T3, made: figure\n", text)


if __name__ == "__main__":
    unittest.main()
