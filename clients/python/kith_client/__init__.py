"""A typed client of kith: who can introduce us? Without dependencies."""

from kith_client.client import Kith, pages
from kith_client.errors import (
    BadRequest,
    Forbidden,
    GenerationGone,
    KithError,
    NotFound,
    RateLimited,
    Unauthorized,
    Unavailable,
)

__all__ = [
    "BadRequest",
    "Forbidden",
    "GenerationGone",
    "Kith",
    "KithError",
    "NotFound",
    "RateLimited",
    "Unauthorized",
    "Unavailable",
    "pages",
]
