"""Sends requests and reads answers."""

import json
import platform
import re
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from http.client import HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from kith_client.errors import KithError
from kith_client.operations import Operations

WAIT_SECONDS_MAX = 60
"""The longest that a call waits before it is sent again."""
USER_AGENT = f"kith-client-python Python/{platform.python_version()}"
"""What the server sees of the client."""


class NoRedirect(HTTPRedirectHandler):
    """A redirect would take the credential elsewhere; the server sends none."""

    def redirect_request(self, *_: object) -> None:
        return None


class Kith(Operations):
    """A client of a kith server. Every call returns the JSON of the answer, or raises a `KithError`.

    base_url: where the server is, such as `https://kith.example.com`.
    credential: an organization key (`service_sk_…`) or a user token, without the white space around it.
    strict: whether the server refuses parameters and fields that it does not know. With `False` it passes over them.
    ca_file: a PEM file of the certificate authorities to trust; by default those of the system.
    retries: how often a call that was answered 429 or 503 is sent again, after the seconds of `Retry-After`.
    timeout: the longest that the server may be silent, in seconds.
    on_response: sees status and headers of every answer, among them `Service-Request-Id`, `Service-Generation` and
    `RateLimit`.

    It holds no connection and may be shared by threads.
    """

    def __init__(
        self,
        base_url: str,
        credential: str,
        *,
        strict: bool = True,
        ca_file: str | None = None,
        retries: int = 0,
        timeout: float = 30.0,
        on_response: Callable[[int, Message], None] | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        credential = credential.strip()
        if not re.fullmatch(r"[!-~]+", credential):
            # The credential itself stays out of the message.
            raise ValueError("the credential is empty or holds a character that no key or token has")
        self._headers = {"Accept": "*/*", "Authorization": f"Bearer {credential}", "User-Agent": USER_AGENT}
        if strict:
            self._headers["Prefer"] = "handling=strict"
        self._retries = retries
        self._timeout = timeout
        self._on_response = on_response
        trusted = HTTPSHandler(context=ssl.create_default_context(cafile=ca_file))
        self._opener = build_opener(NoRedirect, trusted)

    def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
    ) -> Any:
        request = self._request(method, path, query or {}, body)
        left = self._retries
        while True:
            try:
                return self._ask(request)
            except KithError as error:
                seconds = 1 if error.retry_after is None else error.retry_after
                if not error.is_temporary or left <= 0 or seconds > WAIT_SECONDS_MAX:
                    raise
                time.sleep(seconds)
                left -= 1

    def _request(
        self, method: str, path: str, query: Mapping[str, object], body: Mapping[str, object] | None
    ) -> Request:
        sought = urlencode([(name, text(one)) for name, value in query.items() for one in listed(value)])
        url = f"{self._base_url}{path}{'?' if sought else ''}{sought}"
        request = Request(url, method=method, headers=self._headers)
        if body is not None:
            sent = {name: value for name, value in body.items() if value is not None}
            request.data = json.dumps(sent).encode()
            request.add_header("Content-Type", "application/json")
        return request

    def _ask(self, request: Request) -> Any:
        response: HTTPResponse
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                self._see(response.status, response.headers)
                is_json = response.headers.get_content_type() == "application/json"
                content = response.read()
        except HTTPError as error:
            with error:
                self._see(error.code, error.headers)
                raise read_error(error.code, error.headers, error.reason, error.read()) from None
        return json.loads(content) if is_json else content.decode()

    def _see(self, status: int, headers: Message) -> None:
        if self._on_response is not None:
            self._on_response(status, headers)


def read_error(status: int, headers: Message, reason: str, content: bytes) -> KithError:
    """The error that an answer is; a proxy's page has no code."""
    try:
        body = json.loads(content)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    wait = (headers.get("Retry-After") or "").strip()
    return KithError.of(
        status,
        code=body.get("code"),
        message=body.get("error") or reason,
        retry_after=int(wait) if re.fullmatch(r"[0-9]+", wait) else None,
        request_id=headers.get("Service-Request-Id"),
    )


def pages(call: Callable[..., Any], **arguments: Any) -> Iterator[Any]:
    """Each page of a list, from `offset` on: `pages(kith.search_people, q="ann", include=["page"])`.

    call: a method with the argument `offset`, whose answer says `nextOffset` beside `data`, in it or in `meta`.
    """
    offset = arguments.pop("offset", 0)
    while offset is not None:
        page = call(**arguments, offset=offset)
        yield page
        beside = [part for part in (page, page.get("data"), page.get("meta")) if isinstance(part, dict)]
        offset = next((part["nextOffset"] for part in beside if "nextOffset" in part), None)


def listed(value: object) -> list[object]:
    """The values of a parameter: of a list each, of an empty one an empty text, which the server refuses, of `None` none."""
    if value is None:
        return []
    return (list(value) or [""]) if isinstance(value, list | tuple | set | frozenset) else [value]


def text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
