// A browser signs in to two replicas behind a balancer that takes turns, at a certified identity provider; then replicas end
// and start, and 10,000 requests meet reloads. Usage: trial.mjs PROGRAM WORK; WORK is an empty folder.
import assert from 'node:assert/strict';
import { spawn, execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Provider from 'oidc-provider';
import { chromium } from 'playwright-core';

const [program, work] = [resolve(process.argv[2]), resolve(process.argv[3])];
const ORGANIZATION = 'org_harbourlight';
const REQUESTS = 10_000;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** The rows of a table of the demo. */
const rows = (table) => gunzipSync(readFileSync(`fixtures/demo/harbourlight/${table}.ndjson.gz`)).toString().trim().split('\n').map(JSON.parse);
const people = new Map(rows('people').map((person) => [person.id, person]));
const member = people.get(rows('members')[0].personId);
const stranger = [...people.values()].find((person) => person.email && !rows('members').some((row) => row.personId === person.id));
assert(member.email && stranger, 'the demo has addresses');

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

// --- the balancer: each request goes to the next replica that is there

const replicas = [];
let turn = 0;
/** How many requests each replica answered. */
const answered = new Map();
const agent = new http.Agent({ keepAlive: true });
function forward(request, response, body, left) {
  const replica = replicas[turn++ % replicas.length];
  const failed = () => left > 0 ? forward(request, response, body, left - 1) : response.writeHead(502).end();
  if (!replica.port) { failed(); return; }
  const { method, url, headers } = request;
  const onward = http.request({ agent, host: '127.0.0.1', port: replica.port, method, path: url, headers }, (answer) => {
    answered.set(replica.name, (answered.get(replica.name) ?? 0) + 1);
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', failed);
  onward.end(body);
}
const front = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part)).on('end', () => forward(request, response, Buffer.concat(parts), 4));
});
const listen = (server) => new Promise((done) => server.listen(0, '127.0.0.1', () => done(server.address().port)));
const page = `http://127.0.0.1:${await listen(front)}/explore`;

// --- the identity provider, as it comes: with its own pages for logging in

