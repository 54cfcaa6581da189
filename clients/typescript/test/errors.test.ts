// What a caller sees of a server that is busy, of proxies, and of a call that is ended: a server made for it answers.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { Kith, KithError, pages, type KithOptions } from "kith-client";

type Answer = [status: number, headers: Record<string, string>, body: string];

const busy: Answer = [429, { "retry-after": "0" }, '{"error":"Too many.","code":"rate_limited"}'];
const people: Answer = [200, { "content-type": "application/json", "service-generation": "7" }, '{"data":[]}'];

/** Runs `act` beside a server that gives `answers` in turn; returns the requests that it saw. */
async function beside(answers: Answer[], act: (client: Kith) => Promise<void>, options: Partial<KithOptions> = {}) {
    const seen: IncomingMessage[] = [];
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
        const [status, headers, body] = answers[seen.length] ?? people;
        seen.push(request);
        response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
        await act(new Kith({ baseUrl: `http://127.0.0.1:${port}/`, credential: "service_sk_x", ...options }));
    } finally {
        server.closeAllConnections();
        server.close();
    }
    return seen;
}

async function failure(call: Promise<unknown>): Promise<KithError> {
    const error = await call.then(() => undefined, (error: unknown) => error);
    assert(error instanceof KithError);
    return error;
}

test("an error has status, code, sentence, request id and seconds to wait", async () => {
    const body = '{"error":"Later.","code":"unavailable"}';
    const answer: Answer = [503, { "retry-after": "7", "service-request-id": "req_1" }, body];
    const seen = await beside([answer], async (client) => {
        const error = await failure(client.searchPeople({ q: "a" }));
        assert.deepEqual(
            [error.status, error.code, error.retryAfter, error.requestId, error.isTemporary, error.message],
            [503, "unavailable", 7, "req_1", true, "503 unavailable: Later."],
        );
    });
    assert.equal(seen.length, 1);
});

test("a proxy's page is an error without a code", async () => {
    for (const [status, page] of [[502, "<html>"], [403, "null"], [500, '"text"'], [404, ""]] as const) {
        await beside([[status, {}, page]], async (client) => {
            const error = await failure(client.searchPeople({ q: "a" }));
            assert.deepEqual([error.status, error.code, error.retryAfter], [status, undefined, undefined]);
        });
    }
});

test("a call is sent again as often as it may be, and only if waiting helps", async () => {
    const retried = async (answers: Answer[], retries: number) => {
        let failed = false;
        const act = (client: Kith) => client.searchPeople({ q: "a" }).then(() => {}, () => void (failed = true));
        return [(await beside(answers, act, { retries })).length, failed];
    };
    assert.deepEqual(await retried([busy, busy], 2), [3, false]);
    assert.deepEqual(await retried([busy, busy], 1), [2, true]);
    assert.deepEqual(await retried([busy], 0), [1, true]);
    assert.deepEqual(await retried([[400, {}, "{}"]], 2), [1, true]);
    assert.deepEqual(await retried([[503, { "retry-after": "61" }, "{}"]], 2), [1, true]);
});

test("what is sent: the credential, lists repeated, nothing for what is undefined, a path escaped", async () => {
    const seen = await beside(
        [],
        async (client) => {
            await client.searchWarmPaths({ prospectName: "a&b", fromUserIds: ["user_1", "user_2"], scope: undefined });
            await client.getPerson("person_a/b");
        },
        { strict: true },
    );
    assert.equal(seen[0]?.url, "/api/v1/search/warm-paths?prospectName=a%26b&fromUserIds=user_1&fromUserIds=user_2");
    assert.equal(seen[0]?.headers.authorization, "Bearer service_sk_x");
    assert.equal(seen[0]?.headers["prefer"], "handling=strict");
    assert.equal(seen[0]?.headers["user-agent"], "kith-client-typescript");
    assert.equal(seen[1]?.url, "/api/v1/people/person_a%2Fb");
});

test("every answer can be seen", async () => {
    const generations: (string | null)[] = [];
    const onResponse = (response: Response) => void generations.push(response.headers.get("service-generation"));
    const ask = async (client: Kith) => void (await client.searchPeople({ q: "a" }));
    await beside([busy], ask, { onResponse, retries: 1 });
    assert.deepEqual(generations, [null, "7"]);
});

test("a redirect is not followed, so that the credential goes nowhere else", async () => {
    const seen = await beside([[302, { location: "/elsewhere" }, ""]], async (client) => {
        await assert.rejects(client.searchPeople({ q: "a" }));
    });
    assert.equal(seen.length, 1);
});

test("a call that waits to be sent again can be ended", async () => {
    const seen = await beside(
        [[503, { "retry-after": "30" }, "{}"]],
        async (client) => {
            const signal = AbortSignal.timeout(100);
            await assert.rejects(client.searchPeople({ q: "a" }, { signal }), { name: "TimeoutError" });
        },
        { retries: 1 },
    );
    assert.equal(seen.length, 1);
});

test("an empty list is sent and does not mean everybody", async () => {
    const seen = await beside(
        [],
        async (client) => {
            await client.searchWarmPaths({ prospectId: "person_1", fromUserIds: [] });
            await client.searchWarmPaths({ prospectId: "person_1" });
        },
        { strict: false },
    );
    const path = "/api/v1/search/warm-paths?prospectId=person_1";
    assert.deepEqual(seen.map((request) => request.url), [`${path}&fromUserIds=`, path]);
    assert.equal(seen[0]?.headers["prefer"], undefined);
});

test("a key is trimmed, and one that is none is refused without naming it", async () => {
    const seen = await beside([], async (client) => void (await client.searchPeople({ q: "a" })), {
        credential: " service_sk_x\n",
    });
    assert.equal(seen[0]?.headers["authorization"], "Bearer service_sk_x");
    for (const credential of ["", " ", "service sk x", "service_sk_x\nX-Evil: 1", "schlüssel"]) {
        const refused = (error: Error) => !error.message.includes(credential.trim() || "service");
        assert.throws(() => new Kith({ baseUrl: "http://x", credential }), refused);
    }
});

test("each page of a list is asked for once", async () => {
    const ok = { "content-type": "application/json" };
    const answers: Answer[] = [
        [200, ok, '{"data":[1],"nextOffset":1}'],
        [200, ok, '{"data":[2],"meta":{"nextOffset":2}}'],
        [200, ok, '{"data":{"nextOffset":3}}'],
        [200, ok, '{"data":[4],"hasMore":false}'],
    ];
    let found = 0;
    const seen = await beside(answers, async (client) => {
        for await (const page of pages((offset) => client.searchPeople({ q: "a", offset }))) {
            found += Number(page.data !== undefined);
        }
    });
    assert.deepEqual(seen.map((request) => request.url?.slice(-1)), ["0", "1", "2", "3"]);
    assert.equal(found, 4);
});
