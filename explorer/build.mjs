// Builds the page: `src` to the folder that is named. The same sources give the same bytes.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const out = process.argv[2];

/** What the bytes depend on, in byte order of the names. */
const sources = [
  'build.mjs', 'package-lock.json', 'tsconfig.json',
  ...(await readdir('src', { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
].sort();
const digest = createHash('sha256');
for (const name of sources) {
  const bytes = await readFile(name);
  digest.update(`${name}\n${bytes.length}\n`).update(bytes);
}

// Preact is MIT: its notice goes where its code goes.
const notice = `/*! preact\n${(await readFile('node_modules/preact/LICENSE', 'utf8')).trim()}\n*/`;
const options = { bundle: true, minify: true, write: false, legalComments: 'none', charset: 'utf8' };
const [script] = (await build({
  ...options, entryPoints: ['src/main.tsx'], format: 'esm', target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact',
  banner: { js: notice },
})).outputFiles;
const [style] = (await build({ ...options, entryPoints: ['src/style.css'] })).outputFiles;

// A browser may hold what another program served at the same address: it runs only what the page names.
const version = (file) => createHash('sha256').update(file.contents).digest('hex').slice(0, 16);
const integrity = (file) => `sha256-${createHash('sha256').update(file.contents).digest('base64')}`;
const index = (await readFile('src/index.html', 'utf8'))
  .replace('?v=CSS', `?v=${version(style)}`).replace('?v=JS', `?v=${version(script)}`)
  .replace('INTEGRITY-CSS', integrity(style)).replace('INTEGRITY-JS', integrity(script));

// The operator's page is one file: what its listener answers besides needs a token. Its policy names its script and its style
// by their hashes.
const [ownScript] = (await build({
  ...options, entryPoints: ['src/operator/main.tsx'], format: 'esm', target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact',
  banner: { js: notice },
})).outputFiles;
const [ownStyle] = (await build({ ...options, entryPoints: ['src/operator/style.css'] })).outputFiles;
const [ownScriptText, ownStyleText] = [ownScript, ownStyle].map((file) => file.text.trim());
if (/<\/script|<!--/i.test(ownScriptText) || /<\/style/i.test(ownStyleText)) throw new Error('what stands in a page may not end it');
const icon = await readFile('src/icon.svg');
const operator = (await readFile('src/operator/index.html', 'utf8'))
  .replace('ICON', () => icon.toString('base64')).replace('STYLE', () => ownStyleText).replace('SCRIPT', () => ownScriptText);
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'", `script-src ${hash(ownScriptText)}`, `style-src ${hash(ownStyleText)}`, "connect-src 'self'", 'img-src data:',
  "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
].join('; ');

await mkdir(out, { recursive: true });
for (const [name, content] of [
  ['app.js', script.contents], ['app.css', style.contents], ['index.html', index],
  ['icon.svg', icon], ['icon.png', await readFile('src/icon.png')],
  ['manifest.webmanifest', await readFile('src/manifest.webmanifest')], ['operator.html', operator], ['operator.csp', policy], ['SOURCES', `${digest.digest('hex')}\n`],
]) {
  await writeFile(join(out, name), content);
}
