"""Google, People API v1: the contacts of one member. Later runs ask for what changed, by a sync token."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dlt
from dlt.sources.helpers.rest_client import RESTClient
from dlt.sources.helpers.rest_client.auth import OAuth2ClientCredentials
from dlt.sources.helpers.rest_client.paginators import JSONResponseCursorPaginator
from requests import HTTPError

from common import MERGED, SyncExpired, Tap, address, columns, joined, secret

SECRETS = ("GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_REFRESH_TOKEN")
SCOPES = "a refresh token of the member with the scope https://www.googleapis.com/auth/contacts.readonly"
FIELDS = "names,emailAddresses,organizations,urls,metadata"

PEOPLE = "SELECT * FROM contacts"


def contact(row: dict[str, Any]) -> dict[str, Any]:
    name = (row.get("names") or [{}])[0]
    jobs = row.get("organizations") or [{}]
    job = next((job for job in jobs if job.get("current")), jobs[0])
    profiles = [url["value"] for url in row.get("urls", []) if "linkedin.com/" in url.get("value", "")]
    return {
        "id": row["resourceName"],
        "deleted": row.get("metadata", {}).get("deleted", False),
        "first_name": name.get("givenName"),
        "last_name": name.get("familyName"),
        "email": joined(address.get("value") for address in row.get("emailAddresses", [])),
        "company": job.get("name"),
        "position": job.get("title"),
        "linkedin": profiles[0] if profiles else None,
    }


def tap(is_first: bool) -> Tap:
    client = RESTClient(
        base_url=address("GOOGLE_URL", "https://people.googleapis.com") + "/v1/",
        auth=OAuth2ClientCredentials(
            access_token_url=address("GOOGLE_TOKEN_URL", "https://oauth2.googleapis.com/token"),
            client_id=secret("GOOGLE_CLIENT_ID"),
            client_secret=secret("GOOGLE_CLIENT_SECRET"),
            access_token_request_data={
                "grant_type": "refresh_token",
                "refresh_token": secret("GOOGLE_REFRESH_TOKEN"),
            },
        ),
        paginator=JSONResponseCursorPaginator(cursor_path="nextPageToken", cursor_param="pageToken"),
    )
    rows = columns("id", "first_name", "last_name", "email", "company", "position", "linkedin", deleted="bool")

    @dlt.resource(columns=rows, **MERGED)
    def contacts() -> Iterator[list[dict[str, Any]]]:
        state = dlt.current.resource_state()
        params = {"personFields": FIELDS, "pageSize": 1000, "requestSyncToken": "true"}
        if state.get("token"):
            params["syncToken"] = state["token"]
        try:
            # An answer without a change has no list.
            for page in client.paginate("people/me/connections", params=params, data_selector="connections[*]"):
                state["token"] = page.response.json().get("nextSyncToken")
                yield [contact(row) for row in page]
        except HTTPError as error:
            if "EXPIRED_SYNC_TOKEN" in error.response.text:
                raise SyncExpired from error
            raise

    return Tap(contacts(), PEOPLE)
