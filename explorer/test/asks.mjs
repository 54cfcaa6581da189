// An ask from the first press to the answer of the one who is asked. `browser.mjs` brings the tools and runs it.
//
// Promise: Who asked says so by one press and takes it back by another; a colleague sees it; the one who is asked answers on a
//   phone, without an account, and nothing of the code is in an address that a server sees.
//   What mail shows afterwards is noted by an import, and counted; a list's plan leaves out who is asked for.
// Control: before the press nobody was asked; the same link a second time holds no longer; the import before the mail notes nothing.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const PERSON = 'person_tom';

export function addAskTests({ test, open, settled, violations, overflow, kith, makeSite, serve, stop }) {
  test('an ask: one press, a colleague sees it, the one who is asked answers on a phone', async () => {
    const site = makeSite();
    const tokenOf = (user) => /service_\w+/.exec(kith('tokens', 'create', '--credentials', site.at('credentials.db'),
      '--org', 'org_tiny', '--user', user, '--ttl', '1d', '--scope', 'mcp:read mcp:write'))[0];
    const [ana, ben] = ['user_ana', 'user_ben'].map(tokenOf);
    kith('ask', 'create', '--asks', site.at('asks.db'));
    const server = await serve(site, 0, { KITH_ASKS__PUBLIC_URL: 'https://kith.example' }, ['--asks', site.at('asks.db')]);
    const at = server.found;
    const enter = async (token, to, more) => {
      const visit = await open(at, more);
      await visit.page.goto(`${at}/explore#${to}`);
      await visit.page.fill('#credential', token);
      await visit.page.keyboard.press('Enter');
      await settled(visit.page);
      return visit;
    };
    const asked = async (page) => {
      await page.goto(`${at}/explore#/asks`);
      await settled(page);
      return page.locator('.cards > li').allInnerTexts();
    };

    const { context, page, bad } = await enter(ana, '/asks');
    assert.deepEqual(await asked(page), [], 'the control: nobody was asked');
    await page.goto(`${at}/explore#/paths/${PERSON}`);
    await settled(page);
    await page.click('text=Ask for the introduction');
    await page.click('button:text-is("I asked")');
    await page.waitForSelector('text=Noted: your colleagues see');
    assert.deepEqual(await violations(page), []);
    await page.click('button:text-is("Undo")');
    await page.waitForSelector('text=Taken back.');
    await page.click('button:text-is("I asked")');
    await page.waitForSelector('text=Noted: your colleagues see');
    await page.keyboard.press('Escape');

    const colleague = await enter(ben, `/paths/${PERSON}`);
    assert((await colleague.page.locator('main').innerText()).includes('Ana Moreira'), 'a colleague sees who asked');
    const [card] = await asked(colleague.page);
    assert(card.includes('Tom') && card.includes('김민준') && card.includes('Ana Moreira'), card);
    assert.equal(await colleague.page.locator('text=Make a link').count(), 0, 'the link is for who asked');

    await asked(page);
    await page.click('text=Make a link for their answer');
    const url = await page.locator('.cards code').innerText();
    assert.deepEqual(await violations(page), []);
    const code = /^https:\/\/kith\.example\/answer#(\w{22,})$/.exec(url)[1];
    const phone = await open(at, { width: 'phone' });
    const sent = [];
    phone.page.on('request', (request) => sent.push(request.url(), request.headers().referer ?? ''));
    await phone.page.goto(`${at}/answer#${code}`);
    await phone.page.waitForSelector('#ask:not([hidden])');
    const said = await phone.page.locator('main').innerText();
    assert(said.includes('Ana Moreira') && said.includes('Tom'), said);
    assert.deepEqual(await violations(phone.page), []);
    assert(await overflow(phone.page) <= 0);
    await phone.page.click('text=Yes, I introduce them');
    await phone.page.waitForSelector('text=Thank you');
    await phone.page.reload();
    await phone.page.waitForSelector('text=holds no longer');
    assert(!sent.some((text) => text.split('#')[0].includes(code)), 'the code was sent in an address');
    assert.deepEqual(await phone.context.cookies(), []);
    assert(phone.bad.every((text) => text.includes('404')), phone.bad.join());

    assert((await asked(page))[0].includes('agreed to introduce'));
    await page.click('button:text-is("introduced")');
    await page.waitForFunction(() => document.querySelector('.cards > li b')?.innerText === 'introduced');
    await page.click('text=Take back');
    await page.waitForFunction(() => document.querySelector('.cards > li b')?.innerText === 'agreed to introduce');
    assert(await overflow(page) <= 0);
    assert(!server.printed().includes(code), 'the code is in the log');
    assert.deepEqual([...bad, ...colleague.bad], []);
    await Promise.all([context, colleague.context, phone.context].map((one) => one.close()));
    await stop(server);
  });

  test('an ask from a list: planned, mailed, seen in mail at an import, counted', async () => {
    const site = makeSite();
    const team = site.at('team');
    mkdirSync(team);
    const [ana, bo, di] = ['Ana Ruiz <ana@acme.example>', 'Bo Berg <bo@berg.example>', 'Di Dorn <di@dorn.example>'];
    const mail = (from, to, copy, at) => `From x@x.example Mon Mar 11 09:14:00 2024\nFrom: ${from}\nTo: ${to}\n${copy ? `Cc: ${copy}\n` : ''}Date: ${at.toUTCString()}\n\nhi\n\n`;
    const ago = (days) => new Date(Date.now() - days * 86_400_000);
    const before = [1, 2, 3].map((day) => mail(bo, di, ana, ago(10 * day)) + mail(di, bo, ana, ago(10 * day + 1))).join('') + mail(ana, bo, '', ago(4)) + mail(bo, ana, '', ago(3));
    writeFileSync(`${team}/ana.mbox`, before);
    writeFileSync(`${team}/team.toml`, '[organization]\nname = "Acme"\n[[members]]\nname = "Ana Ruiz"\nemail = "ana@acme.example"\nrole = "admin"\nfiles = ["ana.mbox"]\n');
    const importAll = (...more) => kith('import', `${team}/team.toml`, '--tables', site.at('tables'), '--out', site.at('snapshots/acme.kith'), ...more);
    importAll();
    kith('ask', 'create', '--asks', site.at('asks.db'));
    const row = (table) => JSON.parse(readFileSync(site.at(`tables/${table}`), 'utf8').split('\n')[0]);
    const [org, member] = [row('organization.json').id, row('members.ndjson').userId];
    const token = /service_\w+/.exec(kith('tokens', 'create', '--credentials', site.at('credentials.db'),
      '--org', org, '--user', member, '--ttl', '1d', '--scope', 'mcp:read mcp:write'))[0];
    const server = await serve(site, 0, {}, ['--asks', site.at('asks.db')]);
    const { context, page, bad } = await open(server.found);
    await page.goto(`${server.found}/explore#/many`);
    await page.fill('#credential', token);
    await page.keyboard.press('Enter');
    const plan = async () => {
      await page.goto(`${server.found}/explore#/many`);
      await settled(page);
      await page.fill('#targets', 'Di Dorn\nNobody Atall');
      await page.click('button[type=submit]');
      await page.waitForSelector('td[data-head="When to ask"]');
      return page.locator('td[data-head="When to ask"]').allInnerTexts();
    };
    assert.deepEqual(await plan(), ['now', ''], 'nobody was asked yet');
    assert.equal(await page.locator('h2:text-is("Who is asked most")').count(), 0, 'everybody is asked once');
    await page.fill('#targets', 'Di Dorn\nDi Dorn');
    await page.click('button[type=submit]');
    await page.waitForSelector('h2:text-is("Who is asked most")');
    assert(/^asked by Ana Ruiz$/m.test(await page.locator('main').innerText()), 'no comma without a company before it');
    await plan();
    assert.deepEqual(await violations(page), []);
    await page.click('button:has-text("Ask for")');
    const href = await page.locator('a:text-is("Mail it")').getAttribute('href');
    assert(/^mailto:\?subject=[^&]+&body=.*Bo/.test(href), href);
    await page.click('summary:has-text("forward")');
    assert((await page.inputValue('#draft-forward')).includes('Ana Ruiz of Acme'));
    assert.deepEqual(await violations(page), []);
    await page.click('button:text-is("I asked")');
    await page.waitForSelector('text=Noted: your colleagues see');
    await page.keyboard.press('Escape');
    assert.deepEqual(await plan(), ['not: asked already', '']);

    const asks = async (state) => {
      await page.goto(`${server.found}/explore#/asks?state=${state}`);
      await settled(page);
      return page.locator('main').innerText();
    };
    importAll('--asks', site.at('asks.db'));
    assert(/\basked\b/.test(await asks('mine')), 'the control: no mail, nothing seen');
    await sleep(1500);
    writeFileSync(`${team}/ana.mbox`, before + mail(bo, `${di}, ${ana}`, '', new Date()));
    await sleep(1500);
    importAll('--asks', site.at('asks.db'));
    const mine = await asks('mine');
    assert(mine.includes('Di Dorn') && mine.includes('Bo Berg') && mine.includes('introduced'), mine);
    assert((await asks('waiting')).includes('Nobody waits'));
    const results = await asks('results');
    assert(results.includes('Not enough to tell shares by: 1 of 20') && results.includes('warmness 0-19'), results);
    assert.deepEqual(await violations(page), []);
    assert(await overflow(page) <= 0);
    await page.goto(`${server.found}/explore#/asks`);
    await settled(page);
    await page.click('.cards a:has-text("Di Dorn")');
    await page.waitForSelector('h2:has-text("Who asked for an introduction")');
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(bad, []);
    await context.close();
    await stop(server);
  });
}
