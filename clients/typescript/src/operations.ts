// Written by clients/generate.py from openapi.json. Do not edit.

import type {
    ChangesAnswer,
    CompaniesAnswer,
    ConnectionsAnswer,
    GetPeopleNetworkParams,
    GetPersonParams,
    ListChangesParams,
    ListConnectionsParams,
    ListGhostOpportunitiesParams,
    ListMembersParams,
    ListSecondDegreeConnectionsParams,
    MeAnswer,
    MembersAnswer,
    NetworkAnswer,
    NetworkSearchAnswer,
    OpportunitiesAnswer,
    PeopleAnswer,
    PersonAnswer,
    SearchCompaniesParams,
    SearchNetworkBody,
    SearchPeopleParams,
    SearchWarmPathsBatchBody,
    SearchWarmPathsParams,
    SecondDegreeAnswer,
    WarmPathsAnswer,
    WarmPathsBatchAnswer,
} from "./schema.js";

/** What a call may be given beside its parameters. */
export interface CallOptions {
    /** Ends the call when it is aborted. */
    signal?: AbortSignal;
}

/** A request, as an operation makes it. */
export interface Call {
    method: "GET" | "POST";
    path: string;
    query?: object;
    body?: object;
    answer: "json" | "text";
    signal?: AbortSignal;
}

/** The operations of the API. */
export abstract class Operations {
    protected abstract send<Answer>(call: Call): Promise<Answer>;

    /**
     * Find warm paths.
     *
     * Finds the ways in which members of the organization can be introduced to a person, or to anyone at a
     * company.
     *
     * Exactly one of `prospectLinkedinId`, `prospectName`, `prospectCompany`, `prospectId`, `prospectEmail`
     * and `prospect` must be sent. Paths come by type in the order `direct`, `advocate`, `second_degree`,
     * `advocate_second_degree`, and within a type the warmest first. Where nobody matches, `prospect` and
     * `company` are both null. Look at `coverage.capped` before taking an answer as complete.
     */
    searchWarmPaths(params: SearchWarmPathsParams = {}, options: CallOptions = {}): Promise<WarmPathsAnswer> {
        return this.send({ method: "GET", path: "/api/v1/search/warm-paths", query: params, answer: "json", ...options });
    }

    /**
     * Find warm paths to many targets.
     *
     * Finds the warm paths to up to 500 targets. Each entry of `results` is what `GET
     * /api/v1/search/warm-paths` answers with `limit` as `perTarget` and `include=match,reasons`, without
     * the fields of its pages; they stand in the order in which the targets were sent.
     *
     * A target that cannot be taken has `error` and `code` in its place and spoils no other. `connectors`
     * says who is asked most.
     */
    searchWarmPathsBatch(body: SearchWarmPathsBatchBody, options: CallOptions = {}): Promise<WarmPathsBatchAnswer> {
        return this.send({ method: "POST", path: "/api/v1/search/warm-paths/batch", body, answer: "json", ...options });
    }

    /**
     * Search the network.
     *
     * Finds people by a question in plain language: what they do, where they work or worked, in what
     * industry and place, how senior they are, what they are called.
     *
     * Who can be found are the people in the chosen networks, the acting member left out. Best matches come
     * first; there are no further pages. Without a condition everybody is found, the warmest first.
     * `searchTerms` tells what was searched for, `backend` which engine found it.
     */
    searchNetwork(body: SearchNetworkBody, options: CallOptions = {}): Promise<NetworkSearchAnswer> {
        return this.send({ method: "POST", path: "/api/v1/search/network", body, answer: "json", ...options });
    }

    /**
     * Search people.
     *
     * Finds people of the first and second degree whose name, e-mail address, position or current company
     * holds a text, whatever its capitals and accents. First degree comes first, then the warmest. There are
     * no further pages.
     */
    searchPeople(params: SearchPeopleParams, options: CallOptions = {}): Promise<PeopleAnswer> {
        return this.send({ method: "GET", path: "/api/v1/search/people", query: params, answer: "json", ...options });
    }

    /**
     * Get a person.
     *
     * One person of the first or second degree. Warmness is given for the first degree only: that of the
     * member who knows them best.
     */
    getPerson(id: string, params: GetPersonParams = {}, options: CallOptions = {}): Promise<PersonAnswer> {
        return this.send({ method: "GET", path: `/api/v1/people/${encodeURIComponent(id)}`, query: params, answer: "json", ...options });
    }

