// The page in a real browser: every screen at two widths and in both colours, and what must not happen to the people
// who use it. Usage: browser.mjs PROGRAM WORK [SHOTS]; WORK is a folder for networks and pictures, SHOTS takes
// pictures of some screens for the documents.
//
// Promise: Every screen, at two widths and in both colours: nothing from elsewhere, no error in the console, no
//   violation that axe finds, nothing wider than the window; its numbers are the API's.
// Control: a page with a strange picture, pale letters and a wide box is noticed.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { addAskTests } from './asks.mjs';
import { addTests } from './beside.mjs';
import { addBringTests } from './bring.mjs';
import { addDecidedTests } from './decided.mjs';
import { addMarkTests } from './marks.mjs';

const [program, work, shots] = [resolve(process.argv[2]), resolve(process.argv[3]), process.argv[4]];
const require = createRequire(join(work, 'package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = process.env.KITH_CHROMIUM ?? '/usr/bin/chromium';

const WIDTHS = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** A picture of a real introduction, from the click on: owed by a release build. */
const FIRST_PICTURE_MS = 2000;
/** How many times slower the browser is made: 10 finds a trial that passes only on a fast machine. */
const SLOWER = Number(process.env.KITH_SLOWER ?? 1);
/** How many times longer a trial may take: a debug build on a busy machine is slow. */
const SLACK = (/release/.test(program) ? 1 : 5) * SLOWER;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// --- servers

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill()));

/** Starts the program; `ready` finds what is waited for in what it prints. */
async function start(args, ready, options = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  running.add(child);
  let printed = '';
  child.stdout.on('data', (text) => { printed += text; });
  child.stderr.on('data', (text) => { printed += text; });
  for (let waited = 0; waited < 90_000; waited += 50) {
    const found = ready(printed);
    if (found) return { child, found, printed: () => printed };
    assert(child.exitCode === null, printed);
    await pause(50);
  }
  throw new Error(`not ready: ${printed}`);
}

async function stop(server) {
  const ended = new Promise((done) => server.child.once('exit', done));
  server.child.kill('SIGTERM');
  await ended;
  running.delete(server.child);
}

const kith = (...args) => execFileSync(program, args, { encoding: 'utf8' });

/** The demo: for each organization its link, its key and its token. */
async function demo() {
  return start(['demo', '--listen', '127.0.0.1:0'], (text) => {
    const all = (name) => [...text.matchAll(new RegExp(`^${name} +(\\S+)$`, 'gm'))].map((match) => match[1]);
    const [pages, keys, tokens] = ['page', 'key', 'token'].map(all);
    if (tokens.length < 2) return undefined;
    const base = new URL(pages[0]).origin;
    return { base, organizations: pages.map((page, at) => ({ page, key: keys[at], token: tokens[at] })) };
  });
}

/** A network of its own, whose credentials and list the test may change. */
function makeSite() {
  const place = join(work, 'site');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(place, 'snapshots'), { recursive: true });
  const at = (name) => join(place, name);
  kith('build', 'fixtures/tiny', '--out', at('snapshots/tiny.kith'));
  kith('suppress', 'create', '--suppressions', at('suppressions.txt'));
  const issued = (output) => /service_\w+/.exec(output)[0];
  const tokenOf = () => issued(kith('tokens', 'create', '--credentials', at('credentials.db'), '--org', 'org_tiny', '--user', 'user_ana', '--ttl', '1d'));
  return { at, tokenOf };
}

async function serve(site, port = 0, env = {}, more = []) {
  const args = ['serve', '--snapshots', site.at('snapshots'), '--credentials', site.at('credentials.db'),
    '--suppressions', site.at('suppressions.txt'), '--listen', `127.0.0.1:${port}`, '--admin-listen', '127.0.0.1:0', ...more];
  return start(args, (text) => /admin on/.test(text) && /listening on (http:\/\/\S+)/.exec(text)?.[1], { env: { ...process.env, ...env } });
}

// --- the browser

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** A window of its own; what must not happen in it is in `bad`. */
async function open(base, { width = 'desktop', scheme = 'light', allowed = [], ...more } = {}) {
  const context = await browser.newContext({ viewport: WIDTHS[width], colorScheme: scheme, ...more });
  const page = await context.newPage();
  if (SLOWER > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const bad = [];
  page.on('pageerror', (error) => bad.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !allowed.some((text) => message.text().includes(text))) bad.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('blob:') && !request.url().startsWith('data:')) bad.push(`outside: ${request.url()}`);
  });
  return { context, page, bad };
}

const linkTo = (organization, to, credential = organization.token) =>
  `${new URL(organization.page).origin}/explore#key=${credential}&to=${to}`;

/** Until the screen of the present address is drawn, and nothing is being looked for any more. */
async function settled(page) {
  // An address is followed by an event, and that by a drawing: the screen before it has a heading too.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForSelector('main h1');
  await page.waitForFunction(() => !document.querySelector('.loading'));
}

async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await globalThis.axe.run()).violations.map((one) =>
    `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(', ')}`));
  return found;
}

const overflow = (page) => page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);

async function ask(base, credential, path, body) {
  const response = await fetch(`${base}/api/v1/${path}`, {
    method: body ? 'POST' : 'GET', body: body && JSON.stringify(body),
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
  });
  return response.json();
}

