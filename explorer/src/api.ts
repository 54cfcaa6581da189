/**
 * Requests to the server this page came from. The cookie goes with them by itself, and opens only beside its half, which the
 * log-in gives to this page and no other port of the host sees. Nothing here knows a credential.
 */

import type { AskReport, Colleague, DoublesAnswer, ImportReport, OwnTokens, PersonRows, QuietTies } from './types.ts';

/** What a user comes back with from the identity provider, and the seal that was kept meanwhile. */
export interface Returned { code: string; state: string; iss?: string; sealed: string }

export class Failure extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code?: string,
    readonly requestId?: string,
  ) {
    super(message);
  }
}

/** A wait that a busy server asks for is kept to, up to this many seconds. */
const WAIT_SECONDS_MAX = 5;

let refused = (): void => {};
/** Calls `then` whenever the server no longer knows who asks. */
export function onRefused(then: () => void): void {
  refused = then;
}

/** Where tabs of this page find the half of the session, and the header that it goes in. */
const HALF = 'kith-page';
/** The half, for browsers that keep nothing. */
let held: string | null = null;

function half(): string | null {
  try { return localStorage.getItem(HALF) ?? held; } catch { return held; }
}

function keepHalf(now: string | null): void {
  held = now;
  try {
    if (now === null) localStorage.removeItem(HALF);
    else localStorage.setItem(HALF, now);
  } catch { /* It holds for as long as this tab. */ }
}

type Value = string | number | boolean | undefined | readonly string[];
export type Params = Record<string, Value>;

function query(params: Params): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    written.set(name, String(value));
  }
  const text = written.toString();
  return text && `?${text}`;
}

async function send(path: string, init: RequestInit, isSecond = false): Promise<Response> {
  let response: Response;
  try {
    // A proxy that logs people in answers such a request by 401 instead of leading it to a page.
    const own = half();
    const headers = { Accept: 'application/json', ...own === null ? {} : { [HALF]: own }, ...init.headers };
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', redirect: 'error', ...init, headers });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Failure(0, 'The server cannot be reached. Nothing you typed is lost; try again when it is back.');
  }
  if (response.status === 503 && !isSecond) {
    const seconds = Math.min(Number(response.headers.get('Retry-After')) || 1, WAIT_SECONDS_MAX);
    await new Promise((done) => setTimeout(done, seconds * 1000));
    init.signal?.throwIfAborted();
    return send(path, init, true);
  }
  if (response.ok) return response;
  if (response.status === 401 && path !== LOGIN) refused();
  const said = await response.json().catch(() => ({})) as { error?: string; code?: string };
  const id = response.headers.get('Service-Request-Id') ?? undefined;
  throw new Failure(response.status, said.error ?? `The server answered ${response.status}.`, said.code, id);
}

// What nobody sees: format characters, fillers, tags, marks that turn text round. Joiners stay, which scripts are written with.
const UNSEEN = /(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

async function json<T>(response: Response): Promise<T> {
  try {
    const seen = (_: string, value: unknown) => typeof value === 'string' ? value.replace(UNSEEN, '') : value;
    return JSON.parse(await response.text(), seen) as T;
  } catch {
    throw new Failure(0, 'The answer broke off. Try again.');
  }
}

export async function get<T>(path: string, params: Params, signal?: AbortSignal): Promise<T> {
  return json<T>(await send(`api/v1/${path}${query(params)}`, { signal }));
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return json<T>(await send(`api/v1/${path}`, jsonBody(body, signal)));
}

/** Writes what the member who is logged in decides: an ask, an answer, whom to forget. */
export async function press<T>(path: string, body: unknown): Promise<T> {
  return json<T>(await send(`explore/${path}`, jsonBody(body)));
}

/** Takes back what the member who is logged in made. */
export async function takeBack(path: string): Promise<void> {
  await send(`explore/${path}`, { method: 'DELETE' });
}

function jsonBody(body: unknown, signal?: AbortSignal): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal };
}

const LOGIN = 'explore/login';

/**
 * Who is logged in; whether a link may log in: to the demo alone; whether a proxy sent a credential with the request; and the identity
 * provider at which people sign in.
 */
export async function whoAmI<T>(): Promise<{ data: T | null; links: boolean; opened: boolean; proxied: boolean; provider?: string }> {
  return json(await send(LOGIN, {}));
}

/** Begins a log-in at the identity provider: where to go, and what to send back with its code. */
export async function beginSignIn(): Promise<{ address: string; sealed: string }> {
  return json(await send(`${LOGIN}/begin`, { method: 'POST' }));
}

/** Logs in by what the user came back with from the identity provider. */
export async function logInReturned(returned: Returned): Promise<void> {
  await begin({ returned });
}

export async function logIn(credential: string): Promise<void> {
  await begin({ credential });
}

/** Logs in by the code of a link, which is good once. */
export async function logInByCode(code: string): Promise<void> {
  await begin({ code });
}

async function begin(sent: object): Promise<void> {
  keepHalf((await json<{ half: string }>(await send(LOGIN, jsonBody(sent)))).half);
}

/** Logs out here. Returns where the identity provider ends what it keeps of the user, if it says where. */
export async function logOut(): Promise<string | undefined> {
  const response = await send(LOGIN, { method: 'DELETE' });
  keepHalf(null);
  return response.status === 200 ? (await json<{ leave: string }>(response)).leave : undefined;
}

/** What came of all asks. */
export async function getResults(signal?: AbortSignal): Promise<AskReport> {
  return json(await send('explore/asks/report', { signal }));
}

/** The tokens of the member who is logged in. */
export async function getTokens(signal?: AbortSignal): Promise<OwnTokens> {
  return json(await send('explore/tokens', { signal }));
}

/** Adds an export of one's own to the import behind the network; answered once the next answers have it. */
export async function addExport(file: File): Promise<void> {
  // Headers are ASCII.
  const name = JSON.stringify(file.name).replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  await send('explore/import', { method: 'POST', headers: { 'Content-Type': 'application/octet-stream', 'Kith-File': name }, body: file });
}

/** Those who bring exports over links, or may. */
export async function getColleagues(signal?: AbortSignal): Promise<{ data: { colleagues: Colleague[] } }> {
  return json(await send('explore/exports', { signal }));
}

/** Likely doubles of the import behind the network, and the answers about them. */
export async function getDoubles(signal?: AbortSignal): Promise<DoublesAnswer> {
  return json(await send('explore/doubles', { signal }));
}

/** The report of the import behind the network. */
export async function getReport(signal?: AbortSignal): Promise<ImportReport> {
  return json(await send('explore/report', { signal }));
}

/** Strong ties that went quiet, the warmest first. */
export async function getQuiet(signal?: AbortSignal): Promise<QuietTies> {
  return json(await send('explore/quiet', { signal }));
}

/** The rows of the imported files that a person comes from. */
export async function getRows(personId: string, signal?: AbortSignal): Promise<PersonRows> {
  return json(await send(`explore/rows${query({ personId })}`, { signal }));
}