const shell = http.createServer();
const issuer = `http://127.0.0.1:${await listen(shell)}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: 'kith', client_secret: 'a secret', redirect_uris: [page], post_logout_redirect_uris: [page] }],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: `sub-${id}`, email: id, email_verified: true }) }),
  cookies: { keys: ['for this trial alone'] },
});
shell.on('request', provider.callback());

// --- two replicas of one credential store, each with a folder of its own

mkdirSync(work, { recursive: true });
const credentials = join(work, 'credentials.db');
writeFileSync(join(work, 'secret'), 'a secret\n', { mode: 0o600 });
writeFileSync(join(work, 'kith.toml'), `[oauth]
issuer = "${issuer}"
client_id = "kith"
client_secret_file = "${join(work, 'secret')}"
user_claim = "email"
org = "${ORGANIZATION}"
[mcp]
enabled = true
`);
const key = execFileSync(program, ['keys', 'create', '--credentials', credentials, '--org', ORGANIZATION, '--name', 'trial'])
  .toString().match(/service_sk_\w+/)[0];

async function start(name) {
  const snapshots = join(work, name);
  mkdirSync(snapshots, { recursive: true });
  copyFileSync('snapshots/harbourlight.kith', join(snapshots, 'a.kith'));
  const child = spawn(program, ['serve', '--snapshots', snapshots, '--credentials', credentials, '--config', join(work, 'kith.toml'),
    '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let printed = '';
  child.stdout.on('data', (text) => { printed += text; });
  child.stderr.on('data', (text) => { printed += text; });
  const port = () => printed.match(/"?listening on http:\/\/127\.0\.0\.1:(\d+)/)?.[1];
  for (let waited = 0; !port(); waited += 50) {
    assert(child.exitCode === null && waited < 90_000, printed);
    await pause(50);
  }
  const replica = replicas.find((it) => it.name === name) ?? replicas[replicas.push({ name }) - 1];
  Object.assign(replica, { child, snapshots, port: Number(port()), printed: () => printed });
}

async function end(replica) {
  const ended = new Promise((done) => replica.child.once('exit', done));
  replica.port = undefined;
  replica.child.kill('SIGKILL');
  await ended;
  running.delete(replica.child);
}

await start('one');
await start('two');

const browser = await chromium.launch({ executablePath: process.env.KITH_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const context = await browser.newContext();
const tab = await context.newPage();
const errors = [];
tab.on('pageerror', (error) => errors.push(String(error)));

/** Signs in at the provider's own pages as `login`. */
async function signIn(login) {
  await tab.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click();
  await tab.waitForURL(`${issuer}/**`);
  await tab.fill('[name=login]', login);
  await tab.fill('[name=password]', 'any');
  await tab.click('button[type=submit]');
  const allow = tab.locator('button[type=submit]', { hasText: 'Continue' });
  await allow.waitFor();
  await allow.click();
  await tab.waitForURL(`${page}**`);
}
const isIn = () => tab.locator('.me', { hasText: member.name }).waitFor();

// --- a member signs in, and both replicas answer

await tab.goto(`${page}#/mine`);
await signIn(member.email);
await isIn();
assert.equal(new URL(tab.url()).search, '', 'no code stays in the address');
assert.equal(new URL(tab.url()).hash, '#/mine', 'the user is where they were');
await tab.getByRole('heading', { name: 'My contacts' }).waitFor();
assert(answered.get('one') > 0 && answered.get('two') > 0, 'both replicas were asked');
const stored = await tab.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
assert(!/eyJ|code=/.test(stored), `no token or code stays in the browser: ${stored}`);

// --- who signed in makes a token, which holds until it is taken back

const origin = new URL(page).origin;
const me = (token) => fetch(`${origin}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
await tab.getByRole('link', { name: member.name }).click();
await tab.getByRole('button', { name: 'Make a token' }).click();
const token = await tab.getByLabel('Your new token').inputValue();
assert.equal((await (await me(token)).json()).data.member.name, member.name);
await tab.getByRole('button', { name: 'Done' }).click();
await tab.getByRole('button', { name: `Take back the token …${token.slice(-4)}` }).click();
await tab.getByText('Make a token').waitFor();
for (let waited = 0; (await me(token)).status !== 401; waited += 50) {
  assert(waited < 5_000, 'the token was taken back');
  await pause(50);
}

// --- the second replica is lost, then the first is started again: nobody is asked to log in

await end(replicas[1]);
await tab.goto(`${page}#/`);
await isIn();
await start('two');
await end(replicas[0]);
await start('one');
await tab.reload();
await isIn();

// --- 10,000 requests in turn, beside reloads of both: the same answers from both

const cookie = (await context.cookies()).find(({ name }) => name === '__Host-kith').value;
const half = await tab.evaluate(() => localStorage.getItem('kith-page'));
const session = { cookie: `__Host-kith=${cookie}`, 'kith-page': half, 'sec-fetch-site': 'same-origin' };
const bearer = { authorization: `Bearer ${key}` };
const mcp = { ...bearer, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const listed = (cursor) => fetch(`${origin}/mcp`, { method: 'POST', headers: mcp, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find_company', arguments: { query: 'a', ...cursor } } }) });
const { structuredContent: page1 } = (await (await listed({})).json()).result;
const generation = (await fetch(`${origin}/api/v1/me`, { headers: bearer })).headers.get('service-generation');
const KINDS = [
  // A cursor and a generation of one replica hold at the other.
  () => listed({ cursor: page1.data.next_cursor }),
  () => fetch(`${origin}/api/v1/changes?since=${generation}`, { headers: bearer }),
  () => fetch(`${origin}/api/v1/me`, { headers: session }),
  () => fetch(`${origin}/api/v1/connections?limit=5`, { headers: session }),
  () => fetch(`${origin}/explore/login`, { headers: session }),
  () => fetch(`${origin}/api/v1/people/${stranger.id}`, { headers: bearer }),
  () => fetch(`${origin}/api/v1/search/warm-paths?prospectId=${stranger.id}`, { headers: bearer }),
  () => fetch(`${origin}/mcp`, { method: 'POST', headers: mcp, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find_person', arguments: { query: stranger.name } } }) }),
];
const reload = setInterval(() => replicas.forEach(({ child, snapshots }) => {
  // Another file of the same network: it is read, checked and put in service anew.
  copyFileSync('snapshots/harbourlight.kith', join(snapshots, 'next'));
  renameSync(join(snapshots, 'next'), join(snapshots, 'a.kith'));
  child.kill('SIGHUP');
}), 500);
const first = await Promise.all(KINDS.map(async (ask) => (await ask()).text()));
const wrong = [];
let sent = 0;
const generations = new Set();
async function worker() {
  while (sent < REQUESTS) {
    const kind = sent++ % KINDS.length;
    const answer = await KINDS[kind]();
    const text = await answer.text();
    const generation = answer.headers.get('service-generation');
    if (generation) generations.add(generation);
    if (answer.status !== 200 || text !== first[kind]) wrong.push(`${kind} ${answer.status} ${text.slice(0, 200)}`);
  }
}
await Promise.all(Array.from({ length: 8 }, worker));
clearInterval(reload);
assert.deepEqual(wrong, [], `of ${REQUESTS} requests`);
assert.equal(generations.size, 1, 'the same network has one name at both');
const reloads = replicas.map(({ printed }) => (printed().match(/generation_after/g) ?? []).length);
assert(reloads.every((count) => count > 2), `both were reloaded: ${reloads}`);

// --- log-out ends the session at both; the provider ends what it keeps

await tab.getByRole('button', { name: 'Log out' }).click();
await tab.getByRole('link', { name: 'Log out of 127.0.0.1 too' }).waitFor();
for (let time = 0; time < 4; time++) {
  assert.equal((await fetch(`${origin}/api/v1/me`, { headers: session })).status, 401, 'a copy of the session opens nothing');
}
assert.equal((await fetch(`${origin}/api/v1/me`, { headers: bearer })).status, 200, 'the control');
await tab.getByRole('link', { name: 'Log out of 127.0.0.1 too' }).click();
await tab.waitForURL(`${issuer}/**`);
await tab.getByRole('button', { name: /yes/i }).click();

// --- whom nobody knows, who changes their mind, and a return that nobody began

await tab.goto(page);
await signIn(stranger.email);
await tab.getByText('no member of this network goes by').waitFor();
// The provider knows the stranger by now, and would not ask again.
await context.clearCookies();
await tab.goto(page);
await tab.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click();
await tab.waitForURL(`${issuer}/**`);
await tab.getByRole('link', { name: /cancel/i }).click();
await tab.waitForURL(`${page}**`);
await tab.getByText('You were not signed in').waitFor();
await tab.goto(`${page}?code=stolen&state=guessed`);
await tab.getByText('was not begun in this browser').waitFor();
assert.deepEqual(errors, []);
await browser.close();
front.closeAllConnections();
shell.closeAllConnections();
console.log(`signed in by oidc-provider; ${REQUESTS} requests to two replicas, reloaded ${reloads.join(' and ')} times: 0 wrong`);
process.exit(0);