// --- the tests

const tests = [];
const test = (name, run) => tests.push([name, run]);
const { child: demoChild, found: { base, organizations } } = await demo();
const own = organizations[1];
const target = decodeURIComponent(/to=\/paths\/(\S+)$/.exec(own.page)[1]);
const companies = (await ask(base, own.token, 'search/companies?q=software&limit=5')).data;
const first = (await ask(base, own.token, 'search/people?q=a&limit=1')).data[0];

/** A server that does not know the word refuses it once, and the page asks without it: the browser notes that. */
const understands = (await ask(base, own.token, 'search/network', { query: 'software', limit: 1, include: ['understood'] })).meta?.understood !== undefined;
const mayNote = understands ? [] : ['400'];

const SCREENS = {
  home: '/', paths: `/paths/${target}`, warmest: `/paths/${target}?sort=warmness&each=connector`, company: `/company/${companies[0].id}`,
  person: `/person/${first.id}`, ask: '/ask?q=who+runs+finance+at+a+software+company&fit=3', nobody: '/paths/person_nobody',
  mine: '/mine', people: '/people?q=engineer', behind: '/behind', opportunities: '/opportunities', changes: '/changes', many: '/many', unknown: '/nowhere',
};

/** The screens that the documents show, beside one on a phone and one in the dark. */
const PICTURES = ['paths', 'company', 'ask', 'many'];

for (const width of Object.keys(WIDTHS)) {
  for (const scheme of ['light', 'dark']) {
    test(`every screen, ${width}, ${scheme}`, async () => {
      const { context, page, bad } = await open(base, { width, scheme, allowed: mayNote });
      await page.goto(`${base}/explore`);
      await page.waitForSelector('#credential');
      assert.deepEqual(await violations(page), [], 'login');
      await page.goto(linkTo(own, '/'));
      await settled(page);
      for (const [name, to] of Object.entries(SCREENS)) {
        await page.goto(`${base}/explore#${to}`);
        await page.waitForFunction((hash) => location.hash === hash, `#${to}`);
        await settled(page);
        if (name === 'many') {
          await page.fill('#targets', `Deepa Reddy\n${target}\nnobody@example.com\n${companies[0].id}`);
          await page.click('button.main');
          await page.waitForSelector('table');
        }
        assert.deepEqual(await violations(page), [], name);
        assert(await overflow(page) <= 0, `${name} is ${await overflow(page)} too wide`);
        assert.deepEqual(bad, [], name);
        assert(await page.locator('main h1').first().innerText());
        if (shots && scheme === 'light' && width === 'desktop' && PICTURES.includes(name)) await page.screenshot({ path: join(shots, `${name}.png`) });
        if (shots && scheme === 'light' && width === 'phone' && name === 'paths') await page.screenshot({ path: join(shots, 'phone.png') });
      }
      if (shots && scheme === 'dark' && width === 'desktop') {
        await page.goto(`${base}/explore#${SCREENS.paths}`);
        await settled(page);
        await page.screenshot({ path: join(shots, 'dark.png') });
      }
      await context.close();
    });
  }
}

test('what the checks are worth: a broken page is noticed', async () => {
  const { context, page, bad } = await open(base);
  await page.goto(linkTo(own, '/'));
  await settled(page);
  await page.evaluate(() => {
    const image = document.querySelector('main').appendChild(document.createElement('img'));
    const wide = document.querySelector('main').appendChild(document.createElement('p'));
    wide.textContent = 'wide';
    wide.style.width = '3000px';
    image.src = 'http://127.0.0.1:9/elsewhere.png';
    document.querySelector('h1').style.color = '#eee';
  });
  await pause(200);
  const found = (await violations(page)).map((one) => one.split(':')[0]);
  assert(found.includes('color-contrast') && found.includes('image-alt'), String(found));
  assert(await overflow(page) > 0);
  // The policy stops the picture before it is asked for, and says so.
  assert(bad.some((one) => one.includes('Content Security Policy')), String(bad));
  await context.close();
});

test('the link of the demo leads to a picture, and its key to no other place', async () => {
  const { context, page, bad } = await open(base);
  const asked = [];
  page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  const began = Date.now();
  await page.goto(own.page);
  await page.waitForSelector('.picture .box.lit');
  const took = Date.now() - began;
  console.log(`  first picture after ${took} ms`);
  assert(took < FIRST_PICTURE_MS * SLACK, `${took} ms`);
  assert(!page.url().includes('service_'), page.url());
  const kept = await page.evaluate(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, performance.getEntries().map((entry) => entry.name),
    await (globalThis.caches?.keys() ?? []), await indexedDB.databases(), document.documentElement.outerHTML,
  ]));
  // The entry of the first navigation is what the browser was given; it is gone with the next.
  assert(!kept.replaceAll(own.page, '').includes(own.token), 'the key is kept');
  assert(asked.every((request) => !request.includes(own.token)), 'the key is in an address or a header');
  const [cookie] = await context.cookies();
  assert(cookie.name === '__Host-kith' && cookie.httpOnly && cookie.secure && cookie.sameSite === 'Strict');
  assert(!cookie.value.includes(own.token.slice(12, 20)));
  await page.goBack().catch(() => {});
  assert(!page.url().includes('service_'), page.url());
  assert.deepEqual(bad, []);
  await context.close();
});