    /**
     * List whom a person knows.
     *
     * Lists the people whom a person is connected to, warmest first. The person must be a member or known by
     * one.
     *
     * Exactly one of `name`, `linkedinId` and `personId` must be sent.
     */
    getPeopleNetwork(params: GetPeopleNetworkParams = {}, options: CallOptions = {}): Promise<NetworkAnswer> {
        return this.send({ method: "GET", path: "/api/v1/people/network", query: params, answer: "json", ...options });
    }

    /**
     * Search companies.
     *
     * Finds companies whose name, industry or headquarters location holds a text, whatever its capitals and
     * accents. Names that equal it come first, then those that begin with it, then those that hold it, then
     * the rest.
     */
    searchCompanies(params: SearchCompaniesParams, options: CallOptions = {}): Promise<CompaniesAnswer> {
        return this.send({ method: "GET", path: "/api/v1/search/companies", query: params, answer: "json", ...options });
    }

    /**
     * List members.
     *
     * Lists the members of the organization by name: whom `fromUserIds` may name, and who the `userId` of an
     * answer is.
     */
    listMembers(params: ListMembersParams = {}, options: CallOptions = {}): Promise<MembersAnswer> {
        return this.send({ method: "GET", path: "/api/v1/members", query: params, answer: "json", ...options });
    }

    /**
     * Get who asks.
     *
     * Says whose credential was sent and how fresh what is known is: the organization, the member that a
     * user token is for, the scopes, the generation of the network.
     */
    getMe(options: CallOptions = {}): Promise<MeAnswer> {
        return this.send({ method: "GET", path: "/api/v1/me", answer: "json", ...options });
    }

    /**
     * List connections.
     *
     * Lists the people whom the token's user knows, by name.
     */
    listConnections(params: ListConnectionsParams = {}, options: CallOptions = {}): Promise<ConnectionsAnswer> {
        return this.send({ method: "GET", path: "/api/v1/connections", query: params, answer: "json", ...options });
    }

    /**
     * List second-degree connections.
     *
     * Lists the people whom contacts of the token's user know and the user does not, warmest first. The
     * warmest contacts are looked at, and through each the warmest connections to others: `totalCount`
     * counts who was found there, and `capped` says that something was left out.
     */
    listSecondDegreeConnections(params: ListSecondDegreeConnectionsParams = {}, options: CallOptions = {}): Promise<SecondDegreeAnswer> {
        return this.send({ method: "GET", path: "/api/v1/connections/second-degree", query: params, answer: "json", ...options });
    }

    /**
     * List ghost opportunities.
     *
     * Lists the prospects that were discovered for anyone in the organization, without those who work at the
     * caller's own company.
     */
    listGhostOpportunities(params: ListGhostOpportunitiesParams = {}, options: CallOptions = {}): Promise<OpportunitiesAnswer> {
        return this.send({ method: "GET", path: "/api/v1/ghost/opportunities", query: params, answer: "json", ...options });
    }

    /**
     * List changes.
     *
     * Lists what changed in the organization's network since an earlier generation of it: who came within
     * reach and who went out of it, whose best path is warmer, colder or by another connector, and who has
     * another position or company; for everybody of first or second degree in either. The best path is the
     * first of all with `sort=warmness`. Changes come by person, then by kind.
     *
     * Every answer's header `Service-Generation` names the generation that it comes from. Keep it, and ask
     * for what changed since once it is another one. Where `live.keep_changes` is on, the generation before
     * the one in service is kept; any other is gone (410). All replicas name a generation alike.
     * `unavailable` is answered too as long as the two are still being compared: ask again.
     */
    listChanges(params: ListChangesParams, options: CallOptions = {}): Promise<ChangesAnswer> {
        return this.send({ method: "GET", path: "/api/v1/changes", query: params, answer: "json", ...options });
    }

    /**
     * Get this description.
     *
     * This document. It holds no data of any organization.
     */
    getOpenApi(options: CallOptions = {}): Promise<{ [name: string]: unknown }> {
        return this.send({ method: "GET", path: "/api/v1/openapi.json", answer: "json", ...options });
    }

    /**
     * Read this description.
     *
     * This document as a page to read: one HTML file that loads nothing else.
     */
    getDocs(options: CallOptions = {}): Promise<string> {
        return this.send({ method: "GET", path: "/docs", answer: "text", ...options });
    }
}
