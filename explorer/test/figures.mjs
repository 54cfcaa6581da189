// What the operator's page makes of `/metrics`: labels of any letters, counters over a restart, and quantiles that lie in
// the bucket in which they are. Usage: figures.mjs SAMPLES, the module built of src/operator/samples.ts.
//
// Promise: Latencies on the operator's page lie in the bucket in which they are, whatever was before; counters start
//   anew with a process.
// Control: quantiles that do not subtract what was before are noticed.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const { growth, parse, quantile, sum } = await import(pathToFileURL(process.argv[2]));
const CASES = 2000;
const ENDS = [0.001, 0.002, 0.005, 0.01, 0.1, 1];

const dice = (seed) => {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return Math.floor((((state ^ (state >>> 12)) >>> 0) / 2 ** 32) * most);
  };
};

/** A histogram of `took`, as it stands in the text. */
const histogram = (took, route) => [...ENDS, Infinity].map((end) =>
  `h_bucket{route="${route}",le="${end === Infinity ? '+Inf' : end}"} ${took.filter((one) => one <= end).length}`).join('\n');
const reading = (text) => ({ at: 0, samples: parse(text) });

/** What is wrong with the quantiles that `find` gives of generated requests. */
function faults(find) {
  const found = [];
  for (let seed = 1; seed <= CASES; seed++) {
    const roll = dice(seed);
    const before = Array.from({ length: roll(20) }, () => roll(20_000) / 10_000);
    const since = Array.from({ length: roll(40) }, () => roll(20_000) / 10_000);
    const [then, now] = [before, [...before, ...since]].map((took) => reading(`# TYPE h histogram\n${histogram(took, 'a')}\n${histogram([0.5], 'b')}`));
    for (const q of [0.5, 0.95, 0.99]) {
      const value = find(q, then, now, 'h', (labels) => labels.route === 'a');
      if (!since.length) {
        if (value !== undefined) found.push(`${seed}: a quantile of nothing`);
        continue;
      }
      const real = [...since].sort((a, b) => a - b)[Math.ceil(q * since.length) - 1];
      const place = ENDS.findIndex((end) => real <= end);
      const [from, to] = place < 0 ? [ENDS.at(-1), ENDS.at(-1)] : [ENDS[place - 1] ?? 0, ENDS[place]];
      if (!(value >= from && value <= to)) found.push(`${seed}: ${value} is not in ${from} to ${to}, where ${real} is`);
    }
  }
  return found;
}

const text = 'a{x="1, \\"2\\" }\\\\",y=""} 3\na{x="z",y="\\n"} 4\nb 1e3\n# HELP b b\nbroken{ 1\nnan NaN\n';
assert.deepEqual(parse(text), [
  { name: 'a', labels: { x: '1, "2" }\\', y: '' }, value: 3 }, { name: 'a', labels: { x: 'z', y: '\n' }, value: 4 },
  { name: 'b', labels: {}, value: 1000 },
]);
assert.equal(sum(reading(text), 'a'), 7);
assert.equal(sum(reading(text), 'c'), undefined);
assert.equal(growth(reading('n 5'), reading('n 7'), 'n'), 2);
assert.equal(growth(reading('n 5'), reading('n 3'), 'n'), 3, 'another process counts from nought');
assert.deepEqual(faults(quantile), []);
// The control: one that does not subtract what was before is noticed.
assert(faults((q, _, now, ...rest) => quantile(q, undefined, now, ...rest)).length > CASES / 10);
console.log(`figures: ${CASES} histograms`);
