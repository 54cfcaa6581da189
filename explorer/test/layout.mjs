// The picture of any answer: every path that is drawn is whole, no boxes overlap, columns stand in order, and nothing
// grows without a bound. Usage: layout.mjs LAYOUT, the module built of src/layout.ts.
//
// Promise: The picture of any answer is whole, in order and bounded, and no boxes overlap.
// Control: six broken pictures, each caught.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const { layout, BOX, BOXES_MAX } = await import(pathToFileURL(process.argv[2]));
const CASES = 3000;

/** Numbers below `most`, the same at every run. */
function dice(seed) {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return Math.floor((((state ^ (state >>> 12)) >>> 0) / 2 ** 32) * most);
  };
}

const WAYS = [[0, 3], [0, 1, 3], [0, 2, 3], [0, 1, 2, 3]];

/** Paths as an answer may hold them: few or many people, people in several columns, one target or many. */
function answer(seed) {
  const roll = dice(seed);
  const [many, people, targets] = [roll(51), 1 + roll(40), 1 + roll(roll(2) ? 1 : 44)];
  return Array.from({ length: many }, (_, key) => {
    const way = WAYS[roll(WAYS.length)];
    const steps = way.map((column) => {
      const who = column === 3 ? `t${roll(targets)}` : column === 0 ? `u${roll(people)}` : `p${roll(people)}`;
      return { column, id: who, name: who, note: '' };
    });
    return { key, steps, warmth: way.slice(1).map(() => roll(101)) };
  });
}

/** The numbers of a line: where it starts, bends and ends. */
const numbers = (d) => d.match(/-?\d+(\.\d+)?/g).map(Number);

/** What is wrong with a picture of `paths`. */
function faults(paths, laid, must) {
  const found = [];
  const say = (holds, what) => { if (!holds) found.push(what); };
  const box = new Map(laid.boxes.map((one) => [one.key, one]));
  const order = [...new Set(laid.boxes.map((one) => one.column))].sort();
  for (const one of laid.boxes) {
    say(one.x >= 0 && one.y >= 0 && one.x + laid.boxWidth <= laid.width + .01 && one.y + BOX.height <= laid.height + .01, 'a box is outside');
    for (const other of laid.boxes) {
      if (one === other) continue;
      const apart = Math.abs(one.x - other.x) >= laid.boxWidth || Math.abs(one.y - other.y) >= BOX.height;
      say(apart, 'boxes overlap');
      say((one.column < other.column) === (one.x < other.x) || one.column === other.column, 'columns are not in order');
    }
  }
  for (const column of order) say(laid.boxes.filter((one) => one.column === column).length <= BOXES_MAX, 'a column is too long');
  say(laid.height <= 26 + 3 * BOXES_MAX * (BOX.height + 12) && laid.width <= 4 * laid.boxWidth + 3 * 62, 'it is too large');
  say(!paths.length || laid.drawn.length > 0, 'nothing is drawn');
  say(must === undefined || laid.drawn.includes(must), 'the chosen path is not drawn');
  say(String(laid.drawn) === String([...laid.drawn].sort((a, b) => a - b)), 'the order is lost');
  for (const key of laid.drawn) {
    const path = paths.find((one) => one.key === key);
    const stops = path.steps.map((step) => box.get(`${step.column} ${step.id}`));
    say(stops.every((stop) => stop?.paths.has(key)), 'a person of a path is missing');
    for (let leg = 0; leg + 1 < stops.length; leg++) {
      const [from, to] = [stops[leg], stops[leg + 1]];
      const line = laid.lines.find((one) => one.key === `${from?.key} > ${to?.key}`);
      say(line?.paths.has(key), 'a line of a path is missing');
      if (!line || !from || !to) continue;
      const ends = numbers(line.d);
      say(ends[0] === from.x + laid.boxWidth && ends[1] === from.y + BOX.height / 2, 'a line does not start at its box');
      say(ends.at(-2) === to.x && ends.at(-1) === to.y + BOX.height / 2, 'a line does not end at its box');
      // Straight parts pass a column at a height where no box is.
      for (const [, y, x] of line.d.matchAll(/ (-?[\d.]+)H(-?[\d.]+)/g)) {
        const behind = laid.boxes.some((one) => one.x + laid.boxWidth === Number(x) && Math.abs(one.y + BOX.height / 2 - Number(y)) < BOX.height / 2);
        say(!behind, 'a line runs behind a box');
      }
    }
  }
  const members = laid.boxes.filter((one) => one.column === 0).sort((a, b) => a.y - b.y).map((one) => Math.min(...one.paths));
  say(String(members) === String([...members].sort((a, b) => a - b)), 'members are not in the order of the list');
  return found;
}

let drawn = 0;
for (let seed = 1; seed <= CASES; seed++) {
  const paths = answer(seed);
  const must = paths.length && seed % 3 === 0 ? paths[seed % paths.length].key : undefined;
  const laid = layout(paths, must);
  assert.deepEqual(faults(paths, laid, must), [], `seed ${seed}`);
  assert.deepEqual(JSON.stringify(layout(paths, must)), JSON.stringify(laid), 'another picture of the same');
  drawn += laid.drawn.length;
}
assert(drawn > CASES * 5, `only ${drawn} paths were drawn`);

// The controls: each broken picture is caught by the same.
const paths = answer(8);
const broken = {
  'a column is too long': () => layout(Array.from({ length: 30 }, (_, key) => ({ key, steps: [{ column: 0, id: `u${key}`, name: '', note: '' }, { column: 3, id: 't', name: '', note: '' }], warmth: [1] })), undefined, 30),
  'boxes overlap': () => { const laid = layout(paths); laid.boxes.forEach((one) => { one.y = 40; }); return laid; },
  'columns are not in order': () => { const laid = layout(paths); laid.boxes.forEach((one) => { one.x = laid.width - laid.boxWidth - one.x; }); return laid; },
  'a line of a path is missing': () => { const laid = layout(paths); laid.lines.pop(); return laid; },
  'a person of a path is missing': () => { const laid = layout(paths); laid.boxes.pop(); return laid; },
  'a line runs behind a box': () => {
    const laid = layout(paths);
    laid.lines.forEach((one) => { one.d = one.d.replace(/ -?[\d.]+H(-?[\d.]+)/g, (_, x) => ` ${(laid.boxes.find((box) => box.x + laid.boxWidth === Number(x))?.y ?? 0) + BOX.height / 2}H${x}`); });
    return laid;
  },
};
for (const [what, make] of Object.entries(broken)) {
  const of = what === 'a column is too long' ? Array.from({ length: 30 }, (_, key) => ({ key, steps: [{ column: 0, id: `u${key}` }, { column: 3, id: 't' }] })) : paths;
  assert(faults(of, make()).includes(what), `not noticed: ${what}`);
}
console.log(`layout: ${CASES} answers, ${drawn} paths drawn, ${Object.keys(broken).length} controls caught`);
