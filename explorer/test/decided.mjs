// What people decide on the page of `kith open`: who is one person, by keyboard alone, and who is forgotten.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LINKEDIN = 'First Name,Last Name,URL,Email Address,Company,Position,Connected On\n';
const PEOPLE = ['Fay Lind', 'Gus Hart', 'Kim Roe'];

/** Three people who are there twice, by a profile and by a phone-book entry, and one who is there once. */
function makeExports(work) {
  const folder = join(work, 'twice');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const row = (name) => `${name.replace(' ', ',')},https://www.linkedin.com/in/${name.toLowerCase().replace(' ', '-')},,${name} AG,CFO,03 Mar 2024\n`;
  const address = { 'Fay Lind': 'EMAIL:fay.lind@gmail.com\n' };
  const card = (name) => `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nN:${name.split(' ').reverse().join(';')};;;\n${address[name] ?? ''}END:VCARD\n`;
  const mail = (from, to, day) => `From x@x.example Mon Mar  2 10:00:00 2026\nFrom: ${from}\nTo: ${to}\nDate: ${day} Mar 2026 10:00:00 +0000\nMessage-ID: <${day}@x.example>\n\nHello.\n\n`;
  const [ana, fay] = ['Ana Ruiz <ana@ruiz.example>', 'Fay Lind <fay.lind@gmail.com>'];
  writeFileSync(join(folder, 'Connections.csv'), LINKEDIN + [...PEOPLE, 'Ola Once'].map(row).join(''));
  writeFileSync(join(folder, 'contacts.vcf'), PEOPLE.map(card).join(''));
  writeFileSync(join(folder, 'mail.mbox'), mail(ana, fay, 2) + mail(fay, ana, 3));
  return folder;
}