test('the numbers on the page are those of the API', async () => {
  const { context, page } = await open(base);
  for (const [query, params] of [['', ''], ['?sort=warmness', '&sort=warmness'], ['?type=second_degree', '&connectionTypes=second_degree']]) {
    await page.goto(linkTo(own, `/paths/${target}${query}`));
    await page.waitForSelector('.paths');
    await settled(page);
    const { data } = await ask(base, own.token, `search/warm-paths?prospectId=${target}&limit=50${params}`);
    const rows = await page.locator('[data-row]').evaluateAll((all) => all.map((row) => [row.querySelector('bdi').innerText, row.querySelector('.warm b').lastChild.textContent]));
    assert.deepEqual(rows, data.paths.map((path) => [path.fromUserName, String(path.warmness)]));
    assert((await page.locator('.summary').innerText()).startsWith(`${data.totalCount} introduction`));
    // The picture: the same people, and no line that is not of a path.
    const names = await page.locator('.picture .box title').allTextContents();
    assert(names.some((name) => name.startsWith(data.prospect.name)) && names.length > 1);
  }
  await page.goto(`${base}/explore#/company/${companies[0].id}`);
  await page.waitForSelector('.sorted');
  const { data } = await ask(base, own.token, `search/warm-paths?prospectId=${companies[0].id}&groupBy=target&limit=50`);
  const cards = await page.locator('tbody tr').evaluateAll((all) => all.map((card) => [card.querySelector('bdi').innerText, card.querySelector('.warm b').lastChild.textContent]));
  assert.deepEqual(cards.map((card) => card.map((text) => text.replace(/\s+/g, ' '))), data.paths.map((path) => [path.target.name.replace(/\s+/g, ' ').trim(), String(path.warmness)]));
  const isSaid = await page.locator('.notice.warning').count() > 0;
  assert.equal(isSaid, data.coverage.capped, 'what was cut is said');
  await context.close();
});

