"""What a caller sees of a server that is busy and of proxies: a server made for it answers."""

import threading
import unittest
from collections.abc import Callable
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from kith_client import Forbidden, Kith, KithError, NotFound, RateLimited, Unavailable, pages

Answer = tuple[int, dict[str, str], str]
BUSY: Answer = (429, {"Retry-After": "0"}, '{"error":"Too many.","code":"rate_limited"}')
PEOPLE: Answer = (200, {"Content-Type": "application/json", "Service-Generation": "7"}, '{"data":[]}')


def beside(
    answers: list[Answer],
    act: Callable[[Kith], object],
    *,
    strict: bool = True,
    retries: int = 0,
    on_response: Callable[[int, Message], None] | None = None,
) -> list[tuple[str, Message]]:
    """Runs `act` beside a server that gives `answers` in turn; returns the requests that it saw."""
    seen: list[tuple[str, Message]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = answers[len(seen)] if len(seen) < len(answers) else PEOPLE
            seen.append((self.path, self.headers))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            url = f"http://127.0.0.1:{server.server_port}/"
            act(Kith(url, "service_sk_x", strict=strict, retries=retries, on_response=on_response))
        finally:
            server.shutdown()
    return seen


def failure(answer: Answer) -> KithError:
    """The error that `answer` becomes."""
    caught: list[KithError] = []

    def act(client: Kith) -> None:
        try:
            client.search_people(q="a")
        except KithError as error:
            caught.append(error)

    beside([answer], act)
    return caught[0]


class Errors(unittest.TestCase):
    def test_an_error_has_status_code_sentence_request_id_and_seconds_to_wait(self) -> None:
        headers = {"Retry-After": "7", "Service-Request-Id": "req_1"}
        error = failure((503, headers, '{"error":"Later.","code":"unavailable"}'))
        self.assertIs(type(error), Unavailable)
        self.assertEqual((error.status, error.code, error.message), (503, "unavailable", "Later."))
        self.assertEqual((error.retry_after, error.request_id, error.is_temporary), (7, "req_1", True))
        self.assertEqual(str(error), "503 unavailable: Later.")
        self.assertIs(type(failure(BUSY)), RateLimited)

    def test_a_page_of_a_proxy_is_an_error_without_a_code(self) -> None:
        for status, page, kind in [
            (502, "<html>", KithError),
            (403, "null", Forbidden),
            (500, '"text"', KithError),
            (404, "", NotFound),
        ]:
            error = failure((status, {}, page))
            self.assertEqual((type(error), error.status, error.code, error.retry_after), (kind, status, None, None))

    def test_a_call_is_sent_again_as_often_as_it_may_be_and_only_if_waiting_helps(self) -> None:
        def retried(answers: list[Answer], retries: int) -> tuple[int, bool]:
            failed: list[KithError] = []

            def act(client: Kith) -> None:
                try:
                    client.search_people(q="a")
                except KithError as error:
                    failed.append(error)

            return len(beside(answers, act, retries=retries)), bool(failed)

        self.assertEqual(retried([BUSY, BUSY], 2), (3, False))
        self.assertEqual(retried([BUSY, BUSY], 1), (2, True))
        self.assertEqual(retried([BUSY], 0), (1, True))
        self.assertEqual(retried([(400, {}, "{}")], 2), (1, True))
        self.assertEqual(retried([(503, {"Retry-After": "61"}, "{}")], 2), (1, True))

    def test_what_is_sent_is_the_credential_lists_repeated_and_a_path_escaped(self) -> None:
        def act(client: Kith) -> None:
            client.search_warm_paths(prospect_name="a&b", from_user_ids=["user_1", "user_2"], offset=0)
            client.search_people(q="a", include_second_degree=False)
            client.search_warm_paths(prospect_id="person_1", from_user_ids="user_1")
            client.get_person("person_a/b")

        seen = beside([], act)
        paths = "/api/v1/search/warm-paths"
        self.assertEqual(
            [path for path, _ in seen],
            [
                f"{paths}?prospectName=a%26b&offset=0&fromUserIds=user_1&fromUserIds=user_2",
                "/api/v1/search/people?q=a&includeSecondDegree=false",
                f"{paths}?prospectId=person_1&fromUserIds=user_1",
                "/api/v1/people/person_a%2Fb",
            ],
        )
        self.assertEqual(seen[0][1]["Authorization"], "Bearer service_sk_x")
        self.assertEqual(seen[0][1]["Prefer"], "handling=strict")
        self.assertRegex(seen[0][1]["User-Agent"], "^kith-client-python Python/3")

    def test_an_empty_list_is_sent_and_does_not_mean_everybody(self) -> None:
        def act(client: Kith) -> None:
            client.search_warm_paths(prospect_id="person_1", from_user_ids=[])
            client.search_warm_paths(prospect_id="person_1")

        seen = beside([], act, strict=False)
        paths = "/api/v1/search/warm-paths?prospectId=person_1"
        self.assertEqual([path for path, _ in seen], [f"{paths}&fromUserIds=", paths])
        self.assertNotIn("Prefer", seen[0][1])

    def test_a_key_is_trimmed_and_one_that_is_none_is_refused_without_naming_it(self) -> None:
        self.assertEqual(Kith("http://x", " service_sk_x\n")._headers["Authorization"], "Bearer service_sk_x")
        for credential in ["", " ", "service sk x", "service_sk_x\nX-Evil: 1", "schlüssel"]:
            with self.assertRaises(ValueError) as refused:
                Kith("http://x", credential)
            self.assertNotIn(credential.strip() or "service", str(refused.exception))

    def test_each_page_of_a_list_is_asked_for_once(self) -> None:
        ok = {"Content-Type": "application/json"}
        answers: list[Answer] = [
            (200, ok, '{"data":[1],"nextOffset":1}'),
            (200, ok, '{"data":[2],"meta":{"nextOffset":2}}'),
            (200, ok, '{"data":{"nextOffset":3}}'),
            (200, ok, '{"data":[4],"hasMore":false}'),
        ]
        found: list[object] = []
        seen = beside(answers, lambda client: found.extend(pages(client.search_people, q="a")))
        self.assertEqual([path[-1] for path, _ in seen], ["0", "1", "2", "3"])
        self.assertEqual(len(found), 4)

    def test_every_answer_can_be_seen(self) -> None:
        seen: list[tuple[int, str | None]] = []
        beside(
            [BUSY],
            lambda client: client.search_people(q="a"),
            retries=1,
            on_response=lambda status, headers: seen.append((status, headers["Service-Generation"])),
        )
        self.assertEqual(seen, [(429, None), (200, "7")])

    def test_a_redirect_is_not_followed_so_that_the_credential_goes_nowhere_else(self) -> None:
        caught: list[int] = []

        def act(client: Kith) -> None:
            try:
                client.search_people(q="a")
            except KithError as error:
                caught.append(error.status)

        self.assertEqual(len(beside([(302, {"Location": "/elsewhere"}, "")], act)), 1)
        self.assertEqual(caught, [302])


if __name__ == "__main__":
    unittest.main()
