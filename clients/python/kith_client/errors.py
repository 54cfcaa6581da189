"""Answers that are no success."""


class KithError(Exception):
    """An answer that is no success."""

    status: int
    """The HTTP status."""
    code: str | None
    """What is wrong, in a word: one of `ErrorCode`. `None` if the answer is not the server's but that of a proxy."""
    message: str
    """What is wrong, in a sentence."""
    retry_after: int | None
    """Seconds after which to try again; with 429 and 503."""
    request_id: str | None
    """Name it when you report a problem."""

    def __init__(
        self, status: int, code: str | None, message: str, retry_after: int | None, request_id: str | None
    ) -> None:
        super().__init__(f"{status} {code}: {message}" if code else f"{status}: {message}")
        self.status, self.code, self.message = status, code, message
        self.retry_after, self.request_id = retry_after, request_id

    @property
    def is_temporary(self) -> bool:
        """Whether the same call may succeed later."""
        return self.status in (429, 503)

    @staticmethod
    def of(
        status: int, *, code: str | None, message: str, retry_after: int | None, request_id: str | None
    ) -> "KithError":
        """The error of this status."""
        kind = KINDS.get(status, KithError)
        return kind(status, code, message, retry_after, request_id)


class BadRequest(KithError):
    """400: a parameter or field cannot be taken; the message names it."""


class Unauthorized(KithError):
    """401: the credential is missing, mistyped, revoked or expired."""


class Forbidden(KithError):
    """403: the credential may not, or the person is outside the network; see `code`."""


class NotFound(KithError):
    """404: nobody that the caller can see."""


class GenerationGone(KithError):
    """410: the generation that changes were asked about is not kept."""


class RateLimited(KithError):
    """429: the credential has sent more than it may; see `retry_after`."""


class Unavailable(KithError):
    """503: this cannot be answered right now; see `retry_after`."""


KINDS = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    410: GenerationGone,
    429: RateLimited,
    503: Unavailable,
}