test('by keyboard alone: find a person, look through the ways, open one, write, copy', async () => {
  const { context, page, bad } = await open(base, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${base}/`);
  await page.waitForSelector('#credential:focus');
  await page.keyboard.type(own.token);
  await page.keyboard.press('Enter');
  await settled(page);
  await page.keyboard.press('/');
  await page.keyboard.type('Deepa Reddy');
  await page.waitForSelector('[role=option]:has(.person) >> text=Deepa Reddy');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.paths');
  await settled(page);
  assert.equal(await page.locator('h1').first().innerText(), 'Deepa Reddy');
  for (let tabs = 0; tabs < 40 && !await page.evaluate(() => document.activeElement.matches('[data-row]')); tabs++) await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-row][aria-expanded=true]:focus');
  assert.equal(await page.locator('[data-row][aria-expanded=true]').count(), 1);
  for (let tabs = 0; tabs < 12 && !await page.evaluate(() => document.activeElement.matches('.unfolded button')); tabs++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open] textarea');
  assert.deepEqual(await violations(page), []);
  for (let tabs = 0; tabs < 6 && await page.evaluate(() => document.activeElement.textContent) !== 'Copy the message'; tabs++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert(copied.startsWith('Hi ') && copied.includes('Deepa Reddy'), copied);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' });
  await page.keyboard.press('?');
  await page.waitForSelector('dialog.keys[open]');
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.waitForSelector('[data-box]:focus');
  assert.deepEqual(bad, []);
  await context.close();
});

test('a key sees no screen that needs a token, and says so', async () => {
  const { context, page, bad } = await open(base);
  await page.goto(linkTo(own, '/mine', own.key));
  await settled(page);
  assert((await page.locator('main').innerText()).includes('token of your own'));
  assert.equal(await page.locator('nav >> text=My contacts').count(), 0);
  assert.deepEqual(bad, []);
  await context.close();
});

test('the bar has places that lead somewhere, and a tie is a word with its number where it is opened', async () => {
  const { context, page, bad } = await open(base);
  await page.goto(linkTo(own, '/'));
  await settled(page);
  const said = (selector) => page.locator(selector).allInnerTexts();
  // The demo keeps no asks and no changes, and imports nothing; it has opportunities, people behind contacts, and days of contact.
  assert.deepEqual((await said('nav a')).map((text) => text.trim()), ['Find', 'Lists', 'What’s new']);
  assert.deepEqual(await said('.doors b'), ['A list', 'My contacts', 'Behind my contacts', 'Opportunities', 'What’s new']);
  // Another log-in in the same window would refuse what is still asked for by the first.
  const byKey = await open(base);
  await byKey.page.goto(linkTo(own, '/', own.key));
  await settled(byKey.page);
  assert.deepEqual(await byKey.page.locator('.doors b').allInnerTexts(), ['A list', 'Opportunities', 'What’s new']);
  assert.deepEqual(byKey.bad, []);
  await byKey.context.close();
  await page.goto(`${base}/explore#/paths/${target}`);
  await page.waitForSelector('.paths');
  await settled(page);
  const rows = await page.locator('[data-row]').evaluateAll((all) => all.map((row) => {
    const number = row.querySelector('.warm b');
    return [row.querySelector('.word').innerText, Number(number.lastChild.textContent), getComputedStyle(number).clipPath === 'none'];
  }));
  const word = (warmness) => warmness >= 50 ? 'Strong' : warmness > 20 ? 'Good' : 'Weak';
  assert(rows.length > 5 && new Set(rows.map(([said]) => said)).size > 1, String(rows));
  assert.deepEqual(rows, rows.map(([, number], at) => [word(number), number, at === 0]));
  // Whoever is in the row has initials, in the same colour wherever they are.
  const face = (await page.locator('[data-row] .face').first().evaluate((one) => [one.innerText, one.style.getPropertyValue('--hue')]));
  assert(/^\p{L}{1,2}$/u.test(face[0]) && Number(face[1]) >= 0, String(face));
  assert.deepEqual(bad, []);
  await context.close();
});

test('names of any script and length stand in their place', async () => {
  const long = 'Ж'.repeat(200);
  const names = { rtl: 'زينب الأحمد (א)', cjk: '髙木結衣子'.repeat(12), long, joined: '👨‍👩‍👧‍👦'.repeat(30), spaced: 'a '.repeat(100).trim(), markup: '<img src=x onerror=alert(1)>&amp;' };
  for (const width of Object.keys(WIDTHS)) {
    const { context, page, bad } = await open(base, { width });
    await page.route('**/api/v1/search/warm-paths?*', async (route) => {
      const answer = await ask(base, own.token, new URL(route.request().url()).href.split('/api/v1/')[1]);
      answer.data.prospect.name = names.rtl;
      answer.data.paths.forEach((path, at) => {
        const all = Object.values(names);
        path.fromUserName = all[at % all.length];
        path.connector.name = all[(at + 1) % all.length];
        path.connector.position = all[(at + 2) % all.length];
      });
      await route.fulfill({ json: answer });
    });
    await page.goto(own.page);
    await page.waitForSelector('.paths');
    await settled(page);
    assert(await overflow(page) <= 0, `${width}: ${await overflow(page)} too wide`);
    const text = await page.locator('main').innerText();
    for (const name of [names.rtl, names.markup, long]) assert(text.includes(name), name.slice(0, 20));
    if (width === 'desktop') {
      const wide = await page.locator('.box').evaluateAll((all) => all.filter((box) => {
        const frame = box.querySelector('rect').getBBox();
        return [...box.querySelectorAll('text')].some((line) => line.getBBox().width > frame.width);
      }).length);
      assert.equal(wide, 0, 'a name is wider than its box');
    }
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(bad, []);
    await context.close();
  }
});

test('a company of thousands of ways is a list, and the search box keeps up', async () => {
  const { context, page, bad } = await open(base);
  await page.goto(linkTo(own, `/company/${companies[0].id}`));
  await page.waitForSelector('.sorted');
  assert(await page.locator('tbody tr').count() <= 50);
  await page.click('.more button');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length !== 50 || !document.querySelector('.more button'));
  await page.focus('[data-box]');
  for (const letter of 'reddy') await page.keyboard.type(letter);
  await page.waitForSelector('[role=option]:has(.person) >> text=Reddy');
  assert.deepEqual(bad, []);
  await context.close();
});

