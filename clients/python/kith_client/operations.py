# Written by clients/generate.py from openapi.json. Do not edit.
"""The operations of the API."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote

from kith_client.models import (
    Changes,
    ChangesAnswer,
    CompaniesAnswer,
    ConnectionsAnswer,
    MeAnswer,
    MembersAnswer,
    NetworkAnswer,
    NetworkSearchAnswer,
    OpportunitiesAnswer,
    PeopleAnswer,
    PersonAnswer,
    SearchWarmPathsBatchTarget,
    SecondDegreeAnswer,
    WarmPathsAnswer,
    WarmPathsBatchAnswer,
)


class Operations(ABC):
    """The operations of the API."""

    @abstractmethod
    def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
    ) -> Any: ...

    def search_warm_paths(
        self,
        *,
        prospect_linkedin_id: str | None = None,
        prospect_name: str | None = None,
        prospect_company: str | None = None,
        prospect_id: str | None = None,
        prospect_email: str | None = None,
        prospect: str | None = None,
        prospect_name_at: str | None = None,
        position: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include_intro_requested: bool | None = None,
        scope: Literal["organization", "me"] | None = None,
        from_user_ids: Sequence[str] | None = None,
        connection_types: Sequence[Literal["direct", "advocate", "second_degree", "advocate_second_degree"]] | None = None,
        sort: Literal["tier", "warmness"] | None = None,
        group_by: Literal["connector", "target"] | None = None,
        include: Sequence[Literal["match", "reasons", "evidence", "near"]] | None = None,
    ) -> WarmPathsAnswer:
        """Find warm paths.

        Finds the ways in which members of the organization can be introduced to a person, or to anyone at a
        company.

        Exactly one of `prospectLinkedinId`, `prospectName`, `prospectCompany`, `prospectId`, `prospectEmail`
        and `prospect` must be sent. Paths come by type in the order `direct`, `advocate`, `second_degree`,
        `advocate_second_degree`, and within a type the warmest first. Where nobody matches, `prospect` and
        `company` are both null. Look at `coverage.capped` before taking an answer as complete.
        """
        answer: WarmPathsAnswer = self._send(
            "GET",
            "/api/v1/search/warm-paths",
            query={
                "prospectLinkedinId": prospect_linkedin_id,
                "prospectName": prospect_name,
                "prospectCompany": prospect_company,
                "prospectId": prospect_id,
                "prospectEmail": prospect_email,
                "prospect": prospect,
                "prospectNameAt": prospect_name_at,
                "position": position,
                "limit": limit,
                "offset": offset,
                "includeIntroRequested": include_intro_requested,
                "scope": scope,
                "fromUserIds": from_user_ids,
                "connectionTypes": connection_types,
                "sort": sort,
                "groupBy": group_by,
                "include": include,
            },
        )
        return answer

    def search_warm_paths_batch(
        self,
        *,
        targets: Sequence[SearchWarmPathsBatchTarget],
        per_target: int | None = None,
        scope: Literal["organization", "me"] | None = None,
        sort: Literal["tier", "warmness"] | None = None,
        group_by: Literal["connector", "target"] | None = None,
        from_user_ids: Sequence[str] | None = None,
        connection_types: Sequence[Literal["direct", "advocate", "second_degree", "advocate_second_degree"]] | None = None,
        include_intro_requested: bool | None = None,
        include: Sequence[Literal["match", "reasons", "evidence", "near"]] | None = None,
    ) -> WarmPathsBatchAnswer:
        """Find warm paths to many targets.

        Finds the warm paths to up to 500 targets. Each entry of `results` is what `GET
        /api/v1/search/warm-paths` answers with `limit` as `perTarget` and `include=match,reasons`, without
        the fields of its pages; they stand in the order in which the targets were sent.

        A target that cannot be taken has `error` and `code` in its place and spoils no other. `connectors`
        says who is asked most.
        """
        answer: WarmPathsBatchAnswer = self._send(
            "POST",
            "/api/v1/search/warm-paths/batch",
            body={
                "targets": targets,
                "perTarget": per_target,
                "scope": scope,
                "sort": sort,
                "groupBy": group_by,
                "fromUserIds": from_user_ids,
                "connectionTypes": connection_types,
                "includeIntroRequested": include_intro_requested,
                "include": include,
            },
        )
        return answer

    def search_network(
        self,
        *,
        query: str,
        networks: Sequence[Literal["user", "advocate", "organization"]] | None = None,
        strictness: int | None = None,
        as_user_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: Sequence[Literal["ids", "understood", "ties"]] | None = None,
        mode: Literal["auto", "vector", "graph", "relational"] | None = None,
    ) -> NetworkSearchAnswer:
        """Search the network.

        Finds people by a question in plain language: what they do, where they work or worked, in what
        industry and place, how senior they are, what they are called.

        Who can be found are the people in the chosen networks, the acting member left out. Best matches come
        first; there are no further pages. Without a condition everybody is found, the warmest first.
        `searchTerms` tells what was searched for, `backend` which engine found it.
        """
        answer: NetworkSearchAnswer = self._send(
            "POST",
            "/api/v1/search/network",
            body={
                "query": query,
                "networks": networks,
                "strictness": strictness,
                "asUserId": as_user_id,
                "limit": limit,
                "offset": offset,
                "include": include,
                "mode": mode,
            },
        )
        return answer

    def search_people(
        self,
        *,
        q: str,
        limit: int | None = None,
        include_second_degree: bool | None = None,
        offset: int | None = None,
        include: Sequence[Literal["page", "ties"]] | None = None,
    ) -> PeopleAnswer:
        """Search people.

        Finds people of the first and second degree whose name, e-mail address, position or current company
        holds a text, whatever its capitals and accents. First degree comes first, then the warmest. There are
        no further pages.
        """
        answer: PeopleAnswer = self._send(
            "GET",
            "/api/v1/search/people",
            query={
                "q": q,
                "limit": limit,
                "includeSecondDegree": include_second_degree,
                "offset": offset,
                "include": include,
            },
        )
        return answer

    def get_person(
        self,
        id: str,
        *,
        include: Sequence[Literal["evidence", "ties"]] | None = None,
    ) -> PersonAnswer:
        """Get a person.

        One person of the first or second degree. Warmness is given for the first degree only: that of the
        member who knows them best.
        """
        answer: PersonAnswer = self._send(
            "GET",
            f"/api/v1/people/{quote(id, safe='')}",
            query={
                "include": include,
            },
        )
        return answer

    def get_people_network(
        self,
        *,
        name: str | None = None,
        linkedin_id: str | None = None,
        person_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include_intro_requested: bool | None = None,
        include: Sequence[Literal["match"]] | None = None,
    ) -> NetworkAnswer:
        """List whom a person knows.

        Lists the people whom a person is connected to, warmest first. The person must be a member or known by
        one.

        Exactly one of `name`, `linkedinId` and `personId` must be sent.
        """
        answer: NetworkAnswer = self._send(
            "GET",
            "/api/v1/people/network",
            query={
                "name": name,
                "linkedinId": linkedin_id,
                "personId": person_id,
                "limit": limit,
                "offset": offset,
                "includeIntroRequested": include_intro_requested,
                "include": include,
            },
        )
        return answer

    def search_companies(
        self,
        *,
        q: str,
        page: int | None = None,
        limit: int | None = None,
    ) -> CompaniesAnswer:
        """Search companies.

        Finds companies whose name, industry or headquarters location holds a text, whatever its capitals and
        accents. Names that equal it come first, then those that begin with it, then those that hold it, then
        the rest.
        """
        answer: CompaniesAnswer = self._send(
            "GET",
            "/api/v1/search/companies",
            query={
                "q": q,
                "page": page,
                "limit": limit,
            },
        )
        return answer

    def list_members(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
    ) -> MembersAnswer:
        """List members.

        Lists the members of the organization by name: whom `fromUserIds` may name, and who the `userId` of an
        answer is.
        """
        answer: MembersAnswer = self._send(
            "GET",
            "/api/v1/members",
            query={
                "limit": limit,
                "offset": offset,
            },
        )
        return answer

    def get_me(
        self,
    ) -> MeAnswer:
        """Get who asks.

        Says whose credential was sent and how fresh what is known is: the organization, the member that a
        user token is for, the scopes, the generation of the network.
        """
        answer: MeAnswer = self._send(
            "GET",
            "/api/v1/me",
        )
        return answer

    def list_connections(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        include: Sequence[Literal["ties"]] | None = None,
    ) -> ConnectionsAnswer:
        """List connections.

        Lists the people whom the token's user knows, by name.
        """
        answer: ConnectionsAnswer = self._send(
            "GET",
            "/api/v1/connections",
            query={
                "limit": limit,
                "offset": offset,
                "include": include,
            },
        )
        return answer

    def list_second_degree_connections(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        via_connector_id: str | None = None,
    ) -> SecondDegreeAnswer:
        """List second-degree connections.

        Lists the people whom contacts of the token's user know and the user does not, warmest first. The
        warmest contacts are looked at, and through each the warmest connections to others: `totalCount`
        counts who was found there, and `capped` says that something was left out.
        """
        answer: SecondDegreeAnswer = self._send(
            "GET",
            "/api/v1/connections/second-degree",
            query={
                "limit": limit,
                "offset": offset,
                "viaConnectorId": via_connector_id,
            },
        )
        return answer

    def list_ghost_opportunities(
        self,
        *,
        status: Literal["visible", "saved", "accepted", "intro_requested", "dismissed"] | None = None,
        sort: Literal["newest", "oldest", "relevancy"] | None = None,
        search: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> OpportunitiesAnswer:
        """List ghost opportunities.

        Lists the prospects that were discovered for anyone in the organization, without those who work at the
        caller's own company.
        """
        answer: OpportunitiesAnswer = self._send(
            "GET",
            "/api/v1/ghost/opportunities",
            query={
                "status": status,
                "sort": sort,
                "search": search,
                "limit": limit,
                "offset": offset,
            },
        )
        return answer

    def list_changes(
        self,
        *,
        since: int,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ChangesAnswer:
        """List changes.

        Lists what changed in the organization's network since an earlier generation of it: who came within
        reach and who went out of it, whose best path is warmer, colder or by another connector, and who has
        another position or company; for everybody of first or second degree in either. The best path is the
        first of all with `sort=warmness`. Changes come by person, then by kind.

        Every answer's header `Service-Generation` names the generation that it comes from. Keep it, and ask
        for what changed since once it is another one. Where `live.keep_changes` is on, the generation before
        the one in service is kept; any other is gone (410). All replicas name a generation alike.
        `unavailable` is answered too as long as the two are still being compared: ask again.
        """
        answer: ChangesAnswer = self._send(
            "GET",
            "/api/v1/changes",
            query={
                "since": since,
                "limit": limit,
                "offset": offset,
            },
        )
        return answer

    def get_open_api(
        self,
    ) -> dict[str, Any]:
        """Get this description.

        This document. It holds no data of any organization.
        """
        answer: dict[str, Any] = self._send(
            "GET",
            "/api/v1/openapi.json",
        )
        return answer

    def get_docs(
        self,
    ) -> str:
        """Read this description.

        This document as a page to read: one HTML file that loads nothing else.
        """
        answer: str = self._send(
            "GET",
            "/docs",
        )
        return answer
