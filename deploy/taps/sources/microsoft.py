"""Microsoft Graph v1.0: the contacts in all folders of one mailbox. Later runs ask for what changed, by delta links."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dlt
from dlt.sources.helpers.rest_client import RESTClient
from dlt.sources.helpers.rest_client.auth import OAuth2ClientCredentials
from dlt.sources.helpers.rest_client.paginators import JSONLinkPaginator
from requests import HTTPError

from common import MERGED, SyncExpired, Tap, address, columns, joined, secret

SECRETS = ("MICROSOFT_TENANT", "MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET", "MICROSOFT_USER")
SCOPES = "the application permission Contacts.Read, with the consent of an administrator"
FIELDS = "givenName,surname,emailAddresses,companyName,jobTitle"
GONE = 410

PEOPLE = "SELECT *, NULL::VARCHAR AS linkedin FROM contacts"


def contact(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": row["id"],
        "deleted": "@removed" in row,
        "first_name": row.get("givenName"),
        "last_name": row.get("surname"),
        "email": joined(address.get("address") for address in row.get("emailAddresses", [])),
        "company": row.get("companyName"),
        "position": row.get("jobTitle"),
    }


def tap(is_first: bool) -> Tap:
    login = address("MICROSOFT_LOGIN_URL", "https://login.microsoftonline.com")
    client = RESTClient(
        base_url=address("MICROSOFT_URL", "https://graph.microsoft.com") + "/v1.0/",
        auth=OAuth2ClientCredentials(
            access_token_url=f"{login}/{secret('MICROSOFT_TENANT')}/oauth2/v2.0/token",
            client_id=secret("MICROSOFT_CLIENT_ID"),
            client_secret=secret("MICROSOFT_CLIENT_SECRET"),
            access_token_request_data={"scope": "https://graph.microsoft.com/.default"},
        ),
        paginator=JSONLinkPaginator(next_url_path="['@odata.nextLink']"),
        data_selector="value",
    )
    mailbox = f"users/{secret('MICROSOFT_USER')}"
    rows = columns("id", "first_name", "last_name", "email", "company", "position", deleted="bool")

    def folders() -> list[str]:
        """The default folder is in no list; each contact in it names it."""
        one = client.get(f"{mailbox}/contacts", params={"$top": 1, "$select": "parentFolderId"})
        default = [row["parentFolderId"] for row in one.json()["value"]]
        pages = client.paginate(f"{mailbox}/contactFolders", params={"$top": 100, "$select": "id"})
        return list(dict.fromkeys(default + [row["id"] for page in pages for row in page]))

    @dlt.resource(columns=rows, **MERGED)
    def contacts() -> Iterator[list[dict[str, Any]]]:
        links = dlt.current.resource_state().setdefault("links", {})
        try:
            for folder in folders():
                whole = f"{mailbox}/contactFolders/{folder}/contacts/delta"
                known = links.get(folder)
                params = None if known else {"$select": FIELDS}
                for page in client.paginate(known or whole, params=params):
                    links[folder] = page.response.json().get("@odata.deltaLink")
                    yield [contact(row) for row in page]
        except HTTPError as error:
            if error.response.status_code == GONE:
                raise SyncExpired from error
            raise

    return Tap(contacts(), PEOPLE)
