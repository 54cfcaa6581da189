// An ask from the first press to the answer of the one who is asked. `browser.mjs` brings the tools and runs it.
//
// Promise: Who asked says so by one press and takes it back by another; a colleague sees it; the one who is asked answers on a
//   phone, without an account, and nothing of the code is in an address that a server sees.
// Control: before the press nobody was asked; the same link a second time holds no longer.
import assert from 'node:assert/strict';

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
}