test('my contacts are a table: who knows them, the last contact and the strength, as the API has them', async () => {
  const { context, page, bad } = await open(base, { acceptDownloads: true });
  await page.goto(linkTo(own, '/mine'));
  await page.waitForSelector('.sorted');
  const all = [];
  for (let offset = 0; offset !== undefined;) {
    const { data } = await ask(base, own.token, `connections?limit=50&offset=${offset}&include=ties`);
    all.push(...data.connections);
    offset = data.nextOffset;
  }
  const me = (await ask(base, own.token, 'me')).data.member.userId;
  const tie = (one) => one.ties.find(({ userId }) => userId === me);
  const scores = () => page.locator('tbody td[data-head=Strength] .warm b').evaluateAll((all) => all.map((one) => Number(one.lastChild.textContent)));
  const ofRows = (rows) => rows.map((one) => tie(one)?.warmness).filter((score) => score !== undefined);
  const scored = ofRows(all);
  assert.deepEqual(await scores(), ofRows(all.slice(0, 50)));
  assert(all.length > 100 && new Set(scored).size > 3, 'the control: there is more than is loaded, and something to sort');
  // What is sorted are all contacts, not those that happen to be loaded.
  await page.click('th button:has-text("Strength")');
  await page.waitForFunction((rows) => document.querySelector('.more [role=status]').innerText === `${rows} contacts`, all.length);
  assert.deepEqual((await scores()).slice(0, 100), scored.toSorted((one, other) => other - one).slice(0, 100));
  assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Strength ↓');
  await page.click('th button:has-text("Strength")');
  assert.deepEqual((await scores()).slice(0, 100), scored.toSorted((one, other) => one - other).slice(0, 100));
  // As it came, so that a reload fetches no more than the first rows. Columns are chosen, and stay chosen.
  await page.click('th button:has-text("Strength")');
  await page.click('summary:has-text("Columns")');
  await page.getByRole('checkbox', { name: 'Since' }).check();
  await page.getByRole('checkbox', { name: 'Position' }).uncheck();
  await page.reload();
  await page.waitForSelector('.sorted');
  const heads = await page.locator('th').allInnerTexts();
  assert(heads.includes('Since') && !heads.includes('Position'), String(heads));
  const since = await page.locator('tbody td[data-head=Since]').allInnerTexts();
  assert.equal(since.filter(Boolean).length, all.slice(0, 50).filter((one) => tie(one)?.since).length);
  const last = await page.locator('tbody td[data-head="Last contact"]').allInnerTexts();
  assert.equal(last.filter(Boolean).length, all.slice(0, 50).filter((one) => tie(one)?.lastContact !== tie(one)?.since).length, 'the day of a connection is no contact');
  const one = all.slice(50).find(({ currentCompany }) => currentCompany);
  await page.fill('input[type=search]', `${one.name.toUpperCase()} ${one.currentCompany}`);
  await page.waitForFunction((rows) => document.querySelector('.more [role=status]').innerText.endsWith(`of ${rows} contacts`), all.length);
  const left = await page.locator('tbody .who bdi').allInnerTexts();
  assert(left.length >= 1 && left.every((name) => name === one.name), String(left));
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(`button:text-is("Save these ${left.length} as CSV")`)]);
  const saved = readFileSync(await file.path(), 'utf8').trim().split('\r\n');
  assert(saved.length === left.length + 1 && saved[0].includes('Last contact') && saved[1].includes(one.name), saved.join('\n'));
  await page.goto(`${base}/explore#/people?q=engineer`);
  await page.waitForSelector('.sorted');
  const found = await ask(base, own.token, 'search/people?q=engineer&limit=50&include=ties,page');
  assert.deepEqual(await page.locator('tbody .who bdi').allInnerTexts(), found.data.map(({ name }) => name.replace(/\s+/g, ' ').trim()));
  assert((await page.locator('.more').innerText()).includes(`${new Intl.NumberFormat('en').format(found.totalCount)} people`));
  assert(found.totalCount > 50, 'the control: not all of it is loaded');
  const [whole] = await Promise.all([page.waitForEvent('download'), page.click('button:text-is("Save as CSV")')]);
  assert.equal(readFileSync(await whole.path(), 'utf8').trim().split('\r\n').length, found.totalCount + 1);
  assert.deepEqual(bad, []);
  await context.close();
});

test('lists stay with their states and notes in this browser, and are saved with all that a CRM knows people by', async () => {
  const { context, page, bad } = await open(base, { acceptDownloads: true });
  await page.goto(linkTo(own, '/many'));
  const text = `${first.name}, ${first.company}\nNobody Atall\n${companies[0].name}\nNobody Beside, ${first.company}`;
  await page.fill('#targets', text);
  await page.click('button.main');
  await page.waitForSelector('.sorted');
  assert.equal(await page.locator('tbody tr').count(), 4);
  await page.getByLabel(`State of ${first.name}, ${first.company}`).selectOption('in touch');
  await page.getByLabel('Note on Nobody Atall').fill('ask Dana');
  await page.getByLabel('Its name').fill('Investors');
  await page.click('button:text-is("New list")');
  assert.equal(await page.inputValue('#targets'), '');
  await page.fill('#targets', 'Somebody Else');
  // Another visit: both lists are there, and the one that is opened is answered by itself.
  await page.reload();
  await page.waitForSelector('#targets');
  await page.getByLabel('Investors').check();
  await page.waitForSelector('.sorted tbody tr:nth-child(4)');
  assert.equal(await page.inputValue('#targets'), text);
  assert.equal(await page.getByLabel(`State of ${first.name}, ${first.company}`).inputValue(), 'in touch');
  assert.deepEqual(await violations(page), []);
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('button:text-is("Save as CSV")')]);
  const saved = readFileSync(await file.path(), 'utf8');
  for (const word of [first.id, 'in touch', 'ask Dana', 'Nobody here is called Nobody Atall.', `Nobody here is called Nobody Beside. Known at ${first.company}: `]) assert(saved.includes(word), word);
  // No request had a state or a note, and what is deleted is gone.
  await page.click('button:text-is("Delete the list")');
  const kept = await page.evaluate(() => Object.entries(localStorage).filter(([name]) => name.startsWith('kith-lists')).map(([, value]) => value).join());
  assert(kept.includes('Somebody Else') && !kept.includes('ask Dana'), kept);
  assert.deepEqual(bad, []);
  await context.close();
});

test('what’s new names the strong ties that went quiet, one’s own or to a key everybody’s', async () => {
  const { context, page, bad } = await open(base);
  for (const credential of [own.token, own.key]) {
    await page.goto(linkTo(own, '/changes', credential));
    await page.waitForSelector('h2:text-is("Who went quiet")');
    const half = await page.evaluate(() => localStorage['kith-page']);
    const quiet = await page.evaluate(async (sent) => (await fetch('/explore/quiet', { headers: { 'kith-page': sent } })).json(), half);
    assert(quiet.totalCount > 0, 'the control: somebody went quiet');
    await page.waitForSelector('.panel .rows li');
    assert.deepEqual(await page.locator('.panel .rows li .who bdi:first-child').evaluateAll((all) => all.length), 2 * quiet.ties.length);
    assert((await page.locator('.panel').first().innerText()).includes(`${new Intl.NumberFormat('en').format(quiet.totalCount)} strong tie`));
    const me = (await ask(base, own.token, 'me')).data.member.userId;
    assert.equal(quiet.ties.every(({ userId }) => userId === me), credential === own.token);
  }
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(bad, []);
  await context.close();
});

