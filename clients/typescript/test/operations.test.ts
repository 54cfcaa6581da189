// Every operation, asked of a running demo. KITH_URL, KITH_KEY and KITH_TOKEN say where, and by whom.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Kith, KithError, type Breakdown } from "kith-client";

import * as readers from "./readers.js";
import { list, mapping, object, text, type Reader } from "./shape.js";

const { KITH_URL: baseUrl = "", KITH_KEY: key = "", KITH_TOKEN: token = "" } = process.env;
const kith = new Kith({ baseUrl, credential: key, strict: true });
const me = new Kith({ baseUrl, credential: token, strict: true });

/** Reads the answer, every field of it. */
async function read<Answer>(reader: Reader<Answer>, answer: Promise<Answer>): Promise<Answer> {
    const read = await answer;
    reader.check(read, "answer");
    return read;
}

const prospect = (await kith.listGhostOpportunities({ limit: 1 })).data.opportunities[0]!.prospect;
const company = (await kith.searchCompanies({ q: "software", limit: 1 })).data[0]!;
const contact = (await me.listConnections({ limit: 1 })).data.connections[0]!;

/** Of each operation what it is asked: the type leaves none out, and the document that is served has no others. */
const operations: { [Name in keyof Kith]: () => Promise<void> } = {
    async searchWarmPaths() {
        const include = ["match", "reasons", "evidence"] as const;
        const found = await read(
            readers.warmPaths,
            kith.searchWarmPaths({ prospectId: prospect.id, include: [...include], sort: "warmness", limit: 50 }),
        );
        assert.equal(found.data.prospect?.id, prospect.id);
        assert.equal(found.data.match?.by, "id");
        const connectionTypes = ["direct", "advocate"] as const;
        const employees = await read(
            readers.warmPaths,
            kith.searchWarmPaths({
                prospectCompany: company.name,
                connectionTypes: [...connectionTypes],
                includeIntroRequested: true,
                groupBy: "target",
            }),
        );
        assert.equal(employees.data.company?.name, company.name);
        assert(employees.data.paths.every((path) => path.target !== undefined && path.alternatives !== undefined));
    },
    async searchWarmPathsBatch() {
        const targets = [{ id: company.id }, { name: " " }, { linkedinId: "nobody-at-all" }];
        const found = await read(
            readers.warmPathsBatch,
            kith.searchWarmPathsBatch({ targets, perTarget: 2, includeIntroRequested: true }),
        );
        const [reached, refused, unknown] = found.data.results;
        assert.equal(reached?.company?.id, company.id);
        assert.equal(refused?.code, "validation_error");
        assert.equal(unknown?.reasons?.[0]?.code, "target_unknown");
    },
    async searchNetwork() {
        const query = "who runs finance at a software company";
        const found = await read(readers.networkSearch, kith.searchNetwork({ query, mode: "graph", include: ["ids"] }));
        assert.equal(found.meta.backend, "graph-keyword");
        assert(found.data.length > 0);
    },
    async searchPeople() {
        const found = await read(readers.people, kith.searchPeople({ q: "engineer", limit: 50, include: ["ties"] }));
        assert.equal(found.data.length, 50);
        const page = await read(readers.people, kith.searchPeople({ q: "engineer", offset: 50 }));
        assert.equal(page.offset, 50);
        const near = await kith.searchPeople({ q: "engineer", includeSecondDegree: false });
        assert(near.data.every((person) => person.degree === "first"));
    },
    async getPerson() {
        const found = await read(readers.person, kith.getPerson(contact.id, { include: ["evidence"] }));
        assert.equal(found.data.name, contact.name);
        const breakdown: Breakdown = found.data.warmnessBreakdown ?? {};
        const past: string | number | undefined = breakdown.pastCompanyName;
        assert(past === undefined || typeof past === "string");
    },
    async getPeopleNetwork() {
        const found = await read(readers.network, kith.getPeopleNetwork({ personId: contact.id, include: ["match"] }));
        assert.equal(found.data.person.id, contact.id);
    },
    async searchCompanies() {
        const found = await read(readers.companies, kith.searchCompanies({ q: "software", page: 2, limit: 1 }));
        assert.equal(found.currentPage, 2);
    },
    async listMembers() {
        const found = await read(readers.members, kith.listMembers({ limit: 2 }));
        assert.equal(found.data.members.length, 2);
    },
    async getMe() {
        assert.equal((await read(readers.me, kith.getMe())).data.member, undefined);
        assert((await read(readers.me, me.getMe())).data.member?.userId.startsWith("user_"));
    },
    async listConnections() {
        const found = await read(readers.connections, me.listConnections({ limit: 3, offset: 1 }));
        assert.deepEqual([found.data.limit, found.data.offset], [3, 1]);
    },
    async listSecondDegreeConnections() {
        await read(readers.secondDegree, me.listSecondDegreeConnections({ viaConnectorId: contact.id }));
        const found = await read(readers.secondDegree, me.listSecondDegreeConnections());
        assert(found.data.connections.length > 0);
    },
    async listGhostOpportunities() {
        const found = await read(readers.opportunities, kith.listGhostOpportunities({ limit: 50, sort: "oldest" }));
        assert(found.data.opportunities.some((one) => one.bestPath !== undefined));
    },
    async listChanges() {
        const generations: number[] = [];
        const onResponse = ({ headers }: Response) => void generations.push(Number(headers.get("service-generation")));
        const seeing = new Kith({ baseUrl, credential: key, onResponse });
        await seeing.searchPeople({ q: "a" });
        const since = generations[0] ?? -1;
        const found = await read(readers.changes, seeing.listChanges({ since }));
        assert.deepEqual([found.data.changes, found.data.generation], [[], since]);
        await assert.rejects(seeing.listChanges({ since: since + 1 }), { status: 410, code: "generation_gone" });
    },
    async getOpenApi() {
        const document = await kith.getOpenApi();
        mapping<typeof document>(() => true).check(document, "document");
        const served = Object.values(document["paths"] as object).flatMap((item: object) => Object.values(item));
        const ids = served.map((operation: { operationId: string }) => operation.operationId);
        assert.deepEqual(ids.toSorted(), Object.keys(operations).toSorted());
    },
    async getDocs() {
        assert((await kith.getDocs()).startsWith("<!doctype html>"));
    },
};