export function addDecidedTests({ test, open, settled, violations, overflow, openFiles, stop, work, WIDTHS, shots }) {
  const begin = async () => {
    const opened = await openFiles([makeExports(work)], ['--me', 'Ana Ruiz']);
    const { context, page, bad } = await open(opened.at);
    await page.goto(opened.link);
    await page.waitForSelector('[data-fact]');
    return { opened, context, page, bad };
  };

  test('likely doubles are answered by keyboard alone, taken back, and said where the person is shown', async () => {
    const { opened, context, page, bad } = await begin();
    await page.click('text=Look at them side by side');
    await page.waitForSelector('.pair');
    const status = (text) => page.waitForFunction((wanted) => document.querySelector('.summary')?.textContent.trim() === wanted, text);
    await status('3 pairs to answer');
    const first = await page.locator('.pair').getAttribute('aria-label');
    await page.keyboard.press('l');
    await page.waitForFunction((before) => document.querySelector('.pair').getAttribute('aria-label') !== before, first);
    await page.keyboard.press('s');
    await status('2 pairs to answer, 1 answered');
    await page.keyboard.press('d');
    await status('1 pair to answer, 2 answered');
    await page.keyboard.press('u');
    await status('2 pairs to answer, 1 answered');
    await page.keyboard.press('x');
    await status('2 pairs to answer, 1 answered');
    // Answers are the server's: another visit shows them, and one is taken back by its button.
    await page.reload();
    await status('2 pairs to answer, 1 answered');
    await page.click('button:text-is("Take back")');
    await status('3 pairs to answer');
    // Where the person is looked for, shown and introduced.
    await page.keyboard.press('/');
    await page.keyboard.type('Fay Lind');
    await page.waitForSelector('[role=option]:has-text("May be here twice")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-doubles] >> text=May also be Fay Lind');
    await page.click('text=About this person');
    await page.waitForSelector('[data-doubles] >> text=would be');
    await page.click('text=Are they one person?');
    await page.waitForSelector('.pair[aria-label="Fay Lind and Fay Lind"]');
    const once = await page.evaluate(async () => (await (await fetch('api/v1/search/people?q=Ola', { headers: { 'kith-page': localStorage.getItem('kith-page') } })).json()).data[0].id);
    await page.goto(`${opened.at}/explore#/person/${once}`);
    await settled(page);
    assert.equal(await page.locator('[data-doubles]').count(), 0, 'the control: who is there once');
    assert.deepEqual(bad, []);
    const storageState = await context.storageState();
    await context.close();
    for (const width of Object.keys(WIDTHS)) {
      for (const scheme of ['light', 'dark']) {
        const { context: other, page: one, bad: wrong } = await open(opened.at, { width, scheme, storageState });
        await one.goto(`${opened.at}/explore#/doubles`);
        await one.waitForSelector('.pair');
        assert.deepEqual(await violations(one), [], `${width} ${scheme}`);
        assert(await overflow(one) <= 0, `${width} is too wide`);
        assert.deepEqual(wrong, []);
        if (shots && scheme === 'light') await one.screenshot({ path: join(shots, `doubles-${width}.png`) });
        await other.close();
      }
    }
    await stop(opened);
  });

  test('kith open a second time joins who was said to be one, and asks no more', async () => {
    const { opened, context, page } = await begin();
    await page.goto(`${opened.at}/explore#/doubles?a=x`);
    await page.waitForSelector('.pair');
    const first = await page.locator('.pair').getAttribute('aria-label');
    await page.keyboard.press('s');
    await page.waitForSelector('text=Answered');
    await context.close();
    await stop(opened);
    const again = await openFiles([join(work, 'twice')], ['--me', 'Ana Ruiz'], true);
    assert.equal(again.report.totals.doubles, 2);
    assert.equal(again.report.network.people, opened.report.network.people - 1);
    const other = await open(again.at);
    await other.page.goto(again.link);
    await other.page.click('text=Look at them side by side');
    await other.page.waitForSelector('.pair');
    assert.equal(await other.page.locator('.summary').innerText(), '2 pairs to answer');
    const name = first.split(' and ')[0];
    await other.page.goto(`${again.at}/explore#/mine`);
    await other.page.waitForSelector('main a[href^="#/person/"]');
    const listed = await other.page.locator('main a[href^="#/person/"]').allInnerTexts();
    assert.equal(listed.filter((text) => text === name).length, 1, `${listed}`);
    assert(listed.some((text, at) => listed.indexOf(text) !== at), 'the control: who was not answered is there twice');
    await other.context.close();
    await stop(again);
  });

  test('one mailbox of three who write to each other shows a way through one to another, and none with --no-derive', async () => {
    const folder = join(work, 'mailbox');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const [ana, bo, cy] = ['Ana Ruiz <ana@ruiz.example>', 'Bo Berg <bo@berg.example>', 'Cy Clark <cy@clark.example>'];
    const mails = [[ana, bo], [bo, ana], [bo, `${ana}, ${cy}`], [cy, `${bo}, ${ana}`], [bo, `${ana}, ${cy}`]];
    const text = ([from, to], at) => `From x@x.example Mon Mar  2 10:00:00 2026\nFrom: ${from}\nTo: ${to}\nDate: ${2 + at} Mar 2026 10:00:00 +0000\nMessage-ID: <${at}@x.example>\n\nHello.\n\n`;
    writeFileSync(join(folder, 'mail.mbox'), mails.map(text).join(''));
    const ways = async (more, again = false) => {
      const began = Date.now();
      const opened = await openFiles([join(folder, 'mail.mbox')], ['--me', 'Ana Ruiz', '--email', 'ana@ruiz.example', ...more], again);
      const { context, page, bad } = await open(opened.at);
      await page.goto(opened.link);
      await page.waitForSelector('[data-fact]');
      await page.keyboard.press('/');
      await page.keyboard.type('Cy Clark');
      await page.waitForSelector('[role=option]:has(.ask)');
      await page.waitForFunction(() => document.querySelector('.search .unseen')?.textContent.includes('found'));
      const found = await page.locator('[role=option]:has(.person)').count();
      let shown;
      if (found) {
        await page.keyboard.press('Enter');
        await page.waitForSelector('[data-row]');
        shown = [await page.locator('[data-row]').count(), await page.locator('.edge.guess').count(), await page.locator('main').innerText()];
        assert(Date.now() - began < 60_000, 'within a minute');
        for (const [press, said] of [['They don’t know each other', 'The next import leaves this step out'], ['Take back', 'They probably know'], ['They don’t know each other', 'The next import leaves this step out']]) {
          await page.click(`button:text-is("${press}")`);
          await page.waitForSelector(`text=${said}`);
        }
        assert.deepEqual(await violations(page), []);
        assert.deepEqual(bad, []);
      }
      await context.close();
      await stop(opened);
      return shown;
    };
    const [rows, guesses, said] = await ways([]);
    assert.equal(rows, 1);
    assert(guesses > 0, 'drawn dashed');
    assert(/Bo Berg/.test(said) && /probably know each other/i.test(said), said);
    assert.equal(await ways([], true), undefined, 'untied by a press');
    assert.equal(await ways(['--no-derive']), undefined, 'the control');
  });

  test('an admin has somebody forgotten, and their double with them', async () => {
    const { opened, context, page, bad } = await begin();
    const open = async (name) => {
      await page.goto(`${opened.at}/explore#/mine`);
      await page.locator(`main a[href^="#/person/"]:has-text("${name}")`).first().click();
      await page.waitForSelector('text=Forget this person');
    };
    await open('Gus Hart');
    await page.click('text=Forget this person');
    await page.click('dialog[open] >> text=Cancel');
    assert((await page.locator('h1').first().innerText()) === 'Gus Hart', 'the control: nothing was done');
    await page.click('text=Forget this person');
    assert.deepEqual(await violations(page), []);
    await page.check('dialog[open] input[type=checkbox]');
    await page.click('dialog[open] >> button:text-is("Forget 2 people")');
    await page.waitForSelector('text=2 people are forgotten');
    await page.goto(`${opened.at}/explore#/mine`);
    await settled(page);
    const left = await page.locator('main').innerText();
    assert(!left.includes('Gus Hart') && left.includes('Fay Lind') && left.includes('Ola Once'));
    assert.deepEqual(bad, []);
    await context.close();
    await stop(opened);
  });
}
