// A colleague's exports, from the admin's press to the files that lie sealed. `browser.mjs` brings the tools and runs it.
//
// Promise: An admin makes a link by one press; behind it a colleague brings files by dragging and by keyboard alone, on a desk and on a phone, sees what
//   was read, keeps people back, takes a file back and leaves, without an account; nothing of the code is in an address that a server sees.
//   At `kith open` a file that is dragged onto the page is one more export of the owner, and the next answers have it.
// Control: a file that is no export is refused by name; the link holds no longer after leaving; a token that reads finds no such screen.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Drops files onto the page as a person does who drags them there. */
async function drop(page, files) {
  const dropped = await page.evaluateHandle((all) => {
    const held = new DataTransfer();
    for (const { name, text } of all) held.items.add(new File([text], name));
    return held;
  }, files);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: dropped });
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
}

/** Tabs to the input, which opens the browser's own dialog by Enter, and chooses `file` there. */
async function byKeyboard(page, input, file) {
  const isThere = () => page.evaluate((wanted) => document.activeElement?.matches(wanted), input);
  for (let pressed = 0; pressed < 60 && !await isThere(); pressed += 1) await page.keyboard.press('Tab');
  assert(await isThere(), `${input} is reached by keyboard`);
  await page.setInputFiles(input, file);
}