test('pictures and tables can be taken away', async () => {
  const { context, page, bad } = await open(base, { acceptDownloads: true });
  await page.goto(own.page);
  await page.waitForSelector('.picture .box.lit');
  for (const [name, holds] of [['SVG', '<svg'], ['PNG', 'PNG'], ['Save as CSV', 'warmness']]) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(`button:text-is("${name}")`)]);
    const bytes = readFileSync(await file.path());
    assert(bytes.subarray(0, 200).toString('latin1').includes(holds), name);
    assert(bytes.length > 300, `${name}: ${bytes.length} bytes`);
  }
  await page.emulateMedia({ media: 'print' });
  assert(!await page.locator('.top').isVisible() && await page.locator('.picture').isVisible());
  assert.deepEqual(bad, []);
  await context.close();
});

test('pages of other ports and origins get nothing by the cookie', async () => {
  const { createServer } = await import('node:http');
  const other = createServer((_, response) => response.end('<!doctype html><title>other</title>')).listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { context, page } = await open(base);
  await page.goto(own.page);
  await page.waitForSelector('.picture .box.lit');
  const seen = [];
  page.on('response', (response) => { if (response.url().includes('/api/') || response.url().includes('/explore')) seen.push(response.status()); });
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  assert.equal(await page.evaluate(() => localStorage.length), 0, 'the half of the session is seen by its own port alone');
  for (const path of ['/api/v1/search/people?q=a', '/explore/login']) {
    await page.evaluate((url) => fetch(url, { credentials: 'include', mode: 'no-cors' }).catch(() => {}), base + path);
  }
  await page.evaluate((url) => { const frame = document.body.appendChild(document.createElement('iframe')); frame.src = url; }, `${base}/explore`);
  await pause(500);
  assert(seen.includes(401) && !(await Promise.all(page.frames().map((frame) => frame.title().catch(() => '')))).some((title) => title.includes('kith')), String(seen));
  const direct = await page.goto(`${base}/api/v1/search/people?q=a`);
  assert.equal(direct.status(), 401, 'an address that is typed is no request of the page');
  await context.close();
  other.close();
});

