import { type Call, Operations } from "./operations.js";
import type { ErrorCode } from "./schema.js";

/** The longest that a call waits before it is sent again, in seconds. */
const WAIT_SECONDS_MAX = 60;

/** What the server sees of the client. */
const USER_AGENT = "kith-client-typescript";

export interface KithOptions {
    /** Where the server is, such as `https://kith.example.com`. */
    baseUrl: string;
    /** An organization key (`service_sk_…`) or a user token; white space around it is cut. */
    credential: string;
    /** Whether the server refuses parameters and fields that it does not know, as by default; with `false` it passes over them. */
    strict?: boolean;
    /** How often a call that was answered 429 or 503 is sent again, after the seconds of `Retry-After`. 0 by default. */
    retries?: number;
    /** Sees every answer before it is read: `Service-Request-Id`, `Service-Generation` and `RateLimit` are headers. */
    onResponse?: (response: Response) => void;
    /** What sends requests, if not the global `fetch`. */
    fetch?: typeof fetch;
}

/** An answer that is no success. */
export class KithError extends Error {
    override readonly name = "KithError";

    private constructor(
        message: string,
        /** The HTTP status. */
        readonly status: number,
        /** What is wrong, in a word; `undefined` if the answer is not the server's but that of a proxy. */
        readonly code: ErrorCode | (string & {}) | undefined,
        /** Seconds after which to try again; with 429 and 503. */
        readonly retryAfter: number | undefined,
        /** Name it when you report a problem. */
        readonly requestId: string | undefined,
    ) {
        super(message);
    }

    /** Whether the same call may succeed later. */
    get isTemporary(): boolean {
        return this.status === 429 || this.status === 503;
    }

    /** The error that `response` is. */
    static async of(response: Response): Promise<KithError> {
        let body: { error?: unknown; code?: unknown } = {};
        try {
            body = Object(await response.json()) as typeof body;
        } catch {
            // A proxy's page.
        }
        const { headers, status } = response;
        const sentence = typeof body.error === "string" ? body.error : response.statusText;
        const code = typeof body.code === "string" ? body.code : undefined;
        const wait = headers.get("retry-after")?.trim() ?? "";
        const seconds = /^\d+$/.test(wait) ? Number(wait) : undefined;
        const message = `${status} ${code ?? ""}`.trimEnd() + `: ${sentence}`;
        return new KithError(message, status, code, seconds, headers.get("service-request-id") ?? undefined);
    }
}

/** A client of a kith server. Every call returns the JSON of the answer, or throws a {@link KithError}. */
export class Kith extends Operations {
    readonly #options: KithOptions;

    constructor(options: KithOptions) {
        super();
        const credential = options.credential.trim();
        if (!/^[!-~]+$/.test(credential)) {
            // The credential itself stays out of the message.
            throw new TypeError("the credential is empty or holds a character that no key or token has");
        }
        this.#options = { ...options, credential };
    }

    protected override async send<Answer>(call: Call): Promise<Answer> {
        for (let left = this.#options.retries ?? 0; ; left -= 1) {
            const response = await this.#request(call);
            this.#options.onResponse?.(response);
            if (response.ok) {
                return (await (call.answer === "json" ? response.json() : response.text())) as Answer;
            }
            const error = await KithError.of(response);
            const seconds = error.retryAfter ?? 1;
            if (!error.isTemporary || left <= 0 || seconds > WAIT_SECONDS_MAX) {
                throw error;
            }
            await wait(seconds, call.signal);
        }
    }

    #request({ method, path, query = {}, body, signal }: Call): Promise<Response> {
        const { baseUrl, credential, strict = true, fetch: send = fetch } = this.#options;
        const sought = new URLSearchParams();
        for (const [name, value] of Object.entries(query)) {
            // An empty list is sent as an empty text, which the server refuses: left out it would mean everybody.
            const all = Array.isArray(value) ? value : [value];
            for (const one of all.length > 0 ? all : [""]) {
                if (one !== undefined && one !== null) {
                    sought.append(name, String(one));
                }
            }
        }
        const tail = sought.size > 0 ? `?${sought}` : "";
        const headers: Record<string, string> = { accept: "*/*", authorization: `Bearer ${credential}` };
        if ("process" in globalThis) {
            headers["user-agent"] = USER_AGENT; // a browser has its own
        }
        if (strict) {
            headers["prefer"] = "handling=strict";
        }
        // A redirect would take the credential elsewhere; the server sends none.
        const init: RequestInit = { method, headers, redirect: "error" };
        if (body !== undefined) {
            headers["content-type"] = "application/json";
            init.body = JSON.stringify(body);
        }
        if (signal !== undefined) {
            init.signal = signal;
        }
        return send(baseUrl.replace(/\/+$/, "") + path + tail, init);
    }
}

/** A list says where its next page begins: beside `data`, in it or in `meta`. */
interface Listed {
    nextOffset?: unknown;
    data?: unknown;
    meta?: unknown;
}

/** Each page of a list: `pages((offset) => kith.searchPeople({ q: "ann", include: ["page"], offset }))`. */
export async function* pages<Page>(call: (offset: number) => Promise<Page>, from = 0): AsyncGenerator<Page> {
    for (let offset: number | undefined = from; offset !== undefined; ) {
        const page: Page = await call(offset);
        yield page;
        const { data, meta, nextOffset } = Object(page) as Listed;
        const found = [nextOffset, (Object(data) as Listed).nextOffset, (Object(meta) as Listed).nextOffset];
        offset = found.find((next): next is number => typeof next === "number");
    }
}

function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
        const abort = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", abort);
            resolve();
        }, seconds * 1000);
        if (signal?.aborted) {
            abort();
        }
        signal?.addEventListener("abort", abort, { once: true });
    });
}