export function addBringTests({ test, open, settled, violations, overflow, kith, makeSite, serve, stop, openFiles, WIDTHS, shots, work }) {
  test('colleagues bring exports: one press, then a page of their own, by mouse, by keyboard, on a phone', async () => {
    const site = makeSite();
    const [folder, key] = [site.at('exports'), site.at('exports.key')];
    kith('exports', 'create', '--exports', folder, '--exports-key', key);
    kith('import', '--org', 'Brook Robotics', '--me', 'Ana Ruiz', '--email', 'ana@brook.example', '--tables', site.at('tables'),
      '--out', site.at('snapshots/brook.kith'), 'fixtures/team/ana/Connections.csv');
    const tokenOf = (scope) => /service_\w+/.exec(kith('tokens', 'create', '--credentials', site.at('credentials.db'),
      '--org', 'org_brook-robotics', '--user', 'user_ana-ruiz', '--ttl', '1d', '--scope', scope))[0];
    const server = await serve(site, 0, {}, ['--exports', folder, '--exports-key', key, '--public-url', 'https://kith.example', '--session-days', '30']);
    const at = server.found;
    const you = async (scope, more) => {
      const visit = await open(at, more);
      await visit.page.goto(`${at}/explore#/you`);
      await visit.page.fill('#credential', tokenOf(scope));
      await visit.page.keyboard.press('Enter');
      await settled(visit.page);
      return visit;
    };
    const reading = await you('mcp:read');
    assert.equal(await reading.page.locator('#colleagues').count(), 0, 'a token that reads makes no links');
    const admin = await you('mcp:read mcp:write');
    await admin.page.waitForSelector('li:has-text("Ana Ruiz")');
    await admin.page.click('summary:has-text("not listed")');
    await admin.page.fill('label:has-text("Name") input', 'Ben Okri');
    await admin.page.fill('input[type=email]', 'ben@brook.example');
    assert.deepEqual(await violations(admin.page), []);
    await admin.page.keyboard.press('Enter');
    const url = await admin.page.inputValue('#link-made');
    assert.deepEqual(await violations(admin.page), []);
    assert(await overflow(admin.page) <= 0);
    if (shots ?? work) await admin.page.screenshot({ path: `${shots ?? work}/colleagues.png` });
    const code = /^https:\/\/kith\.example\/bring#(\w{76})$/.exec(url)[1];

    const { context, page, bad } = await open(at);
    const sent = [];
    page.on('request', (request) => sent.push(request.url(), request.headers().referer ?? ''));
    await page.goto(`${at}/bring#${code}`);
    await page.waitForSelector('#part:not([hidden])');
    assert.deepEqual(await violations(page), []);
    // By dragging: an export, and what is none.
    await drop(page, [
      { name: 'Connections.csv', text: readFileSync('fixtures/team/ben/Connections.csv', 'utf8') },
      { name: 'holiday.csv', text: 'Where,When\nLisbon,May\n' },
    ]);
    await page.waitForSelector('#refused li');
    assert((await page.locator('#refused').innerText()).startsWith('holiday.csv: '));
    const list = () => page.locator('#list').innerText();
    assert((await list()).includes('LinkedIn connections: 6 rows read'), await list());
    assert.deepEqual(await violations(page), []);

    // By keyboard alone: what is kept back, and a file.
    const kind = page.locator('#kind');
    await kind.focus();
    await page.keyboard.type('a person');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Hal Ito');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#rules li');
    assert((await list()).includes('1 skipped'), await list());
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'title', 'the focus is not lost');
    await byKeyboard(page, '#files', 'fixtures/team/ana/google.csv');
    await page.waitForSelector('#list li:nth-child(2)');
    assert((await list()).includes('Google Contacts: 3 rows read'), await list());
    await page.focus('[aria-label="Take back google.csv"]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('#list > li').length === 1);
    // A folder, as a person drags it: each file in it, and of two with one name both.
    const folders = site.at('Downloads');
    for (const [name, from] of [['a', 'ana'], ['b', 'ana']]) {
      mkdirSync(join(folders, name), { recursive: true });
      copyFileSync(`fixtures/team/${from}/google.csv`, join(folders, name, 'google.csv'));
    }
    const devtools = await context.newCDPSession(page);
    const dragged = { items: [], files: [folders], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data: dragged });
    await page.waitForSelector('#list li:nth-child(3)');
    assert((await list()).includes('Downloads – a – google.csv') && (await list()).includes('Downloads – b – google.csv'), await list());
    for (const name of ['a', 'b']) {
      await page.click(`[aria-label="Take back Downloads – ${name} – google.csv"]`);
      await page.waitForFunction((left) => document.querySelectorAll('#list > li').length === left, name === 'a' ? 2 : 1);
    }
    if (shots ?? work) await page.screenshot({ path: `${shots ?? work}/bring.png`, fullPage: true });

    // On a phone, in the dark, by the same link.
    const phone = await open(at, { width: 'phone', scheme: 'dark' });
    await phone.page.goto(`${at}/bring#${code}`);
    await phone.page.waitForSelector('#list li');
    assert.deepEqual(await violations(phone.page), []);
    assert(await overflow(phone.page) <= 0);
    if (shots ?? work) await phone.page.screenshot({ path: `${shots ?? work}/bring-phone.png`, fullPage: true });
    await admin.page.reload();
    await settled(admin.page);
    await admin.page.waitForSelector('li:has-text("Ben Okri"):has-text("1 file")');
    assert(!(await admin.page.locator('main').innerText()).includes('Hal'), 'the admin sees numbers');
    await phone.page.click('#leave summary');
    await phone.page.click('#leave-now');
    await phone.page.waitForSelector('text=Everything is removed');
    assert.deepEqual(await violations(phone.page), []);
    await page.reload();
    await page.waitForSelector('text=holds no longer');
    assert(!sent.some((text) => text.split('#')[0].includes(code)), 'the code was sent in an address');
    assert(!server.printed().includes(code), 'the code is in the log');
    assert.deepEqual(await context.cookies(), []);
    assert([...bad, ...phone.bad].every((text) => text.includes('404') || text.includes('409')), bad.join());
    assert.deepEqual([...admin.bad, ...reading.bad], []);
    await Promise.all([context, phone.context, admin.context, reading.context].map((one) => one.close()));
    await stop(server);
  });

  test('kith open: a file that is dragged onto the page, or chosen, is one more export, and the next answers have it', async () => {
    const opened = await openFiles(['fixtures/team/ana/Connections.csv'], ['--me', 'Ana Ruiz']);
    const { context, page, bad } = await open(opened.at);
    await page.goto(opened.link);
    await page.waitForSelector('[data-fact]');
    const people = async () => {
      await page.goto(`${opened.at}/explore#/people?q=a`);
      await settled(page);
      return page.locator('main').innerText();
    };
    assert(!(await people()).includes('Hal Ito'), 'the control: nobody brought him');
    await drop(page, [{ name: 'Connections of Ben.csv', text: readFileSync('fixtures/team/ben/Connections.csv', 'utf8') }]);
    await page.waitForSelector('text=1 file imported');
    assert((await people()).includes('Hal Ito'), 'the next answer has him');
    assert.deepEqual(await violations(page), []);
    await drop(page, [{ name: 'holiday.csv', text: 'Where,When\nLisbon,May\n' }]);
    await page.waitForSelector('.notice:has-text("added/holiday.csv")');
    assert((await people()).includes('Hal Ito'), 'what is no export changes nothing');
    // Chosen, by keyboard, on the report's screen.
    await page.goto(`${opened.at}/explore#/report`);
    await settled(page);
    await page.waitForSelector('[data-file*="Connections of Ben.csv"]');
    assert.equal(await page.locator('[data-file*="holiday"]').count(), 0);
    await byKeyboard(page, 'input[type=file]', 'fixtures/team/ana/google.csv');
    await page.waitForSelector('[data-file*="google.csv"]');
    assert.deepEqual(await violations(page), []);
    if (shots ?? work) await page.screenshot({ path: `${shots ?? work}/added.png`, fullPage: true });
    await page.setViewportSize(WIDTHS.phone);
    assert(await overflow(page) <= 0);
    assert(bad.every((text) => text.includes('409')), bad.join());
    await context.close();
    await stop(opened);
    // The next kith open has them too.
    const again = await openFiles(['fixtures/team/ana/Connections.csv'], ['--me', 'Ana Ruiz'], true);
    assert(again.report.files.some(({ file }) => file === 'added/Connections of Ben.csv'), JSON.stringify(again.report.files));
    await stop(again);
  });
}
