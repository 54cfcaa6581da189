// Marks of companies from hosts that the operator names, and what of tables and lists stays after a reload.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

/** A host of pictures on loopback, over https; `asked` are the requests that it got. */
async function pictureHost(work) {
  const [key, cert] = ['pictures.key', 'pictures.pem'].map((name) => join(work, name));
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
    '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const asked = [];
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="teal"/></svg>';
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    asked.push({ path: request.url, referrer: request.headers.referer, cookie: request.headers.cookie });
    if (request.url === '/gone.svg') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(picture);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { host: `127.0.0.1:${server.address().port}`, asked, close: () => server.close() };
}

export function addMarkTests({ test, open, settled, ask, violations, overflow, kith, serve, stop, work, linkTo, base, own, first, companies }) {
  test('a company has a picture as its mark if its host is named, and no other host is asked for any', async () => {
    const [named, other] = [await pictureHost(work), await pictureHost(work)];
    const place = join(work, 'marks');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(join(place, 'snapshots'), { recursive: true });
    const at = (name) => join(place, name);
    cpSync('fixtures/tiny', at('tables'), { recursive: true });
    const rows = ['Named', 'Gone', 'Other', 'Script'].map((name) => ({ id: `company_x${name.toLowerCase()}`, name: `Picture ${name}` }));
    const logos = [`https://${named.host}/logo.svg`, `https://${named.host}/gone.svg`, `https://${other.host}/logo.svg`, 'javascript:alert(1)'];
    const lines = rows.map((row, place) => JSON.stringify({ ...row, logoUrl: logos[place] }));
    writeFileSync(at('tables/companies.ndjson'), [readFileSync(at('tables/companies.ndjson'), 'utf8').trim(), ...lines, ''].join('\n'));
    kith('build', at('tables'), '--out', at('snapshots/tiny.kith'));
    kith('suppress', 'create', '--suppressions', at('suppressions.txt'));
    const token = /service_\w+/.exec(kith('tokens', 'create', '--credentials', at('credentials.db'), '--org', 'org_tiny', '--user', 'user_ana', '--ttl', '1d'))[0];
    for (const hosts of [named.host, '']) {
      const server = await serve({ at }, 0, { KITH_EXPLORER__LOGO_HOSTS: hosts, KITH_EXPLORER__FEED: 'true' });
      const { context, page, bad } = await open(server.found, { ignoreHTTPSErrors: true, allowed: ['status of 404'] });
      await page.goto(`${server.found}/explore`);
      await page.fill('input[type=password]', token);
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-box]');
      await page.fill('[data-box]', 'Picture');
      await page.waitForSelector('[role=option]:has-text("Picture Script")');
      const face = (name) => page.locator(`[role=option]:has-text("Picture ${name}") .face`);
      if (hosts) {
        await page.waitForSelector('.face img.shown');
        await page.waitForFunction(() => document.querySelectorAll('.face img').length === 1);
        assert.equal(await face('Named').locator('img.shown').count(), 1);
        const box = await face('Named').locator('img').boundingBox();
        assert.deepEqual([box.width, box.height], [(await face('Named').boundingBox()).width, (await face('Named').boundingBox()).height]);
      } else {
        await new Promise((done) => setTimeout(done, 500));
        assert.equal(await page.locator('.face img').count(), 0);
      }
      for (const name of ['Gone', 'Other', 'Script']) assert.equal(await face(name).innerText(), `P${name[0]}`, 'the initials stand');
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(bad.filter((line) => !line.startsWith(`outside: https://${named.host}/`)), []);
      // Nor may a script of the page ask another host.
      const refused = await page.evaluate((url) => new Promise((done) => {
        const image = new Image();
        image.onload = () => done(false);
        image.onerror = () => done(true);
        image.src = url;
      }), `https://${hosts ? other.host : named.host}/control.svg`);
      assert(refused, 'the policy keeps the page to the hosts that are named');
      // The feed is named where tokens are.
      await page.goto(`${server.found}/explore#/you`);
      await settled(page);
      assert((await page.locator('main').innerText()).includes(`${server.found}/explore/feed/news.atom`));
      await context.close();
      await stop(server);
    }
    assert.deepEqual(named.asked.map(({ path }) => path).sort(), ['/gone.svg', '/logo.svg'], 'and none without the name');
    assert(named.asked.every(({ referrer, cookie }) => !referrer && !cookie), JSON.stringify(named.asked));
    assert.deepEqual(other.asked, []);
    [named, other].forEach((one) => one.close());
  });

  test('a reload keeps the order and the filter of a table, and another list begins without them', async () => {
    const { context, page, bad } = await open(base);
    await page.goto(linkTo(own, '/mine'));
    await page.waitForSelector('.sorted');
    await page.click('th button:has-text("Name")');
    await page.fill('input[type=search]', 'an');
    await page.waitForFunction(() => / of \d+ contacts$/.test(document.querySelector('.more [role=status]').innerText));
    const shown = async () => [await page.locator('tbody .who bdi').allInnerTexts(), await page.locator('.more [role=status]').innerText()];
    const before = await shown();
    assert(before[0].length > 1 && !before[1].includes('loaded'), before[1]);
    await page.reload();
    await page.waitForFunction((said) => document.querySelector('.more [role=status]')?.innerText === said, before[1]);
    assert.deepEqual(await shown(), before);
    assert.equal(await page.inputValue('input[type=search]'), 'an');
    assert.equal(await page.locator('th[aria-sort=ascending]').innerText(), 'Name ↑');
    // The control: another screen has neither.
    await page.goto(`${base}/explore#/people?q=engineer`);
    await page.waitForSelector('.sorted');
    assert.equal(await page.inputValue('input[type=search]'), '');
    assert.deepEqual(bad, []);
    await context.close();
  });

  test('the box reads a profile, a name with a firm and letters as one types them, and nobody for nobody', async () => {
    const { context, page, bad } = await open(base);
    await page.goto(linkTo(own, '/'));
    await page.waitForSelector('[data-box]');
    let person;
    for (let offset = 0; !person && offset < 2000; offset += 50) {
      const { data } = await ask(base, own.token, `search/people?q=o&limit=50&offset=${offset}`);
      person = data.find(({ name, linkedinId, company }) => /^[\p{L} ]*ö[\p{L} ]*$/u.test(name) && linkedinId && company);
    }
    const texts = [`https://www.linkedin.com/in/${person.linkedinId}/`, `${person.name} (${person.company})`, person.name.replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ä', 'ae')];
    for (const text of texts) {
      await Promise.all([page.waitForResponse((answer) => answer.url().includes('search/warm-paths')), page.fill('[data-box]', text)]);
      await page.waitForSelector(`[role=option] >> text=Ask in plain words: ${text}`);
      await page.waitForSelector('[role=option]:has(.person)');
      assert.equal(await page.locator('[role=option]:has(.person) .who b').first().innerText(), person.name, text);
    }
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.startsWith('#/paths/'));
    await page.goto(`${base}/explore#/`);
    await page.waitForSelector('[data-box=large]');
    await page.fill('[data-box=large]', 'Zebulon Quartermain');
    await page.waitForSelector('[role=option] >> text=Ask in plain words');
    await new Promise((done) => setTimeout(done, 1500));
    assert.equal(await page.locator('[role=option]').count(), 1, 'the control');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.notice:has-text("Nobody here is called “Zebulon Quartermain”")');
    await page.goto(`${base}/explore#/ask?q=${encodeURIComponent(person.name)}`);
    await page.waitForSelector('.rows');
    assert.equal(await page.locator('.notice').count(), 0, 'the control');
    assert.deepEqual(bad, []);
    await context.close();
  });

  test('from a pasted list to states, a message and a table in six steps', async () => {
    const { context, page, bad } = await open(base, { acceptDownloads: true, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(linkTo(own, '/'));
    await settled(page);
    const text = [`${first.name}, ${first.company}`, ...companies.slice(0, 38).map(({ name }) => name), 'Nobody Atall'].join('\n');
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    let steps = 0;
    const step = async (does) => { steps += 1; await does(); };
    await step(() => page.keyboard.press('Control+V'));
    await page.waitForSelector('.sorted');
    assert.equal(await page.locator('tbody tr').count(), text.split('\n').length, 'each line is answered');
    const row = page.locator('tbody tr').first();
    await step(() => page.locator('tbody tr').nth(1).locator('.state button').click());
    assert.equal(await page.locator('tbody tr').nth(1).locator('select').inputValue(), 'to ask');
    await step(() => row.getByRole('button', { name: 'Ask for' }).click());
    await page.waitForSelector('dialog[open]');
    assert.deepEqual(await violations(page), []);
    await step(() => page.click('button:text-is("Copy the message")'));
    await page.waitForSelector('dialog [role=status]:has-text("Copied")');
    assert((await page.evaluate(() => navigator.clipboard.readText())).startsWith('Hi '));
    await step(() => page.keyboard.press('Escape'));
    assert.equal(await row.locator('select').inputValue(), 'asked', 'the message was taken');
    const [file] = await Promise.all([page.waitForEvent('download'), step(() => page.click('button:text-is("Save as CSV")'))]);
    const saved = readFileSync(await file.path(), 'utf8');
    for (const word of [first.id, ',asked,', ',to ask,']) assert(saved.includes(word), word);
    assert(steps <= 6, `${steps} steps`);
    // Nobody is asked most if everybody is asked once.
    const loads = await page.locator('h2:text-is("Who is asked most") + ul li > span:last-child').allInnerTexts();
    assert(loads.every((load) => !load.startsWith('1 ')), String(loads));
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      assert(await overflow(page) <= 0, `${width}`);
    }
    assert.deepEqual(bad, []);
    await context.close();
  });
}
