"""Every operation, asked of a running demo. KITH_URL, KITH_KEY and KITH_TOKEN say where, and by whom."""

import asyncio
import inspect
import os
import re
import unittest
from collections.abc import Callable
from typing import get_type_hints

from kith_client import BadRequest, Forbidden, GenerationGone, Kith, KithError, NotFound, Unauthorized
from kith_client import models as m
from kith_client.operations import Operations
from tests.check import check

URL, KEY, TOKEN = (os.environ[name] for name in ("KITH_URL", "KITH_KEY", "KITH_TOKEN"))
METHODS = {name for name, _ in inspect.getmembers(Operations, inspect.isfunction) if not name.startswith("_")}


class Checked(Kith):
    """Checks every answer, each field of it, by the type that the method is declared to return."""

    def __getattribute__(self, name: str) -> object:
        method: Callable[..., object] = super().__getattribute__(name)
        if name not in METHODS:
            return method
        declared = get_type_hints(getattr(Operations, name))["return"]

        def checked(*arguments: object, **named: object) -> object:
            asked.add(name)
            answer = method(*arguments, **named)
            check(declared, answer)
            return answer

        return checked


asked: set[str] = set()
kith = Checked(URL, KEY, strict=True)
me = Checked(URL, TOKEN, strict=True)


prospect = kith.list_ghost_opportunities(limit=1)["data"]["opportunities"][0]["prospect"]
company = kith.search_companies(q="software", limit=1)["data"][0]
contact = me.list_connections(limit=1)["data"]["connections"][0]


class EveryOperation(unittest.TestCase):
    @classmethod
    def tearDownClass(cls) -> None:
        assert asked == METHODS, f"not asked: {METHODS - asked}"

    def test_many_calls_at_once_from_asyncio_are_those_one_by_one(self) -> None:
        async def at_once() -> list[m.PeopleAnswer]:
            return await asyncio.gather(*(asyncio.to_thread(kith.search_people, q=q) for q in "aeiou" * 4))

        self.assertEqual(asyncio.run(at_once()), [kith.search_people(q=q) for q in "aeiou" * 4])

    def test_warm_paths(self) -> None:
        data = kith.search_warm_paths(
            prospect_id=prospect["id"], include=["match", "reasons", "evidence"], sort="warmness", limit=50
        )["data"]
        assert data["prospect"] is not None and data["match"]["by"] == "id"
        self.assertEqual(data["prospect"]["id"], prospect["id"])
        data = kith.search_warm_paths(
            prospect_company=company["name"],
            connection_types=["direct", "advocate"],
            include_intro_requested=True,
            group_by="target",
        )["data"]
        assert data["company"] is not None
        self.assertEqual(data["company"]["name"], company["name"])
        self.assertTrue(all("target" in path and "alternatives" in path for path in data["paths"]))

    def test_warm_paths_batch(self) -> None:
        data = kith.search_warm_paths_batch(
            targets=[{"id": company["id"]}, {"name": " "}, {"linkedinId": "nobody-at-all"}],
            per_target=2,
            include_intro_requested=True,
        )["data"]
        reached, refused, unknown = data["results"]
        assert reached["company"] is not None
        self.assertEqual(reached["company"]["id"], company["id"])
        self.assertEqual(refused["code"], "validation_error")
        self.assertEqual(unknown["reasons"][0]["code"], "target_unknown")

    def test_network_search(self) -> None:
        answer = kith.search_network(query="who runs finance at a software company", mode="graph", include=["ids"])
        self.assertEqual(answer["meta"]["backend"], "graph-keyword")
        self.assertTrue(answer["data"])

    def test_people(self) -> None:
        self.assertEqual(len(kith.search_people(q="engineer", limit=50)["data"]), 50)
        near = kith.search_people(q="engineer", include_second_degree=False)["data"]
        self.assertEqual({person["degree"] for person in near}, {"first"})
        person = kith.get_person(contact["id"], include=["evidence"])["data"]
        self.assertEqual(person["name"], contact["name"])
        network = kith.get_people_network(person_id=contact["id"], include=["match"])["data"]
        self.assertEqual(network["person"]["id"], contact["id"])

    def test_companies(self) -> None:
        self.assertEqual(kith.search_companies(q="software", page=2, limit=1)["currentPage"], 2)

    def test_own_network(self) -> None:
        self.assertEqual(len(kith.list_members(limit=2)["data"]["members"]), 2)
        self.assertNotIn("member", kith.get_me()["data"])
        self.assertIn("member", me.get_me()["data"])
        data = me.list_connections(limit=3, offset=1)["data"]
        self.assertEqual((data["limit"], data["offset"]), (3, 1))
        me.list_second_degree_connections(via_connector_id=contact["id"])
        self.assertTrue(me.list_second_degree_connections()["data"]["connections"])

    def test_opportunities(self) -> None:
        found = kith.list_ghost_opportunities(limit=50, sort="oldest")["data"]["opportunities"]
        self.assertTrue(any("bestPath" in one for one in found))

    def test_changes(self) -> None:
        generations: list[int] = []
        seeing = Checked(URL, KEY, on_response=lambda _, headers: generations.append(int(headers["Service-Generation"])))
        seeing.search_people(q="a")
        since = generations[0]
        data = seeing.list_changes(since=since)["data"]
        self.assertEqual((data["changes"], data["generation"]), ([], since))
        with self.assertRaises(GenerationGone):
            seeing.list_changes(since=since + 1)

    def test_reference(self) -> None:
        self.assertTrue(kith.get_docs().startswith("<!doctype html>"))
        paths = kith.get_open_api()["paths"]
        served = {operation["operationId"] for item in paths.values() for operation in item.values()}
        self.assertEqual({re.sub(r"(?=[A-Z])", "_", name).lower() for name in served}, METHODS)

    def test_refusals_are_errors_with_status_code_and_request_id(self) -> None:
        nobody = Kith(URL, "nonsense")
        refusals: list[tuple[Callable[[], object], type[KithError], str]] = [
            (lambda: nobody.search_people(q="a"), Unauthorized, "unauthorized"),
            (lambda: kith.list_connections(), Forbidden, "forbidden_scope"),
            (lambda: kith.get_people_network(person_id="person_nobody"), Forbidden, "outside_network"),
            (lambda: kith.get_person("person_nobody/../x?y"), NotFound, "not_found"),
            (lambda: kith.search_people(q="a", limit=51), BadRequest, "validation_error"),
        ]
        for ask, kind, code in refusals:
            with self.assertRaises(kind) as caught:
                ask()
            self.assertEqual(caught.exception.code, code)
            self.assertRegex(caught.exception.request_id or "", "^req_[0-9a-f]{32}$")


class TheCheckOfAnswers(unittest.TestCase):
    def test_it_refuses_a_field_too_few_one_too_many_and_one_of_another_type(self) -> None:
        declared = get_type_hints(Operations.search_people)["return"]
        answer = kith.search_people(q="engineer", limit=1)
        check(declared, answer)
        for change in ({"id": 1}, {"degree": "third"}, {"more": "x"}, {"knownByUserIds": [1]}):
            with self.assertRaises(AssertionError):
                check(declared, {"data": [{**answer["data"][0], **change}]})
        with self.assertRaises(AssertionError):
            check(declared, {"data": [{"id": "person_1"}]})


if __name__ == "__main__":
    unittest.main()