test('who was forgotten is nowhere, also after "back"; a revoked token asks for the log-in and loses nothing', async () => {
  const site = makeSite();
  const [token, next] = [site.tokenOf(), site.tokenOf()];
  const server = await serve(site);
  const at = server.found;
  const forgotten = (await ask(at, token, 'search/people?q=pia')).data[0];
  const { context, page, bad } = await open(at, { allowed: ['401'] });
  // Links log in to the demo alone.
  await page.goto(`${at}/explore#key=${token}&to=/paths/${forgotten.id}`);
  await page.waitForSelector('#credential');
  await page.waitForFunction((left) => location.href === left, `${at}/explore#/paths/${forgotten.id}`);
  await page.fill('#credential', token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.paths');
  await page.goto(`${at}/explore#/ask?q=${encodeURIComponent(forgotten.name)}`);
  await settled(page);
  assert((await page.locator('main').innerText()).includes(forgotten.name), 'the control: they are there before');
  kith('suppress', 'add', '--suppressions', site.at('suppressions.txt'), '--org', 'org_tiny', '--linkedin-id', forgotten.linkedinId);
  await page.goBack();
  await settled(page);
  assert(!(await page.content()).includes(forgotten.name), 'after "back"');
  for (const to of ['/', `/person/${forgotten.id}`, '/behind', '/mine', '/opportunities']) {
    await page.goto(`${at}/explore#${to}`);
    await settled(page);
    assert(!(await page.content()).includes(forgotten.name), to);
  }
  bad.length = 0;

  await page.goto(`${at}/explore#/many`);
  await page.fill('#targets', 'Ben\nSol');
  const list = JSON.parse(kith('tokens', 'list', '--credentials', site.at('credentials.db'), '--json'));
  const mine = list.find((one) => token.endsWith(one.lastFour));
  kith('tokens', 'revoke', '--credentials', site.at('credentials.db'), mine.id);
  await page.click('button.main');
  await page.waitForSelector('#credential');
  assert(!await page.locator('#targets').isVisible());
  assert.deepEqual(await violations(page), []);
  await page.fill('#credential', token);
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=was revoked');
  await page.fill('#credential', next);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#targets');
  assert.equal(await page.inputValue('#targets'), 'Ben\nSol');
  await page.waitForFunction(() => location.hash === '#/many');
  await page.click('button.main');
  await page.waitForSelector('table');
  assert.deepEqual(bad, []);

  // The server stops in the middle, and comes back.
  await stop(server);
  await page.click('button.main');
  await page.waitForSelector('text=The server cannot be reached');
  assert.equal(await page.inputValue('#targets'), 'Ben\nSol');
  const again = await serve(site, Number(new URL(at).port));
  // The session goes on, and nothing is lost.
  await page.click('button:text-is("Try again")');
  await page.waitForSelector('table');
  assert.equal(await page.inputValue('#targets'), 'Ben\nSol');
  // No log has a credential.
  for (const log of [server.printed(), again.printed()]) assert(!log.includes(token) && !log.includes(next));
  assert((server.printed() + again.printed()).includes('/explore/login'), 'the control: the log has the log-in');
  await stop(again);
  await context.close();
});

/** `kith open` on `files`: its link, where it serves, and the report in its folder; `again` goes on with that of the last time. */
async function openFiles(files, more = [], again = false) {
  const into = join(work, 'opened');
  if (!again) rmSync(into, { recursive: true, force: true });
  const server = await start(['open', ...files, ...more, '--into', into, '--no-browser', '--listen', '127.0.0.1:0'],
    (text) => /^ *(http:\S+#code=\S+)$/m.exec(text)?.[1]);
  return { ...server, link: server.found, at: new URL(server.found).origin, report: JSON.parse(readFileSync(join(into, 'report.json'), 'utf8')) };
}
const openTeam = () => openFiles(['fixtures/team']);

/** Exports that need a manifest: the columns of no known program, or a header that is refused by name. */
const NEED_COLUMNS = ['mapped.csv', 'edges.csv', 'affinity.csv', 'linkedin-french.csv'];

test('exports of every format, opened at once, are served: the report names each, and a contact is introduced', async () => {
  const files = readdirSync('fixtures/exports').filter((file) => /\.(csv|vcf|xlsx|zip|mbox|ics)$/.test(file) && !NEED_COLUMNS.includes(file));
  assert(files.length >= 16, `${files}`);
  const opened = await openFiles(files.map((file) => `fixtures/exports/${file}`), ['--me', 'Ann Lee']);
  const { context, page, bad } = await open(opened.at);
  await page.goto(opened.link);
  await page.waitForSelector('[data-fact]');
  const shown = await page.locator('[data-file]').evaluateAll((all) => all.map((row) => row.dataset.file));
  for (const file of files) assert(shown.some((name) => name.includes(file)), `${file} is not in the report: ${shown}`);
  const gave = opened.report.files.filter((file) => file.used + file.merged > 0).map((file) => file.file);
  for (const file of files.filter((file) => /\.(csv|vcf|xlsx|zip)$/.test(file))) assert(gave.some((name) => name.includes(file)), `${file} gave nothing`);
  await page.goto(`${opened.at}/explore#/mine`);
  await page.locator('main a[href^="#/person/"]').first().click();
  await page.locator('main a[href^="#/paths/"]').first().click();
  await page.waitForSelector('.picture .box.lit');
  assert((await page.locator('[data-row]').count()) > 0);
  assert.deepEqual(bad, []);
  await context.close();
  await stop(opened);
});

test('kith open: its link leads once to the report, and from there to a real introduction', async () => {
  const opened = await openTeam();
  const { link, at, report } = opened;
  const code = /code=(\w+)/.exec(link)[1];
  const { context, page, bad } = await open(at);
  await page.goto(link);
  await page.waitForSelector('[data-fact]');
  await page.waitForFunction((left) => location.href === left, `${at}/explore#/report`);
  const kept = await page.evaluate(async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, await indexedDB.databases(), document.documentElement.outerHTML,
  ]));
  assert(!kept.includes(code) && !kept.includes('service_'), 'the code is kept');
  // Its numbers are those of the report.
  const number = (text) => Number(text.replaceAll(',', ''));
  const rows = await page.locator('[data-file]').evaluateAll((all) => all.map((row) =>
    [row.dataset.file, ...[...row.querySelectorAll('[data-number]')].map((cell) => cell.textContent)]));
  const of = (one) => [one.read, one.used, one.merged, one.skipped];
  assert.deepEqual(rows.map(([file, ...numbers]) => [file, ...numbers.map(number)]),
    [...report.files.map((file) => [file.file, ...of(file)]), ['', ...of(report.totals)]]);
  const facts = Object.fromEntries(await page.locator('[data-fact]').evaluateAll((all) => all.map((fact) => [fact.dataset.fact, fact.textContent])));
  const share = (part) => `${Math.floor(part * 100 / report.network.people)} %`;
  const { withHandle, withEmail, withCompany, ...counts } = report.network;
  assert.deepEqual(facts, {
    ...Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, String(value)])),
    withHandle: share(withHandle), withEmail: share(withEmail), withCompany: share(withCompany),
  });
  const text = await page.locator('main').innerText();
  for (const file of report.files) {
    for (const { line, reason } of file.skips) assert(text.includes(`${file.file}, line ${line}`) && text.includes(reason), `${file.file} ${line}`);
  }
  assert(report.totals.skipped > 0 && !text.includes('Ida'), 'the control; what was left out is nowhere');
  // A real introduction, by the search box.
  await page.keyboard.press('/');
  await page.keyboard.type('Max Orr');
  await page.waitForSelector('[role=option]:has(.person) >> text=Max Orr');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.picture .box.lit');
  assert.equal(await page.locator('h1').first().innerText(), 'Max Orr');
  assert.equal(await page.locator('[data-row]').count(), 4);
  // Where they come from: the rows that the import wrote down.
  await page.click('text=About this person');
  await page.waitForSelector('h2:text-is("Where this comes from")');
  const id = decodeURIComponent(/person\/(.+)$/.exec(page.url())[1]);
  const lines = readFileSync(join(work, 'opened', 'tables', 'identities.ndjson'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const origins = lines.find((line) => line.id === id).rows;
  const shown = await page.locator('section:has(> h2:text-is("Where this comes from"))').innerText();
  for (const { file } of origins) assert(shown.includes(file), file);
  assert(shown.includes(String(origins[0].line)), shown);
  assert.deepEqual(await violations(page), []);
  // The same link again leaves who is logged in where they are.
  await page.goto(`${at}/explore#/`);
  await page.goto(link);
  await page.waitForSelector('[data-fact]');
  assert.deepEqual(bad.filter((one) => !one.includes('401')), []);
  await context.close();

  // Anybody else gets the log-in, and no word of what was imported.
  const other = await open(at, { allowed: ['401'] });
  await other.page.goto(link);
  await other.page.waitForSelector('text=This link was used before');
  assert(!other.page.url().includes(code));
  assert.equal(await other.page.locator('#credential').count(), 0, 'nobody has a key of kith open');
  assert.deepEqual(await violations(other.page), []);
  const refused = await other.page.evaluate(async () => (await fetch('/explore/report')).status);
  assert.equal(refused, 401);
  await other.page.goto('about:blank');
  await other.page.goto(`${at}/explore`);
  await other.page.waitForSelector('text=For another link end the program');
  assert.deepEqual(other.bad, []);
  await other.context.close();
  assert(!opened.printed().replaceAll(link, '').includes(code) && !opened.printed().includes('service_'));
  await stop(opened);
});