for (const [name, ask] of Object.entries(operations)) {
    test(name, ask);
}

test("a reader refuses an answer with a field too few, one too many, or one of another type", () => {
    const reader = object<{ id: string; names: string[] }>()({ id: text, names: list(text) });
    reader.check({ id: "a", names: ["b"] }, "answer");
    for (const wrong of [{ id: "a" }, { id: "a", names: [], more: 1 }, { id: 1, names: [] }, { id: "a", names: [1] }, []]) {
        assert.throws(() => reader.check(wrong, "answer"), /expected/);
    }
});

test("the server's refusals are errors with status, code and request id", async () => {
    const refused = async (call: Promise<unknown>) => {
        const error = await call.then(() => undefined, (error: unknown) => error);
        assert(error instanceof KithError);
        assert.match(error.requestId ?? "", /^req_[0-9a-f]{32}$/);
        return [error.status, error.code];
    };
    const nobody = new Kith({ baseUrl, credential: "nonsense" });
    assert.deepEqual(await refused(nobody.searchPeople({ q: "a" })), [401, "unauthorized"]);
    assert.deepEqual(await refused(kith.listConnections()), [403, "forbidden_scope"]);
    assert.deepEqual(await refused(kith.getPeopleNetwork({ personId: "person_nobody" })), [403, "outside_network"]);
    assert.deepEqual(await refused(kith.getPerson("person_nobody/../x?y")), [404, "not_found"]);
    assert.deepEqual(await refused(kith.searchPeople({ q: "a", limit: 51 })), [400, "validation_error"]);
    const slip = { q: "a", limitt: 1 };
    assert.deepEqual(await refused(kith.searchPeople(slip)), [400, "validation_error"]);
});
