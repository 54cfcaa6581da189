// How a message begins: node explorer/test/greeting.mjs GREETING, a build of explorer/src/greeting.ts.
//
// Promise: A message greets by the given name, without emoji, degrees, titles and brackets, and with a capital; by the whole
//   name if the family name comes first in its writing, or nothing says which word is the given one.
//   It has been a while if the last mail, message or meeting is known to be more than half a year ago.
// Control: what the first word alone would give; a connection, and nothing, of any age.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const { greeting, isLongAgo } = await import(pathToFileURL(process.argv[2]));

const names = {
  'Jean-Luc Perrin 🚀': 'Jean-Luc',
  'Konrad Freiherr von Stetten, MBA': 'Konrad',
  'Dr. Matthias Hübner': 'Matthias',
  'Prof. Dr. med. Anna Berg': 'Anna',
  'Dipl.-Ing. Uwe Koch': 'Uwe',
  'bettina großkopf': 'Bettina',
  'jean-luc perrin': 'Jean-Luc',
  'JEAN-LUC PERRIN': 'Jean-Luc',
  'AJ Smith': 'AJ',
  'Perrin, Jean-Luc': 'Jean-Luc',
  'von Stetten, Konrad': 'Konrad',
  'Jane Doe, PhD, FRCS': 'Jane',
  'Jane Doe PhD': 'Jane',
  'Jane (she/her) Doe': 'Jane',
  '✨ Inès O’Connor 🇩🇪': 'Inès',
  'Thibault d\'Arcy': 'Thibault',
  'Carlos Benítez Ruiz': 'Carlos',
  'Aoife O’Neill': 'Aoife',
  'J. Robert Oppenheimer': 'Robert',
  'M. Orr': 'M. Orr',
  'Sabine': 'Sabine',
  'Dr. Koch': 'Koch',
  'Иван Петров': 'Иван',
  '김민준': '김민준',
  '鈴木 花子 🌸': '鈴木 花子',
  'Wei (王伟) Chen': 'Wei',
  'عبد الله الخطيب': 'عبد الله الخطيب',
  '🚀': '🚀',
};
const given = Object.fromEntries(Object.keys(names).map((name) => [name, greeting(name)]));
assert.deepEqual(given, names);
const wrong = Object.keys(names).filter((name) => name.split(' ')[0] !== names[name]);
assert(wrong.length > 12, `the control: the first word alone is wrong for ${wrong.length}`);
const now = Date.parse('2026-11-29');
const seen = (...rows) => isLongAgo(rows.map(([kind, at]) => ({ kind, at: `${at}T00:00:00Z` })), now);
assert(seen(['mail_sent', '2026-03-01'], ['connection', '2026-11-01']) && seen(['meeting', '2025-01-01']));
assert(!seen(['mail_sent', '2020-03-01'], ['message_received', '2026-08-27']));
assert(!seen(['connection', '2011-03-01'], ['invitation_sent', '2011-03-01'], ['in_copy', '2011-03-01']));
assert(!seen() && !isLongAgo(undefined, now));
console.log(`greeting: ${Object.keys(names).length} names`);