test('the report of an import, at two widths and in both colours, also a long one', async () => {
  const opened = await openTeam();
  const { at, report } = opened;
  const { context: first, page } = await open(at);
  await page.goto(opened.link);
  await page.waitForSelector('[data-fact]');
  const storageState = await first.storageState();
  await first.close();
  const skips = Array.from({ length: 400 }, (_, place) => ({ line: place + 2, reason: place % 2 ? 'all cells are empty' : 'a draft' }));
  const long = {
    ...report, notesLeft: 7, filesLeft: 3, totals: { read: 2_400_000, used: 1_000_000, merged: 400_000, skipped: 1_000_000 },
    files: [...report.files, { file: `${'very-long-name-'.repeat(16)}.csv`, format: '', read: 0, used: 0, merged: 0, skipped: 0, skips: [], fault: 'no header of a known export in its first lines; the first line is: <img src=x onerror=alert(1)>' },
      { file: 'שלום/多い.vcf', format: 'vCards', read: 400, used: 0, merged: 0, skipped: 400, skips }],
    notes: [{ file: 'a.csv', line: 7, note: 'it fits two people of the same name and company, and stays alone' }],
  };
  const none = { ...report, files: [], notes: [], totals: { read: 0, used: 0, merged: 0, skipped: 0 }, network: Object.fromEntries(Object.keys(report.network).map((name) => [name, 0])) };
  for (const width of Object.keys(WIDTHS)) {
    for (const scheme of ['light', 'dark']) {
      for (const [name, shown] of Object.entries({ report: undefined, long, none })) {
        const { context, page: one, bad } = await open(at, { width, scheme, storageState });
        if (shown) await one.route('**/explore/report', (route) => route.fulfill({ json: shown }));
        await one.goto(`${at}/explore#/report`);
        await one.waitForSelector('[data-fact]');
        assert.deepEqual(await violations(one), [], `${name} ${width} ${scheme}`);
        assert(await overflow(one) <= 0, `${name} ${width} is ${await overflow(one)} too wide`);
        if (name === 'long') assert((await one.locator('main').innerText()).includes('<img src=x'), 'markup is text');
        assert.deepEqual(bad, [], `${name} ${width} ${scheme}`);
        if (shots && name === 'report' && scheme === 'light' && width === 'desktop') await one.screenshot({ path: join(shots, 'report.png') });
        await context.close();
      }
    }
  }
  await stop(opened);
});

addDecidedTests({ test, open, settled, violations, overflow, openFiles, stop, work, WIDTHS, shots });
addMarkTests({ test, open, settled, ask, violations, overflow, kith, serve, stop, work, linkTo, base, own, first, companies });
addBringTests({ test, open, settled, violations, overflow, kith, makeSite, serve, stop, openFiles, WIDTHS, shots, work });
addAskTests({ test, open, settled, violations, overflow, kith, makeSite, serve, stop });
addTests({ test, open, settled, violations, overflow, ask, kith, makeSite, serve, stop, pause, WIDTHS, shots, linkTo, base, own, companies });

let failed = 0;
const only = process.env.KITH_ONLY;
for (const [name, run] of tests.filter(([name]) => !only || new RegExp(only).test(name))) {
  const began = Date.now();
  try {
    await run();
    console.log(`ok ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}
await browser.close();
demoChild.kill();
assert(existsSync(program));
process.exitCode = failed ? 1 : 0;
