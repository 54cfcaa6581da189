// Trials of what stands beside the screens: changes between two snapshots, what a question was read as, `/docs`, the operator's
// page, and a proxy that logs people in. `browser.mjs` brings the tools and runs them.
//
// Promise: The screen of changes has each change as the API has it, and says that nothing is kept; the log-in names
//   the one generation since which they can be asked for.
// Control: a server that keeps nothing names none; who is forgotten was there before.
// Also in: `tests/api/changes/generations.rs`.
import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';

export function addTests({ test, open, settled, violations, overflow, ask, kith, makeSite, serve, stop, pause, WIDTHS, shots, linkTo, base, own, companies }) {
  /** Asks the operator's listener of a server. */
  const adminOf = (server) => /admin on (http:\/\/\S+)/.exec(server.printed())[1];

  /** Puts another state of the tiny network in the place of the one in service. */
  async function replace(site, server, edit) {
    const tables = site.at('tables');
    mkdirSync(tables, { recursive: true });
    cpSync('fixtures/tiny', tables, { recursive: true });
    for (const [file, from, to] of edit) {
      const text = readFileSync(join(tables, file), 'utf8');
      assert(text.includes(from), from);
      writeFileSync(join(tables, file), text.replace(from, to));
    }
    kith('build', tables, '--out', site.at('snapshots/tiny.kith'));
    const answer = await fetch(`${adminOf(server)}/admin/reload`, { method: 'POST' });
    assert.equal(answer.status, 200, await answer.text());
  }

  test('what changed: said that nothing is kept, then each change as the API has it', async () => {
    const site = makeSite();
    const token = site.tokenOf();
    const server = await serve(site, 0, { KITH_LIVE__KEEP_CHANGES: 'true' });
    const at = server.found;
    const { context, page, bad } = await open(at);
    await page.goto(`${at}/explore#/changes`);
    await page.fill('#credential', token);
    await page.keyboard.press('Enter');
    await settled(page);
    assert((await page.locator('main').innerText()).includes('live.keep_changes = true'));
    assert.deepEqual(await violations(page), []);
    await replace(site, server, [
      ['connections.ndjson', '"to":"person_pia","warmness":70', '"to":"person_pia","warmness":90'],
      ['people.ndjson', 'VP Sales', 'CRO'],
      ['connections.ndjson', '{"from":"person_kim","to":"person_tom"', '{"from":"person_kim","to":"person_sol"'],
    ]);
    await page.click('text=Look again');
    await page.waitForSelector('.cards');
    const who = await page.evaluate(async () => (await fetch('/explore/login', { headers: { 'kith-page': localStorage['kith-page'] } })).json());
    const { data } = await ask(at, token, `changes?since=${who.data.before}&limit=50`);
    assert.equal(data.totalCount, 4, 'the control: something changed');
    const shown = await page.locator('.cards > li').evaluateAll((cards) => cards.flatMap((card) => [...card.querySelectorAll('.changes > li')].map((one) =>
      [card.querySelector('bdi').innerText, [...one.querySelector('.kind').classList].at(-1), [...one.querySelectorAll('.warm b')].map((b) => b.lastChild.textContent).join(' ')])));
    const warmness = (value) => value?.warmness === undefined ? [] : [String(value.warmness)];
    assert.deepEqual(shown, data.changes.map(({ person, kind, before, after }) => [person.name, kind, kind === 'connector' ? '' : [...warmness(before), ...warmness(after)].join(' ')]));
    assert((await page.locator('.summary').innerText()).startsWith('4 changes'));
    await page.getByLabel('New ways').check();
    await page.waitForFunction(() => document.querySelectorAll('.cards > li').length === 1 && location.hash.includes('show=opened'));
    assert.deepEqual(await violations(page), []);
    assert(await overflow(page) <= 0);
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('button:text-is("Save as CSV")')]);
    assert(readFileSync(await file.path(), 'utf8').includes('Newly reachable'));
    await page.getByLabel('Everything').check();
    // Who is to be forgotten is in no change, from the next look on.
    const [first] = data.changes;
    kith('suppress', 'add', '--suppressions', site.at('suppressions.txt'), '--org', 'org_tiny', '--linkedin-id', first.person.linkedinId);
    await page.goto(`${at}/explore#/`);
    await settled(page);
    await page.goBack();
    await settled(page);
    assert(!(await page.content()).includes(first.person.name));
    assert.deepEqual(bad, []);
    await context.close();
    await stop(server);
  });

  test('what a question was read as stands beside its answer, and nothing does if the answer has none', async () => {
    const { context, page, bad } = await open(base, { allowed: ['400'] });
    let isOlder = false;
    await page.route('**/api/v1/search/network', async (route) => {
      const { include, ...body } = route.request().postDataJSON();
      const answer = await ask(base, own.token, 'search/network', { ...body, include: include.filter((word) => word !== 'understood') });
      if (!isOlder) {
        assert(include.includes('understood'));
        answer.meta.understood = [
          { term: 'finance', kind: 'role', negated: false, past: false, readAs: 'head of finance', widenedTo: ['controller', 'treasurer'], people: 41 },
          { term: 'software', kind: 'industry', negated: false, past: true, people: 1200 },
          { term: 'Berlin', kind: 'place', negated: true, past: false, people: 7 },
        ];
        answer.meta.ignored = ['please', 'somehow'];
        answer.meta.counts = { every: 3, most: 29, any: 1210 };
        answer.data.forEach((hit) => { hit.matched = [{ term: 0, field: 'position', text: hit.person.position, how: 'sense' }, { term: 1, field: 'company', text: 'once', how: 'past' }]; });
      }
      await route.fulfill({ json: answer });
    });
    await page.goto(linkTo(own, '/ask?q=finance+at+software+companies'));
    await page.waitForSelector('.rows');
    await settled(page);
    const text = (await page.locator('main').innerText()).replace(/\s+/g, ' ');
    for (const said of ['finance, read as head of finance and what is near it: controller, treasurer', '41 people', 'formerly software', '1,200 people', 'not Berlin', '3 fit all of it, 29 more than half, 1,210 at least one', '3 people fit all of it and come first; ', 'please, somehow', 'in other words']) assert(text.includes(said), `${said} in ${text}`);
    assert(await page.locator('.matched').count() > 0);
    assert.deepEqual(await violations(page), []);
    isOlder = true;
    await page.goto(`${base}/explore#/ask?q=software`);
    await page.waitForFunction(() => location.hash.endsWith('q=software'));
    await settled(page);
    assert.equal(await page.locator('.understood, .matched').count(), 0);
    assert((await page.locator('main').innerText()).includes('fit'));
    assert.deepEqual(bad, []);
    await context.close();
  });

  test('a company of 10,000 people is shown page by page, and says so', async () => {
    const { context, page, bad } = await open(base);
    const total = 10_000;
    let asked;
    await page.route('**/api/v1/search/warm-paths?*', async (route) => {
      const url = new URL(route.request().url());
      const offset = Number(url.searchParams.get('offset') ?? 0);
      url.searchParams.set('offset', '0');
      asked ??= ask(base, own.token, url.href.split('/api/v1/')[1]);
      const answer = structuredClone(await asked);
      const pool = answer.data.paths;
      const paths = Array.from({ length: 50 }, (_, at) => {
        const path = structuredClone(pool[at % pool.length]);
        path.target.id += `_${offset + at}`;
        for (const field of Object.keys(path)) if (/Breakdown|Evidence|Signals/.test(field)) delete path[field];
        return path;
      });
      const end = offset + paths.length;
      Object.assign(answer.data, { paths, totalCount: total, returnedCount: paths.length, limit: 50, offset, hasMore: end < total, nextOffset: end < total ? end : undefined });
      answer.data.coverage = { capped: true, candidatePeople: 2000, candidatePeopleCap: 2000, secondDegreeEdgesCapped: true };
      await route.fulfill({ json: answer });
    });
    await page.goto(linkTo(own, `/company/${companies[0].id}`));
    await page.waitForSelector('.sorted');
    const loaded = async (rows) => page.waitForFunction((text) => document.querySelector('.more [role=status]').innerText.includes(text), rows);
    await loaded('50 loaded');
    await page.click('.more button:text-is("Show more")');
    await loaded('100 loaded');
    assert.equal(await page.locator('tbody tr').count(), 100);
    await page.click('th button:has-text("Name")');
    await loaded('only those are sorted and filtered');
    await page.click('.more button:text-is("Load all")');
    await page.waitForFunction(() => document.querySelector('.more [role=status]').innerText === '10,000 people', undefined, { timeout: 120_000 });
    // All are loaded, and as many are drawn as one scrolls to.
    const drawn = () => page.locator('tbody tr').count();
    assert(await drawn() < 1000, `${await drawn()} rows are drawn`);
    const names = await page.locator('tbody .who bdi').allInnerTexts();
    assert.deepEqual(names, names.toSorted((one, other) => one.localeCompare(other, 'en', { sensitivity: 'base' })));
    const before = await drawn();
    await page.locator('.more').scrollIntoViewIfNeeded();
    await page.waitForFunction((rows) => document.querySelectorAll('tbody tr').length > rows, before);
    // The longest that sorting and filtering keep the page from its next picture.
    const busy = (press) => page.evaluate(async (what) => {
      const began = performance.now();
      what === 'sort' ? [...document.querySelectorAll('th button')].at(-1).click() : (() => {
        const input = document.querySelector('input[type=search]');
        input.value = 'a';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      })();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return performance.now() - began;
    }, press);
    const [sorted, filtered] = [await busy('sort'), await busy('filter')];
    console.log(`  10,000 rows: sorted in ${sorted.toFixed()} ms, filtered in ${filtered.toFixed()} ms`);
    const text = await page.locator('main').innerText();
    assert(text.includes('may be incomplete'));
    const began = Date.now();
    await page.focus('[data-box]');
    await page.keyboard.type('reddy');
    await page.waitForSelector('[role=option]:has(.person) >> text=Reddy');
    assert(Date.now() - began < 5000, `the box took ${Date.now() - began} ms`);
    assert.deepEqual(bad, []);
    await context.close();
  });

  // --- /docs

  for (const width of Object.keys(WIDTHS)) {
    for (const scheme of ['light', 'dark']) {
      test(`/docs, ${width}, ${scheme}`, async () => {
        const { context, page, bad } = await open(base, { width, scheme });
        await page.goto(`${base}/docs`);
        await page.keyboard.press('Tab');
        await page.waitForSelector('.skip:focus');
        await page.keyboard.press('Enter');
        await page.waitForFunction(() => location.hash === '#kith');
        const isListed = () => page.locator('.contents').isVisible();
        assert.equal(await isListed(), width === 'desktop');
        if (width === 'phone') {
          await page.click('nav .fold summary');
          await page.waitForSelector('.contents', { state: 'visible' });
        }
        await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
        assert.deepEqual(await violations(page), []);
        assert(await overflow(page) <= 0, `${await overflow(page)} too wide`);
        assert.deepEqual(bad, []);
        await context.close();
      });
    }
  }

  test('/docs sends each of its examples, as the page’s user or with a credential, and keeps none', async () => {
    const { context, page, bad } = await open(base, { allowed: ['401', '410'] });
    await page.goto(`${base}/docs`);
    const send = async (at) => {
      const example = page.locator('details.example').nth(at);
      await example.evaluate((one) => { one.open = true; });
      await example.locator('button.send').click();
      await page.waitForFunction((which) => /^\d|^No/.test(document.querySelectorAll('details.example')[which].querySelector('p[role=status]').textContent), at);
      return { said: await example.locator('p[role=status]').innerText(), body: await example.locator('pre').last().innerText() };
    };
    const out = await send(0);
    assert(out.said.startsWith('401') && out.said.includes('Log in on the page'), out.said);
    // The ids in the examples are of this organization of the demo; it has no generation before it.
    await page.fill('#credential', own.token);
    const count = await page.locator('details.example').count();
    assert(count > 9, String(count));
    const answered = [];
    for (let at = 0; at < count; at++) {
      const { said, body } = await send(at);
      answered.push(Number(said.slice(0, 3)));
      JSON.parse(body);
      assert(said.startsWith('200') || (said.startsWith('410') && body.includes('generation_gone')), `${at}: ${said} ${body.slice(0, 200)}`);
    }
    assert.equal(answered.filter((status) => status === 200).length, count - 1, String(answered));
    assert(!JSON.stringify(await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])).includes(own.token));
    // As the page's user: nothing is typed.
    await page.goto(linkTo(own, '/'));
    await settled(page);
    await page.goto(`${base}/docs`);
    assert((await send(0)).said.startsWith('200'));
    assert.deepEqual(bad, []);
    await context.close();
    // Without scripts it is the page it was.
    const plain = await open(base, { javaScriptEnabled: false, width: 'phone' });
    await plain.page.goto(`${base}/docs`);
    assert.equal(await plain.page.locator('button').count(), 0);
    assert(!await plain.page.locator('#credential').isVisible() && !await plain.page.locator('.contents').isVisible());
    await plain.page.click('nav .fold summary');
    await plain.page.waitForSelector('.contents', { state: 'visible' });
    await plain.context.close();
  });

  // --- the operator's page

  for (const [name, hasToken] of [['without a token', false], ['with a token', true]]) {
    test(`the operator's page ${name}: the figures are those of /metrics, at two widths and in both colours`, async () => {
      const site = makeSite();
      const credential = site.tokenOf();
      const secret = 'operator-secret-0123456789';
      writeFileSync(site.at('operator-token'), `${secret}\n`);
      const server = await serve(site, 0, hasToken ? { KITH_ADMIN__TOKEN_FILE: site.at('operator-token') } : {});
      const admin = adminOf(server);
      for (let at = 0; at < 30; at++) await ask(server.found, credential, `search/people?q=${'abc'[at % 3]}`);
      const text = await (await fetch(`${admin}/metrics`, { headers: { authorization: `Bearer ${secret}` } })).text();
      const people = /kith_network_people\{organization="org_tiny"\} (\d+)/.exec(text)[1];
      const generation = /kith_network_generation\{organization="org_tiny"\} (\d+)/.exec(text)[1];
      const asked = /kith_requests_total\{route="\/api\/v1\/search\/people",status="200"\} (\d+)/.exec(text)[1];
      assert.equal(asked, '30');
      for (const width of Object.keys(WIDTHS)) {
        for (const scheme of ['light', 'dark']) {
          const { context, page, bad } = await open(admin, { width, scheme, allowed: ['401'] });
          const sent = [];
          page.on('request', (request) => sent.push(request.url()));
          const answer = await page.goto(`${admin}/`);
          assert.equal(answer.status(), hasToken ? 401 : 200);
          if (hasToken) {
            await page.waitForSelector('#bearer:focus');
            assert.deepEqual(await violations(page), [], 'the question for the token');
            assert(!(await page.content()).includes(people === '0' ? '?' : generation));
            await page.keyboard.type('wrong');
            await page.keyboard.press('Enter');
            await page.waitForSelector('text=This is not the token');
            await page.fill('#bearer', secret);
            await page.keyboard.press('Enter');
          }
          await page.waitForSelector('.tiles');
          const network = await page.locator('table').first().locator('tbody tr').first().innerText();
          for (const figure of ['org_tiny', people, generation]) assert(network.includes(figure), network);
          const route = await page.locator('tbody tr:has(bdi:text-is("/api/v1/search/people"))').innerText();
          assert(route.includes(asked), route);
          assert.deepEqual(await violations(page), []);
          assert(await overflow(page) <= 0, `${await overflow(page)} too wide`);
          assert.deepEqual(bad, []);
          assert(sent.every((url) => !url.includes(secret)));
          const kept = await page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, await indexedDB.databases(), document.documentElement.outerHTML]));
          assert(!kept.includes(secret));
          if (hasToken && width === 'desktop' && scheme === 'light') {
            // Further readings draw the lines.
            for (let turn = 0; turn < (shots ? 12 : 2); turn++) {
              for (let at = 0; at < (shots ? 5 + (turn * 37) % 40 : 1); at++) await ask(server.found, credential, `search/companies?q=${'abc'[at % 3]}`);
              await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
              await pause(300);
            }
            await page.waitForSelector('.chart .line', { state: 'attached' });
            if (shots) await page.screenshot({ path: join(shots, 'operator.png') });
            // The token is in this tab's memory alone: a reload asks for it.
            await page.reload();
            await page.waitForSelector('#bearer');
          }
          await context.close();
        }
      }
      // What is refused is said.
      writeFileSync(site.at('snapshots/broken.kith'), 'no snapshot');
      const headers = hasToken ? { authorization: `Bearer ${secret}` } : {};
      assert.equal((await fetch(`${admin}/admin/reload`, { method: 'POST', headers })).status, 422);
      const { context, page } = await open(admin, { allowed: ['401'] });
      await page.goto(`${admin}/`);
      if (hasToken) {
        await page.fill('#bearer', secret);
        await page.keyboard.press('Enter');
      }
      await page.waitForSelector('text=The last reload refused 1 snapshot');
      // A program gets what it always got, and a page of another site nothing.
      const plain = await fetch(`${admin}/`, { headers: { accept: 'application/json' } });
      assert.equal(plain.status, hasToken ? 401 : 404);
      assert.equal(typeof (await plain.json()).code, 'string');
      const foreign = await fetch(`${admin}/`, { headers: { accept: 'text/html', origin: 'https://evil.example' } });
      assert.equal(foreign.status, 403);
      await context.close();
      await stop(server);
    });
  }

  // --- a proxy that logs people in

  /** An issuer of JWTs, and a proxy before `to` that adds one to each request and takes away what the browser sends. */
  async function proxyTo(site) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(site.at('jwks.json'), JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }] }));
    const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const now = () => Math.floor(Date.now() / 1000);
    const jwt = (more) => {
      const claims = { iss: 'https://idp.example', aud: 'kith', sub: 'user_ana', org: 'org_tiny', scope: 'openid mcp:read', iat: now(), nbf: now(), exp: now() + 300, ...more };
      const text = `${part({ alg: 'ES256', typ: 'JWT', kid: 'one' })}.${part(claims)}`;
      return `${text}.${sign('sha256', Buffer.from(text), { key: createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })), dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    };
    const state = { to: '', jwt: jwt({}), isOut: false, seen: [] };
    const proxy = createServer((incoming, outgoing) => {
      state.seen.push(incoming.headers.accept ?? '');
      // Nobody is logged in any more: programs get 401, pages of people the log-in.
      if (state.isOut) {
        outgoing.writeHead(incoming.headers.accept?.includes('application/json') ? 401 : 302, { Location: '/log-in' });
        return outgoing.end();
      }
      const headers = { ...incoming.headers, authorization: `Bearer ${state.jwt}` };
      const onward = forward(state.to + incoming.url, { method: incoming.method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    }).listen(0, '127.0.0.1');
    await new Promise((done) => proxy.once('listening', done));
    return { state, jwt, now, close: () => proxy.close(), at: `http://127.0.0.1:${proxy.address().port}` };
  }

  test('behind a proxy that adds a JWT nobody pastes a key; one that ran out asks for the log-in and loses nothing', async () => {
    const site = makeSite();
    site.tokenOf();
    const proxy = await proxyTo(site);
    const server = await serve(site, 0, { KITH_OAUTH__JWKS_FILE: site.at('jwks.json'), KITH_OAUTH__ISSUER: 'https://idp.example', KITH_OAUTH__AUDIENCE: 'kith' });
    proxy.state.to = server.found;
    const { context, page, bad } = await open(proxy.at, { allowed: ['401'] });
    await page.goto(`${proxy.at}/`);
    await settled(page);
    assert.equal(await page.locator('#credential').count(), 0);
    assert((await page.locator('.me').innerText()).includes('Ana Moreira'));
    assert.equal(await page.locator('text=Log out').count(), 0, 'its session is the proxy’s');
    assert.deepEqual(await context.cookies(), []);
    await page.goto(`${proxy.at}/explore#/many`);
    await page.fill('#targets', 'Ben\nSol');
    for (const [why, end, begin] of [
      ['the token ran out', () => { proxy.state.jwt = proxy.jwt({ exp: proxy.now() - 60 }); }, () => { proxy.state.jwt = proxy.jwt({}); }],
      ['the proxy knows them no more', () => { proxy.state.isOut = true; }, () => { proxy.state.isOut = false; }],
    ]) {
      end();
      await page.click('button.main:visible');
      await page.waitForSelector('text=Log in again');
      assert.equal(await page.locator('#credential').count(), 0, why);
      assert(!await page.locator('#targets').isVisible(), why);
      assert.deepEqual(await violations(page), [], why);
      await page.click('text=I am back');
      await page.waitForSelector('text=Log in again');
      begin();
      await page.click('text=I am back');
      await page.waitForSelector('#targets:visible');
      assert.equal(await page.inputValue('#targets'), 'Ben\nSol', why);
      await page.click('button.main:visible');
      await page.waitForSelector('table');
    }
    assert(!server.printed().includes(proxy.state.jwt.slice(0, 40)));
    assert.deepEqual(bad, []);
    await context.close();
    proxy.close();
    await stop(server);
  });
}
